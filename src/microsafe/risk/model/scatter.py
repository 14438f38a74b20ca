"""How much cells scatter around the means of a model, and whether the means fit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from microsafe.risk.table.cliques import CliqueTree
from microsafe.risk.table.crosstable import CrossTable, ratio
from microsafe.risk.table.tau import Tau, criteria, curvature, empty, tau
from microsafe.sums import Floats

_NOBODY = 1e-6  # people
_ALIKE = 1e-9  # relative difference of two weightings that tell the same
_DENSE = 1 << 22  # cells of the table up to which each is looked at
_PORTION = 1 << 16


class Scatter(NamedTuple):
    """Variance of cells around their means λ beyond that of Poisson counts: a λ² + b λ.

    Attributes:
        dispersion: a, the squared coefficient of variation of what the means leave out.
        clumps: b, how many others come along with a person, as in a household of people alike.
    """

    dispersion: float = 0.0
    clumps: float = 0.0

    def at(self, mean: Floats) -> Floats:
        """Return the squared coefficient of variation of cells with these means."""
        if self.clumps == 0.0:
            return np.full(np.shape(mean), self.dispersion)
        # Cells of next to nobody: what they scatter is of no consequence, but must be finite.
        return self.dispersion + self.clumps / np.maximum(mean, _NOBODY)


def find_scatter(
    counts: CrossTable, found: CliqueTree, seen: Floats, cluster: float
) -> tuple[Scatter, ...]:
    """Return how much cells scatter around a model fitted to counts, by moments.

    Cells weigh as in B2, so those count most whose uniqueness is in question; and a second time
    with larger cells weighing more, which tells dispersion from clumps.

    Args:
        counts: The sample, every record with the same weight.
        found: The model.
        seen: Independent draws in each cell: records, or households if those were drawn.
        cluster: Records that a draw brings.

    Returns:
        The scatter, then others that the sample can hardly tell from it.
    """
    pi = counts.fraction

    def moments(f: Floats, fitted: Floats) -> Floats:
        mean, weight = pi * fitted, curvature(fitted, pi)
        rows = np.stack([(f - mean) ** 2 - f, mean * mean, pi * mean]) * weight
        return np.concatenate([rows, rows * fitted])

    expected = found.fitted_values() / cluster
    empty_cells = found.sums(lambda fitted: moments(np.zeros_like(fitted), fitted / cluster))
    here = moments(seen, expected) - moments(np.zeros_like(seen), expected)
    small, large = (empty_cells + here.sum(axis=1)).reshape(2, 3)
    return _solve(small, large)


def _solve(small: Floats, large: Floats) -> tuple[Scatter, ...]:
    """Solve excess = a square + b mean for both weightings, neither below 0.

    Returns:
        The solution, and the two that have dispersion or clumps alone.
    """
    excess, square, mean = (float(each) for each in small)
    if square <= 0.0 or excess <= 0.0:
        return (Scatter(),)
    apart = Scatter(dispersion=excess / square), Scatter(clumps=excess / mean)
    other, other_square, other_mean = (float(each) for each in large)
    determinant = square * other_mean - other_square * mean
    if abs(determinant) <= _ALIKE * square * other_mean:  # cells of one size
        return apart
    a = (excess * other_mean - other * mean) / determinant
    b = (square * other - other_square * excess) / determinant
    if a > 0.0 and b > 0.0:
        return Scatter(dispersion=a, clumps=b), *apart
    return apart if b <= 0.0 else apart[::-1]


def diagnose(
    table: CrossTable,
    means: CliqueTree,
    counted: CliqueTree,
    fractions: Floats,
    seen: Floats,
    cluster: float,
) -> Tau:
    """Return the criteria B1 and B2 of a model, scatter left aside.

    The sampling fraction of a cell, empty or not, is what the model of the counts expects in the
    sample over what the model of the weights expects in the population.

    Args:
        table: The sample.
        means: Model fitted to the weights.
        counted: The same terms fitted to the counts.
        fractions: Sampling fraction of each occupied cell, for tau itself.
        seen: Independent draws in each occupied cell, as in `find_scatter`.
        cluster: Records that a draw brings.
    """
    fitted = means.fitted_values()
    if means is counted or table.cells > _DENSE:
        over_all = means.sums(lambda people: empty(table.fraction)(people / cluster))
        return tau(table, fitted / cluster, fractions, over_all, seen=seen)
    shares = _shares(table.fraction * counted.fitted_values(), fitted)
    people, sampled = means.dense(), table.fraction * counted.dense()
    over_all = np.zeros(8)
    for start in range(0, table.cells, _PORTION):
        part = slice(start, start + _PORTION)
        here, share = people[part] / cluster, _shares(sampled[part], people[part])
        over_all += criteria(np.zeros_like(here), here, share).sum(axis=1)
    return tau(table, fitted / cluster, fractions, over_all, shares=shares, seen=seen)


def _shares(sampled: Floats, people: Floats) -> Floats:
    return np.clip(ratio(sampled, people), 1e-12, 1.0)
