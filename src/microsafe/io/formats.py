"""Registry of file formats, used by reading, writing, the app, the help and the docs."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path, PurePath
from types import ModuleType
from typing import Literal

from microsafe.errors import UsageError

_MARKS = ("_SUCCESS", "_metadata", "_common_metadata")

Option = Literal["meta", "encoding", "separator", "comment", "sheet", "progress"]
_R_DATA = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"RDX")  # packed in one of three ways, or plain
PACKINGS = (".gz", ".zip")  # of delimited text


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A file format.

    Attributes:
        name: What messages call a file of it, with its article.
        extensions: Of its files, in lower case.
        reader: Module with `read(path, **options) -> Source`.
        writer: Module with `write(request)`, which may return options to read the file back with,
            and `as_stored(column)` if the format holds values in another way, and
            `find_notices(request)` if there is more to say of it; empty if the format cannot be
            written.
        options: What its `read` takes besides the path; "progress" if opening a file means going
            through all of it.
        batches: Whether `write` takes the records batch by batch, rather than all at once.
        read_back: Whether what was written is read back and compared; otherwise the writer sees to
            it that all of it is on the disk.
        zones: Whether a moment keeps its time zone; otherwise what the clock shows there is
            written.
        tags: Whether null can be written as a tagged missing value, such as .a.
        own_process: Whether a library of native code reads it, which runs in the reader process.
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
    zones: bool = False
    tags: bool = False
    own_process: bool = False
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
    extensions=(
        *(".csv", ".tsv", ".txt"),
        *(".csv.gz", ".tsv.gz", ".txt.gz", ".csv.zip", ".tsv.zip", ".txt.zip"),
    ),
    reader="microsafe.io.text.csv",
    writer="microsafe.io.text.csv",
    options=("encoding", "separator", "comment", "progress"),
    batches=True,
)
PACKED_TEXT = Format(
    name="packed delimited text",
    extensions=PACKINGS,
    reader="microsafe.io.text.csv",
    options=DELIMITED_TEXT.options,
    instead=".csv.zip",
)
PARQUET = Format(
    name="a Parquet file",
    extensions=(".parquet", ".pq"),
    zones=True,
    reader="microsafe.io.parquet",
    own_process=True,
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
        name="an Arrow file",
        extensions=(".arrow", ".feather", ".ipc"),
        zones=True,
        reader="microsafe.io.arrow",
        own_process=True,
        writer="microsafe.io.arrow",
        batches=True,
    ),
    Format(
        name="an SPSS file",
        extensions=(".sav", ".zsav"),
        reader="microsafe.io.spss.sav",
        own_process=True,
        writer="microsafe.io.spss.sav",
        options=("encoding",),
    ),
    Format(
        name="an SPSS portable file",
        extensions=(".por",),
        reader="microsafe.io.spss.sav",
        own_process=True,
        instead=".sav",
    ),
    Format(
        name="a Stata file",
        extensions=(".dta",),
        reader="microsafe.io.stata.dta",
        own_process=True,
        writer="microsafe.io.stata.dta",
        options=("encoding",),
        tags=True,
    ),
    Format(
        name="a SAS file",
        extensions=(".sas7bdat",),
        reader="microsafe.io.sas.sas_files",
        own_process=True,
        options=("encoding",),
        instead=".xpt",
        reason="only SAS itself writes .sas7bdat",
    ),
    Format(
        name="a SAS transport file",
        extensions=(".xpt",),
        reader="microsafe.io.sas.sas_files",
        own_process=True,
        writer="microsafe.io.sas.sas_files",
        options=("encoding",),
    ),
    Format(
        name="a workbook",
        extensions=(".xlsx",),
        reader="microsafe.io.excel.workbook",
        own_process=True,
        writer="microsafe.io.excel.workbook",
        options=("sheet",),
    ),
    Format(
        name="a workbook",
        extensions=(".xls", ".ods", ".xlsb", ".xlsm"),
        reader="microsafe.io.excel.workbook",
        own_process=True,
        options=("sheet",),
        instead=".xlsx",
    ),
    Format(
        name="R data",
        extensions=(".rds",),
        zones=True,
        reader="microsafe.io.r",
        writer="microsafe.io.r",
        options=("encoding",),
    ),
    Format(
        name="R data",
        extensions=(".rdata",),
        zones=True,
        reader="microsafe.io.r",
        writer="microsafe.io.r",
        options=("sheet", "encoding"),
    ),
    Format(
        name="R data",
        extensions=(".rda",),
        reader="microsafe.io.r",
        options=("sheet", "encoding"),
        instead=".rdata",
        reason="mu-ARGUS has metadata of that name",
    ),
    ARGUS,
    PACKED_TEXT,
)


def find_format(path: PurePath) -> Format | None:
    """Return the format that the extension of a path stands for, in any letter case."""
    extension = find_extension(path).lower()
    return next((form for form in FORMATS if extension in form.extensions), None)


def find_extension(path: PurePath) -> str:
    """Return the extension of a path, with that of the text inside if it is packed: .csv.gz."""
    inner = PurePath(path.stem).suffix
    packed = path.suffix.lower() in PACKINGS and inner.lower() in (".csv", ".tsv", ".txt")
    return f"{inner}{path.suffix}" if packed else path.suffix


def find_stem(path: PurePath) -> str:
    """Return the name of a file without its extension."""
    return path.name.removesuffix(find_extension(path))


def name_unpacked(path: PurePath) -> str:
    """Return the name of a file without the extension by which it is packed, if it is."""
    return path.stem if path.suffix.lower() in PACKINGS else path.name


def readable_extensions() -> tuple[str, ...]:
    """Return the extensions of all files that can be read."""
    return tuple(extension for form in FORMATS for extension in form.extensions)


def writable_extensions() -> tuple[str, ...]:
    """Return the extensions of all files that can be written."""
    return tuple(extension for form in FORMATS if form.writer for extension in form.extensions)


def can_read(path: Path) -> bool:
    """Tell whether a file has the extension of a format that can be read, and is no metadata."""
    return find_format(path) is not None and (path.suffix.lower() != ".rda" or is_r_data(path))


def is_r_data(path: Path) -> bool:
    """Tell whether an `.rda` file is one of R; metadata of mu-ARGUS, which are text, end so too."""
    try:
        with path.open("rb") as file:
            return file.read(6).startswith(_R_DATA)
    except OSError:
        return False


def spells_out(path: PurePath) -> bool:
    """Tell whether a file of that name holds texts only, numbers among them."""
    return find_format(path) in (DELIMITED_TEXT, PACKED_TEXT, ARGUS)


def is_table(folder: Path) -> bool:
    """Tell whether a folder is one of Parquet files by its name, or by a mark of who wrote it."""
    return find_format(folder) is PARQUET or any((folder / mark).is_file() for mark in _MARKS)


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
    """Return the extension of a path if it can be written, or the one to use in its place.

    A folder is one of Parquet files.
    """
    form = find_format(path)
    if form is None:
        return ".parquet" if Path(path).is_dir() else ".csv"
    return find_extension(path) if form.writer else form.instead
