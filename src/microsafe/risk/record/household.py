"""Household risk: the chance that at least one member is re-identified."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.sums import Floats, total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HouseholdRisk:
    """Risk of every household.

    Attributes:
        risk: One per household.
        size: Members in the file.
        unassigned: Records without a household id, each taken as a household of one.
    """

    risk: Floats
    size: NDArray[np.int64]
    unassigned: int

    @property
    def max(self) -> float:
        """Largest household risk."""
        return float(self.risk.max())

    @property
    def expected(self) -> float:
        """Expected number of records whose household is re-identified.

        Each member carries the risk of the household: once one is recognised, so are all.
        """
        return total(self.risk * self.size)

    @property
    def rate(self) -> float:
        """That number as a share of the records."""
        return self.expected / int(self.size.sum())

    @property
    def expected_households(self) -> float:
        """Expected number of households with at least one member re-identified."""
        return total(self.risk)

    def unsafe(self, limit: float) -> int:
        """Households whose risk is above a limit."""
        return int(np.count_nonzero(self.risk > limit))


_CERTAIN = 800.0  # exp(-800) is zero in double precision, and unlike infinity it adds up


def hazard(risk: Floats) -> Floats:
    """Return -ln(1 - risk), which adds up over independent members."""
    with np.errstate(divide="ignore"):
        return np.minimum(-np.log1p(-risk), _CERTAIN)


def household_risk(hazards: Floats) -> Floats:
    """Return 1 - Π(1 - r) from the sum of the members' hazards.

    Assumes:
        Members are re-identified independently of each other.

    References:
        Hundepool et al. (2012), Statistical Disclosure Control, section 3.3.
    """
    return -np.expm1(-hazards)
