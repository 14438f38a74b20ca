"""The report in the format that a file name asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

from microsafe.errors import InputError, UsageError
from microsafe.options.release import Audience
from microsafe.report.compose import compose_report
from microsafe.report.content import Content
from microsafe.report.html import render_html

ReportFormat = Literal["html", "pdf", "docx"]
FORMATS = tuple(f".{arg}" for arg in get_args(ReportFormat))
_NEEDS: Mapping[str, str] = {".pdf": "fpdf", ".docx": "docx"}


def check_report(name: str | Path) -> None:
    """Refuse, before any work, a report that could not be written.

    Raises:
        UsageError: It is in no format of reports.
        InputError: The format needs a library that is not installed.
    """
    path = Path(name)
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise UsageError(f"Report {path.name!r} must end in .html, .pdf or .docx.")
    if suffix in _NEEDS and find_spec(_NEEDS[suffix]) is None:
        raise InputError(
            f"Reports in the format {suffix} need a further library: "
            "pip install 'microsafe[report]', or write the report as .html."
        )


def list_formats() -> tuple[ReportFormat, ...]:
    """Return the formats whose libraries are installed."""
    needs: Iterable[tuple[ReportFormat, str | None]] = (
        (arg, _NEEDS.get(f".{arg}")) for arg in get_args(ReportFormat)
    )
    return tuple(each for each, library in needs if library is None or find_spec(library))


def plan_beside(name: str | Path, audience: Audience) -> Path | None:
    """Return where the plan lies beside a report; None if the report holds it, or has none."""
    path = Path(name)
    beside = path.suffix.lower() == ".docx" and audience == "board"
    return path.with_name(f"{path.stem}-plan.toml") if beside else None


def render_report(content: Content, audience: Audience, suffix: str) -> bytes:
    """Return the bytes of a report.

    Args:
        content: Everything that may be said.
        audience: Who reads it.
        suffix: `.html`, `.pdf` or `.docx`.
    """
    document = compose_report(content, audience)
    match suffix.lower():
        case ".html":
            return render_html(document).encode("utf-8")
        case ".docx":
            from microsafe.report.word import render_word

            return render_word(document)
        case _:
            from microsafe.report.pdf import render_pdf

            return render_pdf(document)


def report_html(content: Content, *, audience: Audience = "board") -> str:
    """Return a report as the text of an HTML file (see `compose_report`)."""
    return render_html(compose_report(content, audience))
