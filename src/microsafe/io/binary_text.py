"""Stata variables that hold binary data, such as pictures, among their long texts (strL).

ReadStat takes them for text: it stops at the first NUL, or fails.
"""

from __future__ import annotations

import mmap
import re
import struct
from typing import TYPE_CHECKING

import numpy as np

from microsafe.io.dta import LONG_TEXT

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

_HEAD = re.compile(
    rb"<stata_dta><header><release>(11[789])</release><byteorder>([LM])SF</byteorder><K>(.{2}|.{4})"
    rb"</K><N>(.{4}|.{8})</N>.{0,700}?<map>(.{112})</map>",
    re.DOTALL,
)
_TYPES, _DATA, _LONG = 2, 9, 10  # places in the map of sections
_BITS = {117: 32, 118: 16, 119: 24}  # of the number of the variable, where a cell names a text
_WIDTHS = {LONG_TEXT: 8, 65526: 8, 65527: 4, 65528: 4, 65529: 2, 65530: 1}
_BINARY = 129


def find_binary_variables(path: Path) -> tuple[int, ...]:
    """Return the places of the variables that hold binary data, from 0.

    What looks wrong is left to ReadStat, which reports it properly.
    """
    try:
        with (
            path.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
        ):
            return _find(content)
    except (ValueError, IndexError, OverflowError, struct.error, OSError):
        return ()


def _find(content: mmap.mmap) -> tuple[int, ...]:
    head = _HEAD.match(content[:2000])
    if head is None:
        return ()
    release, order = int(head[1]), "<" if head[2] == b"L" else ">"
    variables, records = (
        int.from_bytes(head[place], "little" if order == "<" else "big") for place in (3, 4)
    )
    sections = struct.unpack(f"{order}14Q", head[5])
    start = sections[_TYPES] + len("<variable_types>")
    types = np.frombuffer(content[start : start + 2 * variables], f"{order}u2")
    if LONG_TEXT not in types:
        return ()
    binary = _binary_texts(content, sections[_LONG] + len("<strls>"), release, order)
    if not binary.size:
        return ()
    widths = [_WIDTHS.get(int(kind), int(kind)) for kind in types]
    start = sections[_DATA] + len("<data>")
    rows = np.frombuffer(content[start : start + records * sum(widths)], np.uint8)
    rows = rows.reshape(records, -1)
    return tuple(
        place
        for place in np.flatnonzero(types == LONG_TEXT).tolist()
        if np.isin(_cells(rows, sum(widths[:place]), order), binary).any()
    )


def _cells(rows: npt.NDArray[np.uint8], first: int, order: str) -> npt.NDArray[np.uint64]:
    """Return by which number each record of a variable names its text."""
    return rows[:, first : first + 8].copy().view(f"{order}u8").ravel()


def _binary_texts(
    content: mmap.mmap, place: int, release: int, order: str
) -> npt.NDArray[np.uint64]:
    """Return the numbers by which cells name what is binary: variable and record put together."""
    entry = struct.Struct(order + ("3sIIBI" if release == 117 else "3sIQBI"))
    bits = _BITS[release]
    found: list[int] = []
    while content[place : place + 3] == b"GSO":
        _, variable, record, kind, size = entry.unpack_from(content, place)
        if kind == _BINARY:
            low, high = (
                (variable, record << bits) if order == "<" else (record, variable << 64 - bits)
            )
            found.append(low | high)
        place += entry.size + size
    return np.array(found, np.uint64)
