"""Compare the risk under all rules for missing keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from microsafe.display import show_number, show_risk
from microsafe.risk.record.limit import Limit
from microsafe.risk.record.measure import CellRisk


@dataclass(frozen=True, slots=True, kw_only=True)
class GapFigures:
    """Risk under one rule for missing keys.

    Attributes:
        max: Largest risk of a record.
        expected: Expected re-identifications.
        rate: The same as a share of the records.
        above_limit: Records above the limit, if there is one.
    """

    max: float
    expected: float
    rate: float
    above_limit: int | None = None

    @classmethod
    def of(cls, measured: CellRisk, limit: Limit | None) -> GapFigures:
        """Take them from a measurement."""
        return cls(
            max=float(measured.risk.max()),
            expected=measured.expected,
            rate=measured.expected / measured.cells.records,
            above_limit=None if limit is None else measured.count(measured.risk > limit.limit),
        )


def gap_rows(gaps: Mapping[str, GapFigures]) -> list[tuple[str, str]]:
    """Return the figures under each rule as rows of a table."""
    return [
        (
            f"missing keys as {rule}",
            f"largest risk {show_risk(gap.max)}, expected {show_number(gap.expected)}"
            + ("" if gap.above_limit is None else f", {gap.above_limit:,} above the limit"),
        )
        for rule, gap in gaps.items()
    ]


def gap_summary(gaps: Mapping[str, GapFigures]) -> dict[str, Any]:
    """Return the same for scripts; nothing where no key is missing."""
    return {"gaps": {rule: asdict(gap) for rule, gap in gaps.items()}} if gaps else {}
