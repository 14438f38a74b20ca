"""From what a report may say to the document that an audience gets."""

from __future__ import annotations

from pathlib import Path

from microsafe.errors import UsageError, did_you_mean
from microsafe.options.release import Audience
from microsafe.report.content import Content
from microsafe.report.document import ReportDocument
from microsafe.report.sections.board import board_sections, decide_section
from microsafe.report.sections.cover import board_cover, public_cover
from microsafe.report.sections.provenance import attach_plan
from microsafe.report.sections.public import public_sections
from microsafe.report.texts import mark, say, speaking

_KIND = mark({
    "board": "For the disclosure review board. Confidential: limits and risks help an intruder.",
    "public": "For users of the file.",
})  # fmt: skip
_TITLE = mark({"board": "Disclosure control report", "public": "How this file was protected"})


def compose_report(content: Content, audience: Audience) -> ReportDocument:
    """Return a report as a document, in the language that its cover names.

    Args:
        content: Everything that may be said.
        audience: `"board"` gets all of it; `"public"` the methods, the codebook and the loss of
            information, without limits, risks or small counts.
    """
    if audience not in _KIND:
        hint = did_you_mean(audience, _KIND)
        raise UsageError(f"There is no audience {audience!r}.{hint}")
    board = audience == "board"
    subject = Path(content.source if board else content.output or content.source).name
    made_by = f"microsafe {content.versions.get('microsafe', '')}".rstrip()
    with speaking(content.cover.language):
        return ReportDocument(
            language=content.cover.language,
            title=say(_TITLE[audience]),
            kind=say(_KIND[audience]),
            subject=subject,
            cover=tuple(
                board_cover(content.cover) if board else public_cover(content.cover, subject)
            ),
            contents=say("Contents"),
            sections=tuple(board_sections(content) if board else public_sections(content)),
            decision=decide_section(content) if board else None,
            footer=say("Made by {program}. Terms and formulas are in its manual.", program=made_by),
            attached=attach_plan(content) if board else None,
        )
