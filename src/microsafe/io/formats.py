"""The file formats: one list that reading, writing, the app, the help and the docs look into."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from types import ModuleType
from typing import Literal

from microsafe.errors import UsageError

Option = Literal["meta", "encoding", "separator", "sheet", "progress"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A file format.

    Attributes:
        name: What messages call a file of it, with its article.
        extensions: Of its files, in lower case.
        reader: Module with `read(path, **options) -> Source`.
        writer: Module with `write(target)`, which may return options to read the file back with,
            and `as_stored(column)` if the format holds values in another way, and
            `find_notices(target)` if there is more to say of it; empty if the format cannot be
            written.
        options: What its `read` takes besides the path; "progress" if opening a file means going
            through all of it.
        batches: Whether `write` takes the records batch by batch, rather than all at once.
        read_back: Whether what was written is read back and compared; otherwise the writer sees to
            it that all of it is on the disk.
        tags: Whether null can be written as a tagged missing value, such as .a.
        apart: Whether a library of native code reads it, which has a process of its own.
        instead: Extension to use in place of one that cannot be written.
        reason: Why it cannot be written, if there is more to say than that.
    """

    name: str
    extensions: tuple[str, ...]
    reader: str
    writer: str = ""
    options: tuple[Option, ...] = ()
    batches: bool = False
    read_back: bool = True
    tags: bool = False
    apart: bool = False
    instead: str = ".csv"
    reason: str = ""

    # A format's modules are imported when a file of it is opened: some bring large libraries.

    def import_reader(self) -> ModuleType:
        """Return the module that reads it."""
        return import_module(self.reader)

    def import_writer(self) -> ModuleType:
        """Return the module that writes it."""
        return import_module(self.writer)


DELIMITED_TEXT = Format(
    name="delimited text",
    extensions=(".csv", ".tsv", ".txt"),
    reader="microsafe.io.csv",
    writer="microsafe.io.csv",
    options=("encoding", "separator", "progress"),
    batches=True,
)
PARQUET = Format(
    name="a Parquet file",
    extensions=(".parquet", ".pq"),
    reader="microsafe.io.parquet",
    apart=True,
    writer="microsafe.io.parquet",
    batches=True,
)
ARGUS = Format(
    name="data of mu-ARGUS",
    extensions=(".asc", ".dat", ".prn"),
    reader="microsafe.io.argus",
    writer="microsafe.io.argus",
    options=("meta", "encoding"),
    read_back=False,
)
FORMATS: tuple[Format, ...] = (
    DELIMITED_TEXT,
    PARQUET,
    Format(
        name="an SPSS file",
        extensions=(".sav", ".zsav"),
        reader="microsafe.io.spss",
        apart=True,
        writer="microsafe.io.spss",
        options=("encoding",),
    ),
    Format(
        name="an SPSS portable file",
        extensions=(".por",),
        reader="microsafe.io.spss",
        apart=True,
        instead=".sav",
    ),
    Format(
        name="a Stata file",
        extensions=(".dta",),
        reader="microsafe.io.stata",
        apart=True,
        writer="microsafe.io.stata",
        options=("encoding",),
        tags=True,
    ),
    Format(
        name="a SAS file",
        extensions=(".sas7bdat",),
        reader="microsafe.io.sas",
        apart=True,
        options=("encoding",),
        instead=".xpt",
        reason="only SAS itself writes .sas7bdat",
    ),
    Format(
        name="a SAS transport file",
        extensions=(".xpt",),
        reader="microsafe.io.sas",
        apart=True,
        writer="microsafe.io.sas",
        options=("encoding",),
    ),
    Format(
        name="a workbook",
        extensions=(".xlsx",),
        reader="microsafe.io.excel",
        apart=True,
        writer="microsafe.io.excel",
        options=("sheet",),
    ),
    Format(
        name="a workbook",
        extensions=(".xls", ".ods", ".xlsb", ".xlsm"),
        reader="microsafe.io.excel",
        apart=True,
        options=("sheet",),
        instead=".xlsx",
    ),
    ARGUS,
)


def find_format(path: PurePath) -> Format | None:
    """Return the format that the extension of a path stands for, in any letter case."""
    extension = path.suffix.lower()
    return next((each for each in FORMATS if extension in each.extensions), None)


def readable_extensions() -> tuple[str, ...]:
    """Return the extensions of all files that can be read."""
    return tuple(extension for each in FORMATS for extension in each.extensions)


def writable_extensions() -> tuple[str, ...]:
    """Return the extensions of all files that can be written."""
    return tuple(extension for each in FORMATS if each.writer for extension in each.extensions)


def can_read(path: PurePath) -> bool:
    """Tell whether the extension of a path is that of a format that can be read."""
    return find_format(path) is not None


def check_writable(path: PurePath) -> Format:
    """Return the format that a file of that name is written in.

    Raises:
        UsageError: No format that can be written has its extension.
    """
    form = find_format(path)
    if form is None:
        raise UsageError(
            f"{path.name} cannot be written: the format is taken from the extension. "
            f"Use one of {', '.join(writable_extensions())}."
        )
    if not form.writer:
        reason = f": {form.reason}" if form.reason else ""
        raise UsageError(f"{path.name} cannot be written{reason}. Use {form.instead} instead.")
    return form


def writable_extension(path: PurePath) -> str:
    """Return the extension of a path if it can be written, or the one to use in its place."""
    form = find_format(path)
    if form is None:
        return ".csv"
    return path.suffix if form.writer else form.instead
