"""Local suppression: blanking as few keys as possible so that every record is safe.

Sets of keys are integers: bit j stands for key j of the cells.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from itertools import islice
from operator import and_

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.errors import UsageError
from microsafe.progress import Progress, silent
from microsafe.risk.record.subset_frequencies import Masks, Subsets
from microsafe.steps.suppress.blanks import CellBlanks
from microsafe.steps.suppress.criterion import KeySetDemand
from microsafe.steps.suppress.key_sets import Afford, in_order_of_cost, no_limit
from microsafe.steps.suppress.priced_blanks import cheapest_sets
from microsafe.steps.suppress.search_bound import LOOK, check_reach
from microsafe.sums import Floats, entropy

_FEW = 8  # of all cells, one that asks: then it pays to narrow them down
_TOGETHER = 1 << 8  # sets of keys that are tried together, among few


def blank_own(
    cells: Cells,
    demands: Sequence[KeySetDemand],
    *,
    costs: Sequence[float],
    prices: Floats | None = None,
    spared: int = 0,
    afford: Afford = no_limit,
    progress: Progress = silent,
) -> CellBlanks:
    """Find for each cell the cheapest blanks that make it safe on its own.

    What a record still shows is shared by enough records of the original file, whatever
    happens to others. The minimum is exact: sets of keys are tried in the order of their cost.

    Args:
        cells: Cells of all keys of all demands.
        demands: What must hold, for which keys.
        costs: Of blanking each key.
        prices: Of blanking each key in each cell, if that depends on the value it has there.
        spared: Keys that must not be blanked.
        afford: Told how many sets of keys have to be remembered; may refuse so many.
        progress: Progress callback, with the share of unsafe cells done.

    Assumes:
        Risk never rises when a key is left out, which holds for the base individual risk.

    References:
        docs/methods/suppression.md.
    """
    keys, stuck = own_keys(
        cells,
        demands,
        costs=costs,
        prices=prices,
        spared=spared,
        afford=afford,
        progress=progress,
    )
    return CellBlanks.whole(cells, keys, stuck)


def own_keys(
    cells: Cells,
    demands: Sequence[KeySetDemand],
    *,
    costs: Sequence[float],
    spared: int,
    afford: Afford,
    progress: Progress,
    prices: Floats | None = None,
) -> tuple[Masks, Index]:
    """Return the keys that `own` blanks in each cell, and the cells that stay unsafe."""
    subsets = Subsets(cells)
    blanks = np.zeros(len(cells), np.int64)
    allowed = (1 << len(cells.keys)) - 1 & ~spared
    todo = np.flatnonzero(find_unsafe(subsets, np.arange(len(cells)), 0, demands))
    stuck = _hopeless(subsets, todo, allowed, demands)
    todo = np.setdiff1d(todo, stuck, assume_unique=True)
    if prices is not None:
        blanks[todo] = _cheapest_here(subsets, todo, blanks[todo], demands, prices, allowed)
        progress("choosing blanks", 1.0)
        return blanks, np.union1d(stuck, todo[blanks[todo] == 0])
    start, tried = len(todo), 0
    sets = in_order_of_cost(costs, allowed, afford)
    while len(todo):
        if tried in LOOK:
            check_reach(cells, todo, demands, costs=costs, allowed=allowed)
        few = subsets.narrows and _FEW * len(todo) < len(cells)
        some = list(islice(sets, _TOGETHER - tried % _TOGETHER if few else 1))
        if not some:
            break
        tried += len(some)
        tell = partial(progress, "choosing blanks", 1 - len(todo) / start)
        tell()
        if few:
            blanks[todo] = _first_that_helps(subsets, todo, some, demands, tell)
            safe = blanks[todo] != 0
        else:
            safe = _made_safe(subsets, todo, some[0], demands)
            blanks[todo[safe]] = some[0]
        todo = todo[~safe]
    progress("choosing blanks", 1.0)
    return blanks, np.union1d(stuck, todo)


def _made_safe(
    subsets: Subsets, rows: Index, dropped: int, demands: Sequence[KeySetDemand]
) -> NDArray[np.bool_]:
    """Tell which of some cells blanks of some keys make safe."""
    if subsets.complete:
        return ~find_unsafe(subsets, rows, dropped, demands)
    # Blanking what is missing already is never the cheapest.
    safe: NDArray[np.bool_] = (subsets.shown[rows] & dropped) == dropped
    safe[safe] = ~find_unsafe(subsets, rows[safe], dropped, demands)
    return safe


def _first_that_helps(
    subsets: Subsets,
    rows: Index,
    sets: Sequence[int],
    demands: Sequence[KeySetDemand],
    tell: Callable[[], None],
) -> Masks:
    """Return for each of some cells the first set of keys whose blanks make it safe, or none."""
    rank = {dropped: place for place, dropped in enumerate(sets)}
    best = np.full(len(rows), len(sets))

    def asking(some: Sequence[int]) -> Index:
        return rows[best > rank[some[0]]]

    for narrowed, dropped in subsets.walk(sets, asking, keys=_common_keys(demands)):
        tell()
        able = np.flatnonzero(best > rank[dropped])
        safe = able[_made_safe(narrowed, rows[able], dropped, demands)]
        best[safe] = rank[dropped]
    chosen: Masks = np.array([*sets, 0])[best]
    return chosen


def _common_keys(demands: Sequence[KeySetDemand]) -> int:
    """Return the keys that all demands have in common."""
    return reduce(and_, (demand.keys for demand in demands), -1)


def _cheapest_here(
    subsets: Subsets,
    rows: Index,
    taken: Masks,
    demands: Sequence[KeySetDemand],
    prices: Floats,
    allowed: int,
    *,
    gaps_count: bool = True,
) -> Masks:
    """Return the cheapest keys to blank in some cells besides what is blank there already."""
    shown = subsets.shown[rows] & ~taken
    offered = np.where(shown >> np.arange(len(prices))[:, None] & 1, prices[:, rows], np.inf)

    def safe(dropped: int, some: Index) -> NDArray[np.bool_]:
        wider = taken[some] | dropped
        return ~find_unsafe(subsets, rows[some], wider, demands, gaps_count=gaps_count)

    return cheapest_sets(offered, allowed, safe)[0]


def blank_strict(
    cells: Cells,
    demands: Sequence[KeySetDemand],
    *,
    costs: Sequence[float],
    prices: Floats | None = None,
    spared: int = 0,
    afford: Afford = no_limit,
    progress: Progress = silent,
) -> CellBlanks:
    """Find blanks that make each cell safe even if records with gaps are ignored.

    Who still shows S needs enough released records that show all of S and agree. Starts from
    `own`, adds the cheapest further blanks where that does not suffice, until it does, and then
    takes back every blank that turned out unnecessary: showing more never harms others.

    Assumes:
        As `own`. The result is not always the minimum, as one record's blanks change what
        others need.
    """
    blanks, stuck = own_keys(
        cells,
        demands,
        costs=costs,
        prices=prices,
        spared=spared,
        afford=afford,
        progress=progress,
    )
    allowed = (1 << len(cells.keys)) - 1 & ~spared
    rows = np.setdiff1d(np.arange(len(cells)), stuck, assume_unique=True)
    while True:
        progress("checking without gaps", 0.0)
        released = Subsets(cells, blanks)
        failing = rows[find_unsafe(released, rows, blanks[rows], demands, gaps_count=False)]
        if not len(failing):
            break
        hopeless = _hopeless(released, failing, allowed, demands, gaps_count=False)
        todo = np.setdiff1d(failing, hopeless, assume_unique=True)
        if prices is not None:
            extra_keys = _cheapest_here(
                released, todo, blanks[todo], demands, prices, allowed, gaps_count=False
            )
            blanks[todo] |= extra_keys
            todo = todo[extra_keys == 0]
        for extra in in_order_of_cost(costs, allowed, afford):
            if prices is not None or not len(todo):
                break
            able = todo[(released.shown[todo] & ~blanks[todo] & extra) == extra]
            wider = blanks[able] | extra
            safe = ~find_unsafe(released, able, wider, demands, gaps_count=False)
            blanks[able[safe]] = wider[safe]
            todo = np.setdiff1d(todo, able[safe], assume_unique=True)
        left = np.union1d(hopeless, todo)
        stuck = np.union1d(stuck, left)
        rows = np.setdiff1d(rows, left, assume_unique=True)
    _take_back(cells, demands, blanks, rows, costs)
    return CellBlanks.whole(cells, blanks, stuck)


def _take_back(
    cells: Cells,
    demands: Sequence[KeySetDemand],
    blanks: Masks,
    rows: Index,
    costs: Sequence[float],
) -> None:
    """Show again what need not be blank, the dearest keys first."""
    count, weight = cells.count.astype(np.float64), cells.weight
    changed = True
    while changed:
        changed = False
        for key in sorted(range(len(costs)), key=lambda j: -costs[j]):
            able = rows[(blanks[rows] >> key & 1) == 1]
            fewer = blanks[able] & ~np.int64(1 << key)
            released = Subsets(cells, blanks)
            safe = np.ones(len(able), np.bool_)
            for demand in demands:
                f, F = released.frequencies(able, demand.keys & ~fewer, gaps_count=False)
                # Those of the cell itself do not show the key yet, but would.
                hidden = ((demand.keys >> key) & 1) == 1
                failing = demand.unsafe(
                    able,
                    demand.keys & ~fewer,
                    f + count[able] * hidden,
                    F + weight[able] * hidden,
                )
                safe &= ~(failing & _applies(demand, released.shown[able], fewer))
            blanks[able[safe]] = fewer[safe]
            changed |= bool(safe.any())


def find_unsafe(
    subsets: Subsets,
    rows: Index,
    dropped: int | Masks,
    demands: Sequence[KeySetDemand],
    *,
    gaps_count: bool = True,
) -> NDArray[np.bool_]:
    """Tell which cells fail a demand once some keys are blanked."""
    result = np.zeros(len(rows), np.bool_)
    for demand in demands:
        left: Index | slice = slice(None)
        if demand.whole or result.any():
            left = np.flatnonzero(~result & _applies(demand, subsets.shown[rows], dropped))
        if len(some := rows[left]):
            kept = demand.keys & ~(dropped if isinstance(dropped, int) else dropped[left])
            f, F = demand.count(subsets, some, kept, gaps_count=gaps_count)
            # Where nothing is missing, all who match truly agree.
            known = F if gaps_count and subsets.complete else None
            result[left] = demand.unsafe(some, kept, f, F, known=known)
    return result


def _hopeless(
    subsets: Subsets,
    rows: Index,
    allowed: int,
    demands: Sequence[KeySetDemand],
    *,
    gaps_count: bool = True,
) -> Index:
    """Return the cells that fail a demand even if all keys that may be are blanked."""
    certain = [demand for demand in demands if demand.monotone]
    return rows[find_unsafe(subsets, rows, allowed, certain, gaps_count=gaps_count)]


def leaning(cells: Cells, demands: Sequence[KeySetDemand], blanks: CellBlanks) -> int:
    """Count the records that are safe only through others' blanks.

    What they still show was not safe in the original file.
    """
    subsets = Subsets(cells)
    kept = blanks.count_kept(cells)
    rows = np.setdiff1d(np.flatnonzero(kept), blanks.stuck)
    alone = find_unsafe(subsets, rows, 0, demands)
    after = find_unsafe(subsets, blanks.cell, blanks.keys, demands)
    return int(kept[rows[alone]].sum()) + int(blanks.count[after].sum())


def _applies(demand: KeySetDemand, shown: Masks, dropped: int | Masks) -> NDArray[np.bool_]:
    """Tell which cells a demand is about, given what they show and what is blanked."""
    if not demand.whole:
        return np.ones(len(shown), np.bool_)
    whole: NDArray[np.bool_] = (shown & ~dropped & demand.keys) == demand.keys
    return whole


def cost_of_keys(
    cells: Cells,
    costs: Mapping[str, float] | str | None,
    spared: Sequence[str],
    *,
    free: bool = False,
) -> list[float]:
    """Return the cost of blanking each key: 1, what the user says, or its entropy.

    Args:
        cells: Of the file.
        costs: What the user says.
        spared: Keys that must not be blanked.
        free: Whether a blank may cost nothing.
    """
    for name in [*(costs if isinstance(costs, Mapping) else []), *spared]:
        if name not in cells.keys:
            raise UsageError(f"{name!r} is not a key, so it cannot be blanked or spared.")
    if costs is None:
        return [1.0] * len(cells.keys)
    if isinstance(costs, str):
        if costs != "entropy":
            raise UsageError("Costs are numbers by key, or 'entropy'.")
        return [entropy(np.bincount(code, cells.count)[1:]) for code in cells.codes]
    if free and not all(0 <= cost < math.inf for cost in costs.values()):
        raise UsageError("The cost of a bit must be a finite number of at least 0.")
    if not free and not all(0 < cost < math.inf for cost in costs.values()):
        raise UsageError(
            "The cost of a blank must be a finite number above 0. Give keys that may well be "
            "blanked a small one, such as 0.1."
        )
    return [float(costs.get(key, 1.0)) for key in cells.keys]
