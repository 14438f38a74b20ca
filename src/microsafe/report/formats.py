"""The report in the format that a file name asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

from microsafe.errors import InputError, UsageError
from microsafe.report.blocks import read_blocks
from microsafe.report.content import Audience, Content
from microsafe.report.html import report_html, report_title
from microsafe.report.markup import clean
from microsafe.report.texts import LANGUAGES

ReportFormat = Literal["html", "pdf", "docx"]
FORMATS = tuple(f".{each}" for each in get_args(ReportFormat))
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
        (each, _NEEDS.get(f".{each}")) for each in get_args(ReportFormat)
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
    if suffix.lower() == ".html":
        return report_html(content, audience=audience).encode("utf-8")
    blocks = read_blocks(report_html(content, audience=audience, pictures="png"))
    code, board = content.cover.language, audience == "board"
    told = {
        "title": report_title(audience, code),
        "subject": clean(Path(content.source if board else content.output or content.source).name),
        "language": LANGUAGES[code].html,
    }
    if suffix.lower() == ".docx":
        from microsafe.report.word import word_bytes

        return word_bytes(blocks, **told)
    from microsafe.report.pdf import pdf_bytes

    return pdf_bytes(blocks, **told, plan=content.plan if board else "")
