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
