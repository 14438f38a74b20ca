"""What whole households in the sample mean for its counts: design effects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index
from microsafe.risk.table.crosstable import CrossTable, Term


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clusters:
    """Which households the records of each cell belong to, one row per household and cell.

    Attributes:
        household: Number of the household.
        cell: Number of the cell.
        records: Members of the household in the cell.
    """

    household: Index
    cell: Index
    records: NDArray[np.int64]

    def effect(self, table: CrossTable, term: Term) -> float:
        """Design effect of the counts of a margin, Σ s² / Σ s over households and its cells.

        Counts of whole clusters vary as if there were fewer records by this factor.
        """
        place = table.place(term)[self.cell]
        span = int(place.max()) + 1
        _, group = np.unique(self.household * span + place, return_inverse=True)
        size = np.bincount(group, self.records)
        return float((size * size).sum() / size.sum())

    @property
    def size(self) -> float:
        """Mean number of members that a household has in a cell where it has any."""
        return float(self.records.mean()) if len(self.records) else 1.0

    def counts(self, cells: int) -> NDArray[np.int64]:
        """Number of households in each cell."""
        return np.bincount(self.cell, minlength=cells)
