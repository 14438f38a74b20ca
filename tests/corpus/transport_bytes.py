"""SAS transport files, versions 5 and 8, read byte by byte after their published description."""

from __future__ import annotations

import datetime as dt
import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.values import Columns, settle_columns

_CARD = 80
_START = dt.datetime(1960, 1, 1)
_NO_LEAP = (dt.datetime(4000, 2, 29), dt.datetime(8000, 2, 29))
_DAY = re.compile(r"(?:WEEK|WORD)?DATE\d|DATE$|YYMMDD|DDMMYY|MMDDYY|E8601DA")
_MOMENT = re.compile(r"DATETIME|E8601DT")


@dataclass(kw_only=True)
class TransportFile:
    """What a transport file has."""

    columns: Columns
    facts: dict[str, Any]


@dataclass(kw_only=True)
class Place:
    """A variable, and where its values stand in a record."""

    name: str
    label: str
    shown: str
    text: bool
    start: int
    width: int


def read_transport(path: Path, encoding: str = "utf-8") -> TransportFile:
    content = path.read_bytes()
    later = b"LIBV8" in content[:_CARD]
    head = re.search(rb"HEADER RECORD\*{7}NAM(?:ESTR|STV8) HEADER RECORD!{7}\d{6}(\d{4})", content)
    assert head
    names, count = head.start(), int(head[1])
    table = content[names - 2 * _CARD : names]
    at = names + _CARD
    places = [
        _place(content[at + 140 * k : at + 140 * (k + 1)], later, encoding) for k in range(count)
    ]
    observations = re.compile(rb"HEADER RECORD\*{7}OBS").search(content, at)
    assert observations
    data = content[observations.start() + _CARD :]
    if later:
        _long_labels(content[at : observations.start()], places, encoding)
    width = max(place.start + place.width for place in places)
    records = [data[k : k + width] for k in range(0, len(data) - width + 1, width)]
    while records and not records[-1].strip(b" "):
        del records[-1]  # blanks that fill the last card
    columns = {p.name: [_value(record, p, encoding) for record in records] for p in places}
    return TransportFile(
        columns=settle_columns(columns), facts=_facts(places, table, later, encoding)
    )


def _place(raw: bytes, later: bool, encoding: str) -> Place:
    kind, _, width, _, name, label, form, size, decimals = struct.unpack(">4h8s40s8shh", raw[:68])
    start = struct.unpack(">i", raw[84:88])[0]
    if later and raw[88:120].strip(b" \0"):
        name = raw[88:120]
    shown = form.decode(encoding).strip(" \0")
    if size:
        shown += f"{size}" + (f".{decimals}" if decimals else "")
    return Place(
        name=name.decode(encoding).strip(" \0"),
        label=label.decode(encoding).strip(" \0"),
        shown=shown,
        text=kind == 2,
        start=start,
        width=width,
    )


def _long_labels(content: bytes, places: list[Place], encoding: str) -> None:
    """Labels of more than 40 bytes stand in a part of their own."""
    head = re.search(rb"HEADER RECORD\*{7}LABELV([89]) HEADER RECORD!{7}(\d+)", content)
    if head is None:
        return
    at = head.start() + _CARD
    for _ in range(int(head[2])):
        sizes = 5 if head[1] == b"9" else 3
        numbers = struct.unpack_from(f">{sizes}h", content, at)
        at += 2 * sizes
        parts = []
        for size in numbers[1:]:
            parts.append(content[at : at + size].decode(encoding))
            at += size
        places[numbers[0] - 1].label = parts[1].strip()


def _value(record: bytes, place: Place, encoding: str) -> Any:
    raw = record[place.start : place.start + place.width]
    if place.text:
        return raw.decode(encoding).rstrip(" \0")
    number = _number(raw)
    if number is None:
        return None
    if _MOMENT.match(place.shown):
        return _START + dt.timedelta(days=_days_apart(number // 86_400), seconds=number % 86_400)
    if _DAY.match(place.shown):
        return _START + dt.timedelta(days=_days_apart(number))
    return number


def _days_apart(day: float) -> float:
    """SAS has no 29 February in the years 4000 and 8000, so its days from then on are fewer."""
    return day + sum(day >= (leap - _START).days - before for before, leap in enumerate(_NO_LEAP))


def _number(raw: bytes) -> float | None:
    """Return a hexadecimal floating point number; ".", "._" and ".A" to ".Z" are missing."""
    raw = raw.ljust(8, b"\0")
    if raw[0] in b"._ABCDEFGHIJKLMNOPQRSTUVWXYZ" and not any(raw[1:]):
        return None
    fraction = int.from_bytes(raw[1:], "big")
    exponent = (raw[0] & 0x7F) - 64
    number = fraction * 16.0 ** (exponent - 14)
    return -number if raw[0] & 0x80 else number


def _facts(places: list[Place], table: bytes, later: bool, encoding: str) -> dict[str, Any]:
    name = table[8:40] if later else table[8:16]
    title = table[_CARD + 32 : _CARD + 72].decode(encoding).strip(" \0")
    facts = {
        "labels of variables": {p.name: p.label for p in places if p.label},
        "display formats": {p.name: p.shown for p in places if p.shown},
        "width of text": {p.name: p.width for p in places if p.text},
        "version and table name": (8 if later else 5, name.decode(encoding).strip(" \0")),
        "file label and notes": (title,) if title else (),
    }
    return {fact: value for fact, value in facts.items() if value}
