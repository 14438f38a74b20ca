"""Frequencies in which a gap counts with the chance that it hides the right category.

A record that shows keys A may match one with gaps only on C, a part of A. The chance that the gaps
hide what the record shows is estimated from those who show all of A: of the people who agree
with the record on C, the share that agrees on all of A.
"""

from __future__ import annotations

import numpy as np

from microsafe.cells import Cells
from microsafe.progress import Progress, silent
from microsafe.risk.record.subsets import Subsets
from microsafe.risk.record.wildcard import Matches


def expected_matches(cells: Cells, *, progress: Progress = silent) -> Matches:
    """Add up the compatible cells of every cell, matches that rest on gaps by their chance.

    Assumes:
        Values are missing, or were blanked, independently of what they are, given the other keys.
    """
    subsets = Subsets(cells)
    shown, gap = np.zeros((2, len(cells))), np.zeros((2, len(cells)))
    masks = np.unique(subsets.shown)
    for done, mask in enumerate(masks.tolist()):
        progress("weighing gaps", done / len(masks))
        rows = np.flatnonzero(subsets.shown == mask)
        shown[:, rows] = subsets.frequencies(rows, mask, gaps_count=False)
        for shared, sums in subsets.partners(mask, rows):
            if shared != mask:
                _, agreeing = subsets.frequencies(rows, shared, showing=mask)
                gap[:, rows] += sums * (shown[1, rows] / agreeing)
    progress("weighing gaps", 1.0)
    (f, F), (gap_f, gap_F) = shown, gap
    return Matches(shown=f, shown_weight=F, gap=gap_f, gap_weight=gap_F)
