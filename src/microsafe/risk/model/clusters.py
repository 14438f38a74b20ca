"""What whole households in the sample mean for its counts: design effects."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index, Membership
from microsafe.risk.table.crosstable import CrossTable, Term
from microsafe.sums import Floats

_CROWD = 50  # cells that members of a household are in; with more it is an institution


def find_design_effects(clusters: Membership, table: CrossTable) -> Callable[[Term], float]:
    """Return what gives the design effect of the counts of a margin.

    It is Σ s² / Σ s over the households of its cells. Where members of a household share the keys
    of a margin, its counts vary as if there were fewer records by this factor.

    References:
        Rao and Scott (1984), Annals of Statistics 12, 46-60, first-order correction.
    """
    household, cell, records = clusters.household, clusters.cell, clusters.records
    if bool(np.any(household[1:] < household[:-1])):
        order = np.argsort(household, kind="stable")
        household, cell, records = household[order], cell[order], records[order]
    crowded = np.bincount(household)[household] > _CROWD
    crowd = np.flatnonzero(crowded)
    pairs = _pair_rows(household, crowded)

    @cache  # a search asks for the same margins again and again
    def find_effect(term: Term) -> float:
        place = table.place(term)[cell]
        shown = np.where(place >= 0, records, 0)  # nor does who hides a key of the margin count
        if not shown.any():
            return 1.0
        squares = (shown[~crowded] ** 2).sum()
        for apart, rows in enumerate(pairs, 1):
            alike = rows[place[rows] == place[rows + apart]]
            squares += 2 * (shown[alike] * shown[alike + apart]).sum()
        if len(crowd):
            packed = household[crowd] * (int(place.max()) + 2) + place[crowd] + 1
            _, group = np.unique(packed, return_inverse=True)
            squares += (np.bincount(group, shown[crowd]) ** 2).sum()
        return float(squares / shown.sum())

    return find_effect


def _pair_rows(household: Index, crowded: NDArray[np.bool_]) -> list[NDArray[np.integer[Any]]]:
    """Rows that one of the same household follows one place later, two places later, and so on."""
    found: list[NDArray[np.integer[Any]]] = []
    small = np.uint32 if len(household) < 1 << 31 else np.int64
    rows = np.flatnonzero(~crowded).astype(small)
    while len(rows):
        apart = len(found) + 1
        rows = rows[: np.searchsorted(rows, len(household) - apart)]
        rows = rows[household[rows] == household[rows + apart]]
        found.append(rows)
    return found


def mean_members(clusters: Membership) -> float:
    """Return how many members a household has in a cell where it has any, on average."""
    return float(clusters.records.mean())


def households_by_cell(clusters: Membership, cells: int) -> Floats:
    """Return the number of households in each cell."""
    return np.bincount(clusters.cell, minlength=cells).astype(np.float64)
