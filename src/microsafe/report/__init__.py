"""The report: for the board or for the public, in several languages."""

from microsafe.report.codebook import list_released
from microsafe.report.content import Audience, Content, Remeasured, Ruling
from microsafe.report.cover import ReportCover
from microsafe.report.html import report_html

__all__ = [
    "Audience",
    "Content",
    "Remeasured",
    "ReportCover",
    "Ruling",
    "list_released",
    "report_html",
]
