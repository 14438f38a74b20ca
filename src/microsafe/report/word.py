"""The report as a Word document, by python-docx: contents, page numbers, no date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor

from microsafe.report.blocks import (
    Block,
    Contents,
    Grid,
    Heading,
    Items,
    Paragraph,
    Picture,
    column_shares,
)

_WIDTH = 17.6  # cm between the margins
_GREY = RGBColor(85, 99, 110)
_ALWAYS = datetime(1980, 1, 1)  # the same input gives the same bytes


def word_bytes(blocks: Sequence[Block], *, title: str, subject: str, language: str) -> bytes:
    """Return the report as the bytes of a .docx file.

    Args:
        blocks: What it says.
        title: Of the document.
        subject: The file that it is about, in the foot of every page.
        language: Of the text.
    """
    document = Document()
    _prepare(document, title, f"{title}: {subject}", language)
    sections = [each.text for each in blocks if isinstance(each, Heading) and each.level == 2]
    for block in blocks:
        _put(document, block, sections)
    file = BytesIO()
    document.save(file)
    return _without_times(file)


def _prepare(document: Any, title: str, foot: str, language: str) -> None:
    known = document.core_properties
    known.title, known.author, known.last_modified_by = title, "microsafe", "microsafe"
    known.comments, known.revision, known.language = "", 1, language
    known.created = known.modified = _ALWAYS
    page = document.sections[0]
    page.page_width, page.page_height = Cm(21.0), Cm(29.7)
    page.left_margin = page.right_margin = Cm(1.7)
    page.top_margin = page.bottom_margin = Cm(2.0)
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = "Arial", Pt(9.5)
    normal.element.rPr.append(_element("w:lang", **{"w:val": language}))
    for level in (1, 2, 3):
        document.styles[f"Heading {level}"].font.color.rgb = RGBColor(31, 42, 51)
        document.styles[f"Heading {level}"].font.name = "Arial"
    line = page.footer.paragraphs[0]
    _grey(line.add_run(f"{foot}    "))
    _field(line, "PAGE", "1")
    _grey(line.add_run(" / "))
    _field(line, "NUMPAGES", "1")


def _element(name: str, **attributes: str) -> Any:
    made = OxmlElement(name)
    for key, value in attributes.items():
        made.set(qn(key), value)
    return made


def _field(paragraph: Any, code: str, shown: str) -> None:
    """Add a field that Word fills in; other programs show what stands there."""
    paragraph._p.append(field := _element("w:fldSimple", **{"w:instr": code}))
    run = _element("w:r")
    text = _element("w:t")
    text.text = shown
    run.append(text)
    field.append(run)


def _grey(run: Any) -> None:
    run.font.size, run.font.color.rgb = Pt(8), _GREY


def _put(document: Any, block: Block, sections: Sequence[str]) -> None:
    if isinstance(block, Heading):
        document.add_heading(block.text.replace("\n", " "), block.level)
    elif isinstance(block, Paragraph):
        _put_paragraph(document, block)
    elif isinstance(block, Items):
        for text in block.texts:
            document.add_paragraph(text, style="List Bullet")
    elif isinstance(block, Grid):
        _put_grid(document, block)
    elif isinstance(block, Picture):
        _put_picture(document, block)
    else:
        _put_contents(document, block, sections)


def _put_paragraph(document: Any, block: Paragraph) -> None:
    made = document.add_paragraph()
    run = made.add_run(block.text)
    if block.style in ("note", "kind"):
        _grey(run)
    if block.style.startswith("verdict"):
        run.bold = True
    if block.style == "reason":
        run.italic = True


def _put_grid(document: Any, block: Grid) -> None:
    if block.caption:
        _grey(document.add_paragraph(style="Normal").add_run(block.caption))
        document.paragraphs[-1].paragraph_format.keep_with_next = True
    rows = ([block.head] if block.head else []) + list(block.rows)
    made = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
    made.autofit = False
    shares = column_shares(block)
    widths = [Cm(_WIDTH * share / sum(shares)) for share in shares]
    for at, (row, texts) in enumerate(zip(made.rows, rows, strict=True)):
        heading = bool(block.head) and not at
        if heading:
            row._tr.get_or_add_trPr().append(_element("w:tblHeader"))
        for place, (cell, text) in enumerate(zip(row.cells, texts, strict=True)):
            cell.width = widths[place]
            _put_cell(cell, text, bold=heading, right=place in block.numbers)
    document.add_paragraph()


def _put_cell(cell: Any, text: str, *, bold: bool, right: bool) -> None:
    paragraph = cell.paragraphs[0]
    run = paragraph.add_run(text)
    run.font.size, run.bold = Pt(8.5), bold
    if right:
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT


def _put_picture(document: Any, block: Picture) -> None:
    document.add_picture(BytesIO(block.png), width=Cm(_WIDTH))
    drawing = document.paragraphs[-1]._p.find(f".//{qn('wp:docPr')}")
    drawing.set("descr", block.label)
    _put_paragraph(document, Paragraph(block.caption, "note"))


def _put_contents(document: Any, block: Contents, sections: Sequence[str]) -> None:
    """Put the list of contents; Word adds the page numbers when it updates the field."""
    document.add_page_break()
    document.add_paragraph().add_run(block.title).bold = True
    begin = document.add_paragraph()
    for kind, code in (("begin", ""), ("", 'TOC \\o "2-2" \\h \\z \\u'), ("separate", "")):
        run = begin.add_run()._r
        if kind:
            run.append(_element("w:fldChar", **{"w:fldCharType": kind}))
        else:
            instruction = _element("w:instrText")
            instruction.text = code
            run.append(instruction)
    for text in sections:
        document.add_paragraph(text)
    end = document.paragraphs[-1].add_run()._r
    end.append(_element("w:fldChar", **{"w:fldCharType": "end"}))
    document.add_page_break()


def _without_times(file: BytesIO) -> bytes:
    """Pack the parts anew, without the time at which they were packed."""
    packed = BytesIO()
    with ZipFile(file) as before, ZipFile(packed, "w") as after:
        for each in before.infolist():
            after.writestr(ZipInfo(each.filename), before.read(each), ZIP_DEFLATED)
    return packed.getvalue()
