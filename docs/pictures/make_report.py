"""Make the pictures of docs/reference/report.md: both reports on the demo, in both languages.

    uv run python docs/pictures/make_report.py

Needs pdftoppm (poppler-utils).
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from microsafe.cli import main

HERE = Path(__file__).parent
COVER = """
[report]
institution = "National Statistical Office"
survey = "Household survey 2025"
release_type = "scientific use file"
version = "1.0"
signatories = ["Head of the household survey", "Chair of the disclosure review board"]
"""
# Audience, language, pages from 1, and the name of each picture.
PAGES = (
    ("board", "en", {1: "cover", 2: "contents", 4: "variables", 6: "risk"}),
    ("public", "en", {2: "public"}),
    ("board", "de", {1: "cover-de"}),
)


def make() -> None:
    """Run the demo, write the reports, and draw their pages."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        main(["demo", "--folder", str(folder)])
        plan = folder / "plan.toml"
        plan.write_text(plan.read_text("utf-8") + COVER, "utf-8")
        for audience, language, pages in PAGES:
            report = folder / f"{audience}-{language}.pdf"
            options = ["--audience", audience, "--language", language]
            main(["report", str(plan), "-o", str(report), *options])
            for page, shown in pages.items():
                draw(report, page, HERE / f"report-{shown}")


def draw(report: Path, page: int, picture: Path) -> None:
    """Draw one page of a PDF as PNG."""
    options = ["-png", "-gray", "-r", "60", "-f", str(page), "-l", str(page), "-singlefile"]
    subprocess.run(["pdftoppm", *options, str(report), str(picture)], check=True)  # noqa: S603, S607


if __name__ == "__main__":
    make()
