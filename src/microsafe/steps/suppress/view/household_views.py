"""The guarantee `view` where members of a household share some keys.

Such a key is blanked in all members or in none, so that nobody reads it off the others. If that
were done after blanks were chosen, people of one combination would be treated differently, and
fewer would stand behind a blank than were counted. So all households with the same values of the
shared keys are treated alike: first it is chosen which shared keys they lose, then which others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations as subsets

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index
from microsafe.progress import Progress, silent
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.steps.suppress.key_sets import Afford, no_limit
from microsafe.steps.suppress.view.pools import OPEN, fill_up, levels_of_cost, take_pools
from microsafe.steps.suppress.view.table import LEAST, Crowding, PeopleTable
from microsafe.sums import Floats, sum_by

_FEW = 4  # shared keys of which all sets are tried; of more, one at a time and all of them
_ROUNDS = 3
_CHEAPER = 1e-9


def find_household_views(
    table: PeopleTable,
    crowding: Crowding,
    unsafe: NDArray[np.bool_],
    *,
    costs: Sequence[float],
    allowed: int,
    shared: int,
    afford: Afford = no_limit,
    progress: Progress = silent,
) -> Masks:
    """Return the keys to blank in each combination; arguments as for `find_views`.

    Args:
        table: All combinations with people.
        crowding: When people are too few.
        unsafe: Which combinations must not be shown in full.
        costs: Of blanking each key.
        allowed: Keys that may be blanked.
        shared: Keys that members of a household have in common.
        afford: Told how many sets of keys have to be remembered; may refuse so many.
        progress: Progress callback.
    """
    group, size = table.group(_every(table) & ~shared)
    homes = _HouseholdKinds(
        table=table,
        crowding=crowding,
        unsafe=unsafe,
        group=group,
        first=_first_of(group, size),
        shared=shared,
        allowed=allowed,
        levels=list(levels_of_cost(costs, allowed & ~shared, afford)),
        costs=costs,
    )
    tries = _sets_to_try(shared & allowed)
    wish = np.zeros(size, np.int64)
    best, least = homes.treat(wish)
    none, paid = least.copy(), least.copy()
    total = float(least.sum())
    for place, keys in enumerate(tries):
        progress("choosing blanks of households", place / (len(tries) + _ROUNDS))
        masks, price = homes.treat(np.full(size, keys, np.int64))
        cheaper = price < paid - _CHEAPER
        paid[cheaper], wish[cheaper] = price[cheaper], keys
        if float(price.sum()) < total - _CHEAPER:
            best, total = masks, float(price.sum())
    for turn in range(_ROUNDS):
        progress("choosing blanks of households", (len(tries) + turn) / (len(tries) + _ROUNDS))
        masks, price = homes.treat(wish)
        if float(price.sum()) < total - _CHEAPER:
            best, total = masks, float(price.sum())
        dearer = (price > none + _CHEAPER) & (wish > 0)
        if not dearer.any():
            break
        wish = np.where(dearer, 0, wish)
    progress("choosing blanks of households", 1.0)
    return best


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _HouseholdKinds:
    """Households by what their members share.

    Attributes:
        table: All combinations with people.
        crowding: When people are too few.
        unsafe: Which combinations must not be shown in full.
        group: The kind of household of each combination.
        first: A combination of each kind.
        shared: Keys that members share.
        allowed: Keys that may be blanked.
        levels: Sets of the other keys, those of equal cost together.
        costs: Of blanking each key.
    """

    table: PeopleTable
    crowding: Crowding
    unsafe: NDArray[np.bool_]
    group: Index
    first: Index
    shared: int
    allowed: int
    levels: list[list[int]]
    costs: Sequence[float]

    def treat(self, wish: Masks) -> tuple[Masks, Floats]:
        """Treat each kind as it wishes; return the blanks of combinations, and prices of kinds."""
        masks = self._blank_others(self._blank_shared(wish)[self.group])
        paid = np.zeros(len(masks))
        for key, cost in enumerate(self.costs):
            paid += cost * (masks >> key & 1)
        return masks, sum_by(self.group, paid * self.table.mass, len(self.first))

    def _blank_shared(self, wish: Masks) -> Masks:
        """Give each kind the shared keys that it wishes to lose, or more, so that it has company.

        Those who show the same of what is shared must be enough, whatever becomes of other keys.
        """
        every, table = _every(self.table), self.table
        sums = table.sums(self.group, len(self.first))
        kinds = table.take(self.first)
        got = np.zeros(len(wish), np.int64)
        open_ = (sums[2] > LEAST) | (sums[0] > 0)
        for keys in [0, *_all_sets(self.shared & self.allowed)]:
            asking = np.flatnonzero(open_ & ((wish & ~keys) == 0))
            if not len(asking):
                continue
            group, size = kinds.take(asking).group(every & ~self.shared | keys)
            pooled = [sum_by(group, each[asking], size) for each in sums]
            fine = asking[~self.crowding.unsafe(*pooled)[group]]
            got[fine], open_[fine] = keys, False
        got[open_] = self.shared & self.allowed
        return got

    def _blank_others(self, blank: Masks) -> Masks:
        """Choose the other keys within each set of shared keys that are blank."""
        masks = np.where(self.unsafe | (blank > 0), OPEN, 0).astype(np.int64)
        own = self.allowed & ~self.shared
        for keys in np.unique(blank[masks == OPEN]).tolist():
            left = np.flatnonzero((blank == keys) & (masks == OPEN))
            levels = [[0], *self.levels] if keys else self.levels
            left = take_pools(self.table, self.crowding, left, levels, masks, besides=keys)
            others = np.flatnonzero((blank == keys) & (masks != OPEN) & (masks != (own | keys)))
            fill_up(self.table, self.crowding, left, others, masks, hidden=own, besides=keys)
        return masks


def _every(table: PeopleTable) -> int:
    return (1 << len(table.keys)) - 1


def _first_of(group: Index, size: int) -> Index:
    first = np.zeros(size, np.intp)
    first[group[::-1]] = np.arange(len(group))[::-1]
    return first


def _all_sets(keys: int) -> list[int]:
    """Return all non-empty sets of some keys, by their number, then by the keys."""
    bits = [1 << j for j in range(keys.bit_length()) if keys >> j & 1]
    return [sum(subset) for size in range(1, len(bits) + 1) for subset in subsets(bits, size)]


def _sets_to_try(shared: int) -> list[int]:
    """Return the sets of shared keys that all households are given in turn."""
    if shared.bit_count() <= _FEW:
        return _all_sets(shared)
    return [1 << j for j in range(shared.bit_length()) if shared >> j & 1] + [shared]
