"""How every combination of keys is treated, and how many people are behind what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.steps.suppress.key_sets import in_order_of_cost
from microsafe.steps.suppress.view.pools import OPEN
from microsafe.steps.suppress.view.table import Crowding, PeopleTable, expect_agreeing
from microsafe.sums import Floats, sum_by

_PRIOR = 4.0  # records that what is known of more people counts for


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Treatment:
    """What a method of suppression does to everybody, drawn or not.

    Attributes:
        table: All combinations with people.
        crowding: When people are too few.
        masks: The keys that are blanked in each combination.
    """

    table: PeopleTable
    crowding: Crowding
    masks: Masks

    def find_unsafe(self, unsafe: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell which combinations with records stay unsafe, given those that are so in full."""
        group, size = self._group()
        few = self.crowding.unsafe(*self.table.sums(group, size))
        return (self.table.f > 0) & np.where(self.masks > 0, few[group], unsafe)

    def chance(self) -> Floats:
        """Return the base risk of the records of each combination among those who show the same.

        Those who would be treated otherwise count for nobody.
        """
        group, size = self._group()
        return self.crowding.chance(*self.table.sums(group, size))[group]

    def shows(self, released: Cells) -> bool:
        """Tell whether released cells, in the coding of the table, show what was decided."""
        drawn = np.flatnonzero(self.table.f)
        part = self.table.take(drawn)
        view, size = self._number(part.shown(self.masks[drawn]), released)
        counted = sum_by(view[: len(drawn)], part.f, size)
        return bool(np.array_equal(counted, sum_by(view[len(drawn) :], _count(released), size)))

    def chance_of(self, released: Cells) -> Floats:
        """Return the base risk of released cells, in the coding of the table, by this treatment."""
        view, size = self._number(self.table.shown(self.masks), released)
        rows = len(self.table)
        sums = self.table.sums(view[:rows], size)
        return self.crowding.chance(*(each[view[rows:]] for each in sums))

    def chance_by_shares(
        self, released: Cells, row: Index, final: Masks, *, size: int = 0
    ) -> Floats:
        """Return about the base risk of released cells where more was blanked than was decided.

        How often people who were to lose some keys lost others in the end is learnt from the
        records: from all of them, then from those of households of the same size, then from those
        with the same values of all keys that were lost by more than had to lose them.

        Args:
            released: Cells, in the coding of the table.
            row: Combination of each record.
            final: Keys that it does not show in the end, gaps that it came with left aside.
            size: The key that holds the size of the household, if one does.
        """
        decided = self.masks[row]
        more = int(np.bitwise_or.reduce(final ^ decided, initial=0))
        every = (1 << len(self.table.keys)) - 1
        levels = [self.table.group(every & ~(size & more))] if size & more else []
        levels.append(self.table.group(every & ~more))
        people = np.zeros(len(released))
        for keys in np.unique(decided & more).tolist():
            some = np.flatnonzero(self.masks & more == keys)
            mine = np.flatnonzero(decided & more == keys)
            part, rest = self.table.take(some), self.masks[some] & ~more
            for last in np.unique(np.append(final[mine] & more, keys)).tolist():
                alike = final[mine] & more == last
                shares = np.full(
                    len(some), (alike.sum() + _PRIOR * (last == keys)) / (len(mine) + _PRIOR)
                )
                for kind, _ in levels:
                    shares = _nearer(shares, kind[some], kind[row[mine]], alike)
                view, many = self._number(part.shown(rest | last), released)
                sums = sum_by(view[: len(some)], part.mass * shares, many)
                people += sums[view[len(some) :]]
        return self.crowding.chance(_count(released), released.weight, people)

    def find_blanked(self, released: Cells) -> NDArray[np.bool_]:
        """Tell which released cells, in the coding of the table, hold blanks.

        Blanks may look like gaps that the file came with, but then records join those.
        """
        view, size = self._number(self.table.codes, released)
        rows = len(self.table)
        before, after = (
            sum_by(each, f, size)
            for each, f in ((view[:rows], self.table.f), (view[rows:], _count(released)))
        )
        return (after > before)[view[rows:]]

    def _group(self) -> tuple[Index, int]:
        group, first = self.table.group_views(self.masks)
        return group, len(first)

    def _number(
        self, shown: Sequence[NDArray[np.unsignedinteger]], released: Cells
    ) -> tuple[Index, int]:
        both = [
            np.concatenate([mine.astype(np.uint32), theirs.astype(np.uint32)])
            for mine, theirs in zip(shown, released.codes, strict=True)
        ]
        rows = len(shown[0]) + len(released)
        group, first = number(both, self.table.sizes, rows=rows)
        return group, len(first)


def treat_as_own(
    table: PeopleTable, crowding: Crowding, *, costs: Sequence[float], allowed: int
) -> Treatment:
    """Return what the guarantee `own` does to everybody: the cheapest keys that are enough.

    Args:
        table: All combinations with people.
        crowding: When people are too few.
        costs: Of blanking each key.
        allowed: Keys that may be blanked.
    """
    masks = np.full(len(table), OPEN)
    drawn = table.take(np.flatnonzero(table.f))
    left = np.arange(len(table))
    for keys in (0, *in_order_of_cost(costs, allowed)):
        if not len(left):
            break
        asking = table.take(left)
        both = [np.concatenate([a, b]) for a, b in zip(asking.codes, drawn.codes, strict=True)]
        seen = [j for j in range(len(both)) if not keys >> j & 1]
        group, first = number(
            [both[j] for j in seen], [table.sizes[j] for j in seen], rows=len(left) + len(drawn)
        )
        f, weight = (
            sum_by(group[len(left) :], each, len(first)) for each in (drawn.f, drawn.weight)
        )
        more = asking.f == 0  # judged as if one of them had been drawn
        at = group[: len(left)]
        fine = ~crowding.unsafe(
            f[at] + more,
            weight[at] + more * crowding.mean_weight,
            _expect(crowding, asking, keys),
        )
        masks[left[fine]] = keys
        left = left[~fine]
    masks[left] = 0  # nothing helps them, so that nothing is blanked
    return Treatment(table=table, crowding=crowding, masks=masks)


def _nearer(share: Floats, kind: Index, drawn: Index, alike: NDArray[np.bool_]) -> Floats:
    """Return shares among records of one kind, drawn towards what is known of more people.

    Args:
        share: Of each combination, known so far; the same for all of a kind.
        kind: Of each combination.
        drawn: Kind of each record.
        alike: Which records count.
    """
    size = int(max(kind.max(initial=-1), drawn.max(initial=-1))) + 1
    hits, near = np.bincount(drawn[alike], minlength=size), np.bincount(drawn, minlength=size)
    return np.asarray((hits[kind] + _PRIOR * share) / (near[kind] + _PRIOR))


def _expect(crowding: Crowding, asking: PeopleTable, keys: int) -> Floats:
    """Return the people who agree with some combinations on all but some keys and their gaps."""
    people = asking.people.copy()
    if crowding.model is not None:
        for gaps in np.unique(asking.gaps).tolist():
            rows = np.flatnonzero(asking.gaps == gaps)
            people[rows] = expect_agreeing(crowding.model, asking.take(rows), keys | gaps)
    return people


def _count(cells: Cells) -> Floats:
    return cells.count.astype(np.float64)
