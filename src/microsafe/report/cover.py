"""The first page: whose file it is, and who answers for its release."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.errors import UsageError
from microsafe.report.texts import check_language


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
