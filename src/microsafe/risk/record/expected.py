"""Frequencies in which a gap counts with the chance that it hides the right category.

What a blank hides is known where the original is at hand: then partners are looked up there, and
a record matches those who have what it shows, whether or not they still show it. Only gaps that the
original has itself are estimated. A record that shows keys A may match one with gaps only on C,
a part of A. The chance that the gaps hide what the record shows is taken from those who show all
of A: of the people who agree with the record on C, the share that agrees on all of A.
"""

from __future__ import annotations

import numpy as np

from microsafe.cells import Cells
from microsafe.progress import Progress, silent
from microsafe.risk.record.subsets import Subsets
from microsafe.risk.record.wildcard import Matches

_STAGE = "weighing gaps"


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
        for shared, sums in partners.partners(mask, rows):
            if shared != mask:
                _, agreeing = partners.frequencies(rows, shared, showing=mask)
                gap[:, rows] += sums * (alike[1] / agreeing)
    progress(_STAGE, 1.0)
    (f, F), (gap_f, gap_F) = shown, gap
    return Matches(shown=f, shown_weight=F, gap=gap_f, gap_weight=gap_F)
