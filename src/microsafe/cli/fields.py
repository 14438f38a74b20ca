"""Options of commands from a dataclass: each field with a `Parameter` is one option."""

from __future__ import annotations

import argparse
import types
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, Field, fields
from typing import (
    Annotated,
    Any,
    Literal,
    Protocol,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from microsafe.cli.option_values import (
    parse_count,
    parse_levels,
    parse_list,
    parse_number,
    parse_path,
    parse_rate,
    parse_rates_by_key,
    parse_word_or_words_by_key,
)
from microsafe.display import RATE
from microsafe.options.parameter import Parameter, parameters


class OptionGroup(Protocol):
    """A command, or a group of its options."""

    def add_argument(self, *names: str, **words: Any) -> argparse.Action:
        """Add an option."""


def add_fields(
    group: OptionGroup, kind: type, *names: str, required: Collection[str] = (), **words: str
) -> None:
    """Add the fields of a dataclass as options.

    Args:
        group: Where they are shown.
        kind: The dataclass.
        *names: Of the fields; all if none is named.
        required: Fields that must be given.
        **words: Other help than the parameter's, by field.
    """
    hints = get_type_hints(kind, include_extras=True)
    known = parameters(kind)
    for part in fields(kind):
        if part.name not in known or (names and part.name not in names):
            continue
        parameter = known[part.name]
        options = _options_of(parameter, hints[part.name], _default_of(part))
        if part.name in required:
            options["required"] = True
        text = words.get(part.name) or _help(parameter, options)
        action = group.add_argument(f"--{part.name.replace('_', '-')}", help=text, **options)
        action.brief = words.get(part.name) or _brief(parameter)  # type: ignore[attr-defined]


def values_of(chosen: argparse.Namespace, kind: type) -> dict[str, Any]:
    """Return what was chosen for the fields of a dataclass; defaults where there is no option."""
    given = vars(chosen)
    return {part.name: given[part.name] for part in fields(kind) if part.name in given}


def _default_of(part: Field[Any]) -> Any:
    if part.default_factory is not MISSING:
        return part.default_factory()
    return None if part.default is MISSING else part.default


def _options_of(parameter: Parameter, hint: Any, default: Any) -> dict[str, Any]:
    """Return how `argparse` takes values of a type."""
    plain = _without_none(hint)
    if get_origin(plain) is Annotated:
        plain = get_args(plain)[0]
    plain = _without_none(plain)
    if plain is bool:
        return {"action": "store_true"}
    if get_origin(plain) is Literal:
        if "=" in parameter.metavar:  # a word for all keys, or one by key
            words = {"type": parse_word_or_words_by_key(get_args(plain))}
            return {**words, "default": default, "metavar": parameter.metavar}
        return {"choices": get_args(plain), "default": default}
    metavar = {"metavar": parameter.metavar} if parameter.metavar else {}
    if not metavar and parameter.control in ("variable", "file"):
        metavar = {"metavar": "FILE" if parameter.control == "file" else "NAME"}
    return {"type": _parser_of(parameter, hint, plain), "default": default, **metavar}


def _parser_of(parameter: Parameter, hint: Any, plain: Any) -> Callable[[str], Any]:
    if parameter.control == "file":
        return parse_path
    if RATE in getattr(hint, "__metadata__", ()):
        return parse_rate
    origin = get_origin(plain)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return parse_levels if get_args(plain)[1] is int else parse_rates_by_key
    if isinstance(origin, type) and issubclass(origin, Iterable):
        return parse_list
    return {int: parse_count, float: parse_number}.get(plain, str)


def _without_none(hint: Any) -> Any:
    """Return a type without None, and the first of several."""
    if get_origin(hint) in (Union, types.UnionType):
        return next(part for part in get_args(hint) if part is not types.NoneType)
    return hint


def _brief(parameter: Parameter) -> str:
    """Return the label of a parameter as the help of an option, in one line."""
    text = parameter.label[0].lower() + parameter.label[1:]
    unset = f" (default: {parameter.unset})" if parameter.unset else ""
    return f"{text}{unset}".replace("%", "%%")


def _help(parameter: Parameter, options: Mapping[str, Any]) -> str:
    """Return all words of a parameter as the help of an option."""
    text = parameter.label[0].lower() + parameter.label[1:]
    if choices := "; ".join(f"{word}: {means}" for word, means in parameter.choices.items()):
        text = f"{text} ({choices})"
    if parameter.help:
        text = f"{text}: {parameter.help[0].lower()}{parameter.help[1:].rstrip('.')}"
    default = options.get("default")
    if parameter.unset and default in (None, (), {}):
        text = f"{text} (default: {parameter.unset})"
    return text.replace("%", "%%")
