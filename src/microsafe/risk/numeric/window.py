"""Rank swapping undone: each target is paired with one released record inside the window.

Who knows that no value moved by more than p per cent of the ranks looks, for each person whose
values he knows, among the records whose rank in every swapped variable is that near, and pairs all
persons with records one to one, at the least sum of squared rank differences. That uses what
nearest neighbours leave aside: whose record it cannot be.

References:
    Nin, Herranz and Torra (2008), Rethinking rank swapping to decrease disclosure risk.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from microsafe.draws import Draws
from microsafe.errors import UsageError
from microsafe.risk.numeric.assignment import PairCosts, assign_pairs
from microsafe.risk.numeric.linkage import Linkage, LinkageSearch, LinkCounts
from microsafe.risk.numeric.pairs import KeySubset, NumberPairs, Places, take_logarithms
from microsafe.sums import Floats, sum_by

_WHOLE = 5_000  # records up to which all are paired
_MOST = 100_000  # the same where keys cut them into small classes
_BLOCKS = 5
_BLOCK = 2_000
_MOST_PAIRS = 1 << 22  # that are held for the whole file
_AT_ONCE = 1 << 21  # pairs whose ranks are compared together
_RAISE = 1e-3  # of a window, squared
_NEAR = 1.0 + 1e-9  # windows between two ranks, at most
_NOT_COMPARED = 1 / 6  # mean square of the difference of two ranks of a block, in windows


def largest_change(count: int, percent: float) -> int:
    """Return how many ranks a value moves at most: so many per cent of the values, or one."""
    return max(1, math.floor(percent * count / 100))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SwapWindow:
    """How far values of one variable were moved.

    Attributes:
        variable: Its name.
        percent: Of the ranks.
        stratum: Class of each record, from 0, within which values were exchanged; None if in all.
    """

    variable: str
    percent: float
    stratum: Places | None = None

    def __post_init__(self) -> None:
        """Refuse what is no share of ranks."""
        if not 0 < self.percent <= 100:
            raise UsageError("The window of rank swapping must be from above 0 to 100 per cent.")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Ranks:
    """Ranks of one variable in windows, before and after: from, to, and between; NaN if missing."""

    low: tuple[Floats, Floats]
    high: tuple[Floats, Floats]
    middle: tuple[Floats, Floats]


def measure_window(
    pairs: NumberPairs,
    windows: Sequence[SwapWindow],
    linkage: Linkage,
    looks: Sequence[KeySubset] = (),
) -> LinkCounts | None:
    """Return how many records are paired with their own original; None if nothing was swapped.

    Of a large file blocks are looked at, where fewer others compete: what the pairing finds there
    beyond linkage in the same block is taken for what it finds beyond linkage in the whole file.

    Args:
        pairs: The records.
        windows: Of the variables that were swapped.
        linkage: Of all records.
        looks: Sets of keys at which the intruder may look, where some were perturbed: the one that
            gives most counts. The group of the pairs if none.
    """
    if not windows:
        return None
    found = [
        _measure(pairs, windows, look, linkage) for look in looks or (KeySubset(group=pairs.group),)
    ]
    return max(found, key=lambda each: each.rate)


def _measure(
    pairs: NumberPairs, windows: Sequence[SwapWindow], look: KeySubset, linkage: Linkage
) -> LinkCounts:
    """Pair records within the classes of one set of keys."""
    search = WindowSearch(replace(pairs, group=look.group), windows)
    every = np.arange(pairs.records)
    if search.is_small(every):
        hits = search.find_hits(every, most=_MOST_PAIRS)
        if hits is not None:
            rate = float((hits if look.chance is None else hits * look.chance).mean())
            return LinkCounts(records=pairs.records, searched=pairs.records, rate=rate)
    scaled = take_logarithms(pairs) if linkage.by_ratios else pairs
    scaled, spreads = replace(scaled, group=look.group), scaled.spreads()
    chance = np.ones(pairs.records) if look.chance is None else look.chance
    parts = []
    for rows in search.draw_blocks():
        alone = LinkageSearch(scaled.take(rows), spreads)
        links = alone.find_links(np.arange(len(rows))) * chance[rows]
        hits = search.find_hits(rows)
        assert hits is not None  # noqa: S101
        parts.append((float((hits * chance[rows]).sum()), float(links.sum()), len(rows)))
    return _compare_with_linkage(np.array(parts, np.float64), linkage.all, pairs.records)


def _compare_with_linkage(parts: Floats, linked: LinkCounts, records: int) -> LinkCounts:
    """Scale the linkage of the file by what blocks gave: a ratio, and its standard error."""
    hits, links, searched = parts.T
    if not links.sum():
        return replace(linked, searched=int(searched.sum()))
    ratio = float(hits.sum() / links.sum())
    spread = float(((hits - ratio * links) ** 2).sum() * len(parts) / max(len(parts) - 1, 1))
    error = math.sqrt(spread) / float(links.sum()) * linked.rate
    return LinkCounts(
        records=records, searched=int(searched.sum()), rate=min(1.0, ratio * linked.rate),
        error=math.hypot(error, ratio * linked.error),
    )  # fmt: skip


class WindowSearch:
    """Who may be whose record, and the pairing that costs least.

    Args:
        pairs: The records.
        windows: Of the variables that were swapped.
    """

    def __init__(self, pairs: NumberPairs, windows: Sequence[SwapWindow]) -> None:
        count = pairs.records
        group = np.zeros(count, np.int64) if pairs.group is None else pairs.group
        for stratum in (each.stratum for each in windows if each.stratum is not None):
            group = np.unique(group * (int(stratum.max()) + 1) + stratum, return_inverse=True)[1]
        self._group: Places = np.unique(group, return_inverse=True)[1]
        places = [pairs.names.index(each.variable) for each in windows]
        self._ranks = [
            _rank_in_windows(pairs.before[at], pairs.after[at], window)
            for at, window in zip(places, windows, strict=True)
        ]

    def is_small(self, rows: Places) -> bool:
        """Tell whether all of some records can be paired."""
        together = sum_by(self._group[rows], np.ones(len(rows)), int(self._group.max()) + 1)
        pairs = float((together**2).sum())
        return pairs <= _WHOLE**2 and len(rows) <= _MOST

    def draw_blocks(self) -> Iterator[Places]:
        """Return some records at a time, always the same ones: whole classes, in random order."""
        numbers = np.arange(len(self._group), dtype=np.uint64)
        for number in range(_BLOCKS):
            words = Draws(seed=0, step=number, variable="window").words(numbers)[:, 0]
            order = np.argsort(words, kind="stable")
            first = np.zeros(int(self._group.max()) + 1, np.int64)
            first[self._group[order[::-1]]] = np.arange(len(order))[::-1]
            by_class = np.lexsort((words, first[self._group]))
            yield np.sort(by_class[:_BLOCK])

    def find_hits(self, rows: Places, *, most: int | None = None) -> Floats | None:
        """Return 1 for those of some records who are paired with themselves, 0 for others.

        Args:
            rows: Who is paired.
            most: Of pairs that are possible; None is returned if there are more.
        """
        bidders, partners, costs, held = [], [], [], 0
        for some, others in self._list_classes(rows):
            bidder, partner, cost = self._find_pairs(rows[some], rows[others])
            bidders.append(some[bidder])
            partners.append(others[partner])
            costs.append(cost)
            held += len(cost)
            if most is not None and held > most:
                return None
        pairs = PairCosts.of(
            len(rows), np.concatenate(bidders), np.concatenate(partners), np.concatenate(costs)
        )
        found = assign_pairs(pairs, raise_by=_RAISE)
        return np.where(found == np.arange(len(rows)), 1.0, 0.0)

    def _list_classes(self, rows: Places) -> Iterator[tuple[Places, Places]]:
        """Some of the targets, and all who share their keys, as places in the rows."""
        order = np.argsort(self._group[rows], kind="stable")
        ends = np.flatnonzero(np.diff(self._group[rows][order])) + 1
        for together in np.split(order, ends):
            step = max(1, _AT_ONCE // len(together))
            for start in range(0, len(together), step):
                yield together[start : start + step], together

    def _find_pairs(self, some: Places, others: Places) -> tuple[Places, Places, Floats]:
        """Return targets and records inside all windows, and what each pair costs."""
        bidder = np.repeat(np.arange(len(some)), len(others))
        partner = np.tile(np.arange(len(others)), len(some))
        cost = np.zeros(len(bidder))
        for ranks in self._ranks:
            one, other = some[bidder], others[partner]
            middle, moved = ranks.middle[0][one], ranks.middle[1][other]
            gap = middle - moved
            near = (ranks.low[1][other] - ranks.high[0][one] <= _NEAR) & (
                ranks.low[0][one] - ranks.high[1][other] <= 1.0
            )
            missing = np.isnan(gap)
            keep = near | missing
            cost += np.where(missing, _NOT_COMPARED, gap * gap)
            bidder, partner, cost = bidder[keep], partner[keep], cost[keep]
        return bidder, partner, cost


def _rank_in_windows(before: Floats, after: Floats, window: SwapWindow) -> _Ranks:
    """Ranks of values before and after, each among their like, divided by the largest change."""
    stratum = np.zeros(len(before), np.int64) if window.stratum is None else window.stratum
    low, high = np.full((2, len(before)), np.nan), np.full((2, len(before)), np.nan)
    order = np.argsort(stratum, kind="stable")
    for here in np.split(order, np.flatnonzero(np.diff(stratum[order])) + 1):
        known = int(np.count_nonzero(~np.isnan(before[here])))
        width = largest_change(known, window.percent)
        for place, values in enumerate((before, after)):
            rows = here[~np.isnan(values[here])]
            ordered = np.sort(values[rows])
            unit = known / width / max(len(rows), 1)  # others may have been blanked since
            low[place, rows] = np.searchsorted(ordered, values[rows], side="left") * unit
            high[place, rows] = (np.searchsorted(ordered, values[rows], side="right") - 1) * unit
    middle = (low + high) / 2.0
    return _Ranks(low=(low[0], low[1]), high=(high[0], high[1]), middle=(middle[0], middle[1]))
