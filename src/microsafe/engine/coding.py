"""Turning the values of a variable into small whole numbers, once per study."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.cells import Codes, Index
from microsafe.errors import InputError
from microsafe.schema import Variable
from microsafe.sums import Floats

_NATURAL_UP_TO = 100_000  # categories; beyond that nobody reads them in order


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coded:
    """A variable as codes: 0 is missing, code c is `categories[c - 1]`."""

    codes: Codes
    categories: Sequence[str]


def coded(values: pl.Series, variable: Variable, *, source: str) -> Coded:
    """Code a variable; categories are in natural order, whatever the order of the rows."""
    kind = values.dtype
    if kind.is_float():
        values = values.fill_nan(None)
        if _whole(values):
            values = values.cast(pl.Int64)
            kind = values.dtype
    if kind.is_integer():
        return _from_numbers(values, variable)
    if kind.is_float():
        return _from_numbers(values, variable)
    if kind == pl.String or isinstance(kind, pl.Categorical | pl.Enum):
        return _from_text(values, variable)
    if kind in (pl.Boolean, pl.Null) or kind.is_temporal() or kind.is_decimal():
        try:
            return _from_text(values.cast(pl.String), variable)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
            fault = "values that have no text, such as dates beyond the calendar or durations"
    else:
        fault = "lists or other compound values, which cannot be compared"
    raise InputError(f"Variable {variable.name!r} of {source} holds {fault}. Leave it out.")


def numeric(values: pl.Series, variable: Variable, *, source: str) -> Floats:
    """Return a variable as numbers; missing, unknown and not-a-number are NaN."""
    if values.dtype == pl.String:
        values = _parsed(values, variable, source=source)
    elif not (values.dtype.is_numeric() or values.dtype == pl.Null):
        raise InputError(f"Variable {variable.name!r} of {source} does not hold numbers.")
    numbers = values.cast(pl.Float64).fill_null(math.nan).to_numpy().copy()
    numbers[_declared_missing(numbers, variable)] = math.nan
    return numbers


def _parsed(values: pl.Series, variable: Variable, *, source: str) -> pl.Series:
    text = values.str.strip_chars().replace("", None)
    declared = [code for code in variable.missing if isinstance(code, str)]
    text = pl.select(pl.when(~text.is_in(declared)).then(text)).to_series()
    if not text.str.contains(".", literal=True).any():
        commas = text.filter(text.str.contains(",", literal=True))
        if len(commas) and commas.str.contains(r"^[-+]?\d{1,3}(,\d{3})+$").all():
            raise InputError(
                f"Variable {variable.name!r} of {source} holds commas that may part thousands or "
                "decimals. Write its numbers with a decimal point and nothing else."
            )
        text = text.str.replace(",", ".", literal=True)  # a decimal comma
    numbers = text.cast(pl.Float64, strict=False)
    wrong = numbers.null_count() - text.null_count()
    if wrong:
        raise InputError(
            f"Variable {variable.name!r} of {source} holds text instead of a number in "
            f"{wrong:,} records. Correct them, or declare what stands for missing (--na)."
        )
    return numbers


def _whole(values: pl.Series) -> bool:
    test = pl.col("v").is_null() | (
        (pl.col("v") == pl.col("v").floor()) & (pl.col("v").abs() < 2**53)
    )
    return bool(values.alias("v").to_frame().select(test.all()).item())


def _from_text(values: pl.Series, variable: Variable) -> Coded:
    # A dictionary of its own for each variable: the shared one would grow without bound.
    places = values.cast(pl.String).cast(pl.Categorical(pl.Categories.random())).to_physical()
    last = int(cast(int, places.max()) if places.null_count() < len(places) else -1)
    ranks = places.fill_null(last + 1).to_numpy()
    row_of = _row_of_each(ranks, last + 1)
    seen = np.flatnonzero(row_of >= 0)
    texts = values.gather(row_of[seen]).cast(pl.String)
    missing = ["", *(str(code).strip() for code in variable.missing)]  # blanks say nothing
    kept = (~texts.str.strip_chars().is_in(missing)).to_numpy()
    order = np.flatnonzero(kept)[_natural_order(texts.filter(kept))]
    new = np.zeros(last + 2, np.int64)
    new[seen[order]] = np.arange(1, len(order) + 1)
    categories = cast(Sequence[str], texts.gather(order))
    return Coded(codes=_take(new, ranks, len(order)), categories=categories)


def _row_of_each(numbers: NDArray[np.uint32], size: int) -> Index:
    """For each number below `size` a row that has it, or -1. The first rows have most."""
    rows = 1 << 14
    while True:
        row_of = np.full(size + 1, -1, np.intp)
        first = numbers[:rows]
        row_of[first] = np.arange(len(first))
        if rows >= len(numbers) or bool(np.all(row_of[:size] >= 0)):
            return row_of[:size]
        rows *= 8


def _from_numbers(values: pl.Series, variable: Variable) -> Coded:
    distinct = values.drop_nulls().unique().sort()
    kept = ~_declared_missing(distinct.to_numpy().astype(np.float64), variable)
    new = np.concatenate([[0], np.where(kept, np.cumsum(kept), 0)])
    labels = distinct.filter(pl.Series(kept)).to_list()
    text = [repr(each) if isinstance(each, float) else str(each) for each in labels]
    return Coded(codes=_take(new, _ranks(values, distinct), len(text)), categories=text)


def _ranks(values: pl.Series, distinct: pl.Series) -> NDArray[np.int64]:
    """Place of each value among the distinct ones, from 1; 0 if it is missing."""
    if values.dtype.is_integer() and len(distinct):
        low, high = int(distinct[0]), int(distinct[-1])
        # A table from value to place beats sorting. Narrow types must be widened first: their
        # differences wrap around.
        if high - low < 4 * len(values) and -(2**62) < low <= high < 2**62:
            table = np.zeros(high - low + 2, np.int64)
            table[distinct.cast(pl.Int64).to_numpy() - low + 1] = np.arange(1, len(distinct) + 1)
            places = values.cast(pl.Int64).fill_null(low - 1).to_numpy()
            ranks: NDArray[np.int64] = table[places - low + 1]
            return ranks
    return values.rank("dense").cast(pl.Int64).fill_null(0).to_numpy()


def _natural_order(texts: pl.Series) -> Index:
    """Order of the categories: by number if all are whole numbers, otherwise by text."""
    if len(texts) > _NATURAL_UP_TO or not texts.str.contains(r"^\s*-?[0-9]{1,18}\s*$").all():
        return texts.arg_sort().to_numpy().astype(np.intp)
    numbers = texts.str.strip_chars().cast(pl.Int64)
    frame = pl.DataFrame({"number": numbers, "text": texts}).with_row_index("place")
    return frame.sort("number", "text")["place"].to_numpy().astype(np.intp)


def _take(codes: NDArray[np.int64], places: NDArray[Any], largest: int) -> Codes:
    """Return the codes at some places, in as few bytes as they need."""
    small = next(d for d in (np.uint8, np.uint16, np.uint32) if largest <= np.iinfo(d).max)
    # Places are in range; "clip" only saves numpy the check.
    return np.take(codes.astype(small), places, mode="clip")


def _declared_missing(numbers: Floats, variable: Variable) -> NDArray[np.bool_]:
    codes = [float(code) for code in variable.missing if isinstance(code, int | float)]
    result = np.isin(numbers, codes)
    for low, high in variable.missing_ranges:
        result |= (numbers >= low) & (numbers <= high)
    return result
