"""What is known about the variables of a file besides their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from microsafe.errors import InputError, UnknownVariableError

Code = str | int | float
HIDDEN = "\x1f"  # in names of variables that no file has: what is known beside the released values
Kind = Literal["text", "integer", "number", "boolean", "date", "time", "duration", "other"]
Measure = Literal["nominal", "ordinal", "scale", "unknown"]
Role = Literal["key", "weight", "household", "identifier", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """One variable: what the file says of it, kept so that it can be written back.

    Attributes:
        name: As in the file.
        label: The sentence that explains it, or empty.
        kind: How its values are stored.
        measure: Level of measurement as the file declares it.
        labels: Label of each code. Codes have the type that the values have.
        order: Codes from lowest to highest, if they have an order that neither numbers nor the
            list of labels tell.
        missing: Codes that stand for "missing" (refused, not applicable, ...).
        missing_ranges: Closed intervals of such codes.
        role: What the file's own metadata says the variable is for, if anything.
        width: Characters it takes in a fixed-width file.
        decimals: Digits behind the decimal point.
        format: The file format's own description of display, verbatim.
        extra: What only this file format knows of it, verbatim.
    """

    name: str
    label: str = ""
    kind: Kind = "text"
    measure: Measure = "unknown"
    labels: Mapping[Code, str] = field(default_factory=dict)
    order: tuple[Code, ...] = ()
    missing: tuple[Code, ...] = ()
    missing_ranges: tuple[tuple[float, float], ...] = ()
    role: Role | None = None
    width: int | None = None
    decimals: int | None = None
    format: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)


LONGEST_NAME = 300  # characters; no format that names variables for people allows as many


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """The variables of a file, in its order.

    Attributes:
        source: What messages call the file: its name without folder.
        variables: In file order.
        notes: Free text that the file carries about itself.
    """

    source: str
    variables: tuple[Variable, ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse names that occur twice, which no verb could tell apart, and endless ones."""
        seen: set[str] = set()
        for number, variable in enumerate(self.variables, 1):
            if len(variable.name) > LONGEST_NAME:
                raise InputError(
                    f"The name of variable {number} of {self.source} has {len(variable.name):,} "
                    f"characters, more than {LONGEST_NAME}. Rename it."
                )
            if variable.name in seen:
                raise InputError(
                    f"{self.source} has two variables named {variable.name!r}. Rename one of them."
                )
            seen.add(variable.name)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables, in file order."""
        return tuple(variable.name for variable in self.variables)

    def __getitem__(self, name: str) -> Variable:
        """Return the variable of that name, or say which one was meant."""
        for variable in self.variables:
            if variable.name == name:
                return variable
        raise UnknownVariableError(self.source, name, self.names)

    def __contains__(self, name: object) -> bool:
        """Tell whether there is a variable of that name."""
        return name in self.names

    def __iter__(self) -> Iterator[Variable]:
        """Go through the variables in file order."""
        return iter(self.variables)

    def replace_variable(self, name: str, by: str) -> Schema:
        """Return the schema in which a variable is what another one was, which is gone."""
        new = replace(self[by], name=self[name].name)
        variables = (new if v.name == name else v for v in self.variables if v.name != by)
        return replace(self, variables=tuple(variables))

    def with_missing(self, codes: tuple[str, ...]) -> Schema:
        """Return the schema with further missing codes for every variable that can hold them."""
        numbers = tuple(number for code in codes if (number := number_in(code)) is not None)
        more: dict[Kind, tuple[Code, ...]] = {"text": codes, "integer": numbers, "number": numbers}
        variables = tuple(
            replace(v, missing=(*v.missing, *more.get(v.kind, ()))) for v in self.variables
        )
        return replace(self, variables=variables)


def number_in(text: str) -> float | None:
    """Return the number that a text spells, or None."""
    try:
        return float(text)
    except ValueError:
        return None
