"""The foot of a Parquet file: what its columns are, and smaller files made of some of them.

Polars reads all columns of a file or none. One of a type that it does not know would make the
others unreadable, or print a panic; so such columns are found here, before it is asked, and it
gets a file in memory that has only the columns and groups of rows that are wanted, as they are.
"""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from microsafe.io.flat import FlatBuffer, keep_fields, set_zones
from microsafe.io.thrift import (
    BINARY,
    INT32,
    INT64,
    LIST,
    STRUCT,
    Struct,
    ThriftReader,
    encode_struct,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

FAULTS = (ValueError, LookupError, TypeError, OSError, AttributeError, OverflowError)
_MAGIC, _ENCRYPTED = b"PAR1", b"PARE"
_FOOT = 1 << 28
_DEEPEST = 32
_ARROW = b"ARROW:schema"
_CONTINUED = b"\xff" * 4
_MESSAGE_HEADER = 2  # of a message of Arrow
# Fields of the foot, of an element of its schema, and of a chunk.
_SCHEMA, _GROUPS, _FACTS = 2, 4, 5
_ROWS = 3  # of a group
_REPETITION, _NAME, _CHILDREN, _CONVERTED, _PRECISION, _LOGICAL = 3, 4, 5, 6, 8, 10
_REPEATED = 2
_LISTS = (1, 2, 3)  # converted types of maps, their pairs, and lists
_LOGICAL_LISTS = (2, 3)
_DECIMAL, _UUID, _NEWEST = 5, 14, 15  # logical types
_MOST_DIGITS = 38
_INTERVAL = 21
_FOREIGN = {16: "values of the type VARIANT", 17: "geometries", 18: "geographies"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ParquetColumn:
    """A column as the foot describes it.

    Attributes:
        name: Of the column.
        elements: Its element of the schema and those below it.
        reason: What it holds that cannot be read; empty if it can be.
        is_uuid: Whether it holds identifiers of 128 bits.
    """

    name: str
    elements: tuple[Struct, ...]
    reason: str = ""
    is_uuid: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ParquetFoot:
    """The foot of a file.

    Attributes:
        columns: In order of the file.
        utc: Columns in time zones that are not known, which become UTC.
        arrow: The schema that Arrow keeps beside that of Parquet, without such zones; None if
            there is none.
        groups: Groups of rows, unless the file can be read as it is.
    """

    columns: tuple[ParquetColumn, ...]
    utc: tuple[str, ...]
    arrow: FlatBuffer | None
    groups: Sequence[Struct] | None

    @property
    def left_out(self) -> Mapping[str, str]:
        """Columns that cannot be read, and why."""
        return {each.name: each.reason for each in self.columns if each.reason}


def find_foot(file: IO[bytes]) -> tuple[int, bytes]:
    """Return where the foot of a file begins, and the foot.

    Raises:
        ValueError: It has none.
    """
    end = file.seek(-8, os.SEEK_END)
    size = int.from_bytes(file.read(4), "little")
    if file.read(4) != _MAGIC or not 0 < size <= min(end, _FOOT):
        raise ValueError
    return file.seek(end - size), file.read(size)


def is_encrypted(path: Path) -> bool:
    """Tell whether the foot of a file is encrypted."""
    with path.open("rb") as file:
        return file.read(4) == _ENCRYPTED


def read_foot(path: Path) -> ParquetFoot | None:
    """Return what the foot of a file says of its columns; None if that cannot be read."""
    try:
        with path.open("rb") as file:
            _, content = find_foot(file)
        columns = _list_columns(ThriftReader(content).read_struct(until=_GROUPS)[_SCHEMA])
        arrow, utc = _read_arrow(content)
        unusual = utc or any(each.reason for each in columns)
        groups = ThriftReader(content).read_struct()[_GROUPS] if unusual else None
    except FAULTS:
        return None
    return ParquetFoot(columns=columns, utc=utc, arrow=arrow, groups=groups)


def _list_columns(elements: Sequence[Struct]) -> tuple[ParquetColumn, ...]:
    made, place = [], 1
    for _ in range(elements[0][_CHILDREN]):
        end = _find_end(elements, place, 0)
        name = elements[place][_NAME].decode("utf-8")
        part = tuple(elements[place:end])
        made.append(
            ParquetColumn(
                name=name,
                elements=part,
                reason=_find_reason(part),
                is_uuid=_UUID in part[0].get(_LOGICAL, ()),
            )
        )
        place = end
    if place != len(elements):
        raise ValueError
    return tuple(made)


def _find_end(elements: Sequence[Struct], place: int, depth: int) -> int:
    """Return the place behind an element and those below it."""
    if depth > _DEEPEST:
        raise ValueError
    end = place + 1
    for _ in range(elements[place].get(_CHILDREN, 0)):
        end = _find_end(elements, end, depth + 1)
    return end


def _find_reason(part: Sequence[Struct]) -> str:
    """Return what a column holds that Polars cannot read."""
    above = Struct()  # of what is repeated in a list or a map, that is the element before it
    for each in part:
        kind = each.get(_LOGICAL, {})
        if max(kind, default=0) > _NEWEST:
            return _FOREIGN.get(max(kind), "values of an unknown type")
        if each.get(_CONVERTED) == _INTERVAL:
            return "intervals of months and days"
        if max(each.get(_PRECISION, 0), kind.get(_DECIMAL, {}).get(2, 0)) > _MOST_DIGITS:
            return f"numbers of more than {_MOST_DIGITS} digits"
        if each.get(_REPETITION) == _REPEATED and not _is_list(above):
            return "several values in a record (repeated)"
        above = each
    return ""


def _is_list(element: Struct) -> bool:
    """Tell whether an element says of itself that it is a list or a map."""
    return element.get(_CONVERTED) in _LISTS or any(
        each in element.get(_LOGICAL, ()) for each in _LOGICAL_LISTS
    )


def _read_arrow(content: bytes) -> tuple[FlatBuffer | None, tuple[str, ...]]:
    """Return the schema of Arrow without unknown time zones, and the columns that had them."""
    place = content.rfind(bytes([len(_ARROW)]) + _ARROW)
    if place < 0:
        return None, ()
    # To go through all groups of rows for what stands behind them would take long.
    value = ThriftReader(content[place + 1 + len(_ARROW) + 1 :]).read_bytes()
    message = base64.b64decode(value)
    buffer = FlatBuffer(message[8 if message.startswith(_CONTINUED) else 4 :])
    utc = set_zones(buffer, _find_schema(buffer))
    return buffer, utc


def _find_schema(buffer: FlatBuffer) -> int:
    return buffer.find_table(buffer.follow(0), _MESSAGE_HEADER)


def cut_file(
    path: Path, foot: ParquetFoot, names: Collection[str], start: int, stop: int
) -> tuple[bytes, int]:
    """Return a file with some columns of the groups of rows in which some records are.

    Args:
        path: The whole file.
        foot: Its foot.
        names: Columns.
        start: First record.
        stop: The one behind the last.

    Returns:
        The file, and the place of its first record in the whole one.

    Raises:
        ValueError: The file is damaged.
    """
    content = bytearray(_MAGIC)
    groups: list[bytes] = []
    first, place, records = start, 0, 0
    with path.open("rb") as file:
        for group in foot.groups or ():
            place += group[_ROWS]
            if place <= start or place - group[_ROWS] >= stop:
                continue
            if not groups:
                first = place - group[_ROWS]
            chunks = [
                _copy_chunk(file, chunk[3], content)
                for chunk in group[1]
                if chunk[3][3][0].decode("utf-8") in names
            ]
            records += group[_ROWS]
            groups.append(
                encode_struct(
                    (1, LIST, (STRUCT, chunks)), (2, INT64, len(content)), (3, INT64, group[_ROWS])
                )
            )
    made = _make_foot(foot, names, groups, records)
    content += made + len(made).to_bytes(4, "little") + _MAGIC
    return bytes(content), first


def _copy_chunk(file: IO[bytes], column: Struct, content: bytearray) -> bytes:
    """Add the pages of a column in a group of rows; return what the foot says of them."""
    start = min(column.get(11) or column[9], column[9])
    moved = len(content) - start
    size = column[7]
    if size < 0 or start + size > file.seek(0, os.SEEK_END):
        raise ValueError
    file.seek(start)
    content += file.read(size)
    dictionary = [(11, INT64, column[11] + moved)] if column.get(11) else []
    facts = encode_struct(
        (1, INT32, column[1]),
        (2, LIST, (INT32, column[2])),
        (3, LIST, (BINARY, column[3])),
        (4, INT32, column[4]),
        *((number, INT64, column[number]) for number in (5, 6, 7)),
        (9, INT64, column[9] + moved),
        *dictionary,
    )
    return encode_struct((2, INT64, start + moved), (3, STRUCT, facts))


def _make_foot(
    foot: ParquetFoot, names: Collection[str], groups: Sequence[bytes], records: int
) -> bytes:
    columns = [each for each in foot.columns if each.name in names]
    root = encode_struct((_NAME, BINARY, b"schema"), (_CHILDREN, INT32, len(columns)))
    elements = [root, *(element.raw for each in columns for element in each.elements)]
    facts = []
    if foot.arrow is not None:
        arrow = FlatBuffer(foot.arrow.data)
        keep_fields(arrow, _find_schema(arrow), names)
        message = _CONTINUED + len(arrow.data).to_bytes(4, "little") + arrow.data
        facts = [encode_struct((1, BINARY, _ARROW), (2, BINARY, base64.b64encode(message)))]
    return encode_struct(
        (1, INT32, 2),
        (_SCHEMA, LIST, (STRUCT, elements)),
        (3, INT64, records),
        (_GROUPS, LIST, (STRUCT, groups)),
        (_FACTS, LIST, (STRUCT, facts)),
    )
