"""Convert columns from pandas to Polars and back."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from importlib import import_module
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microsafe.codes import code_text

if TYPE_CHECKING:
    from collections.abc import Sequence


def take_snapshot(frame: Any) -> Any:
    """Return the frame as it is now, whatever its owner does to it later."""
    version = import_module("pandas").__version__
    # From 3 on the owner's frame is copied when it changes, and not before.
    return frame.copy(deep=int(version.partition(".")[0]) < 3)


def column_from_pandas(series: Any) -> pl.Series:
    """Return a pandas series with NaN, NaT, None and NA as null; categories become text."""
    dtype = series.dtype
    if hasattr(dtype, "pyarrow_dtype"):
        column = _from_arrow(series.array.__arrow_array__())
        if column is not None:
            return column
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
    if kind == "m":
        return _with_nulls(pl.Series(series.to_numpy(dtype="timedelta64[us]")), missing)
    return column_from_objects(
        [
            None if is_missing else value
            for value, is_missing in zip(series.tolist(), missing, strict=True)
        ]
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
    if all(issubclass(t, datetime) for t in types) or types in ({date}, {time}, {timedelta}):
        return pl.Series(values)
    return pl.Series([_spell_value(value) for value in values], dtype=pl.String)


def frame_to_pandas(frame: pl.DataFrame, index: Any = None) -> Any:
    """Return a frame of pandas, its rows numbered unless an index labels them."""
    pd: Any = import_module("pandas")
    columns = {column.name: _to_pandas(column, pd) for column in frame}
    return pd.DataFrame(columns, index=pd.RangeIndex(frame.height) if index is None else index)


def _spell_value(value: Any) -> str | None:
    return None if value is None else code_text(value)


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
    plain = column.dtype in (pl.Date, pl.Time)
    return pd.Series(column.to_list(), dtype=object if plain else None).array


def _from_arrow(values: Any) -> pl.Series | None:
    """Return an array of PyArrow, or None if its type is none that survey data have."""
    pa: Any = import_module("pyarrow")  # which the array comes from, so it is there

    dtype = values.type
    if pa.types.is_dictionary(dtype):
        return _from_arrow(values.cast(dtype.value_type))
    if pa.types.is_decimal(dtype):
        values = values.cast(pa.float64())
    elif pa.types.is_date64(dtype):
        values = values.cast(pa.date32())
    column = pl.Series(pl.from_arrow(values))
    if column.dtype.is_float():
        return column.cast(pl.Float64).fill_nan(None)
    if column.dtype.is_integer():
        return column.cast(pl.UInt64 if column.dtype == pl.UInt64 else pl.Int64)
    if isinstance(column.dtype, pl.Datetime) and column.dtype.time_zone:
        return column.dt.convert_time_zone("UTC")
    known = column.dtype in (pl.String, pl.Boolean) or column.dtype.is_temporal()
    return column if known else None


def _categories(series: Any) -> pl.Series:
    codes = series.cat.codes.to_numpy().astype(np.int64)
    names = pl.Series([_spell_value(value) for value in series.cat.categories], dtype=pl.String)
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
