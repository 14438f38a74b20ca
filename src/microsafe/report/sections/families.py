"""What protects families at less cost than blanks, where a rule about them is not met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from microsafe.compare.family_protection import FamilyMeasure, FamilyMeasures
from microsafe.report.document import Block, Inline, LineBreak, Paragraph, Span, name
from microsafe.report.parts import scenario_heading, table
from microsafe.report.sections.intruders import show_found
from microsafe.report.shown_numbers import count, show_percent
from microsafe.report.texts import mark, retell, say

_LEAD = mark(
    "A rule about households is not met. Each row was tried on the file as it is without any "
    "blank. Where the household number goes out, somebody who knows families looks for households; "
    "where it does not, for persons whose family can be put together again."
)


def tell_families(found: Mapping[str, FamilyMeasures]) -> Iterator[Block]:
    """Yield a table for each scenario of which a rule about households is not met."""
    if not found:
        return
    yield Paragraph(say(_LEAD))
    head = (
        say("What is done"),
        say("Would find"),
        say("Share"),
        say("Members put together again"),
        say("Blanks"),
        say("Verdict"),
    )
    for scenario, measures in found.items():
        yield scenario_heading(scenario)
        rows = [_show_measure(row) for row in measures]
        yield from table(say("What protects families"), head, rows, numbers=(1, 2, 3, 4))


def _show_measure(row: FamilyMeasure) -> tuple[Inline, ...]:
    words = name(retell(row.words))
    if row.found is None:
        return (words, LineBreak(), Span(row.refusal, "label")), "–", "–", "–", "–", "–"
    return (
        words,
        show_found(row.found),
        "–" if row.share is None else show_percent(row.share),
        "–" if row.rejoined is None else show_percent(row.rejoined),
        count(row.blanks) if row.blanks else "–",
        "–" if row.met is None else say("met") if row.met else say("not met"),
    )
