"""The report: one HTML file for the board or for the public."""

from microsafe.report.content import Audience, Content, Remeasured, Ruling
from microsafe.report.html import report_html

__all__ = ["Audience", "Content", "Remeasured", "Ruling", "report_html"]
