"""A limit on risk as a table: how many people a cell of so many records needs to be safe."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microsafe.risk import individual_risk
from microsafe.steps.suppression import Criterion
from microsafe.sums import Floats

_LARGEST = 1 << 14  # entries of the table; beyond it the risk itself is asked for
_NEAR = 1e-9  # closer than this to the threshold, the risk itself decides
_HALVINGS = 45


class Threshold:
    """Tells which cells fail a criterion, as the criterion does, but much faster.

    Risk falls in F with f fixed and is at most 1/f, so a limit is a table F*(f) of length
    1/limit: a cell is safe if F is at least that. Where F is so near that rounding decides, the
    risk is computed, so that both always agree.

    Args:
        criterion: What records must meet.
    """

    def __init__(self, criterion: Criterion) -> None:
        self.criterion = criterion
        self._needed: Floats | None = None
        if criterion.above is not None and criterion.factor < criterion.above * _LARGEST:
            self._needed = _needed_people(criterion.above / criterion.factor)

    def unsafe(self, f: Floats, F: Floats) -> NDArray[np.bool_]:
        """Tell which pairs of frequencies are unsafe; f are whole numbers."""
        if self.criterion.above is not None and self._needed is None:
            return self.criterion.unsafe(f, F)
        result = np.zeros(len(f), np.bool_)
        if self.criterion.k is not None:
            result |= f < self.criterion.k
        if self.criterion.people is not None:
            result |= self.criterion.people > F
        if self._needed is not None:
            needed = self._needed[np.minimum(f, len(self._needed) - 1).astype(np.intp)]
            result |= needed * (1 - _NEAR) > F
            near = np.flatnonzero(~result & (needed * (1 + _NEAR) > F))
            result[near] = self.criterion.unsafe(f[near], F[near])
        return result

    def exposure(self, f: Floats, F: Floats) -> float:
        """Return what of the expected re-identifications rests on cells that could be unsafe.

        Without a limit on risk it is the number of unsafe records.
        """
        if self._needed is None:
            return float(f[self.unsafe(f, F)].sum())
        small = np.flatnonzero(f < len(self._needed) - 1)
        return float((f[small] * individual_risk(f[small], F[small])).sum())


def _needed_people(limit: float) -> Floats:
    """F*(f) for f = 0, 1, ... up to the first that is safe whatever F is."""
    f = np.arange(1, int(np.ceil(1 / limit)) + 2, dtype=np.float64)
    f = f[1.0 / f > limit]
    low, high = f.copy(), 2 * f
    while (above := individual_risk(f, high) > limit).any():
        low[above], high[above] = high[above], 2 * high[above]
    for _ in range(_HALVINGS):
        middle = np.sqrt(low * high)
        above = individual_risk(f, middle) > limit
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.concatenate([[0.0], high, [0.0]])
