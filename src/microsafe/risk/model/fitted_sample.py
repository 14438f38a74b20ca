"""What a fitted model says of the sample that it was fitted to: scatter, and every cell's risk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from microsafe.cells import Cells, Membership
from microsafe.risk.model import posterior
from microsafe.risk.model.clusters import households_by_cell, mean_members
from microsafe.risk.model.estimate_variance import SampleUniques
from microsafe.risk.model.gaps import GappedTable
from microsafe.risk.model.marginal import Marginal, sum_out
from microsafe.risk.model.nonresponse import ShownShares
from microsafe.risk.model.scatter import (
    Scatter,
    count_draws,
    diagnose,
    find_scatter,
    find_scatter_shown,
)
from microsafe.risk.model.stepwise import GrowingModel
from microsafe.risk.record.subset_frequencies import Subsets, places_of_each
from microsafe.risk.table.crosstable import CrossTable
from microsafe.risk.table.tau import Tau
from microsafe.sums import Floats, total

_APART = 0.03  # of the matches expected: two scatters that differ by as much are both told


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FittedSample:
    """What a fitted model says of the sample.

    Attributes:
        scatter: How much cells vary around their means.
        others: Forms of scatter that the sample can hardly tell from it.
        cluster: Records that an independent draw brings.
        diagnosis: The criteria B1 and B2, without scatter.
        fitted: People expected to agree with each cell of the table.
        f: Records that show as much as those of each cell of the file, and agree.
        F: Their weight.
        mean: People expected to agree with each cell of the file.
        fraction: Sampling fraction among them.
        alone: The sample uniques.
        shares: Who shows which keys, where some records do not show all.
        by_scatter: Matches expected of all records with this scatter, and with that which is told
            by the records that show all keys, where the two differ by 3 % or more.
        marginals: The model summed over the keys that some cells hide, by the keys they show.
    """

    scatter: Scatter
    others: Sequence[Scatter]
    cluster: float
    diagnosis: Tau
    fitted: Floats
    f: Floats
    F: Floats
    mean: Floats
    fraction: Floats
    alone: SampleUniques
    shares: ShownShares | None = None
    by_scatter: tuple[float, float] | None = None
    marginals: dict[int, Marginal] = field(default_factory=dict)


def measure_whole(
    cells: Cells,
    table: CrossTable,
    counted: GrowingModel,
    means: GrowingModel,
    clusters: Membership | None,
    *,
    by_cell: bool,
) -> FittedSample:
    """Measure a sample whose records all show every key.

    Args:
        cells: As the engine counted them.
        table: The same as a cross table.
        counted: Model fitted to the counts.
        means: The same terms fitted to the weights.
        clusters: Households of the records, if whole households were drawn.
        by_cell: Whether each cell has its own sampling fraction, or all that of the file.
    """
    cluster = 1.0 if clusters is None else mean_members(clusters)
    seen = table.f if clusters is None else households_by_cell(clusters, len(table.f))
    scatter, *others = find_scatter(table.as_counted(), counted.model, seen, cluster)
    fractions = table.fractions if by_cell else np.full(len(table.f), table.fraction)
    fitted = means.model.fitted_values()
    effective = fitted / cluster
    _, group = cells.project(cells.keys)
    return FittedSample(
        scatter=scatter,
        others=others,
        cluster=cluster,
        diagnosis=diagnose(table, means.model, counted.model, fractions, seen, cluster),
        fitted=fitted,
        f=table.f[group],
        F=table.weight[group],
        mean=fitted[group],
        fraction=fractions[group],
        alone=SampleUniques(effective[table.uniques], fractions[table.uniques]),
    )


def measure_gapped(
    cells: Cells,
    table: GappedTable,
    counted: GrowingModel,
    means: GrowingModel,
    clusters: Membership | None,
    *,
    by_cell: bool,
) -> FittedSample:
    """Measure a sample by what each record shows; arguments as for `measure_whole`.

    Those who show as much are a sample of the sample, by a share that hangs on their values.
    """
    cluster = 1.0 if clusters is None else mean_members(clusters)
    scatter = find_scatter_shown(table.as_counted(), counted.model, clusters)
    shares = ShownShares.of(counted, table)
    marginals: dict[int, Marginal] = {}
    fitted, share = np.empty(len(cells)), np.empty(len(cells))
    for shown, rows in places_of_each(table.shows).items():
        levels = table.levels_shown(shown, rows)
        keep = [key for key in range(len(table.sizes)) if shown >> key & 1]
        marginals[shown] = sum_out(means.factors, keep, table.sizes)
        fitted[rows] = marginals[shown].look_up(levels, len(rows))
        share[rows] = shares.look_up(levels, shown, len(rows))
    f, F = Subsets(table.as_cells(cells)).frequencies(np.arange(len(cells)), -1, gaps_count=False)
    fractions = np.minimum(f / F, 1.0) if by_cell else np.full(len(f), table.fraction)
    effective, thinned = fitted / cluster, fractions * share
    alone = f == 1
    risk = posterior.match_chance(f, effective, thinned, scatter.at(effective))
    complete = _find_scatter_complete(table, counted, clusters) or scatter
    other = posterior.match_chance(f, effective, thinned, complete.at(effective))
    return FittedSample(
        scatter=scatter,
        others=(),
        cluster=cluster,
        diagnosis=_diagnose_complete(table, counted, means, clusters, cluster),
        fitted=fitted,
        f=f,
        F=F,
        mean=fitted,
        fraction=thinned,
        alone=SampleUniques(effective[alone], thinned[alone]),
        shares=shares,
        by_scatter=_compare(total(cells.count * risk), total(cells.count * other)),
        marginals=marginals,
    )


def _compare(expected: float, other: float) -> tuple[float, float] | None:
    """Return both figures where they differ by enough to be told."""
    return (expected, other) if abs(other - expected) >= _APART * expected else None


def _find_scatter_complete(
    table: GappedTable, counted: GrowingModel, clusters: Membership | None
) -> Scatter | None:
    """Return the scatter that the records tell which show all keys; None if there are none."""
    every = tuple(range(len(table.sizes)))
    if not table.share(every):
        return None
    _, draws, cluster = count_draws(table, every, clusters)
    return find_scatter(_take_complete(table), counted.model, draws, cluster)[0]


def _diagnose_complete(
    table: GappedTable,
    counted: GrowingModel,
    means: GrowingModel,
    clusters: Membership | None,
    cluster: float,
) -> Tau:
    """Return the criteria of the records that show all keys, which are a smaller sample.

    They are fewer than all, and so the variances of the criteria are rather too large than too
    small.
    """
    every = tuple(range(len(table.sizes)))
    whole = table.showing(every)
    part = _take_complete(table)
    seen = table.f
    if clusters is not None:
        seen = households_by_cell(clusters, len(whole))[whole]
    return diagnose(part, means.model, counted.model, table.fractions, seen, cluster)


def _take_complete(table: GappedTable) -> CrossTable:
    """Return the records that show all keys as a sample of their own, which is smaller."""
    every = tuple(range(len(table.sizes)))
    return CrossTable(
        keys=table.keys,
        sizes=table.sizes,
        codes=table.codes,
        f=table.f,
        weight=table.weight,
        fraction=table.fraction * max(table.share(every), 1.0 / table.records),
        fractions=table.fractions,
    )
