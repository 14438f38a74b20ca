"""Messages as JSON: what comes in is checked against its dataclass, what goes out is plain."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, NoReturn, get_args, get_type_hints

from microsafe.app.messages.endpoints import JobFailed
from microsafe.app.messages.message_builder import list_sent_names
from microsafe.app.messages.metadata import DeclarationRequest, MetadataRequest
from microsafe.app.messages.scenario import ScenarioList
from microsafe.app.messages.study import Problem
from microsafe.app.refusal import Refusal
from microsafe.errors import UsageError
from microsafe.options.declaration import Declaration, Declarations
from microsafe.options.parameter import secrets
from microsafe.options.reading import ReadingOptions
from microsafe.options.scenario import Scenario
from microsafe.options.uses import Uses
from microsafe.plan.lines import PlanPosition
from microsafe.plan.sections import build_uses
from microsafe.plan.values import build_step, build_value
from microsafe.steps.base import Step

_WHERE = "The request"
_NUMBERS = {int, float}
_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?", re.ASCII)


def encode_message(message: object) -> bytes:
    """Return a message as JSON; plain ASCII, so that no text can upset it."""
    return json.dumps(make_plain(message), allow_nan=False, separators=(",", ":")).encode()


def make_plain(value: Any) -> Any:
    """Return a value that JSON can hold; a secret, and what is not a finite number, becomes null.

    Args:
        value: A message or a part of one.
    """
    if isinstance(value, Step):
        hidden = secrets(type(value))
        shown = [field.name for field in fields(value) if field.name not in hidden]  # type: ignore[arg-type]
        told = {name: make_plain(getattr(value, name)) for name in shown}
        return {"do": value.do} | told | dict.fromkeys(hidden)
    if is_dataclass(value) and not isinstance(value, type):
        names = list_sent_names(type(value))
        told = {name: make_plain(getattr(value, name)) for name in names}
        if isinstance(value, Problem | JobFailed):
            return {name: value for name, value in told.items() if value}
        return told
    if isinstance(value, Mapping):
        return {str(name): make_plain(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [make_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def parse_body(body: bytes) -> dict[str, Any]:
    """Return the JSON object that a body holds.

    Raises:
        Refusal: It is not one (400).
    """
    try:
        value = json.loads(body, parse_constant=_reject_constant, parse_float=_parse_finite)
        json.dumps(value, ensure_ascii=False).encode()  # half a character is no text
    except (ValueError, RecursionError):
        raise Refusal(400, "The body is not JSON in UTF-8.") from None
    if not isinstance(value, dict):
        raise Refusal(400, "The body must be a JSON object.")
    return value


def _reject_constant(_: str) -> NoReturn:
    raise ValueError


def _parse_finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError
    return number


def build_body(kind: Any, table: Mapping[str, Any]) -> Any:
    """Make the message that a JSON object stands for.

    Raises:
        UsageError: A word or value is not understood.
    """
    if kind is None:
        if table:
            raise UsageError(f"{_WHERE} takes no fields: send an empty object.")
        return None
    try:
        step = issubclass(kind, Step)
        made = _build(kind, table)
    except UsageError as error:
        # People who read it asked for something; they did not write a request.
        text = str(error).removeprefix(f"{_WHERE}: ")
        raise UsageError(text[:1].upper() + text[1:]) from None
    if step and not isinstance(made, kind):
        raise UsageError(f"Only a step of kind {kind.do!r} can be used here.")
    return made


def _build(kind: Any, table: Mapping[str, Any]) -> Any:
    if kind is ScenarioList and isinstance(given := table.get("scenarios"), list):
        made = build_value(ScenarioList, {**table, "scenarios": []}, _WHERE)
        return replace(made, scenarios=tuple(build_value(Scenario, each, _WHERE) for each in given))
    if kind is Uses:  # it holds lists of tables
        return build_uses(table, lambda *_: PlanPosition(_WHERE))
    if kind in (MetadataRequest, DeclarationRequest):  # they hold tables
        return _build_nested(kind, table)
    return build_step(table, _WHERE) if issubclass(kind, Step) else build_value(kind, table, _WHERE)


def _build_nested(kind: Any, table: Mapping[str, Any]) -> Any:
    inner: dict[str, Any] = {}
    if "reading" in table:
        inner["reading"] = build_value(ReadingOptions, table["reading"], _WHERE)
    if "declaration" in table:
        inner["declaration"] = build_value(Declaration, table["declaration"], _WHERE)
    if "declarations" in table:
        inner["declarations"] = build_declarations(table["declarations"], _WHERE)
    plain = {name: value for name, value in table.items() if name not in inner}
    return replace(build_value(kind, plain, _WHERE), **inner)


def build_declarations(table: object, where: str) -> Declarations:
    """Make what is said of variables from a table of tables.

    Raises:
        UsageError: A word or value is not understood.
    """
    if not isinstance(table, Mapping):
        raise UsageError(f"{where} must have a table of variables.")
    return {
        str(name): build_value(Declaration, value, f"{where}: {name}")
        for name, value in table.items()
    }


def build_query(kind: Any, pairs: list[tuple[str, str]]) -> Any:
    """Make the message that a query stands for; a list is repeated.

    Raises:
        UsageError: A word or value is not understood.
    """
    if kind is None:
        if pairs:
            raise UsageError(f"{_WHERE} takes no query parameters.")
        return None
    hints = get_type_hints(kind)
    table: dict[str, Any] = {}
    for word, text in pairs:
        hint = hints.get(word)
        if hint == tuple[str, ...]:
            table.setdefault(word, []).append(text)
        elif word in table:
            raise UsageError(f"{_WHERE} has the parameter {word!r} twice.")
        else:
            kinds = (hint, *get_args(hint))
            table[word] = (
                _parse_number(text, decimal=float in kinds) if _NUMBERS & set(kinds) else text
            )
    return build_value(kind, table, _WHERE)


def _parse_number(text: str, *, decimal: bool) -> object:
    """Return the number that a text spells, or the text, which no number is."""
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdecimal() and len(digits) < 16:
        return int(text)
    if decimal and _DECIMAL.fullmatch(text) and math.isfinite(number := float(text)):
        return number
    return text
