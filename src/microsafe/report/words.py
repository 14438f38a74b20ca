"""Numbers and rules in words; steps have their own."""

from __future__ import annotations

import math

SMALL = 10  # counts below this are not given to the public

RULES = {
    "record_risk": "Largest risk of a record",
    "expected": "Expected re-identifications",
    "rate": "Re-identification rate",
    "household_risk": "Largest household risk",
    "k": "Fewest records that share their keys",
}


def figure(value: float) -> str:
    """Return a number with as many digits as a reader needs."""
    if math.isnan(value):
        return "–"
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}"


def odds(risk: float) -> str:
    """Return a risk as a number and as odds."""
    if not risk > 0:
        return "0"
    return f"{risk:.4g} (1 in {1 / risk:,.0f})"


def percent(share: float, digits: int = 1) -> str:
    """Return a share in per cent; what is not nothing never looks like nothing."""
    if math.isnan(share):
        return "–"
    least = 10.0**-digits
    if 0 < 100 * share < least / 2:
        return f"under {least:.{digits}f}%"
    return f"{100 * share:.{digits}f}%"


def signed_percent(share: float, digits: int = 1) -> str:
    """Return a change in per cent, with its sign."""
    if math.isnan(share):
        return "–"
    if share == 0:
        return "none"
    text = f"{100 * share:+.{digits}f}%"
    if float(text[:-1]) == 0:
        return f"under {10.0**-digits:.{digits}f}%"
    return text.replace("-", "−")


def points(change: float, digits: int = 2) -> str:
    """Return a change of a share in percentage points."""
    least = 10.0**-digits
    if 0 < 100 * change < least / 2:
        return f"under {least:.{digits}f}"
    return f"{100 * change:.{digits}f}"


def plural(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
