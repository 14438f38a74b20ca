"""Process records in slices of a batch.

Everything that is known of each record is kept in parts of `BATCH` records, in input order.
The size is one number for all files, whatever memory there is, so that nothing depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.sums import Floats

BATCH = 1 << 21  # records; a multiple of 8, as flags are kept in bits
_STRIDE = 64  # one record of so many shows where the middle is

Load = Callable[[Sequence[str]], pl.DataFrame]
Scan = Callable[[Sequence[str], int], Iterator[pl.DataFrame]]
Bits = NDArray[np.uint8]
Flags = NDArray[np.bool_]


def scan_slices(load: Load) -> Scan:
    """Return a way to read by batch what can only be loaded as a whole."""

    def scan(names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        frame = load(names)
        yield from frame.iter_slices(size) if frame.height else [frame]

    return scan


def batch_lengths(rows: int) -> list[int]:
    """Return how many records each batch has."""
    return [min(BATCH, rows - start) for start in range(0, rows, BATCH)]


def records_at_once(columns: int) -> int:
    """Return how many whole records to hold, fewer the more variables they have.

    It divides `BATCH`.
    """
    size = 1 << 18
    while size * columns > 1 << 23 and size > 1 << 12:
        size //= 2
    return min(size, BATCH)


def unpack_flags(bits: Bits, start: int, count: int) -> Flags:
    """Return some flags of a part; `start` is a multiple of 8."""
    return np.unpackbits(bits[start // 8 :], count=count).view(np.bool_)


def median(parts: Callable[[], Iterator[Floats]], count: int) -> float:
    """Return the median of numbers of at least 0."""
    if count <= BATCH:
        return float(np.median(np.concatenate(list(parts()))))
    ranks = (count - 1) // 2, count // 2
    middle = _rank_near_middle(parts, ranks)
    if middle is None:
        middle = np.array([_find_ranked(parts, rank) for rank in ranks])
    return float(np.mean(middle))


def _rank_near_middle(
    parts: Callable[[], Iterator[Floats]], ranks: tuple[int, int]
) -> Floats | None:
    """The numbers of two middle ranks, in one pass; None if the first records mislead."""
    sample = next(parts())[::_STRIDE]
    low, high = np.quantile(sample, [0.49, 0.51])
    below, near = 0, 0
    candidates: list[Floats] = []
    for part in parts():
        below += int(np.count_nonzero(part < low))
        candidates.append(part[(part >= low) & (part <= high)])
        near += len(candidates[-1])
        if near > BATCH:
            return None
    if not below <= ranks[0] <= ranks[1] < below + near:
        return None
    places = np.array(ranks) - below
    exact: Floats = np.partition(np.concatenate(candidates), places)[places]
    return exact


def _find_ranked(parts: Callable[[], Iterator[Floats]], rank: int) -> float:
    """The number that `rank` others precede.

    Floats of one sign are ordered as their bits are, so the numbers that begin with the same
    bits are counted, 16 bits at a time, until those that are left are few.
    """
    start, shift, remaining = 0, 64, BATCH + 1
    while remaining > BATCH and shift:
        shift -= 16
        counts = np.zeros(1 << 16, np.int64)
        for bits in _starting(parts, start, shift + 16):
            counts += np.bincount(bits >> shift & 0xFFFF, minlength=1 << 16)
        digit = int(np.searchsorted(np.cumsum(counts), rank, side="right"))
        rank -= int(counts[:digit].sum())
        start, remaining = start << 16 | digit, int(counts[digit])
    if shift:
        candidates = np.concatenate(list(_starting(parts, start, shift)))
        start = int(np.partition(candidates, rank)[rank])
    return float(np.int64(start).view(np.float64))


def _starting(
    parts: Callable[[], Iterator[Floats]], start: int, shift: int
) -> Iterator[NDArray[np.int64]]:
    """The bits of the numbers that begin with some bits."""
    for part in parts():
        bits = (part + 0.0).view(np.int64)  # no negative zero
        yield bits if shift == 64 else bits[bits >> shift == start]
