"""Data frames as sources: Polars, PyArrow, pandas."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeGuard

import polars as pl

from microsafe.errors import InputError, UsageError
from microsafe.io.column_types import (
    guard_load,
    kind_of,
    narrow_integers,
    no_records_error,
    normalise_missing,
)
from microsafe.io.pandas import column_from_pandas, frame_to_pandas, take_snapshot
from microsafe.io.reader.faults import translate_read_errors
from microsafe.io.source import Like, Source
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

NAME = "the data frame"
_WHAT = "a table of records"
_REMEDY = "Convert its columns to numbers, text or dates first."


def read_frame(frame: object) -> Source:
    """Use a data frame as it is now; nothing in it changes, nor is a later change seen.

    Args:
        frame: pandas, Polars (eager or lazy) or PyArrow.

    Raises:
        UsageError: It is no data frame.
        InputError: It has no records, or names that cannot be told apart.
    """
    if isinstance(frame, (pl.DataFrame, pl.LazyFrame)):
        return _open_polars(frame, like=lambda result: result)
    if _is_a(frame, "pandas", "DataFrame"):
        return _open_pandas(frame)
    if _is_a(frame, "pyarrow", "Table"):
        _refuse_names(frame.column_names)
        with translate_read_errors(NAME, _WHAT, _REMEDY):
            table = pl.DataFrame(pl.from_arrow(frame))
        return _open_polars(table, like=lambda result: result.to_arrow())
    raise UsageError(
        f"{type(frame).__name__} is not a data frame that can be read. "
        "Give a pandas, Polars or PyArrow frame, or the path of a file."
    )


def _is_a(frame: object, library: str, name: str) -> TypeGuard[Any]:
    """Tell whether a frame is of a library's class, without importing the library."""
    loaded = sys.modules.get(library)  # whoever has such a frame has imported it
    return loaded is not None and isinstance(frame, getattr(loaded, name))


def _open_polars(frame: pl.DataFrame | pl.LazyFrame, like: Like) -> Source:
    with translate_read_errors(NAME, _WHAT, _REMEDY):
        # Once for all: a query may give its rows in another order each time, and columns
        # of two runs would not belong together. A clone costs nothing.
        snapshot = frame.collect() if isinstance(frame, pl.LazyFrame) else frame.clone()
    types = snapshot.schema

    def load(names: Sequence[str]) -> pl.DataFrame:
        with translate_read_errors(NAME, _WHAT, _REMEDY):
            frame = snapshot.select(normalise_missing(name, types[name]) for name in names)
            return narrow_integers(frame, NAME)

    return _make_source(types, snapshot.height, load, like)


def _open_pandas(original: Any) -> Source:
    _refuse_names(list(original.columns))
    frame = take_snapshot(original)
    converted: dict[str, pl.Series] = {}

    def column(name: str) -> pl.Series:
        with translate_read_errors(NAME, _WHAT, _REMEDY):
            series = converted[name] if name in converted else column_from_pandas(frame[name])
            return (
                series.alias(name)
                .to_frame()
                .select(normalise_missing(name, series.dtype))
                .to_series()
            )

    types: dict[str, pl.DataType] = {}
    for name in frame.columns:
        if frame[name].dtype == object:
            # Only the values tell what an object column holds; having looked, keep them.
            converted[name] = column(name)
            types[name] = converted[name].dtype
        else:
            types[name] = column_from_pandas(frame[name].iloc[:0]).dtype

    def load(names: Sequence[str]) -> pl.DataFrame:
        return pl.DataFrame([column(name) for name in names])

    def like(result: pl.DataFrame) -> object:
        return frame_to_pandas(result)

    def like_records(result: pl.DataFrame) -> object:
        aligned = result.height == len(frame)
        return frame_to_pandas(result, index=frame.index if aligned else None)

    def like_sample(result: pl.DataFrame, places: pl.Series) -> object:
        return frame_to_pandas(result, index=frame.index.take(places.to_numpy()))

    return replace(
        _make_source(types, len(frame), load, like),
        like_records=like_records,
        like_sample=like_sample,
    )


def _make_source(
    types: Mapping[str, pl.DataType],
    records: int,
    load: Callable[[Sequence[str]], pl.DataFrame],
    like: Like,
) -> Source:
    schema = Schema(
        source=NAME,
        variables=tuple(Variable(name=name, kind=kind_of(t)) for name, t in types.items()),
    )
    if not records:
        raise no_records_error(NAME)
    return Source(schema=schema, load=guard_load(schema, load), columnar=True, like=like)


def _refuse_names(names: Sequence[object]) -> None:
    """Refuse columns that no verb could name, before a frame is made of them."""
    for position, name in enumerate(names, start=1):
        if not isinstance(name, str):
            raise InputError(
                f"{NAME} has a column name that is not text in column {position}. "
                "Give the column a name that is text."
            )
    Schema(source=NAME, variables=tuple(Variable(name=str(name)) for name in names))
