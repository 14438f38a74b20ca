"""The first page: whose file it is, and who answers for its release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from microsafe.errors import UsageError
from microsafe.options.parameter import Parameter
from microsafe.options.signature import list_fields
from microsafe.report.texts import check_language


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class ReportCover:
    """What stands on the cover of the reports. What is left out is a line to fill in."""

    institution: Annotated[
        str, Parameter(label="Institution that releases the file", unset="a line to fill in")
    ] = ""
    survey: Annotated[str, Parameter(label="What the file is from", unset="a line to fill in")] = ""
    release_type: Annotated[
        str,
        Parameter(
            label="Type of release", unset="a line to fill in", help="Such as scientific use file."
        ),
    ] = ""
    version: Annotated[str, Parameter(label="Version of the file", unset="a line to fill in")] = ""
    date: Annotated[
        str,
        Parameter(
            label="Date of the release", unset="a line to fill in", help="As it is to be printed."
        ),
    ] = ""
    signatories: Annotated[
        tuple[str, ...],
        Parameter(label="Who signs the report for the board", unset="two lines"),
    ] = ()
    language: Annotated[
        str, Parameter(label="Language of both reports", help="A code, such as en or de.")
    ] = "en"

    def __post_init__(self) -> None:
        """Validate the fields."""
        given: object = self.signatories
        if isinstance(given, str):
            raise UsageError('Name who signs as a list, as in signatories = ["Head of unit"].')
        check_language(self.language)
