"""Read [variables], [utility] and [propose.ladders] of a plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from microsafe.errors import InputError, UnknownVariableError, UsageError
from microsafe.options.declaration import Declaration, Declarations, find_defaults
from microsafe.options.scenario import Scenario
from microsafe.options.uses import ModelUse, TableUse, Uses, check_weight
from microsafe.plan.lines import PlanPosition
from microsafe.plan.values import build_step, build_value
from microsafe.propose.ladders.user import LadderSource, RungSource
from microsafe.schema import Schema
from microsafe.steps import STEPS
from microsafe.steps.change import Change

FindPlace = Callable[[str, str], PlanPosition]  # by what messages call a table, and by its heading


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
            _as_texts(value),
            place(f"[variables.{name}]", f"variables.{name}"),
        )
        for name, value in said.items()
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


_T = TypeVar("_T", TableUse, ModelUse)


def build_uses(table: object, place: FindPlace) -> Uses:
    """Make the uses of a plan from what was read, naming what is wrong with them.

    Args:
        table: As it was read.
        place: Where a table of the plan stands.
    """
    where = place("[utility]", "utility")
    if not isinstance(table, Mapping):
        raise UsageError(f"{where} must be a table.")
    shared = {
        "tables": _build_shared(TableUse, table, "tables", place),
        "models": _build_shared(ModelUse, table, "models", place),
    }
    weights = table.get("variables")
    for name, weight in weights.items() if isinstance(weights, Mapping) else ():
        at = _place_of_variable(name, place)
        try:
            check_weight(weight, repr(name))
        except UsageError as error:
            raise UsageError(f"{at}: {error}") from None
    return build_value(Uses, {**table, **shared}, where)


def _build_shared(
    kind: type[_T], table: Mapping[str, object], word: str, place: FindPlace
) -> list[_T]:
    given = table.get(word, [])
    if not isinstance(given, list):
        at = place("[utility]", "utility").at(word)
        raise UsageError(f"{at}: {word!r} must be a list of tables, as [[utility.{word}]].")
    return [
        build_value(kind, each, _place_of_shared(word, number, place))
        for number, each in enumerate(given, 1)
    ]


def _place_of_shared(word: str, number: int, place: FindPlace) -> PlanPosition:
    """Where a table or model stands: under a heading of its own, or in a list of `[utility]`."""
    name = f"utility.{word}"
    own = place(f"[[{name}]] {number}", f"{name} {number}")
    inside = place("", "utility").lines
    return own if own.lines or word not in inside else PlanPosition(own.words, {"": inside[word]})


def _place_of_variable(name: str, place: FindPlace) -> str:
    own = place("[utility.variables]", "utility.variables")
    return own.at(name) if own.lines else place("[utility]", "utility").at("variables")


def check_weights(uses: Uses, scenarios: Sequence[Scenario], place: FindPlace) -> None:
    """Refuse uses of which none is of a key, so that nothing can be searched by them.

    Args:
        uses: Of a plan.
        scenarios: Of the plan.
        place: Where a table of the plan stands.
    """
    try:
        uses.weigh_keys(
            tuple(dict.fromkeys(key for scenario in scenarios for key in scenario.keys))
        )
    except UsageError as error:
        raise UsageError(f"{place('[utility]', 'utility')}: {error}") from None


def check_uses(uses: Uses, schema: Schema, place: FindPlace) -> None:
    """Refuse uses of variables that the file does not have, naming the line.

    Args:
        uses: Of a plan.
        schema: Of the file.
        place: Where a table of the plan stands.
    """
    shared: dict[str, Sequence[TableUse | ModelUse]] = {
        "tables": uses.tables,
        "models": uses.models,
    }
    at = {name: _place_of_variable(name, place) for name in uses.variables}
    for word, found in shared.items():
        for number, use in enumerate(found, 1):
            own = _place_of_shared(word, number, place)
            field = own.at("of" if word == "tables" else "formula")
            at |= {name: field for name in use.names if name not in at}
    for name in uses.names:
        try:
            schema[name]
        except UnknownVariableError as error:
            raise InputError(f"{at[name]}: {error}") from None


def build_ladder_sources(table: object, where: str | PlanPosition) -> dict[str, LadderSource]:
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
        place = where.at(key) if isinstance(where, PlanPosition) else where
        rungs = given if isinstance(given, list) else [given]
        found[key] = tuple(
            _build_rung(key, rung, f"{place}: rung {number} of {key!r}")
            for number, rung in enumerate(rungs, 1)
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
