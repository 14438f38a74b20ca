"""How far the cells of an Excel sheet reach: a reader makes a table of all cells up to there.

One stray cell in the last row and one in the last column make a table of 17 thousand million.
"""

from __future__ import annotations

import os
import posixpath
import re
import zipfile
import zlib
from typing import TYPE_CHECKING
from xml.sax.saxutils import unescape

from microsafe.errors import UnreadableFileError

if TYPE_CHECKING:
    from collections.abc import Iterator

EXTENSIVE = (".xlsx", ".xlsm")
# What a workbook that is packed in some other way, or not at all, may raise.
UNPACKABLE = (
    zipfile.BadZipFile, zlib.error, KeyError, ValueError, OSError, EOFError, RuntimeError,
)  # fmt: skip
_CELL = 32  # bytes in the table of the library
_FEW = 1 << 24  # cells that always may be
_BYTES, _BYTES_PER_BYTE = 500_000_000, 48
_CHUNK = 1 << 20

_SHEET = re.compile(rb"<(?:\w+:)?sheet\s[^>]*>")
_NAME = re.compile(rb'\sname="([^"]*)"')
_ID = re.compile(rb'\s\w+:id="([^"]*)"')
_PART = re.compile(rb"<Relationship\s[^>]*>")
_DIMENSION = re.compile(rb'<(?:\w+:)?dimension\s+ref="(?:[A-Z]+\d+:)?([A-Z]{1,3})(\d{1,7})"')
# A cell that holds something: an empty one closes itself.
_REFERENCE = re.compile(rb'<(?:\w+:)?c\s(?:[^>/]*?\s)?r="([A-Z]{1,3})(\d{1,7})"[^>/]*>')


def check_extent(path: str, sheet: str | None, *, trust: bool = False) -> tuple[None, None]:
    """Refuse a sheet whose cells reach so far that no memory could hold the table.

    Args:
        path: The workbook; nothing is said of any but those of XML.
        sheet: Its sheet; the first if None.
        trust: Whether a small table is believed if the sheet itself says that it has one.

    Raises:
        UnreadableFileError: It reaches too far.
    """
    if not path.lower().endswith(EXTENSIVE):
        return None, None
    try:
        with zipfile.ZipFile(path) as packed:
            part = packed.getinfo(find_part(packed, sheet))
            columns, rows = _read_dimension(packed, part) if trust else (0, 0)
            if trust and 0 < rows * columns <= _FEW:
                return None, None
            columns, rows = _find_farthest(packed, part)
    except UNPACKABLE:
        return None, None  # packed in some other way, or not at all: the reader will say so
    need = _CELL * rows * columns
    if need > _BYTES + _BYTES_PER_BYTE * part.file_size:
        raise UnreadableFileError(
            f"{os.path.basename(path)} has cells as far as row {rows:,} and column {columns:,}: "
            f"a table up to there needs {need / 1e9:,.1f} GB. Delete the cells that stand outside "
            "of the records, or save the sheet as CSV."
        )
    return None, None


def find_part(packed: zipfile.ZipFile, sheet: str | None) -> str:
    """Return where a sheet is inside of the workbook."""
    sheets = _SHEET.findall(packed.read("xl/workbook.xml"))
    named = (each for each in sheets if sheet in (None, read_attribute(_NAME, each)))
    key = next((read_attribute(_ID, each) for each in named), None)
    for each in _PART.findall(packed.read("xl/_rels/workbook.xml.rels")):
        if read_attribute(re.compile(rb'\sId="([^"]*)"'), each) == key:
            target = read_attribute(re.compile(rb'\sTarget="([^"]*)"'), each)
            return posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")
    raise KeyError


def read_attribute(pattern: re.Pattern[bytes], element: bytes) -> str:
    """Return what a pattern finds in an element.

    Raises:
        KeyError: It finds nothing.
    """
    found = pattern.search(element)
    if found is None:
        raise KeyError
    return unescape(found[1].decode(), {"&quot;": '"', "&apos;": "'"})


def read_pieces(packed: zipfile.ZipFile, part: str | zipfile.ZipInfo) -> Iterator[bytes]:
    """Go through a part of a workbook in pieces that end where an element begins."""
    rest = b""
    with packed.open(part) as file:
        while chunk := file.read(_CHUNK):
            text = rest + chunk
            end = text.rfind(b"<")
            yield text[:end]
            rest = text[end:][-_CHUNK:]
    yield rest


def find_first_cell(packed: zipfile.ZipFile, part: str) -> tuple[int, int]:
    """Return the first column and the first row that hold something."""
    columns: set[bytes] = set()
    rows: set[int] = set()
    for piece in read_pieces(packed, part):
        found = _REFERENCE.findall(piece)
        columns.update(letters for letters, _ in found)
        rows.update(int(number) for _, number in found[:1])  # they are in order of rows
    return min(map(_column, columns), default=1), min(rows, default=1)


def cell_place(reference: tuple[bytes, bytes]) -> tuple[int, int]:
    """Return the column and the row of a cell, from 1, by its letters and its number."""
    return _column(reference[0]), int(reference[1])


def _read_dimension(packed: zipfile.ZipFile, part: zipfile.ZipInfo) -> tuple[int, int]:
    with packed.open(part) as file:
        found = _DIMENSION.search(file.read(_CHUNK))
    return (_column(found[1]), int(found[2])) if found else (0, 0)


def _find_farthest(packed: zipfile.ZipFile, part: zipfile.ZipInfo) -> tuple[int, int]:
    columns: set[bytes] = set()
    rows = 0
    for piece in read_pieces(packed, part):
        for letters, number in _REFERENCE.findall(piece):
            columns.add(letters)
            rows = max(rows, int(number))
    return max(map(_column, columns), default=0), rows


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number
