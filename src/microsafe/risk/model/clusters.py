"""What whole households in the sample mean for its counts: design effects."""

from __future__ import annotations

import numpy as np

from microsafe.cells import Membership
from microsafe.risk.table.crosstable import CrossTable, Term
from microsafe.sums import Floats


def design_effect(clusters: Membership, table: CrossTable, term: Term) -> float:
    """Return the design effect of the counts of a margin, Σ s² / Σ s over its cells' households.

    Where members of a household share the keys of a margin, its counts vary as if there were
    fewer records by this factor.

    References:
        Rao and Scott (1984), Annals of Statistics 12, 46-60, first-order correction.
    """
    place = table.place(term)[clusters.cell]
    _, group = np.unique(clusters.household * (int(place.max()) + 1) + place, return_inverse=True)
    size = np.bincount(group, clusters.records)
    return float((size * size).sum() / size.sum())


def mean_members(clusters: Membership) -> float:
    """Return how many members a household has in a cell where it has any, on average."""
    return float(clusters.records.mean())


def households_by_cell(clusters: Membership, cells: int) -> Floats:
    """Return the number of households in each cell."""
    return np.bincount(clusters.cell, minlength=cells).astype(np.float64)
