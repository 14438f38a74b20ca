"""Replace the values of a variable record by record in the embedded engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from microsafe.engine import slices as batches
from microsafe.engine.coding import TextNumbers
from microsafe.engine.memory import Batches, Memory
from microsafe.engine.record_access import (
    Form,
    RecordValues,
    check_numbers,
    keep_values,
    store_categories,
    store_texts,
    store_values,
)
from microsafe.schema import Variable

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
        unchanged = np.isnan(part)
        new = store_values(RecordValues(data=part, missing=unchanged), "number", self.after.kind)
        return keep_values(new, column, unchanged)


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
