"""The scenario that a file proposes: keys, weight and household, and which estimator decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from microsafe.errors import InputError
from microsafe.progress import Progress, silent
from microsafe.studies.study import Study
from microsafe.variables.description import Description
from microsafe.variables.profile import order_keys


def propose_scenario(
    opened: Study,
    found: Description,
    *,
    keys: Sequence[str] = (),
    weight: str | None = None,
    household: str | None = None,
    progress: Progress = silent,
    **persons: Any,
) -> Study:
    """Return the study under the scenario that the file proposes.

    Args:
        opened: The file as read.
        found: Its variables, with what each is probably for.
        keys: That were named; those of the file if none were.
        weight: Likewise.
        household: Likewise.
        progress: Progress callback.
        **persons: Person, wave and person_weights, where a person has several records.
    """
    proposed = order_keys(found) or tuple(each for each in found if each.role == "key")
    named = {each.role: each.name for each in reversed(found)}
    keys = keys or [each.name for each in proposed]
    if not keys:
        raise InputError(
            f"{opened.schema.source} proposes no keys. Name what somebody may know of a person."
        )
    return open_scenario(
        opened,
        keys,
        weight or named.get("weight"),
        household or named.get("household"),
        progress,
        **persons,
    )


def open_scenario(
    opened: Study,
    keys: Sequence[str],
    weight: str | None,
    household: str | None,
    progress: Progress = silent,
    **persons: Any,
) -> Study:
    """Return the study under one scenario; the file chooses the estimator."""
    return replace(opened, scenarios=()).with_scenario(
        "main", keys=keys, weight=weight, household=household, progress=progress, **persons
    )
