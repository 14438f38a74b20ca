"""Columns of pandas to Polars and back, without PyArrow, which need not be installed."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence


def column_from_pandas(series: Any) -> pl.Series:
    """Return a pandas series with NaN, NaT, None and NA as null; categories become text."""
    dtype = series.dtype
    missing = series.isna().to_numpy()
    if hasattr(dtype, "categories"):
        return _categories(series)
    kind = getattr(dtype, "kind", "O")
    if kind in "iub":
        blank = False if kind == "b" else 0
        plain = {"i": "int64", "u": "uint64", "b": "bool"}[kind]
        values = (
            series.fillna(blank).to_numpy(dtype=plain) if missing.any() else series.to_numpy(plain)
        )
        return _with_nulls(pl.Series(values), missing)
    if kind == "f":
        return pl.Series(series.to_numpy(dtype="float64", na_value=np.nan)).fill_nan(None)
    if kind == "M":
        zone = getattr(dtype, "tz", None)
        if zone is not None:
            series = series.dt.tz_convert("UTC").dt.tz_localize(None)
        moments = series.to_numpy(dtype="datetime64[us]")
        column = _with_nulls(pl.Series(moments), missing)
        return column if zone is None else column.dt.replace_time_zone("UTC")
    return column_from_objects(
        [None if gone else value for value, gone in zip(series.tolist(), missing, strict=True)]
    )


def column_from_objects(values: Sequence[Any]) -> pl.Series:
    """Return Python objects as the narrowest column that holds them all, text if need be."""
    types = {type(value) for value in values if value is not None}
    if all(issubclass(t, str) for t in types):
        return pl.Series(values, dtype=pl.String, strict=False)
    if types <= {bool, np.bool_}:
        return pl.Series([None if v is None else bool(v) for v in values], dtype=pl.Boolean)
    if not types & {bool, np.bool_}:
        if all(issubclass(t, Integral) for t in types):
            return _integers([None if v is None else int(v) for v in values])
        if all(issubclass(t, (Real, Decimal)) for t in types):
            return pl.Series([None if v is None else float(v) for v in values], dtype=pl.Float64)
    if all(issubclass(t, datetime) for t in types) or types == {date}:
        return pl.Series(values)
    return pl.Series([as_text(value) for value in values], dtype=pl.String)


def frame_to_pandas(frame: pl.DataFrame, original: Any) -> Any:
    """Return a frame as pandas, with the index of the original if row stands for row."""
    pd = nw.get_native_namespace(original)
    made = {column.name: _to_pandas(column, pd) for column in frame}
    aligned = len(original) == frame.height
    return pd.DataFrame(made, index=original.index if aligned else pd.RangeIndex(frame.height))


def as_text(value: object) -> str | None:
    """Return a value as text; a number that is whole has no decimal point."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return None if value is None else str(value)


def _to_pandas(column: pl.Series, pd: Any) -> Any:
    if column.dtype.is_integer() and column.null_count() and column.dtype != pl.Int128:
        # As floating point the codes 1 and 2 would turn into 1.0 and 2.0.
        return pd.array(column.to_list(), dtype="UInt64" if column.dtype == pl.UInt64 else "Int64")
    if column.dtype == pl.Boolean and column.null_count():
        return pd.array(column.to_list(), dtype="boolean")
    if column.dtype.is_float():
        return column.to_numpy()
    if column.dtype.is_numeric() and not column.null_count() and not column.dtype.is_decimal():
        return column.to_numpy()
    if column.dtype == pl.String:
        return pd.array(column.to_list(), dtype=pd.Series([""]).dtype)
    return pd.Series(column.to_list(), dtype=object if column.dtype == pl.Date else None).array


def _categories(series: Any) -> pl.Series:
    codes = series.cat.codes.to_numpy().astype(np.int64)
    names = pl.Series([as_text(value) for value in series.cat.categories], dtype=pl.String)
    positions = (
        pl.Series(codes).to_frame("code").select(pl.when(pl.col("code") >= 0).then(pl.col("code")))
    )
    return names.gather(positions.to_series())


def _integers(values: list[int | None]) -> pl.Series:
    try:
        return pl.Series(values, dtype=pl.Int64)
    except (OverflowError, TypeError, pl.exceptions.PolarsError):
        # Too long for a number: such a thing is an identifier, and text keeps every digit.
        return pl.Series([None if v is None else str(v) for v in values], dtype=pl.String)


def _with_nulls(column: pl.Series, missing: Any) -> pl.Series:
    if not missing.any():
        return column
    return column.to_frame("x").select(pl.when(~pl.Series(missing)).then("x")).to_series()
