"""Read records of a SAS transport file by position.

All have the same width, yet ReadStat reads and converts each one that it is asked to pass over.
"""

from __future__ import annotations

from io import BufferedReader, RawIOBase
from typing import BinaryIO

_CARD = 80
_FIFTH, _EIGHTH = b"HEADER RECORD*******OBS     HEADER", b"HEADER RECORD*******OBSV8   HEADER"
_COUNT = slice(48, 63)  # where version 8 says how many records there are
_PIECE = 1 << 16  # bytes


def find_records(file: BinaryIO, width: int) -> tuple[int, int] | None:
    """Return where the records of so many bytes begin, and how many there are.

    None if there are none, as in a file of another kind.
    """
    file.seek(0)
    while card := file.read(_CARD):
        if card.startswith((_FIFTH, _EIGHTH)) and width:
            start = file.tell()
            full = (file.seek(0, 2) - start) // width
            count = card[_COUNT].strip() if card.startswith(_EIGHTH) else b""
            if count.isdigit() and int(count):
                return start, min(int(count), full)
            return start, _count_filled(file, start, width, full)
    return None


def _count_filled(file: BinaryIO, start: int, width: int, full: int) -> int:
    """Blank records at the end fill the last card: no reader takes them for records."""
    end = start + full * width
    while end > start:
        piece = max(start, end - _PIECE)
        file.seek(piece)
        if filled := len(file.read(end - piece).rstrip(b" ")):
            return -(-(piece + filled - start) // width)
        end = piece
    return 0


def cut_out(file: BinaryIO, start: int, size: int) -> BufferedReader:
    """Return a file as it would be without some of its bytes."""
    return BufferedReader(_Shortened(file, start, size), _PIECE)


class _Shortened(RawIOBase):
    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        self._file, self._start, self._size = file, start, size
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = 0) -> int:
        if whence == 1:
            place += self._place
        elif whence == 2:
            place += max(self._start, self._file.seek(0, 2) - self._size)
        self._place = place
        return place

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        before = self._start - self._place
        self._file.seek(self._place + (0 if before > 0 else self._size))
        content = self._file.read(min(len(buffer), before) if before > 0 else len(buffer))
        buffer[: len(content)] = content
        self._place += len(content)
        return len(content)
