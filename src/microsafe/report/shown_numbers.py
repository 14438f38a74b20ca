"""Figures as the language of the report writes them; formats are those of `display`."""

from __future__ import annotations

import math

from microsafe import display
from microsafe.options import policy
from microsafe.report.texts import localise, mark, say


def count(number: int) -> str:
    """Return a count, thousands apart."""
    return localise(f"{number:,}")


def decimals(number: float, digits: int) -> str:
    """Return a number with so many decimals."""
    return localise(f"{number:.{digits}f}")


def show_number(value: float, digits: int = 4) -> str:
    """Return a number with as many digits as a reader needs."""
    return localise(display.show_number(value, digits))


def show_odds(risk: float) -> str:
    """Return a risk as odds: 1 in so many."""
    text = display.show_odds(risk)
    if text == "none":
        return say("none")
    nearly, _, many = text.rpartition("1 in ")
    odds = say("1 in {many}", many=localise(many))
    return say("nearly {odds}", odds=odds) if nearly else odds


def show_risk(risk: float) -> str:
    """Return a risk with three significant digits and its odds."""
    return f"{show_number(risk, 3)} ({show_odds(risk)})" if risk > 0 else show_number(risk)


def show_percent(share: float, digits: int = 1) -> str:
    """Return a share in per cent; what is not nothing never looks like nothing."""
    text = display.show_percent(share, digits)
    for word in mark(("under", "over")):
        if text.startswith(word):
            return f"{say(word)} {localise(text.removeprefix(word).strip())}"
    return localise(text)


def show_rate(rate: float) -> str:
    """Return a rate in per cent with three significant digits."""
    return localise(display.show_rate(rate))


def show_rule_value(rule: str, value: float | None, scenario: str | None = "") -> str:
    """Return a limit, or what was measured, as `policy.show_rule_value` does."""
    if value is None:
        return say("no estimate")
    if rule == "tau1_share":
        level = policy.show_rule_value(rule, value).rpartition("(")[2].rstrip(")")
        share = show_percent(value, 2) if 0 < value < policy.SMALLEST_SHARE else show_rate(value)
        return f"{share} ({say(level)})"
    if rule == policy.TELLING and scenario:
        return show_number(value)
    if rule in (policy.GIVEN_AWAY, policy.TELLING):
        return show_percent(value)
    if rule in policy.SHARES:
        return say(policy.SHARES[rule], share=show_rate(value))
    if policy.is_chance(rule):
        return show_risk(value)
    return show_rate(value) if rule.endswith("rate") else show_number(value)


def signed_percent(share: float, digits: int = 1) -> str:
    """Return a change in per cent, with its sign."""
    if math.isnan(share):
        return "–"
    if share == 0:
        return say("none")
    text = f"{100 * share:+.{digits}f}"
    if float(text) == 0:
        return show_percent(abs(share), digits)
    return f"{localise(text.replace('-', '−'))} %"


def points(change: float, digits: int = 2) -> str:
    """Return a change of a share in percentage points."""
    least = 10.0**-digits
    if 0 < 100 * change < least / 2:
        return f"{say('under')} {decimals(least, digits)}"
    return decimals(100 * change, digits)


def show_change(value: float, digits: int) -> str:
    """Return a change with its sign."""
    text = f"{value:+.{digits}f}"
    if float(text) == 0:
        return decimals(0.0, digits) if value == 0 else f"±{decimals(0.0, digits)}"
    return localise(text.replace("-", "−"))
