"""What the pages of a Parquet file unpack to, as their heads say.

Heads are in the compact protocol of Thrift. Only what is needed of it is read: structures as
dictionaries by the numbers of their fields.
"""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

_MAGIC = b"PAR1"
_HEAD = 1 << 16  # bytes that the head of a page has at most; statistics may be long
_FOOT = 1 << 28
_PAGES = 10_000  # whose heads are read
_DEEPEST = 16
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
_WHOLE_NUMBERS = (4, 5, 6)


def pages_size(path: Path, names: Collection[str]) -> int:
    """Return the bytes that the pages of some columns unpack to; 0 if that cannot be read."""
    try:
        with path.open("rb") as file:
            return sum(_page_sizes(file, set(names)))
    except (ValueError, LookupError, TypeError, OSError, AttributeError, OverflowError):
        return 0


def _page_sizes(file: IO[bytes], names: Collection[str]) -> Iterator[int]:
    end = file.seek(-8, os.SEEK_END)
    size = int.from_bytes(file.read(4), "little")
    if file.read(4) != _MAGIC or not 0 < size <= min(end, _FOOT):
        raise ValueError
    file.seek(end - size)
    foot = _Reader(file.read(size)).read_struct()
    left = _PAGES
    for group in foot[4]:
        for chunk in group[1]:
            column = chunk[3]
            if column[3][0].decode("utf-8") not in names:
                continue
            start = min(column.get(11) or column[9], column[9])
            stop = min(start + column[7], end)
            said = 0
            while start < stop and left:
                file.seek(start)
                head = _Reader(file.read(min(_HEAD, stop - start)))
                page = head.read_struct()
                said += max(page[2], 0)
                start += head.place + max(page[3], 0)
                left -= 1
            # The foot sums up what heads say, unless one of them is wrong.
            yield max(said, column[6])


class _Reader:
    """Reads values one after the other.

    Args:
        data: What is read.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.place = 0

    def read_struct(self, depth: int = 0) -> dict[int, Any]:
        """Return the fields of a structure by their numbers."""
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._number()
            kind = head & 15
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError
        if kind in _WHOLE_NUMBERS:
            return self._number()
        if kind == _BINARY:
            return self._bytes(self._varint())
        if kind in (_LIST, _SET):
            head = self._byte()
            size = head >> 4 if head >> 4 < 15 else self._varint()
            return [self._value(head & 15, depth + 1) for _ in self._items(size)]
        if kind == _STRUCT:
            return self.read_struct(depth + 1)
        if kind == _MAP:
            size = self._varint()
            kinds = self._byte() if size else 0
            pairs = [(kinds >> 4, kinds & 15)] * len(self._items(size))
            return [(self._value(a, depth + 1), self._value(b, depth + 1)) for a, b in pairs]
        if kind in (_TRUE, _FALSE, _BYTE):
            return self._byte()
        if kind == _DOUBLE:
            return self._bytes(8)
        raise ValueError

    def _items(self, size: int) -> range:
        """Each takes a byte at least."""
        if size > len(self._data) - self.place:
            raise ValueError
        return range(size)

    def _byte(self) -> int:
        return self._bytes(1)[0]

    def _bytes(self, size: int) -> bytes:
        found = self._data[self.place : self.place + size]
        if len(found) < size:
            raise ValueError
        self.place += size
        return found

    def _varint(self) -> int:
        value = shift = 0
        while shift < 64:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
        raise ValueError

    def _number(self) -> int:
        """A number with its sign in the last bit."""
        value = self._varint()
        return value >> 1 ^ -(value & 1)
