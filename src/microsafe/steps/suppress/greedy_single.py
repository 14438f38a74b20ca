"""Greedy choice of shared blanks, one at a time.

In files of few unsafe records it is a second start of the search (`shared.py`).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.progress import Progress
from microsafe.risk.record.subset_frequencies import Masks, Subsets
from microsafe.steps.suppress.criterion import KeySetDemand

_STAGE = "sharing blanks"


class SingleBlankSearch:
    """Unsafe records of one demand, and what blanks have done to them so far."""

    def __init__(
        self,
        cells: Cells,
        demand: KeySetDemand,
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
