"""Read from the XML of a workbook what the library does not tell, or tells wrongly.

It makes a table of all cells up to the farthest: one stray cell in the last row and one in the last
column make a table of 17 thousand million. It takes the days of some workbooks of Excel for Mac for
others, reads errors as if the cells were empty, and of OpenDocument drops times from 24 hours on
and takes errors for values.
"""

from __future__ import annotations

import os
import posixpath
import re
import zipfile
import zlib
from collections import Counter
from typing import TYPE_CHECKING
from xml.sax.saxutils import unescape

from microsafe.errors import UnreadableFileError

if TYPE_CHECKING:
    from collections.abc import Iterator

EXTENSIVE = (".xlsx", ".xlsm")
# What a workbook that is packed in some other way, or not at all, may raise.
_UNPACKABLE = (
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
_FLAG = re.compile(rb'<(?:\w+:)?workbookPr\b[^>]*\sdate1904="(?:1|true|on)"')
_IS_ERROR = b't="e"'
_ERROR = re.compile(rb'<(?:\w+:)?c(?=\s)(?=[^>]*\st="e")[^>]*?\sr="([A-Z]{1,3})(\d{1,7})"')
_TABLE = b"<table:table "
_TABLE_NAME = re.compile(rb'^[^>]*?\btable:name="([^"]*)"')
_ODS_ERROR = b'calcext:value-type="error"'
_ODS_TIME = b"office:time-value="
_ODS_LONG_TIME = re.compile(
    rb'office:time-value="(?!PT(?:[01]?\d|2[0-3])H[0-5]?\dM[0-5]?\d(?:[.,]\d+)?S")'
)


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
            part = packed.getinfo(_find_part(packed, sheet))
            columns, rows = _read_dimension(packed, part) if trust else (0, 0)
            if trust and 0 < rows * columns <= _FEW:
                return None, None
            columns, rows = _find_farthest(packed, part)
    except _UNPACKABLE:
        return None, None  # packed in some other way, or not at all: the reader will say so
    need = _CELL * rows * columns
    if need > _BYTES + _BYTES_PER_BYTE * part.file_size:
        raise UnreadableFileError(
            f"{os.path.basename(path)} has cells as far as row {rows:,} and column {columns:,}: "
            f"a table up to there needs {need / 1e9:,.1f} GB. Delete the cells that stand outside "
            "of the records, or save the sheet as CSV."
        )
    return None, None


def counts_from_1904(path: str) -> bool:
    """Tell whether a workbook of XML says that its days count from 1904.

    The library believes the last element of that name, and Excel for Mac adds one of its own.
    """
    if not path.lower().endswith(EXTENSIVE):
        return False
    try:
        with zipfile.ZipFile(path) as packed:
            return bool(_FLAG.search(packed.read("xl/workbook.xml")))
    except _UNPACKABLE:
        return False  # the reader will say so


def count_errors(path: str, sheet: str | None, header: int) -> list[tuple[int, int]]:
    """Return how many cells of a worksheet of Excel hold errors, by position of the column.

    Args:
        path: The workbook.
        sheet: Its sheet; the first if None.
        header: Row of the names, from 0; rows and columns count from the first that are not empty.
    """
    if not path.lower().endswith(EXTENSIVE):
        return []
    try:
        with zipfile.ZipFile(path) as packed:
            part = _find_part(packed, sheet)
            cells = [
                place
                for piece in _read_pieces(packed, part)
                if _IS_ERROR in piece
                for place in map(_cell_place, _ERROR.findall(piece))
            ]
            left, top = _find_first_cell(packed, part) if cells else (1, 1)
    except _UNPACKABLE:
        return []  # packed in some other way: nothing is known of its cells
    counts = Counter(column - left for column, row in cells if row > top + header)
    return sorted(counts.items())


def check_open_document(path: str, sheet: str | None) -> bool:
    """Tell whether a sheet of OpenDocument has times; refuse one with cells that are misread.

    Raises:
        UnreadableFileError: It has errors, or times that are not of the day.
    """
    if not path.lower().endswith(".ods"):
        return False
    try:
        with zipfile.ZipFile(path) as packed:
            tables = packed.read("content.xml").split(_TABLE)[1:]
    except _UNPACKABLE:
        return False  # the reader will say so
    for table in tables:
        if sheet in (None, _read_attribute(_TABLE_NAME, table)):
            break
    else:
        return False
    what = "errors in place of values" if _ODS_ERROR in table else ""
    if _ODS_LONG_TIME.search(table):
        what = "times below 0 or of 24 hours and more"
    if what:
        raise UnreadableFileError(
            f"{os.path.basename(path)} has cells with {what}, which cannot be read from "
            "OpenDocument. Save it as .xlsx."
        )
    return _ODS_TIME in table


def _find_part(packed: zipfile.ZipFile, sheet: str | None) -> str:
    """Return where a sheet is inside of the workbook."""
    sheets = _SHEET.findall(packed.read("xl/workbook.xml"))
    named = (element for element in sheets if sheet in (None, _read_attribute(_NAME, element)))
    key = next((_read_attribute(_ID, element) for element in named), None)
    for relation in _PART.findall(packed.read("xl/_rels/workbook.xml.rels")):
        if _read_attribute(re.compile(rb'\sId="([^"]*)"'), relation) == key:
            target = _read_attribute(re.compile(rb'\sTarget="([^"]*)"'), relation)
            return posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")
    raise KeyError


def _read_dimension(packed: zipfile.ZipFile, part: zipfile.ZipInfo) -> tuple[int, int]:
    with packed.open(part) as file:
        match = _DIMENSION.search(file.read(_CHUNK))
    return (_column(match[1]), int(match[2])) if match else (0, 0)


def _find_farthest(packed: zipfile.ZipFile, part: zipfile.ZipInfo) -> tuple[int, int]:
    columns: set[bytes] = set()
    rows = 0
    for piece in _read_pieces(packed, part):
        for letters, number in _REFERENCE.findall(piece):
            columns.add(letters)
            rows = max(rows, int(number))
    return max(map(_column, columns), default=0), rows


def _find_first_cell(packed: zipfile.ZipFile, part: str) -> tuple[int, int]:
    """Return the first column and the first row that hold something."""
    columns: set[bytes] = set()
    rows: set[int] = set()
    for piece in _read_pieces(packed, part):
        references = _REFERENCE.findall(piece)
        columns.update(letters for letters, _ in references)
        rows.update(int(number) for _, number in references[:1])  # they are in order of rows
    return min(map(_column, columns), default=1), min(rows, default=1)


def _read_pieces(packed: zipfile.ZipFile, part: str | zipfile.ZipInfo) -> Iterator[bytes]:
    """Go through a part of a workbook in pieces that end where an element begins."""
    rest = b""
    with packed.open(part) as file:
        while chunk := file.read(_CHUNK):
            text = rest + chunk
            end = text.rfind(b"<")
            yield text[:end]
            rest = text[end:][-_CHUNK:]
    yield rest


def _cell_place(reference: tuple[bytes, bytes]) -> tuple[int, int]:
    """Return the column and the row of a cell, from 1, by its letters and its number."""
    return _column(reference[0]), int(reference[1])


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number


def _read_attribute(pattern: re.Pattern[bytes], element: bytes) -> str:
    """Return what a pattern finds in an element.

    Raises:
        KeyError: It finds nothing.
    """
    match = pattern.search(element)
    if match is None:
        raise KeyError
    return unescape(match[1].decode(), {"&quot;": '"', "&apos;": "'"})
