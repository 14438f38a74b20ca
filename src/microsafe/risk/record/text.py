"""Risk as text and as plain values: the figures of a limit, of the other estimator, of counts."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from microsafe.display import show_number, show_percent, show_rate, show_risk
from microsafe.risk.record.household import HouseholdLimit
from microsafe.risk.record.limit import Limit
from microsafe.risk.record.population import PopulationCheck
from microsafe.risk.record.precision import StandardErrors

if TYPE_CHECKING:
    from microsafe.risk.record.result import Risk

_SIZES_SHOWN = 6  # sizes of household for which the limit of a member is shown


def limit_summary(limit: Limit) -> dict[str, Any]:
    """Return the figures of a limit that scripts rely on."""
    figures: dict[str, Any] = {
        "limit": limit.limit,
        "unsafe": limit.unsafe,
        "bound": {"expected": limit.expected_bound, "rate": limit.rate_bound},
    }
    if isinstance(limit, HouseholdLimit):
        figures["bound"]["expected_households"] = limit.households_bound
        figures |= {
            "households": limit.households,
            "members": {str(size): each for size, each in limit.members.items()},
        }
    return figures


def limit_rows(limit: Limit) -> list[tuple[str, str]]:
    """Return the figures of a limit as names and texts."""
    if isinstance(limit, HouseholdLimit):
        return _household_limit_rows(limit)
    return [
        ("limit", show_risk(limit.limit)),
        ("records above it", f"{limit.unsafe:,} ({show_percent(limit.unsafe / limit.records)})"),
        ("expected after protection", f"at most {show_number(limit.expected_bound)}"),
        ("rate after protection", f"at most {show_rate(limit.rate_bound)}"),
    ]


def _household_limit_rows(limit: HouseholdLimit) -> list[tuple[str, str]]:
    share = show_percent(limit.unsafe / limit.households)
    rows = [
        ("household limit", show_risk(limit.limit)),
        ("households above it", f"{limit.unsafe:,} ({share})"),
        (
            "expected households after protection",
            f"at most {show_number(limit.households_bound)}",
        ),
        ("records in them after protection", f"at most {show_number(limit.expected_bound)}"),
        ("household rate after protection", f"at most {show_rate(limit.rate_bound)}"),
    ]
    sizes = sorted(limit.members)
    shown = sizes if len(sizes) <= _SIZES_SHOWN else [*sizes[: _SIZES_SHOWN - 1], sizes[-1]]
    return rows + [
        (f"limit for each of {size} members", show_risk(limit.members[size]))
        for size in shown
        if size > 1
    ]


def other_summary(risk: Risk, limit: Limit | None) -> dict[str, Any]:
    """Return what the other estimator says, under its name, for scripts."""
    told = risk.by_other(limit)
    return {risk.other_estimator: None if told is None else asdict(told)}


def other_rows(risk: Risk, limit: Limit | None) -> list[tuple[str, str]]:
    """Return the figures by the other estimator as names and texts, for comparison."""
    told, name = risk.by_other(limit), risk.other_estimator
    if told is None:
        return []
    rows = [
        (f"largest risk by {name}", show_risk(told.max)),
        (f"expected re-identifications by {name}", show_number(told.expected)),
        (f"re-identification rate by {name}", show_rate(told.rate)),
    ]
    if told.above_limit is not None:
        counted = "households" if isinstance(limit, HouseholdLimit) else "records"
        rows.append((f"{counted} above the limit by {name}", f"{told.above_limit:,}"))
    return rows


def population_rows(found: PopulationCheck) -> list[tuple[str, str]]:
    """Return the figures by known counts as names and texts."""
    other = f"{show_number(found.estimated)} by the weights" if found.use == "F" else ""
    times = other or f"{show_number(found.ratio, 3)} times the estimate"
    people = f"{show_number(found.people)} (by the weights {show_number(found.estimated_people)})"
    return [
        ("people in the population", people),
        ("expected by known counts", f"{show_number(found.expected)} ({times})"),
        ("population uniques by known counts", f"{found.population_uniques:,}"),
        ("records with F off by more than a factor of 2", f"{found.differing:,}"),
    ]


def show_error(errors: StandardErrors | None, of: str) -> str:
    """Return a standard error as it follows its figure; nothing if there is none."""
    error: float | None = getattr(errors, of, None)
    return "" if error is None else f" (standard error {show_number(error, 2)})"
