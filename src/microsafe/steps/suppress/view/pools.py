"""Which keys to blank in whom, so that those who are blanked alike are enough.

PeopleTable are pooled by what they would show; those of a pool are blanked together or not at
all. So whoever knows how each combination is treated finds as many people behind a blank as were
counted here. Sets of keys are integers: bit j stands for key j.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index
from microsafe.progress import Progress, silent
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.steps.suppress.key_sets import Afford, in_order_of_cost, no_limit
from microsafe.steps.suppress.view.table import Crowding, PeopleTable
from microsafe.sums import Floats, sum_by

OPEN = -1  # keys of a combination that is not decided yet


def find_views(
    table: PeopleTable,
    crowding: Crowding,
    unsafe: NDArray[np.bool_],
    *,
    costs: Sequence[float],
    allowed: int,
    afford: Afford = no_limit,
    progress: Progress = silent,
) -> Masks:
    """Return the keys to blank in each combination; 0 where it is shown in full.

    What is not unsafe is shown. The others are pooled by what they would show under each set of
    keys, the cheapest first, and of equally cheap ones that which helps most people; a pool of
    enough people takes its set as a whole and leaves. What is left loses all keys that may be
    blanked, and others that show the same keys lose them too until they are enough.

    Args:
        table: All combinations with people.
        crowding: When people are too few.
        unsafe: Which combinations must not be shown in full.
        costs: Of blanking each key.
        allowed: Keys that may be blanked.
        afford: Told how many sets of keys have to be remembered; may refuse so many.
        progress: Progress callback.
    """
    masks = np.where(unsafe, OPEN, 0).astype(np.int64)
    levels = levels_of_cost(costs, allowed, afford)
    left = take_pools(table, crowding, np.flatnonzero(unsafe), levels, masks, progress=progress)
    fill_up(table, crowding, left, np.flatnonzero(masks > 0), masks, hidden=allowed)
    progress("choosing blanks", 1.0)
    return masks


def levels_of_cost(
    costs: Sequence[float], allowed: int, afford: Afford = no_limit
) -> Iterator[list[int]]:
    """Go through the non-empty sets of allowed keys, those of equal cost together."""

    def cost(keys: int) -> float:
        return math.fsum(sorted(cost for j, cost in enumerate(costs) if keys >> j & 1))

    for _, level in groupby(in_order_of_cost(costs, allowed, afford), key=cost):
        yield list(level)


def take_pools(
    table: PeopleTable,
    crowding: Crowding,
    left: Index,
    levels: Iterable[Sequence[int]],
    masks: Masks,
    *,
    besides: int = 0,
    progress: Progress = silent,
) -> Index:
    """Give sets of keys to pools of enough people, level by level; return who is left.

    Args:
        table: All combinations with people.
        crowding: When people are too few.
        left: PeopleTable that need blanks.
        levels: Sets of keys, those of equal cost together.
        masks: The keys to blank in each combination, to be filled in.
        besides: Keys that are blank in all of them already.
        progress: Progress callback.
    """
    start, part = len(left), table.take(left)
    for level in levels:
        if not len(left):
            break
        progress("choosing blanks", 1 - len(left) / start)
        enough = {}
        if len(level) > 1:
            enough = {keys: _are_enough(part, crowding, keys | besides) for keys in level}
        helped = {keys: float(part.mass[some].sum()) for keys, some in enough.items()}
        for keys in sorted(level, key=lambda keys: -helped.get(keys, 0.0)):
            fine = enough.get(keys)
            if fine is None:
                fine = _are_enough(part, crowding, keys | besides)
            if fine.any():
                masks[left[fine]] = keys | besides
                left, part = left[~fine], part.take(np.flatnonzero(~fine))
                enough = {}  # was found with those who have left now
    return left


def _are_enough(part: PeopleTable, crowding: Crowding, keys: int) -> NDArray[np.bool_]:
    """Tell which combinations are in a pool of enough people once some keys are blank."""
    group, size = part.group(keys)
    f, weight, people = part.sums(group, size)
    there = np.flatnonzero((people > 0) | (f > 0))
    enough = np.zeros(size, np.bool_)
    enough[there] = ~crowding.unsafe(f[there], weight[there], people[there])
    return enough[group]


def fill_up(
    table: PeopleTable,
    crowding: Crowding,
    left: Index,
    others: Index,
    masks: Masks,
    *,
    hidden: int,
    besides: int = 0,
) -> None:
    """Blank all keys that may be in those left, and in others that share what they show then.

    Whole views join them, those with the fewest people times keys shown first, until they are
    enough; if even all are too few, none joins.

    Args:
        table: All combinations with people.
        crowding: When people are too few.
        left: PeopleTable that need blanks.
        others: PeopleTable that may join; those that show all these keys come last.
        masks: The keys to blank in each combination, to be changed.
        hidden: All keys that may be blanked.
        besides: Keys that are blank in all of them already.
    """
    if not len(left):
        return
    masks[left] = hidden | besides
    group, size = table.take(np.concatenate([left, others])).group(hidden | besides)
    mine = np.zeros(size, np.bool_)
    mine[group[: len(left)]] = True
    able = np.flatnonzero(mine[group[len(left) :]])
    who, at = others[able], group[len(left) :][able]
    sums = _sum_whole(table.take(left), group[: len(left)], size)
    part = table.take(who)
    views, first = part.group_views(masks[who])
    more = _sum_whole(part, views, len(first))
    join = _order_views(part, masks[who], views, first, at, hidden)
    bounds = np.searchsorted(at[first][join], np.arange(size + 1))
    taken = np.zeros(len(first), np.bool_)
    for place in np.flatnonzero(mine):
        some = join[bounds[place] : bounds[place + 1]]
        reached = [
            np.cumsum(np.concatenate([[have[place]], each[some]]))
            for have, each in zip(sums, more, strict=True)
        ]
        enough = ~crowding.unsafe(*reached)
        if enough.any():
            taken[some[: int(np.argmax(enough))]] = True
    masks[who[taken[views]]] = hidden | besides


def _sum_whole(part: PeopleTable, group: Index, size: int) -> tuple[Floats, Floats, Floats]:
    """Return records, weight and people of groups; who lacks keys is counted with those who don't.

    So that people count once, however groups are put together.
    """
    f, weight, _ = part.sums(group, size)
    return f, weight, sum_by(group, part.mass, size)


def _order_views(
    part: PeopleTable, masks: Masks, views: Index, first: Index, at: Index, hidden: int
) -> Index:
    """Order views by the group that they can join, then by what joining costs."""
    shown = sum((code[first] > 0).astype(np.int64) for code in part.shown(masks))
    people = sum_by(views, part.mass, len(first))
    full = (masks[first] & hidden) == 0
    return np.lexsort((first, people * shown, full, at[first]))
