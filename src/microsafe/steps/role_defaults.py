"""What roles of variables say where a verb is not told otherwise (docs/reference/metadata.md)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from microsafe.options.parameter import variable_names
from microsafe.steps.base import DeclaredStudy


def find_strata(given: Mapping[str, Any], study: DeclaredStudy) -> dict[str, Any]:
    """Return the strata that are declared, and the household of values that members share.

    Args:
        given: Options of a verb that changes `variable` or `variables`.
        study: Whose roles are known.
    """
    changed = variable_names(given.get("variable") or given.get("variables") or ())
    kept = (name for name in study.roles.strata if name in study.schema and name not in changed)
    return {"strata": tuple(kept), "together": _find_together(study, changed)}


def _find_together(study: DeclaredStudy, changed: Collection[str]) -> str | None:
    """Return the household whose members change together: that of variables declared to share."""
    shared = set(changed) <= set(study.roles.shared)
    return find_household(study) if changed and shared else None


def find_household(study: DeclaredStudy) -> str | None:
    """Return the household variable that is declared, or that of a scenario."""
    named = (study.roles.household, *(scenario.household for scenario in study.scenarios))
    return next((name for name in named if name and name in study.schema), None)
