"""Convert vectors of R to columns: factors, labels, dates, missing codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from microsafe.io.column_types import kind_of, normalise_missing
from microsafe.io.r._serial import (
    DOUBLE,
    INTEGER,
    LOGICAL,
    NA_INTEGER,
    TEXT,
    DamagedError,
    RVector,
)
from microsafe.schema import Code, Variable

_NA_INTEGER_64 = -(2**63)
_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896  # years 1 to 9999, from 1970
_DAY = 86_400
_SECONDS = {"secs": 1, "mins": 60, "hours": 3600, "days": _DAY, "weeks": 7 * _DAY}
_MOST_SECONDS = 9e12  # of a duration, so that it can be held in microseconds


def is_column(value: object) -> bool:
    """Tell whether an object can be a variable: a vector of simple values, and no matrix."""
    kinds = (LOGICAL, INTEGER, DOUBLE, TEXT)
    return isinstance(value, RVector) and value.kind in kinds and "dim" not in value.attributes


def make_column(name: str, vector: RVector) -> tuple[Variable, pl.Series]:
    """Return a variable and its values."""
    classes = set(vector.texts("class"))
    variable = Variable(name=name, label=_first(vector.texts("label")))
    if "factor" in classes:
        levels = vector.texts("levels")
        column = _take_levels(vector, levels)
        order = tuple(dict.fromkeys(level for level in levels if level))
        ordered = "ordered" in classes
        variable = replace(variable, order=order, measure="ordinal" if ordered else "nominal")
    else:
        column = _make_values(vector, classes)
    column = column.alias(name)
    column = column.to_frame().select(normalise_missing(name, column.dtype)).to_series()
    variable = replace(variable, kind=kind_of(column.dtype))
    return _add_labels(variable, vector, column.dtype), column


def _first(texts: list[str | None]) -> str:
    return (texts[0] if texts else "") or ""


def _take_levels(vector: RVector, levels: list[str | None]) -> pl.Series:
    codes = vector.values
    if vector.kind != INTEGER:
        raise DamagedError
    places = np.where(codes == NA_INTEGER, 0, codes)
    if ((places < 0) | (places > len(levels))).any():
        raise DamagedError
    return pl.Series([None, *levels], dtype=pl.String).gather(pl.Series(places))


def _make_values(vector: RVector, classes: set[str | None]) -> pl.Series:
    values = vector.values
    if vector.kind == TEXT:
        return pl.Series(values, dtype=pl.String)
    if vector.kind == DOUBLE and "integer64" in classes:
        whole = values.view(np.int64)
        return _drop(pl.Series(whole), whole == _NA_INTEGER_64)
    missing = np.isnan(values) if vector.kind == DOUBLE else values == NA_INTEGER
    if "Date" in classes:
        return _make_dates(values, missing)
    if "POSIXct" in classes:
        return _make_moments(values, missing)
    if "difftime" in classes:
        return _make_durations(vector, missing, clock="hms" in classes)
    if vector.kind == LOGICAL:
        return _drop(pl.Series(values != 0), missing)
    return _drop(pl.Series(values), missing)


def _drop(column: pl.Series, missing: Any) -> pl.Series:
    """Return the column with null where it is missing."""
    if not missing.any():
        return column
    frame = pl.DataFrame({"value": column, "gone": missing})
    return frame.select(pl.when(~pl.col("gone")).then("value")).to_series()


def _make_dates(values: Any, missing: Any) -> pl.Series:
    days = np.floor(np.where(missing, 0, values))
    if ((days < _FIRST_DAY) | (days > _LAST_DAY)).any():
        return _drop(pl.Series(values), missing)  # too far away to be shown: they stay numbers
    return _drop(pl.Series(days.astype(np.int32)).cast(pl.Date), missing)


def _make_moments(values: Any, missing: Any) -> pl.Series:
    seconds = np.where(missing, 0, values)
    if ((seconds < _FIRST_DAY * _DAY) | (seconds >= (_LAST_DAY + 1) * _DAY)).any():
        return _drop(pl.Series(values), missing)
    exact = np.rint(seconds * 1e6).astype(np.int64)
    return _drop(pl.Series(exact).cast(pl.Datetime("us")), missing)


def _make_durations(vector: RVector, missing: Any, *, clock: bool) -> pl.Series:
    unit = _SECONDS.get(_first(vector.texts("units")) or "secs")
    if unit is None:
        raise DamagedError
    seconds = np.where(missing, 0, vector.values) * float(unit)
    if (np.abs(seconds) > _MOST_SECONDS).any():
        return _drop(pl.Series(vector.values), missing)
    exact = np.rint(seconds * 1e6).astype(np.int64)
    if clock and bool(((exact >= 0) & (exact < _DAY * 1_000_000)).all()):
        return _drop((pl.Series(exact) * 1000).cast(pl.Time), missing)
    return _drop(pl.Series(exact).cast(pl.Duration("us")), missing)


def _add_labels(variable: Variable, vector: RVector, dtype: pl.DataType) -> Variable:
    """Add labels of values and missing codes, as the package haven keeps them."""
    labels = vector.attributes.get("labels")
    named: Mapping[Code, str] = {}
    if isinstance(labels, RVector):
        pairs = zip(_list_codes(labels, dtype), labels.texts("names"), strict=False)
        named = {code: label or "" for code, label in pairs if code is not None}
    codes = vector.attributes.get("na_values")
    missing = _list_codes(codes, dtype) if isinstance(codes, RVector) else []
    limits = vector.attributes.get("na_range")
    ranges: tuple[tuple[float, float], ...] = ()
    if isinstance(limits, RVector) and limits.kind in (INTEGER, DOUBLE) and len(limits.values) == 2:
        low, high = (float(limit) for limit in limits.values)
        ranges = ((low, high),) if low <= high else ()
    return replace(
        variable,
        labels=named,
        missing=tuple(code for code in missing if code is not None),
        missing_ranges=ranges,
    )


def _list_codes(vector: RVector, dtype: pl.DataType) -> list[Code | None]:
    """Codes in the type that the values have; None for what is none."""
    if (vector.kind == TEXT) != (dtype == pl.String) or not is_column(vector):
        return []
    if vector.kind == TEXT:
        return list(vector.values)
    codes = vector.values.tolist()
    if vector.kind != DOUBLE:
        return [None if code == NA_INTEGER else code for code in codes]
    whole = dtype.is_integer()
    return [
        None if code != code or (whole and not code.is_integer()) else int(code) if whole else code
        for code in codes
    ]
