"""Blank keys in the embedded engine: cells name the keys, their first records lose them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index
from microsafe.engine.local.households import HouseholdIndex
from microsafe.engine.local.records import Records
from microsafe.engine.memory import Batches
from microsafe.engine.slices import Bits, batch_lengths


class BlankWriter:
    """Deals out the blanks of each cell to its first records, batch after batch.

    Args:
        cell: Numbers of cells; one may occur more than once.
        keys: Keys to blank there, as bits.
        count: In how many of its records.
        cells: How many cells there are.
    """

    def __init__(
        self, cell: Index, keys: NDArray[np.int64], count: NDArray[np.int64], *, cells: int
    ) -> None:
        order = np.argsort(cell, kind="stable")
        self._keys = keys[order]
        self._ends = np.cumsum(count[order])  # of the records that each entry is for
        self._left = np.zeros(cells, np.int64)
        np.add.at(self._left, cell, count)
        self._next = np.cumsum(self._left) - self._left

    def masks(self, group: NDArray[Any]) -> NDArray[np.int64]:
        """Return the keys to blank in each of the next records, given their cells."""
        masks = np.zeros(len(group), np.int64)
        rows = np.flatnonzero(self._left[group])
        rows = rows[np.argsort(group[rows], kind="stable")]
        of = group[rows]
        first = np.flatnonzero(np.diff(of, prepend=-1))
        rank = np.arange(len(rows)) - np.repeat(first, np.diff([*first, len(rows)]))
        within = rank < self._left[of]
        rows, of, rank = rows[within], of[within], rank[within]
        place = np.searchsorted(self._ends, self._next[of] + rank, side="right")
        masks[rows] = self._keys[place]
        np.subtract.at(self._left, of, 1)
        np.add.at(self._next, of, 1)
        return masks


def find_blanks(
    records: Records,
    keys: Sequence[str],
    groups: Batches,
    blanking: BlankWriter,
    together: Sequence[tuple[str, Collection[str]]],
) -> Mapping[str, Sequence[Bits]]:
    """Return which records lose each key, one bit for each record; keys that none loses are out.

    Args:
        records: As they are.
        keys: Of the cells.
        groups: Number of the cell of each record.
        blanking: Deals out the blanks.
        together: Household variables, each with keys that are then blanked in all members of a
            household if they are in one; in this order.
    """
    blank: dict[str, list[Bits]] = {key: [] for key in keys}
    for group in groups:
        masks = blanking.masks(group)
        for place, key in enumerate(keys):
            blank[key].append(np.packbits((masks >> place & 1) == 1))
    for household, shared in together:
        for key in (key for key in keys if key in shared):
            blank[key] = HouseholdIndex(records, household).spread(blank[key])
    return {key: bits for key, bits in blank.items() if any(part.any() for part in bits)}


def count_changed_records(records: Records, since: Records) -> int:
    """Count the records that have lost a value since an earlier state."""
    changed = 0
    for batch in range(len(batch_lengths(records.count))):
        lost = np.zeros(1, np.uint8)
        for name, bits in records.blank.items():
            before = since.blank.get(name)
            lost = lost | (bits[batch] if before is None else bits[batch] & ~before[batch])
        changed += int(np.bitwise_count(lost).sum())
    return changed
