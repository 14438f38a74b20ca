"""Fingerprint of what was written, to compare with what is read back.

Libraries overlook errors of the disk: a full one gave half a file and no word of it. So a file is
read back before it takes the place of another, and of every variable the records, the gaps and a
checksum of the values are compared with those that went in. It costs one reading, and no memory:
records are gone through batch by batch, where the format can be read so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import polars as pl

from microsafe.io.source import Source

Stored = Callable[[pl.Series], pl.Series]
_Kind = Literal["number", "text", "same", "gaps"]

_VALUES = 1 << 20  # that are read back at once, where a file can be read in batches
_BESIDE = 137_313  # microseconds
_OPAQUE = (pl.Object, pl.Binary, pl.Unknown)


def as_it_is(column: pl.Series) -> pl.Series:
    """Return a column of a format that holds all types of values."""
    return column


@dataclass(slots=True, eq=False)
class Fingerprint:
    """Records, gaps and checksums of the variables of a file, added batch by batch.

    Attributes:
        stored: Returns a column as the format holds it.
        kinds: How the values of each variable are compared; known from the first batch.
        records: How many there are so far.
        sums: By variable, of hashes of its values, each times its place.
    """

    stored: Stored = as_it_is
    kinds: dict[str, _Kind] = field(default_factory=dict)
    records: int = 0
    sums: dict[str, int] = field(default_factory=dict)

    def add(self, frame: pl.DataFrame) -> None:
        """Add some records."""
        # Odd numbers: a value that is another one or stands elsewhere changes the sum.
        places = 2 * np.arange(self.records, self.records + frame.height, dtype=np.uint64) + 1
        for column in frame:
            name = column.name
            stored = self.stored(column)
            if name not in self.kinds:
                self.kinds[name] = _kind_of(column, stored)
            kind = self.kinds[name]
            hashes = _comparable(stored, kind).hash(0).to_numpy()  # that of a gap is one of them
            total = self.sums.get(name, 0) + int((hashes * places).sum())
            self.sums[name] = total % 2**64
        self.records += frame.height

    def find_difference(self, source: Source) -> str | None:
        """Return in what a file differs from what went into it; None if in nothing."""
        again = Fingerprint(stored=self.stored, kinds=dict(self.kinds))
        if not set(self.kinds) <= set(source.schema.names):
            return "some of its variables are not there"
        for frame in _frames(source, list(self.kinds)):
            again.add(frame)
        if again.records != self.records:
            return f"it has {again.records:,} of {self.records:,} records"
        for name, total in self.sums.items():
            if again.sums[name] != total:
                return f"{name} has other values"
        return None


def _frames(source: Source, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    if source.scan is None:
        return iter((source.load(names),))
    return source.scan(names, max(1 << 10, _VALUES // len(names)))


def whole_seconds(column: pl.Series) -> pl.Series:
    """Return dates and moments as seconds since 1970, for formats that hold them as fractions.

    Times and durations have seconds of their own. A moment may come out a little earlier or later,
    so seconds begin where no millisecond does.
    """
    if column.dtype == pl.Date:
        return column.cast(pl.Int64) * 86_400
    return (microseconds(column) + _BESIDE) // 1_000_000


def microseconds(column: pl.Series) -> pl.Series:
    """Return moments since 1970, times since midnight and durations in microseconds."""
    if column.dtype == pl.Time:
        return column.cast(pl.Int64) // 1000
    if column.dtype == pl.Duration:
        return column.dt.total_microseconds()
    return column.dt.timestamp("us")


def _kind_of(column: pl.Series, stored: pl.Series) -> _Kind:
    dtype = stored.dtype
    if column.dtype in (pl.Datetime, pl.Time, pl.Duration) and dtype.is_integer():
        fine = bool((microseconds(column) % 1000 != 0).any())
        return "gaps" if fine else "number"
    if dtype.is_numeric() or dtype == pl.Boolean:
        return "number"
    if dtype in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        return "text"
    return "gaps" if dtype.is_nested() or dtype in _OPAQUE else "same"


def _comparable(column: pl.Series, kind: _Kind) -> pl.Series:
    """Return the values of a column as they are compared."""
    if kind == "number":
        numbers = column.cast(pl.Float64, strict=False)
        if column.dtype == pl.String and numbers.null_count() > column.null_count():
            texts = column.str.strip_chars().str.replace(",", ".", literal=True)
            numbers = texts.cast(pl.Float64, strict=False)
        return numbers.fill_nan(None) + 0.0  # and never -0
    if kind == "text":
        return column.cast(pl.String)
    return column.is_null() if kind == "gaps" else column
