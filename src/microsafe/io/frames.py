"""Data frames as sources: Polars, PyArrow, pandas and what else narwhals knows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import narwhals as nw
import polars as pl
from narwhals import dependencies as is_

from microsafe.errors import InputError, UsageError
from microsafe.io.columns import checked, kind_of, tidied, without_records
from microsafe.io.faults import rephrased
from microsafe.io.pandas import column_from_pandas, frame_to_pandas, snapshot
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
        return _polars(frame, like=lambda made: made)
    if is_.is_pandas_dataframe(frame):
        return _pandas(frame)
    if is_.is_pyarrow_table(frame):
        _refuse_names(frame.column_names)
        with rephrased(NAME, _WHAT, _REMEDY):
            table = nw.from_native(frame, eager_only=True).to_polars()
        return _polars(table, like=lambda made: made.to_arrow())
    raise UsageError(
        f"{type(frame).__name__} is not a data frame that can be read. "
        "Give a pandas, Polars or PyArrow one, or the path of a file."
    )


def _polars(frame: pl.DataFrame | pl.LazyFrame, like: Like) -> Source:
    with rephrased(NAME, _WHAT, _REMEDY):
        # Once for all: a query may give its rows in another order each time, and columns
        # of two runs would not belong together. A clone costs nothing.
        kept = frame.collect() if isinstance(frame, pl.LazyFrame) else frame.clone()
    types = kept.schema

    def load(names: Sequence[str]) -> pl.DataFrame:
        with rephrased(NAME, _WHAT, _REMEDY):
            return kept.select(tidied(name, types[name]) for name in names)

    return _source(types, kept.height, load, like)


def _pandas(given: Any) -> Source:
    _refuse_names(list(given.columns))
    frame = snapshot(given)
    kept: dict[str, pl.Series] = {}

    def column(name: str) -> pl.Series:
        with rephrased(NAME, _WHAT, _REMEDY):
            found = kept[name] if name in kept else column_from_pandas(frame[name])
            return found.alias(name).to_frame().select(tidied(name, found.dtype)).to_series()

    types: dict[str, pl.DataType] = {}
    for name in frame.columns:
        if frame[name].dtype == object:
            # Only the values tell what an object column holds; having looked, keep them.
            kept[name] = column(name)
            types[name] = kept[name].dtype
        else:
            types[name] = column_from_pandas(frame[name].iloc[:0]).dtype

    def load(names: Sequence[str]) -> pl.DataFrame:
        return pl.DataFrame([column(name) for name in names])

    def like(made: pl.DataFrame) -> object:
        return frame_to_pandas(made, frame)

    def like_records(made: pl.DataFrame) -> object:
        aligned = made.height == len(frame)
        return frame_to_pandas(made, frame, index=frame.index if aligned else None)

    return replace(_source(types, len(frame), load, like), like_records=like_records)


def _source(
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
        raise without_records(NAME)
    return Source(schema=schema, load=checked(schema, load), columnar=True, like=like)


def _refuse_names(names: Sequence[object]) -> None:
    """Refuse columns that no verb could name, before a frame is made of them."""
    for position, name in enumerate(names, start=1):
        if not isinstance(name, str):
            raise InputError(
                f"{NAME} has a column name that is not text in column {position}. "
                "Rename the column to a text."
            )
    Schema(source=NAME, variables=tuple(Variable(name=str(name)) for name in names))
