"""What a plan says of variables: its tables `[variables.NAME]`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from microsafe.errors import UsageError
from microsafe.metadata import Declaration, Declarations, find_defaults
from microsafe.plan.lines import Place
from microsafe.plan.tables import build_value

FindPlace = Callable[[str, str], Place]


def build_variables(table: Mapping[str, Any], place: FindPlace) -> dict[str, Declaration]:
    """Return what is said of each variable.

    Raises:
        UsageError: A word or value is not understood; names the line.
    """
    said = table.get("variables", {})
    if not isinstance(said, Mapping):
        raise UsageError(f"{place('[variables]', 'variables')} must be a table.")
    return {
        name: build_value(
            Declaration,
            _as_texts(each),
            place(f"[variables.{name}]", f"variables.{name}"),
        )
        for name, each in said.items()
    }


def fill_scenario(table: object, said: Declarations) -> object:
    """Return the table of the main scenario; roles say what it is if it names no keys."""
    if not isinstance(table, Mapping) or "keys" in table:
        return table
    roles = find_defaults(said)
    if not roles.keys:
        return table
    filled: dict[str, Any] = {"keys": list(roles.keys)}
    filled |= {"weight": roles.weight} if roles.weight else {}
    filled |= {"household": roles.household} if roles.household else {}
    return {**filled, **table}


def _as_texts(table: object) -> object:
    """One missing code may stand without brackets."""
    if isinstance(table, Mapping) and isinstance(table.get("missing"), str | int | float):
        return {**table, "missing": [table["missing"]]}
    return table
