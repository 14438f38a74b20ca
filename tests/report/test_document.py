"""A document with every kind of block: each format renders all of them, whatever they hold."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import get_args

import pytest
from docx import Document
from matplotlib.figure import Figure
from pypdf import PdfReader

from microsafe.report.document import (
    Attachment,
    Block,
    FormField,
    Grid,
    Heading,
    Judgement,
    LineBreak,
    Paragraph,
    Picture,
    Reason,
    ReportDocument,
    Section,
    SentenceList,
    ShareBar,
    Span,
    fill,
    join,
    name,
    plain_text,
)
from microsafe.report.html import render_html
from microsafe.report.pdf import render_pdf
from microsafe.report.word import render_word

PLAN = Attachment("plan.toml", "microsafe = 1")
BLOCKS: tuple[Block, ...] = (
    Judgement("stop", "Halt.", "Because"),
    Heading("Scenario one"),
    Paragraph(fill("Known to {who} & others", who=name("Neighbours"))),
    Paragraph("Small print", note=True),
    Reason("Reason", "The board asked"),
    SentenceList(("First sentence", "Second sentence")),
    Grid(
        "A caption",
        ("Variable", "Share"),
        ((name("age"), ("5 %", ShareBar(0.05))),),
        frozenset({1}),
    ),
    Grid("", (), (("Plan", PLAN), ("Signed", FormField()), ("Rule", Span("met", "met")))),
    Picture(lambda: Figure(figsize=(2, 1)), "one", "A picture of nothing", "Nothing"),
)
DOCUMENT = ReportDocument(
    language="de",
    title="The title",
    kind="For somebody",
    subject="lfs.sav",
    cover=(Grid("", (), (("Institution", "Office"),)),),
    contents="What stands where",
    sections=(Section("one", "Section one", BLOCKS), Section("two", "Section two", BLOCKS[2:4])),
    footer="The end",
    decision=Section("decide", "To decide", BLOCKS[:1]),
    attached=PLAN,
)
SAID = (
    *(
        "The title",
        "For somebody",
        "lfs.sav",
        "Institution",
        "Section one",
        "Section two",
        "To decide",
    ),
    *("Halt. Because", "Scenario one", "Small print"),
    *("Known to Neighbours & others", "Reason: The board asked", "Second sentence", "A caption"),
    *("age", "5 %", "plan.toml", "met", "Nothing", "The end", "What stands where"),
)


def test_every_kind_of_block_is_here() -> None:
    assert {type(each) for each in BLOCKS} == set(get_args(Block))


def test_a_page() -> None:
    page = render_html(DOCUMENT)
    assert '<html lang="de">' in page
    assert '<li><a href="#two">Section two</a></li>' in page
    assert "<p>Known to <bdi>Neighbours</bdi> &amp; others</p>" in page
    assert '<td class="number">5 %<svg class="bar"' in page
    assert 'aria-label="A picture of nothing"' in page
    assert 'download="plan.toml"' in page


@pytest.mark.slow
def test_a_pdf() -> None:
    found = PdfReader(BytesIO(render_pdf(DOCUMENT)))
    said = " ".join("".join(page.extract_text() for page in found.pages).split())
    assert not [text for text in SAID if text not in said]
    assert found.attachments["plan.toml"] == [b"microsafe = 1"]
    assert not PdfReader(BytesIO(render_pdf(replace(DOCUMENT, attached=None)))).attachments


def test_a_word_document() -> None:
    found = Document(BytesIO(render_word(DOCUMENT)))
    said = {each.text for each in found.paragraphs}
    said |= {cell.text for table in found.tables for row in table.rows for cell in row.cells}
    assert not [text for text in SAID if text not in said]
    assert len(found.inline_shapes) == 1


def test_texts_without_marks() -> None:
    assert plain_text((name("age"), Span("Age in years", "label"))) == "age: Age in years"
    assert plain_text((name("age"), LineBreak(), Span("Age", "label"))) == "age\nAge"
    assert plain_text(("1.5", LineBreak(), " 1 to \n 2 ")) == "1.5\n1 to 2"
    assert plain_text(("a\x00b\u202e", ShareBar(0.5))) == "a\ufffdb\ufffd"
    assert plain_text(join(["a", name("b")], ", ")) == "a, b"
    assert plain_text(fill("{a}: {n}", a=name("{n}"), n=3)) == "{n}: 3"
