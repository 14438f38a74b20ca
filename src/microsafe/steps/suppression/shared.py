"""Suppression in which others' blanks count: fewer blanks, and a weaker guarantee.

A blank is a wildcard: it makes a record match all that agree with it on the other keys, so
one blank may lift a whole group of look-alikes above the limit. Taken to the end that is
absurd (two wholly blanked records match everybody), so no record loses more keys than
`own` would take from it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.progress import Progress, silent
from microsafe.risk.record.subsets import Masks
from microsafe.risk.record.wildcard import matches
from microsafe.steps.suppression.blanks import Blanks
from microsafe.steps.suppression.order import Afford, no_limit
from microsafe.steps.suppression.own import Demand, own_keys
from microsafe.steps.suppression.polish import Polish
from microsafe.steps.suppression.rounds import blank_greedily
from microsafe.sums import Floats

_STAGE = "sharing blanks"
_BOTH_UP_TO = (
    1 << 13
)  # unsafe records; with more the search could not get far from the blanks of `own`


def blank_shared(
    cells: Cells,
    demands: Sequence[Demand],
    *,
    costs: Sequence[float],
    spared: int = 0,
    afford: Afford = no_limit,
    progress: Progress = silent,
) -> Blanks:
    """Find few blanks such that every record is safe if all wildcards are counted.

    A greedy choice per demand: blank the key of the record that helps most unsafe records,
    itself included, for its cost; then two keys where one does not help, and so on. What is still
    unsafe when counted exactly gets the blanks of `own`. A local search of bounded effort follows.

    Args:
        cells: Cells of all keys of all demands, records of different weight in different cells.
        demands: What must hold, for which keys.
        costs: Of blanking each key.
        spared: Keys that must not be blanked.
        afford: Told how many sets of keys have to be remembered; may refuse so many.
        progress: Progress callback.

    Assumes:
        The intruder cannot guess what a gap hides. Where blanks are few and their keys are
        predictable from the others, that flatters: see the risk under `missing="expected"`.
    """
    most, stuck = own_keys(
        cells, demands, costs=costs, spared=spared, afford=afford, progress=progress
    )
    owners = np.flatnonzero(most)
    cell = np.repeat(owners, cells.count[owners])
    keys = np.zeros(len(cell), np.int64)
    for demand in demands:
        keys |= blank_greedily(
            cells, demand, cell, most[cell], costs=costs, spared=spared, progress=progress
        )
    too_many = np.bitwise_count(keys) > np.bitwise_count(most[cell])
    keys[too_many] = most[cell[too_many]]
    # Where keys differ in cost, what `own` chose by cost may be the better start.
    both = len(set(costs)) > 1 and len(cell) <= _BOTH_UP_TO
    starts = [keys, most[cell]] if both else [keys]
    found = []
    for start in starts if len(cell) else []:
        counts = _settle(cells, demands, cell, start, most[cell], progress)
        polish = Polish(cells, demands, cell, start, counts, costs=costs, spared=spared)
        found.append((polish.improve(progress), polish.cost))
    if found:
        keys = min(found, key=lambda each: each[1])[0]
        _settle(cells, demands, cell, keys, most[cell], progress)
    return _collect_blanks(cell, keys, stuck)[0]


def _settle(
    cells: Cells,
    demands: Sequence[Demand],
    cell: Index,
    keys: Masks,
    most: Masks,
    progress: Progress,
) -> list[Floats]:
    """Blank what `own` would where records are unsafe, all matches counted; return f and F."""
    while True:
        progress(_STAGE, 1.0)
        counts, unsafe = _count_released(cells, demands, cell, keys)
        unsafe &= keys != most
        if not unsafe.any():
            return counts
        keys[unsafe] = most[unsafe]


def _collect_blanks(cell: Index, keys: Masks, stuck: Index) -> tuple[Blanks, Index]:
    """Put records of the same cell and blanks together; return also which of these each is in."""
    blanked = np.flatnonzero(keys)
    blanked = blanked[np.lexsort((keys[blanked], cell[blanked]))]
    new = np.ones(len(blanked), np.bool_)
    new[1:] = (np.diff(cell[blanked]) != 0) | (np.diff(keys[blanked]) != 0)
    row = np.full(len(cell), -1, np.intp)
    row[blanked] = np.cumsum(new) - 1
    first = blanked[new]
    count = np.bincount(row[blanked], minlength=len(first))
    return Blanks(cell=cell[first], keys=keys[first], count=count, stuck=stuck), row


def _count_released(
    cells: Cells, demands: Sequence[Demand], cell: Index, keys: Masks
) -> tuple[list[Floats], NDArray[np.bool_]]:
    """Return f and F of records in the file as released by demand, and who fails one."""
    blanks, row = _collect_blanks(cell, keys, np.zeros(0, np.intp))
    released, kept = blanks.apply(cells), blanks.count_kept(cells)
    plain = np.cumsum(kept > 0) - 1
    rows = np.where(row < 0, plain[cell], np.count_nonzero(kept) + row)
    counts, unsafe = [], np.zeros(len(cell), np.bool_)
    for demand in demands:
        names = [key for j, key in enumerate(cells.keys) if demand.keys >> j & 1]
        merged, group = released.project(names)
        f, F = matches(merged).frequencies(1.0)
        failing = demand.put_to(merged).unsafe(np.arange(len(merged)), -1, f, F)
        counts.append(np.stack([f, F])[:, group[rows]])
        unsafe |= failing[group[rows]]
    return counts, unsafe
