"""Cheapest blanks where what a blank costs depends on the value that it hides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.steps.suppress.key_sets import MOST_SETS, too_many_sets
from microsafe.sums import Floats

Safe = Callable[[int, Index], NDArray[np.bool_]]
Enough = Callable[[Floats], bool]
_ROUNDING = 1e-12  # sums of the same prices in another order differ by less


def cheapest_sets(
    prices: Floats, allowed: int, safe: Safe, *, enough: Enough | None = None
) -> tuple[Masks, Floats]:
    """Find for each row the cheapest set of keys whose blanks make it safe.

    Sets are tried by their number of keys, then by the keys, and a later one is taken only if it
    is cheaper: of sets that cost the same it is the first. A row is done once as many of its
    cheapest keys as the next sets have cost no less than what it has.

    Args:
        prices: Of a blank, by key and row; infinite where there is nothing to blank.
        allowed: Keys that may be blanked.
        safe: Tells which of some rows are safe once a set of keys is blank.
        enough: Asked before larger sets are tried, with what each row costs at least; none are if
            it says so. A row that needs more then gets the empty set, and what it costs at least:
            the price of as many of its cheapest keys.

    Returns:
        The set of each row and its price: the empty set, and an infinite one, where none helps.

    Raises:
        InputError: So many sets were tried that the rest would take hours.
    """
    rows = prices.shape[1]
    best, chosen = np.full(rows, np.inf), np.zeros(rows, np.int64)
    keys = [j for j in range(len(prices)) if allowed >> j & 1]
    least = np.cumsum(np.sort(prices[keys], axis=0), axis=0) * (1 - _ROUNDING)
    left: Index = np.arange(rows)
    tried = 0
    for size in range(1, len(keys) + 1):
        left = left[least[size - 1, left] < best[left]]
        if not len(left):
            break
        if size > 1 and enough is not None:
            bound = best.copy()
            bound[left] = least[size - 1, left]
            if enough(bound):
                best, chosen[left] = bound, 0
                break
        asked = prices[:, left]
        for members in combinations(keys, size):
            if tried == MOST_SETS:
                raise too_many_sets(len(keys))
            tried += 1
            cost = sum_of(asked, members)
            cheaper = np.flatnonzero(cost < best[left])
            if len(cheaper):
                dropped = sum(1 << j for j in members)
                won = cheaper[safe(dropped, left[cheaper])]
                best[left[won]], chosen[left[won]] = cost[won], dropped
    return chosen, best


def bits_of_codes(codes: NDArray[Any], count: NDArray[Any]) -> Floats:
    """Return the bits that each category tells: -log2 of its share of the records that show it.

    Args:
        codes: Category of some cells; 0 is missing and tells nothing.
        count: Their records.
    """
    counts = np.bincount(codes, count)
    counts[0] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(counts > 0, np.maximum(-np.log2(counts / counts.sum()), 0.0), 0.0)


def price_values(
    codes: Sequence[NDArray[Any]], count: NDArray[Any], costs: Sequence[float]
) -> Floats:
    """Return what a blank costs by key and cell: the cost of its key for each bit that it hides."""
    return np.stack(
        [
            np.where(code > 0, cost * bits_of_codes(code, count)[code], np.inf)
            for code, cost in zip(codes, costs, strict=True)
        ]
    )


def sum_of(prices: Floats, members: tuple[int, ...]) -> Floats:
    """Sum the prices of some keys in their order, so that equal sets cost the same to the bit."""
    cost: Floats = prices[members[0]]
    for j in members[1:]:
        cost = cost + prices[j]
    return cost
