"""Read data files of mu-ARGUS: fixed width or free format, described by `.rda` metadata."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from microsafe.errors import InputError, UnreadableFileError, UsageError
from microsafe.io.argus._fixed_width import FixedWidthLines, open_page
from microsafe.io.argus.declarations import declare_variables
from microsafe.io.argus.rda import (
    ArgusMetadata,
    file_name,
    find_beside,
    find_code_list,
    parse_metadata,
    read_codes,
)
from microsafe.io.column_types import guard_load, no_records_error
from microsafe.io.formats import is_r_data
from microsafe.io.reader.faults import check_readable, translate_read_errors
from microsafe.io.source import Source
from microsafe.io.text import csv
from microsafe.io.text.delimited import open_table
from microsafe.io.text.encoding import DecodedText, open_text
from microsafe.notices import Notice, make_notice
from microsafe.schema import Schema, Variable, number_in

if TYPE_CHECKING:
    from pathlib import Path

Raw = Callable[[Sequence[str]], pl.DataFrame]
_END = 1 << 10  # bytes in which a mark of the end, and line ends behind it, stand


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ArgusDialect:
    """How data of mu-ARGUS are written.

    Attributes:
        text: The data file.
        described: The `.rda` file.
        metadata: What it says.
        raw: Loads columns as they stand in the data, blanks and all.
        page: The lines of a fixed-width file.
        names: The variables of a free-format file in its order.
    """

    text: DecodedText
    described: DecodedText
    metadata: ArgusMetadata
    raw: Raw
    page: FixedWidthLines | None = None
    names: tuple[str, ...] = ()


def find_metadata(path: Path) -> Path | None:
    """Return the `.rda` file of the same name in the same folder, in any letter case."""
    metadata = find_beside(path.parent, f"{path.stem}.rda")
    return None if metadata is None or is_r_data(metadata) else metadata


def read(path: Path, *, meta: Path | None = None, encoding: str | None = None) -> Source:
    """Open a data file of mu-ARGUS."""
    rda = meta or find_metadata(path)
    if rda is None:
        raise UnreadableFileError(
            f"{path.name} needs its .rda metadata, and there is none of that name beside it. "
            "Name the file with meta (--meta), or rename the data to .csv if it is delimited text."
        )
    described = open_text(check_readable(rda), encoding)
    described = replace(described, content=described.read())
    metadata = parse_metadata(described.read().decode(), rda.name)
    if metadata.layout.spss:
        raise UsageError(
            f"{rda.name} describes an SPSS file, which carries its own metadata. "
            "Open the .sav file without it."
        )
    labelled, lists, absent = add_labels(metadata.variables, rda.parent, encoding)
    schema = Schema(source=path.name, variables=labelled)
    text = csv.convert_returns(open_text(path, encoding))
    dialect = _open_data(text, described, metadata)

    def load(names: Sequence[str]) -> pl.DataFrame:
        with translate_read_errors(path.name, "data of mu-ARGUS"):
            frame = dialect.raw(names).select(pl.col(n).str.strip_chars(" \t") for n in names)
            return frame.select(_settle_column(frame[n], schema[n], path.name) for n in names)

    return Source(
        schema=schema,
        load=guard_load(schema, load),
        columnar=metadata.layout.separator is None,
        notices=(*text.notices, *metadata.notices, *absent, *_find_unrelated(labelled)),
        paths=(path, rda, *lists),
        dialect=dialect,
        declarations=declare_variables(labelled),
    )


def add_labels(
    variables: tuple[Variable, ...], folder: Path, encoding: str | None
) -> tuple[tuple[Variable, ...], list[Path], list[Notice]]:
    """Add the labels of the code lists; return also the lists, and which are not there."""
    labelled: list[Variable] = []
    lists: list[Path] = []
    notices: list[Notice] = []
    for variable in variables:
        name = file_name(variable.extra.get("codelist", ""))
        code_list = find_code_list(folder, name) if name else None
        if name and code_list is None:
            notices.append(make_notice("argus-code-list", owner=variable.name, name=name))
        if code_list is not None and code_list.stat().st_size:
            lists.append(code_list)
            codes = read_codes(code_list, encoding)
            if variable.kind == "number":
                numbers = ((number_in(code), label) for code, label in codes.items())
                variable = replace(
                    variable, labels={code: label for code, label in numbers if code is not None}
                )
            else:
                variable = replace(variable, labels=dict(codes.items()))
        labelled.append(variable)
    return tuple(labelled), lists, notices


def _find_unrelated(variables: tuple[Variable, ...]) -> list[Notice]:
    """Say which related variables are not there; letter case does not matter in mu-ARGUS."""
    known = {variable.name.lower() for variable in variables}
    return [
        make_notice("argus-related", owner=variable.name, name=name)
        for variable in variables
        for name in variable.extra.get("related", "").split()
        if name.lower() not in known
    ]


def _open_data(text: DecodedText, described: DecodedText, metadata: ArgusMetadata) -> ArgusDialect:
    layout = metadata.layout
    if layout.separator is None:
        page = open_page(text, layout)
        return ArgusDialect(
            text=text, described=described, metadata=metadata, raw=page.load, page=page
        )
    names = [field.name for field in layout.fields]
    if layout.header:
        names = _order_names(text, names, layout.separator)
    table = open_table(
        _strip_end_mark(text), names, separator=layout.separator, header=layout.header
    )
    if not table.records:
        raise no_records_error(text.name)
    return ArgusDialect(
        text=text, described=described, metadata=metadata, raw=table.load, names=tuple(names)
    )


def _order_names(text: DecodedText, names: list[str], separator: str) -> list[str]:
    """Return the names of the metadata in the order of the data's first line."""
    first = next(text.chunks(), b"").split(b"\n", 1)[0].decode(errors="ignore").strip("\r")
    declared = {name.lower(): name for name in names}
    order = [part.strip(' "').lower() for part in first.split(separator)]
    if len(order) != len(names) or set(order) != set(declared):
        raise InputError(
            f"{text.name} does not name the variables of its metadata on its first line. "
            "Correct the one or the other."
        )
    return [declared[name] for name in order]


def _strip_end_mark(text: DecodedText) -> DecodedText:
    """Drop the Ctrl-Z that DOS programs put at the end of a text."""
    end = b""
    for chunk in text.chunks():
        end = (end + chunk[-_END:])[-_END:]
    if not end.rstrip(b"\r\n").endswith(b"\x1a"):
        return text
    return replace(text, content=text.read().rstrip(b"\x1a\r\n") + b"\n")


def _settle_column(column: pl.Series, variable: Variable, source: str) -> pl.Series:
    """Return text without empty text, or the numbers that it spells."""
    name = variable.name
    # Blank, or a declared missing code that is no number and so cannot stay in the column.
    nothing = (
        ["", *variable.extra.get("missing", "").split()] if variable.kind == "number" else [""]
    )
    column = column.to_frame().select(pl.when(~pl.col(name).is_in(nothing)).then(name)).to_series()
    column = column.alias(name)
    if variable.kind != "number":
        return column
    numbers = column.cast(pl.Float64, strict=False)
    wrong = numbers.null_count() - column.null_count()
    if wrong:
        raise InputError(
            f"{source} has {wrong} values of {name} that are not numbers, though its metadata say "
            "<NUMERIC>. Correct them, or take <NUMERIC> out of the metadata."
        )
    return numbers.fill_nan(None)
