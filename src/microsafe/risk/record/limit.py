"""Choosing a limit: how many records are above it, and what protection would leave.

A record is unsafe if its risk is above the limit. After protection the expected number of
re-identifications is at most bound(r) = Σ(risks up to r) + r x (records above r), which is what
a tolerable expected number or rate is compared with.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.display import show_number, show_percent, show_rate, show_risk
from microsafe.errors import UsageError
from microsafe.results import Result, Rows
from microsafe.sums import Exact, Floats
from microsafe.svg import draw_bars, draw_columns

_COLUMNS = 30  # of a small picture


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Limit(Result):
    """A limit and its consequences.

    Attributes:
        limit: Largest risk that counts as safe.
        unsafe: Records above it.
        records: Records in the file.
        expected_bound: Most re-identifications to be expected once no record is above it.
    """

    limit: float
    unsafe: int
    records: int
    expected_bound: float

    @property
    def rate_bound(self) -> float:
        """The bound as a share of the records."""
        return self.expected_bound / self.records

    @property
    def title(self) -> str:
        """One line that says what is limited."""
        return "Limit on the risk of records"

    def _rows(self) -> Rows:
        return [
            ("limit", show_risk(self.limit)),
            ("records above it", f"{self.unsafe:,} ({show_percent(self.unsafe / self.records)})"),
            ("expected after protection", f"at most {show_number(self.expected_bound)}"),
            ("rate after protection", f"at most {show_rate(self.rate_bound)}"),
        ]

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "limit": self.limit,
            "unsafe": self.unsafe,
            "bound": {"expected": self.expected_bound, "rate": self.rate_bound},
        }

    def _picture(self) -> str:
        return self._draw_split("records", self.records)

    def _draw_split(self, of: str, many: int) -> str:
        """Draw how many are within the limit and above it."""
        split = (("within it", many - self.unsafe), ("above it", self.unsafe))
        bars = [(name, n, f"{n:,} ({show_percent(n / many)})") for name, n in split]
        return draw_bars(f"{of.capitalize()} within and above the limit", bars)


def limit_rows(limit: Limit, unit: str = "records") -> list[tuple[str, str]]:
    """Return the figures of a limit on records, or on persons who have several, as texts."""
    return [(name.replace("records", unit), text) for name, text in limit._rows()]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve:
    """The exceedance curve: everything that a picture of the risks needs.

    Attributes:
        risk: Distinct risks, rising.
        count: Records that have each.
        up_to: Records with that risk or less.
        sum_up_to: Sum of their risks.
    """

    risk: Floats
    count: NDArray[np.int64]
    up_to: NDArray[np.int64]
    sum_up_to: Floats

    @classmethod
    def of(cls, risk: Floats, count: NDArray[np.int64]) -> Curve:
        """Make the curve of cells that have that risk and count."""
        order = np.argsort(risk)  # equal ones are added up
        ordered = risk[order]
        start = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
        distinct, counts = ordered[start], np.add.reduceat(count[order], start)
        return cls(
            risk=distinct,
            count=counts,
            up_to=np.cumsum(counts),
            sum_up_to=Exact.split(distinct * counts).cumulate(),
        )

    @property
    def records(self) -> int:
        """Records in the file."""
        return int(self.up_to[-1])

    @property
    def expected(self) -> float:
        """Expected number of re-identifications."""
        return float(self.sum_up_to[-1])

    def at(self, limit: float) -> Limit:
        """Return what a limit means, by binary search."""
        place = int(np.searchsorted(self.risk, limit, side="right"))
        safe, below = (
            (int(self.up_to[place - 1]), float(self.sum_up_to[place - 1])) if place else (0, 0.0)
        )
        unsafe = self.records - safe
        return Limit(
            limit=limit,
            unsafe=unsafe,
            records=self.records,
            expected_bound=below + limit * unsafe,
        )

    def bounds(self) -> Floats:
        """Return the bound at each distinct risk; it rises with the risk."""
        return self.sum_up_to + self.risk * (self.records - self.up_to)


def draw_risks(curve: Curve, limit: Limit | None) -> str:
    """Draw how many records have which risk, on a log axis, with the limit."""
    low, high = float(curve.risk[0]), float(curve.risk[-1])
    if not 0 < low < high:
        same = [(show_number(high, 3), curve.records, f"{curve.records:,}")]
        return draw_bars("Records by risk", same)
    place = np.log(np.maximum(curve.risk, low) / low) / np.log(high / low)
    column = np.minimum((place * _COLUMNS).astype(np.int64), _COLUMNS - 1)
    mark = None
    if limit is not None and limit.limit > 0:
        mark = float(np.log(limit.limit / low) / np.log(high / low))
    return draw_columns(
        "Records by risk (log scale)" + ("" if mark is None else "; the line is the limit"),
        np.bincount(column, curve.count, _COLUMNS).tolist(),
        ends=(show_number(low, 3), show_number(high, 3)),
        mark=mark,
    )


def choose_limit(
    curve: Curve,
    *,
    risk: float | None = None,
    rate: float | None = None,
    expected: float | None = None,
    unsafe: int | None = None,
) -> Limit:
    """Return the limit that meets one of four targets; the other three figures come with it.

    Args:
        curve: Of the file.
        risk: The limit itself.
        rate: Largest tolerable re-identification rate after protection.
        expected: Largest tolerable expected number of re-identifications after protection.
        unsafe: Most records that may be treated: the lowest limit with no more above it.

    Returns:
        For `rate` and `expected` the largest observed risk whose bound is tolerable; if that of
        the smallest observed risk is not, the limit is below all risks and every record unsafe.

    References:
        Polettini (2003), "Some remarks on the individual risk methodology", section 7.
    """
    targets: dict[str, tuple[float | None, Callable[[Curve, float], float]]] = {
        "risk": (risk, lambda _, target: target),
        "rate": (rate, lambda curve, target: _by_bound(curve, target, curve.records)),
        "expected": (expected, lambda curve, target: _by_bound(curve, target, 1)),
        "unsafe": (unsafe, _by_unsafe),
    }
    given = {name: target for name, (target, _) in targets.items() if target is not None}
    if len(given) != 1:
        raise UsageError("Give exactly one of risk, rate, expected and unsafe.")
    ((name, target),) = given.items()
    most = 1.0 if name in ("risk", "rate") else float("inf")
    if not 0 <= target <= most or target == float("inf"):
        upper = "between 0 and 1" if most == 1.0 else "a finite number of at least 0"
        raise UsageError(f"The target {name} must be {upper}.")
    return curve.at(targets[name][1](curve, target))


def _by_bound(curve: Curve, tolerable: float, per: int) -> float:
    """Largest observed risk whose bound, as a share of `per`, is tolerable."""
    place = int(np.searchsorted(curve.bounds() / per, tolerable, side="right"))
    if place:
        return float(curve.risk[place - 1])
    limit = tolerable * per / curve.records
    while limit > 0 and limit * curve.records / per > tolerable:  # rounded up by the division
        limit = math.nextafter(limit, 0.0)
    return limit


def _by_unsafe(curve: Curve, most: float) -> float:
    above = curve.records - curve.up_to
    return float(curve.risk[np.argmax(above <= most)])
