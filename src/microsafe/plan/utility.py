"""`[utility]` of a plan: the uses that matter, as they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from microsafe.errors import InputError, UnknownVariableError, UsageError
from microsafe.plan.lines import Place
from microsafe.plan.tables import build_value
from microsafe.scenario import Scenario
from microsafe.schema import Schema
from microsafe.uses import ModelUse, TableUse, Uses, check_weight

_T = TypeVar("_T", TableUse, ModelUse)
FindPlace = Callable[[str, str], Place]  # by what messages call a table, and by its heading


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


def _place_of_shared(word: str, number: int, place: FindPlace) -> Place:
    """Where a table or model stands: under a heading of its own, or in a list of `[utility]`."""
    name = f"utility.{word}"
    own = place(f"[[{name}]] {number}", f"{name} {number}")
    inside = place("", "utility").lines
    return own if own.lines or word not in inside else Place(own.words, {"": inside[word]})


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
        uses.weigh_keys(tuple(dict.fromkeys(key for each in scenarios for key in each.keys)))
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
        for number, each in enumerate(found, 1):
            own = _place_of_shared(word, number, place)
            field = own.at("of" if word == "tables" else "formula")
            at |= {name: field for name in each.names if name not in at}
    for name in uses.names:
        try:
            schema[name]
        except UnknownVariableError as error:
            raise InputError(f"{at[name]}: {error}") from None
