"""Write data frames of R, in version 2 of its format, which every R since 2.3 reads.

Labels of values and missing codes are written as the package haven keeps them.
"""

from __future__ import annotations

import gzip
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from microsafe.codes import code_text
from microsafe.errors import InputError
from microsafe.io.r._serial import DOUBLE, INTEGER, LIST, LOGICAL, NA_INTEGER, TEXT
from microsafe.io.write_request import WriteRequest
from microsafe.io.write_verification import whole_seconds
from microsafe.schema import Code, Variable, number_in

_SYMBOL, _PAIRS, _CHARACTERS, _END = 1, 2, 9, struct.pack(">i", 254)
_OBJECT, _ATTRIBUTES, _TAG = 0x100, 0x200, 0x400
_ASCII, _UTF_8 = 64 << 12, 8 << 12
_HEAD = b"X\n" + struct.pack(">3i", 2, 0x00040202, 0x00020300)  # as if by R 4.2.2, for R 2.3 on
_NA_DOUBLE, _NA_INTEGER_64 = 0x7FF0_0000_0000_07A2, -(2**63)
_NA_TEXT = struct.pack(">2i", _CHARACTERS, -1)
_EXACT = 2**53
_TYPES = {DOUBLE: "double", INTEGER: "integer", TEXT: "character"}
# Words that R does not take for names.
_RESERVED = re.compile(
    r"if|else|repeat|while|function|for|next|break|in|TRUE|FALSE|NULL|Inf|NaN|NA(_.*_)?"
)

Values = Any  # an array, or a list of texts
Attributes = Mapping[str, bytes]


def write(request: WriteRequest) -> None:
    """Write one data frame; in an `.RData` file its name is that of the file."""
    frame = _write_frame(request)
    if request.path.suffix.lower() == ".rds":
        parts = [_HEAD, frame]
    else:
        name = make_name(request.path.stem)
        parts = [b"RDX2\n", _HEAD, _integers(_PAIRS | _TAG), _symbol(name), frame, _END]
    with request.path.open("wb") as file, gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
        for part in parts:
            packed.write(part)


def as_stored(column: pl.Series) -> pl.Series:
    """Return a column as a file of R holds it: moments as fractions of seconds."""
    if column.dtype == pl.Datetime:
        return whole_seconds(column)
    if column.dtype == pl.Time:
        return column.cast(pl.Int64) // 1000
    if column.dtype == pl.Duration:
        return column.dt.total_microseconds()
    return column


def make_name(text: str) -> str:
    """Return a text as a name that R takes as it is."""
    name = re.sub(r"[^A-Za-z0-9._]", ".", text)
    if not re.match(r"[A-Za-z]|\.(?![0-9])", name):
        name = f"X{name}"
    return f"{name}." if _RESERVED.fullmatch(name) else name


def _write_frame(request: WriteRequest) -> bytes:
    frame, schema = request.frame, request.schema
    columns = [_write_column(column, schema[column.name]) for column in frame]
    attributes = {
        "names": _texts(frame.columns),
        "row.names": _vector(INTEGER, np.array([NA_INTEGER, -frame.height])),
        "class": _texts(["data.frame"]),
    }
    notes = schema.notes if request.notes else ()
    attributes |= {"label": _texts(notes[:1])} if notes else {}
    attributes |= {"notes": _texts(notes[1:])} if notes[1:] else {}
    head = _integers(LIST | _OBJECT | _ATTRIBUTES, frame.width)
    return b"".join([head, *columns, _attributes(attributes)])


def _write_column(column: pl.Series, variable: Variable) -> bytes:
    label = {"label": _texts([variable.label])} if variable.label else {}
    dtype = column.dtype
    if dtype == pl.String:
        return _write_text(column, variable, label)
    if dtype == pl.Boolean:
        values = column.cast(pl.Int64).fill_null(NA_INTEGER).to_numpy()
        return _vector(LOGICAL, values, label)
    if dtype.is_temporal():
        values, about = _store_times(column)
        return _vector(DOUBLE, values, {**label, **about})
    if not dtype.is_numeric():
        raise InputError(
            f"{column.name} holds values that R data cannot hold. Drop the variable, or write a "
            "Parquet file (.parquet)."
        )
    return _write_numbers(column, variable, label)


def _write_text(column: pl.Series, variable: Variable, label: Attributes) -> bytes:
    if any("\0" in text for text in column.unique().drop_nulls()):
        raise InputError(f"{column.name} holds NUL characters, which R cannot. Remove them.")
    labels = {code_text(code): label for code, label in variable.labels.items()}
    missing = [code_text(code) for code in variable.missing]
    if variable.order and not labels and not missing:
        return _write_factor(column, variable, label)
    about = _label_values(TEXT, labels, missing, ())
    return _vector(TEXT, column.to_list(), {**label, **about})


def _write_factor(column: pl.Series, variable: Variable, label: Attributes) -> bytes:
    known = [code_text(code) for code in variable.order]
    levels = [*known, *sorted({*column.unique().drop_nulls()} - {*known})]
    codes = column.replace_strict(levels, range(1, len(levels) + 1), return_dtype=pl.Int64)
    ordered = ["ordered"] if variable.measure == "ordinal" else []
    about = {"levels": _texts(levels), "class": _texts([*ordered, "factor"])}
    return _vector(INTEGER, codes.fill_null(NA_INTEGER).to_numpy(), {**label, **about})


def _write_numbers(column: pl.Series, variable: Variable, label: Attributes) -> bytes:
    numbers = {code: number_in(str(code)) for code in (*variable.labels, *variable.missing)}
    known = {code: number for code, number in numbers.items() if number is not None}
    labels = {known[code]: label for code, label in variable.labels.items() if code in known}
    missing = [known[code] for code in variable.missing if code in known]
    ranges = variable.missing_ranges
    if len(ranges) > 1:
        raise InputError(
            f"{column.name} has several ranges of missing codes, and R data hold one. Declare one, "
            "or write another format."
        )
    codes = [*labels, *missing, *(limit for range_ in ranges for limit in range_)]
    if column.dtype.is_integer():
        whole = column.cast(pl.Int64)
        if _fits(whole) and all(code.is_integer() and abs(code) < 2**31 for code in codes):
            about = _label_values(INTEGER, labels, missing, ranges)
            return _vector(INTEGER, whole.fill_null(NA_INTEGER).to_numpy(), {**label, **about})
        if not whole.is_between(-_EXACT, _EXACT).all():
            if codes:
                raise InputError(
                    f"{column.name} holds whole numbers of 16 digits or more, for which R data "
                    "have no labels or missing codes. Store it as text, or write another format."
                )
            bits = whole.fill_null(_NA_INTEGER_64).to_numpy().view(np.float64)
            return _vector(DOUBLE, bits, {**label, "class": _texts(["integer64"])})
    about = _label_values(DOUBLE, labels, missing, ranges)
    return _vector(DOUBLE, _doubles(column), {**label, **about})


def _fits(column: pl.Series) -> bool:
    return bool(column.is_between(-(2**31) + 1, 2**31 - 1).all())


def _label_values(
    kind: int,
    labels: Mapping[Any, str],
    missing: Sequence[Code],
    ranges: Sequence[tuple[float, float]],
) -> Attributes:
    """Return what makes a labelled vector of haven, if there is anything to say."""
    if not labels and not missing and not ranges:
        return {}
    attributes: dict[str, bytes] = {}
    if labels:
        attributes["labels"] = _codes(kind, [*labels], {"names": _texts([*labels.values()])})
    if missing:
        attributes["na_values"] = _codes(kind, [*missing])
    if ranges:
        attributes["na_range"] = _codes(kind, [*ranges[0]])
    spss = ["haven_labelled_spss"] if missing or ranges else []
    attributes["class"] = _texts([*spss, "haven_labelled", "vctrs_vctr", _TYPES[kind]])
    return attributes


def _codes(kind: int, codes: Sequence[Any], attributes: Attributes | None = None) -> bytes:
    return _vector(kind, codes if kind == TEXT else np.array(codes), attributes)


def _store_times(column: pl.Series) -> tuple[Values, Attributes]:
    """Return dates as days, all else as seconds."""
    dtype = column.dtype
    if dtype == pl.Date:
        return _doubles(column.to_physical()), {"class": _texts(["Date"])}
    if dtype == pl.Datetime:
        about = {"class": _texts(["POSIXct", "POSIXt"]), "tzone": _texts(["UTC"])}
        return _doubles(column.dt.timestamp("us") / 1e6), about
    clock = ["hms"] if dtype == pl.Time else []
    about = {"class": _texts([*clock, "difftime"]), "units": _texts(["secs"])}
    exact = as_stored(column)
    return _doubles(exact / 1e6), about


def _doubles(column: pl.Series) -> Values:
    values = column.cast(pl.Float64)
    bits = values.fill_null(0.0).to_numpy().view(np.uint64)
    return np.where(values.is_null().to_numpy(), np.uint64(_NA_DOUBLE), bits).view(np.float64)


def _vector(kind: int, values: Values, attributes: Attributes | None = None) -> bytes:
    about = attributes or {}
    flags = kind | (_ATTRIBUTES if about else 0) | (_OBJECT if "class" in about else 0)
    head = _integers(flags, len(values))
    if kind == TEXT:
        content = b"".join(_characters(values))
    else:
        content = values.astype(">f8" if kind == DOUBLE else ">i4").tobytes()
    return b"".join([head, content, _attributes(about) if about else b""])


def _texts(values: Sequence[str]) -> bytes:
    return _vector(TEXT, values)


def _characters(values: Sequence[str | None]) -> Iterator[bytes]:
    known: dict[str | None, bytes] = {None: _NA_TEXT}
    for text in values:
        if text not in known:
            known[text] = _character(text or "")
        yield known[text]


def _character(text: str) -> bytes:
    content = text.encode()
    return _integers(_CHARACTERS | (_ASCII if text.isascii() else _UTF_8), len(content)) + content


def _attributes(values: Attributes) -> bytes:
    cells = (_integers(_PAIRS | _TAG) + _symbol(name) + value for name, value in values.items())
    return b"".join([*cells, _END])


def _symbol(name: str) -> bytes:
    return _integers(_SYMBOL) + _character(name)


def _integers(*numbers: int) -> bytes:
    return struct.pack(f">{len(numbers)}i", *numbers)
