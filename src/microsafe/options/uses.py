"""Uses that matter: which variables, tables and models the file is for, and how much each counts.

The loss is then measured by them, beside the plain one; see docs/methods/information-loss.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from microsafe.errors import UsageError
from microsafe.options.parameter import Parameter
from microsafe.options.signature import list_fields
from microsafe.schema import Schema

Importance = Annotated[float, Parameter(label="How much it matters")]


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class TableUse:
    """A table that matters."""

    of: Annotated[tuple[str, ...], Parameter(label="Its variables, two or more")]
    weight: Importance = 1.0

    def __post_init__(self) -> None:
        """Validate the fields."""
        object.__setattr__(self, "of", _list_names(self.of))
        if len(self.of) < 2:
            raise UsageError(
                "A table has two or more variables. Weigh a single one under variables."
            )
        twice = [name for name in self.of if self.of.count(name) > 1]
        if twice:
            raise UsageError(f"A table names {twice[0]!r} twice. Name it once.")
        _check_counting(self.weight, f"the table {self.words}")

    @property
    def words(self) -> str:
        """What it is called."""
        return " x ".join(self.of)

    @property
    def names(self) -> tuple[str, ...]:
        """Its variables."""
        return self.of


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A regression as somebody writes it.

    Attributes:
        outcome: Variable that is explained.
        category: Of that variable; None if the formula names none.
        terms: Variables that explain.
    """

    outcome: str
    category: str | None
    terms: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All variables, the outcome first."""
        return self.outcome, *self.terms

    @property
    def words(self) -> str:
        """How it is written."""
        category = "" if self.category is None else f" = {self.category}"
        return f"{self.outcome}{category} ~ {' + '.join(self.terms)}"


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUse:
    """A regression that matters."""

    formula: Annotated[str, Parameter(label="The regression", help="Such as income ~ age + sex.")]
    weight: Importance = 1.0

    def __post_init__(self) -> None:
        """Validate the fields."""
        read_formula(self.formula)
        _check_counting(self.weight, f"the model {self.words}")

    @property
    def words(self) -> str:
        """What it is called."""
        return read_formula(self.formula).words

    @property
    def names(self) -> tuple[str, ...]:
        """Its variables, the outcome first."""
        return read_formula(self.formula).names


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """What users need, and how much of it: weights of variables, tables and models."""

    variables: Annotated[
        Mapping[str, float],
        Parameter(label="How much each variable matters, be it a key or not"),
    ] = field(default_factory=dict)
    others: Annotated[
        float,
        Parameter(
            label="How much each key matters that is not named",
            help="0 if only what is named matters.",
        ),
    ] = 1.0
    tables: Annotated[tuple[TableUse, ...], Parameter(label="Tables that matter")] = ()
    models: Annotated[tuple[ModelUse, ...], Parameter(label="Regressions that matter")] = ()

    def __post_init__(self) -> None:
        """Validate the fields."""
        if not isinstance(self.variables, Mapping):
            raise UsageError("Variables that matter are given with their weights: {'region': 3}.")
        for name in ("tables", "models"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for name, weight in self.variables.items():
            check_weight(weight, repr(name))
        check_weight(self.others, "keys that are not named (others)")
        _refuse_twice([frozenset(table.of) for table in self.tables], "table")
        _refuse_twice([model.words for model in self.models], "model")
        weights = (*self.variables.values(), self.others, *(use.weight for use in self.shared))
        if not any(weights):
            raise UsageError("All weights of uses are 0, so nothing matters. Give one above 0.")

    @classmethod
    def of(cls, given: Uses | Mapping[str, float] | None) -> Uses | None:
        """Return uses from weights of variables; None if nothing is said."""
        if given is None or isinstance(given, Uses):
            return given
        return cls(variables=dict(given)) if given else None

    @property
    def shared(self) -> Sequence[TableUse | ModelUse]:
        """What matters of several variables at once: tables, then models."""
        return (*self.tables, *self.models)

    @property
    def names(self) -> tuple[str, ...]:
        """All variables that are named."""
        return tuple(dict.fromkeys([*self.variables, *_names_of(self.shared)]))

    def check(self, schema: Schema) -> None:
        """Raise if the file lacks a variable that is named."""
        for name in self.names:
            schema[name]

    def weigh_variables(self, keys: Sequence[str]) -> dict[str, float]:
        """Return how much each variable matters, those that are named and then other keys."""
        others = {key: self.others for key in keys if key not in self.variables}
        return {name: float(value) for name, value in {**self.variables, **others}.items()}

    def weigh_keys(self, keys: Sequence[str]) -> dict[str, float]:
        """Return what each key counts in a search: its own weight, and its share of the rest.

        The weight of a table or a model is shared equally by the variables that it names, be they
        keys or not.

        Raises:
            UsageError: No key counts.
        """
        own = self.weigh_variables(keys)
        weights = {
            key: own[key]
            + sum(use.weight / len(use.names) for use in self.shared if key in use.names)
            for key in keys
        }
        if not any(weights.values()):
            raise UsageError(
                "No use that matters is of a key, so that all plans would be alike. Name a key, or "
                "give keys that are not named a weight (others)."
            )
        return weights


def read_formula(text: str) -> Formula:
    """Return the variables of a formula such as `income ~ age + sex` or `work = yes ~ age`.

    Raises:
        UsageError: It is none.
    """
    left, tilde, right = text.partition("~")
    name, equals, category = (part.strip() for part in left.partition("="))
    terms = [part.strip() for part in right.split("+")]
    sound = tilde and name and all(terms) and len({*terms, name}) > len(terms)
    if not sound or (equals and not category):
        raise UsageError(
            f"{text!r} is no formula. Write it as 'y ~ a + b', or as 'y = category ~ a + b' for "
            "the odds of a category."
        )
    return Formula(outcome=name, category=category if equals else None, terms=tuple(terms))


def _list_names(given: object) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise UsageError("The variables of a table are a list of names.")
    return tuple(given)


def check_weight(weight: float, of: str) -> None:
    """Refuse a weight that makes no sense.

    Args:
        weight: To be checked.
        of: What it is the weight of, in words.
    """
    number = isinstance(weight, int | float) and not isinstance(weight, bool)
    if not number or not 0 <= weight < math.inf:
        raise UsageError(f"The weight of {of} must be a finite number of at least 0.")


def _check_counting(weight: float, of: str) -> None:
    """Refuse the weight of something that needs none if it does not matter."""
    check_weight(weight, of)
    if not weight:
        raise UsageError(f"The weight of {of} is 0. Leave it out, or give it more.")


def _refuse_twice(found: Sequence[object], noun: str) -> None:
    for place, each in enumerate(found, 1):
        if each in found[: place - 1]:
            raise UsageError(f"{noun.capitalize()} {place} is named already. Give it one weight.")


def _names_of(shared: Sequence[TableUse | ModelUse]) -> Iterator[str]:
    for use in shared:
        yield from use.names
