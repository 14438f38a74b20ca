"""Read records of SPSS, Stata and SAS files in blocks, each variable in one type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

import polars as pl

from microsafe.batches import rebatch_frames
from microsafe.io.column_types import normalise_missing
from microsafe.schema import Schema, Variable

# Bytes of objects that one read may make. A packed file is gone through from its start each time,
# so there are few reads as long as they are not too large.
_LEAST, _MOST, _READS = 32_000_000, 128_000_000, 8
_PER_NUMBER, _PER_TEXT = 40, 70  # bytes of an object and what points to it, a text without its own
# Years 1 to 9999, in days from 1970: what a date can be outside the file.
_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
_PER_DAY = {"ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageRows:
    """The records of a file of a statistical package.

    Attributes:
        schema: What is known of its variables.
        fetch: Gives rows of the columns `usecols`, in any order and of any type; `row_limit`
            of them, all if that is 0, after `row_offset` others.
        guard: Within it, what a library raises becomes a sentence about the file.
        records: How many there are, if that is known.
        whole: Whether they can be read only all at once.
        dates: Types of the variables that are dates in all records, None for those that are not;
            as far as they were asked for.
    """

    schema: Schema
    fetch: Callable[..., pl.DataFrame]
    guard: Callable[[], AbstractContextManager[None]]
    records: int | None
    whole: bool
    dates: dict[str, pl.DataType | None] = field(default_factory=dict)

    def load(self, names: Sequence[str]) -> pl.DataFrame:
        """Return all records."""
        return pl.concat(self._read(names), rechunk=True)

    def scan(self, names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        """Go through the records in frames of so many."""
        return rebatch_frames(self._read(names), size)

    def _read(self, names: Sequence[str]) -> Iterator[pl.DataFrame]:
        dates = [name for name in names if self.schema[name].kind == "date"]
        self._settle_dates([name for name in dates if name not in self.dates])
        dated = [name for name in dates if self.dates[name] is not None]
        plain = [name for name in names if name not in dated]

        def fetch(start: int, count: int) -> pl.DataFrame:
            rows = {"row_offset": start, "row_limit": count}
            columns: list[pl.Series] = []
            if plain:
                # Times of day would lose what exceeds 24 hours; far-off dates cannot be shown.
                frame = self.fetch(usecols=plain, disable_datetime_conversion=True, **rows)
                columns += frame.get_columns()
            if dated:
                columns += self.fetch(usecols=dated, **rows).get_columns()
            settled = {c.name: self._settle_column(c) for c in columns}
            return pl.DataFrame([settled[name] for name in names])

        return self._go_through(names, fetch)

    def _settle_dates(self, names: Sequence[str]) -> None:
        """Find out which variables are dates in all records: of others numbers are read."""
        if not names:
            return
        types: dict[str, pl.DataType | None] = dict.fromkeys(names, pl.Date())

        def fetch(start: int, count: int) -> pl.DataFrame:
            return self.fetch(usecols=list(names), row_offset=start, row_limit=count)

        for frame in self._go_through(names, fetch):
            for column in frame:
                if types[column.name] is not None and column.dtype != pl.Null:
                    types[column.name] = column.dtype if _is_within_calendar(column) else None
        self.dates.update(types)

    def _go_through(
        self, names: Sequence[str], fetch: Callable[[int, int], pl.DataFrame]
    ) -> Iterator[pl.DataFrame]:
        most, start = self._rows_at_once(names), 0
        while True:
            count = most if self.records is None else min(most, self.records - start)
            with self.guard():
                frame = fetch(start, count)
            height = frame.height
            start += height
            yield frame
            del frame  # before the next is there
            if not most or height < count or start == self.records:
                return

    def _rows_at_once(self, names: Sequence[str]) -> int:
        if self.whole:
            return 0
        row = sum(_size_of(self.schema[name]) for name in names)
        size = row * (self.records or 0) // _READS
        return max(1, min(max(size, _LEAST), _MOST) // row)

    def _settle_column(self, column: pl.Series) -> pl.Series:
        """Return the column in the type that its kind promises, whatever this read guessed."""
        variable = self.schema[column.name]
        dtype: pl.DataType
        if variable.kind == "date":
            dtype = self.dates[variable.name] or _number_type(variable)
        elif variable.kind == "text":
            dtype = pl.String()
        else:
            dtype = pl.Int64() if variable.kind == "integer" else pl.Float64()
        column = column.cast(dtype)
        if dtype == pl.String:
            column = column.str.strip_chars_end(" ")
        return column.to_frame().select(normalise_missing(column.name, dtype)).to_series()


def _size_of(variable: Variable) -> int:
    """Return the bytes that a value takes while it is an object."""
    if variable.kind != "text":
        return _PER_NUMBER
    return _PER_TEXT + int(variable.extra.get("storage_width", 0))


def _number_type(variable: Variable) -> pl.DataType:
    whole = variable.extra.get("storage_type", "").startswith("int")
    return pl.Int64() if whole else pl.Float64()


def _is_within_calendar(column: pl.Series) -> bool:
    """Tell whether a column holds dates or moments that can be shown as such."""
    dtype = column.dtype
    if isinstance(dtype, pl.Datetime):
        per_day = _PER_DAY[dtype.time_unit]
    elif dtype == pl.Date:
        per_day = 1
    else:
        return False
    days = column.to_physical()
    low, high = days.min(), days.max()
    if not isinstance(low, int) or not isinstance(high, int):
        return True  # nothing but missings
    return low >= _FIRST_DAY * per_day and high < (_LAST_DAY + 1) * per_day
