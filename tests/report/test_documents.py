"""Reports as PDF and Word: they open again, say what the page says, and are the same each time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from docx import Document
from pypdf import PdfReader

from microsafe.cli import main
from microsafe.cli.commands.report import LANGUAGES as OPTIONS
from microsafe.errors import InputError, UsageError
from microsafe.plan.model import plan_text
from microsafe.plan.release import Release
from microsafe.plan.reports import content_of
from microsafe.report import Content, check_report, formats, render_report
from microsafe.report.compose import compose_report
from microsafe.report.document import (
    Block,
    Grid,
    Inline,
    Judgement,
    Picture,
    Reason,
    ReportDocument,
    Section,
    SentenceList,
    plain_text,
)
from microsafe.report.table_layout import column_shares, cut_rows
from microsafe.report.texts import LANGUAGES
from report.test_cover import release  # noqa: F401
from report.test_report import HOSTILE
from report.test_report import content as full_content


@pytest.fixture(scope="module")
def content(release: Release) -> Content:  # noqa: F811
    return content_of(release, "board")


def squeeze(text: str) -> str:
    """Text without the spaces, which lines and columns set as they like."""
    return re.sub(r"\s+", "", text)


def block_texts(block: Block) -> Iterator[Inline]:
    """All texts of a block."""
    match block:
        case Grid(caption, head, rows):
            yield from (caption, *head, *(cell for row in rows for cell in row))
        case SentenceList(items):
            yield from items
        case Picture():
            yield block.caption
        case Reason(word, text):
            yield f"{word}: {text}"
        case Judgement(_, headline, text):
            yield f"{headline} {text}"
        case _:
            yield block.text


def all_sections(document: ReportDocument) -> list[Section]:
    """Page one, and what follows the list of contents."""
    return [*([document.decision] if document.decision else []), *document.sections]


def document_texts(document: ReportDocument) -> list[str]:
    """All texts of a report, without marks."""
    sections = all_sections(document)
    blocks = [*document.cover, *(each for section in sections for each in section.blocks)]
    titles = [document.title, document.kind, *(each.title for each in sections)]
    found = [*titles, *(text for block in blocks for text in block_texts(block))]
    return [text for text in map(plain_text, found) if text]


@pytest.mark.slow
def test_the_pdf_says_the_same_and_holds_the_plan(content: Content) -> None:
    found = PdfReader(BytesIO(render_report(content, "board", ".pdf")))
    said = squeeze("".join(page.extract_text() for page in found.pages))
    document = compose_report(content, "board")
    heads = [text for text in document_texts(document) if len(text) < 30]
    assert len(heads) > 100
    assert not [text for text in heads if squeeze(text) not in said]
    assert [squeeze(each.title) for each in found.outline] == [
        squeeze(each.title) for each in all_sections(document)
    ]
    assert f"1/{len(found.pages)}" in said
    assert found.attachments["plan.toml"] == [content.plan.encode()]
    assert not PdfReader(BytesIO(render_report(content, "public", ".pdf"))).attachments


def test_the_document_says_the_same(content: Content) -> None:
    found = Document(BytesIO(render_report(content, "board", ".docx")))
    said = {each.text for each in found.paragraphs}
    said |= {cell.text for table in found.tables for row in table.rows for cell in row.cells}
    texts = document_texts(compose_report(content, "board"))
    assert not [text for text in texts if text not in said]
    assert len(found.inline_shapes) == 1
    foot = found.sections[0].footer._element.xml
    assert 'w:instr="PAGE"' in foot
    assert "TOC" in found.element.xml


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".pdf", ".docx"])
@pytest.mark.parametrize("audience", ["board", "public"])
def test_same_content_same_bytes(content: Content, suffix: str, audience: str) -> None:
    first = render_report(content, audience, suffix)
    assert first == render_report(content, audience, suffix)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".pdf", ".docx"])
def test_any_text_can_be_put(suffix: str) -> None:
    made = render_report(full_content(HOSTILE), "board", suffix)
    assert made.startswith(b"%PDF" if suffix == ".pdf" else b"PK")
    assert b"<script>" not in made


def test_columns_and_rows_fit_a_page() -> None:
    wide, narrow = column_shares(("Variable", "n"), (("x" * 300, "1"),))
    assert wide > narrow > 0
    assert list(cut_rows([("a", "b" * 2000)])) == [
        ("a", "b" * 900), ("", "b" * 900), ("", "b" * 200),
    ]  # fmt: skip


def test_formats_that_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"\.html, \.pdf or \.docx"):
        check_report("report.txt")
    monkeypatch.setattr(formats, "find_spec", lambda name: None)
    check_report("report.html")
    for name in ("report.pdf", "report.docx"):
        with pytest.raises(InputError, match=r"pip install 'microsafe\[report\]'"):
            check_report(name)


def test_the_command_knows_every_language() -> None:
    assert tuple(LANGUAGES) == OPTIONS


def test_the_command(
    release: Release,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(plan_text(release.plan), "utf-8")
    source = Path(release.study._input["file"])
    (tmp_path / "survey.csv").write_bytes(source.read_bytes())
    report = tmp_path / "r.docx"
    assert main(["report", str(plan), "-o", str(report), "--language", "de"]) == 0
    assert "r.docx and r-plan.toml" in capsys.readouterr().out
    assert "Inhalt" in {each.text for each in Document(report).paragraphs}
    assert "seed is secret" in (tmp_path / "r-plan.toml").read_text("utf-8")
    assert main(["report", str(plan), "-o", str(tmp_path / "r.odt")]) == 2
    monkeypatch.setattr(formats, "find_spec", lambda name: None)
    assert main(["report", str(plan), "-o", str(tmp_path / "r.pdf")]) == 3
    assert "microsafe[report]" in capsys.readouterr().err
    assert not (tmp_path / "r.pdf").exists()


@pytest.mark.slow
def test_a_release_writes_and_replays_them(release: Release, tmp_path: Path) -> None:  # noqa: F811
    plan = tmp_path / "plan.toml"
    output = replace(release.plan.output, report="board.docx", public_report="public.pdf")
    plan.write_text(plan_text(replace(release.plan, output=output)), "utf-8")
    source = Path(release.study._input["file"])
    (tmp_path / "survey.csv").write_bytes(source.read_bytes())
    assert main(["protect", str(plan)]) == 0
    lock = json.loads((tmp_path / "plan.lock").read_text("utf-8"))
    assert list(lock["files"]) == ["safe.csv", "board.docx", "board-plan.toml", "public.pdf"]
    assert main(["replay", str(plan), "--check"]) == 0
