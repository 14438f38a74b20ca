"""Long texts (strL) of Stata, which ReadStat misreads.

Those of Stata 13 are not UTF-8 yet, and it does not convert them. Of binary data, such as
pictures, it takes what stands before the first NUL for text.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from microsafe.errors import UnreadableFileError

_HEAD = re.compile(
    rb"<stata_dta><header><release>(11[789])</release><byteorder>([LM])SF</byteorder>"
    rb".{0,700}?<map>(.{112})</map>",
    re.DOTALL,
)
_LONG = 10  # place in the map of sections; those that follow move
_BINARY, _TEXT = 129, 130
_USUAL = "windows-1252"


@dataclass(frozen=True, slots=True, kw_only=True)
class _LongTexts:
    """The section of long texts.

    Attributes:
        release: Of the format.
        map_start: Where the map of sections begins.
        places: Of the sections, as the map says.
        numbers: Form of a number of the map.
        entry: Form of what stands before each text: mark, variable, record, kind and size.
        content: Of the section.
    """

    release: int
    map_start: int
    places: tuple[int, ...]
    numbers: str
    entry: struct.Struct
    content: bytes

    def texts(self) -> Iterator[tuple[int, int, int, bytes]]:
        """Go through the texts: variable, record, kind and the text itself."""
        place = 0
        while self.content.startswith(b"GSO", place):
            _, variable, record, kind, size = self.entry.unpack_from(self.content, place)
            place += self.entry.size
            yield variable, record, kind, self.content[place : place + size]
            place += size


def refuse_binary_data(path: str, names: Sequence[str]) -> None:
    """Refuse a file with variables that hold binary data.

    Raises:
        UnreadableFileError: Names them.
    """
    section = _read_section(path)
    if section is None:
        return
    try:
        places = {variable for variable, _, kind, _ in section.texts() if kind == _BINARY}
    except struct.error:
        return  # ReadStat will report it properly
    if listed := ", ".join(name for place, name in enumerate(names, start=1) if place in places):
        raise UnreadableFileError(
            f"{os.path.basename(path)} has binary data, such as pictures, in {listed}. Drop such "
            "variables in Stata, or turn them into text, and save the file again."
        )


def recode_long_texts(path: str, encoding: str | None) -> bytes | None:
    """Return a file of Stata 13 with its long texts as UTF-8, or None if there is nothing to do.

    What looks wrong is left to ReadStat, which reports it properly.
    """
    section = _read_section(path)
    if section is None or section.release != 117:
        return None
    try:
        recoded = _recode(section, encoding or _USUAL)
    except (struct.error, UnicodeDecodeError):
        return None
    if recoded == section.content:  # as in nearly all files, so the rest of it is not read
        return None
    content = Path(path).read_bytes()
    moved = len(recoded) - len(section.content)
    places = [place + (moved if at > _LONG else 0) for at, place in enumerate(section.places)]
    numbers = struct.pack(section.numbers, *places)
    start = section.places[_LONG] + len("<strls>")
    return b"".join(
        [
            content[: section.map_start],
            numbers,
            content[section.map_start + len(numbers) : start],
            recoded,
            content[start + len(section.content) :],
        ]
    )


def _read_section(path: str) -> _LongTexts | None:
    with open(path, "rb") as file:
        head = _HEAD.match(file.read(2000))
        if head is None:
            return None
        release, order = int(head[1]), "<" if head[2] == b"L" else ">"
        places = struct.unpack(f"{order}14Q", head[3])
        start, end = places[_LONG] + len("<strls>"), places[_LONG + 1]
        if not start <= end <= os.path.getsize(path):
            return None
        file.seek(start)
        return _LongTexts(
            release=release,
            map_start=head.start(3),
            places=places,
            numbers=f"{order}14Q",
            entry=struct.Struct(order + ("3sIIBI" if release == 117 else "3sIQBI")),
            content=file.read(end - start),
        )


def _recode(section: _LongTexts, encoding: str) -> bytes:
    pieces, size = [], 0
    for variable, record, kind, text in section.texts():
        size += section.entry.size + len(text)
        if kind == _TEXT and not text.isascii():
            text = text.decode(encoding).encode()
        pieces += [section.entry.pack(b"GSO", variable, record, kind, len(text)), text]
    return b"".join([*pieces, section.content[size:]])
