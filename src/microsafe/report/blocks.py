"""A report as blocks: what the page says, read back from it, for formats that are no pages."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: 1 is the title of the report, 2 a section, 3 a part of it."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; `style` is its class on the page, such as "note", "reason" or "verdict stop"."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list of sentences."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table.

    Attributes:
        caption: What it shows.
        head: Headings of the columns; none in a list of facts.
        rows: Cells.
        numbers: Places of the columns that hold numbers.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as PNG, with what it shows and what stands below it."""

    png: bytes = field(repr=False)
    label: str
    caption: str


@dataclass(frozen=True, slots=True)
class Contents:
    """The place of the list of contents."""

    title: str


Block = Heading | Paragraph | Items | Grid | Picture | Contents

_EMPTY = ("meta", "br", "img")
_SPACE = re.compile(r"[ \n]+")


def read_blocks(page: str) -> list[Block]:
    """Return the blocks of a page that `report_html` made with pictures as PNG."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.blocks


class _Reader(HTMLParser):
    """Goes through a page; only what our own templates hold is known here."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[Block] = []
        self._open: list[tuple[str, str]] = []
        self._text = ""
        self._caption = ""
        self._head: list[str] = []
        self._rows: list[list[str]] = []
        self._numbers: set[int] = set()
        self._items: list[str] = []
        self._png, self._label = b"", ""

    def _inside(self, *tags: str) -> bool:
        return any(tag in tags for tag, _ in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "br":
            self._text += "\x00"
        elif tag == "small" and self._text.strip():
            self._text = self._text.rstrip() + ("\x00" if self._inside("dd") else ": ")
        elif tag == "img":
            self._png = b64decode(given["src"].partition(",")[2])
        elif tag == "figure":
            self._label = given["aria-label"]
        elif tag == "tr":
            self._rows.append([])
        elif tag == "td" and given.get("class") == "number":
            self._numbers.add(len(self._rows[-1]))
        if tag in (
            "p",
            "h1",
            "h2",
            "h3",
            "li",
            "td",
            "th",
            "caption",
            "figcaption",
            "dt",
            "footer",
        ):
            self._text = ""
        if tag not in _EMPTY:
            self._open.append((tag, given.get("class", "")))

    def handle_endtag(self, tag: str) -> None:
        _, style = self._open.pop()
        made = getattr(self, f"_end_{tag}", None)
        if made is not None:
            made(style)

    def handle_data(self, data: str) -> None:
        if not self._inside("style", "svg", "title"):
            self._text += data

    def _take(self) -> str:
        lines = (_SPACE.sub(" ", line).strip() for line in self._text.split("\x00"))
        self._text = ""
        return "\n".join(line for line in lines if line)

    def _end_h1(self, _: str) -> None:
        self.blocks.append(Heading(1, self._take()))

    def _end_h2(self, _: str) -> None:
        self.blocks.append(Heading(2, self._take()))

    def _end_h3(self, _: str) -> None:
        self.blocks.append(Heading(3, self._take()))

    def _end_p(self, style: str) -> None:
        text = self._take()
        self.blocks.append(Contents(text) if style == "contents" else Paragraph(text, style))

    def _end_footer(self, _: str) -> None:
        self.blocks.append(Paragraph(self._take(), "note"))

    def _end_span(self, style: str) -> None:
        if ("p", "reason") in self._open and not style:
            self._text += ":"

    def _end_li(self, _: str) -> None:
        self._items.append(self._take())

    def _end_ul(self, _: str) -> None:
        self.blocks.append(Items(tuple(self._items)))
        self._items = []

    def _end_ol(self, _: str) -> None:
        self._items = []  # the list of contents: every format makes its own

    def _end_caption(self, _: str) -> None:
        self._caption = self._take()

    def _end_th(self, _: str) -> None:
        text = self._take()
        self._head.append(text) if self._inside("thead") else self._rows[-1].append(text)

    def _end_td(self, _: str) -> None:
        self._rows[-1].append(self._take())

    def _end_table(self, _: str) -> None:
        rows = tuple(tuple(row) for row in self._rows if row)
        self._put_grid(self._caption, tuple(self._head), rows)

    def _put_grid(
        self, caption: str, head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]
    ) -> None:
        self.blocks.append(Grid(caption, head, rows, frozenset(self._numbers)))
        self._caption, self._head, self._rows, self._numbers = "", [], [], set()

    def _end_dt(self, _: str) -> None:
        self._rows.append([self._take()])

    def _end_dd(self, _: str) -> None:
        self._rows[-1] += self._take().split("\n", 1)

    def _end_dl(self, _: str) -> None:
        columns = tuple(zip(*self._rows, strict=True))
        self._put_grid("", columns[0], columns[1:])

    def _end_figcaption(self, _: str) -> None:
        self.blocks.append(Picture(self._png, self._label, self._take()))


_PAGE = 100  # characters across a page
_LINE = 46  # characters of a line that is worth a wide column
_WORD = 22  # characters of a word that is worth a wide column
_LONGEST = 900  # characters of a cell on one page


def column_shares(grid: Grid) -> tuple[float, ...]:
    """Return the widths of the columns in proportion: no word is broken if that can be."""
    if not grid.head:
        return (34.0, 66.0)
    columns = list(zip(grid.head, *grid.rows, strict=True))
    least = [
        2.0 + min(max(_bold(column[0]), *map(_longest_word, column)), _WORD) for column in columns
    ]
    wanted = [2.0 + min(max(map(_longest_line, column)), _LINE) for column in columns]
    wanted = [max(pair) for pair in zip(least, wanted, strict=True)]
    more = sum(wanted) - sum(least)
    room = min(max((_PAGE - sum(least)) / more, 0.0), 1.0) if more else 0.0
    return tuple(low + room * (high - low) for low, high in zip(least, wanted, strict=True))


def _bold(heading: str) -> float:
    return 1.25 * _longest_word(heading)


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _longest_line(text: str) -> int:
    return max(map(len, text.split("\n")))


def cut_rows(rows: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Go through rows; what is too high for a page goes on in a further row."""
    for row in rows:
        parts = [
            [text[at : at + _LONGEST] for at in range(0, len(text) or 1, _LONGEST)] for text in row
        ]
        for at in range(max(map(len, parts))):
            yield tuple(part[at] if at < len(part) else "" for part in parts)
