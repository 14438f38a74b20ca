"""When a record is unsafe: its risk is above a limit, its cell is too small, or both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from microsafe.errors import UsageError
from microsafe.risk import individual_risk
from microsafe.sums import Floats

_MANY = 1 << 12  # cells that repay finding where risk meets a limit
_NEAR = 1e-9  # of a number of people: far above the error of a risk

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

    1/f is an upper bound of the risk, so most cells need no more than that. Risk falls with F, so
    where many whole f share one limit, F is compared with the number of people at which risk
    meets it; next to that number risk itself decides.
    """
    if len(f) >= _MANY and bool((limit == limit[0]).all()) and _are_few(f, F, float(limit[0])):
        people = _people_at_limit(float(limit[0]))[np.minimum(f, _MANY).astype(np.intp)]
        result = people > F
        where = np.flatnonzero(np.abs(F - people) <= _NEAR * people)
    else:
        result = 1.0 / f > limit
        where = np.flatnonzero(result)
    result[where] = individual_risk(f[where], F[where]) > limit[where]
    return result


def _are_few(f: Floats, F: Floats, limit: float) -> bool:
    """Tell whether risk is defined for all f, and only few whole ones may exceed the limit."""
    if not (f.min() >= 1 and np.isfinite(F.max()) and bool((f <= F).all())):
        return False
    few = f.max() <= _MANY or limit * _MANY >= 1.0
    return bool(few) and limit > _NEAR and bool((f == np.rint(f)).all())


@lru_cache(maxsize=16)
def _people_at_limit(limit: float) -> Floats:
    """Return, for each f from 0 to the most, the F at which risk meets a limit; 0 if none does."""
    f = np.arange(1.0, _MANY + 1.0)
    f = f[1.0 / f > limit]
    low, high = f.copy(), 2.0 * f
    while (above := individual_risk(f, high) > limit).any():
        low, high = np.where(above, high, low), np.where(above, 2.0 * high, high)
    while (high - low > _NEAR / 8 * low).any():
        middle = (low + high) / 2.0
        above = individual_risk(f, middle) > limit
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.concatenate([[0.0], high, np.zeros(_MANY - len(high))])
