"""Estimate the unpacked size of a file from its header before a library unpacks it.

Only what can be: a file that says more than its bytes can hold is damaged, and is not believed.
"""

from __future__ import annotations

import os
import re
import struct
import zipfile
from typing import TYPE_CHECKING

from microsafe.errors import UnreadableFileError
from microsafe.io.spss.dictionary import survey_dictionary
from microsafe.io.stata.old_releases import read_extent

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_DEFLATED = 1032  # bytes that one byte of zlib can stand for
_SLOT = 8  # bytes of a number, and of a piece of text, in SPSS
_BOMB, _RATIO = 200_000_000, 250
_USUAL = 16_000_000_000  # bytes of memory
_HEAD = 1 << 20

_STATA = re.compile(
    rb"<stata_dta><header><release>(\d+)</release><byteorder>([LM])SF</byteorder><K>(.{2,4})</K>"
    rb"<N>(.{4,8})</N>",
    re.DOTALL,
)
_OLD_STATA = range(102, 116)  # releases, in the first byte
# Where the rows of a SAS file are described, in files of 32 and of 64 bits.
_SAS = (
    (b"\xf7\xf7\xf7\xf7\0\0\0\0", "<", 8, 40),
    (b"\xf7\xf7\xf7\xf7", "<", 4, 20),
    (b"\xff\xff\xff\xff\xf7\xf7\xf7\xf7", ">", 8, 40),
    (b"\xf7\xf7\xf7\xf7", ">", 4, 20),
)


def unpacked_size(path: Path) -> int:
    """Return the bytes that a file of a package or a workbook unpacks to, at least its size.

    Raises:
        UnreadableFileError: It is far too much.
    """
    size = path.stat().st_size
    measure = _MEASURES.get(path.suffix.lower())
    declared = 0
    if measure is not None:
        try:
            declared = measure(path, size)
        except UnreadableFileError:
            raise
        except (ValueError, OSError, struct.error, zipfile.BadZipFile, NotImplementedError):
            declared = 0  # no such file: the library that reads it will say so
    zipped = path.suffix.lower() in _ZIPPED
    check_unpacked(path.name, declared, size, most=_BOMB if zipped else _machine_memory())
    return max(declared, size)


def check_unpacked(name: str, unpacked: int, size: int, *, most: int = _BOMB) -> None:
    """Refuse a file that unpacks to far more than such files do.

    Args:
        name: What messages call it.
        unpacked: Bytes that it unpacks to, as far as is known.
        size: Its bytes on the disk.
        most: Bytes that any file may unpack to.

    Raises:
        UnreadableFileError: It is far too much.
    """
    if unpacked > max(most, _RATIO * size):
        raise UnreadableFileError(
            f"{name} unpacks to {unpacked / 1e9:,.1f} GB, {unpacked // size:,} times its size "
            "on disk, which is more than can be read. Check where it comes from, or export it "
            "again with fewer variables."
        )


def _machine_memory() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # Windows does not say
        return _USUAL


def _measure_spss(path: Path, size: int) -> int:
    dictionary = survey_dictionary(path)
    most = size * _SLOT * (_DEFLATED if dictionary.compression == 2 else 1)
    row = _SLOT * len(dictionary.texts)
    if dictionary.records < 0 or not row:
        return most if dictionary.compression else size
    if dictionary.records * row > most:
        raise UnreadableFileError(
            f"{path.name} says that it has {dictionary.records:,} records, more than its "
            f"{size:,} bytes can hold. It may be damaged, so fetch or export it again."
        )
    return dictionary.records * row


def _measure_stata(path: Path, size: int) -> int:
    """Numbers take one byte to eight in the file, and eight in memory."""
    with path.open("rb") as file:
        head = file.read(400)
    if match := _STATA.match(head):
        columns, rows = (
            int.from_bytes(match[place], "little" if match[2] == b"L" else "big")
            for place in (3, 4)
        )
    elif head[0] not in _OLD_STATA:
        return size
    else:
        columns, rows = read_extent(head)
    if rows * columns > size:
        raise UnreadableFileError(
            f"{path.name} says that it has {rows:,} records of {columns:,} variables, more than "
            f"its {size:,} bytes can hold. It may be damaged, so fetch or export it again."
        )
    return max(_SLOT * rows * columns, size)


def _measure_sas(path: Path, size: int) -> int:
    """Records may be compressed: repeated bytes, above all blanks."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    for mark, order, width, place in _SAS:
        start = head.find(mark)
        if start >= 0 and start % 4 == 0 and len(head) > start + place + 2 * width:
            length, rows = struct.unpack_from(
                order + ("2Q" if width == 8 else "2I"), head, start + place
            )
            return int(min(length * rows, size * _DEFLATED))
    return size


def _measure_numbers(_: Path, size: int) -> int:
    """Numbers of two characters or three bytes become eight bytes."""
    return 4 * size


def _measure_zip(path: Path, size: int) -> int:
    with zipfile.ZipFile(path) as packed:
        return sum(min(member.file_size, size * _DEFLATED) for member in packed.infolist())


_ZIPPED = (".xlsx", ".xlsm", ".xlsb", ".ods")
_MEASURES: dict[str, Callable[[Path, int], int]] = {
    ".sav": _measure_spss,
    ".zsav": _measure_spss,
    ".dta": _measure_stata,
    ".sas7bdat": _measure_sas,
    ".xpt": _measure_numbers,
    ".por": _measure_numbers,
    **dict.fromkeys(_ZIPPED, _measure_zip),
}
