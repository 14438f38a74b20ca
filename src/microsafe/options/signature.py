"""Functions that take the fields of a dataclass as keywords: their signature and their words."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, InitVar, fields
from functools import cache, wraps
from textwrap import wrap
from typing import Any, Concatenate, ParamSpec, TypeVar, get_args

from microsafe.errors import UsageError, did_you_mean
from microsafe.options.parameter import field_types, parameters, shorthands
from microsafe.options.rates import means_rate, read_rates

P = ParamSpec("P")
Subject = TypeVar("Subject")
Options = TypeVar("Options")
Result = TypeVar("Result")
_OPTIONS = re.compile(r"^( *)OPTIONS\n", re.MULTILINE)  # where a docstring has the fields' words


def with_options(
    kind: Callable[P, Options],
) -> Callable[[Callable[[Subject, Options], Result]], Callable[Concatenate[Subject, P], Result]]:
    """Return a decorator: a function of something and of options takes the latter as keywords.

    Args:
        kind: Dataclass of the options. OPTIONS in the docstring stands for its words.
    """

    def decorate(
        function: Callable[[Subject, Options], Result],
    ) -> Callable[Concatenate[Subject, P], Result]:
        first, _ = inspect.signature(function).parameters.values()

        @wraps(function)
        def call(subject: Subject, /, *args: P.args, **given: P.kwargs) -> Result:
            check_names(kind, function.__name__, args, given)
            return function(subject, kind(*args, **_with_numbers(kind, given)))

        call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [first.replace(kind=first.POSITIONAL_ONLY), *typed_parameters(kind).values()],
            return_annotation=function.__annotations__["return"],
        )
        call.__doc__ = _OPTIONS.sub(
            lambda found: describe_fields(kind, len(found[1])), function.__doc__ or ""
        )
        del call.__wrapped__  # its signature is another
        return call

    return decorate


def check_names(
    kind: Callable[..., object], verb: str, args: Sequence[object], given: Mapping[str, object]
) -> None:
    """Refuse options that are not there, and a call without those that must be given.

    Args:
        kind: Dataclass of the options.
        verb: What messages call the function.
        args: As they were given.
        given: Likewise, by name.

    Raises:
        UsageError: One is not there, or is lacking.
    """
    known = inspect.signature(kind).parameters
    for name in given:
        if name not in known:
            hint = did_you_mean(name, known)
            raise UsageError(f"{verb} has no option {name!r}.{hint}")
    first = [name for name, each in known.items() if each.kind is each.POSITIONAL_OR_KEYWORD]
    taken = {*given, *first[: len(args)]}
    for name, each in known.items():
        if each.default is each.empty and name not in taken:
            raise UsageError(f"{verb} needs {name}.")


def _with_numbers(kind: Callable[..., object], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was given with numbers where a risk, rate or share is written as text.

    Raises:
        UsageError: A text is none of these.
    """
    if not any(isinstance(value, str | Mapping) for value in given.values()):
        return dict(given)
    made, hints = dict(given), _rates_of(kind)
    for name in given.keys() & hints.keys():
        try:
            made[name] = read_rates(given[name], hints[name])
        except ValueError:
            raise UsageError(f"Write {name} as 0.01, '1%' or '1 in 100'.") from None
    return made


@cache
def _rates_of(kind: Callable[..., object]) -> Mapping[str, Any]:
    """Return the types of the fields that are, or have, a rate."""
    hints = field_types(kind, words=True)
    return {name: hint for name, hint in hints.items() if means_rate(hint)}


def list_fields(kind: type[Options]) -> type[Options]:
    """Put the words of its fields below the docstring of a dataclass, and only there.

    Where a field is a risk, rate or share, "1%" and "1 in 100" are taken as well.
    """
    known = {**parameters(kind), **shorthands(kind)}
    hints = {n: _plain_type(hint) for n, hint in field_types(kind).items() if n in known}
    kind.__init__.__annotations__ |= hints  # without the words
    _take_texts(kind)
    kind.__doc__ = (
        f"{(kind.__doc__ or '').rstrip()}\n\n    Attributes:\n{describe_fields(kind)}    "
    )
    return kind


def _take_texts(kind: Any) -> None:
    """Have a dataclass take risks, rates and shares that are written as text, if it has any."""
    if not _rates_of(kind):
        return
    plain = kind.__init__
    first = [name for name in inspect.signature(plain).parameters if name != "self"]

    @wraps(plain)
    def init(self: object, *args: Any, **given: Any) -> None:
        named = dict(zip(first, args, strict=False))
        plain(self, *args[len(named) :], **_with_numbers(kind, {**named, **given}))

    kind.__init__ = init


def typed_parameters(kind: Callable[..., object]) -> Mapping[str, inspect.Parameter]:
    """Return the parameters by which a dataclass is made, with their types."""
    hints = {name: _plain_type(hint) for name, hint in field_types(kind).items()}
    signed = dict(inspect.signature(kind).parameters)
    for part in fields(kind):  # type: ignore[arg-type]
        if part.default_factory is not MISSING:
            signed[part.name] = signed[part.name].replace(default=part.default_factory())
    return {name: part.replace(annotation=hints[name]) for name, part in signed.items()}


def _plain_type(hint: Any) -> Any:
    """Return the type of an option that is no field, such as a shorthand for others."""
    return get_args(hint.type)[0] if isinstance(hint, InitVar) else hint


def describe_fields(kind: Callable[..., object], indent: int = 8) -> str:
    """Return the lines of a docstring about the fields of a dataclass."""
    lines = []
    known = {**parameters(kind), **shorthands(kind)}
    for name, each in inspect.signature(kind).parameters.items():
        if name not in known:
            continue
        parameter = known[name]
        more = f" {parameter.help}" if parameter.help else ""
        unset = f" Default: {parameter.unset}." if parameter.unset and not each.default else ""
        lines.append(f"{name}: {parameter.label}.{more}{unset}")
        lines += [f"    {word!r}: {means}." for word, means in parameter.choices.items()]
    first, later = " " * indent, " " * (indent + 4)
    wrapped = [wrap(first + line, 100, subsequent_indent=later) for line in lines]
    return "".join(f"{line}\n" for part in wrapped for line in part)
