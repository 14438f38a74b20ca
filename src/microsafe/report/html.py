"""The report: one HTML file, no script, no request, the same bytes for the same content."""

from __future__ import annotations

from microsafe.errors import UsageError, did_you_mean
from microsafe.report import templates as t
from microsafe.report.board import board
from microsafe.report.content import Audience, Content
from microsafe.report.markup import Html, fill, name
from microsafe.report.public import public

_KIND = {
    "board": "For the disclosure review board. Confidential: limits and risks help an intruder.",
    "public": "For users of the file.",
}
_TITLE = {"board": "Disclosure control report", "public": "How this file was protected"}


def report_html(content: Content, *, audience: Audience = "board") -> str:
    """Return the report as the text of an HTML file.

    Args:
        content: Everything that may be said.
        audience: `"board"` gets all of it; `"public"` the methods and the loss of information,
            without limits, risks, categories or small counts.
    """
    if audience not in _KIND:
        hint = did_you_mean(audience, _KIND)
        raise UsageError(f"There is no audience {audience!r}.{hint}")
    body = board(content) if audience == "board" else public(content)
    shown = content.source if audience == "board" else content.output or content.source
    version = content.versions.get("microsafe", "")
    footer = f"Made by microsafe {version}".rstrip() + ". Terms and formulas are in its manual."
    return fill(
        t.PAGE,
        title=_TITLE[audience],
        source=shown,
        source_line=name(shown),
        kind=_KIND[audience],
        style=Html(t.STYLE),
        body=body,
        footer=footer,
    )
