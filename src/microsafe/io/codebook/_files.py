"""Read and write codebooks of every format, by their extension."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from microsafe.errors import TornFileError, UsageError
from microsafe.io.atomic import replace_files
from microsafe.io.codebook._ddi import read_ddi, write_ddi
from microsafe.io.codebook._rda_codebook import read_rda, write_rda
from microsafe.io.codebook._table import read_table, write_table
from microsafe.io.reader.faults import check_readable, translate_write_errors
from microsafe.io.text.encoding import CHUNK, check_encoding, open_text

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Mapping

    from microsafe.options.declaration import Declaration

EXTENSIONS = (".csv", ".xml", ".rda")


def read_codebook(
    path: str | os.PathLike[str], *, encoding: str | None = None
) -> Mapping[str, Declaration]:
    """Read what a codebook says of variables. The format is taken from the extension.

    Args:
        path: `.csv` (see docs/reference/codebooks.md), `.xml` (DDI-Codebook) or `.rda`
            (mu-ARGUS, with the code lists beside it).
        encoding: Of text; by default UTF-8, or windows-1252 if it is not that.

    Returns:
        A declaration for each variable, in the order of the codebook. Codes are texts, or numbers
        in a variable of type number.

    Raises:
        UnreadableFileError: The file is missing, damaged or not what its name says.
        InputError: It says something that cannot be meant; names line and column.
        UsageError: No codebook has that extension.
    """
    target = Path(path)
    extension = check_codebook(target)
    check_readable(target)
    if encoding is not None:
        encoding = check_encoding(encoding)
    if extension == ".rda":
        return read_rda(target, encoding)
    if extension == ".xml":
        with target.open("rb") as file:
            chunks = iter(lambda: file.read(CHUNK), b"")
            return read_ddi(chunks, target.name, encoding=encoding)
    return read_table(open_text(target, encoding).read().decode(), target.name)


def write_codebook(
    path: str | os.PathLike[str],
    declarations: Mapping[str, Declaration],
    *,
    title: str = "",
    widths: Mapping[str, int] | None = None,
    separator: str = ",",
    keep: Collection[Path] = (),
) -> None:
    """Write what is said of variables, entirely or not at all.

    Args:
        path: `.csv`, `.xml` or `.rda`; beside the last the code lists are written.
        declarations: By name of the variable, in the order of the file.
        title: Of the study, which DDI asks for; by default the name of the codebook.
        widths: Characters that each variable takes, which `.rda` asks for; by default those of
            its longest code.
        separator: Between the fields of the data that a `.rda` describes.
        keep: Files that must not be replaced, such as those that the data were read from.

    Raises:
        UsageError: No codebook has that extension, or it would replace a file that is kept.
        InputError: The format cannot hold a name; says which.
        FileError: The folder or the disk refuses.
    """
    target = Path(path)
    files = format_codebook(
        target.name, declarations, title=title, widths=widths, separator=separator
    )
    protected = {path.resolve() for path in keep}
    if lost := [name for name in files if target.with_name(name).resolve() in protected]:
        raise UsageError(f"{lost[0]} belongs to the data. Choose another name for the codebook.")
    with translate_write_errors(target.name, "a codebook"), replace_files() as outputs:
        for name, content in files.items():
            staged = outputs.stage(target.with_name(name))
            staged.write_bytes(content)
            if staged.read_bytes() != content:
                raise TornFileError(
                    f"{name} was not written: what is on the disk differs. Check the space and the "
                    "state of the disk."
                )


def format_codebook(
    name: str,
    declarations: Mapping[str, Declaration],
    *,
    title: str = "",
    widths: Mapping[str, int] | None = None,
    separator: str = ",",
) -> Mapping[str, bytes]:
    """Return the files of a codebook by their names: itself, and code lists beside a `.rda`."""
    path = PurePath(name)
    extension = check_codebook(path)
    if extension == ".rda":
        return write_rda(declarations, path.stem, widths=widths or {}, separator=separator)
    if extension == ".xml":
        return {name: write_ddi(declarations, title or path.stem)}
    return {name: write_table(declarations)}


def check_codebook(path: PurePath) -> str:
    """Return the extension of a codebook, in lower case.

    Raises:
        UsageError: No codebook has that extension.
    """
    if (extension := path.suffix.lower()) not in EXTENSIONS:
        raise UsageError(
            f"{path.name} is no codebook: the format is taken from the extension. "
            f"Use one of {', '.join(EXTENSIONS)}."
        )
    return extension
