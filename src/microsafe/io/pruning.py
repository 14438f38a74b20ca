"""Cut down metadata of a file to what its values need.

A label, or a missing code, of a category that nobody has any more tells what was suppressed or
recoded. It is looked for in the values as they are written, once for all formats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import polars as pl

from microsafe.codes import spell_code
from microsafe.schema import number_in

if TYPE_CHECKING:
    from microsafe.schema import Code, Schema, Variable


@dataclass(slots=True, kw_only=True)
class _CodesInUse:
    """What was seen of a variable: codes by their spelling, ranges by their place, gaps."""

    codes: set[str] = field(default_factory=set)
    ranges: set[int] = field(default_factory=set)
    gaps: bool = False


def prune_schema(
    schema: Schema,
    batches: Callable[[], Iterator[pl.DataFrame]],
    *,
    blanks: Mapping[str, Code],
    notes: bool,
    fills_gaps: bool,
) -> Schema:
    """Return what is known of the variables without categories that do not occur.

    Args:
        schema: All that is known.
        batches: Goes through the values as they are written.
        blanks: By variable, the code that stands for null.
        notes: Whether notes stay.
        fills_gaps: Whether the format writes the first missing code for null.
    """
    coded = [v for v in schema if is_coded(v)]
    seen = {variable.name: _CodesInUse() for variable in coded}
    for frame in batches() if coded else ():  # most often nothing is to be looked for
        for variable in coded:
            _look_at(frame[variable.name], variable, seen[variable.name])
    variables = []
    for variable in schema:
        if variable.name in seen:
            occurring = seen[variable.name]
            if variable.name in blanks:
                occurring.codes.add(spell_code(blanks[variable.name]))
            variable = _prune(variable, occurring, notes=notes, fills_gaps=fills_gaps)
        variables.append(variable)
    return replace(schema, variables=tuple(variables), notes=schema.notes if notes else ())


def is_coded(variable: Variable) -> bool:
    """Tell whether more is known of a variable than its values need."""
    known = (variable.labels, variable.order, variable.missing, variable.missing_ranges)
    return any(known) or bool(variable.extra)


def _look_at(column: pl.Series, variable: Variable, seen: _CodesInUse) -> None:
    seen.gaps = seen.gaps or column.null_count() > 0
    known = (*variable.labels, *variable.order, *variable.missing)
    codes = {spell_code(code) for code in known} - seen.codes
    if column.dtype == pl.String:
        texts = column.str.strip_chars()
        seen.codes |= set(texts.filter(texts.is_in(list(codes))).unique())
        return
    if not column.dtype.is_numeric() and column.dtype != pl.Boolean:
        seen.codes |= codes  # dates and the like: their codes are spelled in too many ways
        return
    numbers = {code: number for code in codes if (number := number_in(code)) is not None}
    values = column.cast(pl.Float64)
    there = set(values.filter(values.is_in(list(numbers.values()))).unique())
    seen.codes |= {code for code, number in numbers.items() if number in there}
    for place, (low, high) in enumerate(variable.missing_ranges):
        if place not in seen.ranges and values.is_between(low, high).any():
            seen.ranges.add(place)


def _prune(variable: Variable, seen: _CodesInUse, *, notes: bool, fills_gaps: bool) -> Variable:
    missing = [
        code
        for place, code in enumerate(variable.missing)
        if spell_code(code) in seen.codes or (fills_gaps and seen.gaps and not place)
    ]
    kept = seen.codes | {spell_code(code) for code in missing}
    gone = {*(() if notes else ("table",)), *(() if seen.gaps else ("missing",))}
    return replace(
        variable,
        labels={c: label for c, label in variable.labels.items() if spell_code(c) in kept},
        order=tuple(code for code in variable.order if spell_code(code) in kept),
        missing=tuple(missing),
        missing_ranges=tuple(
            range_ for place, range_ in enumerate(variable.missing_ranges) if place in seen.ranges
        ),
        extra={name: value for name, value in variable.extra.items() if name not in gone},
    )
