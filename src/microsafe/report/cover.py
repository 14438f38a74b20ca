"""The first page: whose file it is, and who answers for its release."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.errors import UsageError
from microsafe.report import templates as t
from microsafe.report.markup import Html, fill, join, name
from microsafe.report.parts import facts, table
from microsafe.report.texts import check_language, say


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportCover:
    """What stands on the cover of the reports. What is left out is a line to fill in.

    Attributes:
        institution: That releases the file.
        survey: What the file is from.
        release_type: Such as "scientific use file".
        version: Of the file.
        date: Of the release, as it is to be printed.
        signatories: Who signs the report for the board.
        language: Of both reports: "en" or "de".
    """

    institution: str = ""
    survey: str = ""
    release_type: str = ""
    version: str = ""
    date: str = ""
    signatories: tuple[str, ...] = ()
    language: str = "en"

    def __post_init__(self) -> None:
        """Validate the fields."""
        given: object = self.signatories
        if isinstance(given, str):
            raise UsageError('Name who signs as a list, as in signatories = ["Head of unit"].')
        check_language(self.language)


def board_cover(cover: ReportCover, file: str) -> Html:
    """Return the cover with lines to fill in and to sign."""
    rows = [(what, name(text) if text else Html(t.LINE)) for what, text in _facts(cover)]
    signs = cover.signatories or (say("For the survey"), say("For the disclosure review board"))
    signed = [(name(each), Html(t.LINE), Html(t.LINE)) for each in signs]
    head = (say("Name or office"), say("Date"), say("Signature"))
    signatures = table(say("Signatures."), head, signed)
    made = facts("", [*rows, (say("File"), name(file))])
    return fill(t.COVER, body=join([made, signatures]))


def public_cover(cover: ReportCover, file: str) -> Html:
    """Return what is known of the release; nobody signs here."""
    rows = [(what, name(text)) for what, text in _facts(cover) if text]
    return fill(t.COVER, body=facts("", [*rows, (say("File"), name(file))])) if rows else Html("")


def _facts(cover: ReportCover) -> list[tuple[str, str]]:
    return [
        (say("Institution"), cover.institution),
        (say("Survey"), cover.survey),
        (say("Type of release"), cover.release_type),
        (say("Version"), cover.version),
        (say("Date"), cover.date),
    ]
