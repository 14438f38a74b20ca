"""Stata files of releases that nobody writes any longer, written byte by byte."""

from __future__ import annotations

import struct
from pathlib import Path

# Before Stata 8 there is one missing value of each kind.
_MISSING = {
    "d": struct.pack("<Q", 0x54C0000000000000),
    "f": b"\0\0\0\x7b",
    "l": b"\xff\xff\xff\x7f",
}


def write_old(path: Path, release: int, columns: dict[str, tuple[str, list[float | None]]]) -> None:
    """Write numbers, each column of a kind: "d", "f" or "l" as Stata names them."""
    count, rows = len(columns), len(next(iter(columns.values()))[1])
    title = 81 if release >= 108 else 32
    head = struct.pack("<BBBBHI", release, 2, 1, 0, count, rows)
    head += b"".ljust(title, b"\0") + (b"".ljust(18, b"\0") if release >= 105 else b"")
    kinds = "".join(kind for kind, _ in columns.values()).encode()
    names = b"".join(name.encode().ljust(9, b"\0") for name in columns)
    width = 12 if release >= 105 else 7
    formats = b"".join(b"%9.0g".ljust(width, b"\0") for _ in columns)
    sets = b"\0" * 9 * count
    labels = b"\0" * title * count
    order = b"\0\0" * (count + 1)
    body = b"".join(
        _spell(kind, values[row]) for row in range(rows) for kind, values in columns.values()
    )
    extension = b"\0" * 3 if release >= 105 else b""
    path.write_bytes(head + kinds + names + order + formats + sets + labels + extension + body)


def _spell(kind: str, value: float | None) -> bytes:
    if value is None:
        return _MISSING[kind]
    return struct.pack("<" + {"d": "d", "f": "f", "l": "i"}[kind], value)
