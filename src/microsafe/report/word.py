"""The report as a Word document, by python-docx: contents, page numbers, no date."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor

from microsafe.report.document import (
    Block,
    Grid,
    Heading,
    Inline,
    Judgement,
    Paragraph,
    Picture,
    Reason,
    ReportDocument,
    Section,
    SentenceList,
    clean,
    plain_text,
)
from microsafe.report.plots import draw_png
from microsafe.report.table_layout import column_shares
from microsafe.report.texts import LANGUAGES, speaking

_WIDTH = 17.6  # cm between the margins
_GREY = RGBColor(85, 99, 110)
_ALWAYS = datetime(1980, 1, 1)  # the same input gives the same bytes


def render_word(report: ReportDocument) -> bytes:
    """Return a report as the bytes of a .docx file."""
    document, subject = Document(), clean(report.subject)
    language = LANGUAGES[report.language].html
    _prepare(document, report.title, f"{report.title}: {subject}", language)
    with speaking(report.language):  # pictures hold words, too
        _put_report(document, report)
    file = BytesIO()
    document.save(file)
    return _without_times(file)


def _put_report(document: Any, report: ReportDocument) -> None:
    _put_small(document, report.kind)
    document.add_heading(report.title, 1)
    document.add_paragraph().add_run(plain_text(report.subject))
    for block in report.cover:
        _put(document, block)
    if report.decision:
        _put_section(document, report.decision)
        document.add_page_break()
    if report.listed:
        _put_contents(document, report.contents, [each.title for each in report.listed])
    for section in report.sections:
        _put_section(document, section)
    _put_small(document, report.footer)


def _put_section(document: Any, section: Section) -> None:
    document.add_heading(section.title, 2)
    for block in section.blocks:
        _put(document, block)


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


def _put(document: Any, block: Block) -> None:
    match block:
        case Heading(text):
            document.add_heading(plain_text(text).replace("\n", " "), 3)
        case Paragraph(text, note):
            if note:
                _put_small(document, text)
            else:
                document.add_paragraph().add_run(plain_text(text))
        case Reason(word, text):
            document.add_paragraph().add_run(plain_text(f"{word}: {text}")).italic = True
        case Judgement(_, headline, text):
            document.add_paragraph().add_run(plain_text(f"{headline} {text}")).bold = True
        case SentenceList(items):
            for item in items:
                document.add_paragraph(plain_text(item), style="List Bullet")
        case Grid():
            _put_grid(document, block)
        case Picture():
            _put_picture(document, block)


def _put_small(document: Any, text: Inline) -> None:
    _grey(document.add_paragraph().add_run(plain_text(text)))


def _put_grid(document: Any, block: Grid) -> None:
    if caption := plain_text(block.caption):
        _grey(document.add_paragraph(style="Normal").add_run(caption))
        document.paragraphs[-1].paragraph_format.keep_with_next = True
    rows = [[plain_text(cell) for cell in row] for row in block.rows]
    _put_table(document, block.head, rows, block.numbers)


def _put_table(
    document: Any,
    head: Sequence[str],
    body: Sequence[Sequence[str]],
    numbers: Collection[int] = (),
) -> None:
    rows = [*([head] if head else []), *body]
    made = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
    made.autofit = False
    shares = column_shares(head, body, numbers)
    widths = [Cm(_WIDTH * share / sum(shares)) for share in shares]
    for at, (row, texts) in enumerate(zip(made.rows, rows, strict=True)):
        heading = bool(head) and not at
        if heading:
            row._tr.get_or_add_trPr().append(_element("w:tblHeader"))
        for place, (cell, text) in enumerate(zip(row.cells, texts, strict=True)):
            cell.width = widths[place]
            _put_cell(cell, text, bold=heading, right=place in numbers)
    document.add_paragraph()


def _put_cell(cell: Any, text: str, *, bold: bool, right: bool) -> None:
    paragraph = cell.paragraphs[0]
    run = paragraph.add_run(text)
    run.font.size, run.bold = Pt(8.5), bold
    if right:
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT


def _put_picture(document: Any, block: Picture) -> None:
    document.add_picture(BytesIO(draw_png(block)), width=Cm(_WIDTH))
    drawing = document.paragraphs[-1]._p.find(f".//{qn('wp:docPr')}")
    drawing.set("descr", plain_text(block.label))
    _put_small(document, block.caption)


def _put_contents(document: Any, title: str, sections: Sequence[str]) -> None:
    """Put the list of contents; Word adds the page numbers when it updates the field."""
    document.add_paragraph().add_run(title).bold = True
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
        for member in before.infolist():
            after.writestr(ZipInfo(member.filename), before.read(member), ZIP_DEFLATED)
    return packed.getvalue()
