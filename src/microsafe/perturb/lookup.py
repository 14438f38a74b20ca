"""Which row of a small table has the same codes as a record, for any number of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WORD = 1 << 62

Codes = NDArray[Any]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class RowLookup:
    """Finds rows of a table by their codes.

    Attributes:
        stages: How many columns each looks at, and the sorted words that they make together with
            what the stage before found.
        sizes: Largest code of each column.
        row: Of the table, for each place of the last stage.
    """

    stages: tuple[tuple[int, NDArray[np.int64]], ...]
    sizes: tuple[int, ...]
    row: Places

    @classmethod
    def of(cls, codes: Sequence[Codes], sizes: Sequence[int], rows: int) -> RowLookup:
        """Make it for the distinct rows of a table.

        Args:
            codes: Its columns.
            sizes: Largest code of each.
            rows: How many rows it has; there may be no column.
        """
        state, stages, done = np.zeros(rows, np.int64), [], 0
        span = 1
        for place, (column, size) in enumerate(zip(codes, sizes, strict=True)):
            if span * (size + 1) >= _WORD:
                words, state = np.unique(state, return_inverse=True)
                stages.append((place - done, words))
                done, span = place, len(words)
            state = state * (size + 1) + column
            span *= size + 1
        words, first = np.unique(state, return_index=True)
        stages.append((len(codes) - done, words))
        return cls(tuple(stages), tuple(sizes), first)

    def find(self, codes: Sequence[Codes], rows: int) -> Places:
        """Return the row that each record agrees with; -1 if there is none."""
        state, found, done = np.zeros(rows, np.int64), np.ones(rows, np.bool_), 0
        for count, words in self.stages:
            for place in range(done, done + count):
                state = state * (self.sizes[place] + 1) + codes[place]
                found &= codes[place] <= self.sizes[place]
            done += count
            place_of = np.searchsorted(words, state)
            place_of[place_of == len(words)] = 0
            if len(words):
                found &= words[place_of] == state
            else:
                found[:] = False
            state = place_of
        if not len(self.row):
            return np.full(rows, -1, np.intp)
        return np.where(found, self.row[state], -1)
