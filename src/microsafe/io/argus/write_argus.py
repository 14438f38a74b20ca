"""Write data of mu-ARGUS; what did not change is copied character by character."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microsafe.errors import InputError, TornFileError, UsageError
from microsafe.io.argus import write_rda
from microsafe.io.argus._fixed_width import open_page
from microsafe.io.argus.rda import ArgusField
from microsafe.io.argus.read_argus import ArgusDialect
from microsafe.io.column_types import spell_column
from microsafe.io.text import csv
from microsafe.io.text.encoding import DecodedText

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from microsafe.io.argus._fixed_width import FixedWidthLines
    from microsafe.io.write_request import WriteRequest
    from microsafe.schema import Variable

_WIDEST = 1000


def write(request: WriteRequest) -> None:
    """Write the data, the `.rda` file beside it and the code lists."""
    dialect = request.origin.dialect if request.origin else None
    lists = write_rda.name_code_lists(request.path.stem, request.schema)
    if isinstance(dialect, ArgusDialect):
        data, described = _amend_files(request, dialect, lists)
        text = dialect.described
    else:
        data, described = _make_files(request, lists)
        text = DecodedText(name="", content=b"")
    files = {request.path: data, request.path.with_suffix(".rda"): _encode_text(described, text)}
    for name, file in lists.items():
        files[request.path.with_name(file)] = _encode_text(
            write_rda.format_code_list(request.schema[name]), text
        )
    _write_files(request, files)


def _write_files(request: WriteRequest, files: Mapping[Path, bytes]) -> None:
    """Write all files, and see that they are what was written."""
    for path, content in files.items():
        request.refuse_origin(path).write_bytes(content)
        if path.read_bytes() != content:
            raise TornFileError(
                f"{path.name} was not written: what is on the disk differs from the data. Check "
                "the space and the state of the disk."
            )


def _encode_text(content: str, text: DecodedText) -> bytes:
    with suppress(UnicodeEncodeError):
        return text.encode(content.encode())
    return content.encode()  # new labels may have characters that the origin's encoding lacks


def _amend_files(
    request: WriteRequest, dialect: ArgusDialect, lists: Mapping[str, str]
) -> tuple[bytes, str]:
    """Return data and metadata that are like those of the origin."""
    layout = dialect.metadata.layout
    known = {field.name for field in layout.fields}
    for name in request.schema.names:
        if name not in known:
            raise UsageError(
                f"{name} has no place in the layout of {dialect.text.name}. "
                "Drop it, or write another format, such as .csv."
            )
    data = (
        _amend_fixed(request, dialect, dialect.page)
        if dialect.page
        else _amend_free(request, dialect)
    )
    text = dialect.described.read().decode()
    described = write_rda.amend_metadata(
        text, dialect.metadata, request.schema, lists, csv.find_line_end(text)
    )
    return dialect.text.encode(data), described


def _amend_fixed(request: WriteRequest, dialect: ArgusDialect, page: FixedWidthLines) -> bytes:
    if request.rows is not None:
        page = _reorder_lines(page, request.rows, dialect)
    fields = [field for field in page.fields if field.name in request.schema]
    for field, changed in zip(
        fields, _find_changes(request, [f.name for f in fields]), strict=True
    ):
        if not changed.any():
            continue
        for other in fields:
            if other is not field and set(_places(other)) & set(_places(field)):
                raise InputError(
                    f"{field.name} and {other.name} share columns of {dialect.text.name}, so "
                    "neither can change alone. Drop one of them, or write another format."
                )
        texts = _format_values(request, field, changed, dialect.text.encoding)
        page = page.put(field, changed.arg_true().to_numpy(), texts.to_list())
    if request.prune:  # columns that no metadata name were looked at by nobody
        return page.keep_places([place for field in fields for place in _places(field)]).content()
    # What was dropped must not be copied like the columns that no metadata name.
    dropped = {
        p for field in page.fields if field.name not in request.schema for p in _places(field)
    }
    dropped -= {place for field in fields for place in _places(field)}
    return (page.blank_places(sorted(dropped)) if dropped else page).content()


def _places(field: ArgusField) -> range:
    return range(field.start, field.start + field.width)


def _reorder_lines(
    page: FixedWidthLines, rows: pl.Series, dialect: ArgusDialect
) -> FixedWidthLines:
    """Return the lines of some records in another order, all ending alike."""
    text = replace(page, tail=b"").content().decode()
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    end = csv.find_line_end(text)
    content = end.join(lines[row] for row in rows).encode() + page.tail
    return open_page(DecodedText(name=dialect.text.name, content=content), dialect.metadata.layout)


def _amend_free(request: WriteRequest, dialect: ArgusDialect) -> bytes:
    layout = dialect.metadata.layout
    places = {field.name: field for field in layout.fields}
    names = [name for name in dialect.names if name in request.schema]
    raw = dialect.raw(names)
    columns: list[pl.Series] = []
    for name, changed in zip(names, _find_changes(request, names), strict=True):
        column = request.align_column(raw[name])
        if changed.any():
            texts = _format_values(request, places[name], changed, dialect.text.encoding)
            column = column.clone().scatter(changed.arg_true(), texts)
        columns.append(column)
    first = next(dialect.text.chunks(), b"").split(b"\n", 1)[0].decode()
    end = csv.find_line_end(first + "\n")
    separator = layout.separator or ","
    content = csv.format_delimited(pl.DataFrame(columns), separator, end, header=False)
    if not layout.header:
        return content
    header = first.removesuffix("\r") if len(names) == len(dialect.names) else separator.join(names)
    return (header + end).encode() + content


def _find_changes(request: WriteRequest, names: list[str]) -> list[pl.Series]:
    """Return for each variable in which records it differs from the origin."""
    if request.origin is None:
        return []
    before = request.origin.load(names)
    return [_differs(request.align_column(before[name]), request.frame[name]) for name in names]


def _differs(before: pl.Series, now: pl.Series) -> pl.Series:
    if before.dtype.is_float() and now.dtype.is_numeric():
        now = now.cast(pl.Float64)
    elif before.dtype != now.dtype:
        before, now = spell_column(before), spell_column(now)
    return before.ne_missing(now)


def _format_values(
    request: WriteRequest, field: ArgusField, changed: pl.Series, encoding: str
) -> pl.Series:
    """Return the changed values as they are to stand in the file.

    Raises:
        InputError: One is too long for its place, or has characters that the encoding lacks.
    """
    variable = request.schema[field.name]
    texts = _spell_values(request.frame[field.name].filter(changed), variable)
    texts = texts.fill_null(_blank(variable, field.width))
    width = _longest(texts)
    if width > field.width:
        raise InputError(
            f"{field.name} has values of {width} characters, but room for {field.width} in the "
            "file. Recode it to shorter codes, or write another format."
        )
    # Raised outside: an error of encoding holds the texts.
    with suppress(UnicodeEncodeError):
        "".join(texts.unique()).encode(encoding)
        return texts
    raise InputError(
        f"{field.name} has codes with characters that do not exist in {encoding}, the encoding of "
        "the file. Recode it to plain letters and digits, or write another format."
    )


def _spell_values(column: pl.Series, variable: Variable) -> pl.Series:
    """Return values as text without line ends; numbers keep their digits behind the point."""
    if column.dtype.is_float():
        digits = variable.decimals or 0
        texts = pl.Series(
            column.name,
            [None if v is None else _format_number(v, digits) for v in column],
            dtype=pl.String,
        )
    else:
        texts = spell_column(column)
    if texts.str.contains(r"[\n\r\x1a]").any():
        raise InputError(
            f"{variable.name} holds line ends, which files of mu-ARGUS cannot. "
            "Remove them, or write another format."
        )
    return texts


def _format_number(value: float, digits: int) -> str:
    """Return a number with so many digits behind the point, or with all it has."""
    short = f"{value:.{digits}f}"
    return short if float(short) == value else np.format_float_positional(value, trim="-")


def _blank(variable: Variable, width: int) -> str:
    codes = write_rda.missing_codes(variable, width)
    return codes[0] if codes else ""


def _make_files(request: WriteRequest, lists: Mapping[str, str]) -> tuple[bytes, str]:
    """Return data and metadata of fixed width for records that had no layout."""
    fields: list[ArgusField] = []
    columns: list[pl.Series] = []
    decimals: dict[str, int] = {}
    for variable in request.schema:
        column = request.frame[variable.name]
        texts = _spell_values(column, replace(variable, decimals=None))
        codes = pl.Series(write_rda.missing_codes(variable, _WIDEST), dtype=pl.String)
        width = max(1, *(_longest(part) for part in (texts, codes)))
        start = fields[-1].start + fields[-1].width if fields else 0
        fields.append(ArgusField(name=variable.name, start=start, width=width))
        columns.append(texts.fill_null(_blank(variable, width)).str.pad_start(width))
        # Codes are codes even where they look like numbers.
        coded = variable.labels or variable.role in ("key", "household")
        if column.dtype.is_numeric() and not coded:
            decimals[variable.name] = _longest(texts.str.extract(r"\.(\d+)"))
    lines = pl.DataFrame(columns).select(pl.concat_str(pl.all())).to_series()
    data = "".join(line + write_rda.END for line in lines).encode()
    return data, write_rda.format_metadata(fields, request.schema, decimals, lists)


def _longest(texts: pl.Series) -> int:
    longest = texts.str.len_chars().max()
    return longest if isinstance(longest, int) else 0
