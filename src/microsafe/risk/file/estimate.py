"""The risk of the file: how many sample uniques are unique in the population."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Membership
from microsafe.display import show_number, show_percent, show_rate
from microsafe.errors import UsageError
from microsafe.notices import Notice
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.results import AttachToRecords, Result
from microsafe.risk.file.advice import file_notices
from microsafe.risk.file.interval import fit_intervals
from microsafe.risk.file.model_estimates import (
    ModelEstimate,
    ModelName,
    of_fit,
    of_population,
    opinion,
)
from microsafe.risk.file.options import Bands
from microsafe.risk.model.estimate import PopulationModel, fit_model
from microsafe.risk.model.estimate_variance import Interval
from microsafe.risk.table.crosstable import CrossTable, ImpossibleCells, Term
from microsafe.risk.table.loglinear import LoglinearFit, all_terms, fit
from microsafe.risk.table.tau import Bias, Tau
from microsafe.sums import Floats
from microsafe.svg import draw_bars

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Level = Literal["very low", "low", "moderate", "high"]
LEVELS: tuple[Level, ...] = ("very low", "low", "moderate", "high")
COVERAGE = (
    "Nominal 95 %. On 35 samples from known populations the default covered the truth of tau1 in "
    "35 and of tau2 in 33."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FileRisk(Result):
    """How likely it is that those who are alone in the file are alone in the population.

    Attributes:
        source: Name of the file.
        scenario: Keys and weight.
        table: The sample as a cross table of the keys.
        f: Records that an intruder could not tell apart, for the records of each cell.
        count: Records of each cell.
        opinion: What the chosen model says.
        opinions: What others say.
        fit: The log-linear model, if its interactions were given.
        population: The calibrated model, if they were searched for.
        by_cell: Whether each cell has its own sampling fraction.
        bands: Shares of population uniques up to which the level is very low, low, moderate.
        interval: Of tau1 and tau2; None if the model gives none.
        impossible: Cells of the cross table that nobody can be in.
        notices: What to know before trusting the figures.
        perturbed_by: What was done to keys; the figures are those before it, as they mean nothing
            after it.
        labels: Of the variables, by name.
    """

    source: str
    scenario: Scenario
    table: CrossTable
    f: Floats
    count: Floats
    opinion: ModelEstimate
    opinions: tuple[ModelEstimate, ...]
    fit: LoglinearFit | None
    population: PopulationModel | None
    by_cell: bool
    bands: Bands
    interval: tuple[Interval, Interval] | None
    impossible: int = 0
    notices: tuple[Notice, ...] = ()
    perturbed_by: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    _attach: AttachToRecords = field(kw_only=True)

    @property
    def model(self) -> ModelName:
        """Name of the model."""
        return self.opinion.model

    @property
    def tau1(self) -> float | None:
        """Expected number of sample uniques that are unique in the population."""
        return self.opinion.tau1

    @property
    def tau2(self) -> float | None:
        """Expected number of sample uniques that a match would re-identify."""
        return self.opinion.tau2

    @property
    def sample_uniques(self) -> int:
        """Records that nobody else in the sample looks like."""
        return int(np.count_nonzero(self.f == 1))

    @property
    def share_unique(self) -> float | None:
        """Share of the sample uniques that are unique in the population."""
        if self.tau1 is None:
            return None
        return self.tau1 / self.sample_uniques if self.sample_uniques else 0.0

    @property
    def level(self) -> Level | None:
        """The share in words."""
        share = self.share_unique
        if share is None:
            return None
        return LEVELS[sum(share > band for band in self.bands)]

    @property
    def cells(self) -> int:
        """Cells of the whole cross table, empty ones included, impossible ones not."""
        return self.table.cells - self.impossible

    @property
    def average_cell_size(self) -> float:
        """Records per cell of the whole cross table."""
        return self.table.records / self.cells

    @property
    def correct_match(self) -> float:
        """Chance that a unique match is correct, from the cells of one and two alone (DIS)."""
        pi = self.table.fraction
        single, double = (float(self.count[self.f == size].sum()) / size for size in (1, 2))
        right, wrong = pi * single, 2.0 * (1.0 - pi) * double
        return right / (right + wrong) if right + wrong else 0.0

    @property
    def interactions(self) -> list[str]:
        """Interactions of the log-linear model, the largest ones."""
        terms: Sequence[Term] = () if self.fit is None else self.fit.terms
        if self.population is not None:
            terms = self.population.interactions
        return [self._name_term(term) for term in terms]

    @property
    def distances(self) -> Sequence[float]:
        """Largest relative distance from a margin, iteration by iteration."""
        if self.population is not None:
            return self.population.distances
        return () if self.fit is None else self.fit.distances

    @property
    def _tau(self) -> Tau | None:
        """The criteria of the log-linear model."""
        if self.population is not None:
            return self.population.diagnosis
        if self.fit is not None:
            return self.fit.cell if self.by_cell else self.fit.file
        return None

    def _name_term(self, term: Term) -> str:
        return "*".join(self.table.keys[key] for key in term)

    def among(self, cells: NDArray[np.bool_]) -> tuple[int, float]:
        """Count the sample uniques of some cells, and the correct matches expected among them."""
        some = cells & (self.f == 1)
        risk = self.opinion.risk
        return int(np.count_nonzero(some)), 0.0 if risk is None else float(risk[some].sum())

    def records(self) -> Any:
        """Return a frame with the risk of every record by every model, in input order."""
        columns: dict[str, Any] = {"f": self.f.astype(np.int64)}
        for each in (self.opinion, *self.opinions):
            if each.risk is not None:
                columns[f"risk_{each.model.replace('-', '_')}"] = each.risk
        return self._attach(columns, {})

    def plot(self) -> Figure:
        """Draw record risks by model and, for a log-linear one, search and convergence."""
        from microsafe.risk.file.plot import draw

        steps = () if self.population is None else self.population.steps
        opinions = (self.opinion, *self.opinions)
        return draw(self.table.keys, self.count, opinions, steps=steps, distances=self.distances)

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        interval = None
        if self.interval is not None:
            interval = {"tau1": list(self.interval[0]), "tau2": list(self.interval[1])}
        return {
            "model": self.model,
            "records": self.table.records,
            "population": self.table.population,
            "fraction": self.table.fraction,
            "sample_uniques": self.sample_uniques,
            "tau1": self.tau1,
            "tau2": self.tau2,
            "share_unique": self.share_unique,
            "level": self.level,
            "bands": list(self.bands),
            "cells": self.cells,
            "average_cell_size": self.average_cell_size,
            "correct_match": self.correct_match,
            "fit": self._fit_summary(),
            "interval": interval,
            "interval_coverage": COVERAGE if interval is not None else None,
            "opinions": {
                each.model: {"tau1": each.tau1, "tau2": each.tau2, "remark": each.remark}
                for each in (self.opinion, *self.opinions)
            },
            "scenario": self.scenario.summary(),
            "notices": [notice.text for notice in self.notices],
            **self._told_perturbed,
        }

    def _fit_summary(self) -> dict[str, Any]:
        if self.population is not None:
            return self._population_summary(self.population)
        found = self.fit
        if found is None:
            chains = self.opinion.latent
            if chains is None:
                return {"remark": self.opinion.remark}
            return {"converged": chains.converged, "rhat": chains.rhat, "ess": chains.ess}
        return {
            "converged": found.converged,
            "at_rest": found.at_rest,
            "rounds": len(found.distances),
            "distance": found.distances[-1],
            "interactions": self.interactions,
            "aic": found.aic,
            "dispersion": found.dispersion,
            "used": "cell" if self.by_cell else "file",
            "file": _tau_summary(found.file),
            "cell": _tau_summary(found.cell),
        }

    def _population_summary(self, found: PopulationModel) -> dict[str, Any]:
        return {
            "converged": found.converged,
            "rounds": len(found.distances),
            "distance": found.distances[-1],
            "interactions": self.interactions,
            "shrunken": [self._name_term(term) for term in found.shrunken],
            "passed_over": [self._name_term(term) for term in found.passed_over],
            "dispersion": found.scatter.dispersion,
            "clumps": found.scatter.clumps,
            "cluster": found.cluster,
            "used": "cell" if self.by_cell else "file",
            "without_scatter": _tau_summary(found.diagnosis),
            "search": [
                {
                    "added": self._name_term(step.term),
                    "shrunken": step.shrunken,
                    "bic": -2.0 * step.gain,
                }
                for step in found.steps
            ],
        }

    @property
    def title(self) -> str:
        """One line that says what was measured."""
        return f"Risk of {self.source} as a whole by {', '.join(self.scenario.keys)}"

    def _picture(self) -> str:
        known = [e for e in (self.opinion, *self.opinions) if e.tau1 is not None]
        bars = [(each.model, each.tau1 or 0.0, show_number(each.tau1 or 0.0)) for each in known]
        return draw_bars(f"Population uniques (tau1) of {self.sample_uniques:,} uniques", bars)

    def _rows(self) -> Iterator[tuple[str, str]]:
        uniques = self.sample_uniques
        yield "records", f"{self.table.records:,}"
        yield "population they stand for", f"{self.table.population:,.0f}"
        yield "cells of the cross table", f"{self.cells:,}"
        yield "average cell size", show_number(self.average_cell_size)
        yield "sample uniques", f"{uniques:,} ({show_percent(uniques / self.table.records)})"
        yield "model", self._model_words()
        yield "population uniques among them (tau1)", _number(self.tau1, self.interval, 0)
        yield "expected correct matches (tau2)", _number(self.tau2, self.interval, 1)
        if self.share_unique is not None:
            yield "share of population uniques", f"{_show_share(self.share_unique)}: {self.level}"
        if self.population is not None:
            a, b = (show_number(each) for each in self.population.scatter)
            yield "scatter around the model", f"dispersion {a}, clumps {b}"
            if self.population.cluster > 1.0:
                yield "members of a household in a cell", show_number(self.population.cluster)
        if self._tau is not None:
            yield "bias of tau1 (B1)" + self._scatter_words, _describe_bias(self._tau.B1)
            yield "bias of tau2 (B2)" + self._scatter_words, _describe_bias(self._tau.B2)
        yield "chance that a unique match is correct", show_rate(self.correct_match)
        for each in self.opinions:
            yield f"by {each.model}", _describe_opinion(each)

    @property
    def _scatter_words(self) -> str:
        return "" if self.population is None else ", without scatter"

    def _model_words(self) -> str:
        if self._tau is None:
            return self.model
        return f"log-linear, {', '.join(self.interactions) or 'main effects only'}"

    def _remarks(self) -> Sequence[str]:
        return [notice.text for notice in self.notices]


def file_risk(
    cells: Cells,
    scenario: Scenario,
    *,
    source: str,
    model: ModelName,
    interactions: Literal["auto"] | int | Sequence[Term],
    fraction: float | None,
    by_cell: bool,
    impossible: Sequence[ImpossibleCells],
    opinions: Sequence[ModelName],
    bands: Bands,
    seed: int,
    attach: AttachToRecords,
    fitted: PopulationModel | None = None,
    clusters: Membership | None = None,
    integrated: Sequence[str] = (),
    notices: Sequence[Notice] = (),
    progress: Progress = silent,
) -> FileRisk:
    """Estimate the risk of the file; see `Measures.file_risk` for the arguments.

    A model of the population is `fitted` where it is asked for, unless it is given. Gaps of keys
    that are integrated are no categories; to models of tables with given interactions, to latent
    classes and to those that look at sizes of cells they are.
    """
    table = CrossTable.of(cells, fraction=fraction)
    given: LoglinearFit | None = None
    population: PopulationModel | None = None
    fit_auto = partial(
        fit_model,
        cells,
        fraction=fraction,
        clusters=clusters,
        impossible=impossible,
        by_cell=by_cell,
        integrated=integrated,
        progress=progress,
    )

    def ask(name: ModelName) -> ModelEstimate:
        if name == "loglinear":
            return of_population(fitted or fit_auto())
        return opinion(
            name,
            cells,
            table,
            fraction=fraction,
            by_cell=by_cell,
            seed=seed,
            shown=shown,
            integrated=integrated,
            progress=progress,
        )

    interval, shown = None, None
    if model == "loglinear" and interactions == "auto":
        population = fitted or fit_auto()
        chosen = of_population(population)
        interval = population.interval
        shown = population if population.shares is not None else None
    elif model == "loglinear":
        terms = _terms(len(table.keys), interactions)
        given = fit(table, terms, impossible=impossible, progress=progress)
        chosen = of_fit(table, given, by_cell=by_cell)
        interval = fit_intervals(table, given, by_cell=by_cell)
    else:
        chosen = ask(model)
        if chosen.latent is not None:
            interval = chosen.latent.interval("tau1"), chosen.latent.interval("tau2")
    others = tuple(ask(name) for name in opinions if name != model)
    used = None if given is None else (given.cell if by_cell else given.file)
    return FileRisk(
        source=source,
        scenario=scenario,
        table=table if shown is None else shown.table,
        f=table.f if shown is None else shown.f,
        count=table.f if shown is None else cells.count.astype(np.float64),
        opinion=chosen,
        opinions=others,
        fit=given,
        population=population,
        by_cell=by_cell,
        bands=bands,
        interval=None if chosen.tau1 is None else interval,
        impossible=_forbidden(table, impossible),
        notices=(*file_notices(cells, table, chosen, others, used, population, shown), *notices),
        _attach=attach,
    )


def _terms(keys: int, interactions: Literal["auto"] | int | Sequence[Term]) -> Sequence[Term]:
    if isinstance(interactions, int):
        return all_terms(keys, interactions)
    return [term for term in interactions if isinstance(term, tuple)]


def _forbidden(table: CrossTable, impossible: Sequence[ImpossibleCells]) -> int:
    """Count the cells that are impossible; where rules overlap, each cell once."""
    keys = sorted({key for each in impossible for key in each.keys})
    if not keys:
        return 0
    sizes = [table.sizes[key] for key in keys]
    if prod(sizes) > 1 << 24:
        raise UsageError("The impossible combinations involve too many keys. Use fewer.")
    possible = np.ones(sizes)
    for each in impossible:
        possible = possible * each.mask(table.sizes, tuple(keys))
    return int(possible.size - possible.sum()) * (table.cells // prod(sizes))


def _tau_summary(found: Tau) -> dict[str, Any]:
    return {
        "tau1": found.tau1,
        "tau2": found.tau2,
        "B1": found.B1.value,
        "B2": found.B2.value,
        "B1_standardised": found.B1.standardised,
        "B2_standardised": found.B2.standardised,
        # SDCNway's names: type 1 is standardised by the scatter of the cells, type 2 by theory.
        "B_tau1_type1": found.B1.by_scatter,
        "B_tau1_type2": found.B1.standardised,
        "B_tau2_type1": found.B2.by_scatter,
        "B_tau2_type2": found.B2.standardised,
    }


def _number(value: float | None, interval: tuple[Interval, Interval] | None, place: int) -> str:
    if value is None:
        return "no estimate"
    if interval is None:
        return _people(value)
    low, high = interval[place]
    return f"{_people(value)} (from {_people(low, 3)} to {_people(high, 3)})"


def _people(value: float, digits: int = 4) -> str:
    """A number of people, with as many digits as matter."""
    if 0 < value < 0.001:
        return "below 0.001"
    return f"{float(f'{value:.{digits}g}'):,.10g}"


def _show_share(share: float) -> str:
    """A share of a model: what is next to nothing is not worth its digits."""
    return show_percent(share, 3) if share < 1e-5 else show_rate(share)


def _describe_bias(bias: Bias) -> str:
    z = bias.standardised
    return show_number(bias.value, 3) + (f" ({z:.2f} standard errors)" if z is not None else "")


def _describe_opinion(each: ModelEstimate) -> str:
    if each.tau1 is None:
        return f"no estimate. {each.remark}"
    matches = "" if each.tau2 is None else f", tau2 {_people(each.tau2)}"
    return f"tau1 {_people(each.tau1)}{matches}"
