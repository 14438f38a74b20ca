"""What SPSS, Stata and SAS files share: the ReadStat library behind pyreadstat."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import polars as pl

from microsafe.display import shorten_list
from microsafe.errors import InputError
from microsafe.io.apart import Answer, run_apart
from microsafe.io.columns import guard_load, kind_of, no_records_error, normalise_missing
from microsafe.io.encoding import check_encoding
from microsafe.io.faults import translate_read_errors
from microsafe.io.mending import ANY_TEXT, charset_error, iconv_name, mend_charset, mend_file
from microsafe.io.sas_calendar import to_gregorian
from microsafe.io.source import Source
from microsafe.io.unpacked import unpacked_size
from microsafe.notices import make_notice
from microsafe.schema import Code, Kind, Measure, Schema, Variable

# Gives a frame and the metadata of the library, which is untyped.
Fetch = Callable[..., tuple[pl.DataFrame, Any]]
Describe = Callable[[Any, Variable], Variable]

_PROBE = 1000
_SAS = ("read_sas7bdat", "read_xport")
_WHOLE = 8  # bytes in memory for one unpacked: a number is an object for a while
_DAMAGED = "It may be damaged or cut short, or its text is not in the encoding that it declares."
_DATES = re.compile(r"DATE|[YMD]{2}DD|DDMMYY|YMDHMS|8601D|^%T[CD]|^%D", re.IGNORECASE)
_SHAPE = re.compile(r"^[A-Z%$-]*?(\d+)(?:\.(\d+))?", re.IGNORECASE)
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
# Years 1 to 9999, in days from 1970: what a date can be outside the file.
_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
_PER_DAY = {"ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageDialect:
    """What the schema does not tell of a file of a statistical package.

    Attributes:
        title: The file label, which is the first of the schema's notes unless empty.
        ask: Has a function look at the file again, in the process that reads.
    """

    title: str
    ask: Callable[..., Answer]


def open_package(
    path: Path,
    reader: str,
    describe: Describe,
    *,
    program: str,
    encoding: str | None,
    binary: Sequence[int] = (),
) -> Source:
    """Open a file of a statistical package.

    Args:
        path: The file.
        reader: The function of pyreadstat for its format.
        describe: Adds to a variable what only this format knows.
        program: What the file should be, with its article.
        encoding: Encoding of its text, if the file says it wrongly or not at all.
        binary: Places of variables that hold binary data, which are left out.
    """
    remedy = _DAMAGED
    if encoding is not None:
        check_encoding(encoding)
        remedy = f"It may be damaged, or its text is not in {encoding}."
    unpacked = unpacked_size(path)
    ask = partial(run_apart, name=path.name, unpacked=unpacked, path=os.path.abspath(path))
    fetch = partial(_fetch, ask, reader, encoding)
    with translate_read_errors(path.name, program, remedy):
        kept, gone = _split_names(path.name, fetch, binary)
        # The first rows settle the column types, which the metadata alone do not tell.
        probe, meta = fetch(row_limit=_PROBE, **kept)
        schema = _schema(path.name, probe, meta, describe)
    if not probe.height:
        raise no_records_error(path.name)
    notices = (
        (make_notice("stata-binary", count=len(gone), name=path.name, names=shorten_list(gone)),)
        if gone
        else ()
    )

    def load(names: Sequence[str]) -> pl.DataFrame:
        with translate_read_errors(path.name, program, remedy):
            frame, _ = fetch(usecols=list(names))
            return frame.select(
                _settle_column(frame[name], schema[name].kind, fetch) for name in names
            )

    return Source(
        schema=schema,
        load=guard_load(schema, load),
        columnar=False,
        held=_WHOLE * unpacked,
        notices=notices,
        paths=(path,),
        dialect=PackageDialect(title=meta.file_label or "", ask=partial(ask, encoding=encoding)),
    )


def _split_names(
    source: str, fetch: Fetch, binary: Sequence[int]
) -> tuple[dict[str, Any], list[str]]:
    """Return the option that reads what is not binary, and the names of what is.

    Raises:
        InputError: All of it is.
    """
    if not binary:
        return {}, []
    names = fetch(metadataonly=True)[1].column_names
    gone = [names[place] for place in binary]
    kept = [name for name in names if name not in gone]
    if not kept:
        raise InputError(f"{source} holds nothing but binary data. Name a file of records.")
    return {"usecols": kept}, gone


def value_labels(meta: Any, name: str) -> Mapping[Code, str]:
    """Return the value labels of a variable as the file has them."""
    found: Mapping[Code, str] = meta.variable_value_labels.get(name) or {}
    return found


def _fetch(
    ask: Callable[..., Answer], reader: str, encoding: str | None, **options: Any
) -> tuple[pl.DataFrame, Any]:
    facts, frame = ask("microsafe.io.readstat:fetch", reader=reader, encoding=encoding, **options)
    assert frame is not None  # noqa: S101
    return frame, SimpleNamespace(**facts)


def fetch(
    path: str, reader: str, encoding: str | None, **options: Any
) -> tuple[Mapping[str, object], pl.DataFrame]:
    """Read, with dates as dates; a date too far away to be one leaves its column numbers.

    Called in the process that reads.
    """
    import pyreadstat

    options |= {} if encoding is None else {"encoding": iconv_name(encoding)}
    if reader == "read_sav":
        # User-missing codes stay in the data: whether they are missing is the scenario's choice.
        options["user_missing"] = True
    content, missing = mend_file(path, reader, encoding)
    read = getattr(pyreadstat, reader)
    misnamed = False
    try:
        frame, meta = _read(content, read, options)
    except Exception:
        if reader != "read_sas7bdat":
            raise
        # Perhaps it is only the character set, which the name of another cannot override.
        frame, meta = _read(mend_charset(path), read, {"encoding": ANY_TEXT, **options})
        misnamed = encoding is None
    if misnamed:
        raise charset_error(path)
    if reader in _SAS:
        frame = frame.select(to_gregorian(column) for column in frame)
    facts = {name: getattr(meta, name) for name in _FACTS}
    return facts | ({"missing_ranges": missing} if missing else {}), frame


def _read(
    path: str | BytesIO, reader: Fetch, options: Mapping[str, Any]
) -> tuple[pl.DataFrame, Any]:
    read = partial(reader, path, output_format="polars", **options)
    with suppress(Exception):  # OverflowError and others, according to the format
        return read()
    frame, meta = read(disable_datetime_conversion=True)
    formats = meta.original_variable_types
    for name in frame.columns:
        if len(frame.columns) > 1 and _DATES.search(str(formats.get(name) or "")):
            # One by one, so that a column comes out the same whatever is read with it.
            found, _ = _read(path, reader, {**options, "usecols": [name]})
            frame = frame.with_columns(found[name])
    return frame, meta


def _schema(name: str, probe: pl.DataFrame, meta: Any, describe: Describe) -> Schema:
    variables = tuple(
        describe(meta, _variable(meta, column, probe[column].dtype)) for column in meta.column_names
    )
    about = (meta.file_label, *(meta.notes or ()))
    return Schema(source=name, variables=variables, notes=tuple(note for note in about if note))


def _variable(meta: Any, name: str, dtype: pl.DataType) -> Variable:
    shown = str(meta.original_variable_types.get(name) or "")
    measure = meta.variable_measure.get(name)
    shape = _SHAPE.match(shown)
    extra = {
        "alignment": str(meta.variable_alignment.get(name) or ""),
        "display_width": str(meta.variable_display_width.get(name) or ""),
        "storage_type": str(meta.readstat_variable_types.get(name) or ""),
        "storage_width": str(meta.variable_storage_width.get(name) or ""),
    }
    return Variable(
        name=name,
        label=meta.column_names_to_labels.get(name) or "",
        kind=_kind(extra["storage_type"], shown, dtype),
        measure=measure if measure in get_args(Measure) else "unknown",
        width=int(shape[1]) if shape else None,
        decimals=int(shape[2]) if shape and shape[2] else None,
        format=shown,
        extra={key: value for key, value in extra.items() if value not in ("", "unknown")},
    )


def _kind(storage: str, shown: str, dtype: pl.DataType) -> Kind:
    if storage == "string":
        return "text"
    if kind_of(dtype) == "date" or (dtype == pl.Null and _DATES.search(shown)):
        return "date"
    return "integer" if storage.startswith("int") else "number"


def _settle_column(column: pl.Series, kind: Kind, fetch: Fetch) -> pl.Series:
    """Return the column in the type that its kind promises, whatever this read guessed."""
    name = column.name
    if column.dtype.is_temporal() and not (kind == "date" and _is_within_calendar(column)):
        # Times of day would lose what exceeds 24 hours; far-off dates cannot be shown.
        column = fetch(usecols=[name], disable_datetime_conversion=True)[0][name]
    if kind == "text":
        column = column.cast(pl.String).str.strip_chars_end(" ")
    elif kind == "integer":
        column = column.cast(pl.Int64)
    elif kind == "number":
        column = column.cast(pl.Float64)
    elif column.dtype == pl.Null:
        column = column.cast(pl.Date)
    return column.to_frame().select(normalise_missing(name, column.dtype)).to_series()


def _is_within_calendar(column: pl.Series) -> bool:
    dtype = column.dtype
    if isinstance(dtype, pl.Datetime):
        per_day = _PER_DAY[dtype.time_unit]
    elif dtype == pl.Date:
        per_day = 1
    else:
        return False
    days = column.to_physical()
    low, high = days.min(), days.max()
    if not isinstance(low, int) or not isinstance(high, int):
        return True  # nothing but missings
    return low >= _FIRST_DAY * per_day and high < (_LAST_DAY + 1) * per_day
