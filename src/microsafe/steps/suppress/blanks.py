"""What suppression decided: which keys to blank in how many records of which cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.sums import Exact


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellBlanks:
    """Blanks by cell, in the order of the cells.

    Attributes:
        cell: Number of the cell; a cell may occur more than once.
        keys: Set of keys to blank there; bit j stands for key j of the cells.
        count: In how many of its records.
        stuck: Cells that stay unsafe whatever may be blanked.
    """

    cell: Index
    keys: Masks
    count: NDArray[np.int64]
    stuck: Index

    @classmethod
    def whole(cls, cells: Cells, keys: Masks, stuck: Index) -> CellBlanks:
        """Blank the same keys in all records of a cell."""
        changed = np.flatnonzero(keys)
        return cls(cell=changed, keys=keys[changed], count=cells.count[changed], stuck=stuck)

    @property
    def records(self) -> int:
        """Records that lose a key."""
        return int(self.count.sum())

    def count_kept(self, cells: Cells) -> NDArray[np.int64]:
        """Return how many records of each cell lose nothing."""
        kept = cells.count.copy()
        np.subtract.at(kept, self.cell, self.count)
        return kept

    def apply(self, cells: Cells) -> Cells:
        """Return the cells as released; combinations may occur more than once."""
        kept = self.count_kept(cells)
        source = np.concatenate([np.flatnonzero(kept), self.cell])
        blank = np.concatenate([np.zeros(np.count_nonzero(kept), np.int64), self.keys])
        count = np.concatenate([kept[kept > 0], self.count])
        codes = tuple(
            np.where(blank >> j & 1, 0, code[source]).astype(code.dtype)
            for j, code in enumerate(cells.codes)
        )
        # Records of a cell that is blanked in part have equal weights.
        weight = cells.weight[source] * (count / cells.count[source])
        return Cells(
            keys=cells.keys,
            categories=cells.categories,
            codes=codes,
            count=count,
            weights=Exact.split(weight),
        )
