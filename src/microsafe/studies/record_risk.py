"""The risk of records and households, and the limit on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, get_args
from weakref import ref

from microsafe.cells import Cells
from microsafe.display import show_percent
from microsafe.engine import Engine
from microsafe.errors import NoEstimateError, UsageError
from microsafe.inventory.weights import find_telling_weights
from microsafe.measuring.file import repeated_rows
from microsafe.measuring.frames import frame_maker
from microsafe.measuring.perturbed import measure_perturbed, perturbed_notices
from microsafe.measuring.population import (
    compare_population,
    open_population,
    population_notices,
)
from microsafe.measuring.reference import source_of
from microsafe.notices import Notice, make_notice
from microsafe.progress import Progress, silent
from microsafe.results import find_labels
from microsafe.risk import (
    Approximation,
    GapFigures,
    HouseholdRisk,
    KeptKeys,
    Limit,
    Measured,
    Population,
    PopulationCheck,
    PopulationUse,
    Reference,
    Risk,
    choose_limit,
    estimator_notices,
    gap_notices,
    hazard,
    household_notices,
    household_risk,
    key_notices,
    measure,
    missing_notices,
    weight_notices,
)
from microsafe.risk.record.advice import SPARSE
from microsafe.scenario import Estimator, Missing, Scenario
from microsafe.steps.perturbation import find_subject
from microsafe.sums import Floats

if TYPE_CHECKING:
    from microsafe.study import Study

# What was measured last, by scenario and estimator, of which state, as long as it is held.
Measurements = dict[tuple[str, str], tuple[Scenario, ref[Engine], ref[Measured]]]
_MOST_GAPS = 200_000  # cells for which all rules for missing keys are tried
_MOST_CELLS = 5_000_000  # for which a model is fitted unasked


def risk(
    self: Study,
    scenario: str | None = None,
    *,
    limit: float | None = None,
    household_limit: float | None = None,
    approximation: Approximation | None = None,
    both: bool = True,
    population: object = None,
    population_count: str | None = None,
    population_use: PopulationUse = "check",
    progress: Progress = silent,
) -> Risk:
    """Measure the risk of every record, every household and the file.

    Args:
        scenario: Name of the scenario; the first if None.
        limit: Risk above which a record is unsafe, to be carried into summary and plot.
        household_limit: Household risk above which a household is unsafe, likewise.
        approximation: A published formula instead of the exact base risk.
        both: Whether to measure by the other estimator too where many records are alone in
            their cell, so that the two can be compared.
        population: Known counts for the keys: a file, a frame or a study, with one row per
            person or per combination of keys.
        population_count: Its variable with the number of people; a row is a person if None.
        population_use: `"check"` puts the counts beside the estimates; `"F"` takes them, so
            that the base risk is 1/F.
        progress: Progress callback.
    """
    chosen = self.scenario(scenario)
    if approximation is not None and chosen.estimator == "model":
        raise UsageError(
            "An approximation cannot be combined with the estimator 'model'. Leave out one of them."
        )
    subject = find_subject(self, chosen, progress=progress)
    engine, cells = subject.engine, subject.cells
    if population is None and (population_count is not None or population_use != "check"):
        raise UsageError("Name the known population that the counts come from (population).")
    reference = self.reference(chosen, progress=progress)
    measured = _measure_once(
        self,
        cells,
        chosen,
        approximation=approximation,
        reference=reference,
        kept=subject.kept,
        progress=progress,
    )
    beside: PopulationCheck | None = None
    known: Population | None = None
    if population is not None:
        known = open_population(
            population, chosen, population_count, beside=self.engine, progress=progress
        )
        beside, counted = compare_population(
            known, measured, chosen, use=population_use, kept=subject.kept
        )
        measured, known = (counted, known) if population_use == "F" else (measured, None)
    curve = measured.curve
    at = None if limit is None else choose_limit(curve, risk=limit)
    household, household_notes = _measure_households(engine, subject.scenario, measured, progress)
    other: Measured | None = None
    skipped: tuple[Notice, ...] = ()
    if both and known is None:  # counts that are known need no estimator
        other, skipped = _measure_otherwise(self, chosen, measured, subject.kept, progress)
    if household is None and household_limit is not None:
        raise UsageError("A limit on household risk needs the household variable. Name it.")
    return Risk(
        source=self.schema.source,
        scenario=chosen,
        measured=measured,
        curve=curve,
        household=household,
        limit=at,
        household_limit=None
        if household is None or household_limit is None
        else household.choose(risk=household_limit),
        approximation=approximation,
        other=other,
        gaps=_measure_gaps(self, chosen, measured, subject.kept, at, progress)
        if both and known is None and approximation is None
        else {},
        population=beside,
        labels=find_labels(self.schema, chosen.variables),
        _known=known,
        notices=(
            *self.notices,
            *perturbed_notices(self, chosen),
            *_find_telling(self, chosen),
            *_find_notices(engine, chosen, measured, at),
            *household_notes,
            *estimator_notices(chosen, measured, other),
            *_find_repeated(self, chosen, reference, other),
            *skipped,
            *gap_notices(measured, chosen, known=reference is not None),
            *population_notices(beside),
        ),
        _reference=reference,
        _by_household=None
        if household is None
        else partial(_sum_by_household, engine, subject.scenario),
        kept=subject.kept,
        perturbed=measure_perturbed(self, chosen, subject, measured),
        _attach=partial(_attach_figures, self, engine.records, subject.scenario),
        _batches=partial(_attach_figures, self, engine.record_batches, subject.scenario),
        _frame=frame_maker(self.engine),
    )


def _measure_once(study: Study, cells: Cells, scenario: Scenario, **options: Any) -> Measured:
    """Measure cells, unless the study that wrote the file has the same, and they were measured."""
    writer, label = study._written_by, (scenario.name, scenario.estimator)
    plain = options.get("kept") is None and options.get("approximation") is None
    if writer is not None and plain and label in writer._measured:
        asked, engine, found = writer._measured[label]
        known = found() if engine() is writer.engine and asked == scenario else None
        if known is not None and known.cells.equals(cells):
            return replace(known, cells=cells)
    made = measure(cells, scenario, **options)
    if plain:
        study._measured[label] = scenario, ref(study.engine), ref(made)
    return made


def _find_telling(study: Study, scenario: Scenario) -> Sequence[Notice]:
    """Say if the weight gives away what steps took away; not of a file that was read back."""
    start = study.before()
    if scenario.weight is None or len(start.steps) == len(study.steps):
        return ()
    return find_telling_weights(
        study, start.engine.traits([scenario.weight]), weight=scenario.weight
    )


def _attach_figures(
    study: Study,
    attach: Callable[..., Any],
    scenario: Scenario,
    *figures: Any,
    identifiers: Sequence[str] = (),
    **options: Any,
) -> Any:
    """Give records their figures; what was perturbed cannot tell which record is which."""
    known = study.perturbation
    changed = () if known is None else (*known.transitions, *known.weights)
    for name in (name for name in identifiers if name in changed):
        raise UsageError(f"{name!r} was perturbed and does not tell records apart. Name another.")
    return attach(scenario, *figures, identifiers=identifiers, **options)


def _measure_gaps(
    study: Study,
    scenario: Scenario,
    measured: Measured,
    kept: KeptKeys | None,
    limit: Limit | None,
    progress: Progress,
) -> dict[str, GapFigures]:
    """Measure under every rule for missing keys, where keys are missing and cells are not many."""
    cells = measured.cells
    if cells.alike is not None or len(cells) > _MOST_GAPS:
        return {}
    if not any(bool((codes == 0).any()) for codes in cells.codes):
        return {}
    found = {}
    for rule in get_args(Missing):
        made = measured
        if rule != scenario.missing:
            other = replace(scenario, missing=rule, alpha=1.0)
            reference = study.reference(other, progress=progress)
            made = measure(cells, other, reference=reference, kept=kept, progress=progress)
        found[rule] = GapFigures.of(made, limit)
    return found


def limit(
    self: Study,
    scenario: str | None = None,
    *,
    risk: float | None = None,
    rate: float | None = None,
    expected: float | None = None,
    unsafe: int | None = None,
    household_risk: float | None = None,
    household_rate: float | None = None,
    expected_households: float | None = None,
    progress: Progress = silent,
) -> Limit:
    """Return the risk limit that meets a target (see `Risk.choose`)."""
    return self.risk(scenario, progress=progress).choose(
        risk=risk,
        rate=rate,
        expected=expected,
        unsafe=unsafe,
        household_risk=household_risk,
        household_rate=household_rate,
        expected_households=expected_households,
    )


def _measure_otherwise(
    self: Study,
    scenario: Scenario,
    measured: Measured,
    kept: KeptKeys | None,
    progress: Progress,
) -> tuple[Measured | None, tuple[Notice, ...]]:
    """Measure by the other estimator, where the two may differ; a notice if it is too dear."""
    if scenario.weight is None:
        return None, ()
    share = _share_alone(self, scenario, measured, progress)
    if share < SPARSE:
        return None, ()
    estimator: Estimator = "cell" if scenario.estimator == "model" else "model"
    cells = measured.cells
    if estimator == "model" and (cells.alike is not None or len(cells) > _MOST_CELLS):
        return None, (make_notice("model-skipped", share=show_percent(share)),)
    beside = replace(scenario, estimator=estimator)
    try:
        reference = self.reference(beside, progress=progress)
        found = measured.found
        return _measure_once(self, cells, beside, reference=reference, kept=kept, found=found), ()
    except NoEstimateError:
        return None, (make_notice("model-none", share=show_percent(share)),)


def _find_repeated(
    self: Study, scenario: Scenario, reference: Reference | None, other: Measured | None
) -> Sequence[Notice]:
    """Say where rows repeat persons, which no model can know by itself."""
    modelled = other is not None or (reference is not None and reference.model is not None)
    return repeated_rows(source_of(self).engine, scenario) if modelled else ()


def _share_alone(self: Study, scenario: Scenario, measured: Measured, progress: Progress) -> float:
    """Return the share of records that are, or were before suppression, alone in their cell."""
    alone, records = measured.count(measured.f == 1), measured.cells.records
    whole = source_of(self).without_suppression(progress=progress)
    if whole is not self.truth:
        cells = whole.engine.risk_cells(scenario, progress=progress)
        alone = max(alone, int(cells.members[cells.count == 1].sum()))
    return alone / records


def _measure_households(
    engine: Engine, scenario: Scenario, measured: Measured, progress: Progress
) -> tuple[HouseholdRisk | None, tuple[Notice, ...]]:
    if scenario.household is None:
        return None, ()
    progress("measuring households", 0.0)
    found = engine.households(scenario, hazard(measured.risk))
    household = HouseholdRisk(
        risk=household_risk(found.total), size=found.size, unassigned=found.unassigned
    )
    notices = household_notices(
        scenario,
        unassigned=found.unassigned,
        size_key=found.size_key,
        largest=int(found.size.max()),
    )
    return household, tuple(notices)


def _sum_by_household(engine: Engine, scenario: Scenario, values: Floats) -> Floats:
    return engine.households(scenario, values).total


def _find_notices(
    engine: Engine, scenario: Scenario, measured: Measured, limit: Limit | None
) -> Sequence[Notice]:
    facts = engine.weight_facts(scenario)
    return [
        *weight_notices(
            measured,
            scenario,
            median=facts.median if facts else 1.0,
            all_one=facts.all_one if facts else True,
            clipped=facts.clipped if facts else 0,
        ),
        *missing_notices(measured, scenario, limit),
        *key_notices(measured),
    ]
