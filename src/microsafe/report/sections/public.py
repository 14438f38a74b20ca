"""The report for users of the file: what was done and what it cost, and nothing for intruders."""

from __future__ import annotations

from collections.abc import Iterator

from microsafe.report.content import Content
from microsafe.report.document import Block, Paragraph, Section
from microsafe.report.parts import note, section
from microsafe.report.sections.codebook import public_codebook
from microsafe.report.sections.cost import public_cost
from microsafe.report.sections.estimators import public_estimators
from microsafe.report.sections.intruders import public_intruders
from microsafe.report.sections.provenance import public_record
from microsafe.report.sections.steps import public_steps
from microsafe.report.sections.use import cite_file, explain_blanks
from microsafe.report.texts import mark, say

_READING = mark(
    "Information lost is the share of a variable's information that the released variable no "
    "longer gives; a value set to missing may be any. Of numbers it is the share of the variance "
    "that released values do not explain. The Hellinger distance of two tables lies between 0, the "
    "same shares, and 1, nothing in common. Tables and means leave out records in which a value is "
    "missing."
)


def public_sections(content: Content) -> Iterator[Section]:
    """Yield the sections in their order."""
    yield from section("methods", say("Methods"), _methods(content))
    yield from section(
        "codebook", say("Codebook of the released file"), public_codebook(content.released)
    )
    yield from section("loss", say("What protection cost"), _loss(content))
    yield from section("use", say("Blanks in an analysis"), explain_blanks(content))
    yield from section("cite", say("How to cite"), cite_file(content))
    yield from section("record", say("The released file"), public_record(content))


def _methods(content: Content) -> Iterator[Block]:
    if content.steps:
        lead = say("To protect the people in the file, the data were changed as follows.")
        yield Paragraph(lead)
        yield from public_steps(content)
        if content.shuffled:
            yield Paragraph(say("The records were put into a random order."))
    else:
        yield Paragraph(say("The file was released as it is."))
    yield from public_estimators(content.measured)
    yield from public_intruders(content.intruders)


def _loss(content: Content) -> Iterator[Block]:
    yield from public_cost(content)
    yield note(say(_READING))
