"""Which records of the embedded engine a sample has: one bit for each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from microsafe.engine.contract import SampleSize
from microsafe.engine.local.records import Records
from microsafe.engine.sampling import Sampling
from microsafe.engine.slices import Bits, Flags, batch_lengths
from microsafe.progress import Progress

_PER_HOUSEHOLD = 32  # bytes at work: number of the first record, whether it is drawn


def draw_records(
    records: Records, sampling: Sampling, progress: Progress
) -> tuple[Bits, SampleSize]:
    """Draw a sample: no pass over the records, or one over their households.

    Args:
        records: All of them.
        sampling: What is drawn.
        progress: Progress callback.

    Returns:
        Which records are drawn, and how many of what.
    """
    count = records.count
    numbers = (each.view(np.int64) for each in records.record_numbers())
    hit = _tell_progress(map(sampling.draw, numbers), count, progress)
    told = {"records": 0, "of_records": count}
    if sampling.household is None:
        parts = [np.packbits(part) for part in hit]
    else:
        records = records.copy(records.schema)  # household numbers are let go afterwards
        records.fetch([sampling.household], [], progress)
        homes = _draw_households(records, sampling.household, sampling)
        told |= {"households": int(np.count_nonzero(homes)), "of_households": len(homes) - 1}
        parts = []
        codes = records.codes(sampling.household)
        for code, part in zip(codes, hit, strict=True):
            alone = code == 0
            told["households"] += int(np.count_nonzero(part & alone))
            told["of_households"] += int(np.count_nonzero(alone))
            parts.append(np.packbits(np.where(alone, part, homes[code])))
    kept = np.concatenate(parts)
    told["records"] = int(np.bitwise_count(kept).sum())
    return kept, SampleSize(**told)


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
