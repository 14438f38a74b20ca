"""Cells of workbooks that the library would read wrongly, rewritten before it sees them.

It drops times of OpenDocument from 24 hours on, takes their errors for text, knows no errors
afterwards, and does not undo escapes such as `_x000D_` in results of formulas. Only a workbook
that has such cells is rewritten, in memory.
"""

from __future__ import annotations

import html
import re
import zipfile
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from microsafe.io.extent import EXTENSIVE, UNPACKABLE, find_part

if TYPE_CHECKING:
    from collections.abc import Iterator

TIME, ERROR = "\ue000", "\ue001"  # before texts that stand for a time or an error
_CHUNK, _OVERLAP = 1 << 20, 64
_FLAG = re.compile(rb'<(?:\w+:)?workbookPr\b[^>]*\sdate1904="(?:1|true|on)"')
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")
_HAS_ESCAPE = re.compile(rb"_x[0-9A-Fa-f]{4}_")
_RESULT = re.compile(
    rb'(<(?:\w+:)?c\s[^>]*?\bt=")(str|e)("[^>]*>(?:(?!</?(?:\w+:)?[cv]\b).)*<(?:\w+:)?v[^>]*>)([^<]*)',
    re.DOTALL,
)
_ODS_CELL = re.compile(rb"<table:(?:covered-)?table-cell\s[^>]*>")
_ODS_VALUE = re.compile(
    rb"\s(?:office:(?:value-type|value|time-value|date-value|boolean-value|string-value)|"
    rb'calcext:value-type)="[^"]*"'
)
_ODS_TIME = re.compile(rb'\soffice:time-value="([^"]*)"')
_ODS_ERROR = b'calcext:value-type="error"'

Rewrite = Callable[[bytes], bytes]


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


def patch_cells(path: str, sheet: str | None) -> bytes | None:
    """Return a workbook with cells that the library reads rightly; None if it has no others."""
    return _rewrite_part(path, sheet, b"_x", _undo_escapes, partial(_patch_ods, error=b""))


def mark_errors(path: str, sheet: str | None) -> bytes | None:
    """Return a workbook in which errors are texts that begin with `ERROR`; None if it has none."""

    def mark_ods(content: bytes) -> bytes:
        return _patch_ods(content, error=ERROR.encode()) if _ODS_ERROR in content else content

    return _rewrite_part(path, sheet, b't="e"', _mark_xlsx, mark_ods)


def _rewrite_part(
    path: str, sheet: str | None, needed: bytes, xlsx: Rewrite, ods: Rewrite
) -> bytes | None:
    lower = path.lower()
    try:
        with zipfile.ZipFile(path) as packed:
            if lower.endswith(EXTENSIVE):
                part = find_part(packed, sheet)
                if not _has(packed, part, needed):
                    return None
                rewrite = xlsx
            elif lower.endswith(".ods"):
                part, rewrite = "content.xml", ods
            else:
                return None
            before = packed.read(part)
            after = rewrite(before)
            return None if after == before else _repack(packed, part, after)
    except UNPACKABLE:
        return None  # packed in some other way, or not at all: the reader will say so


def _has(packed: zipfile.ZipFile, part: str, needed: bytes) -> bool:
    return any(needed in chunk for chunk in _chunks(packed, part))


def _chunks(packed: zipfile.ZipFile, part: str) -> Iterator[bytes]:
    rest = b""
    with packed.open(part) as file:
        while chunk := file.read(_CHUNK):
            yield rest + chunk
            rest = chunk[-_OVERLAP:]


def _repack(packed: zipfile.ZipFile, part: str, content: bytes) -> bytes:
    memory = BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_STORED) as again:
        for name in dict.fromkeys(packed.namelist()):
            again.writestr(name, content if name == part else packed.read(name))
    return memory.getvalue()


def _undo_escapes(content: bytes) -> bytes:
    def undo(found: re.Match[bytes]) -> bytes:
        if found[2] == b"e" or not _HAS_ESCAPE.search(found[4]):
            return found[0]
        text = _ESCAPE.sub(_letter, html.unescape(found[4].decode()))
        written = escape(text, {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"})
        return found[1] + found[2] + found[3] + written.encode()

    return _RESULT.sub(undo, content)


def _letter(found: re.Match[str]) -> str:
    """Return what an escape stands for, unless no file of XML could hold it."""
    code = int(found[1], 16)
    possible = code in (9, 10, 13) or (code >= 0x20 and not 0xD800 <= code < 0xE000)
    return chr(code) if possible else found[0]


def _mark_xlsx(content: bytes) -> bytes:
    def mark(found: re.Match[bytes]) -> bytes:
        if found[2] == b"str":
            return found[0]
        return found[1] + b"str" + found[3] + ERROR.encode() + found[4]

    return _RESULT.sub(mark, content)


def _patch_ods(content: bytes, *, error: bytes) -> bytes:
    """Make texts of times, and of errors the text that is given."""

    def patch(found: re.Match[bytes]) -> bytes:
        cell = found[0]
        if _ODS_ERROR in cell:
            text = error
        elif time := _ODS_TIME.search(cell):
            text = TIME.encode() + time[1]
        else:
            return cell
        end = -2 if cell.endswith(b"/>") else -1
        plain = _ODS_VALUE.sub(b"", cell[:end])
        value = b' office:value-type="string" office:string-value="' + text + b'"'
        return plain + value + cell[end:]

    return _ODS_CELL.sub(patch, content)
