"""SPSS system files, read byte by byte after their published description: no ReadStat in it."""

from __future__ import annotations

import datetime as dt
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from corpus.values import Columns, settle_columns

_FORMATS = {
    1: "A", 3: "COMMA", 4: "DOLLAR", 5: "F", 17: "E", 20: "DATE", 21: "TIME", 22: "DATETIME",
    23: "ADATE", 24: "JDATE", 25: "DTIME", 26: "WKDAY", 27: "MONTH", 28: "MOYR", 29: "QYR",
    30: "WKYR", 31: "PCT", 32: "DOT", 38: "EDATE", 39: "SDATE", 40: "MTIME", 41: "YMDHMS",
}  # fmt: skip
_NUMBERS = {"F", "COMMA", "DOT", "DOLLAR", "PCT", "E"}
_DAYS = {"DATE", "ADATE", "EDATE", "JDATE", "SDATE"}
_MOMENTS = {"DATETIME", "YMDHMS"}
_MEASURES = {0: "unknown", 1: "nominal", 2: "ordinal", 3: "scale"}
_ALIGNMENTS = {0: "left", 1: "right", 2: "center"}
_SYSMIS = struct.pack("<d", -struct.unpack("<d", b"\xff\xff\xff\xff\xff\xff\xef\x7f")[0])
_LOWEST = struct.unpack("<d", b"\xfe\xff\xff\xff\xff\xff\xef\xff")[0]
_HIGHEST = struct.unpack("<d", b"\xff\xff\xff\xff\xff\xff\xef\x7f")[0]
_START = dt.datetime(1582, 10, 14)


@dataclass(kw_only=True)
class Column:
    """A variable as the dictionary has it; a long text has several of them."""

    short: bytes
    width: int
    shown: str
    label: bytes
    missing: tuple[bytes, ...]
    ranges: tuple[tuple[float, float], ...]
    slots: int = 1
    labels: dict[bytes, bytes] = field(default_factory=dict)


@dataclass(kw_only=True)
class SystemFile:
    """What a system file has."""

    columns: Columns
    facts: dict[str, Any]


def read_system_file(path: Path) -> SystemFile:
    reader = _Reader(path.read_bytes())
    return reader.read()


class _Reader:
    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 176
        self.packing = struct.unpack_from("<i", content, 72)[0]
        self.bias = struct.unpack_from("<d", content, 84)[0]
        self.title = content[109:173]
        self.variables: list[Column] = []
        self.places: list[Column] = []  # one for each slot of a record
        self.notes: list[bytes] = []
        self.extensions: dict[int, bytes] = {}

    def take(self, shape: str) -> tuple[Any, ...]:
        found = struct.unpack_from("<" + shape, self.content, self.at)
        self.at += struct.calcsize("<" + shape)
        return found

    def take_text(self, size: int) -> bytes:
        self.at += size
        return self.content[self.at - size : self.at]

    def read(self) -> SystemFile:
        labels: dict[bytes, bytes] = {}
        while (kind := self.take("i")[0]) != 999:
            if kind == 2:
                self.read_variable()
            elif kind == 3:
                labels = dict(self.read_labels(self.take("i")[0]))
            elif kind == 4:
                for place in self.take(f"{self.take('i')[0]}i"):
                    self.places[place - 1].labels = labels
            elif kind == 6:
                self.notes = [self.take_text(80) for _ in range(self.take("i")[0])]
            elif kind == 7:
                subtype, size, count = self.take("3i")
                self.extensions[subtype] = self.take_text(size * count)
        self.take("i")
        return SystemFile(columns=self.read_records(), facts=self.read_facts())

    @property
    def encoding(self) -> str:
        return self.extensions.get(20, b"latin-1").decode()

    def text(self, raw: bytes) -> str:
        return raw.decode(self.encoding).rstrip(" \0")

    def read_variable(self) -> None:
        width, labelled, missing, shown, _ = self.take("5i")
        short = self.take_text(8)
        label = b""
        if labelled:
            size = self.take("i")[0]
            label = self.take_text(-(-size // 4) * 4)[:size]
        codes = [self.take_text(8) for _ in range(abs(missing))]
        if width < 0:
            self.variables[-1].slots += 1
            self.places.append(self.variables[-1])
            return
        kind, digits, decimals = _FORMATS[shown >> 16 & 255], shown >> 8 & 255, shown & 255
        made = Column(
            short=short,
            width=width,
            shown=f"{kind}{digits}" + (f".{decimals}" if decimals or kind in _NUMBERS else ""),
            label=label,
            missing=tuple(codes if missing > 0 else codes[2:]),
            ranges=((_limit(codes[0]), _limit(codes[1])),) if missing < 0 else (),
        )
        self.variables.append(made)
        self.places.append(made)

    def read_labels(self, count: int) -> Iterator[tuple[bytes, bytes]]:
        for _ in range(count):
            value = self.take_text(8)
            size = self.take("B")[0]
            yield value, self.take_text(-(-(size + 1) // 8) * 8 - 1)[:size]

    def pairs(self, subtype: int) -> dict[str, str]:
        text = self.text(self.extensions.get(subtype, b""))
        return dict(each.rstrip("\0").split("=", 1) for each in text.split("\t") if "=" in each)

    def joined(self) -> list[tuple[str, list[Column], int]]:
        """Return the variables by their long names, with the parts and the width of each."""
        names, widths = self.pairs(13), self.pairs(14)
        found, rest = [], list(self.variables)
        while rest:
            first = rest.pop(0)
            short = self.text(first.short)
            width = int(widths.get(short, first.width))
            more = -(-width // 252) - 1 if short in widths else 0
            parts = [first, *(rest.pop(0) for _ in range(more))]
            found.append((names.get(short, short), parts, width))
        return found

    def read_records(self) -> Columns:
        slots = list(self.unpack())
        variables = self.joined()
        width = sum(part.slots for _, parts, _ in variables for part in parts)
        columns: dict[str, list[Any]] = {name: [] for name, _, _ in variables}
        for start in range(0, len(slots) - width + 1, width):
            record = iter(slots[start : start + width])
            for name, parts, _ in variables:
                columns[name].append(self.read_value(parts, record))
        return settle_columns(columns)

    def read_value(self, parts: list[Column], slots: Iterator[bytes]) -> Any:
        pieces = [b"".join(islice(slots, part.slots)) for part in parts]
        first = parts[0]
        if first.width:
            return self.text(
                b"".join(p[: min(255, x.width)] for p, x in zip(pieces, parts, strict=True))
            )
        if pieces[0] == _SYSMIS:
            return None
        number = struct.unpack("<d", pieces[0])[0]
        kind = first.shown.rstrip("0123456789.")
        if kind in _DAYS | _MOMENTS:
            return _START + dt.timedelta(seconds=number)
        return number

    def unpack(self) -> Iterator[bytes]:
        """Go through the data, eight bytes at a time."""
        content = self.content[self.at :]
        if self.packing == 2:
            content = b"".join(self.inflate())
        if self.packing == 0:
            for at in range(0, len(content), 8):
                yield content[at : at + 8]
            return
        at = 0
        while at < len(content):
            codes, at = content[at : at + 8], at + 8
            for code in codes:
                if code == 252:
                    return
                if code == 253:
                    yield content[at : at + 8]
                    at += 8
                elif code:
                    yield {254: b" " * 8, 255: _SYSMIS}.get(code) or struct.pack(
                        "<d", code - self.bias
                    )

    def inflate(self) -> Iterator[bytes]:
        _, trailer, size = self.take("3q")
        self.at = trailer + 16
        _, blocks = self.take("2i")
        for _ in range(blocks):
            _, start, _, packed = self.take("qqii")
            yield zlib.decompress(self.content[start : start + packed])
        assert size == 24 + 24 * blocks

    def read_facts(self) -> dict[str, Any]:
        display = struct.unpack(
            f"<{len(self.extensions.get(11, b'')) // 4}i", self.extensions.get(11, b"")
        )
        triples = list(zip(*[iter(display)] * 3, strict=True))
        facts: dict[str, dict[str, Any]] = {}
        place = 0
        long_labels, long_missing = self.read_long(21), self.read_long_missing()
        for name, parts, width in self.joined():
            first = parts[0]
            text = bool(first.width)
            values = {
                "labels of variables": self.text(first.label),
                f"labels of {'text' if text else 'numbers'}": long_labels.get(name)
                or {self.code(k, text): self.text(v) for k, v in first.labels.items()},
                "missing codes": long_missing.get(name)
                or tuple(self.code(c, text) for c in first.missing),
                "missing ranges": first.ranges,
                "display formats": f"A{width}" if text else first.shown,
                "width of text": width,
            }
            if triples:
                measure, columns, alignment = triples[place]
                values["level of measurement"] = _MEASURES[measure].replace("unknown", "")
                values["column width"] = columns
                values["alignment"] = _ALIGNMENTS[alignment]
            place += len(parts)
            for fact, value in values.items():
                facts.setdefault(fact, {}).update({name: value} if value else {})
        about = [self.text(self.title), *map(self.text, self.notes)]
        told: dict[str, Any] = {fact: values for fact, values in facts.items() if values}
        if any(about):
            told["file label and notes"] = tuple(each for each in about if each)
        return told

    def code(self, raw: bytes, text: bool) -> Any:
        return self.text(raw) if text else struct.unpack("<d", raw)[0]

    def read_long(self, subtype: int) -> dict[str, dict[str, str]]:
        """Return labels of texts of more than eight bytes."""
        found: dict[str, dict[str, str]] = {}
        content = self.extensions.get(subtype, b"")
        at = 0

        def take() -> str:
            nonlocal at
            size = struct.unpack_from("<i", content, at)[0]
            at += 4 + size
            return self.text(content[at - size : at])

        while at < len(content):
            name = take()
            _, count = struct.unpack_from("<2i", content, at)
            at += 8
            found[name] = {take(): take() for _ in range(count)}
        return found

    def read_long_missing(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        content = self.extensions.get(22, b"")
        at = 0
        while at < len(content):
            size = struct.unpack_from("<i", content, at)[0]
            name = self.text(content[at + 4 : at + 4 + size])
            at += 4 + size
            count, width = struct.unpack_from("<bi", content, at)
            at += 5
            found[name] = tuple(
                self.text(content[at + k * width : at + (k + 1) * width]) for k in range(count)
            )
            at += count * width
        return found


def _limit(raw: bytes) -> float:
    number: float = struct.unpack("<d", raw)[0]
    if number == _LOWEST or number == -_HIGHEST:
        return float("-inf")
    return float("inf") if number == _HIGHEST else number
