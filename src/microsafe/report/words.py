"""Changes, counts and rules in words; steps have their own, other figures are those of display."""

from __future__ import annotations

import math

from microsafe.display import show_percent

SMALL = 10  # counts below this are not given to the public

RULES = {
    "record_risk": "Largest risk of a record",
    "expected": "Expected re-identifications",
    "rate": "Re-identification rate",
    "household_risk": "Largest household risk",
    "household_rate": "Household re-identification rate",
    "expected_households": "Expected households re-identified",
    "tau1": "Sample uniques that are population uniques",
    "tau1_share": "Share of the sample uniques that are population uniques",
    "tau2": "Expected correct matches with sample uniques",
    "k": "Fewest records that share their keys",
    "gaps": "Expected with missing keys weighed, as a multiple",
    "given_away": "Suppressed values guessed right beyond chance",
    "inventory": "Variables without a decision, and direct identifiers",
    "estimator": "Expected by the model, as a multiple of cell",
}


def signed_percent(share: float, digits: int = 1) -> str:
    """Return a change in per cent, with its sign."""
    if math.isnan(share):
        return "–"
    if share == 0:
        return "none"
    text = f"{100 * share:+.{digits}f}"
    if float(text) == 0:
        return show_percent(abs(share), digits)
    return f"{text.replace('-', '−')} %"


def points(change: float, digits: int = 2) -> str:
    """Return a change of a share in percentage points."""
    least = 10.0**-digits
    if 0 < 100 * change < least / 2:
        return f"under {least:.{digits}f}"
    return f"{100 * change:.{digits}f}"


def plural(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
