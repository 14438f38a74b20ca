"""What the XML of a workbook says and the library does not tell, or tells wrongly.

It takes the days of some workbooks of Excel for Mac for others, reads errors as if the cells were
empty, and of OpenDocument drops times from 24 hours on and takes errors for values.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections import Counter

from microsafe.errors import UnreadableFileError
from microsafe.io.excel._extent import (
    EXTENSIVE,
    UNPACKABLE,
    cell_place,
    find_first_cell,
    find_part,
    read_attribute,
    read_pieces,
)

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


def counts_from_1904(path: str) -> bool:
    """Tell whether a workbook of XML says that its days count from 1904.

    The library believes the last element of that name, and Excel for Mac adds one of its own.
    """
    if not path.lower().endswith(EXTENSIVE):
        return False
    try:
        with zipfile.ZipFile(path) as packed:
            return bool(_FLAG.search(packed.read("xl/workbook.xml")))
    except UNPACKABLE:
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
            part = find_part(packed, sheet)
            found = [
                place
                for piece in read_pieces(packed, part)
                if _IS_ERROR in piece
                for place in map(cell_place, _ERROR.findall(piece))
            ]
            left, top = find_first_cell(packed, part) if found else (1, 1)
    except UNPACKABLE:
        return []  # packed in some other way: nothing is known of its cells
    counts = Counter(column - left for column, row in found if row > top + header)
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
    except UNPACKABLE:
        return False  # the reader will say so
    for table in tables:
        if sheet in (None, read_attribute(_TABLE_NAME, table)):
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
