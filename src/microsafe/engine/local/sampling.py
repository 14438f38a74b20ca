"""Keep some of the records in the embedded engine: one bit a record says whether it is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from microsafe.batches import Scan, rebatch_frames
from microsafe.engine.contract import SampleSize
from microsafe.engine.local.records import Records
from microsafe.engine.number_columns import Numbers
from microsafe.engine.record_access import RecordNumbers
from microsafe.engine.sampling import Sampling, nothing_drawn, reweigh_schema
from microsafe.engine.slices import Bits, Flags, batch_lengths, unpack_flags
from microsafe.progress import Progress
from microsafe.schema import Schema, Variable
from microsafe.sums import Floats

_PER_HOUSEHOLD = 32  # bytes at work: number of the first record, whether it is drawn


def draw_sample(
    records: Records, sampling: Sampling, progress: Progress
) -> tuple[Records, SampleSize]:
    """Draw a sample: no pass over the records, or one over their households.

    Args:
        records: All of them.
        sampling: What is drawn.
        progress: Progress callback.

    Returns:
        Those that are drawn, and how many of what.

    Raises:
        InputError: None is drawn.
    """
    sampled, size = _draw_records(records, sampling, progress)
    if not size.records:
        raise nothing_drawn(records.schema.source)
    factor = np.broadcast_to(sampling.factor, size.records)
    return _keep(records, sampled, sampling.weight, factor), size


def keep_records(
    records: Records, kept: RecordNumbers, weight: Variable | None, factor: Floats
) -> Records:
    """Keep the records of some numbers.

    Args:
        records: All of them.
        kept: Their numbers.
        weight: What the weight is from then on; None if it stays what it is.
        factor: Of the weight of each record that is kept.
    """
    parts = (np.packbits(np.isin(numbers, kept)) for numbers in records.record_numbers())
    return _keep(records, np.concatenate(list(parts)), weight, factor)


def _keep(records: Records, kept: Bits, weight: Variable | None, factor: Floats) -> Records:
    schema = records.schema if weight is None else reweigh_schema(records.schema, weight)
    scan = _scan_kept(records.frames, records.schema, weight, factor, kept)
    return records.take_part(schema, scan, kept, len(factor))


def _draw_records(
    records: Records, sampling: Sampling, progress: Progress
) -> tuple[Bits, SampleSize]:
    """Which records are drawn, and how many of what."""
    count = records.count
    numbers = (words.view(np.int64) for words in records.record_numbers())
    hit = _tell_progress(map(sampling.draw, numbers), count, progress)
    counts = {"records": 0, "of_records": count}
    if sampling.household is None:
        parts = [np.packbits(part) for part in hit]
    else:
        records = records.copy(records.schema)  # household numbers are let go afterwards
        records.fetch([sampling.household], [], progress)
        homes = _draw_households(records, sampling.household, sampling)
        counts |= {"households": int(np.count_nonzero(homes)), "of_households": len(homes) - 1}
        parts = []
        codes = records.codes(sampling.household)
        for code, part in zip(codes, hit, strict=True):
            alone = code == 0
            counts["households"] += int(np.count_nonzero(part & alone))
            counts["of_households"] += int(np.count_nonzero(alone))
            parts.append(np.packbits(np.where(alone, part, homes[code])))
    sampled = np.concatenate(parts)
    counts["records"] = int(np.bitwise_count(sampled).sum())
    return sampled, SampleSize(**counts)


def _draw_households(records: Records, household: str, sampling: Sampling) -> Flags:
    """Tell by code which households are drawn; 0, which stands for none, is not."""
    number = len(records.coded[household].categories)
    what, remedy = f"for {number:,} households", "Draw records instead of households,"
    with records.memory.holding(number * _PER_HOUSEHOLD, what, remedy):
        first = np.full(number + 1, records.count, np.int64)
        for code, numbers in zip(records.codes(household), records.record_numbers(), strict=True):
            np.minimum.at(first, code, numbers.view(np.int64))
        ends = np.cumsum(batch_lengths(len(first)))
        homes = np.concatenate(list(map(sampling.draw, np.split(first, ends[:-1]))))
    homes[0] = False
    return homes


def _tell_progress(parts: Iterator[Flags], count: int, progress: Progress) -> Iterator[Flags]:
    """Go through parts and tell how far it is."""
    batches = len(batch_lengths(count))
    for done, part in enumerate(parts):
        progress("drawing the sample", done / batches)
        yield part
    progress("drawing the sample", 1.0)


def _scan_kept(
    scan: Scan, before: Schema, weight: Variable | None, factor: Floats, kept: Bits
) -> Scan:
    """Return a way to read some records by batch, as if the others had never been there."""
    name = None if weight is None else weight.name

    def read(names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        there = [name for name in names if name in before] or [before.names[0]]
        numbers = Numbers(before[name], source=before.source) if name in there else None

        def raise_weights(frame: pl.DataFrame, start: int) -> pl.DataFrame:
            if name is None or name not in names:
                return frame
            larger = factor[start : start + frame.height]
            if numbers is not None:
                larger = numbers.read(frame.get_column(name)) * larger
            return frame.with_columns(pl.Series(name, larger).fill_nan(None))

        def choose_records() -> Iterator[pl.DataFrame]:
            start, done = 0, 0
            for frame in scan(there, size):
                flags = pl.Series(unpack_flags(kept, start, frame.height))
                start += frame.height
                part = frame.filter(flags)
                yield raise_weights(part, done).select(names)
                done += part.height

        yield from rebatch_frames(choose_records(), size)
        if numbers is not None:
            numbers.check()

    return read
