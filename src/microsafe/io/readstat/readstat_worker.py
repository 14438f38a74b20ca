"""Call ReadStat (pyreadstat) in the reader process.

A value is an object of Python there until its column is complete, so rows are asked for some at a
time. What lies before them is passed over without making objects of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import BytesIO
from typing import Any, BinaryIO

import polars as pl

from microsafe.io.readstat.readstat_fixes import (
    ANY_TEXT,
    charset_error,
    fix_charset,
    fix_file,
    iconv_name,
)
from microsafe.io.sas.sas_calendar import to_gregorian
from microsafe.io.sas.transport import cut_out, find_records
from microsafe.io.spss.portable import Missing
from microsafe.io.stata.long_text import refuse_binary_data

# Gives a frame and the metadata of the library, which is untyped.
_Read = Callable[..., tuple[pl.DataFrame, Any]]

_BUFFER = 1 << 16  # bytes; the library reads record by record, and each would be a call of its own
_SAS = ("read_sas7bdat", "read_xport")
DATES = re.compile(r"DATE|[YMD]{2}DD|DDMMYY|YMDHMS|8601D|^%T[CD]|^%D", re.IGNORECASE)
# What is used of the library's metadata.
_FACTS = (
    "column_names",
    "column_names_to_labels",
    "file_label",
    "missing_ranges",
    "notes",
    "original_variable_types",
    "readstat_variable_types",
    "table_name",
    "variable_alignment",
    "variable_display_width",
    "variable_measure",
    "variable_storage_width",
    "variable_value_labels",
)


def survey(
    path: str, reader: str, encoding: str | None, rows: int
) -> tuple[Mapping[str, object], pl.DataFrame]:
    """Return what a file says of itself, and its first rows.

    Args:
        path: The file.
        reader: The function of pyreadstat for its format.
        encoding: Of its text, if it was named.
        rows: How many.

    Returns:
        Besides what the library tells: `records`, how many there are, None if that is unknown; and
        `whole`, whether the file is held in memory for any of its rows.

    Raises:
        UnreadableFileError: Some of it is binary.
    """
    _, about, _, _ = _read_rows(path, reader, encoding, metadataonly=True)
    long = reader == "read_dta" and _has_long_texts(about)
    if long:
        refuse_binary_data(path, about.column_names)
    frame, meta, missing, fixed = _read_rows(path, reader, encoding, row_limit=rows)
    facts = {name: getattr(meta, name) for name in _FACTS}
    facts |= {"missing_ranges": missing} if missing else {}
    facts["records"] = about.number_rows
    if reader == "read_xport":
        with open(path, "rb") as file:
            extent = find_records(file, _record_width(about))
        facts["records"] = extent and extent[1]
    # The encoding that is named may hold for the last rows and have to be that of all.
    named = reader == "read_sas7bdat" and encoding is not None
    facts["whole"] = fixed or named or long
    return facts, frame


def fetch(
    path: str, reader: str, encoding: str | None, **options: Any
) -> tuple[None, pl.DataFrame]:
    """Return rows, with dates as dates; one too far away to be a date leaves its column numbers."""
    return None, _read_rows(path, reader, encoding, **options)[0]


def _read_rows(
    path: str, reader: str, encoding: str | None, **options: Any
) -> tuple[pl.DataFrame, Any, Missing, bool]:
    """Return rows, the metadata, what was declared missing, and whether the file was changed."""
    import pyreadstat

    options |= {} if encoding is None else {"encoding": iconv_name(encoding)}
    if reader == "read_sav":
        # User-missing codes stay in the data: whether they are missing is the scenario's choice.
        options["user_missing"] = True
    content, missing = fix_file(path, reader, encoding)
    fixed = isinstance(content, BytesIO)
    read = getattr(pyreadstat, reader)
    with content if isinstance(content, BytesIO) else open(content, "rb", _BUFFER) as file:
        shown = file
        if reader == "read_xport" and options.get("row_offset"):
            shown = _pass_over(file, read, options)
        try:
            frame, meta = _read(shown, read, options)
        except Exception:
            if reader != "read_sas7bdat":
                raise
            # Perhaps it is only the character set, which the name of another cannot override.
            frame, meta = _read(fix_charset(path), read, {"encoding": ANY_TEXT, **options})
            fixed = True
    if fixed and encoding is None and reader == "read_sas7bdat":
        raise charset_error(path)
    if reader in _SAS:
        frame = frame.select(to_gregorian(column) for column in frame)
    return frame, meta, missing, fixed


def _read(file: BinaryIO, reader: _Read, options: Mapping[str, Any]) -> tuple[pl.DataFrame, Any]:
    def read(**more: Any) -> tuple[pl.DataFrame, Any]:
        file.seek(0)
        return reader(file, output_format="polars", **options, **more)

    if options.get("disable_datetime_conversion"):
        return read()
    with suppress(Exception):  # OverflowError and others, according to the format
        return read()
    frame, meta = read(disable_datetime_conversion=True)
    formats = meta.original_variable_types
    for name in frame.columns:
        if len(frame.columns) > 1 and DATES.search(str(formats.get(name) or "")):
            # One by one, so that a column comes out the same whatever is read with it.
            single, _ = _read(file, reader, {**options, "usecols": [name]})
            frame = frame.with_columns(single[name])
    return frame, meta


def _pass_over(file: BinaryIO, read: _Read, options: dict[str, Any]) -> BinaryIO:
    """Return a transport file without the records that are not asked for."""
    file.seek(0)
    _, meta = read(
        file, metadataonly=True, output_format="polars", encoding=options.get("encoding")
    )
    width = _record_width(meta)
    extent = find_records(file, width)
    return cut_out(file, extent[0], options.pop("row_offset") * width) if extent else file


def _record_width(meta: Any) -> int:
    return sum(meta.variable_storage_width.values())


def _has_long_texts(meta: Any) -> bool:
    """Tell whether there are texts beside the records, all of which the library holds."""
    widths, types = meta.variable_storage_width, meta.readstat_variable_types
    return any(types[name] == "string" and not widths[name] for name in meta.column_names)
