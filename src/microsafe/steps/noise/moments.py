"""Means and covariances by stratum, to the same bits whatever the order of the records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.passes import Extent, Pass, RecordBlock, Strata, pass_over
from microsafe.sums import Floats, SumGrid, Totals


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moments:
    """Moments of some variables in each stratum.

    Attributes:
        count: Values, by stratum and variable.
        mean: Likewise; NaN where there is no value.
        variance: Likewise, with n - 1; 0 where there are fewer than two values.
        correlation: By stratum and pair of variables, of the records that have both; 0 where that
            is not known.
    """

    count: NDArray[np.int64]
    mean: Floats
    variance: Floats
    correlation: Floats


def find_moments(
    values: Sequence[Floats], *, weight: Floats | None, stratum: Strata, strata: int
) -> Moments:
    """Return means, variances and correlations.

    Args:
        values: A column for each variable; NaN takes no part.
        weight: Of each record; all count alike if None.
        stratum: Of each record, from 0.
        strata: How many there are.
    """
    block = RecordBlock(values=values, weight=weight, stratum=stratum)
    return gather_moments(pass_over(block), Extent.of(block), strata)


def gather_moments(go: Pass, extent: Extent, strata: int) -> Moments:
    """Return means, variances and correlations from two passes over the records."""
    first = go(_FirstPass(extent=extent, strata=strata))
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = first.value[:, 1] / first.value[:, 2]
    second = go(_SecondPass(extent=extent, strata=strata, mean=mean)).value
    count, whole = first.value[:, 0], first.value[:, 2]
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = np.diagonal(second[:, 1], axis1=1, axis2=2) / whole * count / (count - 1)
        spread = np.sqrt(second[:, 1] * second[:, 1].transpose(0, 2, 1))
        found = np.nan_to_num(second[:, 0] / spread, posinf=0, neginf=0)
    correlation = np.clip(found, -1.0, 1.0)
    places = np.arange(count.shape[1])
    correlation[:, places, places] = 1.0
    return Moments(
        count=count.astype(np.int64),
        mean=mean,
        variance=np.where(count > 1, np.nan_to_num(variance, posinf=0.0), 0.0),
        correlation=correlation,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _FirstPass:
    """Counts, sums and weights of the values, by stratum and variable."""

    extent: Extent
    strata: int

    def __call__(self, block: RecordBlock) -> Totals:
        found = _StratumTotals((self.strata, 3, len(block.values)))
        for place, (x, largest) in enumerate(zip(block.values, self.extent.largest, strict=True)):
            known = ~np.isnan(x)
            for row, values, grid in (
                (0, known.astype(np.float64), SumGrid.of(1.0, self.extent.records)),
                (1, block.weigh(np.where(known, x, 0.0)), self.extent.grid(largest)),
                (2, block.weigh(known.astype(np.float64)), self.extent.grid()),
            ):
                found.put((row, place), grid.add_up(values, block.stratum, self.strata))
        return found.totals


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _SecondPass:
    """Products of deviations from means, and squares, of records that have both variables."""

    extent: Extent
    strata: int
    mean: Floats

    def __call__(self, block: RecordBlock) -> Totals:
        size = len(block.values)
        found = _StratumTotals((self.strata, 2, size, size))
        known = [~np.isnan(value) for value in block.values]
        whole = [bool(each.all()) for each in known]
        centred = [
            np.where(k, x - self.mean[block.stratum, place], 0.0)
            for place, (k, x) in enumerate(zip(known, block.values, strict=True))
        ]
        weighed = [block.weigh(each) for each in centred]
        for j in range(size):
            own = self._add(block, j, j, weighed[j] * centred[j])
            found.put((1, j, j), own)
            for k in range(size):
                if k < j:
                    cross = self._add(block, j, k, weighed[j] * centred[k])
                    found.put((0, j, k), cross)
                    found.put((0, k, j), cross)
                if k != j:
                    squares = own
                    if not whole[k]:
                        squares = self._add(block, j, j, weighed[j] * centred[j] * known[k])
                    found.put((1, j, k), squares)
        return found.totals

    def _add(self, block: RecordBlock, j: int, k: int, values: Floats) -> Totals:
        away = [3.0 * self.extent.largest[place] for place in (j, k)]
        return self.extent.grid(*away).add_up(values, block.stratum, self.strata)


class _StratumTotals:
    """Totals by stratum in the places of a table."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.totals = Totals(np.zeros(shape), np.zeros(shape))

    def put(self, place: tuple[int, ...], totals: Totals) -> None:
        self.totals.high.T[place[::-1]] = totals.high
        self.totals.low.T[place[::-1]] = totals.low


def factor(correlation: Floats) -> Floats:
    """Return L with L L' = R and rows of length 1, for a matrix of correlations.

    By Cholesky's method, the largest pivot first, so that R may be singular. Correlations of
    different records may contradict each other; then L L' is near R.
    """
    size = len(correlation)
    rest, lower = correlation.copy(), np.zeros((size, size))
    left = list(range(size))
    for column in range(size):
        pivot = max(left, key=lambda at: (rest[at, at], -at))
        if rest[pivot, pivot] <= 1e-10:
            break
        root = np.sqrt(rest[pivot, pivot])
        left.remove(pivot)
        lower[pivot, column] = root
        for at in left:
            lower[at, column] = rest[at, pivot] / root
        for at in left:
            for other in left:
                rest[at, other] -= lower[at, column] * lower[other, column]
    lengths: Floats = np.sqrt((lower**2).sum(axis=1, keepdims=True))
    return lower / lengths
