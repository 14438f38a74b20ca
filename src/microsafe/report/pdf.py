"""The report as PDF, by fpdf2: contents with page numbers, the plan attached, no date."""

from __future__ import annotations

import struct
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from fpdf import FPDF
from fpdf.fonts import FontFace
from fpdf.outline import OutlineSection
from matplotlib import get_data_path

from microsafe.report.document import (
    FIELD,
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
from microsafe.report.table_layout import column_shares, cut_rows
from microsafe.report.texts import LANGUAGES, speaking

_FONT = "DejaVu"  # comes with matplotlib, and has most scripts
_FILES = {"": "DejaVuSans.ttf", "B": "DejaVuSans-Bold.ttf", "I": "DejaVuSans-Oblique.ttf"}
_INK, _GREY, _RULE = (31, 42, 51), (85, 99, 110), (197, 206, 213)
_RED, _GREEN, _BLUE = (180, 68, 44), (75, 122, 90), (111, 143, 169)
_SIDES = {"go": _GREEN, "stop": _RED, "plain": _BLUE}
_SIZES = {1: 17.0, 2: 14.0, 3: 10.5}
_ALWAYS = datetime(1980, 1, 1, tzinfo=UTC)  # the same input gives the same bytes


def render_pdf(document: ReportDocument) -> bytes:
    """Return a report as PDF, with what is attached."""
    with speaking(document.language):  # pictures hold words, too
        return _print(document)


def _print(document: ReportDocument) -> bytes:
    paper = _Paper(f"{document.title}: {clean(document.subject)}")
    paper.set_creation_date(_ALWAYS)
    paper.set_title(document.title)
    paper.set_lang(LANGUAGES[document.language].html)
    paper.set_producer("microsafe")
    paper.put_small(document.kind)
    paper.put_heading(document.title, 1)
    paper.put_text(document.subject)
    for block in document.cover:
        paper.put(block)
    if document.decision:
        paper.put_section(document.decision)
        paper.add_page()
    if document.listed:
        paper.put_contents(document.contents)
    for section in document.sections:
        paper.put_section(section)
    paper.put_small(document.footer)
    if plan := document.attached:
        paper.embed_file(
            bytes=plan.text.encode("utf-8", "replace"),
            basename=plan.name,
            mime_type="application/toml",
            modification_date=_ALWAYS,
            compress=True,
        )
    return bytes(paper.output())


class _Paper(FPDF):  # type: ignore[misc]  # an extra has no types here
    """A4 pages that know how to put each kind of block."""

    def __init__(self, foot: str) -> None:
        super().__init__(format="A4")
        self._foot = foot
        self.set_margins(17, 15, 17)
        self.set_auto_page_break(auto=True, margin=18)
        folder = Path(get_data_path()) / "fonts" / "ttf"
        for style, file in _FILES.items():
            self.add_font(_FONT, style, folder / file)
        self.add_page()
        self._write_in("", 9.4)

    def footer(self) -> None:
        """Name the report and the page."""
        self.set_y(-14)
        self._write_in("", 7.5, _GREY)
        self.cell(self.epw - 25, 5, _shorten(self._foot))
        self.cell(25, 5, f"{self.page_no()} / {{nb}}", align="R")

    def _write_in(self, style: str, size: float, colour: tuple[int, int, int] = _INK) -> None:
        self.set_font(_FONT, style, size)
        self.set_text_color(*colour)

    def put_section(self, section: Section) -> None:
        """Put a section where the last one ended."""
        self.put_heading(section.title, 2)
        for block in section.blocks:
            self.put(block)

    def put(self, block: Block) -> None:
        """Put a block where the last one ended."""
        match block:
            case Heading(text):
                self.put_heading(text, 3)
            case Paragraph(text, note):
                self.put_small(text) if note else self.put_text(text)
            case Reason(word, text):
                self._put_marked(f"{word}: {clean(text)}", _RULE)
            case Judgement(colour, headline, text):
                self._put_marked(f"{headline} {clean(text)}", _SIDES[colour])
            case SentenceList(items):
                self._put_items(items)
            case Grid():
                self._put_grid(block)
            case Picture():
                self._put_picture(block)

    def _lines(self, text: str, height: float, *, indent: float = 0.0) -> None:
        self.set_x(self.l_margin + indent)
        self.multi_cell(self.epw - indent, height, text, align="L", new_x="LMARGIN", new_y="NEXT")

    def _make_room(self, height: float) -> None:
        if self.will_page_break(height):
            self.add_page()

    def put_heading(self, text: Inline, level: int) -> None:
        """Put a heading: 1 is the title, 2 that of a section, 3 one inside it."""
        size, told = _SIZES[level], plain_text(text)
        self._make_room(40 if level == 2 else 28)
        self.ln({1: 0, 2: 4, 3: 3}[level])
        if level == 2:
            self.start_section(told.replace("\n", " "))
        self._write_in("B", size)
        self._lines(told, size * 0.45)
        self.ln(2)

    def put_text(self, text: Inline) -> None:
        """Put a paragraph."""
        self._write_in("", 9.4)
        self._lines(plain_text(text), 4.6)
        self.ln(1.6)

    def put_small(self, text: Inline) -> None:
        """Put a paragraph in small print."""
        self._write_in("", 8.4, _GREY)
        self._lines(plain_text(text), 4.0)
        self.ln(1.6)

    def _put_marked(self, text: str, colour: tuple[int, int, int]) -> None:
        """Put a paragraph with a line at its side."""
        self._write_in("", 9.4)
        top, page = self.get_y(), self.page
        self._lines(plain_text(text), 4.6, indent=3.0)
        if page == self.page:
            self.set_fill_color(*colour)
            self.rect(self.l_margin, top, 1.0, self.get_y() - top, style="F")
            self.set_fill_color(255)
        self.ln(1.6)

    def _put_items(self, items: Sequence[Inline]) -> None:
        self._write_in("", 8.8)
        for text in items:
            self._lines(f"•  {plain_text(text)}", 4.4, indent=2)
            self.ln(0.8)
        self.ln(1)

    def _put_grid(self, block: Grid) -> None:
        if caption := plain_text(block.caption):
            self._make_room(26)
            self._write_in("", 8.4, _GREY)
            self._lines(caption, 4.2)
            self.ln(0.6)
        rows = [[plain_text(cell) for cell in row] for row in block.rows]
        self._put_table(block.head, rows, block.numbers)

    def _put_table(
        self,
        head: Sequence[str],
        rows: Sequence[Sequence[str]],
        numbers: Collection[int] = (),
    ) -> None:
        self._write_in("", 8.2)
        self.set_draw_color(*_RULE)
        aligned = tuple("RIGHT" if at in numbers else "LEFT" for at in range(len(rows[0])))
        with self.table(
            col_widths=column_shares(head, rows, numbers),
            text_align=aligned,
            borders_layout="HORIZONTAL_LINES",
            first_row_as_headings=bool(head),
            headings_style=FontFace(emphasis="BOLD"),
            line_height=3.7,
            padding=(0.6, 1.2, 0.6, 0),
            v_align="TOP",
        ) as table:
            for row in (*([head] if head else []), *cut_rows(rows)):
                # Room for a hand where somebody is to sign.
                signs = row[0] != FIELD and row[-2:] == (FIELD, FIELD)
                table.row(row, min_height=9 if signs else None)
        self.ln(3)

    def _put_picture(self, block: Picture) -> None:
        png = draw_png(block)
        width, height = struct.unpack(">II", png[16:24])
        self._make_room(self.epw * (height / width + 0.005) + 8)
        self.image(BytesIO(png), w=self.epw, alt_text=plain_text(block.label))
        self.ln(1)
        self.put_small(block.caption)

    def put_contents(self, title: str) -> None:
        """Keep the rest of the page for the list of contents."""
        self._contents = title
        self.insert_toc_placeholder(_put_toc)


def _put_toc(paper: FPDF, outline: list[OutlineSection]) -> None:
    """Put the list of contents onto the page that is kept for it."""
    assert isinstance(paper, _Paper)  # noqa: S101  # made here
    paper._write_in("B", _SIZES[2])
    paper._lines(paper._contents, 7)
    paper._write_in("", 9.4)
    for section in outline:
        link = paper.add_link(page=section.page_number)
        paper.cell(paper.epw - 15, 7, section.name, link=link)
        paper.cell(
            15, 7, str(section.page_number), align="R", link=link, new_x="LMARGIN", new_y="NEXT"
        )


def _shorten(text: str, most: int = 90) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
