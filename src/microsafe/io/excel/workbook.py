"""Read worksheets of Excel and OpenDocument, and write those of Excel (.xlsx)."""

from __future__ import annotations

import logging
import os
import re
from datetime import datetime, timedelta
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

import polars as pl

from microsafe.display import shorten_list
from microsafe.errors import InputError, UnreadableFileError
from microsafe.io.column_types import (
    EXACT,
    guard_load,
    is_whole,
    kind_of,
    no_records_error,
    normalise_missing,
    spell_column,
)
from microsafe.io.excel._workbook_xml import EXTENSIVE
from microsafe.io.reader.archive_size import unpacked_size
from microsafe.io.reader.faults import translate_read_errors
from microsafe.io.reader.process import ReaderError, run_in_reader
from microsafe.io.source import Source
from microsafe.io.text.header import check_names, fill_names
from microsafe.io.write_verification import whole_seconds
from microsafe.notices import Notice, make_notice
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from microsafe.io.write_request import WriteRequest

_WHOLE = 5  # bytes in memory for one of the unpacked sheet
_SPARSE = 4  # a sheet may have more empty cells than others
_REMEDY = "It may be damaged or protected by a password, so save it again without one."
_FIRST = 1000  # records that tell whether the first row is one
_ROWS, _COLUMNS, _SIGNS = 1_048_576, 16_384, 32_767
_FIRST_DAY = datetime(1900, 3, 1)  # before it Excel counts a day that never was
_NEVER = datetime(1970, 1, 1)
# Of before 1993, by their first bytes.
_OLD = {b"\x09\x00\x04\x00": "2", b"\x09\x02\x06\x00": "3", b"\x09\x04\x06\x00": "4"}
_HALVED = r"(?:[^\x00]\x00)+"
# Escapes that follow each other, and runs of rich text: xlsxwriter would not write the text itself.
_MARKUP = r"(?s)_x[0-9A-Fa-f]{4}_x[0-9A-Fa-f]{4}_|^<r>.*</r>$"
_LONGEST = timedelta(days=2_958_465)  # to the last day of Excel's calendar
_FORMATS: Mapping[Any, str] = {
    pl.Date: "yyyy-mm-dd",
    pl.Datetime: "yyyy-mm-dd hh:mm:ss",
    pl.Time: "hh:mm:ss",
    pl.Duration: "[h]:mm:ss",
}

# It reports each empty column there; without a handler Python prints that on the screen.
logging.getLogger("fastexcel").addHandler(logging.NullHandler())


def read(path: Path, *, sheet: str | None = None) -> Source:
    """Open a worksheet, the first one unless named; its first row names the variables."""
    _refuse_old(path)
    unpacked = unpacked_size(path)
    facts, body = _read_cells(path, sheet, unpacked)
    header = _mend_names(path, facts["header"])
    if path.suffix.lower() == ".xls":
        body = _halve_texts(body)
    names, notices = _check_header(path.name, header, body)
    frame = _name_columns(path.name, names, body)
    unnamed = names[0] != header[0] and frame[names[0]].n_unique() == frame.height
    schema = Schema(
        source=path.name,
        variables=tuple(
            Variable(name=n, kind=kind_of(t), role="identifier" if unnamed and not at else None)
            for at, (n, t) in enumerate(frame.schema.items())
        ),
    )
    if not frame.height:
        raise no_records_error(path.name)

    def load(names: Sequence[str]) -> pl.DataFrame:
        return frame.select(names)

    return Source(
        schema=schema,
        load=guard_load(schema, load),
        columnar=True,
        held=_WHOLE * unpacked,
        notices=(
            *notices,
            *(() if sheet else _tell_sheets(path.name, facts["sheets"])),
            *_tell_errors(path.name, names, facts["errors"]),
        ),
        paths=(path,),
    )


def _refuse_old(path: Path) -> None:
    """Refuse a worksheet of Excel 2 to 4."""
    with path.open("rb") as file:
        version = _OLD.get(file.read(4))
    if version is not None:
        raise UnreadableFileError(
            f"{path.name} is a worksheet of Excel {version}, which is too old to be read. Open it "
            "in Excel or LibreOffice, and save it as .xlsx."
        )


def list_sheets(path: Path) -> tuple[str, ...]:
    """Return the names of the worksheets of a workbook, in its order."""
    _refuse_old(path)
    with translate_read_errors(path.name, "a workbook", _REMEDY):
        sheets, _ = run_in_reader(
            "microsafe.io.excel.workbook:read_sheet_names",
            path.name,
            unpacked=unpacked_size(path),
            path=os.path.abspath(path),
        )
    return tuple(sheets)


def read_sheet_names(path: str) -> tuple[list[str], None]:
    """Read the names of the sheets; called in the process that reads."""
    import fastexcel

    return fastexcel.read_excel(path).sheet_names, None


def _tell_sheets(name: str, sheets: Sequence[str]) -> tuple[Notice, ...]:
    if len(sheets) < 2:
        return ()
    first, *others = (repr(sheet) for sheet in sheets)
    return (make_notice("file-sheets", name=name, sheet=first, others=shorten_list(others)),)


def _tell_errors(
    name: str, header: Sequence[str], errors: Sequence[tuple[int, int]]
) -> tuple[Notice, ...]:
    if not errors:
        return ()
    counted = [f"{header[place] or 'no name'} ({count:,})" for place, count in errors]
    count = sum(count for _, count in errors)
    return (make_notice("file-errors", count=count, name=name, names=shorten_list(counted)),)


def _read_cells(
    path: Path, sheet: str | None, unpacked: int
) -> tuple[dict[str, Any], pl.DataFrame]:
    """Return the first row and what else is known, and the rows below, named by position."""
    with translate_read_errors(path.name, "a workbook", _REMEDY):
        ask = partial(
            run_in_reader,
            name=path.name,
            unpacked=_SPARSE * unpacked,
            path=os.path.abspath(path),
            sheet=sheet,
        )
        try:
            facts, body = ask("microsafe.io.excel._worksheet:read_cells")
        except (ReaderError, UnreadableFileError):
            if path.suffix.lower() in EXTENSIVE:
                # A cell far away from all others? The sheet may not have said so.
                ask("microsafe.io.excel._workbook_xml:check_extent")
            raise
        assert body is not None  # noqa: S101
    return facts, body


def _mend_names(path: Path, header: list[str]) -> list[str]:
    """Return the names as they are meant: old files have some with a NUL behind each letter."""
    names = [_halve_text(name) for name in header]
    for place, name in enumerate(names, start=1):
        if "\0" in name:
            raise InputError(
                f"{path.name} has NUL characters in the name of the variable in column {place}. "
                "Give it another name, or save the file as .xlsx with a spreadsheet program."
            )
    return names


def _halve_text(text: str) -> str:
    return text[::2].strip() if re.fullmatch(_HALVED, text) else text


def _halve_texts(body: pl.DataFrame) -> pl.DataFrame:
    """Do the same to values, of which there are more."""
    texts = pl.col(pl.String)
    halved = texts.str.replace_all("\0", "", literal=True)
    return body.with_columns(
        pl.when(texts.str.contains(f"^{_HALVED}$")).then(halved).otherwise(texts)
    )


def _check_header(
    source: str, header: list[str], body: pl.DataFrame
) -> tuple[tuple[str, ...], tuple[Notice, ...]]:
    """Return the names, with one for row names, and what to know of them."""
    first = [spell_column(_settle_column(column)).to_list() for column in body.head(_FIRST)]
    years = check_names(source, header, "row", first)
    names, rows = fill_names(
        source,
        header,
        "row",
        lambda at: at >= body.width or body[str(at)].null_count() == body.height,
    )
    return names, (*years, *rows)


def _name_columns(source: str, header: Sequence[str], body: pl.DataFrame) -> pl.DataFrame:
    """Return the rows under the names of the variables, without empty columns at no name."""
    columns: list[pl.Series] = []
    for position, name in enumerate(header):
        column = body[str(position)] if position < body.width else pl.Series([None] * body.height)
        if not name:
            continue
        columns.append(_settle_column(column).alias(name))
    if not columns:
        raise InputError(f"{source} has no names of variables in its first row. Put them there.")
    # Schema would refuse a name that occurs twice, but a frame cannot even be made of them.
    Schema(source=source, variables=tuple(Variable(name=c.name) for c in columns))
    return pl.DataFrame(columns)


def _settle_column(column: pl.Series) -> pl.Series:
    """Return the column without empty text, and integral numbers as integers."""
    column = column.to_frame("x").select(normalise_missing("x", column.dtype)).to_series()
    if not column.dtype.is_float():
        return column
    # A sheet has one type of number; codes 1, 2, 3 should not turn into 1.0, 2.0, 3.0.
    return (
        column.cast(pl.Int64) if is_whole(column) and column.null_count() < column.len() else column
    )


def write(request: WriteRequest) -> None:
    """Write one worksheet: names in the first row, then values, text as text."""
    import xlsxwriter

    frame = request.frame
    if frame.height >= _ROWS or frame.width > _COLUMNS:
        raise InputError(
            f"{request.path.name} would have more than {_ROWS - 1} records or {_COLUMNS} "
            "variables, the most that a worksheet can hold. Write another format, such as .csv."
        )
    for column in frame:
        _check_column(column)
    if not any(value is not None and value != "" for value in frame.row(-1)):
        raise InputError(
            f"{request.path.name} would end in a record without any value, which a worksheet "
            "cannot hold. Write another format, such as .csv."
        )
    # In memory: pieces of the data would lie about in a folder for temporary files.
    content = BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True})
    # The time of writing would make equal releases differ, and a replay look wrong.
    book.set_properties({"created": _NEVER})
    sheet = book.add_worksheet("Data")
    formats = {dtype: book.add_format({"num_format": shown}) for dtype, shown in _FORMATS.items()}
    for place, column in enumerate(frame):
        sheet.write_string(0, place, column.name)
        _write_column(sheet, place, column, formats.get(column.dtype.base_type()))
    book.close()
    request.path.write_bytes(content.getvalue())


def as_stored(column: pl.Series) -> pl.Series:
    """Return a column as a sheet holds it: numbers of 16 digits, days as days, times in seconds."""
    if column.dtype.is_float():
        return pl.Series(column.name, [None if v is None else float(f"{v:.16G}") for v in column])
    return whole_seconds(column) if column.dtype.is_temporal() else column


def _write_column(sheet: Any, place: int, column: pl.Series, shown: Any) -> None:
    if column.dtype == pl.String:
        cell = sheet.write_string  # never a formula or a link, whatever the text looks like
    elif column.dtype == pl.Boolean:
        cell = sheet.write_boolean
    else:
        cell = sheet.write_number if shown is None else sheet.write_datetime
    for row, value in enumerate(column, start=1):
        if value is not None:
            cell(row, place, value, shown)


def _check_column(column: pl.Series) -> None:
    """Refuse what a cell cannot hold, by the name of the variable."""
    dtype, what = column.dtype, ""
    if dtype == pl.String:
        if (column.str.len_chars() > _SIGNS).any():
            what = f"text of more than {_SIGNS} characters"
        elif column.str.contains(_MARKUP).any():
            what = "text that looks like markup of Excel itself"
    elif dtype == pl.Date or dtype == pl.Datetime:
        if (column < pl.Series([_FIRST_DAY]).cast(dtype)).any():
            what = "dates before March 1900"
    elif dtype == pl.Duration:
        if (column.abs() > _LONGEST).any():
            what = "durations of more than 8,000 years"
    elif dtype.is_numeric():
        numbers = column.cast(pl.Float64)
        if numbers.is_infinite().any() or (dtype.is_integer() and (numbers.abs() > EXACT).any()):
            what = "infinite values or whole numbers of 16 digits or more"
    elif dtype not in (pl.Boolean, pl.Time):
        what = "lists or the like"
    if what:
        raise InputError(
            f"{column.name} holds {what}, which a worksheet cannot. Write another format."
        )
