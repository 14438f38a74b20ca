"""Small tools over numpy arrays: decimals, rows of a table, ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.draws import Words, normal_quantiles
from microsafe.sums import Floats

_MOST = 9  # digits that somebody may have meant


def count_decimals(values: Floats) -> int | None:
    """Return how many digits values show behind the point; None if they are not rounded.

    Args:
        values: None of them missing.
    """
    for digits in range(_MOST + 1):
        values = values[np.round(values, digits) != values]
        if not len(values):
            return digits
    return None


def most_decimals(largest: float, most: int = _MOST) -> int:
    """Return how many digits behind the point numbers up to some size can tell."""
    return max(0, min(most, 14 - (math.ceil(math.log10(largest)) if largest >= 1 else 0)))


def round_to(values: Floats, decimals: int | None) -> Floats:
    """Round to so many digits behind the point, if there is a number; no negative zero."""
    rounded: Floats = values if decimals is None else np.round(values, decimals)
    return rounded + 0.0


def count_characters(values: Floats, decimals: int) -> int:
    """Return how many characters the longest value takes with so many digits behind the point."""
    return max(len(f"{value:.{decimals}f}") for value in (values.min(), values.max()))


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
        state, matched, done = np.zeros(rows, np.int64), np.ones(rows, np.bool_), 0
        for count, words in self.stages:
            for place in range(done, done + count):
                state = state * (self.sizes[place] + 1) + codes[place]
                matched &= codes[place] <= self.sizes[place]
            done += count
            place_of = np.searchsorted(words, state)
            place_of[place_of == len(words)] = 0
            if len(words):
                matched &= words[place_of] == state
            else:
                matched[:] = False
            state = place_of
        if not len(self.row):
            return np.full(rows, -1, np.intp)
        return np.where(matched, self.row[state], -1)


Ranks = NDArray[np.int64]


def order_places(values: Floats, words: Words) -> Ranks:
    """Return the places of values in ascending order, those that tie by random words.

    Args:
        values: None of them missing.
        words: One for each; the first in place comes first if these tie as well.
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    if bool(np.any(ordered[1:] == ordered[:-1])):
        return np.lexsort((words, values))
    return order


def normal_scores(values: Floats) -> Floats:
    """Return quantiles of the normal distribution at the ranks of values; ties share their mean."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(values)])
    size = np.diff(first, append=len(values))
    scores = np.empty(len(values))
    scores[order] = np.repeat(np.add.reduceat(untied_scores(len(values)), first) / size, size)
    return scores


def untied_scores(count: int) -> Floats:
    """Return the normal scores of so many values that are all different, in ascending order."""
    return normal_quantiles((np.arange(count) + 0.5) / count)


def middle_ranks(values: Floats) -> Floats:
    """Return ranks from 1, ties at the middle of theirs; NaN, what is missing, has none."""
    known = ~np.isnan(values)
    _, inverse, count = np.unique(values[known], return_inverse=True, return_counts=True)
    ranks = np.full(len(values), np.nan)
    ranks[known] = (np.cumsum(count) - (count - 1) / 2)[inverse]
    return ranks


def correlate(one: Floats, other: Floats) -> float:
    """Return the correlation of numbers where neither is NaN; 0 if there is none."""
    both = ~(np.isnan(one) | np.isnan(other))
    if not both.any():
        return 0.0
    a, b = (numbers[both] - numbers[both].mean() for numbers in (one, other))
    spread = float(np.sqrt(np.sum(a * a) * np.sum(b * b)))
    return float(np.sum(a * b)) / spread if spread > 0 else 0.0
