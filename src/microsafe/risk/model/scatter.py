"""How much cells scatter around the means of a model, and whether the means fit."""

from __future__ import annotations

from itertools import combinations
from math import prod
from typing import NamedTuple

import numpy as np

from microsafe.cells import Index, Membership
from microsafe.risk.model.gaps import GappedTable
from microsafe.risk.model.marginal import Factor, sum_out
from microsafe.risk.table.cliques import CliqueTree
from microsafe.risk.table.crosstable import CrossTable, Term, ratio
from microsafe.risk.table.tau import Tau, criteria, curvature, empty, tau
from microsafe.sums import Floats, sum_by

_NOBODY = 1e-6  # people
_ALIKE = 1e-9  # relative difference of two weightings that tell the same
_DENSE = 1 << 22  # cells of the table up to which each is looked at
_PORTION = 1 << 16
_FEWER = 2  # keys that sets may lack from which scatter is told


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

    def moments(f: Floats, fitted: Floats) -> Floats:
        rows = _moments(f, fitted, counts.fraction)
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


def find_scatter_shown(
    counts: GappedTable, found: CliqueTree, clusters: Membership | None
) -> Scatter:
    """Return how much cells scatter around a model, from records with gaps.

    Those who show all of a set of keys are a sample of the sample. The moments of the set of all
    keys are added to those of sets with one and two keys less, for the sake of files of which few
    records show everything; clumps are not told from dispersion. Sets of fewer keys that make too
    large a table are left out, and smaller ones taken where nothing else is left.

    Args:
        counts: The sample, every record with the same weight.
        found: The model, fitted to the counts.
        clusters: Households of the records, if those were drawn.
    """
    every = tuple(range(len(counts.sizes)))
    factors = [Factor(*factor) for factor in found.factors()]
    sums = np.zeros(3)
    for fewer in range(len(every)):
        for keys in combinations(every, len(every) - fewer):
            share = counts.share(keys)
            if share and (not fewer or prod(counts.sizes[key] for key in keys) <= _DENSE):
                marginal = found if not fewer else sum_out(factors, keys, counts.sizes).table(keys)
                sums += _moments_shown(counts, keys, share, marginal, clusters)
        if fewer >= _FEWER and sums[1] > 0.0:
            break
    excess, square, _ = (float(each) for each in sums)
    return Scatter(dispersion=excess / square) if excess > 0.0 and square > 0.0 else Scatter()


def _moments_shown(
    counts: GappedTable,
    keys: Term,
    share: float,
    model: CliqueTree | Floats,
    clusters: Membership | None,
) -> Floats:
    """Return the moments of the records that show all of some keys.

    Args:
        counts: The sample.
        keys: Which keys.
        share: Of the records that show them.
        model: People expected in the cells of these keys: all of them, or the tree of all keys.
        clusters: Households of the records, if those were drawn.
    """
    occupied, draws, cluster = count_draws(counts, keys, clusters)
    fraction = counts.fraction * share

    def as_empty(fitted: Floats) -> Floats:
        return _moments(np.zeros_like(fitted), fitted / cluster, fraction)

    if isinstance(model, CliqueTree):
        sums, here = model.sums(as_empty), model.fitted_values()
    else:
        flat = model.ravel()
        here, sums = flat[occupied], np.zeros(3)
        for start in range(0, len(flat), _PORTION):
            sums += as_empty(flat[start : start + _PORTION]).sum(axis=1)
    more = _moments(draws, here / cluster, fraction) - as_empty(here)
    found: Floats = sums + more.sum(axis=1)
    return found


def count_draws(
    counts: GappedTable, keys: Term, clusters: Membership | None
) -> tuple[Index, Floats, float]:
    """Return which cells of some keys are occupied, draws in each, and records that one brings."""
    shown = counts.showing(keys)
    # Of all keys the table may be vast: its cells are those that occur.
    place = counts.place(keys) if len(keys) < len(counts.sizes) else np.arange(len(shown))
    if clusters is None:
        occupied, group = np.unique(place[shown], return_inverse=True)
        return occupied, sum_by(group, counts.counts[shown], len(occupied)), 1.0
    there = shown[clusters.cell]
    cells = place[clusters.cell[there]]
    home = clusters.household[there]
    occupied, group = np.unique(cells, return_inverse=True)
    pairs = np.unique(np.stack([home, group]), axis=1)
    cluster = float(clusters.records[there].sum()) / pairs.shape[1]
    return occupied, np.bincount(pairs[1], minlength=len(occupied)).astype(np.float64), cluster


def _moments(f: Floats, fitted: Floats, fraction: float) -> Floats:
    """Return what cells add to excess of variance, squared mean and mean; weights as in B2."""
    mean = fraction * fitted
    rows: Floats = np.stack([(f - mean) ** 2 - f, mean * mean, fraction * mean])
    return rows * curvature(fitted, fraction)


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
