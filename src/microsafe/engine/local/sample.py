"""Reading a sample batch by batch, as if the other records had never been there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from microsafe.batches import Scan, rebatch_frames
from microsafe.engine.number_columns import Numbers
from microsafe.engine.sampling import Sampling
from microsafe.engine.slices import Bits, unpack_flags
from microsafe.schema import Schema


def scan_sample(scan: Scan, before: Schema, sampling: Sampling, kept: Bits) -> Scan:
    """Return a way to read a sample by batch.

    Args:
        scan: Reads all records.
        before: Their variables.
        sampling: How the sample is weighed.
        kept: Which records are in it, one bit each.
    """
    weight, factor = sampling.weight.name, sampling.factor

    def read(names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        there = [name for name in names if name in before] or [before.names[0]]
        numbers = Numbers(before[weight], source=before.source) if weight in there else None

        def raise_weights(frame: pl.DataFrame) -> pl.DataFrame:
            if weight not in names:
                return frame
            if numbers is None:
                return frame.with_columns(pl.lit(factor).alias(weight))
            larger = pl.Series(weight, numbers.read(frame.get_column(weight)) * factor)
            return frame.with_columns(larger.fill_nan(None))

        def draw_records() -> Iterator[pl.DataFrame]:
            start = 0
            for frame in scan(there, size):
                flags = pl.Series(unpack_flags(kept, start, frame.height))
                start += frame.height
                yield raise_weights(frame.filter(flags)).select(names)

        yield from rebatch_frames(draw_records(), size)
        if numbers is not None:
            numbers.check()

    return read
