"""Cheapest blanks where what a blank costs depends on the value that it hides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
    best, chosen = np.full(prices.shape[1], np.inf), np.zeros(prices.shape[1], np.int64)
    keys = [j for j in range(len(prices)) if allowed >> j & 1]
    left: Index = np.arange(prices.shape[1])
    asked = prices  # of the rows that are left
    rest = prices[keys]  # likewise; its first lines are sorted, one more each time
    least = np.zeros(len(left))
    tried = 0
    for size in range(1, len(keys) + 1):
        _lift_least(rest, size - 1)
        least += rest[size - 1]
        going = least * (1 - _ROUNDING) < best[left]
        if not going.all():
            some = going.nonzero()[0]
            left, least = left[some], least[some]
            asked, rest = asked.take(some, axis=1), rest.take(some, axis=1)
        if not len(left):
            break
        if size > 1 and enough is not None:
            bound = best.copy()
            bound[left] = least * (1 - _ROUNDING)
            if enough(bound):
                best, chosen[left] = bound, 0
                break
        beaten = best[left]
        for members, cost in sums_of_sets(asked, keys, size):
            if tried == MOST_SETS:
                raise too_many_sets(len(keys))
            tried += 1
            cheaper = (cost < beaten).nonzero()[0]
            if len(cheaper):
                dropped = sum(1 << j for j in members)
                won = cheaper[safe(dropped, left[cheaper])]
                beaten[won], chosen[left[won]] = cost[won], dropped
        best[left] = beaten
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


def sums_of_sets(
    prices: Floats, keys: Sequence[int], size: int
) -> Iterator[tuple[tuple[int, ...], Floats]]:
    """Go through all sets of so many keys with the sum of their prices in each row.

    Prices are added in the order of the keys, so that equal sets cost the same to the bit. Sets
    that follow each other begin alike: what those first keys cost is added up once.
    """
    sums: list[Floats] = []
    before: tuple[int, ...] = ()
    for members in combinations(keys, size):
        pairs = enumerate(zip(members, before, strict=False))
        alike = next((place for place, (new, old) in pairs if new != old), 0)
        del sums[alike:]
        for j in members[alike:]:
            sums.append(sums[-1] + prices[j] if sums else prices[j])
        before = members
        yield members, sums[-1]


def _lift_least(prices: Floats, line: int) -> None:
    """Move the least price of each column, of that line and those below it, up to the line."""
    for low in range(len(prices) - 1, line, -1):
        above, below = prices[low - 1], prices[low]
        least = np.minimum(above, below)
        np.maximum(above, below, out=below)
        above[:] = least
