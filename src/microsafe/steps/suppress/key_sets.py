"""Sets of keys in the order of what it costs to blank them, no more of them than are asked for.

There are 2^n sets of n keys, so they are never listed. Those with the same number of keys of each
cost cost the same; there are far fewer of these kinds, and one is made only when one that is
cheaper has been used up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush, merge
from itertools import combinations

from microsafe.errors import InputError

Afford = Callable[[int], None]
MOST_SETS = 1 << 24  # that are tried; more would take hours
PER_SET = 400  # bytes of a kind of set that waits for its turn
_ASK = 1 << 12


def no_limit(_: int) -> None:
    """Afford any number of sets."""


def in_order_of_cost(
    costs: Sequence[float], allowed: int, afford: Afford = no_limit
) -> Iterator[int]:
    """Go through the non-empty sets of allowed keys, the cheapest first.

    Sets of equal cost come in the order of their number of keys, then of the keys.

    Args:
        costs: Of blanking each key, none below 0.
        allowed: Keys that may be in a set.
        afford: Told now and then how many kinds of sets wait for their turn; may refuse so many.

    Raises:
        InputError: So many sets were asked for that the rest would take hours.
    """
    keys = [j for j in range(len(costs)) if allowed >> j & 1]
    prices = sorted({costs[j] for j in keys})
    groups = [[j for j in keys if costs[j] == price] for price in prices]
    bits = [1 << j for j in range(len(costs))]
    tried = 0
    for kinds in _kinds_in_order(prices, [len(group) for group in groups], afford):
        for members in merge(*(_members(groups, kind) for kind in kinds)):
            if tried == MOST_SETS:
                raise too_many_sets(len(keys))
            tried += 1
            yield sum(bits[j] for j in members)


def too_many_sets(keys: int) -> InputError:
    """Return the error of a search that would take hours."""
    return InputError(
        f"{keys} keys have {2**keys - 1:,} sets that could be suppressed, and the {MOST_SETS:,} "
        "cheapest do not make all records safe. Recode or leave out keys, or protect combinations "
        "of a few keys only (--up-to, up_to=)."
    )


def _kinds_in_order(
    prices: Sequence[float], sizes: Sequence[int], afford: Afford
) -> Iterator[list[tuple[int, ...]]]:
    """Go through the kinds of sets by cost and number of keys; those that tie come together.

    A kind says how many keys of each price a set has. It is made from one that lacks one of its
    dearest keys, or has one of the price below instead: neither costs more.
    """
    start = (0,) * len(prices)
    waiting = [(0.0, 0, start)]
    asked = 0
    while waiting:
        cost, size, _ = waiting[0]
        tied: list[tuple[int, ...]] = []
        while waiting and waiting[0][:2] == (cost, size):
            kind = heappop(waiting)[2]
            tied.append(kind)
            for each in _next_kinds(kind, sizes):
                parts = [
                    price for price, many in zip(prices, each, strict=True) for _ in range(many)
                ]
                heappush(waiting, (math.fsum(parts), sum(each), each))
        if len(waiting) >= asked + _ASK:
            asked = len(waiting)
            afford(2 * asked)
        if size:
            yield tied


def _next_kinds(kind: tuple[int, ...], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every kind but the empty one comes from exactly one other."""
    last = max((place for place, many in enumerate(kind) if many), default=-1)
    below, above = kind[: max(last, 0)], kind[last + 2 :]
    if last >= 0 and kind[last] < sizes[last]:
        yield (*below, kind[last] + 1, *kind[last + 1 :])
    if last + 1 < len(kind):
        yield (*kind[: last + 1], 1, *above)
        if last >= 0 and kind[last] == 1:
            yield (*below, 0, 1, *above)


def _members(groups: Sequence[Sequence[int]], kind: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Go through the sets of a kind, in the order of their keys."""
    group_of = {
        key: place
        for place, (group, many) in enumerate(zip(groups, kind, strict=True))
        if many
        for key in group
    }
    keys = sorted(group_of)
    if len(keys) == sum(kind):
        return iter((tuple(keys),))
    if sum(many > 0 for many in kind) == 1:
        return combinations(keys, sum(kind))
    # How many keys of each group come from a place on.
    left = [[0] * len(groups)]
    for key in reversed(keys):
        left.append([many + (place == group_of[key]) for place, many in enumerate(left[-1])])
    left.reverse()

    def choose(start: int, lacking: list[int]) -> Iterator[tuple[int, ...]]:
        if not any(lacking):
            yield ()
            return
        for place in range(start, len(keys)):
            if any(lack > there for lack, there in zip(lacking, left[place], strict=True)):
                return
            group = group_of[keys[place]]
            if lacking[group]:
                fewer = [lack - (other == group) for other, lack in enumerate(lacking)]
                for rest in choose(place + 1, fewer):
                    yield (keys[place], *rest)

    return choose(0, list(kind))
