"""Whole files that no library reads: what they are, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microsafe.errors import UnreadableFileError

if TYPE_CHECKING:
    from pathlib import Path

_ENCRYPTED = (b"ENCRYPTEDSAV", 8)  # and where that stands
_EXCEL = {b"\x09\x00\x04\x00": "2", b"\x09\x02\x06\x00": "3", b"\x09\x04\x06\x00": "4"}


def refuse_encrypted(path: Path) -> None:
    """Refuse an SPSS file with a password, which begins in its own way.

    Raises:
        UnreadableFileError: It is one.
    """
    if _read_start(path).startswith(*_ENCRYPTED):
        raise UnreadableFileError(
            f"{path.name} is an SPSS file that is encrypted with a password. Open it in SPSS with "
            "the password, and save it without one."
        )


def refuse_old_workbook(path: Path) -> None:
    """Refuse a worksheet of Excel 2 to 4, of before 1993.

    Raises:
        UnreadableFileError: It is one.
    """
    version = _EXCEL.get(_read_start(path)[:4])
    if version is not None:
        raise UnreadableFileError(
            f"{path.name} is a worksheet of Excel {version}, which is too old to be read. Open it "
            "in Excel or LibreOffice, and save it as .xlsx."
        )


def _read_start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(20)
