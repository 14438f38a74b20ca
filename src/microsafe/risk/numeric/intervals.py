"""Intervals: does the original lie near what was released, on every variable?

References:
    Mateo-Sanz, Sebé and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from microsafe.risk.numeric.pairs import NumberPairs
from microsafe.sums import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """Records whose originals lie within an interval around what was released.

    Attributes:
        width: Half the interval: a share of the originals' standard deviation, or of the ranks.
        by_ranks: Which of the two.
        share: Of the records, on every variable at once; a blank discloses nothing.
        by_variable: The same for each variable alone.
    """

    width: float
    by_ranks: bool
    share: float
    by_variable: dict[str, float]


def measure_intervals(pairs: NumberPairs, *, width: float, by_ranks: bool = False) -> Intervals:
    """Return which share of the records is disclosed by intervals."""
    inside = np.ones(pairs.records, np.bool_)
    shares = {}
    for name, before, after, spread in zip(
        pairs.names, pairs.before, pairs.after, pairs.spreads(), strict=True
    ):
        if by_ranks:
            near = _rank_distance(before, after) <= width * np.count_nonzero(~np.isnan(before))
        else:
            # As near as can be told: 0.3 - 0.2 is not 0.1.
            near = np.abs(after - before) <= width * spread * (1 + 1e-12)
        inside &= near
        shares[name] = float(near.mean())
    return Intervals(width=width, by_ranks=by_ranks, share=float(inside.mean()), by_variable=shares)


def _rank_distance(before: Floats, after: Floats) -> Floats:
    """Originals from the own one to the released value; NaN where either is missing."""
    known = np.sort(before[~np.isnan(before)])
    below = [np.searchsorted(known, each, side="left") for each in (before, after)]
    above = [np.searchsorted(known, each, side="right") for each in (before, after)]
    distance = np.maximum(np.maximum(below[1] - above[0] + 1, below[0] - above[1] + 1), 0)
    return np.where(np.isnan(before) | np.isnan(after), np.nan, distance)
