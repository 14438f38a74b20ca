"""The report as PDF, by fpdf2: contents with page numbers, the plan attached, no date."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from fpdf import FPDF
from fpdf.fonts import FontFace
from fpdf.outline import OutlineSection
from matplotlib import get_data_path

from microsafe.report.blocks import (
    Block,
    Contents,
    Grid,
    Heading,
    Items,
    Paragraph,
    Picture,
    column_shares,
    cut_rows,
)
from microsafe.report.parts import PLAN_FILE

_FONT = "DejaVu"  # comes with matplotlib, and has most scripts
_FILES = {"": "DejaVuSans.ttf", "B": "DejaVuSans-Bold.ttf", "I": "DejaVuSans-Oblique.ttf"}
_INK, _GREY, _RULE = (31, 42, 51), (85, 99, 110), (197, 206, 213)
_RED, _GREEN, _BLUE = (180, 68, 44), (75, 122, 90), (111, 143, 169)
_SIZES = {1: 22.0, 2: 14.0, 3: 10.5}
_LINE = "____"
_ALWAYS = datetime(1980, 1, 1, tzinfo=UTC)  # the same input gives the same bytes


def pdf_bytes(
    blocks: Sequence[Block], *, title: str, subject: str, language: str, plan: str
) -> bytes:
    """Return the report as PDF.

    Args:
        blocks: What it says.
        title: Of the document.
        subject: The file that it is about, in the foot of every page.
        language: Of the text.
        plan: Text to attach, or empty.
    """
    paper = _Paper(f"{title}: {subject}")
    paper.set_creation_date(_ALWAYS)
    paper.set_title(title)
    paper.set_lang(language)
    paper.set_producer("microsafe")
    for block in blocks:
        paper.put(block)
    if plan:
        paper.embed_file(
            bytes=plan.encode("utf-8", "replace"),
            basename=PLAN_FILE,
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
        self.set_margins(17, 18, 17)
        self.set_auto_page_break(auto=True, margin=20)
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

    def put(self, block: Block) -> None:
        """Put a block where the last one ended."""
        puts: dict[type[Block], Any] = {
            Heading: self._put_heading,
            Paragraph: self._put_paragraph,
            Items: self._put_items,
            Grid: self._put_grid,
            Picture: self._put_picture,
            Contents: self._put_contents,
        }
        puts[type(block)](block)

    def _lines(self, text: str, height: float, *, indent: float = 0.0) -> None:
        self.set_x(self.l_margin + indent)
        self.multi_cell(self.epw - indent, height, text, align="L", new_x="LMARGIN", new_y="NEXT")

    def _make_room(self, height: float) -> None:
        if self.will_page_break(height):
            self.add_page()

    def _put_heading(self, block: Heading) -> None:
        size = _SIZES[block.level]
        self._make_room(40 if block.level == 2 else 28)
        self.ln({1: 0, 2: 6, 3: 3}[block.level])
        if block.level == 2:
            self.start_section(block.text.replace("\n", " "))
        self._write_in("B", size)
        self._lines(block.text, size * 0.45)
        self.ln(2)

    def _put_paragraph(self, block: Paragraph) -> None:
        kind, _, colour = block.style.partition(" ")
        small = kind in ("note", "kind")
        self._write_in("", 8.4 if small else 9.4, _GREY if small else _INK)
        top, page, indent = self.get_y(), self.page, 3.0 if kind in ("verdict", "reason") else 0.0
        self._lines(block.text, 4.0 if small else 4.6, indent=indent)
        if indent and page == self.page:
            side = {"stop": _RED, "plain": _BLUE}.get(colour, _GREEN)
            self._draw_side(top, _RULE if kind == "reason" else side)
        self.ln(1.6)

    def _draw_side(self, top: float, colour: tuple[int, int, int]) -> None:
        self.set_fill_color(*colour)
        self.rect(self.l_margin, top, 1.0, self.get_y() - top, style="F")
        self.set_fill_color(255)

    def _put_items(self, block: Items) -> None:
        self._write_in("", 8.8)
        for text in block.texts:
            self._lines(f"•  {text}", 4.4, indent=2)
            self.ln(0.8)
        self.ln(1)

    def _put_grid(self, block: Grid) -> None:
        if block.caption:
            self._make_room(26)
            self._write_in("", 8.4, _GREY)
            self._lines(block.caption, 4.2)
            self.ln(0.6)
        self._write_in("", 8.2)
        self.set_draw_color(*_RULE)
        head = [block.head] if block.head else []
        columns = len(block.head or block.rows[0])
        aligned = tuple("RIGHT" if at in block.numbers else "LEFT" for at in range(columns))
        with self.table(
            col_widths=column_shares(block),
            text_align=aligned,
            borders_layout="HORIZONTAL_LINES",
            first_row_as_headings=bool(head),
            headings_style=FontFace(emphasis="BOLD"),
            line_height=4.0,
            padding=(0.7, 1.2, 0.7, 0),
            v_align="TOP",
        ) as table:
            for row in (*head, *cut_rows(block.rows)):
                # Room for a hand where somebody is to write.
                table.row(row, min_height=13 if _LINE in row[-1] else None)
        self.ln(3)

    def _put_picture(self, block: Picture) -> None:
        width, height = struct.unpack(">II", block.png[16:24])
        self._make_room(self.epw * (height / width + 0.005) + 8)
        self.image(BytesIO(block.png), w=self.epw, alt_text=block.label)
        self.ln(1)
        self._put_paragraph(Paragraph(block.caption, "note"))

    def _put_contents(self, block: Contents) -> None:
        self._contents = block.title
        self.add_page()
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
