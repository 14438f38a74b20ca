"""Worksheets: Excel and OpenDocument."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import polars as pl

from microsafe.errors import InputError, did_you_mean
from microsafe.io.columns import checked, kind_of, tidied, without_records
from microsafe.io.faults import rephrased
from microsafe.io.source import Source
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_REMEDY = "It may be damaged or protected by a password, so save it again without one."
_EXACT = float(2**53)
_TOP = 100

# It reports each empty column there; without a handler Python prints that on the screen.
logging.getLogger("fastexcel").addHandler(logging.NullHandler())


def read(path: Path, *, sheet: str | None = None) -> Source:
    """Open a worksheet, the first one unless named; its first row names the variables."""
    header, frame = _cells(path, sheet)
    frame = _named(path.name, header, frame)
    schema = Schema(
        source=path.name,
        variables=tuple(Variable(name=n, kind=kind_of(t)) for n, t in frame.schema.items()),
    )
    if not frame.height:
        raise without_records(path.name)

    def load(names: Sequence[str]) -> pl.DataFrame:
        return frame.select(names)

    return Source(schema=schema, load=checked(schema, load), columnar=True)


def _cells(path: Path, sheet: str | None) -> tuple[list[str], pl.DataFrame]:
    """Return the first row as text and the rows below it, columns named by position."""
    import fastexcel

    with rephrased(path.name, "a workbook", _REMEDY):
        book = fastexcel.read_excel(path)
        if sheet is not None and sheet not in book.sheet_names:
            raise InputError(
                f"{path.name} has no sheet {sheet!r}.{did_you_mean(sheet, book.sheet_names)}"
            )
        chosen = 0 if sheet is None else sheet
        top = book.load_sheet(
            chosen, header_row=None, skip_rows=0, n_rows=_TOP, dtypes="string"
        ).to_polars()
        # Sheets may begin with empty rows; the names stand in the first that is not.
        first = next((i for i, row in enumerate(top.rows()) if any(row)), None)
        if first is None:
            raise InputError(
                f"{path.name} has nothing on the sheet that was read. "
                "Name the sheet that holds the data."
            )
        body = book.load_sheet(
            chosen,
            header_row=None,
            skip_rows=first + 1,
            schema_sample_rows=None,
            skip_whitespace_tail_rows=True,
        ).to_polars()
    header = [(cell or "").strip() for cell in top.row(first)]
    return header, body.rename(dict(zip(body.columns, map(str, range(body.width)), strict=True)))


def _named(source: str, header: list[str], body: pl.DataFrame) -> pl.DataFrame:
    """Return the rows under the names of the variables, without empty columns at no name."""
    columns: list[pl.Series] = []
    for position, name in enumerate(header):
        column = body[str(position)] if position < body.width else pl.Series([None] * body.height)
        if not name:
            if column.null_count() == column.len():
                continue
            raise InputError(
                f"{source} has no name for the variable in column {position + 1}. "
                "Give it one in the first row."
            )
        columns.append(_settled(column).alias(name))
    if not columns:
        raise InputError(f"{source} has no names of variables in its first row. Put them there.")
    # Schema would refuse a name that occurs twice, but a frame cannot even be made of them.
    Schema(source=source, variables=tuple(Variable(name=c.name) for c in columns))
    return pl.DataFrame(columns)


def _settled(column: pl.Series) -> pl.Series:
    """Return the column without empty text, and integral numbers as integers."""
    column = column.to_frame("x").select(tidied("x", column.dtype)).to_series()
    if not column.dtype.is_float():
        return column
    # A sheet has one type of number; codes 1, 2, 3 should not turn into 1.0, 2.0, 3.0.
    integral = ((column == column.round()) & (column.abs() < _EXACT)).fill_null(True).all()
    return column.cast(pl.Int64) if integral and column.null_count() < column.len() else column
