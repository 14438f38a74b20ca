"""The report: for the board or for the public, in several languages."""

from microsafe.options.release import Audience
from microsafe.report.content import Content, RiskBeforeAndAfter, Ruling
from microsafe.report.cover import ReportCover
from microsafe.report.formats import (
    ReportFormat,
    check_report,
    list_formats,
    plan_beside,
    render_report,
    report_html,
)
from microsafe.report.released_variables import list_released

__all__ = [
    "Audience",
    "Content",
    "ReportCover",
    "ReportFormat",
    "RiskBeforeAndAfter",
    "Ruling",
    "check_report",
    "list_formats",
    "list_released",
    "plan_beside",
    "render_report",
    "report_html",
]
