"""Cells of records with their weights, and the same split by weight."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from microsafe.cells import Cells
from microsafe.engine import Engine
from microsafe.errors import InputError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent

if TYPE_CHECKING:
    from microsafe.steps.base import Before


def weigh_as(before: Before, keys: tuple[str, ...], household: str | None) -> Scenario:
    """Return a scenario that weighs records as those of the study do."""
    for each in before.scenarios:
        if each.weight is not None:
            return Scenario(
                keys=keys, weight=each.weight, low_weights=each.low_weights, household=household
            )
    return Scenario(keys=keys, household=household)


def split_by_weight(weighed: Scenario) -> Scenario:
    """Return the same scenario with cells of one weight each."""
    return Scenario(
        keys=weighed.keys, weight=weighed.weight, low_weights=weighed.low_weights,
        household=weighed.household, attack="weight",
    )  # fmt: skip


def count_weighed(engine: Engine, weighed: Scenario, *, progress: Progress = silent) -> Cells:
    """Return the cells of a scenario: from those split by weight, unless these are too many.

    Who needs both counts once.
    """
    if weighed.weight is not None:
        with suppress(InputError):
            return engine.cells(split_by_weight(weighed), progress=progress).project(weighed.keys)[
                0
            ]
    return engine.cells(weighed, progress=progress)
