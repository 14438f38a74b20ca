"""Sums of floating-point numbers that do not depend on the order of the terms.

Two files with the same records must give the same figures to the last bit, whatever the
row order and however many threads. So each number is split into a high part, a multiple of
one power of two so coarse that sums of high parts are exact in double precision, and the
small rest. Sums of rests are exact too for numbers of at least 1 while (number of terms) x
(total) <= 2**53, which covers every survey; beyond that they are rounded far below the last
bit of the total.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_PIECE = 1 << 16  # numbers that are worked on at a time
_LEAST, _MOST = 1e-250, 1e250


@dataclass(frozen=True, slots=True)
class Exact:
    """Numbers as pairs `high + low` that can be summed without rounding."""

    high: Floats
    low: Floats | None

    @classmethod
    def split(cls, values: Floats) -> Exact:
        """Split non-negative numbers so that any sum over a subset of them stays exact."""
        return cls.under(float(values.sum()), values)

    @classmethod
    def under(cls, total: float, values: Floats) -> Exact:
        """Split non-negative numbers so that sums of up to about `total` stay exact."""
        if total == 0.0:
            return cls(values, None)
        # Below 2^-1074 there are no numbers: sums of such small ones are exact anyhow.
        unit = math.ldexp(1.0, max(math.frexp(total)[1] + 1 - 53, -1074))
        high = np.divide(values, unit)
        np.rint(high, out=high)
        high *= unit
        low = values - high
        return cls(high, low if low.any() else None)

    @property
    def value(self) -> Floats:
        """The numbers themselves, correctly rounded."""
        return self.high if self.low is None else self.high + self.low

    def group(self, group: NDArray[Any], size: int) -> Exact:
        """Sum within groups numbered from 0 to `size - 1`."""
        low = None if self.low is None else sum_by(group, self.low, size)
        return Exact(sum_by(group, self.high, size), low)

    def add(self, other: Exact, *, times: float = 1.0) -> Exact:
        """Add others, so many times; without rounding if that is 0 or 1."""
        high = self.high + times * other.high
        if other.low is None:
            return Exact(high, self.low)
        low = times * other.low
        return Exact(high, low if self.low is None else self.low + low)

    def settle(self) -> Exact:
        """Return the same numbers so that sums over any of them are the same in any order.

        Those of low parts, too: they are taken to multiples of a power of two, so small that it
        changes nothing where sums of low parts are exact anyhow.
        """
        split = Exact.split(self.high)
        rests = [rest for rest in (split.low, self.low) if rest is not None]
        if not rests:
            return split
        low: Floats = np.sum(rests, axis=0)
        return Exact(split.high, Exact.under(float(np.abs(low).sum()), low).high)

    def cumulate(self) -> Floats:
        """Return the running totals."""
        high = np.cumsum(self.high)
        return high if self.low is None else high + np.cumsum(self.low)


class Sums:
    """Exact sums within groups, added up batch by batch.

    Args:
        size: Number of groups.
        total: Of all numbers to come.
    """

    def __init__(self, size: int, total: float) -> None:
        self._total = total
        self._high = np.zeros(size)
        self._low: Floats | None = None

    def add(self, group: NDArray[Any], values: Floats) -> None:
        """Add the next numbers, in the order of the rows as `sum_by` does."""
        self.add_high(group, values)
        self.add_low(group, values)

    def add_high(self, group: NDArray[Any], values: Floats) -> None:
        """Add the high parts of the next numbers; low ones may be added at the same time."""
        high = Exact.under(self._total, values).high
        if len(self._high) <= len(group):  # sums of high parts are exact, in any order
            self._high += sum_by(group, high, len(self._high))
        else:
            np.add.at(self._high, group, high)

    def add_low(self, group: NDArray[Any], values: Floats) -> None:
        """Add the low parts of the next numbers, in the order of the rows."""
        low = Exact.under(self._total, values).low
        if low is not None:
            if self._low is None:
                self._low = np.zeros(len(self._high))
            np.add.at(self._low, group, low)

    @property
    def exact(self) -> Exact:
        """What was added up."""
        return Exact(self._high, self._low)


def add_ones(counts: NDArray[np.int64], group: NDArray[Any]) -> None:
    """Count the rows of each group, on top of what was counted before."""
    if len(counts) <= len(group):
        counts += np.bincount(group, minlength=len(counts))
    else:
        np.add.at(counts, group, 1)


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums on a grid: those of parts of the data add up to those of all, in any order."""

    high: Floats
    low: Floats

    def merge(self, other: Totals) -> Totals:
        """Add the sums of other data."""
        return Totals(self.high + other.high, self.low + other.low)

    @property
    def value(self) -> Floats:
        """The sums."""
        return self.high + self.low


@dataclass(frozen=True, slots=True)
class SumGrid:
    """Numbers are taken to multiples of so small a power of two that what is lost is nothing.

    In two steps, so that sums of multiples of either are exact: they depend neither on the order
    of the numbers nor on how these are parted.
    """

    coarse: float
    fine: float

    @classmethod
    def of(cls, largest: float, count: int) -> SumGrid:
        """Return the grid for at most so many numbers, none of them larger than that."""
        places = max(count, 1).bit_length()
        coarse = max(math.frexp(largest)[1] + places - 52, -1022)
        return cls(math.ldexp(1.0, coarse), math.ldexp(1.0, max(coarse + places - 53, -1074)))

    def add_up(self, values: Floats, group: NDArray[Any] | None = None, size: int = 1) -> Totals:
        """Sum numbers of either sign within groups numbered from 0, or all of them."""
        totals = np.zeros((2, size))
        for start in range(0, len(values), _PIECE):  # a piece stays near the processor
            piece = values[start : start + _PIECE]
            high = np.rint(piece / self.coarse) * self.coarse
            low = np.rint((piece - high) / self.fine) * self.fine
            for total, part in zip(totals, (high, low), strict=True):
                if group is None or size == 1:
                    total += part.sum()
                else:
                    total += sum_by(group[start : start + _PIECE], part, size)
        return Totals(totals[0], totals[1])


def sum_by(group: NDArray[Any], values: Floats, size: int) -> Floats:
    """Sum values within groups numbered from 0 to `size - 1`, in the order of the rows."""
    sums: Floats = np.bincount(group, values, size)  # type: ignore[assignment]
    return sums


def total(values: Floats) -> float:
    """Sum of the values, correctly rounded."""
    pieces = (values[start : start + _PIECE] for start in range(0, len(values), _PIECE))
    return math.fsum(chain.from_iterable(_sum_parts(piece) for piece in pieces))


def _sum_parts(rest: Floats) -> Iterator[float]:
    """Go through a few numbers that add up to exactly what a piece of numbers does.

    Of each number, what is a multiple of one power of two is taken off; these parts have so few
    bits that their sum is exact.

    References:
        Rump, Ogita and Oishi (2008), "Accurate floating-point summation", part I, section 3.
    """
    while (largest := float(np.abs(rest).max(initial=0.0))) != 0.0:
        if not _LEAST < largest < _MOST:  # parts of such numbers might not be exact
            yield from rest[rest != 0.0].tolist()
            return
        power = math.ldexp(1.0, math.frexp(largest)[1] + _PIECE.bit_length())
        high = (rest + power) - power
        yield float(high.sum())
        rest = rest - high


def entropy(weight: NDArray[Any]) -> float:
    """Entropy in bits of the distribution that counts or weights make."""
    used = weight[weight > 0]
    if len(used) < 2:
        return 0.0
    share = used / used.sum()
    return float(-(share * np.log2(share)).sum())
