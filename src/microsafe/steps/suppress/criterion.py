"""What must hold: when a record is unsafe, and by which keys that is asked.

A record is unsafe if its risk is above a limit, its cell is too small, or both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.errors import UsageError
from microsafe.risk import individual_risk
from microsafe.risk.record.reference import MatchingPeople
from microsafe.risk.record.retention import KeptKeys
from microsafe.risk.record.subset_frequencies import Masks, Subsets
from microsafe.sums import Floats

_MANY = 1 << 12  # cells that repay finding where risk meets a limit
_NEAR = 1e-9  # of a number of people: far above the error of a risk

Exceeds = Callable[[Floats, Floats, Floats], NDArray[np.bool_]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyCriterion:
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

    @property
    def weighs(self) -> bool:
        """Whether weights matter, not only counts."""
        return self.above is not None or self.people is not None

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeySetDemand:
    """What must hold for one set of keys.

    Attributes:
        keys: The set: the keys of a scenario, or a combination that must not be rare.
        criterion: What records must meet.
        whole: Whether the demand falls away once one of the keys is blank.
        limits: A limit on base risk for each cell instead of the criterion's, infinite where
            nothing is asked.
        crowd: Those who share what each cell shows, if risk is by a model; else by f and F.
        kept: Chances that keys which were perturbed are as they were; None if none was.
    """

    keys: int
    criterion: SafetyCriterion
    whole: bool = False
    limits: Floats | None = None
    crowd: MatchingPeople | None = None
    kept: KeptKeys | None = None

    def count(
        self, subsets: Subsets, rows: Index, keys: int | Masks, *, gaps_count: bool = True
    ) -> tuple[Floats, Floats]:
        """Return f and F of some cells, seen by some keys only.

        A gap that the file came with, or a blank of an earlier step, is no match where a model
        knows what it hides.

        Args:
            subsets: Where records are counted.
            rows: Which cells.
            keys: By which keys.
            gaps_count: Whether partners count that match only because of a gap or blank of theirs.
        """
        if self.crowd is None or not self.crowd.are_looked_up:
            return subsets.frequencies(rows, keys, gaps_count=gaps_count)
        if gaps_count:
            return self.crowd.frequencies(rows, keys)
        return subsets.frequencies(rows, keys, gaps_count=False)

    def unsafe(
        self, rows: Index, keys: int | Masks, f: Floats, F: Floats, *, known: Floats | None = None
    ) -> NDArray[np.bool_]:
        """Tell which of some cells fail, seen by some keys only.

        Args:
            rows: Which cells.
            keys: By which keys.
            f: Records that match.
            F: Their weight.
            known: Weight of those who truly share what is seen; looked up if None.
        """
        exceeds: Exceeds = above_limit
        if self.crowd is not None:
            exceeds = partial(self.crowd.above, rows=rows, keys=keys, known=known)
        if self.kept is not None:
            exceeds = _allow_for(self.kept.chance_of(rows, keys), exceeds)
        if self.limits is not None:
            return exceeds(f, F, self.limits[rows])
        return self.criterion.unsafe(f, F, exceeds)

    def risk(
        self, rows: Index, keys: int | Masks, f: Floats, F: Floats, *, known: Floats | None = None
    ) -> Floats:
        """Return the base risk of some cells, seen by some keys only; arguments as for `unsafe`."""
        if self.crowd is None:
            return individual_risk(f, F)
        return self.crowd.chances(f, F, rows=rows, keys=keys, known=known)

    @property
    def monotone(self) -> bool:
        """Whether what meets it goes on doing so if it is shared by more, and nothing else does."""
        return not self.whole and self.crowd is None

    def put_to(self, cells: Cells) -> KeySetDemand:
        """Return the demand on all keys of other cells of the same file."""
        crowd = None if self.crowd is None else self.crowd.reference.look_up(cells)
        return replace(self, keys=(1 << len(cells.keys)) - 1, limits=None, crowd=crowd)

    def known_weight(self, rows: Index, keys: int | Masks) -> Floats | None:
        """Weight of those who truly share what some cells show, if that is asked for."""
        return None if self.crowd is None else self.crowd.known_weight(rows, keys)


def _allow_for(chance: Floats, exceeds: Exceeds) -> Exceeds:
    """Return a test of the base risk times the chance that keys were kept."""

    def allow(f: Floats, F: Floats, limit: Floats) -> NDArray[np.bool_]:
        with np.errstate(divide="ignore"):
            return exceeds(f, F, limit / chance)

    return allow
