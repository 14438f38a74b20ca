"""Ladders as a plan lists them in `[propose.ladders]`: by key, from the finest rung up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from microsafe.errors import UsageError
from microsafe.plan.lines import Place
from microsafe.plan.tables import build_step
from microsafe.propose.given import LadderSource, RungSource
from microsafe.steps import STEPS
from microsafe.steps.change import Change


def build_ladder_sources(table: object, where: str | Place) -> dict[str, LadderSource]:
    """Return what a plan gives for ladders, by key.

    A rung is the width of bins, the name of a file, or a table with the words of a step, which is
    a recode of that key unless it says otherwise.

    Args:
        table: As it was read.
        where: What messages call it.

    Raises:
        UsageError: A rung is something else, or not understood.
    """
    if not isinstance(table, Mapping):
        raise UsageError(f"{where} must be a table.")
    found: dict[str, LadderSource] = {}
    for key, given in table.items():
        place = where.at(key) if isinstance(where, Place) else where
        rungs = given if isinstance(given, list) else [given]
        found[key] = tuple(
            _build_rung(key, each, f"{place}: rung {number} of {key!r}")
            for number, each in enumerate(rungs, 1)
        )
    return found


def _build_rung(key: str, given: object, where: str) -> RungSource:
    if isinstance(given, Mapping):
        kind = STEPS.get(str(given.get("do", "recode")))
        if kind is None or issubclass(kind, Change):
            step = build_step({"do": "recode", "variable": key, **given}, where)
            return cast("Change", step)
    elif isinstance(given, str | int | float) and not isinstance(given, bool):
        return given
    raise UsageError(
        f"{where} must be the width of bins, the name of a file, or a table that recodes the key."
    )
