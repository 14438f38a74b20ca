"""The calendar of SAS, in which the years 4000 and 8000 have no leap day.

ReadStat counts them, so that 31DEC9999, which often stands for "never", comes two days early.
"""

from __future__ import annotations

import datetime as dt

import polars as pl

_PER_DAY = {"ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
LEAP_DAYS = (dt.date(4000, 2, 29), dt.date(8000, 2, 29))


def to_gregorian(column: pl.Series) -> pl.Series:
    """Return dates or moments as SAS shows them, given what they are by counting all leap days."""
    # By that count, what SAS calls 1 March lies as many days early as leap days were left out.
    starts = (day - dt.timedelta(days=gone) for gone, day in enumerate(LEAP_DAYS))
    return _shift(column, [(start, 1) for start in starts])


def from_gregorian(column: pl.Series) -> pl.Series:
    """Return dates or moments such that counting all leap days gives the number of SAS.

    They must not lie on a day that SAS does not know.
    """
    return _shift(column, [(day, -1) for day in LEAP_DAYS])


def is_unknown(column: pl.Series) -> bool:
    """Tell whether some date or moment lies on a day that SAS does not know."""
    return column.cast(pl.Date).is_in(LEAP_DAYS).any()


def _shift(column: pl.Series, shifts: list[tuple[dt.date, int]]) -> pl.Series:
    dtype = column.dtype
    if dtype != pl.Date and dtype != pl.Datetime:
        return column
    days = column.cast(pl.Date)
    moved = sum(
        ((days >= start).cast(pl.Int64) * by for start, by in shifts), 0 * days.cast(pl.Int64)
    )
    per_day = _PER_DAY[dtype.time_unit] if isinstance(dtype, pl.Datetime) else 1
    return (column.to_physical().cast(pl.Int64) + moved * per_day).cast(dtype)
