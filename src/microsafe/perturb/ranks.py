"""Order of values, and normal scores of their ranks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microsafe.draws import Words, normal_quantiles
from microsafe.sums import Floats

Places = NDArray[np.int64]


def order_places(values: Floats, words: Words) -> Places:
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
    a, b = (each[both] - each[both].mean() for each in (one, other))
    spread = float(np.sqrt(np.sum(a * a) * np.sum(b * b)))
    return float(np.sum(a * b)) / spread if spread > 0 else 0.0
