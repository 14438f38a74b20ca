"""The calibrated estimator: a model of the population, and the risk of every record by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Codes, Index, Membership
from microsafe.progress import Progress, silent
from microsafe.risk.model import posterior
from microsafe.risk.model.clusters import find_design_effects
from microsafe.risk.model.completion import complete_margins, fill_gaps
from microsafe.risk.model.estimate_variance import Interval, intervals
from microsafe.risk.model.fitted_sample import measure_gapped, measure_whole
from microsafe.risk.model.gaps import GappedTable, levels_of
from microsafe.risk.model.marginal import Factor, Marginal, sum_out
from microsafe.risk.model.nonresponse import ShownShares
from microsafe.risk.model.scatter import Scatter
from microsafe.risk.model.stepwise import GrowingModel
from microsafe.risk.model.terms import (
    MOST_TERMS,
    Addition,
    Search,
    no_effect,
    search_terms,
)
from microsafe.risk.table.crosstable import CrossTable, ImpossibleCells, Term
from microsafe.risk.table.loglinear import terms_of
from microsafe.risk.table.tau import Tau
from microsafe.sums import Exact, Floats

_NORMAL = 1.9599639845400536  # 97.5 % of a normal distribution


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PopulationModel:
    """A model of the population: log-linear means of cells, and scatter around them.

    Attributes:
        keys: Names of the keys.
        categories: For each key its categories in order, as in `Cells`.
        table: The sample as a cross table.
        scatter: How much cells vary around their means.
        cluster: Members that a household in the sample has in a cell; 1 if persons were drawn.
        terms: Interactions by BIC, as numbers of keys, in the order in which they entered.
        shrunken: Pairs that entered with a shrunken margin only, likewise.
        passed_over: Terms that would have helped but make too large tables.
        steps: The search, term by term.
        tau1: Expected number of sample uniques that are unique in the population.
        tau2: Expected number of sample uniques that a match would re-identify.
        interval: Of tau1 and tau2, nominal 95 %.
        converged: Whether tau is at rest.
        simplified: Terms that were left out again because tau did not converge with them.
        by_scatter: Matches expected with this scatter, and with that which is told by the records
            that show all keys, where gaps were integrated out and the two differ by 3 % or more.
        distances: Largest relative distance from a margin, iteration by iteration.
        diagnosis: The criteria B1 and B2 of the last model, without scatter.
        fitted: People expected in each cell of the table.
        f: Records that show as much as those of each cell that the model was fitted to, and agree.
        F: Their weight.
        mean: People expected to agree with each of these cells.
        fraction: Sampling fraction among them.
        levels: For each key the level of every code; -1 for codes that no cell has.
        factors: Small tables whose product is the table of means.
        shares: Who shows which keys, where gaps were integrated out; None if there were none.
    """

    keys: tuple[str, ...]
    categories: tuple[Sequence[str], ...]
    table: CrossTable
    scatter: Scatter
    cluster: float
    terms: tuple[Term, ...]
    shrunken: tuple[Term, ...]
    passed_over: tuple[Term, ...]
    steps: tuple[Addition, ...]
    tau1: float
    tau2: float
    interval: tuple[Interval, Interval]
    converged: bool
    simplified: int
    by_scatter: tuple[float, float] | None
    distances: tuple[float, ...]
    diagnosis: Tau
    fitted: Floats
    f: Floats
    F: Floats
    mean: Floats
    fraction: Floats
    levels: tuple[Index, ...]
    factors: tuple[Factor, ...]
    shares: ShownShares | None = None
    _marginals: dict[int, Marginal] = field(default_factory=dict)

    def compare_uniques(self) -> tuple[int, float]:
        """Return how many records are alone with their keys, and how many the means tell.

        A record has nobody beside it with chance exp(-mean): far fewer than that are alone where
        records repeat persons. Nothing is told where gaps were integrated out.
        """
        if self.shares is not None:
            return 0, 0.0
        table = self.table
        beside = np.exp(-self.fitted * table.fractions)
        return int(np.count_nonzero(table.f == 1)), float((table.f * beside).sum())

    @property
    def dispersion(self) -> float:
        """Squared coefficient of variation of cells around their means, clumps left aside."""
        return self.scatter.dispersion

    @property
    def interactions(self) -> list[Term]:
        """All interactions, those within larger ones left out."""
        every = terms_of(len(self.keys), [*self.terms, *self.shrunken])
        return [term for term in every if len(term) > 1]

    @property
    def spread(self) -> float | None:
        """Standard error of a sum of risks, relative to it, as tau2 has it.

        None without uniques, and in a census.

        It is what the interval of tau2 is made of: chance in the population, parameters that
        another sample would give otherwise, and what the model leaves out.
        """
        low, high = self.interval[1]
        if not self.tau2 or low == high:
            return None
        return (high - low) / (2.0 * _NORMAL) / self.tau2

    def means(self, codes: Sequence[Codes], shown: int) -> Floats:
        """Return how many people the model expects to agree with each row on some keys.

        Args:
            codes: For each key the code of every row, numbered as in `Cells`; 0 is missing.
            shown: The keys that count; bit j stands for key j. Others are summed out.

        Returns:
            The means; 0 where the model has no such level.
        """
        if shown not in self._marginals:
            keep = [key for key in range(len(self.keys)) if shown >> key & 1]
            self._marginals[shown] = sum_out(self.factors, keep, self.table.sizes)
        levels, known = look_up_shown(self.levels, codes, shown)
        return np.where(known, self._marginals[shown].look_up(levels, len(known)), 0.0)

    def shown_share(self, codes: Sequence[Codes], shown: int) -> Floats:
        """Return the chance that a record with the values of each row shows some keys.

        Args:
            codes: As for `means`.
            shown: The keys, likewise.
        """
        if self.shares is None:
            return np.ones(len(codes[0]))
        levels, _ = look_up_shown(self.levels, codes, shown)
        return self.shares.look_up(levels, shown, len(codes[0]))

    def match_chance(self, f: Floats, mean: Floats, fraction: Floats) -> Floats:
        """Return E(1/F | f), the chance that a match with one of the people is right.

        Args:
            f: Records that agree.
            mean: People that the model expects, as `means` gives them.
            fraction: Sampling fraction among them.
        """
        mean = mean / self.cluster
        return posterior.match_chance(f, mean, fraction, self.scatter.at(mean))

    @property
    def risk(self) -> Floats:
        """E(1/F | f) of the records of each cell that the model was fitted to."""
        return self.match_chance(self.f, self.mean, self.fraction)

    def unique_chance(self, mean: Floats, fraction: Floats) -> Floats:
        """Return P(F = 1 | f = 1), the chance that somebody alone in the sample is so at all."""
        mean = mean / self.cluster
        return posterior.unique_chance(mean, fraction, self.scatter.at(mean))

    def above(self, f: Floats, mean: Floats, fraction: Floats, limit: Floats) -> NDArray[np.bool_]:
        """Whether `match_chance` is above a limit; much quicker where it is clear."""
        mean = mean / self.cluster
        return posterior.exceeds(f, mean, fraction, self.scatter.at(mean), limit)

    def name_term(self, term: Term) -> str:
        """Return a term as `age*sex`."""
        return "*".join(self.keys[key] for key in term)


def look_up_levels(level_of: Index, code: Codes) -> Index:
    """Return the level of every code; -1 where there is none."""
    inside = code < len(level_of)
    return np.where(inside, level_of[np.where(inside, code, 0)], -1)


def look_up_shown(
    levels: Sequence[Index], codes: Sequence[Codes], shown: int
) -> tuple[list[Index | None], NDArray[np.bool_]]:
    """Return the levels that rows have of the keys they show, and which rows have one of each."""
    found: list[Index | None] = [None] * len(levels)
    known = np.ones(len(codes[0]), np.bool_)
    for key in range(len(codes)):
        if shown >> key & 1:
            level = look_up_levels(levels[key], codes[key])
            known &= level >= 0
            found[key] = np.maximum(level, 0)
    return found, known


def fit_model(
    cells: Cells,
    *,
    fraction: float | None = None,
    clusters: Membership | None = None,
    impossible: Sequence[ImpossibleCells] = (),
    by_cell: bool = True,
    integrated: Sequence[str] = (),
    most: int = MOST_TERMS,
    progress: Progress = silent,
) -> PopulationModel:
    """Fit a model of the population to a sample.

    Args:
        cells: Combinations of keys that occur.
        fraction: Sampling fraction, where there are no weights.
        clusters: Households of the records, if whole households were drawn.
        impossible: Cells that nobody can be in.
        by_cell: Whether each cell has its own sampling fraction, or all that of the file.
        integrated: Keys whose gaps are no fact about the population; a gap of another key is a
            level like others.
        most: Terms at most; none is independence with scatter.
        progress: Progress callback.

    Assumes:
        Population counts scatter around log-linear means like gamma variables with one squared
        coefficient of variation; persons, or households if `clusters` are given, were drawn
        independently; weights are right; there is one row per person; a key that is integrated
        is missing at random given the keys that are shown.

    References:
        Skinner and Shlomo (2008), JASA 103, 989-1001; Bethlehem, Keller and Pannekoek (1990),
        JASA 85, 38-45; Rao and Scott (1984), Annals of Statistics 12, 46-60.
    """
    progress("searching for interactions", 0.0)
    hidden = [
        name in integrated and not cells.codes[key].all() for key, name in enumerate(cells.keys)
    ]
    levels = tuple(levels_of(cells, key, gaps=hides) for key, hides in enumerate(hidden))
    table = CrossTable.of(cells, fraction=fraction)
    if any(hidden):
        if fraction is not None:
            cells = replace(cells, weights=Exact.split(cells.count / fraction))
        table = GappedTable.laid_out(cells, levels, fraction=fraction)
    counts = table.as_counted()
    effect = no_effect if clusters is None else find_design_effects(clusters, table)
    found = search_terms(counts, impossible=impossible, effect=effect, most=most, progress=progress)
    searched = len(found.additions)
    found, means = _fit_means(table, found, impossible, progress)
    tell = partial(progress, "estimating the population")
    tell(0.0)
    if isinstance(table, GappedTable):
        made = measure_gapped(cells, table, found.model, means, clusters, by_cell=by_cell)
    else:
        made = measure_whole(cells, table, found.model, means, clusters, by_cell=by_cell)
    tell(0.6)
    tau1, tau2 = made.alone.tau(made.scatter)
    tell(0.7)
    interval = intervals(made.alone, (tau1, tau2), made.scatter, made.others, made.diagnosis)
    tell(0.9)
    return PopulationModel(
        keys=table.keys,
        categories=cells.categories,
        table=table,
        scatter=made.scatter,
        cluster=made.cluster,
        terms=tuple(addition.term for addition in found.additions if not addition.shrunken),
        shrunken=tuple(addition.term for addition in found.additions if addition.shrunken),
        passed_over=found.passed_over,
        steps=found.additions,
        tau1=tau1,
        tau2=tau2,
        interval=interval,
        converged=means.at_rest and found.model.at_rest,
        simplified=searched - len(found.additions),
        by_scatter=made.by_scatter,
        distances=tuple(means.distances),
        diagnosis=made.diagnosis,
        fitted=made.fitted,
        f=made.f,
        F=made.F,
        mean=made.mean,
        fraction=made.fraction,
        factors=tuple(means.factors),
        levels=levels,
        shares=made.shares,
        _marginals=made.marginals,
    )


def _fit_means(
    table: CrossTable, found: Search, impossible: Sequence[ImpossibleCells], progress: Progress
) -> tuple[Search, GrowingModel]:
    """Fit the terms that were found; the first half of them while tau does not converge.

    Independence, at the end, always does.
    """
    while True:
        if isinstance(found.model.table, GappedTable):
            fill_gaps(found.model, found.model.table, progress)
        found.model.settle(progress=progress)
        means = _means(table, found, impossible, progress)
        if (found.model.at_rest and means.at_rest) or not found.additions:
            return found, means
        fewer = found.additions[: len(found.additions) // 2]
        model = GrowingModel(found.model.table, impossible)
        for each in fewer:
            model.add(each.term, each.trust)
        found = replace(found, model=model, additions=fewer)


def _means(
    table: CrossTable, found: Search, impossible: Sequence[ImpossibleCells], progress: Progress
) -> GrowingModel:
    """Fit the terms that were found to the weights, in the same order and as much shrunken."""
    trusts = [addition.trust for addition in found.additions]
    if table.equally_weighted:
        return found.model
    if isinstance(table, GappedTable):
        table = complete_margins(found.model, table)
        trusts = [found.model.raise_trust(addition.term) for addition in found.additions]
    means = GrowingModel(table, impossible)
    for number, (each, trust) in enumerate(zip(found.additions, trusts, strict=True)):
        progress("fitting the model to the weights", number / len(trusts))
        means.add(each.term, trust)
    means.settle(progress=progress)
    return means
