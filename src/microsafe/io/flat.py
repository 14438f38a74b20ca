"""The schema of Arrow data: FlatBuffers, read and changed in place.

It stands in the foot of an Arrow file, and in that of a Parquet file which a program that has
Arrow wrote. Tables say by a list at another place where each of their fields is.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_DEEPEST = 16
_FIELDS = 1  # of a schema
_NAME, _KIND, _TYPE, _CHILDREN = 0, 2, 3, 5  # of a field
_ZONE = 1  # of the type of moments
_MOMENT, _DECIMAL = 10, 7
_MOST_DIGITS = 38
_UTC = b"UTC\0"
_FOREIGN = {
    11: "intervals of months and days",
    14: "a union of several kinds",
    22: "runs of equal values (run-end encoding)",
    25: "list views",
    26: "list views",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrowField:
    """A column, or a part of one.

    Attributes:
        name: Of the column that it belongs to.
        kind: Number of its type.
        digits: Of a decimal number.
        zone: Time zone of moments.
        zone_place: Where the zone stands.
    """

    name: str
    kind: int
    digits: int = 0
    zone: str = ""
    zone_place: int = 0

    @property
    def reason(self) -> str:
        """Why Polars cannot read it; empty if it can."""
        if self.kind == _DECIMAL and self.digits > _MOST_DIGITS:
            return f"numbers of more than {_MOST_DIGITS} digits"
        return _FOREIGN.get(self.kind, "")


class FlatBuffer:
    """Tables of a FlatBuffer; every place that is asked for is checked.

    Args:
        data: What is read, and changed in place.
    """

    def __init__(self, data: bytes | bytearray) -> None:
        self.data = bytearray(data)

    def read_number(self, place: int, form: str = "<I") -> int:
        """Return a number of some width.

        Raises:
            ValueError: It is not within the data.
        """
        if not 0 <= place <= len(self.data) - struct.calcsize(form):
            raise ValueError
        return int(struct.unpack_from(form, self.data, place)[0])

    def follow(self, place: int) -> int:
        """Return where an offset points to."""
        return place + self.read_number(place)

    def find_field(self, table: int, number: int) -> int | None:
        """Return where a field of a table is; None if it has its default value."""
        slots = table - self.read_number(table, "<i")
        place = 4 + 2 * number
        if place + 2 > self.read_number(slots, "<H"):
            return None
        offset = self.read_number(slots + place, "<H")
        return table + offset if offset else None

    def find_table(self, table: int, number: int) -> int:
        """Return where a table, text or list within another table is.

        Raises:
            ValueError: It has none.
        """
        place = self.find_field(table, number)
        if place is None:
            raise ValueError
        return self.follow(place)

    def read_text(self, place: int) -> str:
        """Return a text."""
        size = self.read_number(place)
        if size > len(self.data) - place - 4:
            raise ValueError
        return self.data[place + 4 : place + 4 + size].decode("utf-8")

    def items(self, place: int, width: int) -> range:
        """Return the places of the items of a list."""
        size = self.read_number(place)
        if size * width > len(self.data) - place - 4:
            raise ValueError
        return range(place + 4, place + 4 + size * width, width)


def list_fields(buffer: FlatBuffer, schema: int) -> Iterator[ArrowField]:
    """Go through the columns of a schema and their parts.

    Raises:
        ValueError: It is damaged.
    """
    for place in buffer.items(buffer.find_table(schema, _FIELDS), 4):
        table = buffer.follow(place)
        name = buffer.read_text(buffer.find_table(table, _NAME))
        yield from _list_parts(buffer, table, name, 0)


def _list_parts(buffer: FlatBuffer, table: int, name: str, depth: int) -> Iterator[ArrowField]:
    if depth > _DEEPEST:
        raise ValueError
    place = buffer.find_field(table, _KIND)
    kind = 0 if place is None else buffer.read_number(place, "<B")
    digits, zone, zone_place = 0, "", 0
    if kind in (_MOMENT, _DECIMAL):
        inside = buffer.find_table(table, _TYPE)
        if kind == _DECIMAL:
            found = buffer.find_field(inside, 0)
            digits = 0 if found is None else buffer.read_number(found, "<i")
        elif buffer.find_field(inside, _ZONE) is not None:
            zone_place = buffer.find_table(inside, _ZONE)
            zone = buffer.read_text(zone_place)
    yield ArrowField(name=name, kind=kind, digits=digits, zone=zone, zone_place=zone_place)
    if buffer.find_field(table, _CHILDREN) is not None:
        for each in buffer.items(buffer.find_table(table, _CHILDREN), 4):
            yield from _list_parts(buffer, buffer.follow(each), name, depth + 1)


def set_zones(buffer: FlatBuffer, schema: int) -> tuple[str, ...]:
    """Write UTC in place of time zones that Polars does not know; return the columns that had them.

    Moments are counted in UTC whatever the zone is, so they stay what they are.

    Raises:
        ValueError: There is no room for it, or the schema is damaged.
    """
    unknown = [
        each for each in list_fields(buffer, schema) if each.zone and not _is_zone(each.zone)
    ]
    for each in unknown:
        start = each.zone_place + 4
        # A text ends in NUL and is filled up to four bytes.
        if any(buffer.data[start + len(each.zone.encode()) : start + len(_UTC)]):
            raise ValueError
        struct.pack_into("<I", buffer.data, each.zone_place, len(_UTC) - 1)
        buffer.data[start : start + len(_UTC)] = _UTC
    return tuple(dict.fromkeys(each.name for each in unknown))


@cache
def _is_zone(zone: str) -> bool:
    try:
        pl.select(pl.lit(0).cast(pl.Datetime("us", zone)))
    except pl.exceptions.ComputeError:
        return False
    return True


def keep_fields(buffer: FlatBuffer, schema: int, names: Collection[str]) -> None:
    """Take columns out of a schema."""
    start = buffer.find_table(schema, _FIELDS)
    tables = [buffer.follow(place) for place in buffer.items(start, 4)]
    kept = [t for t in tables if buffer.read_text(buffer.find_table(t, _NAME)) in names]
    struct.pack_into("<I", buffer.data, start, len(kept))
    for place, table in zip(buffer.items(start, 4), kept, strict=True):
        struct.pack_into("<I", buffer.data, place, table - place)
