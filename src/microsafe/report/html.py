"""The report: one HTML file, no script, no request, the same bytes for the same content."""

from __future__ import annotations

from pathlib import Path

from microsafe.errors import UsageError, did_you_mean
from microsafe.report import templates as t
from microsafe.report.board import board
from microsafe.report.content import Audience, Content
from microsafe.report.cover import board_cover, public_cover
from microsafe.report.markup import Html, fill, name
from microsafe.report.parts import Form, contents, drawing
from microsafe.report.public import public
from microsafe.report.texts import language, mark, say, speaking

_KIND = mark({
    "board": "For the disclosure review board. Confidential: limits and risks help an intruder.",
    "public": "For users of the file.",
})  # fmt: skip
_TITLE = mark({"board": "Disclosure control report", "public": "How this file was protected"})


def report_html(content: Content, *, audience: Audience = "board", pictures: Form = "svg") -> str:
    """Return the report as the text of an HTML file, in the language that its cover names.

    Args:
        content: Everything that may be said.
        audience: `"board"` gets all of it; `"public"` the methods, the codebook and the loss of
            information, without limits, risks or small counts.
        pictures: How they are drawn: as parts of the page, or as images for other formats.
    """
    if audience not in _KIND:
        hint = did_you_mean(audience, _KIND)
        raise UsageError(f"There is no audience {audience!r}.{hint}")
    with speaking(content.cover.language), drawing(pictures):
        return _page(content, audience)


def report_title(audience: Audience, code: str) -> str:
    """Return the title of a report in a language."""
    with speaking(code):
        return say(_TITLE[audience])


def _page(content: Content, audience: Audience) -> Html:
    is_board = audience == "board"
    body = board(content) if is_board else public(content)
    shown = Path(content.source if is_board else content.output or content.source).name
    cover = (board_cover if is_board else public_cover)(content.cover, shown)
    made_by = f"microsafe {content.versions.get('microsafe', '')}".rstrip()
    return fill(
        t.PAGE,
        language=language().html,
        title=say(_TITLE[audience]),
        source=shown,
        source_line=name(shown),
        kind=say(_KIND[audience]),
        style=Html(t.STYLE),
        cover=cover,
        contents=contents(body),
        body=body,
        footer=say("Made by {program}. Terms and formulas are in its manual.", program=made_by),
    )
