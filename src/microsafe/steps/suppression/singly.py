"""Shared blanks one at a time, as in version 0.1.0: plans of format 1 give the same file for ever.

Nothing here may change. `shared.py` has the search of today.
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
from microsafe.sums import Floats

_STAGE = "sharing blanks"
_POLISHING = "looking for fewer blanks"
_POLISH_UP_TO = 5_000  # unsafe records; the search compares each with each
_COMPARISONS = 3_000_000  # of records, that the search may spend on trying


def blank_shared_singly(
    cells: Cells,
    demands: Sequence[Demand],
    *,
    costs: Sequence[float],
    spared: int = 0,
    afford: Afford = no_limit,
    progress: Progress = silent,
) -> Blanks:
    """Find few blanks as version 0.1.0 did: see `blank_shared`, which takes fewer.

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
        polish = _Polish(cells, demands, cell, keys, costs=costs, spared=spared)
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


class _Polish:
    """Unsafe records with their blanks, and exact frequencies that follow every change.

    Records that were safe from the start stay so whatever happens: blanks only add matches. No
    record gets a second blank here, so none loses more than `own` would take.

    Args:
        cells: All cells.
        demands: What must hold, for which keys.
        cell: Cell of each record that was unsafe.
        keys: Keys blanked in it.
        costs: Of blanking each key.
        spared: Keys that must not be blanked.
    """

    def __init__(
        self,
        cells: Cells,
        demands: Sequence[Demand],
        cell: Index,
        keys: Masks,
        *,
        costs: Sequence[float],
        spared: int,
    ) -> None:
        self.demands, self.keys = demands, keys.copy()
        self.costs = np.array(costs)
        self.every = (1 << len(costs)) - 1
        self.able = [j for j in range(len(costs)) if not spared >> j & 1]
        self.codes = np.stack([code[cell] for code in cells.codes]).astype(np.int64)
        self.weight = (cells.weight / cells.count)[cell]
        self._subsets = Subsets(cells)
        self._cell = cell
        self._plain: dict[tuple[int, int], tuple[Floats, Floats]] = {}
        self._agreeing: dict[tuple[int, int], Floats] = {}
        rows = range(len(cell))
        self.counts = [[self._frequencies(i, int(keys[i]), d) for i in rows] for d in demands]

    def improve(self, progress: Progress) -> Masks:
        """Improve until no move helps, and return the blanks."""
        self._take_back(np.flatnonzero(self.keys))
        candidates = self._candidates()[: _COMPARISONS // len(self.keys)]
        for done, (i, key) in enumerate(candidates):
            progress(_POLISHING, done / len(candidates))
            self._replace(i, key)
        return self.keys

    def _candidates(self) -> list[tuple[int, int]]:
        """Blanks that may stand for several: those with most blanked records around them."""
        found: list[tuple[int, int, int]] = []
        for key in self.able:
            others = np.delete(self.codes, key, axis=0)
            group, first = number(list(others), others.max(axis=1).tolist(), rows=others.shape[1])
            around = np.bincount(group, self.keys > 0, len(first)).astype(np.int64)[group]
            open_ = np.flatnonzero((self.keys == 0) & (self.codes[key] > 0) & (around > 1))
            found += [(-int(around[i]), key, i) for i in open_.tolist()]
        return [(i, key) for _, key, i in sorted(found)]

    def _replace(self, i: int, key: int) -> None:
        """Blank one more key if that lets others be shown that cost more."""
        near = self._compatible(i, 1 << key, self.every)
        near &= self.keys > 0
        if self.keys[i] or np.count_nonzero(near) < 2:
            return
        before = self.keys.copy(), [list(each) for each in self.counts]
        self._set_blanks(i, 1 << key)
        self._take_back(np.flatnonzero(near))
        if self._cost(self.keys) >= self._cost(before[0]):
            self.keys, self.counts = before

    def _cost(self, keys: Masks) -> float:
        return float(sum(c * np.count_nonzero(keys >> j & 1) for j, c in enumerate(self.costs)))

    def _take_back(self, records: Index) -> None:
        """Show keys again, the dearest first, wherever everybody stays safe."""
        for key in sorted(self.able, key=lambda j: -float(self.costs[j])):
            for i in records[(self.keys[records] >> key & 1) == 1].tolist():
                old = int(self.keys[i])
                self._set_blanks(i, old & ~(1 << key))
                if not self._all_safe(i, old):
                    self._set_blanks(i, old)

    def _set_blanks(self, i: int, keys: int) -> None:
        """Change the blanks of a record, and the frequencies of all that this touches."""
        old = int(self.keys[i])
        self.keys[i] = keys
        for counts, demand in zip(self.counts, self.demands, strict=True):
            before = self._compatible(i, old, demand.keys)
            after = self._compatible(i, keys, demand.keys)
            for sign, rows in ((-1.0, before & ~after), (1.0, after & ~before)):
                for j in np.flatnonzero(rows).tolist():
                    if j != i:
                        f, F = counts[j]
                        counts[j] = (f + sign, F + sign * float(self.weight[i]))
            counts[i] = self._frequencies(i, keys, demand)

    def _all_safe(self, i: int, old: int) -> bool:
        for counts, demand in zip(self.counts, self.demands, strict=True):
            touched = self._compatible(i, old, demand.keys)
            records = np.array([i, *np.flatnonzero(touched).tolist()])
            f, F = np.array([counts[j] for j in records.tolist()]).T
            keys = demand.keys & ~self.keys[records]
            known = self._known_weight(demand, records)
            rows = self._cell[records]
            if demand.unsafe(rows, keys, f, np.maximum(F, f), known=known).any():
                return False
        return True

    def _known_weight(self, demand: Demand, records: Index) -> Floats | None:
        """Weight of those who truly share what some records show, if that is asked for."""
        if demand.crowd is None:
            return None
        known = np.empty(len(records))
        for place, i in enumerate(records.tolist()):
            asked = demand.keys, int(self.keys[i])
            if asked not in self._agreeing:
                rows, where = np.unique(self._cell, return_inverse=True)
                found = demand.crowd.known_weight(rows, demand.keys & ~asked[1])
                self._agreeing[asked] = found[where]
            known[place] = self._agreeing[asked][i]
        return known

    def _compatible(
        self, i: int, keys: int, within: int, *, original: bool = False
    ) -> NDArray[np.bool_]:
        """Which records match record i on keys `within`, once `keys` are blanked in it."""
        result = np.ones(len(self.keys), np.bool_)
        for j, codes in enumerate(self.codes):
            if codes[i] and (within & ~keys) >> j & 1:
                hidden = codes == 0 if original else (codes == 0) | (self.keys >> j & 1 == 1)
                result &= (codes == codes[i]) | hidden
        return result

    def _frequencies(self, i: int, keys: int, demand: Demand) -> tuple[float, float]:
        """F and F of a record with some keys blanked, in the file as it now is."""
        if (demand.keys, keys) not in self._plain:
            rows, where = np.unique(self._cell, return_inverse=True)
            f, F = self._subsets.frequencies(rows, demand.keys & ~keys)
            self._plain[demand.keys, keys] = (f[where], F[where])
        f, F = self._plain[demand.keys, keys]
        now = self._compatible(i, keys, demand.keys)
        then = self._compatible(i, keys, demand.keys, original=True)
        gained = now & ~then
        gained[i] = False
        return (
            float(f[i]) + float(np.count_nonzero(gained)),
            float(F[i]) + float(self.weight[gained].sum()),
        )
