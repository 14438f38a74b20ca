"""Parts of the risk of records and households: estimators, rules for missing keys, notices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells
from microsafe.engine import Engine
from microsafe.engine.contract import NO_RECORDS
from microsafe.errors import NoEstimateError, UsageError
from microsafe.notices import Notice, make_notice
from microsafe.options.scenario import Estimator, Scenario, rules_of
from microsafe.progress import Progress, silent
from microsafe.risk import (
    HouseholdRisk,
    gap_answer_notices,
    hazard,
    household_notices,
    household_risk,
    key_notices,
    measure,
    missing_notices,
    weight_notices,
)
from microsafe.risk.record.wildcard import matches
from microsafe.studies.core import StudyCore
from microsafe.studies.estimator_choice import SPARSE, count_alone, fits_model
from microsafe.studies.families import (
    find_size_notice,
    match_households,
)
from microsafe.studies.perturbed_keys import before_perturbation
from microsafe.studies.repeated_rows import repeated_rows
from microsafe.studies.state import StudyState
from microsafe.studies.telling_weights import find_telling_weights
from microsafe.sums import Floats

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import CellRisk, KeptKeys, Limit, MeasuredFamilies, Reference
    from microsafe.steps.perturbation import MeasuredData

_MOST_GAPS = 200_000  # cells for which all rules for missing keys are tried


def measure_once(study: StudyState, cells: Cells, scenario: Scenario, **options: Any) -> CellRisk:
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


def count_population_uniques(
    study: StudyState, scenario: Scenario, reference: Reference, *, progress: Progress
) -> tuple[int, float, float]:
    """Count who is alone with what is shown, and estimate tau1 and tau2 by a model.

    Args:
        study: Whose file it is; of perturbed keys the true values count.
        scenario: Whose keys are meant.
        reference: Has the model.
        progress: Progress callback.
    """
    counted = replace(scenario, attack="all")
    cells = before_perturbation(study, scenario).engine.cells(counted, progress=progress)
    people = reference.look_up(cells, gap_categories=scenario.gap_categories)
    if people is None:
        return 0, 0.0, 0.0
    return people.tau(partial(matches, cells, progress=progress))


def telling_weight_notices(study: StudyState, scenario: Scenario) -> Sequence[Notice]:
    """Say if the weight gives away what steps took away; not of a file that was read back."""
    start = study._before()
    if scenario.weight is None or len(start.steps) == len(study.steps):
        return ()
    return find_telling_weights(
        study, start.engine.traits([scenario.weight]), weight=scenario.weight
    )


def attach_figures(
    study: StudyState,
    attach: Callable[..., Any],
    scenario: Scenario,
    *figures: Any,
    identifiers: Sequence[str] = (),
    **options: Any,
) -> Any:
    """Give records their figures; what was perturbed cannot tell which record is which."""
    known = study._perturbation
    changed = () if known is None else (*known.transitions, *known.weights)
    for name in (name for name in identifiers if name in changed):
        raise UsageError(f"{name!r} was perturbed and does not tell records apart. Name another.")
    return attach(scenario, *figures, identifiers=identifiers, **options)


def measure_gaps(
    study: StudyCore,
    scenario: Scenario,
    measured: CellRisk,
    kept: KeptKeys | None,
    progress: Progress,
) -> dict[str, CellRisk]:
    """Measure under every rule for missing keys, where keys are missing and cells are not many.

    They are rules of the estimator `cell`: a model needs none of them.
    """
    cells = measured.cells
    if scenario.estimator == "model" or cells.alike is not None or len(cells) > _MOST_GAPS:
        return {}
    if cells.complete:
        return {}
    found: dict[str, CellRisk] = {}
    for rule in rules_of("cell"):
        made = measured
        if rule != scenario.missing:
            other = replace(scenario, missing=rule, alpha=1.0)
            reference = study._reference(other, progress=progress)
            made = measure(cells, other, reference=reference, kept=kept, progress=progress)
        found[rule] = made
    return found


def measure_by_other_estimator(
    study: StudyCore,
    scenario: Scenario,
    measured: CellRisk,
    kept: KeptKeys | None,
    progress: Progress,
) -> tuple[CellRisk | None, tuple[Notice, ...]]:
    """Measure by the other estimator, where the two may differ; a notice if it is too dear."""
    if scenario.weight is None:
        return None, ()
    share = _share_alone(study, scenario, measured, progress)
    if share < SPARSE:
        return None, ()
    estimator: Estimator = "cell" if scenario.estimator == "model" else "model"
    cells = measured.cells
    if estimator == "model" and not fits_model(cells):
        return None, (make_notice("model-skipped", share=share),)
    beside = scenario.with_estimator(estimator)
    try:
        reference = study._reference(beside, progress=progress)
        made = measure_once(study, cells, beside, reference=reference, kept=kept)
        return made, reference_notices(reference)
    except NoEstimateError:
        return None, (make_notice("model-none", share=share),)


def reference_notices(reference: Reference | None) -> tuple[Notice, ...]:
    """Say what to know of the model by which risk is estimated."""
    model = None if reference is None else reference.model
    if model is None:
        return ()
    from microsafe.risk import model_notices

    return tuple(model_notices(model))


def repeated_row_notices(
    study: StudyState, scenario: Scenario, reference: Reference | None, other: CellRisk | None
) -> Sequence[Notice]:
    """Say where rows repeat persons, which no model can know by itself."""
    modelled = other is not None or (reference is not None and reference.model is not None)
    if not modelled or study._panel is not None:
        return ()
    fitted = [model for *_, model in study._models.values() if model.keys == scenario.keys]
    uniques = fitted[-1].compare_uniques() if fitted else (0, 0.0)
    return repeated_rows(study._source.engine, scenario, uniques)


def _share_alone(
    study: StudyCore, scenario: Scenario, measured: CellRisk, progress: Progress
) -> float:
    """Return the share of records that are, or were before suppression, alone in their cell."""
    whole = study._source._without_suppression(progress=progress)
    _, before = count_alone(whole, scenario, progress)
    return max(measured.count(measured.f == 1), before) / measured.cells.records


def measure_households(
    study: StudyCore,
    subject: MeasuredData,
    scenario: Scenario,
    measured: CellRisk,
    progress: Progress,
) -> tuple[HouseholdRisk | None, tuple[Notice, ...]]:
    """Measure households, if the scenario has any; return what to know of them, too."""
    if scenario.household is None or study._panel is not None:
        return None, ()
    progress("measuring households", 0.0)
    engine = subject.engine
    found = engine.households(subject.scenario, hazard(measured.risk))
    household = HouseholdRisk(
        risk=household_risk(found.total), size=found.size, unassigned=found.unassigned
    )
    notices = household_notices(
        scenario,
        unassigned=found.unassigned,
        size_key=found.size_key,
        largest=int(found.size.max()),
    )
    if scenario.estimator != "model":
        return household, tuple(notices)
    if NO_RECORDS in engine.gaps:
        return household, (*notices, make_notice("family-records"))
    made = measure_family_risk(study, subject, scenario, len(found.size), progress)
    if subject.kept is not None:
        lost = hazard(1.0 - subject.kept.chance(scenario.keys))
        made = made.multiply(np.exp(-engine.households(subject.scenario, lost).total))
    by_model = replace(
        household,
        risk=made.risk,
        published=household.risk,
        unique=made.unique,
        notices=made.notices,
    )
    return by_model, (*notices, *made.notices)


def measure_family_risk(
    study: StudyCore,
    subject: MeasuredData,
    scenario: Scenario,
    count: int,
    progress: Progress = silent,
    *,
    drawn: NDArray[np.bool_] | None = None,
) -> MeasuredFamilies:
    """Measure each household by the joint keys of its members, as if no key were perturbed.

    Households of a file that was read back are those that were written: they are told apart by
    what they show.

    Args:
        study: What is measured.
        subject: What the risk of its records is measured on.
        scenario: Its household may have been dropped since the file was read.
        count: Households that there are.
        progress: Progress callback.
        drawn: Which of them to measure; all if None.
    """
    assert scenario.household is not None  # noqa: S101
    source, engine = study._source, subject.engine
    back = engine is study.engine and study is not source
    shown = source.engine if back else engine
    families, view, model = study._find_families(scenario, shown, drawn=drawn, progress=progress)
    written = count if not back else int(families.numbers.max()) + 1
    from microsafe.risk import measure_families

    made = measure_families(families, view, model, scenario, count=written)
    told = (*find_size_notice(shown, families), *made.notices)
    if drawn is not None:
        looked_at = int(np.count_nonzero(drawn))
        told = (make_notice("family-drawn", count=looked_at, households=len(drawn)), *told)
    made = replace(made, notices=told, drawn=drawn)
    if not back:
        return made
    pairs = shown.membership(scenario), engine.membership(scenario)
    rows = match_households(pairs[0], made.risk, pairs[1], count)
    return replace(made, risk=made.risk[rows], unique=made.unique[rows])


def sum_by_household(engine: Engine, scenario: Scenario, values: Floats) -> Floats:
    """Return the sum of a figure of cells over the members of each household."""
    return engine.households(scenario, values).total


def record_notices(
    engine: Engine,
    scenario: Scenario,
    measured: CellRisk,
    limit: Limit | None,
    *,
    of_persons: bool,
) -> Sequence[Notice]:
    """Say what to know of weights, missing keys and keys.

    Where persons have several records, who is absent in a wave lacks all its keys: no answer.
    """
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
        *(() if of_persons else gap_answer_notices(measured, scenario)),
        *key_notices(measured),
    ]
