"""Reading and writing files of every supported format, and replacing files safely."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe.errors import InputError, UsageError
from microsafe.io.atomic import replacing
from microsafe.io.checksum import digest
from microsafe.io.faults import existing
from microsafe.io.save import check_writable, in_batches, write, write_figures
from microsafe.io.source import Source
from microsafe.progress import Progress, silent

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from microsafe.schema import Schema

__all__ = [
    "Source",
    "can_read",
    "check_writable",
    "digest",
    "in_batches",
    "read",
    "read_frame",
    "replacing",
    "with_missing",
    "write",
    "write_figures",
]

_WHOLE = 8  # bytes in memory for one on disk, if all of a file is read at once


@dataclass(frozen=True, slots=True, kw_only=True)
class _Format:
    """A file format: how messages call it, its suffixes, its options and its module."""

    name: str
    suffixes: tuple[str, ...]
    options: tuple[str, ...]
    module: str


def read(
    path: str | os.PathLike[str],
    *,
    meta: str | os.PathLike[str] | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    na: Sequence[str] = (),
    sheet: str | None = None,
    progress: Progress = silent,
) -> Source:
    """Open a file. The format goes by the suffix; columns are loaded when asked for.

    Args:
        path: The data.
        meta: mu-ARGUS metadata (`.rda`), if not beside the data under the same name.
        encoding: Encoding of text; by default UTF-8, or windows-1252 if it is not that.
        separator: Between the fields of delimited text; by default found from the file.
        na: Further codes that stand for "missing" in every text variable; those that are
            numbers also in numeric variables.
        sheet: Worksheet; by default the first.
        progress: Told of stages, if the file is one that must be gone through.

    Raises:
        UnreadableFileError: The file is missing, damaged or not what its name says.
        InputError: Its content cannot be used.
        UsageError: An option does not apply to its format.
    """
    target = existing(Path(path))
    form = _format(target, meta is not None)
    given = {
        "meta": None if meta is None else existing(Path(meta)),
        "encoding": encoding,
        "separator": separator,
        "sheet": sheet,
    }
    options: dict[str, Any] = {name: v for name, v in given.items() if v is not None}
    for name in options:
        if name not in form.options:
            raise UsageError(
                f"{name} does not apply to {target.name}, which is {form.name}. Leave it out."
            )
    if form is _CSV:
        options["progress"] = progress
    # A format is imported when a file of it is read: some bring large libraries.
    source: Source = import_module(f"microsafe.io.{form.module}").read(target, **options)
    if source.scan is None:
        source = replace(source, held=_WHOLE * target.stat().st_size)
    return _with_missing(source, (na,) if isinstance(na, str) else na)


def read_frame(frame: object) -> Source:
    """Use a pandas, Polars or PyArrow data frame as it is now; results come back alike.

    Raises:
        UsageError: It is no data frame.
        InputError: It has no records, or names that cannot be told apart.
    """
    from microsafe.io import frames

    return frames.read_frame(frame)


def can_read(path: Path) -> bool:
    """Tell whether the suffix of a path names a format that can be read."""
    return path.suffix.lower() in _BY_SUFFIX


def _with_missing(source: Source, codes: Sequence[str]) -> Source:
    return replace(source, schema=with_missing(source.schema, codes)) if codes else source


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


def _format(path: Path, described: bool) -> _Format:
    suffix = path.suffix.lower()
    form = _BY_SUFFIX.get(suffix)
    if described and (form is None or form in (_CSV, _ARGUS)):
        return _ARGUS
    if suffix == ".txt":
        from microsafe.io.argus import reader

        return _CSV if reader.metadata_beside(path) is None else _ARGUS
    if form is None:
        raise InputError(
            f"{path.name} has a suffix that does not tell its format. "
            f"Files that can be read end in {', '.join(_BY_SUFFIX)}."
        )
    return form


def _form(name: str, suffixes: str, options: str, module: str) -> _Format:
    return _Format(
        name=name, suffixes=tuple(suffixes.split()), options=tuple(options.split()), module=module
    )


_CSV = _form("delimited text", ".csv .tsv .txt", "encoding separator", "csv")
_ARGUS = _form("data of mu-ARGUS", ".asc .dat .prn", "meta encoding", "argus.reader")
_FORMATS = (
    _CSV,
    _form("a Parquet file", ".parquet .pq", "", "parquet"),
    _form("an SPSS file", ".sav .zsav", "encoding", "spss"),
    _form("an SPSS portable file", ".por", "", "spss"),
    _form("a Stata file", ".dta", "encoding", "stata"),
    _form("a SAS file", ".sas7bdat .xpt", "encoding", "sas"),
    _form("a workbook", ".xlsx .xls .ods .xlsb .xlsm", "sheet", "excel"),
    _ARGUS,
)
_BY_SUFFIX: Mapping[str, _Format] = {suffix: form for form in _FORMATS for suffix in form.suffixes}
