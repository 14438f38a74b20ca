"""Risk for one who knows how blanks were chosen: who would be shown in the same way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, same_categories
from microsafe.engine import Engine
from microsafe.engine.contract import NO_RECORDS
from microsafe.intruders import ViewRisk
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.sentences import Sentence
from microsafe.steps.suppress.demands import (
    cost_of_members,
    criterion_of,
    find_limit,
    key_bits,
)
from microsafe.steps.suppress.own_guarantee import cost_of_keys
from microsafe.steps.suppress.step import Suppress, find_common_keys, find_size_keys
from microsafe.steps.suppress.view.table import Crowding, list_combinations
from microsafe.steps.suppress.view.treatment import treat_as_own
from microsafe.studies.core import StudyCore
from microsafe.studies.families import read_codes
from microsafe.studies.state import StudyState
from microsafe.sums import Floats

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import CellRisk, Reference
    from microsafe.steps.suppress.view.treatment import Treatment


def measure_views(
    study: StudyState,
    whole: StudyState,
    scenario: Scenario,
    measured: CellRisk,
    reference: Reference | None,
    *,
    progress: Progress = silent,
) -> ViewRisk | str:
    """Return the risk of cells by those who would be shown in the same way, or why nobody knows.

    Args:
        study: Whose file is attacked.
        whole: The same without suppression.
        scenario: Whose keys are meant.
        measured: Risk of what is shown.
        reference: What risk by a model is looked up in.
        progress: Progress callback.
    """
    cells = measured.cells
    if scenario.weight is not None and (reference is None or reference.model is None):
        return Sentence("undrawn-unknown")
    counted = replace(scenario, attack="all")
    original = reference.cells if reference else whole.engine.cells(counted, progress=progress)
    treatment = find_treatment(study, scenario, original, reference, progress=progress)
    if isinstance(treatment, str):
        return treatment
    released = _code_as(cells, original)
    blanked = treatment.find_blanked(released)
    exact = treatment.shows(released)
    if exact:
        chance = treatment.chance_of(released)
    elif NO_RECORDS in study.engine.gaps:
        return Sentence("records-elsewhere")
    else:
        before, after = (_read_cells(each.engine, original) for each in (whole, study))
        lost = sum(
            ((mine > 0) & (theirs == 0)).astype(np.int64) << j
            for j, (mine, theirs) in enumerate(zip(before, after, strict=True))
        )
        row = treatment.table.find(before)
        size = key_bits(original.keys, find_size_keys(whole.engine, [scenario]))
        chance = treatment.chance_by_shares(released, row, lost, size=size)
    # What stands between the base risk and the risk, such as a factor, stands here too.
    one = np.ones(len(chance))
    part = np.divide(measured.risk, measured.base, out=one, where=measured.base > 0)
    risk = np.where(blanked, chance * part, measured.risk)
    return ViewRisk(risk=risk, blanked=blanked, about=not exact)


def measure_chosen_views(
    study: StudyCore,
    scenario: Scenario,
    measured: CellRisk,
    reference: Reference | None,
    *,
    progress: Progress = silent,
) -> Floats | None:
    """Return the risk by views, for a scenario whose blanks were chosen for that."""
    if measured.cells.alike is not None or study._perturbation is not None:
        return None
    if not study._is_blanked(scenario.name):
        return measured.risk
    whole = study._source._without_suppression(progress=progress)
    found = measure_views(study, whole, scenario, measured, reference, progress=progress)
    return None if isinstance(found, str) else found.risk


def find_treatment(
    study: StudyState,
    scenario: Scenario,
    original: Cells,
    reference: Reference | None,
    *,
    progress: Progress = silent,
) -> Treatment | str:
    """Return how blanks were chosen, for everybody; or why that cannot be said.

    Args:
        study: What was suppressed.
        scenario: Whose keys are meant.
        original: Cells of the file without blanks.
        reference: What risk by a model is looked up in.
        progress: Progress callback.
    """
    steps = study._source.steps
    blanking = Suppress.find_taken(steps)
    for _, taken in blanking:
        known: Treatment | None = taken._treatments.get(scenario.name)
        if known is not None and all(
            map(same_categories, known.table.categories, original.categories)
        ):
            return known
        if any(taken.blanks.get(key) for key in scenario.keys):
            break  # those that follow took these blanks for gaps of the survey
    step, first = blanking[0]
    suppressions = [taken for _, taken in blanking]
    changed = {
        name
        for taken in steps[steps.index(first) :]
        if taken not in suppressions
        for name in taken.step.changed_variables(taken)
    }
    late = study._panel is not None and study._panel.recoded_late
    if late or changed & set(scenario.keys):
        return Sentence("recoded-after-blanks")
    if reason := _find_reason(study, step, scenario):
        return reason
    model = reference.model if reference is not None else None
    criterion = criterion_of(
        scenario,
        find_limit(step.above, scenario.name, study._source.scenarios),
        find_limit(step.k, scenario.name, study._source.scenarios),
        records=study.engine.rows(),
    )
    part, _ = original.project(original.keys)
    table = list_combinations(part, model, progress=progress)
    crowding = Crowding(criteria=(criterion,), model=model, mean_weight=table.mean_weight)
    start = study._source.rollback(steps.index(first))
    free = [key for key in part.keys if key not in step.spare]
    return treat_as_own(
        table,
        crowding,
        costs=_find_costs(start, step, part),
        allowed=key_bits(part.keys, free),
    )


def _find_costs(start: StudyState, step: Suppress, part: Cells) -> list[float]:
    """Return what a suppression reckons that blanks cost, of the keys of one scenario.

    Args:
        start: The study before it.
        step: The suppression.
        part: Cells of the keys.
    """
    given = step.cost
    if isinstance(given, Mapping):
        given = {key: cost for key, cost in given.items() if key in part.keys}
    costs = cost_of_keys(part, given, ())
    met = [
        scenario
        for scenario in start.scenarios
        if scenario.name in (step.scenarios or (scenario.name,))
    ]
    if not step.together:
        return costs
    common = find_common_keys(start.engine, met, part.keys)
    return cost_of_members(start.engine, met, common, costs, part.keys) if common else costs


def _find_reason(study: StudyState, step: Suppress, scenario: Scenario) -> str:
    """Say why it cannot be told what a suppression would do to others; empty if it can."""
    waves = () if study._panel is None else study._panel.find_waves(scenario.name)
    asked = {
        "blanks-by-value": step.by_value,
        "blanks-jointly": step.joint,
        "blanks-by-households": step.household is not None,
        "blanks-of-few-keys": step.up_to is not None or bool(step.levels),
        "blanks-by-people": step.people,
        "blanks-shared": step.guarantee == "shared",
        "blanks-by-wave": len(waves) > 1 and not set(waves) <= set(step.scenarios),
        "blanks-for-others": bool(step.scenarios) and scenario.name not in step.scenarios,
    }
    why = next((key for key, given in asked.items() if given), "")
    return Sentence("blanks-untold", how=Sentence(why)) if why else ""


def _code_as(cells: Cells, original: Cells) -> Cells:
    """The cells by the keys of the original file, in its coding."""
    places = [cells.keys.index(key) for key in original.keys]
    return replace(
        cells,
        keys=original.keys,
        categories=tuple(cells.categories[place] for place in places),
        codes=tuple(cells.codes[place] for place in places),
    ).coded_as(original)


def _read_cells(engine: Engine, original: Cells) -> list[NDArray[np.unsignedinteger]]:
    """Return the keys of each record, in the coding of the original file."""
    found = []
    for key, texts in zip(original.keys, original.categories, strict=True):
        code_of = {text: code for code, text in enumerate(texts, 1)}
        table = np.array([0, *(code_of.get(text, 0) for text in engine.categories(key))], np.uint32)
        found.append(table[read_codes(engine, key)])
    return found
