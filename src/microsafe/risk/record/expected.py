"""Frequencies in which a gap counts with the chance that it hides the right category.

What a blank hides is known where the original is at hand: then partners are looked up there, and
a record matches those who have what it shows, whether or not they still show it. Only gaps that the
original has itself are estimated. A record that shows keys A may match one with gaps only on C,
a part of A. The chance that the gaps hide what the record shows is taken from those who show all
of A: of the people who agree with the record on C, the share that agrees on all of A.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells
from microsafe.progress import Progress, silent
from microsafe.risk.record.compatible import Branches
from microsafe.risk.record.subsets import Subsets
from microsafe.risk.record.wildcard import Matches, branches_if_cheaper, sections_of
from microsafe.sums import Floats, sum_by

_STAGE = "weighing gaps"
_MOST_PAIRS = 1 << 24  # of cells, that are held at a time


def expected_matches(
    cells: Cells, *, original: Cells | None = None, progress: Progress = silent
) -> Matches:
    """Add up the compatible cells of every cell, matches that rest on gaps by their chance.

    Args:
        cells: As released.
        original: The same records and keys before values were suppressed, if that is known.
        progress: Progress callback.

    Assumes:
        Values are missing independently of what they are, given the other keys. Blanks are not:
        without the original, matches that rest on them are overstated several times.
    """
    subsets = Subsets(cells)
    partners = subsets
    if original is not None:
        partners = Subsets(original, asking=cells.coded_as(original))
    branches = branches_if_cheaper(cells, most=_MOST_PAIRS) if original is None else None
    shown, gap = np.zeros((2, len(cells))), np.zeros((2, len(cells)))
    masks = np.unique(subsets.shown)
    for done, mask in enumerate(masks.tolist()):
        progress(_STAGE, done / len(masks))
        rows = np.flatnonzero(subsets.shown == mask)
        shown[:, rows] = subsets.frequencies(rows, mask, gaps_count=False)
        alike = shown[:, rows]
        if original is not None:
            alike = np.stack(partners.frequencies(rows, mask, gaps_count=False))
            # Whoever hides now what the record shows: all that had it, but those who show it.
            gap[:, rows] = np.maximum(alike - shown[:, rows], 0.0)
        if branches is not None:
            continue
        for shared, sums in partners.partners(mask, rows):
            hit = np.flatnonzero(sums[0])
            if shared != mask and len(hit):
                _, agreeing = partners.frequencies(rows[hit], shared, showing=mask)
                gap[:, rows[hit]] += sums[:, hit] * (alike[1, hit] / agreeing)
    if branches is not None:
        _add_pairs(subsets, branches, shown[1], gap, progress)
    progress(_STAGE, 1.0)
    (f, F), (gap_f, gap_F) = shown, gap
    return Matches(shown=f, shown_weight=F, gap=gap_f, gap_weight=gap_F)


def _add_pairs(
    subsets: Subsets,
    branches: Branches,
    alike: Floats,
    gap: NDArray[np.float64],
    progress: Progress,
) -> None:
    """Add what matches through gaps, by pairs, in the order in which masks would be gone through.

    Args:
        subsets: Of the cells.
        branches: The tree of the cells.
        alike: Weight of those who show all that each cell shows, and agree.
        gap: Is added to.
        progress: Progress callback.
    """
    shown, cells = subsets.shown, subsets.cells
    found = list(branches.pairs(lambda _: progress(_STAGE, 1.0)))
    left, right = (np.concatenate([pair[side] for pair in found]) for side in (0, 1))
    cell, partner = np.concatenate([left, right]), np.concatenate([right, left])
    through_gap = np.flatnonzero(shown[cell] & ~shown[partner])
    if not len(through_gap):
        return
    cell, partner = cell[through_gap], partner[through_gap]
    order = np.lexsort((partner, shown[partner], shown[cell]))
    cell, partner = cell[order], partner[order]
    values = np.stack([cells.count.astype(np.float64), cells.weight])
    masks = np.unique(shown)
    for mask, section in sections_of(shown[cell]).items():
        progress(_STAGE, 1.0)
        asking, others = cell[section], partner[section]
        over = shown[others] & mask
        known, first = np.unique(masks & mask, return_index=True)
        occurring = np.isin(known, over)
        for shared in known[occurring][np.argsort(first[occurring])].tolist():
            some = over == shared
            rows, group = np.unique(asking[some], return_inverse=True)
            sums = np.stack([sum_by(group, each[others[some]], len(rows)) for each in values])
            _, agreeing = subsets.frequencies(rows, shared, showing=mask)
            gap[:, rows] += sums * (alike[rows] / agreeing)
