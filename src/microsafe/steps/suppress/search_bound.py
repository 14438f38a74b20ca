"""How many sets of keys a search for blanks must try at least, known before it tries them.

A cell matches others once the keys in which they differ are blank. So what its blanks cost is at
least what makes enough others match if each may be matched for its own cost alone, and all sets
that cost less are tried in vain.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from microsafe.cells import Cells, Index
from microsafe.errors import InputError
from microsafe.steps.suppress.criterion import KeySetDemand
from microsafe.steps.suppress.key_sets import MOST_SETS
from microsafe.sums import Floats

LOOK = (0, 1 << 12, 1 << 16)  # after so many tries, what is still unsafe is looked at
_MOST_ROWS = 256  # that are looked at
_COMPARISONS = 1 << 24  # of cells, that may be spent on it
_GRID = 1 << 14  # costs are rounded up to so many parts of the least cost


def check_reach(
    cells: Cells,
    rows: Index,
    demands: Sequence[KeySetDemand],
    *,
    costs: Sequence[float],
    allowed: int,
) -> None:
    """Refuse a search that cannot end within the number of sets that are tried.

    Args:
        cells: Of the file.
        rows: Cells that are unsafe, but would not be if all allowed keys were blank.
        demands: What must hold, for which keys.
        costs: Of blanking each key.
        allowed: Keys that may be blanked.

    Raises:
        InputError: Gives the number of sets.

    Assumes:
        Risk never rises when a key is left out.
    """
    keys = allowed.bit_count()
    sets = 2**keys - 1
    if sets <= MOST_SETS or not len(rows):
        return
    looked_at = min(len(rows), _MOST_ROWS, max(_COMPARISONS // len(cells), 8))
    some = rows[np.linspace(0, len(rows) - 1, looked_at).astype(np.intp)]
    least = max(
        (
            least_cost(cells, int(row), demand, costs=costs, allowed=allowed)
            for demand in demands
            if demand.monotone
            for row in some
        ),
        default=0.0,
    )
    tried = count_cheaper([cost for j, cost in enumerate(costs) if allowed >> j & 1], least)
    if tried >= MOST_SETS:
        raise InputError(
            f"{keys} keys have {sets:,} sets that could be suppressed; at least {tried:,} of them "
            f"do not make all records safe, and at most {MOST_SETS:,} can be tried. Recode or "
            "leave out keys, or protect combinations of a few keys only (--up-to, up_to=)."
        )


def least_cost(
    cells: Cells, row: int, demand: KeySetDemand, *, costs: Sequence[float], allowed: int
) -> float:
    """Return what the blanks of a cell cost at least; 0 if the demand says nothing of that."""
    price = np.zeros(len(cells))
    for j, codes in enumerate(cells.codes):
        if demand.keys >> j & 1 and codes[row]:
            differ = (codes != codes[row]) & (codes > 0)
            price[differ] += costs[j] if allowed >> j & 1 else np.inf
    order = np.argsort(price, kind="stable")
    f, F = np.cumsum(cells.count[order].astype(np.float64)), np.cumsum(cells.weight[order])
    safe = ~demand.unsafe(np.full(len(order), row), demand.keys, f, F)
    least = float(price[order[np.argmax(safe)]]) if safe.any() else 0.0
    return least if least < np.inf else 0.0


def count_cheaper(costs: Sequence[float], below: float) -> int:
    """Return a number of non-empty sets that cost less, of which there are at least so many."""
    if below <= 0:
        return 0
    # By how many parts of the grid they cost; what costs as much up to rounding is not cheaper.
    sets = np.zeros(_GRID, np.uint64)
    sets[0] = 1
    parts: Floats = np.ceil(np.array(costs) / (below * (1 - 1e-9)) * _GRID)
    for part in parts[parts < _GRID].astype(int).tolist():
        sets[part:] += sets[: _GRID - part].copy()
    return int(sets.sum()) - 1
