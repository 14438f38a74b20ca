"""The risk under each rule for keys that are missing or suppressed."""

from __future__ import annotations

from collections.abc import Iterator

from microsafe.report.document import Block
from microsafe.report.parts import table
from microsafe.report.shown_numbers import count, show_number, show_rate, show_risk
from microsafe.report.texts import mark, say
from microsafe.risk import Risk

_RULES = mark(
    {
        "wildcard": "May stand for any category (wildcard)",
        "category": "A category of its own (category)",
        "expected": "Weighed by the chance of each category (expected)",
    }
)


def compare_gaps(after: Risk) -> Iterator[Block]:
    """Yield the figures after protection under each rule; nothing if no key is missing."""
    head = (
        say("Missing keys"),
        say("Largest risk"),
        say("Expected re-identifications"),
        say("Rate"),
        say("Above the limit"),
    )
    rows = [
        (
            _rule(rule, after),
            show_risk(gap.max),
            show_number(gap.expected),
            show_rate(gap.rate),
            "–" if gap.above_limit is None else count(gap.above_limit),
        )
        for rule, gap in after.gaps.items()
    ]
    caption = say("After protection, under each rule for keys that are missing or suppressed.")
    yield from table(caption, head, rows, numbers=(1, 2, 3, 4))


def _rule(rule: str, after: Risk) -> str:
    words = say(_RULES.get(rule, rule))
    return say("{rule}, the scenario's", rule=words) if rule == after.scenario.missing else words
