"""Build values from TOML or JSON tables, checked against their dataclass."""

from __future__ import annotations

import re
import shlex
import types
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields
from tomllib import TOMLDecodeError
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

from microsafe.errors import UsageError, did_you_mean
from microsafe.io.control_file import parse_toml
from microsafe.options.parameter import Parameter, field_types
from microsafe.options.rates import read_rates
from microsafe.plan.lines import PlanPosition
from microsafe.steps import STEPS
from microsafe.steps.base import Step

_T = TypeVar("_T")

_WORD = re.compile(r"[^\[\]{}=,\s]+")  # a name in a list of lists

# What a value must be, alone and among others.
_KINDS: Mapping[type, tuple[str, str]] = {
    bool: ("true or false", "true or false"),
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    str: ("a text", "texts"),
    object: ("a value", "values"),
}


def build_step(table: object, where: str | PlanPosition) -> Step:
    """Make the step that a table stands for, naming what is wrong with it.

    Args:
        table: As it was read.
        where: What messages call it.
    """
    if not isinstance(table, Mapping):
        raise UsageError(f"{where} must be a table.")
    do = table.get("do")
    if not isinstance(do, str) or do not in STEPS:
        hint = did_you_mean(str(do), STEPS) if do else f" It may be {', '.join(STEPS)}."
        raise UsageError(f"{_at(where, 'do')} must name the kind of step in 'do'.{hint}")
    rest = {name: value for name, value in table.items() if name != "do"}
    return build_value(STEPS[do], rest, where)


def read_step(text: str, where: str, given: Mapping[str, object] | None = None) -> Step:
    """Make the step that is written as on the command line: "round variable=income base=10".

    A value is what it would be in a plan; names need no quotation marks, and a list no brackets.

    Args:
        text: The kind, and fields with their values.
        where: What messages call it.
        given: Fields that hold if the text does not name them, where the step has them.
    """
    try:
        do, *words = shlex.split(text)
    except ValueError:
        raise UsageError(f"{where} must begin with the kind of step. Close all quotes.") from None
    hints = field_types(STEPS[do], words=True) if do in STEPS else {}
    table: dict[str, object] = {"do": do}
    for each in words:
        word, equals, value = each.partition("=")
        if not equals:
            raise UsageError(f"{where}: write {word!r} as WORD=VALUE, without blanks around '='.")
        table[word] = _read_text(value, hints[word]) if word in hints else value
    table |= {
        word: value for word, value in (given or {}).items() if word in hints and word not in table
    }
    return build_step(table, where)


def _read_text(text: str, hint: Any) -> object:
    """The value that a text stands for, where it is of some type."""
    values: list[object] = [text, [part.strip() for part in text.split(",") if part.strip()]]
    with suppress(TOMLDecodeError):
        values.insert(0, parse_toml(f"value = {text}")["value"])
    for more in (f"[{text}]", _WORD.sub(r'"\g<0>"', text)):
        with suppress(TOMLDecodeError):
            values.append(parse_toml(f"value = {more}")["value"])
    return next((value for value in values if _fits(value, hint)), values[0])


def build_value(kind: type[_T], table: object, where: str | PlanPosition) -> _T:
    """Make a value from a table, naming what is wrong with it."""
    if not isinstance(table, Mapping):
        raise UsageError(f"{where} must be a table.")
    hints = field_types(kind, words=True)
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    values = {}
    for word, given in table.items():
        if word not in known:
            hint = did_you_mean(word, known)
            raise UsageError(f"{_at(where, word)}: unknown field {word!r}.{hint}")
        try:
            value = values[word] = read_rates(given, hints[word])
        except ValueError:
            place = _at(where, word)
            raise UsageError(
                f"{place}: {word!r} must be written as 0.01, '1%' or '1 in 100'."
            ) from None
        if not _fits(value, hints[word]):
            raise UsageError(f"{_at(where, word)}: {_tell_kind(word, value, hints[word])}")
    for name, each in known.items():
        if each.default is MISSING and each.default_factory is MISSING and name not in table:
            raise UsageError(f"{where} lacks {name!r}, {_kind_in_words(hints[name])}.")
    try:
        return kind(**{word: _frozen(value) for word, value in values.items()})
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def _tell_kind(word: str, value: object, hint: Any) -> str:
    """Say what a value must be, by an example where it is a table or a list of them."""
    for each in getattr(hint, "__metadata__", ()):
        if isinstance(each, Parameter) and each.example:
            return f"Write {word} as {word}={each.example}."
    return (
        f"{word!r} has a value of the wrong kind. It must be {_kind_in_words(hint)}."
        f"{did_you_mean(str(value), _words(hint))}"
    )


def _at(where: str | PlanPosition, word: str) -> str:
    return where.at(word) if isinstance(where, PlanPosition) else where


def _frozen(value: object) -> object:
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return {word: _frozen(item) for word, item in value.items()}
    return value


def _words(hint: Any) -> list[str]:
    """The words that a value may be, where there are only some."""
    if get_origin(hint) is Literal:
        return [str(arg) for arg in get_args(hint)]
    parts = get_args(hint) if get_origin(hint) in (Annotated, Union, types.UnionType) else ()
    return [word for part in parts for word in _words(part)]


def _kind_in_words(hint: Any, *, many: bool = False) -> str:
    """What a value must be."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return "the name of a file" if _is_file(hint) else _kind_in_words(inner[0], many=many)
    if origin in (Union, types.UnionType):
        kinds = [part for part in inner if part is not types.NoneType]
        return " or ".join(_kind_in_words(kind, many=many) for kind in kinds)
    if origin is Literal:
        return " or ".join(repr(part) for part in inner)
    if origin is None:
        return _KINDS.get(hint, ("a table", "tables"))[many]
    is_table = issubclass(origin, Mapping)
    whole = ("a table", "tables") if is_table else ("a list", "lists")
    return f"{whole[many]} of {_kind_in_words(inner[1 if is_table else 0], many=True)}"


def _is_file(hint: Any) -> bool:
    """Whether a field names a file, which a plan can only do in text."""
    return any(isinstance(part, Parameter) and part.control == "file" for part in hint.__metadata__)


def _fits(value: object, hint: Any) -> bool:
    """Whether a TOML value can stand for a type."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return isinstance(value, str) if _is_file(hint) else _fits(value, inner[0])
    if origin in (Union, types.UnionType):
        return any(_fits(value, part) for part in inner)
    if origin is Literal:
        return value in inner
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, dict) and all(_fits(item, inner[1]) for item in value.values())
    if origin is not None and issubclass(origin, Sequence):
        return isinstance(value, list) and all(_fits(item, inner[0]) for item in value)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)
