"""The result of a measurement, for people and for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells
from microsafe.display import show_number, show_percent, show_rate, show_risk
from microsafe.errors import UsageError
from microsafe.notices import Notice
from microsafe.options.approximation import Approximation, ApproximationOptions
from microsafe.options.profiles import read_limit
from microsafe.options.scenario import Estimator, Scenario
from microsafe.progress import Progress, silent
from microsafe.results import MakeFrame, Result
from microsafe.risk.record.advice import model_ratio
from microsafe.risk.record.contributions import Contribution, KeyContributions
from microsafe.risk.record.household import (
    HouseholdLimit,
    HouseholdRisk,
    hazard,
    household_risk,
)
from microsafe.risk.record.individual import find_order
from microsafe.risk.record.limit import Curve, Limit, choose_limit, draw_risks, limit_rows
from microsafe.risk.record.measure import CellRisk, expected_without
from microsafe.risk.record.missing_key_rules import GapFigures, gap_rows, gap_summary
from microsafe.risk.record.perturbed import PerturbedFigures
from microsafe.risk.record.population import Population, PopulationCheck, population_rows
from microsafe.risk.record.precision import (
    StandardErrors,
    SumByHousehold,
    errors_in_proportion,
    show_error,
    standard_errors,
)
from microsafe.risk.record.reference import Reference
from microsafe.risk.record.retention import KeptKeys
from microsafe.sums import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_USUAL_K = (2, 3, 5)  # of k-anonymity
Columns = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherFigures:
    """What the estimator that was not chosen says.

    Attributes:
        max: Largest risk of a record.
        expected: Expected number of re-identifications.
        rate: These as a share of the records.
        above_limit: Records above the limit (households, if it is on household risk); None
            without a limit.
        ratio: Expected re-identifications by the model, as a multiple of those by cell.
    """

    max: float
    expected: float
    rate: float
    above_limit: int | None
    ratio: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Risk(Result):
    """Risk of every record, every household and the file, under one scenario.

    Attributes:
        source: What was measured.
        scenario: Under which assumptions.
        measured: Risk of every cell.
        curve: The exceedance curve of the records' risks.
        household: Risk of every household, if the scenario names a household variable.
        limit: What the limit in force means, if there is one.
        household_limit: What the limit on household risk means, if there is one.
        notices: What to know before trusting the figures.
        formula: What was used instead of the exact base risk, if anything.
        exact: Risk of every cell by the exact base risk, where a formula was used instead.
        other: Risk of every cell by the other estimator, where both were used.
        population: Known counts beside the estimates, if there are any.
        kept: Chances that perturbed keys are as they were; None if none was perturbed.
        perturbed: What perturbation of keys did to the risk, likewise.
        labels: Of the variables, by name.
        proposed_estimator: The estimator that the file needs: `model` where many records were
            sample uniques before the first step.
        unit: Whose risk it is: of records, or of persons who have several.
        views: Risk of every cell among people who would be shown in the same way; None unless
            blanks were chosen for that (guarantee "view").
    """

    source: str
    scenario: Scenario
    measured: CellRisk
    curve: Curve
    household: HouseholdRisk | None
    limit: Limit | None
    household_limit: HouseholdLimit | None
    notices: tuple[Notice, ...]
    formula: ApproximationOptions | None
    exact: CellRisk | None
    other: CellRisk | None
    proposed_estimator: Estimator
    _reference: Reference | None
    population: PopulationCheck | None
    kept: KeptKeys | None
    perturbed: PerturbedFigures | None
    _known: Population | None
    _by_household: SumByHousehold | None
    _attach: Callable[..., object]
    _batches: Callable[..., Iterator[object]]
    _frame: MakeFrame
    labels: Mapping[str, str] = field(default_factory=dict)
    views: Floats | None = None
    unit: Literal["records", "persons"] = "records"
    _without: Callable[[Progress], Sequence[tuple[str, float]]] | None = None
    _gaps: Mapping[str, CellRisk] = field(default_factory=dict)  # by rule for missing keys
    _most_cells: int | None = None  # of one wave, where each is measured by itself
    _errors: list[StandardErrors | None] = field(default_factory=list, init=False)

    @property
    def n(self) -> int:
        """Records in the file, or persons if it is their risk."""
        return self.curve.records

    @property
    def n_cells(self) -> int:
        """Combinations of keys that occur; where waves are measured one by one, most of them."""
        if self._most_cells is not None:
            return self._most_cells
        if self.scenario.attack == "weight" or self.kept is not None:
            return len(self.measured.cells.project(self.scenario.keys)[0])
        alike = self.measured.cells.alike
        return len(self.measured.cells) if alike is None else int(alike.sum())

    @property
    def sample_uniques(self) -> int:
        """Records that no other record matches."""
        return self.measured.count(self.measured.f == 1)

    @property
    def gaps(self) -> Mapping[str, GapFigures]:
        """Figures under each rule for missing keys, where keys are missing."""
        return {rule: GapFigures.of(made, self.limit) for rule, made in self._gaps.items()}

    @property
    def violations(self) -> dict[int, int]:
        """Records that fewer than k records match, themselves included, for usual k."""
        return {k: self.measured.count(self.measured.f < k) for k in _USUAL_K}

    @property
    def max(self) -> float:
        """Largest risk of a record."""
        return float(self.curve.risk[-1])

    @property
    def expected(self) -> float:
        """Expected number of re-identifications."""
        return self.curve.expected

    @property
    def rate(self) -> float:
        """Expected re-identifications as a share of the records."""
        return self.expected / self.n

    @property
    def standard_errors(self) -> StandardErrors | None:
        """How much the sums over the file would differ in another sample; None for a census.

        None too if F is known: then little is left to chance. By a model they are as large,
        relative to the figures, as that of tau2.
        """
        if not self._errors:  # households are gone through once, while the file is there
            self._errors.append(self._find_errors())
        return self._errors[0]

    def _find_errors(self) -> StandardErrors | None:
        if self._known is not None:
            return None
        if self._reference is not None and self._reference.model is not None:
            return errors_in_proportion(
                self.measured, self._reference.model.spread, household=self.household
            )
        return standard_errors(
            self.measured,
            approximation=self.formula,
            household=self.household,
            by_household=self._by_household,
        )

    def choose(
        self,
        *,
        risk: float | str | None = None,
        rate: float | str | None = None,
        expected: float | None = None,
        unsafe: int | None = None,
        household_risk: float | str | None = None,
        household_rate: float | str | None = None,
        expected_households: float | None = None,
    ) -> Limit:
        """Return the limit that a target leads to.

        Args:
            risk: For records, as the three that follow: see `choose_limit`. Risks and rates may be
                written as "1%" or "1 in 100".
            rate: See `choose_limit`.
            expected: See `choose_limit`.
            unsafe: See `choose_limit`.
            household_risk: For households: the limit itself. The answer is a `HouseholdLimit`.
            household_rate: Largest tolerable household re-identification rate after protection.
            expected_households: Largest tolerable expected number of households with a member
                re-identified, after protection.
        """
        risk, rate = read_limit(risk), read_limit(rate)
        household_risk, household_rate = read_limit(household_risk), read_limit(household_rate)
        homes = (household_risk, household_rate, expected_households)
        if all(home is None for home in homes):
            return choose_limit(self.curve, risk=risk, rate=rate, expected=expected, unsafe=unsafe)
        if any(each is not None for each in (risk, rate, expected, unsafe)):
            raise UsageError("Give one target: a limit is for records or for households.")
        return self._homes.choose(
            risk=household_risk, rate=household_rate, expected_households=expected_households
        )

    @property
    def _homes(self) -> HouseholdRisk:
        if self.household is None:
            raise UsageError(
                "Household risk needs a scenario that names the household variable. Name it."
            )
        return self.household

    def records(self, *, id: str | Iterable[str] = ()) -> Any:  # noqa: A002  # as in --id
        """Return a frame with f, F, risk and household risk of every record, in input order.

        Args:
            id: Variables that tell which record it is; they are the first columns.
        """
        return self._attach(*self._figures, identifiers=_names(id))

    def record_batches(
        self,
        *,
        id: str | Iterable[str] = (),  # noqa: A002
        progress: Progress = silent,
    ) -> Iterator[Any]:
        """Go through the same in Polars frames of some records, where all may not fit.

        From Spark they come as one frame, which stays there.
        """
        return self._batches(*self._figures, identifiers=_names(id), progress=progress)

    @property
    def _figures(self) -> tuple[Columns, Columns]:
        """What each record gets from its cell and from its household."""
        by_cell = {"f": self._f, "F": self.measured.F, "risk": self.measured.risk}
        if self.other is not None:
            by_cell[f"risk_{self.other_estimator}"] = self.other.risk
        if self.views is not None:
            by_cell["risk_view"] = self.views
        return by_cell, {} if self.household is None else {"household_risk": self.household.risk}

    @property
    def _f(self) -> NDArray[Any]:
        """Sample frequencies, as integers unless `alpha` makes some of them fractions."""
        f = self.measured.f
        return f.astype(np.int64) if bool(np.all(f == np.floor(f))) else f

    def cells(self) -> Any:
        """Return a frame with the keys, count, f, F and risk of every cell."""
        return self._cells(np.arange(len(self.measured.cells)))

    def top(self, number: int = 10) -> Any:
        """Return a frame with the riskiest cells, riskiest first."""
        if number < 1:
            raise UsageError("The number of cells to show must be at least 1.")
        order = np.argsort(-self.measured.risk, kind="stable")
        return self._cells(order[:number])

    def _cells(self, rows: NDArray[np.intp]) -> Any:
        cells = self._single_cells()
        figures = {
            "records": cells.count[rows],
            "f": self._f[rows],
            "F": self.measured.F[rows],
            "risk": self.measured.risk[rows],
        }
        columns: dict[str, Any] = {}
        for key, codes, categories in zip(cells.keys, cells.codes, cells.categories, strict=True):
            # A key may well be called "risk"; the figures keep their names.
            name = f"key_{key}" if key in figures else key
            columns[name] = [categories[c - 1] if c else None for c in codes[rows].tolist()]
        return self._frame(columns | figures)

    def _single_cells(self) -> Cells:
        if self.measured.cells.alike is not None:
            raise UsageError(
                f"{self.source} has too many cells to bring to this machine; only their counts and "
                "weights were brought. Raise most_cells to see single cells."
            )
        return self.measured.cells

    def contributions(self, *, progress: Progress = silent) -> KeyContributions:
        """Return what each key adds to the expected re-identifications, the worst first."""
        pairs = (
            self._without(progress)
            if self._without is not None
            else expected_without(
                self._single_cells(),
                self.scenario,
                approximation=self.formula,
                reference=self._reference,
                population=self._known,
                kept=self.kept,
                progress=progress,
            )
        )
        added = [
            Contribution(key=key, without=without, fall=self.expected - without)
            for key, without in pairs
        ]
        return KeyContributions(added, labels=self.labels)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        limit: float | None = None,
        cumulative: bool = False,
        households: bool = False,
    ) -> Axes:
        """Draw the risks on a log axis with the limit and what lies above it.

        Args:
            ax: Where to draw; a new figure if None.
            limit: Where to put the line; the limit in force if None.
            cumulative: Draw how many records lie above each risk instead of a histogram.
            households: Draw households and their risk instead of records.
        """
        from microsafe.risk.record.plot import draw

        if households:
            curve, force = self._homes.curve, self.household_limit
            place = limit if limit is not None or force is None else force.limit
            at = None if place is None else choose_limit(curve, risk=place)
            return draw(curve, at, ax=ax, cumulative=cumulative, of="households")
        shown = self.limit if limit is None else self.choose(risk=limit)
        return draw(self.curve, shown, ax=ax, cumulative=cumulative)

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        household, errors = self.household, self.standard_errors
        return {
            "records": self.n,
            **({} if self.unit == "records" else {"unit": self.unit}),
            "cells": self.n_cells,
            "sample_uniques": self.sample_uniques,
            "violate_k": {str(k): records for k, records in self.violations.items()},
            "risk": {"max": self.max, "expected": self.expected, "rate": self.rate},
            "household": None if household is None else household.summary(),
            **(
                {}
                if household is None or household.published is None
                else {"household_published": household.by_formula.summary()}
            ),
            "limit": None if self.limit is None else self.limit.summary(),
            "estimator": self.scenario.estimator,
            **other_summary(self, self.limit),
            **gap_summary(self.gaps),
            **({} if self.perturbed is None else {"perturbed": self.perturbed.summary()}),
            "household_limit": None
            if self.household_limit is None
            else self.household_limit.summary(),
            "standard_errors": None if errors is None else asdict(errors),
            "population": None
            if self.population is None
            else asdict(self.population) | {"ratio": self.population.ratio},
            "scenario": self.scenario.summary() | {"approximation": self.approximation},
            **({} if self.exact is None else {"exact": self._summarise_exact(self.exact)}),
            "notices": [notice.text for notice in self.notices],
        }

    @property
    def approximation(self) -> Approximation | None:
        """The published formula that was used instead of the exact base risk, or None."""
        return None if self.formula is None else self.formula.approximation

    @property
    def largest_error(self) -> float | None:
        """Most by which the risk of a record by the formula is off; None if it is exact."""
        if self.exact is None:
            return None
        return float(np.abs(self.measured.risk - self.exact.risk).max(initial=0.0))

    @property
    def orders(self) -> tuple[int, int] | None:
        """Lowest and highest power of the series among cells; 0 where the exact value is taken."""
        if self.formula is None or self.formula.approximation != "series":
            return None
        found = find_order(self.measured.f, self.formula.wished)
        return int(found.min()), int(found.max())

    def _summarise_exact(self, exact: CellRisk) -> dict[str, Any]:
        """What the exact base risk gives, and how far the formula is off."""
        return {
            "max": float(exact.risk.max()),
            "expected": exact.expected,
            "rate": exact.expected / self.n,
            "largest_error": self.largest_error,
            "accuracy": None if self.orders is None or not self.formula else self.formula.wished,
            "orders": None if self.orders is None else list(self.orders),
        }

    def _tell_exact(self, exact: CellRisk) -> list[tuple[str, str]]:
        """Rows for the exact base risk beside the formula."""
        rows = [
            ("expected by the exact risk", show_number(exact.expected)),
            ("largest error of a record's risk", show_number(self.largest_error or 0.0)),
        ]
        if self.orders is not None and self.formula is not None:
            low, high = self.orders
            rows.append(
                (f"powers of the series for {self.formula.wished:g}", f"{low} to {high} by cell")
            )
        return rows

    @property
    def other_estimator(self) -> Estimator:
        """The estimator that was not chosen."""
        return "cell" if self.scenario.estimator == "model" else "model"

    @property
    def ratio(self) -> float | None:
        """Expected re-identifications by the model, as a multiple of those by cell."""
        if self.other is None:
            return None
        return model_ratio(self.scenario, self.measured, self.other)

    def by_other(self, limit: Limit | None = None) -> OtherFigures | None:
        """Return what the estimator that was not chosen says; None if it was not asked.

        Args:
            limit: What to count records above; nothing if None.
        """
        other, ratio = self.other, self.ratio
        if other is None or ratio is None:
            return None
        return OtherFigures(
            max=float(other.risk.max()),
            expected=other.expected,
            rate=other.expected / self.n,
            above_limit=None if limit is None else self._above_by(other, limit),
            ratio=ratio,
        )

    def _above_by(self, other: CellRisk, limit: Limit) -> int:
        if isinstance(limit, HouseholdLimit) and self._by_household is not None:
            homes = household_risk(self._by_household(hazard(other.risk)))
            return int(np.count_nonzero(homes > limit.limit))
        return other.count(other.risk > limit.limit)

    def _rows(self) -> list[tuple[str, str]]:
        errors = self.standard_errors
        rows = [
            (self.unit, f"{self.n:,}"),
            ("cells", f"{self.n_cells:,}"),
            (
                "sample uniques",
                f"{self.sample_uniques:,} ({show_percent(self.sample_uniques / self.n)})"
                + ("" if self.perturbed is None else self.perturbed.remark),
            ),
            (
                f"violate {', '.join(f'{k}-' for k in _USUAL_K)}anonymity",
                ", ".join(f"{records:,}" for records in self.violations.values()),
            ),
            ("largest risk", show_risk(self.max)),
            (
                "expected re-identifications",
                show_number(self.expected) + show_error(errors, "expected"),
            ),
            ("re-identification rate", show_rate(self.rate)),
        ]
        if self.exact is not None:
            rows += self._tell_exact(self.exact)
        if self.household is not None:
            rows += [
                ("households", f"{len(self.household.risk):,}"),
                ("largest household risk", show_risk(self.household.max)),
                (
                    "expected households re-identified",
                    show_number(self.household.expected_households)
                    + show_error(errors, "expected_households"),
                ),
                ("expected records in them", show_number(self.household.expected)),
                ("household re-identification rate", show_rate(self.household.rate)),
            ]
            if self.household.published is not None:
                formula = self.household.by_formula.expected_households
                rows.append(("households by the published formula", show_number(formula)))
        if self.population is not None:
            rows += population_rows(self.population)
        if self.limit is not None:
            rows += limit_rows(self.limit, self.unit)
            if self.household is not None and self.household_limit is None:
                rows.append(("households above it", f"{self.household.unsafe(self.limit.limit):,}"))
        if self.household_limit is not None:
            rows += limit_rows(self.household_limit)
        told = [] if self.perturbed is None else self.perturbed.rows()
        return [*rows, *told, *other_rows(self, self.limit), *gap_rows(self.gaps)]

    @property
    def title(self) -> str:
        """One line that says what was measured."""
        scenario = self.scenario
        words = [f"Risk of {self.source} by {', '.join(scenario.keys)}"]
        usual = Scenario(keys=scenario.keys)
        for name in ("weight", "missing", "alpha", "attack", "factor", "estimator"):
            value = getattr(scenario, name)
            if value != getattr(usual, name) and name not in scenario.unsaid:
                words.append(f"{name} {value}")
        if scenario.error:
            chances = ", ".join(f"{key} {chance:g}" for key, chance in scenario.error.items())
            words.append(f"chance of error {chances}")
        if self.approximation is not None:
            words.append(f"approximation {self.approximation}")
        if self.population is not None and self.population.use == "F":
            words.append(f"F from {self.population.source}")
        return ", ".join(words)

    def _picture(self) -> str:
        return draw_risks(self.curve, self.limit)

    def _remarks(self) -> Sequence[str]:
        return [notice.text for notice in self.notices]


def _names(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(dict.fromkeys(given))


def other_summary(risk: Risk, limit: Limit | None) -> dict[str, Any]:
    """Return what the other estimator says, under its name, for scripts."""
    told = risk.by_other(limit)
    return {risk.other_estimator: None if told is None else asdict(told)}


def other_rows(risk: Risk, limit: Limit | None) -> list[tuple[str, str]]:
    """Return the figures by the other estimator as names and texts, for comparison."""
    told, name = risk.by_other(limit), risk.other_estimator
    if told is None:
        return []
    rows = [
        (f"largest risk by {name}", show_risk(told.max)),
        (f"expected re-identifications by {name}", show_number(told.expected)),
        (f"re-identification rate by {name}", show_rate(told.rate)),
    ]
    if told.above_limit is not None:
        counted = "households" if isinstance(limit, HouseholdLimit) else risk.unit
        rows.append((f"{counted} above the limit by {name}", f"{told.above_limit:,}"))
    return rows
