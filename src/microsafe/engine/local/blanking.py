"""Which records lose which keys, when suppression has decided it for cells."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index


class Blanking:
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
        taken = rank < self._left[of]
        rows, of, rank = rows[taken], of[taken], rank[taken]
        place = np.searchsorted(self._ends, self._next[of] + rank, side="right")
        masks[rows] = self._keys[place]
        np.subtract.at(self._left, of, 1)
        np.add.at(self._next, of, 1)
        return masks
