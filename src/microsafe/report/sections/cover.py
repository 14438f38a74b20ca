"""The first page: whose file it is, and who answers for its release."""

from __future__ import annotations

from collections.abc import Iterator

from microsafe.report.cover import ReportCover
from microsafe.report.document import Block, FormField, name
from microsafe.report.parts import facts, table
from microsafe.report.texts import say


def board_cover(cover: ReportCover) -> Iterator[Block]:
    """Yield what is known of the release in one row, with lines to fill in."""
    given = _facts(cover)
    row = [name(text) if text else FormField() for _, text in given]
    yield from table("", [what for what, _ in given], [row])


def signature_lines(cover: ReportCover) -> Iterator[Block]:
    """Yield lines to sign."""
    signs = cover.signatories or (say("For the survey"), say("For the disclosure review board"))
    signed = [(name(sign), FormField(), FormField()) for sign in signs]
    head = (say("Name or office"), say("Date"), say("Signature"))
    yield from table(say("Signatures."), head, signed)


def public_cover(cover: ReportCover, file: str) -> Iterator[Block]:
    """Yield what is known of the release; nobody signs here."""
    if rows := [(what, name(text)) for what, text in _facts(cover) if text]:
        yield from facts([*rows, (say("File"), name(file))])


def _facts(cover: ReportCover) -> list[tuple[str, str]]:
    return [
        (say("Institution"), cover.institution),
        (say("Survey"), cover.survey),
        (say("Type of release"), cover.release_type),
        (say("Version"), cover.version),
        (say("Date"), cover.date),
    ]
