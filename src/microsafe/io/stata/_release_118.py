"""Write Stata files of release 118 (Stata 14 and later), as Stata documents them.

pyreadstat could write such files too, but it keeps neither storage types nor widths of text
nor notes, and it takes tagged missing values only from columns of Python objects.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from sys import float_info
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

LONGEST = 2045  # bytes of a text inside its record
LONG_TEXT = 32_768
_NAME, _FORMAT, _LABEL = 129, 57, 321
_LONG_MISSING = 2_147_483_621
_FLOAT, _DOUBLE = 2.0**127 - 2.0**103, 2.0**1023 - 2.0**970  # the last before the missing values


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericStorage:
    """A numeric storage type.

    Attributes:
        code: Its number in the file.
        dtype: Of NumPy.
        largest: The largest number; what lies above means missing.
        smallest: The smallest number.
        missing: The bits of the missing value `.`, and the step to `.a`, `.b` and so on.
        shown: Display format if none is declared.
    """

    code: int
    dtype: str
    largest: float
    smallest: float
    missing: tuple[int, int]
    shown: str


NUMBERS: Mapping[str, NumericStorage] = {
    "int8": NumericStorage(
        code=65530, dtype="<i1", largest=100, smallest=-127, missing=(101, 1), shown="%8.0g"
    ),
    "int16": NumericStorage(
        code=65529, dtype="<i2", largest=32_740, smallest=-32_767, missing=(32_741, 1),
        shown="%8.0g",
    ),
    "int32": NumericStorage(
        code=65528, dtype="<i4", largest=2_147_483_620, smallest=-2_147_483_647,
        missing=(_LONG_MISSING, 1), shown="%12.0g",
    ),
    "float": NumericStorage(
        code=65527, dtype="<f4", largest=_FLOAT, smallest=-_FLOAT,
        missing=(0x7F000000, 0x800), shown="%9.0g",
    ),
    "double": NumericStorage(
        code=65526, dtype="<f8", largest=_DOUBLE, smallest=-float_info.max,
        missing=(0x7FE0 << 48, 1 << 40), shown="%10.0g",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StataColumn:
    """A variable, ready to be written."""

    name: str
    label: str
    format: str
    kind: int
    cells: npt.NDArray[np.generic]
    labels: Mapping[int, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)


def numbers(
    values: npt.NDArray[np.generic],
    tags: npt.NDArray[np.integer],
    storage: NumericStorage,
) -> npt.NDArray[np.generic]:
    """Return numbers as they stand in the file.

    Args:
        values: The numbers, anything at all where they are missing.
        tags: -1 for a number, 0 for `.`, 1 for `.a`, up to 26 for `.z`.
        storage: Their type.
    """
    cells = values.astype(storage.dtype)
    # Bits, not numbers: the missing values of a floating point type lie above its largest.
    bits = cells.view(storage.dtype.replace("f", "u"))
    first, step = storage.missing
    missing = tags >= 0
    bits[missing] = (first + step * tags[missing].astype(np.int64)).astype(bits.dtype)
    return cells


def write(
    file: BinaryIO, columns: Sequence[StataColumn], records: int, title: str, notes: Sequence[str]
) -> None:
    """Write a whole file."""
    cells, long = _split_long_text(columns)
    rows = np.empty(records, np.dtype([(f"f{i}", c.dtype) for i, c in enumerate(cells)]))
    for name, column in zip(rows.dtype.names or (), cells, strict=True):
        rows[name] = column
    sections = [
        _header(len(columns), records, title),
        _section("map", bytes(8 * 14)),  # where sections start, known when all of them are
        _section("variable_types", struct.pack(f"<{len(columns)}H", *(c.kind for c in columns))),
        _section("varnames", _pad_texts((c.name for c in columns), _NAME)),
        _section("sortlist", bytes(2 * (len(columns) + 1))),
        _section("formats", _pad_texts((c.format for c in columns), _FORMAT)),
        _section("value_label_names", _pad_texts((_set_of(c) for c in columns), _NAME)),
        _section("variable_labels", _pad_texts((c.label for c in columns), _LABEL)),
        _section("characteristics", b"".join(_characteristics(notes))),
        _section("data", rows.tobytes()),
        _section("strls", b"".join(long)),
        _section("value_labels", b"".join(_label_set(c) for c in columns if _set_of(c))),
        b"</stata_dta>",
    ]
    starts = np.cumsum([0, *(len(section) for section in sections)])
    sections[1] = _section("map", starts.astype("<u8").tobytes())
    file.writelines(sections)


def _header(variables: int, records: int, title: str) -> bytes:
    label = title.encode()
    inside = (
        b"<release>118</release><byteorder>LSF</byteorder>"
        + b"<K>" + struct.pack("<H", variables) + b"</K>"
        + b"<N>" + struct.pack("<Q", records) + b"</N>"
        + b"<label>" + struct.pack("<H", len(label)) + label + b"</label>"
        # Empty: the time of writing would make equal releases differ, and a replay look wrong.
        + b"<timestamp>\0</timestamp>"
    )  # fmt: skip
    return b"<stata_dta>" + _section("header", inside)


def _section(name: str, content: bytes) -> bytes:
    return b"<%b>%b</%b>" % (name.encode(), content, name.encode())


def _pad_texts(texts: Iterable[str], width: int) -> bytes:
    return b"".join(text.encode().ljust(width, b"\0") for text in texts)


def _characteristics(notes: Sequence[str]) -> Iterable[bytes]:
    """Return notes the way Stata has them: how many, then each under its number."""
    numbered = [("note0", str(len(notes))), *((f"note{i}", n) for i, n in enumerate(notes, 1))]
    for name, text in numbered if notes else ():
        content = _pad_texts(("_dta", name), _NAME) + text.encode() + b"\0"
        yield b"<ch>" + struct.pack("<I", len(content)) + content + b"</ch>"


def _split_long_text(
    columns: Sequence[StataColumn],
) -> tuple[list[npt.NDArray[np.generic]], list[bytes]]:
    """Return the cells, with places in place of long texts, and the long texts."""
    cells: list[npt.NDArray[np.generic]] = []
    long: list[bytes] = []
    for number, column in enumerate(columns, start=1):
        if column.kind != LONG_TEXT:
            cells.append(column.cells)
            continue
        places = np.zeros(column.cells.size, "<u8")
        for row, text in enumerate(column.cells.tolist(), start=1):
            if text:
                places[row - 1] = number | row << 16
                content = text.encode() + b"\0"
                long.append(b"GSO" + struct.pack("<IQBI", number, row, 130, len(content)) + content)
        cells.append(places)
    return cells, long


def _set_of(column: StataColumn) -> str:
    return column.name if column.labels or column.tags else ""


def _label_set(column: StataColumn) -> bytes:
    codes = {
        **column.labels,
        **{_LONG_MISSING + ord(tag) - ord("`"): label for tag, label in column.tags.items()},
    }
    texts = [codes[code].encode() + b"\0" for code in sorted(codes)]
    places = np.cumsum([0, *(len(text) for text in texts)])
    content = (
        struct.pack("<II", len(codes), int(places[-1]))
        + places[:-1].astype("<u4").tobytes()
        + np.array(sorted(codes), "<i4").tobytes()
        + b"".join(texts)
    )
    head = struct.pack("<I", len(content)) + _pad_texts((column.name,), _NAME) + bytes(3)
    return b"<lbl>" + head + content + b"</lbl>"
