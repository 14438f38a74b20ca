"""Figures on perturbed keys, and which measures they invalidate."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from microsafe.cells import Cells
from microsafe.errors import InputError
from microsafe.notices import Notice, make_notice
from microsafe.options.scenario import Scenario
from microsafe.risk.record.perturbed import PerturbedFigures, informed_gain
from microsafe.risk.record.retention import restrict_keys
from microsafe.steps.perturbation import released_name
from microsafe.studies.state import StudyState
from microsafe.sums import total

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import CellRisk
    from microsafe.steps.perturbation import MeasuredData, PerturbationState

AnyStudy = TypeVar("AnyStudy", bound=StudyState)

_OF_STEPS = (
    "perturbed-targeted", "perturbed-members", "pram-single",
    "swap-targeted", "swap-stuck", "swap-lacking", "swap-weights",
)  # fmt: skip


def perturbed_words(study: StudyState, scenario: Scenario) -> str:
    """Say what was done to keys of a scenario: "PRAM of region"; nothing if none was perturbed."""
    known = study._perturbation
    return "" if known is None else known.words(scenario.keys)


def perturbed_notices(study: StudyState, scenario: Scenario) -> tuple[Notice, ...]:
    """Say that figures are those before keys or the weight were changed."""
    known, words, written = study._perturbation, perturbed_words(study, scenario), study._written_by
    weights = {} if known is None else known.weights
    weighed = tuple(told for name, told in weights.items() if name == scenario.weight)
    # What the steps had to say is not known to a file that was read back.
    told = (
        () if written is None else (notice for notice in written.notices if notice.id in _OF_STEPS)
    )
    return (*weighed, *told, make_notice("perturbed-keys", words=words)) if words else weighed


def before_perturbation(study: AnyStudy, scenario: Scenario) -> AnyStudy:
    """Return what counts are made of: keys and weight of a scenario as they truly are."""
    known = study._perturbation
    return study._truth if known is not None and known.concerns(scenario) else study


def measure_perturbed(
    study: StudyState, scenario: Scenario, subject: MeasuredData, measured: CellRisk
) -> PerturbedFigures | None:
    """Return what perturbation of keys did; None if none was perturbed."""
    known, kept, before = study._perturbation, subject.kept, measured.unperturbed
    if known is None or kept is None or before is None:
        return None
    chance = kept.chance(scenario.keys)
    realised, new, records = None, None, None
    if scenario.attack != "weight":  # then cells are split by weight too
        with suppress(InputError):  # too many combinations to come here
            realised, new, records = _compare_released(known, scenario, subject, before)
    return PerturbedFigures(
        words=known.words(scenario.keys),
        expected_before=before.expected,
        kept_expected=total(chance * before.risk * before.cells.members),
        kept_realised=realised,
        informed_gain=_find_gain(known, scenario, subject),
        new_combinations=new,
        new_records=records,
    )


def _compare_released(
    known: PerturbationState, scenario: Scenario, subject: MeasuredData, before: CellRisk
) -> tuple[float, int, int]:
    """Sum of risks of those who kept their keys; combinations that are new, and their records."""
    keys, perturbed = scenario.keys, known.find_perturbed(scenario.keys)
    both = (*subject.scenario.keys, *map(released_name, perturbed))
    cells = known.full.cells(scenario.with_keys(both))
    group = cells.project(subject.scenario.keys)[1]
    stayed = np.ones(len(cells), np.bool_)
    for key in perturbed:
        one, other = (_texts(cells, name) for name in (key, released_name(key)))
        stayed &= (one == other) | (one == "")
    realised = total((before.risk[group] * cells.count)[stayed])
    shown = [released_name(key) if key in perturbed else key for key in keys]
    released = replace(restrict_keys(cells, shown), keys=keys).project(keys)[0]
    complete = np.logical_and.reduce([code > 0 for code in released.codes])
    new = complete & ~released.found_in(subject.cells)
    return realised, int(np.count_nonzero(new)), int(released.count[new].sum())


def _texts(cells: Cells, key: str) -> np.ndarray:
    place = cells.keys.index(key)
    return np.array(["", *cells.categories[place]])[cells.codes[place]]


def _find_gain(known: PerturbationState, scenario: Scenario, subject: MeasuredData) -> float | None:
    kept = subject.kept
    assert kept is not None  # noqa: S101
    if any(known.transitions[key].swapped_by is not None for key in kept.chances):
        return None  # nobody outside knows chances of exchanges, and those of areas go together
    cells = subject.cells
    others = [key for key in scenario.keys if key not in kept.chances]
    context = cells.project(others)[1]
    merged, group = cells.project(scenario.keys)
    exact = total(kept.chance(scenario.keys) * cells.count / merged.count[group])
    rows = [known.chances_of(key, subject.counted, scenario.keys) for key in kept.chances]
    return informed_gain(context, rows, exact)
