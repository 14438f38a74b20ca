"""Read files of every format, and data frames."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe.errors import InputError, UsageError
from microsafe.io.formats import (
    ARGUS,
    DELIMITED_TEXT,
    PARQUET,
    Format,
    find_format,
    readable_extensions,
)
from microsafe.io.reader.faults import check_readable
from microsafe.io.source import Source
from microsafe.io.text.csv import CsvDialect
from microsafe.options.declaration import Declaration
from microsafe.progress import Progress, silent

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from microsafe.schema import Schema

_WHOLE = 8  # bytes in memory for one of text, if all of a file is read at once


def read(
    path: str | os.PathLike[str],
    *,
    meta: str | os.PathLike[str] | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    comment: str | None = None,
    na: Sequence[str] = (),
    sheet: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    progress: Progress = silent,
) -> Source:
    """Open a file. The format is taken from the extension; columns are loaded when needed.

    Args:
        path: The data; or a folder of Parquet files that are one table.
        meta: mu-ARGUS metadata (`.rda`), if not beside the data under the same name.
        encoding: Encoding of text; by default UTF-8, or windows-1252 if it is not that.
        separator: Between the fields of delimited text; by default found from the file.
        comment: Character that lines of delimited text begin with which are left out, such as "#".
        na: Further codes that stand for "missing" in every text variable; those that are
            numbers also in numeric variables.
        sheet: Worksheet; by default the first.
        decimal: Decimal mark of numbers that are written as text; delimited text is written with
            it again.
        thousands: Their thousands mark. Values stay text here: engines parse them.
        progress: Progress callback, for formats that are gone through when they are opened.

    Raises:
        UnreadableFileError: The file is missing, damaged or not what its name says.
        InputError: Its content cannot be used.
        UsageError: An option does not apply to its format.
    """
    Declaration(decimal=decimal or "", thousands=thousands or "")  # or it is refused
    target = Path(path)
    form = PARQUET if target.is_dir() else _choose_format(target, described=meta is not None)
    given_options = {
        "meta": None if meta is None else check_readable(Path(meta)),
        "encoding": encoding,
        "separator": separator,
        "comment": comment,
        "sheet": sheet,
    }
    options: dict[str, Any] = {name: v for name, v in given_options.items() if v is not None}
    for name in options:
        if name not in form.options:
            raise UsageError(
                f"{name} does not apply to {target.name}, which is {form.name}. Leave it out."
            )
    if "progress" in form.options:
        options["progress"] = progress
    source: Source
    if target.is_dir():
        from microsafe.io.parquet_folder import read_folder

        source = read_folder(target)
    else:
        source = form.import_reader().read(target, **options)
    in_memory = source.held if source.scan or source.held else _WHOLE * target.stat().st_size
    source = replace(source, format=form, held=in_memory)
    if decimal and isinstance(source.dialect, CsvDialect):
        left = tuple(notice for notice in source.notices if notice.id != "decimal-comma")
        source = replace(source, dialect=replace(source.dialect, decimal=decimal), notices=left)
    if not na:
        return source
    return replace(source, schema=with_missing(source.schema, (na,) if isinstance(na, str) else na))


def list_sheets(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Return the names of the worksheets of a workbook; nothing if the file is none.

    Raises:
        UnreadableFileError: The file is missing or damaged.
    """
    target = check_readable(Path(path))
    form = find_format(target)
    if form is None or "sheet" not in form.options:
        return ()
    sheets: tuple[str, ...] = form.import_reader().list_sheets(target)
    return sheets


def read_frame(frame: object) -> Source:
    """Use a pandas, Polars or PyArrow data frame as it is now; results are frames of its kind.

    Raises:
        UsageError: It is no data frame.
        InputError: It has no records, or names that cannot be told apart.
    """
    from microsafe.io import frames

    return frames.read_frame(frame)


def with_missing(schema: Schema, codes: Sequence[str]) -> Schema:
    """Return a schema with further missing codes.

    Raises:
        UsageError: It has no text variables: other files declare their own.
    """
    if not any(variable.kind == "text" for variable in schema):
        raise UsageError(
            f"na does not apply to {schema.source}, which has no text variables. Leave it out."
        )
    return schema.with_missing(tuple(codes))


def _choose_format(path: Path, *, described: bool) -> Format:
    """Return the format of a file; metadata of mu-ARGUS make any text a file of mu-ARGUS."""
    form = find_format(check_readable(path))
    if described and form in (None, DELIMITED_TEXT):
        return ARGUS
    if path.suffix.lower() == ".txt":
        from microsafe.io.argus import find_metadata

        return DELIMITED_TEXT if find_metadata(path) is None else ARGUS
    if form is None:
        raise InputError(
            f"{path.name} cannot be read: the format is taken from the extension. "
            f"Files that can be read end in {', '.join(readable_extensions())}."
        )
    return form
