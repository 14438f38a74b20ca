"""When a record is unsafe: its risk is above a limit, its cell is too small, or both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.errors import UsageError
from microsafe.risk import individual_risk
from microsafe.sums import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """What a released record must meet.

    Attributes:
        above: Risk above which a record is unsafe, or None.
        k: Number of records that must share its keys, or None.
        factor: Multiplies the base risk (attack model M4).
    """

    above: float | None = None
    k: int | None = None
    factor: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what asks for nothing."""
        if self.above is None and self.k is None:
            raise UsageError("Say what is unsafe: a limit on risk (above) or a count (k).")
        if self.above is not None and not 0 < self.above <= 1:
            raise UsageError("The limit on risk must be above 0 and at most 1.")
        if self.k is not None and self.k < 2:
            raise UsageError("k must be at least 2: every record shares its keys with itself.")

    def unsafe(self, f: Floats, F: Floats) -> NDArray[np.bool_]:
        """Tell which pairs of frequencies are unsafe."""
        result = np.zeros(len(f), np.bool_)
        if self.k is not None:
            result |= f < self.k
        if self.above is not None:
            # 1/F is a lower and 1/f an upper bound of the risk: most cells need no more.
            base = self.above / self.factor
            doubtful = (1.0 / f > base) & ~result
            result[doubtful] = individual_risk(f[doubtful], F[doubtful]) > base
        return result
