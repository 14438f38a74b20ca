"""Convert Stata files of releases 102 to 105 for ReadStat.

ReadStat knows nothing older than release 104, which differs from 102 and 103 in the header only.
And it does not know that doubles had another missing value then, so it would give that as a number.
"""

from __future__ import annotations

import struct

import numpy as np

RELEASES = range(102, 106)  # in the first byte
_OLDEST_KNOWN = 104
_BIG = 1  # the second byte; whatever else it is, the file is little-endian
_TITLE, _STAMP, _NAME, _LABEL = 32, 18, 9, 32
_WIDTHS = {ord("b"): 1, ord("i"): 2, ord("l"): 4, ord("f"): 4, ord("d"): 8}
_TEXT = 127  # types above it are text, of as many bytes as they are above
_MISSING, _SINCE = 2.0**333, 2.0**1023  # `.` as a double, then and now


def read_extent(head: bytes) -> tuple[int, int]:
    """Return the numbers of variables and records, of any release up to 115.

    Raises:
        struct.error: It is cut short.
    """
    order = ">" if head[1:2] == bytes((_BIG,)) else "<"
    variables, records = struct.unpack_from(order + ("HH" if head[0] == 102 else "Hi"), head, 4)
    return variables, records


def modernise_stata(content: bytes) -> bytes:
    """Return a file of releases 102 to 105 such that ReadStat reads all of it rightly.

    What does not look like such a file is returned as it is: ReadStat will refuse it.
    """
    try:
        return _modernise(content)
    except (struct.error, IndexError, ValueError):
        return content


def _modernise(content: bytes) -> bytes:
    release, order = content[0], ">" if content[1] == _BIG else "<"
    variables, records = read_extent(content)
    after = 8 if release == 102 else 10
    head = struct.pack(
        f"{order}BBBBHi",
        max(release, _OLDEST_KNOWN),
        _BIG if order == ">" else 2,
        *content[2:4],
        variables,
        records,
    )
    types = after + _TITLE + (_STAMP if release == 105 else 0)
    width = 1 + _NAME + 2 + (12 if release == 105 else 7) + _NAME + _LABEL
    start = types + variables * width + 2
    if release == 105:
        start = _skip_expansion(content, start, order)
    widths = [_WIDTHS.get(kind) or kind - _TEXT for kind in content[types : types + variables]]
    rows = np.frombuffer(bytearray(content), np.uint8, records * sum(widths), start)
    rows = rows.reshape(records, -1)
    for place, kind in enumerate(content[types : types + variables]):
        if kind == ord("d"):
            first = sum(widths[:place])
            cells = rows[:, first : first + 8].copy().view(f"{order}f8")
            cells[cells == _MISSING] = _SINCE
            rows[:, first : first + 8] = cells.view(np.uint8)
    return head + content[after:start] + rows.tobytes() + content[start + rows.size :]


def _skip_expansion(content: bytes, start: int, order: str) -> int:
    while True:
        kind, size = struct.unpack_from(f"{order}BH", content, start)
        start += 3
        if not kind:
            return start
        start += size
