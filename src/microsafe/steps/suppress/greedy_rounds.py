"""Greedy choice of shared blanks, in rounds over all unsafe records at once.

A blank in a record helps those that agree with it on all other keys of the demand: its *group*
for that key. In each round every unsafe record names the best of its groups, and where all unsafe
records of a group name it, one of them is blanked. Such groups share no unsafe record, so a round
does what blanking one record after the other would do, many at a time. The best group of all is
always among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.progress import Progress
from microsafe.risk.record.subset_frequencies import Masks, Subsets
from microsafe.steps.suppress.criterion import KeySetDemand
from microsafe.sums import Floats

_STAGE = "sharing blanks"
_MOST_SETS = 64  # of one size that are tried
_SEARCH = 64  # numbers that are so few, in a range of many, are sorted


def blank_greedily(
    cells: Cells,
    demand: KeySetDemand,
    cell: Index,
    most: Masks,
    *,
    costs: Sequence[float],
    spared: int,
    progress: Progress,
) -> Masks:
    """Blank single keys, then sets of more in records that these do not help.

    Args:
        cells: All cells.
        demand: What must hold.
        cell: Cell of each record, in ascending order.
        most: Keys that `own` would blank in it: it loses no more of them.
        costs: Of blanking each key.
        spared: Keys that must not be blanked.
        progress: Progress callback.

    Returns:
        The keys blanked in each record. Some records may still be unsafe.
    """
    subsets = Subsets(cells)
    distinct, row = np.unique(cell, return_inverse=True)
    f, F = (frequency[row] for frequency in subsets.frequencies(distinct, demand.keys))
    keys = np.zeros(len(cell), np.int64)
    # A key that costs nothing is the same in all records, so its blank adds no match.
    places = [j for j, cost in enumerate(costs) if demand.keys & ~spared & 1 << j and cost > 0]
    left: Index = np.arange(len(cell))
    for size in range(1, len(places) + 1):
        sets = [sum(1 << j for j in combination) for combination in combinations(places, size)]
        left = left[np.bitwise_count(most[left]) >= size]
        if len(sets) > _MOST_SETS or not len(left):
            break
        prices = [sum(costs[j] for j in range(len(costs)) if each >> j & 1) for each in sets]
        rounds = GreedyRounds(
            subsets, demand, cell[left], sets, prices, f[left], F[left], keys[left]
        )
        rounds.play(progress)
        keys[left] = rounds.keys
        f[left], F[left] = rounds.f, rounds.F
        left = left[(rounds.need > 0) & (rounds.keys == 0)]
    return keys


class GreedyRounds:
    """Unsafe records of one demand, and what blanks of some sets of keys have done to them.

    Frequencies are those that a record has while it shows all it has. Matches of two records that
    are blanked in different keys are left out, so they are on the safe side.
    """

    def __init__(
        self,
        subsets: Subsets,
        demand: KeySetDemand,
        cell: Index,
        sets: Sequence[int],
        prices: Sequence[float],
        f: Floats,
        F: Floats,
        keys: Masks,
    ) -> None:
        self.demand, self.cell, self.f, self.F, self.keys = demand, cell, f, F, keys
        self.sets, self.prices = np.array(sets, np.int64), np.array(prices)
        cells = subsets.cells
        self.weight = (cells.weight / cells.count)[cell]
        self.usual = float(np.median(self.weight))
        distinct, row = np.unique(cell, return_inverse=True)
        known = demand.known_weight(distinct, demand.keys)
        self.known = None if known is None else known[row]
        self.need = self._count_needed(np.arange(len(cell)))
        self.blank = np.full(len(cell), -1, np.intp)  # the group that a record is blanked in
        self.groups = KeyGroups(cells, cell, demand.keys, sets)
        self.alone = np.empty((len(sets), len(cell)), np.bool_)
        for place, each in enumerate(sets):
            others = demand.keys & ~each
            some = subsets.frequencies(distinct, others)
            self.alone[place] = ~demand.unsafe(distinct, others, *some)[row]

    def play(self, progress: Progress) -> None:
        """Blank until no blank helps."""
        many = len(self.groups)
        self.gain = np.zeros(many)
        self.pick = np.full(many, -1, np.intp)
        self.open = np.zeros(many, np.intp)  # unsafe records of each group that show all
        self.votes = np.zeros(many, np.intp)  # those that name the group
        self.named = np.full(len(self.cell), -1, np.intp)
        changed = np.flatnonzero(self.need)
        start = max(len(changed), 1)
        while len(changed):
            progress(_STAGE, 1 - np.count_nonzero(self.need) / start)
            chosen = self._vote(changed, self._evaluate(changed))
            changed = self._blank(chosen)
        self._take_back()
        blanked = np.flatnonzero(self.blank >= 0)
        self.keys[blanked] |= self.sets[self.groups.place[self.blank[blanked]]]

    def _is_open(self, records: Index) -> NDArray[np.bool_]:
        """Tell which records are unsafe and may be blanked."""
        is_open: NDArray[np.bool_] = (self.need[records] > 0) & (self.blank[records] < 0)
        return is_open

    def _evaluate(self, changed: Index) -> Index:
        """Find anew what a blank in the groups of some records is worth; return who is in them.

        The record to blank is one that a blank of its own makes safe, the one that needs most
        matches; the first one if there is none.
        """
        groups = list_distinct(self.groups.of[:, changed].ravel(), len(self.groups))
        members, owner = self.groups.list_members(groups)
        is_open = self._is_open(members)
        members, owner = members[is_open], owner[is_open]
        self.open[groups] = count = np.bincount(owner, minlength=len(groups))
        self.gain[groups] = 0.0
        some = np.flatnonzero(count)
        if not len(some):
            return members
        groups, first = groups[some], np.cumsum(count[some]) - count[some]
        owner = np.repeat(np.arange(len(some)), count[some])
        need = self.need[members]
        place = self.groups.place[groups]
        score = np.where(self.alone[place[owner], members], need, 0)
        most = np.maximum.reduceat(score, first)
        best = np.flatnonzero(score == most[owner])
        best = best[np.searchsorted(owner[best], np.arange(len(some)))]
        total = np.bincount(owner, 1.0 / need, len(some))
        self.gain[groups] = (total - 1.0 / need[best] + (most > 0)) / self.prices[place]
        self.pick[groups] = members[best]
        return members

    def _vote(self, changed: Index, members: Index) -> Index:
        """Let records name their best group; return the groups that all in them name."""
        voters = list_distinct(np.concatenate([changed, members]), len(self.cell))
        before = self.named[voters]
        np.subtract.at(self.votes, before[before >= 0], 1)
        offers = self.gain[self.groups.of[:, voters]]
        place = np.argmax(offers, axis=0)
        worth = np.take_along_axis(offers, place[None], axis=0)[0] > 0
        after = np.where(worth & self._is_open(voters), self.groups.of[place, voters], -1)
        self.named[voters] = after
        np.add.at(self.votes, after[after >= 0], 1)
        groups = list_distinct(after[after >= 0], len(self.groups))
        chosen: Index = groups[self.votes[groups] == self.open[groups]]
        return chosen

    def _blank(self, groups: Index) -> Index:
        """Blank one record of each group; return the unsafe records that this touches."""
        picked, place = self.pick[groups], self.groups.place[groups]
        self.blank[picked] = groups
        self.need[picked[self.alone[place, picked]]] = 0
        helped, source = self._find_helped(groups, picked)
        np.add.at(self.f, helped, 1.0)
        np.add.at(self.F, helped, self.weight[picked[source]])
        touched = list_distinct(helped[self._is_open(helped)], len(self.cell))
        self.need[touched] = self._count_needed(touched)
        return np.concatenate([picked, touched])

    def _find_helped(self, groups: Index, picked: Index) -> tuple[Index, Index]:
        """Return who gains a match if a record of each group is blanked, and which one it is."""
        members, owner = self.groups.list_members(groups)
        place = self.groups.place[groups][owner]
        # Records that cannot be told apart already count for each other.
        code = self.groups.codes
        differ = code[place, members] != code[place, picked[owner]]
        return members[differ], owner[differ]

    def _count_needed(self, records: Index) -> NDArray[np.int64]:
        """How many more matches of usual weight some records need to be safe."""
        need = np.zeros(len(records), np.int64)
        left = np.arange(len(records))
        while True:
            some, more = records[left], need[left]
            left = left[self._find_unsafe(some, more, more * self.usual)]
            if not len(left):
                return need
            need[left] += 1

    def _find_unsafe(
        self, records: Index, more: NDArray[np.int64] | float, weight: NDArray[np.floating[Any]]
    ) -> NDArray[np.bool_]:
        """Tell which records are unsafe with some more matches, or fewer."""
        f = self.f[records] + more
        F = np.maximum(self.F[records] + weight, f)
        known = None if self.known is None else self.known[records]
        return self.demand.unsafe(self.cell[records], self.demand.keys, f, F, known=known)

    def _take_back(self) -> None:
        """Show again what others turned out not to need, the dearest keys first.

        Of each group one record at a time, so that those who are looked at do not meet.
        """
        for place in np.argsort(-self.prices, kind="stable").tolist():
            left = np.flatnonzero(self.blank >= 0)
            left = left[self.groups.place[self.blank[left]] == place]
            left = left[np.argsort(self.blank[left], kind="stable")]
            while len(left):
                groups, first = np.unique(self.blank[left], return_index=True)
                tried = left[first]
                left = np.delete(left, first)
                self._show(groups, tried)

    def _show(self, groups: Index, tried: Index) -> None:
        """Show the key of a record of each group again unless that harms somebody."""
        helped, source = self._find_helped(groups, tried)
        weight = self.weight[tried[source]]
        blanked = self.blank[helped]
        place = self.groups.place[blanked]
        exposed = (blanked < 0) | ~self.alone[place, helped]
        exposed &= self._find_unsafe(helped, -1, -weight)
        exposed &= ~self._find_unsafe(helped, 0, np.zeros(len(helped)))
        kept = ~self._find_unsafe(tried, 0, np.zeros(len(tried)))
        kept[source[exposed]] = False
        gone = kept[source]
        np.subtract.at(self.f, helped[gone], 1.0)
        np.subtract.at(self.F, helped[gone], weight[gone])
        self.blank[tried[kept]] = -1


def list_distinct(numbers: Index, size: int) -> Index:
    """Return numbers below `size` in order, each once."""
    if len(numbers) < size // _SEARCH:
        ordered = np.sort(numbers)
        return ordered[np.diff(ordered, prepend=-1) > 0]
    present = np.zeros(size, np.bool_)
    present[numbers] = True
    return np.flatnonzero(present)


class KeyGroups:
    """For each set of keys the records that agree on all other keys of a demand.

    A record that lacks one of the set takes no part: it is in a group without members.

    Args:
        cells: All cells.
        cell: Cell of each record.
        keys: Of the demand.
        sets: Sets of keys that may be blanked.

    Attributes:
        of: Group of each record, by set.
        place: Place of each group's set in `sets`.
        codes: Number of what each record shows in a set, by set.
    """

    def __init__(self, cells: Cells, cell: Index, keys: int, sets: Sequence[int]) -> None:
        self.of = np.empty((len(sets), len(cell)), np.intp)
        self.codes = np.empty((len(sets), len(cell)), np.intp)
        place, members, sizes, start = [], [], [], 0
        for row, each in enumerate(sets):
            shown = np.logical_and.reduce([cells.codes[j][cell] > 0 for j in _list_keys(each)])
            shown = np.flatnonzero(shown)
            found, groups = _number_records(cells, cell[shown], keys & ~each)
            self.codes[row, shown] = _number_records(cells, cell[shown], each)[0]
            self.of[row] = start + groups
            self.of[row, shown] = start + found
            members.append(shown[np.argsort(found, kind="stable")])
            sizes.append(np.bincount(found, minlength=groups + 1))
            place.append(np.full(groups + 1, row))
            start += groups + 1
        self.place = np.concatenate(place)
        self._members, self._size = np.concatenate(members), np.concatenate(sizes)
        self._start = np.cumsum(self._size) - self._size

    def __len__(self) -> int:
        """Return the number of groups."""
        return len(self.place)

    def list_members(self, groups: Index) -> tuple[Index, Index]:
        """Return the members of some groups in order, and which of these each belongs to."""
        size = self._size[groups]
        owner = np.repeat(np.arange(len(groups)), size)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(size) - size, size)
        return self._members[self._start[groups][owner] + within], owner


def _list_keys(keys: int) -> list[int]:
    return [j for j in range(keys.bit_length()) if keys >> j & 1]


def _number_records(cells: Cells, cell: Index, keys: int) -> tuple[Index, int]:
    """Number records by their values of some keys; return also how many numbers there are."""
    places = _list_keys(keys)
    codes = [cells.codes[j][cell] for j in places]
    found, first = number(codes, [len(cells.categories[j]) for j in places], rows=len(cell))
    return found, len(first)
