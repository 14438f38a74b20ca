"""Which steps changed values of a variable: one that leaves all as they are decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microsafe.steps.change import Change
from microsafe.studies.state import StudyState

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.steps.base import AppliedStep


def list_changes(study: StudyState, name: str) -> list[AppliedStep]:
    """Return the steps that changed values of a variable.

    A link without a blank changed none. Nor did recodes, roundings and coded tails after which the
    same values are there, such as the first ten characters of dates.

    Args:
        study: As it is now.
        name: Of a variable of the file.
    """
    taken = [step for step in study.steps if name in _list_names(step)]
    if name not in study.schema or not taken:
        return taken
    if not all(map(_keeps_places, taken)) or _is_hidden(study, name):
        return taken
    return taken if _has_other_values(study, name) else []


def _list_names(each: AppliedStep) -> set[str]:
    """Variables that a step was about and changed."""
    unlinked = {name for name, count in each.linked.items() if not count}
    return ({*each.step.targets} & {*each.step.changed_variables(each)}) - unlinked


def _keeps_places(each: AppliedStep) -> bool:
    """Tell whether records of one value have one value still; new numbers are others."""
    return isinstance(each.step, Change) and each.step.keeps_places


def _is_hidden(study: StudyState, name: str) -> bool:
    """Tell whether the file shows other values than risk is measured on."""
    known = study._perturbation
    return known is not None and (name in known.transitions or name in known.weights)


def _has_other_values(study: StudyState, name: str) -> bool:
    start = study._before().engine
    (before,), (after,) = start.traits([name]), study.engine.traits([name])
    if (before.missing, before.distinct) != (after.missing, after.distinct):
        return True
    return list(start.categories(name)) != list(study.engine.categories(name))
