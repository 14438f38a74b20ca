"""What people can say is a field with a `Parameter`: its words, and how it is asked for."""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import MISSING, InitVar, dataclass, field, fields
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from microsafe.errors import UsageError

Control = Literal[
    "variable", "variables", "sets", "number", "whole", "text", "choice", "switch", "matrix",
    "groups", "seed", "file",
]  # fmt: skip

_BY_TYPE: Mapping[object, Control] = {
    bool: "switch", int: "whole", float: "number", str: "text",
    tuple[str, ...]: "variables", Sequence[str]: "variables",
}  # fmt: skip


def value_in_words(value: Any) -> str:
    """Return a value of a parameter as people write it."""
    if isinstance(value, Mapping):
        return "; ".join(f"{value_in_words(k)}: {value_in_words(v)}" for k, v in value.items())
    if isinstance(value, tuple | list):
        return ", ".join(value_in_words(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """What is said of one field of a step, of a scenario, or of how a file is read.

    Attributes:
        label: Its name in reports and forms.
        help: One more sentence for forms.
        control: What asks for it in a form; by its type if None. A `"seed"` is a secret;
            a `"matrix"` holds chances of the step's variable, `"groups"` its categories, and
            `"sets"` several choices of variables.
        numeric: Whether only numeric variables can be chosen.
        changed: Whether the step changes the variables that are chosen.
        ordered: Whether the order in which variables are chosen matters.
        choices: What each word means, if there are only some.
        only_with: Field that must be given, or switched on, for this one to matter (and for a
            secret to be needed); `field=word` if it must be that word.
        way: One of several ways to say the same; a form asks for the fields of one of them.
        words: Renders a value in words.
        metavar: What stands for its value on the command line; by its type if empty.
        option: Its name on the command line, if it is not that of the field.
        unset: What holds if it is not given, where the default does not say it.
        example: A value as it is written in a plan, for who writes one of the wrong kind.
        see: Page of the docs that tells more, such as `"methods/pram.md"`.
    """

    label: str
    help: str = ""
    control: Control | None = None
    numeric: bool = False
    changed: bool = True
    ordered: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    only_with: str = ""
    way: str = ""
    words: Callable[[Any], str] = value_in_words
    metavar: str = ""
    option: str = ""
    unset: str = ""
    example: str = ""
    see: str = ""

    @property
    def secret(self) -> bool:
        """Whether its value must not be shown to anybody."""
        return self.control == "seed"

    def matters(self, step: object) -> bool:
        """Whether it has any effect, given the other fields of a step."""
        name, _, word = self.only_with.partition("=")
        value = getattr(step, name) if name else True
        return value == word if word else value not in (None, False)


Why = Annotated[
    str,
    Parameter(
        label="Reason",
        help="Written to the plan and to the report for the board.",
        metavar="REASON",
    ),
]
Chosen = Annotated[str, Parameter(label="Variable", control="variable")]
Identifier = Annotated[
    str | None,
    Parameter(
        label="Identifier",
        help="Draws and ties go by its values, so that the order of records does not matter.",
        control="variable",
        changed=False,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldForm:
    """One field of a form.

    Attributes:
        name: Of the field.
        parameter: Its words.
        control: What asks for it; None if only a form made for the step can.
        required: Whether it must be given.
        default: Its value otherwise.
    """

    name: str
    parameter: Parameter
    control: Control | None
    required: bool
    default: object


def field_types(kind: object, *, words: bool = False) -> Mapping[str, Any]:
    """Return the types of the fields of a dataclass, which are dear to find out.

    Args:
        kind: The dataclass.
        words: Whether they keep what is said of the fields.
    """
    return _find_types(kind, words)


@cache
def _find_types(kind: Hashable, words: bool) -> Mapping[str, Any]:
    return get_type_hints(kind, include_extras=words)


def parameters(kind: object) -> Mapping[str, Parameter]:
    """Return the parameters of a kind of step, by field."""
    return {
        name: part
        for name, hint in field_types(kind, words=True).items()
        if get_origin(hint) is Annotated
        for part in hint.__metadata__
        if isinstance(part, Parameter)
    }


def shorthands(kind: object) -> Mapping[str, Parameter]:
    """Return the words of options that are no fields but stand for some, by name."""
    return {
        name: arg
        for name, hint in field_types(kind).items()
        if isinstance(hint, InitVar)
        for arg in get_args(hint.type)[1:]
    }


def secrets(kind: type) -> tuple[str, ...]:
    """Return the fields of a kind of step that are secret."""
    return tuple(name for name, parameter in parameters(kind).items() if parameter.secret)


def form_fields(kind: type) -> tuple[FieldForm, ...]:
    """Return the form of a kind of step, without the reason, which every form asks for."""
    hints = field_types(kind)
    made = []
    for part in fields(kind):
        if part.name == "why":
            continue
        parameter = parameters(kind)[part.name]
        default = part.default if part.default_factory is MISSING else part.default_factory()
        control = parameter.control or ("choice" if parameter.choices else _usual(hints[part.name]))
        required = default is MISSING
        made.append(
            FieldForm(
                name=part.name,
                parameter=parameter,
                control=control,
                required=required,
                default=None if required else default,
            )
        )
    return tuple(made)


def _usual(hint: Any) -> Control | None:
    """Return the control that suits a type, None in it meaning that nothing need be given."""
    if get_origin(hint) in (Union, types.UnionType):
        inner = [arg for arg in get_args(hint) if arg is not type(None)]
        return _BY_TYPE.get(inner[0]) if len(inner) == 1 else None
    return _BY_TYPE.get(hint)


def holds_names(hint: Any) -> bool:
    """Tell whether a type is a list of names, or holds such lists."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Sequence:
        return inner == (str,) or holds_names(inner[0])
    return origin is Mapping and holds_names(inner[1])


def tuple_names(given: Any, hint: Any) -> Any:
    """Return names as tuples, where a type is a list of names or holds such lists."""
    if get_origin(hint) is Mapping:
        return {word: tuple_names(value, get_args(hint)[1]) for word, value in given.items()}
    (inner,) = get_args(hint)
    if inner is str:
        return variable_names(given)
    return tuple(tuple_names(each, inner) for each in given)


def variable_names(given: str | Iterable[str]) -> tuple[str, ...]:
    """Return one or more names of variables."""
    names = (given,) if isinstance(given, str) else tuple(given)
    if not all(isinstance(name, str) for name in names):
        raise UsageError("Give the names of variables as text.")
    return names
