"""Defaults of verbs from the roles of variables (docs/metadata.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import EllipsisType
from typing import Any

from microsafe.errors import UsageError
from microsafe.options.parameter import variable_names
from microsafe.options.scenario import Scenario
from microsafe.steps.suppress.demands import combine_levels
from microsafe.studies.state import StudyState


def fill_suppression(
    study: StudyState,
    *,
    costs: Any,
    linked: Mapping[str, Any] | None,
    levels: Mapping[str, int] | None,
    by_k: bool,
    scenarios: Collection[str] = (),
) -> dict[str, Any]:
    """Return costs, linked variables and levels of keys: as given, or as declared where None.

    Args:
        study: With what is declared of its variables.
        costs: Of a blank, by key.
        linked: Variables that are blanked with a key, by key.
        levels: Identification levels of keys.
        by_k: Whether records are counted (`k`) over all keys, which levels would restrict.
        scenarios: Names of the scenarios to meet; all if empty.
    """
    roles = study.roles
    asked = [each for each in study.scenarios if not scenarios or each.name in scenarios]
    keys = {key for each in asked for key in each.keys}
    fixed = {name for each in study.scenarios for name in (each.weight, each.household)}
    if costs is None:
        costs = {key: cost for key, cost in roles.costs.items() if key in keys} or None
    if linked is None:
        linked = {
            key: tuple(name for name in names if name in study.schema and name not in fixed)
            for key, names in roles.linked.items()
            if key in keys
        }
    if levels is None:
        levels = usable_levels(roles.levels, asked) if by_k else {}
    return {"costs": costs, "linked": linked, "levels": levels}


def usable_levels(levels: Mapping[str, int], asked: Iterable[Scenario]) -> Mapping[str, int]:
    """Levels of the keys, if all keys of every scenario have one: others would be left out."""
    chosen: dict[str, int] = {}
    for each in asked:
        if not set(each.keys) <= set(levels) or (chosen and set(chosen) != set(each.keys)):
            return {}
        chosen = {key: levels[key] for key in each.keys}
        try:
            combine_levels(each.keys, chosen)
        except UsageError:
            return {}
    return chosen


def fill_strata(
    study: StudyState, strata: str | Iterable[str] | None, changed: Collection[str]
) -> tuple[str, ...]:
    """Return strata: as given, or those that are declared and stay as they are."""
    if strata is not None:
        return variable_names(strata)
    return tuple(n for n in study.roles.strata if n in study.schema and n not in changed)


def fill_together(
    study: StudyState, together: str | EllipsisType | None, changed: Collection[str]
) -> str | None:
    """Return the household whose members change together: that of variables declared to share."""
    if not isinstance(together, EllipsisType):
        return together
    roles = study.roles
    shared = set(changed) <= set(roles.shared)
    return find_household(study) if changed and shared else None


def find_household(study: StudyState) -> str | None:
    """Return the household variable that is declared, or that of a scenario."""
    named = (study.roles.household, *(each.household for each in study.scenarios))
    return next((name for name in named if name and name in study.schema), None)
