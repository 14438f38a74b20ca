"""Household risk: the chance that at least one member is re-identified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.display import show_number, show_percent, show_rate, show_risk
from microsafe.notices import Notice
from microsafe.results import Rows
from microsafe.risk.record.limit import Curve, Limit, choose_limit
from microsafe.sums import Floats, total

_SIZES_SHOWN = 6  # sizes of household for which the limit of a member is shown


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HouseholdLimit(Limit):
    """A limit on household risk and its consequences; `unsafe` counts households.

    Attributes:
        households: Households in the file.
        households_bound: Most households to be expected with a member re-identified, once none
            is above the limit; `expected_bound` counts the records in them.
        members: Largest risk that each member may have for the household to keep the limit,
            by the sizes of household that occur; none where risk is by the joint keys.
    """

    households: int
    households_bound: float
    members: Mapping[int, float]

    @property
    def title(self) -> str:
        """One line that says what is limited."""
        return "Limit on the risk of households"

    def _rows(self) -> Rows:
        share = show_percent(self.unsafe / self.households)
        yield "household limit", show_risk(self.limit)
        yield "households above it", f"{self.unsafe:,} ({share})"
        yield (
            "expected households after protection",
            f"at most {show_number(self.households_bound)}",
        )
        yield "records in them after protection", f"at most {show_number(self.expected_bound)}"
        yield "household rate after protection", f"at most {show_rate(self.rate_bound)}"
        sizes = sorted(self.members)
        shown = sizes if len(sizes) <= _SIZES_SHOWN else [*sizes[: _SIZES_SHOWN - 1], sizes[-1]]
        for size in shown:
            if size > 1:
                yield f"limit for each of {size} members", show_risk(self.members[size])

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        found = Limit.summary(self)
        found["bound"]["expected_households"] = self.households_bound
        members = {str(size): member for size, member in self.members.items()}
        return found | {"households": self.households, "members": members}

    def _picture(self) -> str:
        return self._draw_split("households", self.households)


def member_limit(limit: float, size: NDArray[np.int64]) -> Floats:
    """Return the risk that each of so many members may have for all of them to keep a limit.

    A household of n members keeps it if none has a risk above 1 - (1 - limit)^(1/n).
    """
    return np.asarray(-np.expm1(np.log1p(-min(limit, 1 - 1e-16)) / size))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HouseholdRisk:
    """Risk of every household.

    Attributes:
        risk: One per household.
        size: Members in the file.
        unassigned: Records without a household id, each taken as a household of one.
        published: Risk by the formula of the papers, where that above is by the joint keys of the
            members; None if it is that formula's itself.
        unique: Chance of each that no other is like it by these keys; None by the formula.
        notices: What to know before trusting the risk by these keys.
    """

    risk: Floats
    size: NDArray[np.int64]
    unassigned: int
    published: Floats | None = None
    unique: Floats | None = None
    notices: tuple[Notice, ...] = ()

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

    @property
    def by_formula(self) -> HouseholdRisk:
        """The same by the formula of the papers."""
        if self.published is None:
            return self
        return replace(self, risk=self.published, published=None, unique=None, notices=())

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "max": self.max,
            "expected": self.expected,
            "rate": self.rate,
            "households": len(self.risk),
            "expected_households": self.expected_households,
        }

    def unsafe(self, limit: float) -> int:
        """Households whose risk is above a limit."""
        return int(np.count_nonzero(self.risk > limit))

    @property
    def curve(self) -> Curve:
        """The exceedance curve of the households' risks: each household counts once."""
        return Curve.of(self.risk, np.ones(len(self.risk), np.int64))

    def choose(
        self,
        *,
        risk: float | None = None,
        rate: float | None = None,
        expected_households: float | None = None,
        unsafe: int | None = None,
    ) -> HouseholdLimit:
        """Return the limit on household risk that meets one of four targets.

        Args:
            risk: The limit itself.
            rate: Largest tolerable household re-identification rate after protection.
            expected_households: Largest tolerable expected number of households with a member
                re-identified, after protection.
            unsafe: Most households that may be treated.
        """
        curve, by_record = self.curve, Curve.of(self.risk, self.size)
        chosen = choose_limit(
            curve if rate is None else by_record,  # a rate is a share of the records
            risk=risk,
            rate=rate,
            expected=expected_households,
            unsafe=unsafe,
        )
        found, records = curve.at(chosen.limit), by_record.at(chosen.limit)
        # By joint keys there is no such limit: it hangs on what the members are together.
        sizes = np.unique(self.size if self.published is None else self.size[:0])
        each = member_limit(chosen.limit, sizes)
        return HouseholdLimit(
            limit=chosen.limit,
            unsafe=found.unsafe,
            records=records.records,
            expected_bound=records.expected_bound,
            households=found.records,
            households_bound=found.expected_bound,
            members=dict(zip(sizes.tolist(), each.tolist(), strict=True)),
        )


_CERTAIN = 800.0  # exp(-800) is zero in double precision, and unlike infinity it adds up


def hazard(risk: Floats) -> Floats:
    """Return -ln(1 - risk), which adds up over independent members."""
    with np.errstate(divide="ignore"):
        return np.minimum(-np.log1p(-risk), _CERTAIN)


def household_risk(hazards: Floats) -> Floats:
    """Return 1 - Π(1 - r) from the sum of the members' hazards.

    Assumes:
        Members are re-identified independently of each other: it says nothing of an intruder who
        knows who lives with whom, and compares the joint keys of all (docs/methods/family.md).

    References:
        Hundepool et al. (2012), Statistical Disclosure Control, section 3.3.
    """
    return -np.expm1(-hazards)
