"""Apply declarations of variables to the data, alike in every engine.

Values change in one case only: texts or numbers that are declared numbers or dates are parsed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

import numpy as np
import polars as pl

from microsafe.codes import PLAIN_NUMBER, find_missing_words, spell_code
from microsafe.engine.contract import Engine
from microsafe.engine.transformations import ParsedNumbers, Transformation
from microsafe.errors import InputError, TooManyCellsError
from microsafe.options.declaration import Declaration, Declarations, DeclaredRole
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.schema import Code, Kind, Measure, Role, Variable, number_in
from microsafe.variables.traits import SHAPES, Traits

ISO_DATE = "%Y-%m-%d"
_NUMBERS = ("integer", "number")
_DIGITS = 15  # of a number that floating-point numbers keep
_WORDS = 100  # different texts among numbers, from which they are no words for missing
_ROLES: Mapping[DeclaredRole, Role] = {
    "key": "key",
    "geography": "key",
    "weight": "weight",
    "household": "household",
    "identifier": "identifier",
    "id": "identifier",
    "sensitive": "other",
    "stratum": "other",
    "other": "other",
}


def declare_variables(engine: Engine, declarations: Declarations) -> Engine:
    """Return an engine whose variables are what they are declared to be.

    Args:
        engine: The data as they were read.
        declarations: By name of the variable.

    Raises:
        UnknownVariableError: A variable is not there.
        InputError: Values are not what they are declared to be; some engines find that when the
            variable is first used.
    """
    described: list[Variable] = []
    changes: list[Transformation] = []
    for name, declaration in declarations.items():
        variable = engine.schema[name]
        for other in declaration.linked:
            engine.schema[other]
        rule = _find_parser(variable, declaration)
        if rule is None:
            described.append(describe_as(variable, declaration))
        else:
            changes.append(_parse_variable(variable, declaration, rule))
    if described:
        engine = engine.redefine_variables(described)
    for change in changes:
        engine = engine.transform_variable(change)
    return engine


def describe_as(variable: Variable, declaration: Declaration) -> Variable:
    """Return what is known of a variable once something is said of it; its values stay."""
    kind = variable.kind
    declared = (
        variable.missing if declaration.missing is None else type_codes(declaration.missing, kind)
    )
    return replace(
        variable,
        label=_label(variable, declaration),
        measure=_measure(variable, declaration),
        labels={
            code: label
            for declared_code, label in {**variable.labels, **declaration.labels}.items()
            for code in type_codes((declared_code,), kind)
        },
        order=type_codes(declaration.order, kind) or variable.order,
        missing=declared,
        missing_ranges=variable.missing_ranges if declaration.missing is None else (),
        decimals=variable.decimals if declaration.decimals is None else declaration.decimals,
        role=variable.role if declaration.role is None else _ROLES[declaration.role],
    )


def type_codes(codes: Iterable[Code], kind: Kind) -> tuple[Code, ...]:
    """Return codes as values of a kind have them; those that it cannot have are left out."""
    texts = [spell_code(code) for code in codes]
    if kind not in _NUMBERS:
        return tuple(texts)
    numbers = [n for text in texts if (n := number_in(text)) is not None and math.isfinite(n)]
    if kind == "number":
        return tuple(numbers)
    return tuple(int(number) for number in numbers if number.is_integer())


def type_plain_numbers(engine: Engine, names: Iterable[str]) -> tuple[Engine, tuple[str, ...]]:
    """Return an engine in which texts that are nothing but plain numbers are numbers, and which.

    No zeros before a number, which codes have, and no more digits than numbers keep.

    Args:
        engine: The data, whatever was done to them.
        names: Variables that may become numbers.
    """
    typed = []
    for name in names:
        before = engine.schema[name]
        if before.kind != "text":
            continue
        try:
            known = as_column(engine.categories(name)).str.strip_chars()
        except TooManyCellsError:
            continue
        digits = known.str.replace_all("[-.]", "").str.len_chars()
        if not len(known) or not (known.str.contains(PLAIN_NUMBER) & (digits <= _DIGITS)).all():
            continue
        kind: Kind = "number" if known.str.contains(".", literal=True).any() else "integer"
        stored = replace(
            before, kind=kind, order=type_codes(before.order, kind), width=None, format="", extra={}
        )
        after = describe_as(stored, Declaration(missing=before.missing))
        change = Transformation(rule=ParsedNumbers(), before=before, after=after)
        engine = engine.transform_variable(change)
        typed.append(name)
    return engine, tuple(typed)


def find_words(
    engine: Engine,
    names: Iterable[str] | None = None,
    *,
    decimal: str = "",
    thousands: str = "",
    progress: Progress = silent,
) -> Mapping[str, tuple[str, ...]]:
    """Return the words for missing in variables of text that hold numbers otherwise.

    Args:
        engine: The data.
        names: Which variables to look at; all if None.
        decimal: Decimal mark of the file, if it is given.
        thousands: Its thousands mark, likewise.
        progress: Progress callback.
    """
    missing_words = {}
    rule = (
        ParsedNumbers(decimal=decimal or ".", thousands=thousands) if decimal or thousands else None
    )
    wanted = None if names is None else list(names)
    for traits in engine.traits(wanted, progress=progress):
        numbers, plain = traits.shapes.get("number", 0), traits.all_numbers
        unlike = rule is None and 2 * numbers < traits.looked
        if engine.schema[traits.name].kind != "text" or plain or unlike or not traits.looked:
            continue
        known = as_column(engine.categories(traits.name))
        shaped = rule.parse(known).is_not_null() if rule else known.str.contains(SHAPES["number"])
        odd = known.filter(~shaped) if shaped.any() else known.clear()
        if 0 < len(odd) < _WORDS and (words := find_missing_words([*odd, "0"])):
            missing_words[traits.name] = words
    return missing_words


def count_kinds(
    engine: Engine, traits: Iterable[Traits], *, progress: Progress = silent
) -> Mapping[str, tuple[int, int]]:
    """Return how many records have a number, and how many another text, by variable of text.

    Only variables of mixed kinds, at least half of which are numbers.

    Args:
        engine: The data.
        traits: What values look like.
        progress: Progress callback.
    """
    counts = {}
    for trait in traits:
        numbers, plain = trait.shapes.get("number", 0), trait.all_numbers
        if engine.schema[trait.name].kind != "text" or plain or not numbers:
            continue
        try:
            cells = engine.cells(Scenario(keys=(trait.name,)), progress=progress)
        except TooManyCellsError:
            continue
        shaped = as_column(cells.categories[0]).str.strip_chars().str.contains(SHAPES["number"])
        records = np.bincount(cells.codes[0], cells.count, len(shaped) + 1)[1:]
        numeric = int(records[shaped.to_numpy()].sum())
        if 0 < (others := int(records.sum()) - numeric) <= numeric:
            counts[trait.name] = (numeric, others)
    return counts


def find_marked_numbers(
    engine: Engine, decimal: str, thousands: str, *, progress: Progress = silent
) -> tuple[str, ...]:
    """Return the variables of text that hold nothing but numbers, some with one of the marks.

    Args:
        engine: The data.
        decimal: Decimal mark of the file.
        thousands: Its thousands mark.
        progress: Progress callback.
    """
    rule = ParsedNumbers(decimal=decimal or ".", thousands=thousands)
    marks = [mark for mark in (decimal, thousands) if mark]
    names = []
    for summary in engine.describe(progress=progress):
        if summary.kind != "text" or not summary.distinct:
            continue
        known = as_column(engine.categories(summary.name))
        marked = known.str.contains_any(marks).any()
        if marked and not rule.parse(known).null_count():
            names.append(summary.name)
    return tuple(names)


def as_column(categories: object) -> pl.Series:
    """Categories as a column, which they are already if there are many."""
    if isinstance(categories, pl.Series):
        return categories
    return pl.Series(list(cast("Iterable[str]", categories)), dtype=pl.String)


def _find_parser(variable: Variable, declaration: Declaration) -> ParsedNumbers | None:
    """Return how values are parsed, if they are not yet what is said of them."""
    name, kind = variable.name, variable.kind
    if declaration.type == "number" and kind not in _NUMBERS:
        if kind != "text":
            raise InputError(f"{name!r} holds a {kind}, which is no number. Declare another type.")
        return ParsedNumbers(decimal=declaration.decimal or ".", thousands=declaration.thousands)
    if declaration.type == "date" and kind != "date":
        if kind not in ("text", *_NUMBERS):
            raise InputError(f"{name!r} holds a {kind}, which is no date. Declare another type.")
        return ParsedNumbers(dates=declaration.dates or ISO_DATE)
    return None


def _parse_variable(
    variable: Variable, declaration: Declaration, rule: ParsedNumbers
) -> Transformation:
    before = describe_as(variable, declaration)
    kind: Kind = "date" if rule.dates else "integer" if declaration.decimals == 0 else "number"
    # What was said of storage and display held for texts.
    after = replace(variable, kind=kind, missing=(), labels={}, width=None, format="", extra={})
    codes = variable.missing if declaration.missing is None else declaration.missing
    after = replace(
        describe_as(after, declaration),
        missing=() if rule.dates else type_codes(codes, kind),
        missing_ranges=(),
    )
    return Transformation(rule=rule, before=before, after=after)


def _label(variable: Variable, declaration: Declaration) -> str:
    label = variable.label if declaration.label is None else declaration.label
    if not declaration.unit or declaration.unit in label:
        return label
    return f"{label or variable.name} ({declaration.unit})"


def _measure(variable: Variable, declaration: Declaration) -> Measure:
    if declaration.order:
        return "ordinal"
    if declaration.type == "number":
        return "scale"
    if declaration.type == "category" and variable.measure not in ("nominal", "ordinal"):
        return "nominal"
    return variable.measure
