"""Read SAS data and transport files, and write the latter (.xpt)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from microsafe.display import shorten_list
from microsafe.errors import InputError, UnreadableFileError
from microsafe.io.reader.faults import DAMAGED
from microsafe.io.readstat.package_file import PackageDialect, open_package, value_labels
from microsafe.io.readstat.package_limits import (
    StatPackage,
    declared_width,
    has_fractions,
    longest_width,
    pad_first_text,
)
from microsafe.io.sas.sas_calendar import from_gregorian, is_unknown
from microsafe.notices import Notice, make_notice

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from microsafe.io.source import Source
    from microsafe.io.write_request import WriteRequest
    from microsafe.schema import Variable

_CARD = 80
# Version 5 is what every program reads; version 8 holds more.
_PACKAGE = StatPackage(
    name="a SAS transport file",
    epoch=3653,
    per_day=1,
    per_second=1,
    identifier=re.compile(r"[A-Za-z_][A-Za-z0-9_]*"),
    name_limit=8,
    caseless=True,
    label_limit=40,
    title_limit=40,
    text_limit=200,
)
_LATER = replace(
    _PACKAGE,
    name="a SAS transport file of version 8",
    name_limit=32,
    label_limit=256,
    text_limit=32_767,
)
_EIGHT = b"LIBV8"  # in the first card, where version 5 has LIBRARY
_FORMAT = re.compile(
    r"(?:BEST|COMMA|DOLLAR|PERCENT|NUMX|E|F|Z|TIME|HHMM|YEAR|MONTH|QTR)\d*(\.\d+)?"
)
_DAY = re.compile(
    r"(?:DATE|WEEKDAT[EX]|(?:DD|YY)MM(?:YY|DD)[BCDNPS]?|MMDDYY[BCDNPS]?|(?:[BE]|IS)8601DA)\d*\.?"
)
_MOMENT = re.compile(r"(?:DATETIME|DATEAMPM|MDYAMPM|(?:[BE]|IS)8601DT)\d*\.?\d*")
_ANY_FORMAT = re.compile(r"(\$?(?:[A-Z_](?:[A-Z0-9_]*[A-Z_])?)?)\d*+\.?+\d*+")
_CLOCK = re.compile(r"(?:TIME|HHMM)\d*(\.\d+)?")
# Numbers are hexadecimal floating point with seven bits for the exponent, and ReadStat
# does not reach the uttermost.
_LARGEST, _SMALLEST = 9e74, 5.4e-79
# Two stamps "15NOV26:21:58:38" of the library and two of the table.
_MADE, _NEVER = (144, 464), b"01JAN70:00:00:00" * 2


def read(path: Path, *, encoding: str | None = None) -> Source:
    """Open a SAS file. Special missing values (.A to .Z, ._) are null."""
    if path.suffix.lower() == ".xpt":
        # A transport file does not say how many records it has, but it is written in
        # cards of 80 bytes, so one that was cut short gives itself away.
        if path.stat().st_size % _CARD:
            raise UnreadableFileError(
                f"{path.name} cannot be read as a SAS transport file. {DAMAGED}"
            )
        reader = "read_xport"
        kind = "a SAS transport file"
    else:
        reader = "read_sas7bdat"
        kind = "a SAS file"
    return open_package(path, reader, _describe, kind=kind, encoding=encoding)


def _describe(meta: Any, variable: Variable) -> Variable:
    table = {"table": str(meta.table_name)} if meta.table_name else {}
    return replace(
        variable, labels=value_labels(meta, variable.name), extra={**variable.extra, **table}
    )


def write(request: WriteRequest) -> None:
    """Write a transport file: values, names, labels of variables, formats, the file label."""
    import pyreadstat

    version: Literal[5, 8] = 8 if _follows_later(request) or _find_wide(request) else 5
    package = _LATER if version == 8 else _PACKAGE
    package.check_schema(request.schema)
    columns = [
        _lay_out(package, package.store_column(_count_days(package, c)), request.schema[c.name])
        for c in request.frame
    ]
    _refuse_lost_end(request)
    title, _ = package.split_notes(request)
    pyreadstat.write_xport(
        pl.DataFrame(columns),
        str(request.path),
        file_label=title,
        column_labels={v.name: v.label for v in request.schema if v.label},
        table_name=_table(request)[: package.name_limit],
        file_format_version=version,
        variable_format={
            c.name: shown
            for c in request.frame
            if (shown := _format(c, request.schema[c.name], _is_sas(request), package))
        },
    )
    with request.path.open("r+b") as file:
        # The time of writing would make equal releases differ, and a replay look wrong.
        for place in _MADE:
            file.seek(place)
            file.write(_NEVER)


def as_stored(column: pl.Series) -> pl.Series:
    """Return a column as the file holds it."""
    return _PACKAGE.compare_column(column)


def _table(request: WriteRequest) -> str:
    return next((v.extra["table"] for v in request.schema if "table" in v.extra), "")


def find_notices(request: WriteRequest) -> tuple[Notice, ...]:
    """Return what a person should know of how a file is written."""
    name, notices = request.path.name, []
    wide = () if _follows_later(request) else _find_wide(request)
    if wide:
        notices.append(
            make_notice("sas-version", count=len(wide), name=name, names=shorten_list(wide))
        )
    dialect = request.origin.dialect if request.origin else None
    title = dialect.title if isinstance(dialect, PackageDialect) and request.notes else ""
    if title in request.schema.notes[:1] and len(title.encode()) > _PACKAGE.title_limit:
        notices.append(make_notice("sas-label", name=name))
    return tuple(notices)


def _find_wide(request: WriteRequest) -> Sequence[str]:
    """Return the variables that version 5 cannot hold."""
    return [
        column.name
        for column in request.frame
        if len(column.name.encode()) > _PACKAGE.name_limit
        or len(request.schema[column.name].label.encode()) > _PACKAGE.label_limit
        or (column.dtype == pl.String and longest_width(column) > _PACKAGE.text_limit)
    ]


def _follows_later(request: WriteRequest) -> bool:
    """Tell whether the input is a transport file of version 8."""
    path = request.origin.paths[0] if request.origin and request.origin.paths else None
    if path is None or path.suffix.lower() != ".xpt":
        return False
    with path.open("rb") as file:
        return _EIGHT in file.read(_CARD)


def _is_sas(request: WriteRequest) -> bool:
    form = request.origin.format if request.origin else None
    return form is not None and form.reader == __name__


def _count_days(package: StatPackage, column: pl.Series) -> pl.Series:
    """Return the column such that its dates have the numbers by which SAS knows them."""
    if column.dtype not in (pl.Date, pl.Datetime):
        return column
    if is_unknown(column):
        raise package.refusal(
            column.name, "29 February of the year 4000 or 8000", "Take the day after"
        )
    return from_gregorian(column)


def _lay_out(package: StatPackage, column: pl.Series, variable: Variable) -> pl.Series:
    if column.dtype == pl.String:
        width = max(declared_width(variable), longest_width(column))
        return pad_first_text(column, min(width, package.text_limit))
    sizes = column.cast(pl.Float64).abs()
    if ((sizes > _LARGEST) | ((sizes < _SMALLEST) & (sizes > 0))).any():
        raise package.refusal(column.name, "numbers beyond its range", "Change their unit")
    return column.cast(pl.Float64)


def _refuse_lost_end(request: WriteRequest) -> None:
    """Refuse a last record of blanks only: it looks like the blanks that fill the last card."""
    last = request.frame.row(-1)
    if all(dtype == pl.String for dtype in request.frame.dtypes) and not any(last):
        raise InputError(
            f"{request.path.name} would end in a record without any value, which a SAS transport "
            "file cannot hold. Add a numeric variable, or write another format."
        )


def _format(column: pl.Series, variable: Variable, is_sas: bool, package: StatPackage) -> str:
    """Return the display format: the file's own if SAS has such a thing and it suits.

    What is in files of SAS need not be known here: people make formats of their own.
    """
    own = variable.format.upper()
    if column.dtype == pl.Date:
        return own if _DAY.fullmatch(own) else "DATE9"
    if column.dtype == pl.Datetime:
        return own if _MOMENT.fullmatch(own) else "DATETIME20"
    if column.dtype in (pl.Time, pl.Duration):
        return own if _CLOCK.fullmatch(own) else "TIME15.3" if has_fractions(column) else "TIME11"
    match = _ANY_FORMAT.fullmatch(own)
    if is_sas and match and len(match[1]) <= package.name_limit:
        return own if own.startswith("$") == (column.dtype == pl.String) else ""
    known = column.dtype.is_numeric() and (
        _FORMAT.fullmatch(own) or _DAY.fullmatch(own) or _MOMENT.fullmatch(own)
    )
    return own if known else ""
