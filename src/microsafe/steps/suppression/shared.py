"""Suppression in which others' blanks count: fewer blanks, and a weaker guarantee.

A blank is a wildcard: it makes a record match all that agree with it on the other keys, so
one blank may lift a whole group of look-alikes above the limit. Taken to the end that is
absurd (two wholly blanked records match everybody), so no record loses more keys than
`own` would take from it.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.progress import Progress, silent
from microsafe.risk.record.subsets import Masks, Subsets
from microsafe.risk.record.wildcard import matches
from microsafe.steps.suppression.blanks import Blanks
from microsafe.steps.suppression.order import Afford, no_limit
from microsafe.steps.suppression.own import Demand, own_keys
from microsafe.steps.suppression.polish import Polish

_STAGE = "sharing blanks"
_POLISH_UP_TO = 5_000  # unsafe records; the search compares each with each


def blank_shared(
    cells: Cells,
    demands: Sequence[Demand],
    *,
    costs: Sequence[float],
    spared: int = 0,
    afford: Afford = no_limit,
    progress: Progress = silent,
) -> Blanks:
    """Find few blanks such that every record is safe if all wildcards are counted.

    A greedy choice per demand: blank the key of the record that helps most unsafe records,
    itself included, for its cost. What is still unsafe when counted exactly gets the blanks of
    `own`. In files with few unsafe records a local search follows.

    Args:
        cells: Cells of all keys of all demands, records of different weight in different cells.
        demands: What must hold, for which keys.
        costs: Of blanking each key.
        spared: Keys that must not be blanked.
        afford: Told how many sets of keys have to be remembered; may refuse so many.
        progress: Progress callback.

    Assumes:
        The intruder cannot guess what a gap hides. Where blanks are few and their keys are
        predictable from the others, that flatters: see the risk under `missing="expected"`.
    """
    most, stuck = own_keys(
        cells, demands, costs=costs, spared=spared, afford=afford, progress=progress
    )
    owners = np.flatnonzero(most)
    cell = np.repeat(owners, cells.count[owners])
    keys = np.zeros(len(cell), np.int64)
    for demand in demands:
        game = _Game(cells, demand, cell, costs=costs, spared=spared)
        keys |= game.play(progress)
    too_many = np.bitwise_count(keys) > np.bitwise_count(most[cell])
    keys[too_many] = most[cell[too_many]]
    while True:
        progress(_STAGE, 1.0)
        found = _collect_blanks(cell, keys, stuck)
        left = _unsafe_records(cells, demands, found, cell, keys)
        left &= keys != most[cell]
        if not left.any():
            break
        keys[left] = most[cell[left]]
    if 0 < len(cell) <= _POLISH_UP_TO:
        polish = Polish(cells, demands, cell, keys, costs=costs, spared=spared)
        found = _collect_blanks(cell, polish.improve(progress), stuck)
    return found


class _Game:
    """Unsafe records of one demand, and what blanks have done to them so far."""

    def __init__(
        self,
        cells: Cells,
        demand: Demand,
        cell: Index,
        *,
        costs: Sequence[float],
        spared: int,
    ) -> None:
        places = [j for j in range(len(cells.keys)) if demand.keys >> j & 1]
        # A key that costs nothing is the same in all records, so its blank adds no match.
        self.places = [j for j in places if not spared >> j & 1 and costs[j] > 0]
        self.costs = costs
        self.demand, self.owner = demand, cell
        subsets = Subsets(cells)
        distinct, self.cell = np.unique(cell, return_inverse=True)
        f, F = subsets.frequencies(distinct, demand.keys)
        self.f, self.F = f[self.cell], F[self.cell]
        known = demand.known_weight(distinct, demand.keys)
        self.known = None if known is None else known[self.cell]
        self.weight = (cells.weight / cells.count)[cell]
        self.blank = np.full(len(cell), -1, np.int64)
        self.usual = float(np.median(self.weight)) if len(cell) else 1.0
        # Records that cannot be told apart already count for each other.
        self.alike = _number_records(cells, cell, places)
        self.need = self._count_needed(np.arange(len(cell)))
        self.groups: list[list[Index]] = []
        self.safe_alone: list[NDArray[np.bool_]] = []
        for key in self.places:
            group = _number_records(cells, cell, [j for j in places if j != key])
            order = np.argsort(group, kind="stable")
            self.groups.append(np.split(order, np.flatnonzero(np.diff(group[order])) + 1))
            others = demand.keys & ~(1 << key)
            f, F = subsets.frequencies(distinct, others)
            able = (subsets.shown[distinct] >> key & 1) == 1
            self.safe_alone.append((able & ~demand.unsafe(distinct, others, f, F))[self.cell])

    def play(self, progress: Progress) -> Masks:
        """Blank greedily until no blank helps; return the keys blanked in each record."""
        if not self.places:
            return np.zeros(len(self.blank), np.int64)
        queue = [
            (-gain, place, group)
            for place in range(len(self.places))
            for group in range(len(self.groups[place]))
            if (gain := self._best(place, group)[0]) > 0
        ]
        heapq.heapify(queue)
        start = max(int(np.count_nonzero(self.need)), 1)
        turns = 0
        while queue:
            _, place, group = heapq.heappop(queue)
            gain, record = self._best(place, group)
            if gain <= 0:
                continue
            if queue and gain < -queue[0][0]:  # others have overtaken it
                heapq.heappush(queue, (-gain, place, group))
                continue
            self._blank(place, group, record)
            heapq.heappush(queue, (-gain, place, group))
            turns += 1
            if turns % 256 == 0:
                progress(_STAGE, 1 - np.count_nonzero(self.need) / start)
        blanked = self.blank >= 0
        chosen = np.array(self.places, np.int64)[np.where(blanked, self.blank, 0)]
        return np.where(blanked, np.int64(1) << chosen, 0)

    def _best(self, place: int, group: int) -> tuple[float, int]:
        """The record of a group whose blank helps most, and how much that is for its cost."""
        members = self.groups[place][group]
        open_ = members[(self.need[members] > 0) & (self.blank[members] < 0)]
        if not len(open_):
            return 0.0, -1
        help_ = 1.0 / self.need[open_]
        total = float(help_.sum())
        alone = self.safe_alone[place][open_]
        cost = self.costs[self.places[place]]
        if alone.any():
            hardest = int(np.argmax(np.where(alone, self.need[open_], 0)))
            return (total - help_[hardest] + 1.0) / cost, int(open_[hardest])
        return (total - float(help_[0])) / cost, int(open_[0])

    def _blank(self, place: int, group: int, record: int) -> None:
        self.blank[record] = place
        if self.safe_alone[place][record]:
            self.need[record] = 0
        helped = self._helped_records(place, group, record)
        self.f[helped] += 1.0
        self.F[helped] += self.weight[record]
        open_ = helped[self.need[helped] > 0]
        self.need[open_] = self._count_needed(open_)

    def _count_needed(self, records: Index) -> NDArray[np.int64]:
        """How many more matches of usual weight some records need to be safe."""
        need = np.zeros(len(records), np.int64)
        left = np.arange(len(records))
        while True:
            some, more = records[left], need[left]
            f, F = self.f[some] + more, self.F[some] + more * self.usual
            known = None if self.known is None else self.known[some]
            left = left[self.demand.unsafe(self.owner[some], self.demand.keys, f, F, known=known)]
            if not len(left):
                return need
            need[left] += 1

    def _helped_records(self, place: int, group: int, record: int) -> Index:
        members = self.groups[place][group]
        helped: Index = members[
            (self.blank[members] < 0) & (self.alike[members] != self.alike[record])
        ]
        return helped


def _number_records(cells: Cells, cell: Index, places: Sequence[int]) -> Index:
    """Number records by their values of some keys."""
    codes = [cells.codes[j][cell] for j in places]
    return number(codes, [len(cells.categories[j]) for j in places], rows=len(cell))[0]


def _collect_blanks(cell: Index, keys: Masks, stuck: Index) -> Blanks:
    """Put records of the same cell and blanks together."""
    blanked = np.flatnonzero(keys)
    pairs = np.stack([cell[blanked], keys[blanked]])
    distinct, count = np.unique(pairs, axis=1, return_counts=True)
    return Blanks(cell=distinct[0], keys=distinct[1], count=count.astype(np.int64), stuck=stuck)


def _unsafe_records(
    cells: Cells, demands: Sequence[Demand], blanks: Blanks, cell: Index, keys: Masks
) -> NDArray[np.bool_]:
    """Tell which records are still unsafe in the file as released, all matches counted."""
    released = blanks.apply(cells)
    kept = blanks.count_kept(cells)
    plain = np.cumsum(kept > 0) - 1
    start = int(np.count_nonzero(kept))
    row_of = {
        pair: start + row
        for row, pair in enumerate(zip(blanks.cell.tolist(), blanks.keys.tolist(), strict=True))
    }
    rows = np.array(
        [
            row_of[c, k] if k else plain[c]
            for c, k in zip(cell.tolist(), keys.tolist(), strict=True)
        ],
        np.intp,
    )
    unsafe = np.zeros(len(cell), np.bool_)
    for demand in demands:
        names = [key for j, key in enumerate(cells.keys) if demand.keys >> j & 1]
        merged, group = released.project(names)
        f, F = matches(merged).frequencies(1.0)
        unsafe |= demand.put_to(merged).unsafe(np.arange(len(merged)), -1, f, F)[group[rows]]
    return unsafe
