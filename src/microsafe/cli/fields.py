"""Options of commands from a dataclass: each field with a `Parameter` is one option."""

from __future__ import annotations

import argparse
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, replace
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from microsafe.cli.option_values import (
    parse_count,
    parse_levels,
    parse_list,
    parse_lists_by_key,
    parse_number,
    parse_numbers_by_key,
    parse_path,
    parse_rate,
    parse_rates_by_key,
    parse_reasons,
    parse_values_by_key,
    parse_word_or_words_by_key,
)
from microsafe.display import RATE
from microsafe.options.parameter import Parameter, parameters

_REPEATED = (parse_lists_by_key, parse_reasons, parse_values_by_key)


def add_fields(
    group: argparse._ActionsContainer,
    kind: type,
    *names: str,
    but: Collection[str] = (),
    required: Collection[str] = (),
    unset: str = "",
    **words: str,
) -> None:
    """Add the fields of a dataclass as options.

    Args:
        group: A command, or the group of its options where they are shown.
        kind: The dataclass.
        *names: Of the fields. If none is named, all that the command does not have yet, but for
            secrets: who can list processes reads a command line.
        but: Fields that are left out.
        required: Fields that must be given.
        unset: What holds where an option is not given; it then has no value at all.
        **words: Other help than the parameter's, by field.
    """
    hints = get_type_hints(kind, include_extras=True)
    choices = list_choices(kind)
    for name, parameter in parameters(kind).items():
        option = f"--{option_name(name, parameter).replace('_', '-')}"
        there = option in group._option_string_actions or parameter.secret
        if name in but or (name not in names if names else there):
            continue
        part = next(part for part in fields(kind) if part.name == name)
        default = None if unset else _default_of(part)
        parameter = replace(parameter, unset=unset or parameter.unset)
        options = _options_of(parameter, hints[name], default)
        text = words.get(name) or _help(parameter, options)
        brief = "" if name in words else _brief(parameter, options)
        if unset:
            options["default"] = argparse.SUPPRESS
        action = group.add_argument(option, help=text, required=name in required, **options)
        action.brief = brief  # type: ignore[attr-defined]
        action.words = choices[name]  # type: ignore[attr-defined]  # for completion


def option_name(name: str, parameter: Parameter) -> str:
    """Return the name of the option that a field is, as its value is kept."""
    return parameter.option or name


def list_choices(kind: type) -> dict[str, tuple[str, ...]]:
    """Return the words that each field of a dataclass may be; none where it may be anything."""
    return {
        name: tuple(str(word) for part in _list_kinds(hint) for word in _literal_words(part))
        for name, hint in get_type_hints(kind, include_extras=True).items()
    }


def _literal_words(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) is Literal else ()


def show_metavar(kind: type, name: str) -> str:
    """Return what stands for the value of an option on the command line; nothing for a switch."""
    part = next(part for part in fields(kind) if part.name == name)
    hint = get_type_hints(kind, include_extras=True)[name]
    options = _options_of(parameters(kind)[name], hint, _default_of(part))
    if "action" in options and options["action"] is not Gather:
        return ""
    return str(options.get("metavar") or "|".join(options.get("choices", ())) or name.upper())


def values_of(chosen: argparse.Namespace, kind: type) -> dict[str, Any]:
    """Return what was chosen for the fields of a dataclass; defaults where there is no option."""
    given = vars(chosen)
    options = {name: option_name(name, each) for name, each in parameters(kind).items()}
    return {name: given[option] for name, option in options.items() if option in given}


def _default_of(part: Field[Any]) -> Any:
    if part.default_factory is not MISSING:
        return part.default_factory()
    return None if part.default is MISSING else part.default


def _options_of(parameter: Parameter, hint: Any, default: Any) -> dict[str, Any]:
    """Return how `argparse` takes values of a type."""
    kinds = _list_kinds(hint)
    if kinds == [bool]:
        return {"action": argparse.BooleanOptionalAction if default else "store_true"} | (
            {"default": True} if default else {}
        )
    words = [word for kind in kinds for word in _literal_words(kind)]
    if len(kinds) == 1 and words:
        return {"choices": tuple(words), "default": default}
    metavar = parameter.metavar
    if not metavar and parameter.control in ("variable", "file"):
        metavar = "FILE" if parameter.control == "file" else "NAME"
    options = {"default": default} | ({"metavar": metavar} if metavar else {})
    if parameter.control == "file":
        return {"type": parse_path, **options}
    if any(map(_maps_to_words, kinds)):
        return {"type": parse_word_or_words_by_key(words), **options}
    parse = _parser_of(kinds[0])
    gather = {"action": Gather} if parse in _REPEATED else {}
    return {"type": allow_words(parse, words) if words else parse, **options, **gather}


class Gather(argparse.Action):
    """Gather the pairs of an option that may be repeated."""

    def __call__(self, *given: Any) -> None:
        """Add some."""
        _, namespace, values, _ = given
        setattr(namespace, self.dest, {**(getattr(namespace, self.dest, None) or {}), **values})


def _list_kinds(hint: Any) -> list[Any]:
    """Return the types that a value may have, rates marked as such; None is not among them."""
    origin = get_origin(hint)
    if origin is Annotated and RATE not in hint.__metadata__:
        return _list_kinds(get_args(hint)[0])
    if origin in (Union, types.UnionType):
        return [kind for part in get_args(hint) for kind in _list_kinds(part)]
    return [] if hint is types.NoneType else [hint]


def _maps_to_words(kind: Any) -> bool:
    """Tell whether a value may be a word for each key."""
    inner = get_args(kind)
    return get_origin(kind) is Mapping and bool(_literal_words(inner[1]))


def _parser_of(kind: Any) -> Callable[[str], Any]:
    if get_origin(kind) is Annotated:
        return parse_rate
    origin, inner = get_origin(kind), get_args(kind)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _parser_by_key(_list_kinds(inner[1]))
    if isinstance(origin, type) and issubclass(origin, Iterable):
        return parse_list
    return {int: parse_count, float: parse_number}.get(kind, str)


def _parser_by_key(kinds: Sequence[Any]) -> Callable[[str], Any]:
    """Return what parses values of some types by key."""
    if len(kinds) > 1 or kinds[0] is Any:
        return parse_values_by_key
    if get_origin(kinds[0]) is Annotated:
        return parse_rates_by_key
    by_kind = {int: parse_levels, float: parse_numbers_by_key, str: parse_reasons}
    return by_kind.get(kinds[0], parse_lists_by_key)


def allow_words(parse: Callable[[str], Any], words: Sequence[str]) -> Callable[[str], Any]:
    """Return a parser that takes some words as they are."""

    def read(text: str) -> Any:
        try:
            return text if text in words else parse(text)
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentTypeError(f"{error} or {' or '.join(words)}") from None

    return read


def _brief(parameter: Parameter, options: Mapping[str, Any]) -> str:
    """Return the label of a parameter as the help of an option, in one line."""
    text = parameter.label[0].lower() + parameter.label[1:]
    return f"{text}{_tell_unset(parameter, options)}".replace("%", "%%")


def _tell_unset(parameter: Parameter, options: Mapping[str, Any]) -> str:
    """Say what holds if an option is not given and has no default of its own."""
    nothing = options.get("default") in (None, "", (), {})
    return f" (default: {parameter.unset})" if parameter.unset and nothing else ""


def _help(parameter: Parameter, options: Mapping[str, Any]) -> str:
    """Return all words of a parameter as the help of an option."""
    text = parameter.label[0].lower() + parameter.label[1:]
    if choices := "; ".join(f"{word}: {means}" for word, means in parameter.choices.items()):
        text = f"{text} ({choices})"
    if parameter.help:
        text = f"{text}: {parameter.help[0].lower()}{parameter.help[1:].rstrip('.')}"
    if options.get("action") is Gather:
        text = f"{text}; may be repeated"
    return f"{text}{_tell_unset(parameter, options)}".replace("%", "%%")
