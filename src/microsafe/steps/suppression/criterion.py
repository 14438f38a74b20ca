"""When a record is unsafe: its risk is above a limit, its cell is too small, or both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.errors import UsageError
from microsafe.risk import individual_risk
from microsafe.sums import Floats

Exceeds = Callable[[Floats, Floats, Floats], NDArray[np.bool_]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """What a released record must meet.

    Attributes:
        above: Risk above which a record is unsafe, or None.
        k: Number of records that must share its keys, or None.
        people: Number of people in the population, as estimated, who must share them, or None.
        factor: Multiplies the base risk (attack model M4).
    """

    above: float | None = None
    k: int | None = None
    people: float | None = None
    factor: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what asks for nothing."""
        if self.above is None and self.k is None and self.people is None:
            raise UsageError("Say what is unsafe: a limit on risk (above) or a count (k).")
        if self.above is not None and not 0 < self.above <= 1:
            raise UsageError("The limit on risk must be above 0 and at most 1.")
        if self.k is not None and self.k < 2:
            raise UsageError("k must be at least 2: every record shares its keys with itself.")
        if self.people is not None and not self.people > 1:
            raise UsageError("The number of people must be above 1.")

    def unsafe(self, f: Floats, F: Floats, exceeds: Exceeds | None = None) -> NDArray[np.bool_]:
        """Tell which pairs of frequencies are unsafe.

        Args:
            f: Records.
            F: People, as estimated.
            exceeds: Tells where the base risk is above limits; by f and F alone if None.
        """
        result = np.zeros(len(f), np.bool_)
        if self.k is not None:
            result |= f < self.k
        if self.people is not None:
            result |= self.people > F
        if self.above is not None:
            result |= (exceeds or above_limit)(f, F, np.full(len(f), self.above / self.factor))
        return result


def above_limit(f: Floats, F: Floats, limit: Floats) -> NDArray[np.bool_]:
    """Tell where the base risk is above a limit.

    1/f is an upper bound of the risk, so most cells need no more than that.
    """
    result = 1.0 / f > limit
    result[result] = individual_risk(f[result], F[result]) > limit[result]
    return result
