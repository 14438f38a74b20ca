"""Code the values of a variable as small integers, once per study, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from typing import Any, cast, overload

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.cells import Codes, Index
from microsafe.codes import code_text, missing_texts
from microsafe.engine.counting import Distinct
from microsafe.engine.memory import Batches, Memory
from microsafe.engine.number_columns import Numbers, declared_numbers
from microsafe.engine.spelling import spell_numbers
from microsafe.errors import InputError
from microsafe.io.column_types import parse_times, spell_times
from microsafe.schema import Kind, Variable
from microsafe.sums import Floats

_NATURAL_UP_TO = 100_000  # categories; beyond that nobody reads them in order
_SPELLED_UP_TO = 10_000  # numbers; more are spelled when they are asked for
_PER_NUMBER = 40  # bytes while numbers of several batches are merged; 8 stay
_PER_TEXT = 200  # bytes while texts are numbered and put in order
_PER_TEXT_THAT_STAYS = 24
_REMEDY = "Leave the variable out,"
_FIRST = 1 << 14  # rows
_SHOW_MOST = 1 << 16  # rows that show most texts of a variable
_WORTH_LOOKING_UP = 4  # rows for each distinct number: then a look-up beats sorting
_NOWHERE = 2**32 - 1  # in any whole number of fewer bytes, one more is 0
_POLARS = {np.uint8: pl.UInt8(), np.uint16: pl.UInt16(), np.uint32: pl.UInt32()}


def make_empty_key_error(key: str, source: str) -> InputError:
    """Return what is said of a key that shows nothing."""
    return InputError(
        f"Key variable {key!r} is missing in every record of {source}. Leave it out of the keys."
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedVariable:
    """A variable as codes: 0 is missing, code c is `categories[c - 1]`."""

    codes: Codes
    categories: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class CodedColumn:
    """The same of a variable whose codes are kept batch by batch."""

    parts: Batches
    categories: Sequence[str]


def code_column(values: pl.Series, variable: Variable, *, source: str) -> CodedVariable:
    """Code a variable; categories are in natural order, whatever the order of the rows."""
    coder = Coder(variable, source=source)
    coder.add(values)
    column = coder.column()
    return CodedVariable(codes=column.parts[0], categories=column.categories)


def read_numbers(values: pl.Series, variable: Variable, *, source: str) -> Floats:
    """Return a variable as numbers; missing, unknown and not-a-number are NaN."""
    numbers = Numbers(variable, source=source)
    result = numbers.read(values)
    numbers.check()
    return result


class Coder:
    """Codes a variable batch by batch.

    Each batch is numbered provisionally, in as few bytes as that needs. Once all are seen, the
    categories are put in order, and the numbers are replaced.

    Args:
        variable: What is known of it.
        source: What messages call the file.
        memory: Where codes and categories are kept.
    """

    def __init__(self, variable: Variable, *, source: str, memory: Memory | None = None) -> None:
        self._variable = variable
        self._source = source
        self._memory = memory or Memory(None, source)
        self._parts = self._memory.new_batches()
        self._texts = TextNumbers()
        self._owned = self._memory.new_batches()  # distinct numbers of each batch
        # Not a method: a coder that refers to itself would stay, with all its texts, until the
        # next collection of garbage.
        self._numbers = Distinct(partial(_afford, self._memory, variable.name, _PER_NUMBER))

    def add(self, values: pl.Series) -> None:
        """Number the values of the next records."""
        kind = values.dtype
        if kind.is_float():
            values = values.fill_nan(None)
            values = values.cast(pl.Int64) if _whole(values) else values
            self._add_numbers(values)
        elif kind.is_integer():
            self._add_numbers(values)
        else:
            texts = self._as_text(values)
            if not len(self._parts):
                self._texts.begin_in_order(texts.head(_SHOW_MOST), self._variable)
            afford = partial(_afford, self._memory, self._variable.name, _PER_TEXT)
            self._parts.append(self._texts.number_texts(texts, afford))

    @property
    def text_type(self) -> pl.DataType:
        """The categorical type that texts may come in: they are numbered already then."""
        return self._texts.none.dtype

    def column(self) -> CodedColumn:
        """Return the codes of all records that were added."""
        tables: Iterator[NDArray[np.int64]]
        if len(self._owned):
            numbers = self._numbers.every()
            missing = declared_numbers(numbers.astype(np.float64, copy=False), self._variable)
            numbers = numbers[~missing] if missing.any() else numbers
            tables, categories = _places(self._owned, numbers), _spell_numbers(numbers)
            size = numbers.nbytes
        else:
            table, categories = self._texts.order_texts(self._variable)
            tables = repeat(table, len(self._parts))
            size = len(categories) * _PER_TEXT_THAT_STAYS
        small = _smallest(len(categories))
        for place, table in enumerate(tables):
            part = self._parts[place]
            if part.dtype != small or not np.array_equal(table, np.arange(len(table))):
                # Places are in range; "clip" only saves numpy the check.
                self._parts[place] = np.take(table.astype(small), part, mode="clip")
        what = _name_values(self._variable.name, len(categories))
        self._memory.keep(size, what, _REMEDY, of=self._parts)
        return CodedColumn(parts=self._parts, categories=categories)

    def _add_numbers(self, values: pl.Series) -> None:
        ranks, distinct = _rank_near(values) or _rank_any(values)
        self._parts.append(ranks)
        self._owned.append(distinct)
        self._numbers.add(distinct)

    def _as_text(self, values: pl.Series) -> pl.Series:
        kind = values.dtype
        if kind in (pl.String, self.text_type):
            return values
        if kind in (pl.Time, pl.Duration):
            return spell_times(values)
        fault = "lists or other compound values, which cannot be compared"
        if (
            isinstance(kind, pl.Categorical | pl.Enum)
            or kind in (pl.Boolean, pl.Null)
            or kind.is_temporal()
            or kind.is_decimal()
        ):
            try:
                return values.cast(pl.String)
            except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
                fault = "values that have no text, such as dates beyond the calendar"
        raise InputError(
            f"Variable {self._variable.name!r} of {self._source} holds {fault}. Leave it out."
        )


def _afford(memory: Memory, name: str, each: int, values: int) -> None:
    """Refuse more values of a variable than there is room for."""
    memory.need(each * values, _name_values(name, values), _REMEDY)


def _name_values(name: str, values: int) -> str:
    return f"for {values:,} values of {name!r} or more"


def _without_texts() -> pl.Series:
    """No text, in a dictionary of its own: the one that all share would grow without bound."""
    return pl.Series([], dtype=pl.Categorical(pl.Categories.random()))


@dataclass(slots=True, eq=False)
class TextNumbers:
    """Texts by the number that each got when it was first met."""

    # Polars forgets the dictionary as soon as no series is left that uses it.
    none: pl.Series = field(default_factory=_without_texts)
    known: NDArray[np.bool_] = field(default_factory=lambda: np.ones(1, np.bool_))
    numbers: list[Index] = field(default_factory=list)
    texts: list[pl.Series] = field(default_factory=list)

    def begin_in_order(self, first: pl.Series, variable: Variable) -> None:
        """Number the first texts in their order, so that most often no number is replaced later."""
        if first.dtype == pl.String:  # or they are numbered already
            texts = first.drop_nulls().unique()
            texts = texts.filter(~texts.is_in(missing_texts(variable)))
            sort_categories(texts, variable.kind).cast(self.none.dtype)

    def number_texts(
        self, values: pl.Series, afford: Callable[[int], None] = lambda _: None
    ) -> Codes:
        """Return the number of each text, from 1; 0 is null.

        Args:
            values: Of the next records.
            afford: Told how many texts there are by now, before what is known of them grows.
        """
        places = values.cast(self.none.dtype).to_physical()
        last = 0 if places.null_count() == len(places) else 1 + int(cast(int, places.max()))
        afford(max(last, self.last))
        result: Codes = places.fill_null(_NOWHERE).to_numpy().astype(_smallest(last))
        result += 1  # in its few bytes
        if last > self.last:
            self.known = np.append(self.known, np.zeros(last - self.last, np.bool_))
        # Threads that parse a file number what each of them meets, so that a text of a later
        # batch may have a lower number than those of an earlier one.
        unknown = np.flatnonzero(~self.known)
        if len(unknown):
            row_of = _row_of_each(result, unknown, len(self.known))
            met = row_of >= 0
            self.known[unknown[met]] = True
            self.numbers.append(unknown[met])
            self.texts.append(values.gather(row_of[met]).cast(pl.String))
        return result

    @property
    def last(self) -> int:
        """The largest number so far."""
        return len(self.known) - 1

    def table(self) -> pl.Series:
        """Return the text of each number; null for 0."""
        if not self.texts:
            return pl.Series([None], dtype=pl.String)
        rows = np.zeros(self.last + 1, np.int64)
        rows[np.concatenate(self.numbers)] = np.arange(1, 1 + sum(map(len, self.texts)))
        return pl.concat([pl.Series([None], dtype=pl.String), *self.texts]).gather(rows)

    def order_texts(self, variable: Variable) -> tuple[NDArray[np.int64], Sequence[str]]:
        """Return the code of each number, and the categories in order."""
        if not self.texts:
            return np.zeros(1, np.int64), []
        texts = pl.concat(self.texts)
        missing = ["", *missing_texts(variable)]  # blanks say nothing
        not_missing = (~texts.str.strip_chars().is_in(missing)).to_numpy()
        if not_missing.all():
            order = _natural_order(texts, variable.kind)
        else:
            order = np.flatnonzero(not_missing)[
                _natural_order(texts.filter(not_missing), variable.kind)
            ]
        codes = np.zeros(self.last + 1, np.int64)
        codes[np.concatenate(self.numbers)[order]] = np.arange(1, len(order) + 1)
        return codes, cast(Sequence[str], texts.gather(order))


def _row_of_each(numbers: Codes, wanted: Index, size: int) -> Index:
    """For each wanted number a row that has it, or -1; all numbers are below `size`."""
    rows = _FIRST
    while True:  # the first rows have most
        row_of = np.full(size, -1, np.intp)
        first = numbers[:rows]
        row_of[first] = np.arange(len(first))
        rows_of_wanted = row_of[wanted]
        if rows >= len(numbers) or bool(np.all(rows_of_wanted >= 0)):
            return rows_of_wanted
        rows *= 8


def _whole(values: pl.Series) -> bool:
    test = pl.col("v").is_null() | (
        (pl.col("v") == pl.col("v").floor()) & (pl.col("v").abs() < 2**53)
    )
    return bool(values.alias("v").to_frame().select(test.all()).item())


def _places(batches: Iterable[NDArray[Any]], numbers: NDArray[Any]) -> Iterator[NDArray[np.int64]]:
    """For each batch the code of each of its distinct numbers, after 0 for what is missing."""
    for own in batches:
        place = np.searchsorted(numbers, own)
        known = place < len(numbers)
        known[known] = numbers[place[known]] == own[known]
        yield np.concatenate([[0], np.where(known, place + 1, 0)])


class _Numerals(Sequence[str]):
    """Numbers that are spelled when they are asked for."""

    def __init__(self, numbers: NDArray[Any]) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        numbers = self._numbers[place]
        return _Numerals(numbers) if isinstance(place, slice) else code_text(numbers.item())

    def __iter__(self) -> Iterator[str]:
        return iter(spell_numbers(pl.Series(self._numbers)).to_list())


def _spell_numbers(numbers: NDArray[Any]) -> Sequence[str]:
    """The categories that numbers are."""
    few = len(numbers) <= _SPELLED_UP_TO
    return list(_Numerals(numbers)) if few else _Numerals(numbers)


def _rank_near(values: pl.Series) -> tuple[Codes, NDArray[Any]] | None:
    """Rank whole numbers that lie near each other; None if they don't.

    Returns:
        The place of each among the distinct ones, from 1, or 0 if it is missing; and these.
    """
    if not values.dtype.is_integer():
        return None
    low, high = cast("int | None", values.min()), cast("int | None", values.max())
    if low is None or high is None or not -(2**62) < low <= high < 2**62:
        return None
    span = high - low + 1
    if span >= 4 * len(values):
        return None
    # Narrow types must be widened first: their differences wrap around.
    shifted = values if low == 1 else values.cast(pl.Int64) - (low - 1)
    small = _smallest(span)
    places = shifted.cast(_POLARS[small]).fill_null(0).to_numpy()
    present = _find_present(places, span)
    if len(present) < span:
        table = np.zeros(span + 1, _smallest(len(present)))
        table[present] = np.arange(1, len(present) + 1)
        places = np.take(table, places, mode="clip")  # in range; it saves the check
    # Of the kind that other batches have: signed and unsigned words become floats together.
    kind = np.uint64 if values.dtype == pl.UInt64 else np.int64
    return places, (present + (low - 1)).astype(kind, copy=False)


def _find_present(places: Codes, span: int) -> Index:
    """Return which numbers from 1 to `span` occur."""
    present = np.zeros(span + 1, np.bool_)
    present[places[:_FIRST]] = True  # the first rows have most
    if not present[1:].all():
        present[places[_FIRST:]] = True
    return np.flatnonzero(present[1:]) + 1


def _rank_any(values: pl.Series) -> tuple[Codes, NDArray[Any]]:
    """Rank numbers of any kind, likewise."""
    distinct = values.drop_nulls().unique().sort()
    small = _smallest(len(distinct))
    if 0 < _WORTH_LOOKING_UP * len(distinct) < len(values):
        places = pl.Series(np.arange(1, len(distinct) + 1, dtype=small))
        ranks = values.replace_strict(distinct, places, default=None)
    else:
        ranks = values.rank("dense")
    return ranks.fill_null(0).to_numpy().astype(small, copy=False), distinct.to_numpy()


def sort_categories(texts: pl.Series, kind: Kind) -> pl.Series:
    """Return distinct texts in the order of categories."""
    if kind != "duration" and len(texts) > _NATURAL_UP_TO:
        return texts.sort()  # a quarter of what their order costs
    return texts.gather(_natural_order(texts, kind))


def _natural_order(texts: pl.Series, kind: Kind) -> Index:
    """Order of the categories: by number or length if all have one, otherwise by text."""
    if kind == "duration":
        frame = pl.DataFrame({"length": parse_times(texts), "text": texts}).with_row_index("place")
        return frame.sort("length", "text")["place"].to_numpy().astype(np.intp)
    if len(texts) > _NATURAL_UP_TO or not texts.str.contains(r"^\s*-?[0-9]{1,18}\s*$").all():
        return texts.arg_sort().to_numpy().astype(np.intp)
    numbers = texts.str.strip_chars().cast(pl.Int64)
    frame = pl.DataFrame({"number": numbers, "text": texts}).with_row_index("place")
    return frame.sort("number", "text")["place"].to_numpy().astype(np.intp)


def _smallest(largest: int) -> type[np.unsignedinteger[Any]]:
    """The type of the fewest bytes that holds a number."""
    return next(d for d in (np.uint8, np.uint16, np.uint32) if largest <= np.iinfo(d).max)
