"""What roles of keys say of suppression if nobody does (docs/reference/metadata.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from microsafe.errors import UsageError
from microsafe.options.scenario import Scenario
from microsafe.steps.base import DeclaredStudy
from microsafe.steps.suppress.demands import combine_levels


def find_declared(given: Mapping[str, Any], study: DeclaredStudy) -> dict[str, Any]:
    """Return costs, linked variables and levels of keys as they are declared.

    Args:
        given: Options of suppression; levels are for records that are counted (`k`) over all keys.
        study: With what is declared of its variables.
    """
    roles = study.roles
    names = given.get("scenarios") or ()
    asked = [scenario for scenario in study.scenarios if not names or scenario.name in names]
    keys = {key for each in asked for key in each.keys}
    fixed = {name for scenario in study.scenarios for name in (scenario.weight, scenario.household)}
    by_k = given.get("k") is not None and given.get("up_to") is None
    return {
        "cost": {key: cost for key, cost in roles.costs.items() if key in keys} or None,
        "linked": {
            key: tuple(name for name in names if name in study.schema and name not in fixed)
            for key, names in roles.linked.items()
            if key in keys
        },
        "levels": usable_levels(roles.levels, asked) if by_k else {},
    }


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
