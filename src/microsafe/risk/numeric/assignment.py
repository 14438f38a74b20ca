"""Pair each of some with one of as many others, the cheapest way: by auction.

Everybody who has no partner bids for the one that is the best for him at its price, and raises the
price until the second best would be as good, and a little more. All bid at once; the highest bid
wins, and whoever had the partner before is free again. What comes out costs at most that little
more for each than the cheapest pairing.

References:
    Bertsekas (1988), The auction algorithm: a distributed relaxation method for the assignment
    problem.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from microsafe.sums import Floats

Places = NDArray[np.int64]

NOBODY = -1
_FREE = -2
_FIRST = 8.0  # largest cost over the first raise
_FINER = 4.0  # a raise over that of the next phase
_FAR = 1e3  # times the largest cost, what the second best is worse where there is none


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairCosts:
    """Pairs that are possible, and what they cost.

    Attributes:
        count: How many there are on either side.
        start: Where the pairs of each bidder begin; the end is the last.
        partner: Of each pair.
        cost: Of each pair, at least 0.
    """

    count: int
    start: Places
    partner: Places
    cost: Floats

    @classmethod
    def of(cls, count: int, bidder: Places, partner: Places, cost: Floats) -> Self:
        """Return pairs in the order of bidders."""
        order = np.lexsort((partner, bidder))
        start = np.searchsorted(bidder[order], np.arange(count + 1))
        return cls(count=count, start=start, partner=partner[order], cost=cost[order])

    def find_own(self) -> NDArray[np.bool_]:
        """Tell who may be paired with his own number."""
        bidder = np.repeat(np.arange(self.count), np.diff(self.start))
        own = np.zeros(self.count, np.bool_)
        own[bidder[bidder == self.partner]] = True
        return own


def assign_pairs(pairs: PairCosts, *, raise_by: float) -> Places:
    """Return the partner of each, at the least cost; nobody where that is cheaper.

    Args:
        pairs: Who may be paired with whom. If everybody may be paired with his own number, all are
            paired; else nobody costs twice as much as the dearest pair.
        raise_by: What each pair may cost more than in the cheapest pairing.
    """
    if not len(pairs.cost):
        return np.full(pairs.count, NOBODY)
    dearest = float(pairs.cost.max())
    prices = np.zeros(pairs.count)
    if not pairs.find_own().all():  # prices of those who are left over must stay 0
        return _hold_auction(pairs, prices, raise_by, nobody=2.0 * dearest + raise_by)
    step = max(dearest / _FIRST, raise_by)
    while step > raise_by:
        _hold_auction(pairs, prices, step)
        step = max(step / _FINER, raise_by)
    return _hold_auction(pairs, prices, raise_by)


def _hold_auction(
    pairs: PairCosts, prices: Floats, raise_by: float, *, nobody: float = np.inf
) -> Places:
    """Return the partner of each; prices are those of the end then."""
    owner, partner = np.full(pairs.count, NOBODY), np.full(pairs.count, _FREE)
    partner[np.diff(pairs.start) == 0] = NOBODY
    far = min(nobody, _FAR * (float(pairs.cost.max()) + raise_by))
    while len(free := np.flatnonzero(partner == _FREE)):
        wanted, best, second = _find_best(pairs, prices, free)
        leaves = best < -nobody
        partner[free[leaves]] = NOBODY
        stay = np.flatnonzero(~leaves)
        free, wanted, best = free[stay], wanted[stay], best[stay]
        floor = np.full(len(stay), -far) if np.isfinite(nobody) else best - far
        bid = prices[wanted] + best - np.maximum(second[stay], floor) + raise_by
        order = np.lexsort((free, -bid, wanted))
        won = wanted[order]
        first = np.flatnonzero(np.r_[True, won[1:] != won[:-1]][: len(won)])
        winner, won = free[order[first]], won[first]
        before = owner[won]
        partner[before[before >= 0]] = _FREE
        owner[won], partner[winner], prices[won] = winner, won, bid[order[first]]
    return partner


def _find_best(pairs: PairCosts, prices: Floats, free: Places) -> tuple[Places, Floats, Floats]:
    """Return the best partner of each at these prices, what it is worth, and the second best."""
    counts = pairs.start[free + 1] - pairs.start[free]
    offset = np.cumsum(counts) - counts
    who = np.repeat(np.arange(len(free)), counts)
    pair = np.arange(len(who)) + (pairs.start[free] - offset)[who]
    worth = -pairs.cost[pair] - prices[pairs.partner[pair]]
    best = np.maximum.reduceat(worth, offset)
    at = np.flatnonzero(worth == best[who])
    at = at[np.r_[True, who[at][1:] != who[at][:-1]]]
    worth[at] = -np.inf
    return pairs.partner[pair[at]], best, np.maximum.reduceat(worth, offset)
