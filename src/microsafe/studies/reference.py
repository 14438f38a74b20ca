"""The file without blanks, and the model fitted to it: the reference for risk by a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from microsafe.cells import Cells
from microsafe.errors import NoEstimateError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.risk import Reference
from microsafe.sentences import Sentence
from microsafe.studies.state import StudyState

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import PopulationModel
    from microsafe.steps.base import AppliedStep

LEAVE_OUT_KEYS = "Recode or leave out keys,"
PER_CELL_OF_A_MODEL = 750  # bytes
MOST_CELLS = 5_000_000  # for which a model is fitted unasked


def model_reference(
    source: StudyState, whole: StudyState, scenario: Scenario, *, progress: Progress = silent
) -> Reference:
    """Return the file without blanks, and a model of its population.

    The model is fitted to the file as it was before protection. What steps have made of the
    categories of keys since then adds up its cells, so that no step needs another fit; blanks
    are no part of it.

    Args:
        source: The study whose records are looked up.
        whole: The same without suppression.
        scenario: Whose keys are meant.
        progress: Progress callback.
    """
    from microsafe.risk import MergedModel

    states = _states_since_change(whole, scenario.keys)
    model = population_model(states[0], _name_household(states[0], scenario), progress=progress)
    cells = states[0].engine.cells(model_scenario(scenario), progress=progress)
    leaning = any(taken.leaning for taken in source.steps)
    made = Reference(cells=cells, model=MergedModel.of(model), blanks_protect=leaning)
    for state in states[1:]:
        taken, before = state.steps[-1], state.undo()
        for key in _changed_keys(taken, scenario.keys):
            old = made.cells.categories[made.cells.keys.index(key)]
            new = taken.step.new_categories(before.schema[key], old)
            made = made.recode(key, new or old)
    return made


def _name_household(study: StudyState, scenario: Scenario) -> Scenario:
    """Return a scenario with the household that was drawn, if its number has been dropped since."""
    known = next((each.household for each in study.scenarios if each.name == scenario.name), None)
    return scenario if scenario.household else replace(scenario, household=known)


def population_model(
    study: StudyState, scenario: Scenario, *, progress: Progress = silent
) -> PopulationModel:
    """Return the model of the population for the keys of a scenario.

    Raises:
        NoEstimateError: The model gives no estimate.
    """
    model = fit_once(study, scenario, progress=progress)
    if not model.converged:
        raise NoEstimateError(Sentence("no-estimate-for-keys"))
    return model


def fit_once(
    study: StudyState, scenario: Scenario, *, progress: Progress = silent
) -> PopulationModel:
    """Return the model for the keys of a scenario, fitted once for a file, converged or not."""
    from microsafe.risk import fit_model

    asked = model_scenario(scenario)
    integrated = tuple(key for key in scenario.keys if key not in scenario.gap_categories)
    name = (
        id(study.engine), asked.keys, asked.weight, asked.clip_weights, integrated,
        asked.household,
    )  # fmt: skip
    if name not in study._models:
        cells = study.engine.cells(asked, progress=progress)
        what = f"for a model of {len(cells):,} combinations of keys"
        study.engine.afford(len(cells) * PER_CELL_OF_A_MODEL, what, LEAVE_OUT_KEYS)
        fitted = None if asked.household else _find_fitted(study, cells, integrated)
        if fitted is None:
            members = None if asked.household is None else study.engine.membership(asked)
            fitted = fit_model(cells, clusters=members, integrated=integrated, progress=progress)
        # The engine is kept with it, so that its number is not given to another.
        study._models[name] = (study.engine, cells, fitted)
    return study._models[name][-1]


def _find_fitted(
    study: StudyState, cells: Cells, integrated: tuple[str, ...]
) -> PopulationModel | None:
    """A model of the same cells, as steps leave them that touch no key."""
    for name, (_, known, model) in study._models.items():
        same = name[-2] == integrated or cells.complete
        if name[-1] is None and same and known.equals(cells):
            return model
    return None


def model_scenario(scenario: Scenario) -> Scenario:
    """Return the scenario whose cells a model is fitted to: those of whatever is shown."""
    return replace(scenario, missing="category", alpha=1.0, attack="all", factor=1.0)


def _states_since_change(study: StudyState, keys: Sequence[str]) -> list[StudyState]:
    """The states of a study, from the first on that later ones follow from key by key."""
    states = [study]
    while len(states[0].steps) > len(study._before().steps):
        before = states[0].undo()
        if not all(_follows(states[0], key) for key in _changed_keys(states[0].steps[-1], keys)):
            break
        states.insert(0, before)
    return states


def _follows(study: StudyState, key: str) -> bool:
    """Tell whether the last step gave every category of a key another one, and no gap any."""
    step, before = study.steps[-1].step, study.undo()
    old, new = before.schema[key], study.schema[key]
    return old.missing == new.missing and (
        step.new_categories(old, before.engine.categories(key)) is not None
    )


def _changed_keys(taken: AppliedStep, keys: Sequence[str]) -> list[str]:
    changed = taken.step.changed_variables(taken)
    return [key for key in keys if key in changed]
