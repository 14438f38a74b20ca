"""The compact protocol of Thrift, in which the foot and the heads of a Parquet file are.

Only what is needed of it: structures are read as dictionaries by the numbers of their fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_DEEPEST = 16
_TRUE, _FALSE, _BYTE, _DOUBLE, _SET, _MAP = 1, 2, 3, 7, 10, 11
INT32, INT64, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12
_WHOLE_NUMBERS = (4, INT32, INT64)


class Struct(dict[int, Any]):
    """The fields of a structure by their numbers.

    Attributes:
        raw: Its bytes, by which it can be written again as it is.
    """

    raw: bytes = b""


class ThriftReader:
    """Reads values one after the other.

    Args:
        data: What is read.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.place = 0

    def read_struct(self, depth: int = 0, *, until: int = 1 << 16) -> Struct:
        """Return the fields of a structure by their numbers, up to one of them.

        Raises:
            ValueError: There is none.
        """
        fields = Struct()
        start, number = self.place, 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._number()
            if number >= until:
                break
            kind = head & 15
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth)
        fields.raw = self._data[start : self.place]
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError
        if kind in _WHOLE_NUMBERS:
            return self._number()
        if kind == BINARY:
            return self.read_bytes()
        if kind in (LIST, _SET):
            head = self._byte()
            size = head >> 4 if head >> 4 < 15 else self._varint()
            return [self._value(head & 15, depth + 1) for _ in self._items(size)]
        if kind == STRUCT:
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

    def read_bytes(self) -> bytes:
        """Return bytes that follow their number."""
        return self._bytes(self._varint())

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


def encode_struct(*fields: tuple[int, int, Any]) -> bytes:
    """Return the bytes of a structure.

    Args:
        *fields: Number, kind and value of each, in order. Structures are bytes already; a list is
            the kind of its items and those.
    """
    made, last = b"", 0
    for number, kind, value in fields:
        made += bytes([number - last << 4 | kind]) + _encode(kind, value)
        last = number
    return made + b"\0"


def _encode(kind: int, value: Any) -> bytes:
    if kind in _WHOLE_NUMBERS:
        return _encode_varint(value << 1 if value >= 0 else (-value << 1) - 1)
    if kind == BINARY:
        return _encode_varint(len(value)) + bytes(value)
    if kind == LIST:
        return _encode_list(*value)
    return bytes(value)


def _encode_list(kind: int, items: Sequence[Any]) -> bytes:
    size = len(items)
    head = bytes([size << 4 | kind]) if size < 15 else bytes([0xF0 | kind]) + _encode_varint(size)
    return head + b"".join(_encode(kind, item) for item in items)


def _encode_varint(value: int) -> bytes:
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)
