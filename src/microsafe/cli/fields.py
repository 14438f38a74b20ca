"""Options of commands from a dataclass: each field with a `Parameter` is one option."""

from __future__ import annotations

import argparse
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from microsafe.cli.option_values import (
    parse_count,
    parse_levels,
    parse_list,
    parse_lists_by_key,
    parse_number,
    parse_numbers,
    parse_numbers_by_key,
    parse_path,
    parse_rate,
    parse_rates_by_key,
    parse_reasons,
    parse_value,
    parse_values_by_key,
    parse_word_or_words_by_key,
)
from microsafe.display import RATE
from microsafe.options.parameter import Parameter, field_types, parameters, shorthands
from microsafe.options.signature import typed_parameters

_REPEATED = (parse_lists_by_key, parse_reasons, parse_values_by_key)


def add_fields(
    group: argparse._ActionsContainer,
    kind: type,
    *names: str,
    but: Collection[str] = (),
    required: Collection[str] = (),
    parsers: Mapping[str, Callable[[str], Any]] | None = None,
    unset: str = "",
    **words: str,
) -> None:
    """Add the fields of a dataclass as options.

    Args:
        group: A command, or the group of its options where they are shown.
        kind: The dataclass.
        *names: Of the fields. If none is named, all that the command does not have yet, but for
            secrets (who can list processes reads a command line) and shorthands of others.
        but: Fields that are left out.
        required: Fields that must be given; beside those that have no default.
        parsers: Other parsers than those of the type, by field.
        unset: What holds where an option is not given; it then has no value at all.
        **words: Other help than the parameter's, by field.
    """
    for name, part in _list_options(kind).items():
        there = part.option in group._option_string_actions
        unusual = there or part.parameter.secret or part.is_shorthand
        if name in but or (name not in names if names else unusual):
            continue
        parameter = replace(part.parameter, unset=unset or part.parameter.unset)
        options = _options_of(parameter, part.hint, None if unset else part.default)
        text = words.get(name) or _help(parameter, options)
        brief = "" if name in words else _brief(parameter, options)
        if unset:
            options["default"] = argparse.SUPPRESS
        elif part.required or name in required:
            options["required"] = True
        if parsers and name in parsers:
            options["type"] = parsers[name]
        action = group.add_argument(part.option, help=text, **options)
        action.brief = brief  # type: ignore[attr-defined]
        action.words = _list_words(part.hint)  # type: ignore[attr-defined]  # for completion


@dataclass(frozen=True, slots=True, kw_only=True)
class _OptionField:
    """A field of a dataclass as an option.

    Attributes:
        option: Its name, with dashes.
        parameter: Its words.
        hint: Its type, rates marked as such.
        default: Its value otherwise.
        required: Whether there is no default.
        is_shorthand: Whether it stands for other fields.
    """

    option: str
    parameter: Parameter
    hint: Any
    default: Any
    required: bool
    is_shorthand: bool


def _list_options(kind: type) -> dict[str, _OptionField]:
    """Return the options that a dataclass has, by field."""
    hints, short = field_types(kind, words=True), shorthands(kind)
    options = {}
    for name, part in typed_parameters(kind).items():
        parameter = {**parameters(kind), **short}.get(name)
        if parameter is not None:
            options[name] = _OptionField(
                option=f"--{option_name(name, parameter).replace('_', '-')}",
                parameter=parameter,
                hint=hints[name].type if name in short else hints[name],
                default=None if part.default is part.empty else part.default,
                required=part.default is part.empty,
                is_shorthand=name in short,
            )
    return options


def option_name(name: str, parameter: Parameter) -> str:
    """Return the name of the option that a field is, as its value is kept."""
    return parameter.option or name


def list_choices(kind: type) -> dict[str, tuple[str, ...]]:
    """Return the words that each field of a dataclass may be; none where it may be anything."""
    return {name: _list_words(part.hint) for name, part in _list_options(kind).items()}


def _list_words(hint: Any) -> tuple[str, ...]:
    return tuple(str(word) for part in _list_kinds(hint) for word in _literal_words(part))


def _literal_words(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) is Literal else ()


def show_metavar(kind: type, name: str) -> str:
    """Return what stands for the value of an option on the command line; nothing for a switch."""
    part = _list_options(kind)[name]
    options = _options_of(part.parameter, part.hint, part.default)
    if "action" in options and options["action"] is not Gather:
        return ""
    return str(options.get("metavar") or "|".join(options.get("choices", ())) or name.upper())


def values_of(chosen: argparse.Namespace, kind: type) -> dict[str, Any]:
    """Return what was chosen for the fields of a dataclass; defaults where there is no option."""
    known = {**parameters(kind), **shorthands(kind)}
    options = {name: option_name(name, parameter) for name, parameter in known.items()}
    return {name: vars(chosen)[dest] for name, dest in options.items() if dest in chosen}


def given_values_of(chosen: argparse.Namespace, kind: type) -> dict[str, Any]:
    """Return what was chosen for the fields of a dataclass, without defaults."""
    values, options = values_of(chosen, kind), _list_options(kind)
    return {
        name: value for name, value in values.items() if value not in (None, options[name].default)
    }


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
        return parse_numbers if inner == (float,) else _parser_of_list(*_list_kinds(inner[0]))
    return {int: parse_count, float: parse_number}.get(kind, str)


def _parser_of_list(*kinds: Any) -> Callable[[str], Any]:
    """Return what parses a list of values of some types; one of tables is written as in plans."""
    return parse_list if set(kinds) & {str} else parse_value


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


def _explain_words(parameter: Parameter) -> list[str]:
    """Return each word that an option may be with its meaning."""
    means = parameter.choices.items()
    return [f"{word}: {text.removeprefix(f'{word}: ')}" for word, text in means]


def _brief(parameter: Parameter, options: Mapping[str, Any]) -> str:
    """Return the label of a parameter as the help of an option, in one line."""
    text = parameter.label[0].lower() + parameter.label[1:]
    return f"{text}{_tell_unset(parameter, options)}".replace("%", "%%")


def _tell_unset(parameter: Parameter, options: Mapping[str, Any]) -> str:
    """Say what holds if an option is not given and has no default of its own."""
    if options.get("default") is True:
        return " (default: on)"
    nothing = options.get("default") in (None, "", (), {})
    return f" (default: {parameter.unset})" if parameter.unset and nothing else ""


def _help(parameter: Parameter, options: Mapping[str, Any]) -> str:
    """Return all words of a parameter as the help of an option."""
    text = parameter.label[0].lower() + parameter.label[1:]
    if choices := "; ".join(_explain_words(parameter)):
        text = f"{text} ({choices})"
    if parameter.help:
        text = f"{text}: {parameter.help[0].lower()}{parameter.help[1:].rstrip('.')}"
    if options.get("action") is Gather:
        text = f"{text}; may be repeated"
    return f"{text}{_tell_unset(parameter, options)}".replace("%", "%%")
