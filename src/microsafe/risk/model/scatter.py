"""How much cells scatter around the means of a model, and whether the means fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from microsafe.risk.model.growing import GrowingModel
from microsafe.risk.table.cliques import CliqueTree
from microsafe.risk.table.crosstable import CrossTable, ratio
from microsafe.risk.table.tau import Tau, criteria, dispersion, empty, tau
from microsafe.sums import Floats

_DENSE = 1 << 22  # cells of the table up to which each is looked at
_PORTION = 1 << 16


def scatter(counts: CrossTable, found: GrowingModel, seen: Floats, cluster: float) -> float:
    """Return the squared coefficient of variation of cells around a model fitted to counts.

    Args:
        counts: The sample, every record with the same weight.
        found: The model.
        seen: Independent draws in each cell: records, or households if those were drawn.
        cluster: Records that a draw brings.
    """
    table = replace(counts, f=seen)
    expected = found.model.fitted_values() / cluster
    over_all = found.model.sums(lambda fitted: empty(counts.fraction)(fitted / cluster))
    return dispersion(table, expected, over_all)


def diagnose(table: CrossTable, means: CliqueTree, counted: CliqueTree, fractions: Floats) -> Tau:
    """Return the criteria B1 and B2 of a model, scatter left aside.

    The sampling fraction of a cell, empty or not, is what the model of the counts expects in the
    sample over what the model of the weights expects in the population.

    Args:
        table: The sample.
        means: Model fitted to the weights.
        counted: The same terms fitted to the counts.
        fractions: Sampling fraction of each occupied cell, for tau itself.
    """
    fitted = means.fitted_values()
    if means is counted or table.cells > _DENSE:
        over_all = means.sums(empty(table.fraction))
        return tau(table, fitted, fractions, over_all)
    shares = _shares(table.fraction * counted.fitted_values(), fitted)
    people, sampled = means.dense(), table.fraction * counted.dense()
    over_all = np.zeros(8)
    for start in range(0, table.cells, _PORTION):
        part = slice(start, start + _PORTION)
        here = people[part]
        over_all += criteria(np.zeros_like(here), here, _shares(sampled[part], here)).sum(axis=1)
    return tau(table, fitted, fractions, over_all, shares=shares)


def _shares(sampled: Floats, people: Floats) -> Floats:
    return np.clip(ratio(sampled, people), 1e-12, 1.0)
