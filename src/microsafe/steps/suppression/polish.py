"""Local search after the greedy choice of shared blanks, with exact counts for every move."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.progress import Progress
from microsafe.risk.record.subsets import Masks, Subsets
from microsafe.steps.suppression.own import Demand
from microsafe.sums import Floats

_STAGE = "looking for fewer blanks"
_COMPARISONS = 3_000_000  # of records, that the search may spend on trying


class Polish:
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
            progress(_STAGE, done / len(candidates))
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
