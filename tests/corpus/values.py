"""Values of any library in one form, so that two readers of a file can be compared."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

Columns = dict[str, list[Any]]

_EPOCH = dt.datetime(1970, 1, 1)
_TO_NANO = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


class Moment(NamedTuple):
    """A day or a moment: nanoseconds from 1970, and whether it is known where on earth."""

    nanoseconds: int
    zoned: bool = False


class Clock(NamedTuple):
    """A time of day, in nanoseconds."""

    nanoseconds: int


class Span(NamedTuple):
    """A duration, in nanoseconds."""

    nanoseconds: int


def settle(value: Any) -> Any:
    """Return a value in the form in which readers are compared; None is missing."""
    match value:
        case None | "":
            return None
        case bool() | np.bool_():
            return bool(value)
        case pd.Timestamp():
            if value is pd.NaT:
                return None
            return Moment(_count(value), value.tzinfo is not None)
        case dt.datetime():
            if value is pd.NaT:
                return None
            zoned = value.tzinfo is not None
            plain = value.astimezone(dt.UTC).replace(tzinfo=None) if zoned else value
            return Moment(_nanoseconds(plain - _EPOCH), zoned)
        case dt.date():
            return Moment(_nanoseconds(dt.datetime(value.year, value.month, value.day) - _EPOCH))
        case dt.time():
            seconds = (value.hour * 60 + value.minute) * 60 + value.second
            return Clock((seconds * 10**6 + value.microsecond) * 1000)
        case pd.Timedelta():
            return None if value is pd.NaT else Span(_count(value))
        case dt.timedelta():
            return Span(_nanoseconds(value))
        case float() | np.floating():
            return None if math.isnan(value) else float(value)
        case np.integer():
            return int(value)
        case list() | tuple() if not hasattr(value, "_fields"):
            return tuple(map(settle, value))
        case dict():
            return tuple((key, settle(each)) for key, each in value.items())
    return None if value is pd.NA else value


def _count(value: pd.Timestamp | pd.Timedelta) -> int:
    return int(value.asm8.astype("int64")) * _TO_NANO[value.unit]


def _nanoseconds(span: dt.timedelta) -> int:
    return ((span.days * 86400 + span.seconds) * 10**6 + span.microseconds) * 1000


def settle_columns(columns: Mapping[str, Any]) -> Columns:
    return {name: [settle(each) for each in values] for name, values in columns.items()}


def settle_polars(frame: pl.DataFrame) -> Columns:
    """Python's own moments stop at the microsecond, so these are taken as numbers."""
    return {column.name: _settle_series(column) for column in frame}


def _settle_series(column: pl.Series) -> list[Any]:
    dtype = column.dtype
    if isinstance(dtype, pl.Datetime | pl.Duration):
        times = _TO_NANO[dtype.time_unit]
        zoned = bool(getattr(dtype, "time_zone", None))
        numbers = [None if v is None else v * times for v in column.to_physical()]
        if isinstance(dtype, pl.Datetime):
            return [None if v is None else Moment(v, zoned) for v in numbers]
        return [None if v is None else Span(v) for v in numbers]
    if dtype == pl.Time:
        return [None if v is None else Clock(v) for v in column.to_physical()]
    return [settle(value) for value in column.to_list()]


def settle_arrow(table: pa.Table) -> Columns:
    return {
        name: _settle_array(table.column(place)) for place, name in enumerate(table.column_names)
    }


def _settle_array(column: pa.ChunkedArray) -> list[Any]:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _settle_array(column.cast(kind.value_type))
    made: Any = None
    if pa.types.is_timestamp(kind):
        made = lambda v: Moment(v, kind.tz is not None)  # noqa: E731
    elif pa.types.is_duration(kind):
        made = Span
    elif pa.types.is_time(kind):
        made = Clock
    if made is None:
        return [settle(value) for value in column.to_pylist()]
    numbers = column.cast(pa.int32() if kind.bit_width == 32 else pa.int64()).to_pylist()
    return [None if v is None else made(v * _TO_NANO[kind.unit]) for v in numbers]


def find_difference(seen: Columns, wanted: Columns) -> str:
    """Return where two tables first differ, or nothing. A column without a name may get any."""
    if [name if old else "" for name, old in zip(seen, wanted, strict=False)] != list(wanted):
        return f"names: {list(seen)[:9]} instead of {list(wanted)[:9]}"
    for (name, found), values in zip(seen.items(), wanted.values(), strict=True):
        if len(found) != len(values):
            return f"{name} has {len(found)} records instead of {len(values)}"
        for place, (one, other) in enumerate(zip(found, values, strict=True)):
            if not is_same(one, other):
                return f"{name}, record {place}: {one!r:.200} instead of {other!r:.200}"
    return ""


def is_same(one: Any, other: Any) -> bool:
    """A truth value is no number, and a day is no text; 1 and 1.0 are the same number."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        same_kind = type(one) is type(other) and len(one) == len(other)
        return same_kind and all(map(is_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
