"""Rank swapping: values change places with others of nearby rank.

Ranks are cut into blocks of w + 1 from a random offset; inside a block records are put into random
order, and neighbours in that order change places. So no rank changes by more than w, all values
are kept, and at most one record of a block keeps its own.

References:
    Moore (1996), Controlled data-swapping techniques for masking public use microdata sets.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from microsafe.perturb.ranks import Places


def largest_change(count: int, percent: float) -> int:
    """Return how many ranks a value moves at most: so many per cent of the values, or one."""
    return max(1, math.floor(percent * count / 100))


def swap_in_blocks(block: Places, words: NDArray[np.uint64]) -> Places:
    """Return for each place the one that it changes values with; itself if it keeps its own.

    Args:
        block: Of each place, in ascending order; its places are put into random order.
        words: Random words that give the order.
    """
    mixed = np.lexsort((words, block))
    first = np.searchsorted(block, block)
    second = np.flatnonzero((np.arange(len(block)) - first) % 2 == 1)
    partners = np.arange(len(block))
    partners[mixed[second]] = mixed[second - 1]
    partners[mixed[second - 1]] = mixed[second]
    return partners
