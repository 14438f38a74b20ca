"""Suppression in which others' blanks count: fewer blanks, and a weaker guarantee.

A blank is a wildcard: it makes a record match all that agree with it on the other keys, so
one blank may lift a whole group of look-alikes above the limit. Taken to the end that is
absurd (two wholly blanked records match everybody), so no record loses more keys than
`own` would take from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.progress import Progress, silent
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.risk.record.wildcard import matches
from microsafe.steps.suppress.blanks import CellBlanks
from microsafe.steps.suppress.criterion import KeySetDemand
from microsafe.steps.suppress.greedy_rounds import blank_greedily
from microsafe.steps.suppress.greedy_single import SingleBlankSearch
from microsafe.steps.suppress.key_sets import Afford, no_limit
from microsafe.steps.suppress.local_search import EFFORT, LocalSearch
from microsafe.steps.suppress.own_guarantee import own_keys
from microsafe.sums import Floats

_STAGE = "sharing blanks"
_SINGLY_UP_TO = 5_000  # unsafe records that are chosen one by one as well


def blank_shared(
    cells: Cells,
    demands: Sequence[KeySetDemand],
    *,
    costs: Sequence[float],
    spared: int = 0,
    afford: Afford = no_limit,
    progress: Progress = silent,
) -> CellBlanks:
    """Find few blanks such that every record is safe if all wildcards are counted.

    A greedy choice per demand: blank the key of the record that helps most unsafe records,
    itself included, for its cost; then two keys where one does not help, and so on. What is still
    unsafe when counted exactly gets the blanks of `own`. A local search of bounded effort follows,
    from several starts if unsafe records are few.

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
    search = _SharedSearch(
        cells=cells,
        demands=demands,
        cell=cell,
        most=most[cell],
        costs=costs,
        spared=spared,
        progress=progress,
    )
    keys = search.run() if len(cell) else np.zeros(0, np.int64)
    return _collect_blanks(cell, keys, stuck)[0]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _SharedSearch:
    """What is asked for, by unsafe record.

    Attributes:
        cell: Cell of each record.
        most: Keys that `own` would blank in it; it loses no more.
    """

    cells: Cells
    demands: Sequence[KeySetDemand]
    cell: Index
    most: Masks
    costs: Sequence[float]
    spared: int
    progress: Progress

    def run(self) -> Masks:
        """Polish some starts, each with its share of the effort; return the cheapest blanks."""
        starts: list[Callable[[], Masks]] = [self._start_in_rounds]
        if len(self.cell) <= _SINGLY_UP_TO:
            starts.append(self._start_singly)
        if len(set(self.costs)) > 1:  # what `own` chose by cost may be the better start
            starts.append(self.most.copy)
        left, found = 0.0, []
        for make in starts:
            keys = make()
            polish = self._polish(keys, left + EFFORT / len(starts))
            keys = polish.improve(self.progress)
            found.append((polish.cost, int(np.bitwise_count(keys).sum()), keys))
            left = polish.left
        keys = min(found, key=lambda each: each[:2])[-1]
        self._settle(keys)
        return keys

    def _start_in_rounds(self) -> Masks:
        keys = np.zeros(len(self.cell), np.int64)
        for demand in self.demands:
            keys |= blank_greedily(
                self.cells,
                demand,
                self.cell,
                self.most,
                costs=self.costs,
                spared=self.spared,
                progress=self.progress,
            )
        return self._limit_blanks(keys)

    def _start_singly(self) -> Masks:
        keys = np.zeros(len(self.cell), np.int64)
        for demand in self.demands:
            game = SingleBlankSearch(
                self.cells, demand, self.cell, costs=self.costs, spared=self.spared
            )
            keys |= game.play(self.progress)
        polish = self._polish(self._limit_blanks(keys), math.inf)
        return polish.improve_once(self.progress)

    def _limit_blanks(self, keys: Masks) -> Masks:
        """Give records that would lose more than by `own` the blanks of `own`."""
        return np.where(np.bitwise_count(keys) > np.bitwise_count(self.most), self.most, keys)

    def _polish(self, keys: Masks, effort: float) -> LocalSearch:
        return LocalSearch(
            self.cells,
            self.demands,
            self.cell,
            keys,
            self._settle(keys),
            costs=self.costs,
            spared=self.spared,
            effort=effort,
        )

    def _settle(self, keys: Masks) -> list[Floats]:
        """Blank what `own` would where records are unsafe, all matches counted; return f and F."""
        while True:
            self.progress(_STAGE, 1.0)
            counts, unsafe = _count_released(self.cells, self.demands, self.cell, keys)
            unsafe &= keys != self.most
            if not unsafe.any():
                return counts
            keys[unsafe] = self.most[unsafe]


def _collect_blanks(cell: Index, keys: Masks, stuck: Index) -> tuple[CellBlanks, Index]:
    """Put records of the same cell and blanks together; return also which of these each is in."""
    blanked = np.flatnonzero(keys)
    blanked = blanked[np.lexsort((keys[blanked], cell[blanked]))]
    new = np.ones(len(blanked), np.bool_)
    new[1:] = (np.diff(cell[blanked]) != 0) | (np.diff(keys[blanked]) != 0)
    row = np.full(len(cell), -1, np.intp)
    row[blanked] = np.cumsum(new) - 1
    first = blanked[new]
    count = np.bincount(row[blanked], minlength=len(first))
    return CellBlanks(cell=cell[first], keys=keys[first], count=count, stuck=stuck), row


def _count_released(
    cells: Cells, demands: Sequence[KeySetDemand], cell: Index, keys: Masks
) -> tuple[list[Floats], NDArray[np.bool_]]:
    """Return f and F of records in the file as released by demand, and who fails one."""
    blanks, row = _collect_blanks(cell, keys, np.zeros(0, np.intp))
    released, kept = blanks.apply(cells), blanks.count_kept(cells)
    plain = np.cumsum(kept > 0) - 1
    rows = np.where(row < 0, plain[cell], np.count_nonzero(kept) + row)
    counts, unsafe = [], np.zeros(len(cell), np.bool_)
    for demand in demands:
        names = [key for j, key in enumerate(cells.keys) if demand.keys >> j & 1]
        merged, group = released.project(names)
        f, F = matches(merged).frequencies(1.0)
        failing = demand.put_to(merged).unsafe(np.arange(len(merged)), -1, f, F)
        counts.append(np.stack([f, F])[:, group[rows]])
        unsafe |= failing[group[rows]]
    return counts, unsafe
