"""Long texts (strL) of Stata 13, which are not UTF-8 yet, and which ReadStat does not convert."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_HEAD = re.compile(
    rb"<stata_dta><header><release>117</release><byteorder>([LM])SF</byteorder>"
    rb".{0,300}?<map>(.{112})</map>",
    re.DOTALL,
)
_LONG = 10  # place in the map of sections; those that follow move
_TEXT = 130
_USUAL = "windows-1252"


def recode_long_texts(path: Path, encoding: str | None) -> bytes | None:
    """Return a file with its long texts as UTF-8, or None if there is nothing to do.

    What looks wrong is left to ReadStat, which reports it properly.
    """
    with path.open("rb") as file:
        head = _HEAD.match(file.read(1000))
        if head is None:
            return None
        order = "<" if head[1] == b"L" else ">"
        sections = struct.unpack(f"{order}14Q", head[2])
        start, end = sections[_LONG] + len("<strls>"), sections[_LONG + 1]
        if not start <= end <= path.stat().st_size:
            return None
        file.seek(start)
        section = file.read(end - start)
    try:
        made = _recode(section, struct.Struct(f"{order}3sIIBI"), encoding or _USUAL)
    except (struct.error, UnicodeDecodeError):
        return None
    if made == section:  # as in nearly all files, so the rest of it is not read
        return None
    content = path.read_bytes()
    moved = len(made) - len(section)
    places = [place + (moved if at > _LONG else 0) for at, place in enumerate(sections)]
    first = head.start(2)
    return b"".join(
        [
            content[:first],
            struct.pack(f"{order}14Q", *places),
            content[first + len(head[2]) : start],
            made,
            content[end:],
        ]
    )


def _recode(section: bytes, entry: struct.Struct, encoding: str) -> bytes:
    made, place = [], 0
    while section.startswith(b"GSO", place):
        mark, variable, record, kind, size = entry.unpack_from(section, place)
        place += entry.size
        text = section[place : place + size]
        place += size
        if kind == _TEXT and not text.isascii():
            text = text.decode(encoding).encode()
        made += [entry.pack(mark, variable, record, kind, len(text)), text]
    return b"".join([*made, section[place:]])
