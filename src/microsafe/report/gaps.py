"""Risk under each rule for missing keys, side by side."""

from __future__ import annotations

from microsafe.display import show_number, show_rate, show_risk
from microsafe.report.markup import Html
from microsafe.report.parts import table
from microsafe.risk import Risk

_RULES = {
    "wildcard": "May stand for any category (wildcard)",
    "category": "A category of its own (category)",
    "expected": "Weighed by the chance of each category (expected)",
}


def compare_gaps(after: Risk) -> Html:
    """Return the figures after protection under each rule; nothing if no key is missing."""
    head = (
        "Missing keys",
        "Largest risk",
        "Expected re-identifications",
        "Rate",
        "Above the limit",
    )
    rows = [
        (
            _RULES.get(rule, rule) + (", the scenario's" if rule == after.scenario.missing else ""),
            show_risk(each.max),
            show_number(each.expected),
            show_rate(each.rate),
            "–" if each.above_limit is None else f"{each.above_limit:,}",
        )
        for rule, each in after.gaps.items()
    ]
    caption = "After protection, under each rule for keys that are missing or suppressed."
    return table(caption, head, rows, numbers=(1, 2, 3, 4))
