"""Cheapest joint blanks of households: members share one limit, and some keys.

The risk of a household is within its limit if the hazards of its members add up to no more than
-ln(1 - limit). So each member offers a list of (hazard, price), one for each set of keys that may
be blanked, and what is wanted is one of each list. Lists are merged member by member: a pair that
has no less hazard and no lower price than another can be left out at once, and what is left is
exact. Keys that all members share are blanked in all or in none: each set of them is tried.
Where intruders with other keys see the household too, each has a hazard of its own, and all must
keep the limit: a pair is then left out if another is no worse in price and in every hazard.

A price for hazard, one number for each household, turns the limit into a charge, and each member
chooses alone. That bounds what a household costs from below, for any such price; the best one is
found where the charge is just worth it, and what members then choose costs little more. Several
hazards are bounded by each alone and by their mean; what suffices for the largest one suffices.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index
from microsafe.risk import household_risk
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.steps.suppress.priced_blanks import Safe, cheapest_sets, sum_of
from microsafe.sums import Floats, sum_by

Hazards = Callable[[int, Index], Floats]
_BLOCK = 1 << 15  # members whose lists are held at a time
_PAIRS = 1 << 22  # pairs of a merge that are held at a time
_ROUNDS = 8  # of looking for a better price of hazard
_ROUNDING = 1e-12
_NOTHING = 1e-300  # above zero, so that what costs nothing is looked at


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HouseholdMembers:
    """Who belongs together.

    Attributes:
        household: Number of the household of each member, rising from 0 without gaps.
        row: Where prices and hazards of each are found.
    """

    household: Index
    row: Index

    @property
    def size(self) -> NDArray[np.int64]:
        """Members of each household."""
        return np.bincount(self.household)

    def restrict(self, some: NDArray[np.bool_]) -> tuple[HouseholdMembers, Index]:
        """Return some households, numbered anew, and which members are theirs."""
        where = np.flatnonzero(some[self.household])
        number = np.cumsum(some) - 1
        return HouseholdMembers(household=number[self.household[where]], row=self.row[where]), where


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ParetoFronts:
    """What rows can reach, each list by rising price and falling hazard, filled up with infinity.

    Attributes:
        price: By row and place in the list.
        hazard: Likewise, one such table for each view of the household.
        keys: The set of keys that is blank, besides the shared ones.
    """

    price: Floats
    hazard: Floats
    keys: Masks

    @property
    def least_hazard(self) -> Floats:
        """The lowest hazard that each row can reach, by view."""
        return np.asarray(self.hazard.min(axis=-1))


def most_hazard(limit: float | None) -> float:
    """Return what the hazards of members may add up to for a household to keep a limit.

    A little less, so that the order in which they are added does not matter.
    """
    if limit is None:
        return float(np.finfo(np.float64).max)
    most = -math.log1p(-min(limit, 1 - 1e-16))
    while household_risk(np.array([most]))[0] > limit:
        most = math.nextafter(most, 0.0)
    return most * (1 - _ROUNDING)


def sum_homes(members: HouseholdMembers, values: Floats) -> Floats:
    """Add up values of members, a row for each view, by household."""
    homes = int(members.household.max(initial=-1)) + 1
    return np.stack([sum_by(members.household, value, homes) for value in values])


def subsets_of(keys: int) -> list[tuple[int, ...]]:
    """Return all sets of some keys, by their number, then by the keys."""
    members = [j for j in range(keys.bit_length()) if keys >> j & 1]
    return [
        combination
        for size in range(len(members) + 1)
        for combination in combinations(members, size)
    ]


def find_fronts(
    prices: Floats, rows: Index, hazards: Hazards, own: int, shared: tuple[int, ...]
) -> ParetoFronts:
    """List what rows can reach once some shared keys are blank.

    Args:
        prices: Of a blank, by key, for these rows; infinite where there is nothing to blank.
        rows: Which rows.
        hazards: Of some rows once a set of keys is blank, by view; infinite where that is not
            allowed.
        own: Keys that each member may lose by itself.
        shared: Keys that are blank in all members.
    """
    taken = sum(1 << j for j in shared)
    ways = subsets_of(own)
    cost = np.stack([sum_of(prices, way) if way else np.zeros(len(rows)) for way in ways], axis=1)
    hazard = np.full((len(hazards(taken, rows[:0])), *cost.shape), np.inf)
    for place, way in enumerate(ways):
        able = np.flatnonzero(np.isfinite(cost[:, place]))
        hazard[:, able, place] = hazards(taken | sum(1 << j for j in way), rows[able])
    cost[np.isinf(hazard).any(axis=0)] = np.inf
    masks = np.array([sum(1 << j for j in way) for way in ways])
    kept, source = keep_undominated(cost, hazard)
    return ParetoFronts(
        price=_pick(cost, kept, source),
        hazard=_pick(hazard, kept, source),
        keys=masks[source],
    )


def keep_undominated(price: Floats, hazard: Floats) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Return for each row which pairs to keep, those of rising price first, and where they are."""
    order = np.argsort(price, axis=1, kind="stable")
    finite = np.isfinite(price)
    order = order[:, : max(int(finite.sum(axis=1).max(initial=0)), 1)]
    kept = np.take_along_axis(finite, order, axis=1)
    ordered = _take(hazard, order)
    if len(hazard) == 1:
        least = np.minimum.accumulate(ordered[0], axis=1)
        kept[:, 1:] &= ordered[0, :, 1:] < least[:, :-1]
    else:
        for place in range(1, kept.shape[1]):
            as_safe = (ordered[:, :, :place] <= ordered[:, :, place, None]).all(axis=0)
            kept[:, place] &= ~(as_safe & kept[:, :place]).any(axis=1)
    width = max(int(kept.sum(axis=1).max(initial=0)), 1)
    first = np.argsort(~kept, axis=1, kind="stable")[:, :width]
    return np.take_along_axis(kept, first, axis=1), np.take_along_axis(order, first, axis=1)


def _take(values: Floats, source: NDArray[np.intp]) -> Floats:
    """Take from each row what stands at some places, in all views alike."""
    return np.take_along_axis(values, source[None] if values.ndim > source.ndim else source, -1)


def _pick(values: Floats, kept: NDArray[np.bool_], source: NDArray[np.intp]) -> Floats:
    return np.where(kept, _take(values, source), np.inf)


def shared_prices(prices: Floats, shared: tuple[int, ...]) -> Floats:
    """Return what a member loses by shared keys; one that lacks such a key loses nothing by it."""
    if not shared:
        return np.zeros(prices.shape[1])
    return sum_of(np.where(np.isinf(prices), 0.0, prices), shared)


def bound_households(
    fronts: ParetoFronts, members: HouseholdMembers, most: float
) -> tuple[Floats, Floats]:
    """Bound what each household loses at least by keys of its members' own.

    Args:
        fronts: What rows can reach.
        members: Who belongs together.
        most: What the hazards of a household may add up to.

    Returns:
        What it loses at least, and a loss that suffices; both infinite where nothing does.
    """
    hazard = fronts.hazard
    if len(hazard) == 1:
        least, enough = _bound_one(fronts.price, hazard[0], members, most)
    else:
        # Each hazard alone, and their mean, ask for less; the largest of them asks for more.
        some = most * (1 + _ROUNDING)
        ways = [*hazard, hazard.mean(axis=0)]
        least = np.max([_bound_one(fronts.price, way, members, some)[0] for way in ways], axis=0)
        enough = _bound_one(fronts.price, hazard.max(axis=0), members, most)[1]
    # Rounding must not lift it above what is possible.
    return np.minimum(least, enough) * (1 - _ROUNDING), enough


def _bound_one(
    price: Floats, hazard: Floats, members: HouseholdMembers, most: float
) -> tuple[Floats, Floats]:
    """Do so by one hazard."""
    last = np.argmin(hazard, axis=1)
    rows = np.arange(len(last))
    ends = np.stack([price[:, 0], price[rows, last], hazard[:, 0], hazard[rows, last]])
    low, high, left, right = sum_homes(members, ends[:, members.row])
    least = np.where(right <= most, low, np.inf)
    enough = np.where(left <= most, low, np.where(right <= most, high, np.inf))
    open_ = (left > most) & (right <= most)
    if open_.any():
        part, _ = members.restrict(open_)
        pairs = price[part.row], hazard[part.row]
        least[open_], enough[open_] = _charge(
            *pairs, part.household, most, low[open_], high[open_], left[open_], right[open_]
        )
    return least, enough


def _charge(
    price: Floats,
    hazard: Floats,
    home: Index,
    most: float,
    low: Floats,
    high: Floats,
    left: Floats,
    right: Floats,
) -> tuple[Floats, Floats]:
    """Look for the best price of hazard of each household.

    Between what costs least and has too much hazard (`left`), and what has little enough
    (`right`), the next price is where both are worth the same.
    """
    hazard = np.where(np.isinf(price), 0.0, hazard)
    least = low
    for _ in range(_ROUNDS):
        charge = (high - low) / (left - right)
        best = np.argmin(price + charge[home][:, None] * hazard, axis=1)[:, None]
        cost, sum_ = (
            sum_by(home, np.take_along_axis(each, best, axis=1)[:, 0], len(low))
            for each in (price, hazard)
        )
        least = np.maximum(least, cost + charge * (sum_ - most))
        above = sum_ > most
        low, left = np.where(above, cost, low), np.where(above, sum_, left)
        high, right = np.where(above, high, cost), np.where(above, right, sum_)
    return least, high


def cheapest_shared(
    prices: Floats,
    safe: Safe,
    possible: Safe,
    members: HouseholdMembers,
    *,
    shared: int,
    allowed: int,
) -> tuple[Masks, Floats]:
    """Find for each household the cheapest blanks of its members, who only share keys, exactly.

    Without a limit for households members need not agree on more than the shared keys: for each
    set of these, every cell takes the cheapest keys of its own. Of ways that cost the same it is
    the first, by the number of shared keys.

    Args:
        prices: Of a blank, by key and row; infinite where there is nothing to blank.
        safe: Tells which of some rows are safe once a set of keys is blank.
        possible: Tells which may be, with these keys blank or some of them.
        members: Who belongs together, and the row of each.
        shared: Keys that are blanked in all members or in none.
        allowed: Keys that may be blanked.

    Returns:
        The keys to blank of each member, and the price of each household: infinite, and nothing
        to blank, where nothing suffices.
    """
    rows, place = np.unique(members.row, return_inverse=True)
    place, home = place.reshape(-1), members.household
    homes = len(members.size)
    best, keys = np.full(homes, np.inf), np.zeros(len(home), np.int64)
    for some in subsets_of(shared & allowed):
        taken = sum(1 << j for j in some)
        each = shared_prices(prices[:, rows], some)[place]
        fixed = sum_by(home, each, homes)
        open_ = fixed < best * (1 - _ROUNDING)
        if not open_.any():
            continue
        need = np.unique(place[open_[home]])
        still = need[~safe(taken, rows[need])]
        sets, price = np.full(len(rows), taken, np.int64), np.zeros(len(rows))
        own = allowed & ~shared
        able = still[possible(taken | own, rows[still])]
        price[still] = np.inf
        found, cost = cheapest_sets(
            prices[:, rows[able]], own, _once_blank(safe, taken, rows[able])
        )
        sets[able], price[able] = taken | found, cost
        sum_ = fixed + sum_by(home, price[place], homes)
        won = open_ & (sum_ < best * (1 - _ROUNDING))
        best = np.where(won, sum_, best)
        keys = np.where(won[home], sets[place], keys)
    return keys, best


def _once_blank(safe: Safe, taken: int, rows: Index) -> Safe:
    """Tell what is safe of some rows in which some keys are blank already."""
    return lambda dropped, some: safe(taken | dropped, rows[some])


def cheapest_joint(
    prices: Floats,
    hazards: Hazards,
    members: HouseholdMembers,
    *,
    shared: int,
    allowed: int,
    most: float,
) -> tuple[Masks, Floats]:
    """Find for each household the cheapest blanks of its members, exactly.

    Args:
        prices: Of a blank, by key and row; infinite where there is nothing to blank.
        hazards: Of some rows once a set of keys is blank, one line for each view of households;
            infinite where that is not allowed.
        members: Who belongs together.
        shared: Keys that are blanked in all members or in none.
        allowed: Keys that may be blanked.
        most: What the hazards of a household may add up to, in every view.

    Returns:
        The keys to blank of each member, and the price of each household: infinite, and nothing
        to blank, where nothing suffices.
    """
    order = _order(prices, hazards, members)
    members = HouseholdMembers(household=members.household, row=members.row[order])
    keys = np.zeros(len(members.row), np.int64)
    price = np.full(int(members.household.max(initial=-1)) + 1, np.inf)
    for first, last in _blocks(members):
        part = slice(first, last)
        rows, place = np.unique(members.row[part], return_inverse=True)
        start = int(members.household[first])
        block = HouseholdMembers(household=members.household[part] - start, row=place.reshape(-1))
        made = _HouseholdBlock(prices[:, rows], rows, hazards, block, most)
        made.solve(shared & allowed, allowed & ~shared)
        keys[order[part]] = made.keys
        price[start : start + len(made.best)] = made.best
    return keys, price


def _order(prices: Floats, hazards: Hazards, members: HouseholdMembers) -> Index:
    """Order the members of each household by what they would lose and show.

    So of equally cheap ways the same is taken, however cells and records are ordered.
    """
    rows, place = np.unique(members.row, return_inverse=True)
    seen = np.concatenate([prices[:, rows], hazards(0, rows)])
    rank = np.argsort(np.lexsort(seen))
    return np.lexsort((rank[place.reshape(-1)], members.household))


def _blocks(members: HouseholdMembers) -> Iterator[tuple[int, int]]:
    """Cut members into blocks of whole households."""
    ends = np.cumsum(members.size)
    first = 0
    while first < len(members.row):
        place = int(np.searchsorted(ends, first + _BLOCK, side="right")) - 1
        last = int(ends[max(place, int(members.household[first]))])
        yield first, last
        first = last


class _HouseholdBlock:
    """Households whose lists are merged together."""

    def __init__(
        self, prices: Floats, rows: Index, hazards: Hazards, members: HouseholdMembers, most: float
    ) -> None:
        self._prices, self._rows, self._hazards = prices, rows, hazards
        self._members, self._most = members, most
        self._size = members.size
        self._first = np.cumsum(self._size) - self._size
        self.best = np.full(len(self._size), np.inf)
        self._cut = self.best.copy()  # what costs as much or more need not be looked at
        self.keys = np.zeros(len(members.row), np.int64)

    def solve(self, shared: int, own: int) -> None:
        """Find the cheapest blanks of each household."""
        ways = []
        for some in subsets_of(shared):
            fronts = find_fronts(self._prices, self._rows, self._hazards, own, some)
            each = shared_prices(self._prices, some)[self._members.row]
            fixed = sum_by(self._members.household, each, len(self.best))
            low, high = bound_households(fronts, self._members, self._most)
            self._cut = np.minimum(self._cut, (high + fixed) * (1 + _ROUNDING) + _NOTHING)
            ways.append((some, fronts, fixed, low + fixed))
        for some, fronts, fixed, low in ways:
            open_ = np.flatnonzero(low < self._cut)
            taken = sum(1 << j for j in some)
            for size in np.unique(self._size[open_]).tolist():
                alike = open_[self._size[open_] == size]
                step = max(1, _PAIRS // (fronts.price.shape[1] ** 2 * 8))
                for begin in range(0, len(alike), step):
                    self._merge(alike[begin : begin + step], size, fronts, fixed, taken)

    def _merge(
        self, homes: Index, size: int, fronts: ParetoFronts, fixed: Floats, taken: int
    ) -> None:
        """Merge the lists of the members of households of one size."""
        places = self._first[homes][:, None] + np.arange(size)
        rows = self._members.row[places]
        later_price = _later(fronts.price[:, 0][rows])
        later_hazard = _later(fronts.least_hazard[:, rows])
        price, hazard = fixed[homes][:, None], np.zeros((len(later_hazard), len(homes), 1))
        steps: list[NDArray[np.intp]] = []
        width = fronts.price.shape[1]
        for i in range(size):
            offered = fronts.price[rows[:, i]], fronts.hazard[:, rows[:, i]]
            prices, hazards = (
                (old[..., :, None] + new[..., None, :]).reshape(*new.shape[:-1], -1)
                for old, new in zip((price, hazard), offered, strict=True)
            )
            hopeless = (hazards + later_hazard[:, :, i, None] > self._most).any(axis=0)
            hopeless |= prices + later_price[:, i, None] >= self._cut[homes][:, None]
            prices[hopeless] = np.inf
            kept, source = keep_undominated(prices, hazards)
            price, hazard = _pick(prices, kept, source), _pick(hazards, kept, source)
            steps.append(source)
        won = np.flatnonzero(np.isfinite(price[:, 0]))
        self.best[homes[won]] = self._cut[homes[won]] = price[won, 0]
        state = np.zeros(len(won), np.intp)
        for i in reversed(range(size)):
            state, option = np.divmod(steps[i][won, state], width)
            self.keys[places[won, i]] = taken | fronts.keys[rows[won, i], option]


def _later(values: Floats) -> Floats:
    """Return the sum of what comes after each place of a row."""
    total = np.cumsum(values[..., ::-1], axis=-1)[..., ::-1]
    return np.concatenate([total[..., 1:], np.zeros((*values.shape[:-1], 1))], axis=-1)
