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
_PIECE = 1 << 16  # numbers that are worked on at a time
_SLICES = 12  # bits: so many slices, or half as many
_ABOVE = (1 << 63) - 1  # above the bits of any number

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
    ranks = np.array([(count - 1) // 2, count // 2])
    return float(np.mean(_find_ranked(parts, ranks, *_guess_middle(next(parts())))))


def _find_ranked(
    parts: Callable[[], Iterator[Floats]], ranks: NDArray[np.int64], low: int, high: int
) -> Floats:
    """The numbers that so many others precede.

    Floats of one sign are ordered as their bits are. What lies between some bits is cut into
    slices of equal length, until few numbers are left in those that are looked for.
    """
    shift = max(0, (high - low).bit_length() - _SLICES)
    below, counts = _count_slices(parts(), low, high, shift)
    ends = below + np.cumsum(counts)
    if not below <= ranks[0] <= ranks[-1] < ends[-1]:  # the first records mislead
        return _find_ranked(parts, ranks, 0, _ABOVE)
    first, last = map(int, np.searchsorted(ends, ranks[[0, -1]], side="right"))
    low, high = low + (first << shift), low + (last + 1 << shift)
    if counts[first : last + 1].sum() <= BATCH:
        near = [bits[(bits >= low) & (bits < high)] for bits in _bits(parts())]
        places = ranks - (ends[first] - counts[first])
        found: Floats = np.partition(np.concatenate(near), places)[places].view(np.float64)
        return found
    if first < last:  # with many equal numbers on either side of the middle
        return np.concatenate([_find_ranked(parts, rank, low, high) for rank in np.split(ranks, 2)])
    if not shift:
        return np.full(len(ranks), low).view(np.float64)
    return _find_ranked(parts, ranks, low, high)


def _guess_middle(part: Floats) -> tuple[int, int]:
    """The bits between which the middle is if these records are like the others."""
    low, high = (np.quantile(part[::_STRIDE], [0.49, 0.51]) + 0.0).view(np.int64).tolist()
    return low, high + 1


def _count_slices(
    parts: Iterator[Floats], low: int, high: int, shift: int
) -> tuple[int, NDArray[np.int64]]:
    """How many numbers are below some bits, and how many in each slice from there."""
    below, counts = 0, np.zeros(1 + (high - low - 1 >> shift), np.int64)
    for bits in _bits(parts):
        below += int(np.count_nonzero(bits < low))
        inside = bits[(bits >= low) & (bits < high)] - low
        counts += np.bincount(inside >> shift, minlength=len(counts))
    return below, counts


def _bits(parts: Iterator[Floats]) -> Iterator[NDArray[np.int64]]:
    """The bits of numbers, in pieces that stay near the processor."""
    for part in parts:
        for start in range(0, len(part), _PIECE):
            yield (part[start : start + _PIECE] + 0.0).view(np.int64)  # no negative zero
