"""Values by record in the embedded engine, batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat, zip_longest
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microsafe.batches import rebatch_frames
from microsafe.engine import slices as batches
from microsafe.engine.coding import TextNumbers
from microsafe.engine.memory import Batches, Memory
from microsafe.engine.record_access import (
    Form,
    RecordBatch,
    RecordNumbers,
    RecordValues,
    Selection,
    check_numbers,
    keep_values,
    read_identifiers,
    read_values,
    repeated_identifiers,
    store_categories,
    store_texts,
    store_values,
)
from microsafe.progress import Progress, silent
from microsafe.schema import Variable

if TYPE_CHECKING:
    from microsafe.engine.local.records import Records

_PER_IDENTIFIER = 16  # bytes while they are compared
_PER_TEXT = 24  # bytes besides its letters


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Replacement:
    """Other values of a variable, record by record.

    Attributes:
        after: What the variable is from then on.
        parts: Numbers, NaN where a record keeps what it has; or codes, 0 there.
        table: What each code stands for; None if `parts` are numbers.
    """

    after: Variable
    parts: Batches
    table: pl.Series | None

    def apply(self, column: pl.Series, start: int) -> pl.Series:
        """Return a column with the new values.

        Args:
            column: Some records of one batch.
            start: Place of the first of them among all records.
        """
        first = start % batches.BATCH
        part = self.parts[start // batches.BATCH][first : first + len(column)]
        if self.table is not None:
            return keep_values(self.table.gather(part), column, part == 0)
        kept = np.isnan(part)
        new = store_values(RecordValues(data=part, missing=kept), "number", self.after.kind)
        return keep_values(new, column, kept)


class ReplacementBuffer:
    """Takes in new values of a variable, batch by batch.

    Args:
        after: What the variable is from then on.
        form: How values come in.
        categories: What codes stand for.
        memory: Where values are kept.
    """

    def __init__(
        self, after: Variable, form: Form, categories: Sequence[str], memory: Memory
    ) -> None:
        self._after, self._form, self._categories = after, form, categories
        self._memory = memory
        self._parts = memory.new_batches()
        self._texts = TextNumbers()

    def add(self, values: RecordValues) -> None:
        """Take in the values of the next batch."""
        if self._form == "text":
            known = pl.Series(~values.missing)
            texts = pl.Series(np.where(values.missing, "", values.data), dtype=pl.String)
            texts = texts.zip_with(known, pl.Series([None], dtype=pl.String))
            self._parts.append(self._texts.number_texts(texts))
        elif self._form == "code":
            self._parts.append(np.where(values.missing, 0, values.data).astype(np.uint32))
        else:
            check_numbers(values, self._after.kind)
            self._parts.append(np.where(values.missing, np.nan, values.data).astype(np.float64))

    def finish(self) -> Replacement:
        """Return all of them."""
        table, kind = None, self._after.kind
        if self._form == "code":
            table = store_categories(self._categories, kind)
        elif self._form == "text":
            table = store_texts(self._texts.table(), kind)
            size = int(table.estimated_size()) + _PER_TEXT * len(table)
            what = f"for {len(table):,} values of {self._after.name!r}"
            self._memory.keep(size, what, "Drop the variable,", of=self._parts)
        return Replacement(after=self._after, parts=self._parts, table=table)


def read_columns(
    records: Records, selection: Selection, progress: Progress = silent
) -> Iterator[RecordBatch]:
    """Go through values by record, in input order.

    Args:
        records: Of which.
        selection: What is asked for.
        progress: Progress callback.
    """
    names: dict[Form, list[str]] = {"number": [], "code": [], "text": []}
    for name, form in selection.forms.items():
        names[form].append(name)
    records.fetch(names["code"], names["number"], progress)
    shown = [*names["text"], *([selection.identifier] if selection.identifier else [])]
    shown = list(dict.fromkeys(shown))
    frames: Iterable[pl.DataFrame] = repeat(pl.DataFrame())
    if shown:
        frames = rebatch_frames(records.table(names=shown), batches.BATCH)
    if selection.identifier is not None:
        _refuse_repeated(records, selection.identifier)
    for place, (numbers, frame) in enumerate(zip(records.record_numbers(), frames, strict=False)):
        if selection.identifier is not None:
            numbers = _identify(records, selection.identifier, frame)
        columns = {name: read_values(frame[name], "text") for name in names["text"]}
        for name in names["number"]:
            number = records.number(name, place)
            columns[name] = RecordValues(data=number, missing=np.isnan(number))
        for name in names["code"]:
            code = records.code(name, place)
            columns[name] = RecordValues(data=code, missing=code == 0)
        yield RecordBatch(numbers=numbers, columns=columns)


def _identify(records: Records, name: str, frame: pl.DataFrame) -> RecordNumbers:
    return read_identifiers(frame[name], records.schema[name], records.schema.source)


def _refuse_repeated(records: Records, name: str) -> None:
    """Refuse an identifier that does not tell records apart: one pass of its own."""
    what = f"to compare {records.count:,} values of {name!r}"
    with records.memory.holding(records.count * _PER_IDENTIFIER, what, "Leave it out,"):
        parts = [_identify(records, name, frame) for frame in records.table(names=[name])]
        numbers = np.sort(np.concatenate(parts))
        if bool(np.any(numbers[1:] == numbers[:-1])):
            raise repeated_identifiers(name, records.schema.source)


def take_in(
    records: Records,
    selection: Selection,
    after: Sequence[Variable],
    found: Iterable[RecordBatch],
) -> Mapping[str, Replacement]:
    """Take in values by record, in the batches that `read_columns` goes by.

    Args:
        records: To which they belong.
        selection: As it was for `read_columns`.
        after: What the variables are from then on.
        found: Their values.

    Raises:
        ValueError: These are not the same records.
    """
    categories = {}
    for variable in after:
        coded = selection.forms[variable.name] == "code"
        categories[variable.name] = records.categories(variable.name) if coded else ()
    buffers = {
        each.name: ReplacementBuffer(
            each, selection.forms[each.name], categories[each.name], records.memory
        )
        for each in after
    }
    known = Selection(identifier=selection.identifier)
    for batch, same in zip_longest(found, read_columns(records, known)):
        if batch is None or same is None or not np.array_equal(batch.numbers, same.numbers):
            raise ValueError("Every record must come back, in the order in which they went out.")
        for name, buffer in buffers.items():
            buffer.add(batch.columns[name])
    return {name: buffer.finish() for name, buffer in buffers.items()}
