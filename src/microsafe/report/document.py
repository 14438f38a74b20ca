"""A report as a document: sections of blocks, before it is a page.

Sections yield blocks; `html`, `pdf` and `word` each render all kinds of them, and nothing else.
Words are those of the language that is spoken when a block is made (`texts`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from string import Formatter
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # takes a while to load

Style = Literal["name", "label", "met", "unmet", "checksum"]


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text that is more than text.

    Attributes:
        text: What it says.
        style: A name of a file or a person, which keeps its direction of writing to itself; the
            label behind a name; a rule that is met or not; a checksum.
    """

    text: str
    style: Style


@dataclass(frozen=True, slots=True)
class ShareBar:
    """A bar behind a figure, as long as its share; only pages draw it."""

    share: float


@dataclass(frozen=True, slots=True)
class LineBreak:
    """What follows begins a line."""


@dataclass(frozen=True, slots=True)
class FormField:
    """A line for somebody to write on."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that the report holds: a link on a page, its name where the format attaches files."""

    name: str
    text: str = field(repr=False)


Inline: TypeAlias = (
    "str | Span | ShareBar | LineBreak | FormField | Attachment | tuple[Inline, ...]"
)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a section."""

    text: Inline


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; a note is in small print."""

    text: Inline
    note: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """Why somebody decided as they did, in their words, below the word for a reason."""

    word: str
    text: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The decision in a word or two, and what it rests on."""

    colour: Literal["go", "stop", "plain"]
    headline: str
    text: str


@dataclass(frozen=True, slots=True)
class SentenceList:
    """A list of sentences."""

    items: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table.

    Attributes:
        caption: What it shows; may be empty.
        head: Headings of the columns; none in a list of facts.
        rows: Cells; the first of a row is its heading.
        numbers: Places of the columns that hold numbers.
    """

    caption: Inline
    head: tuple[str, ...]
    rows: tuple[tuple[Inline, ...], ...]
    numbers: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, drawn when the report is rendered.

    Attributes:
        draw: Draws it.
        identity: Tells it from the other pictures of the report.
        label: What it shows, for those who do not see it.
        caption: What stands below it.
    """

    draw: Callable[[], Figure] = field(repr=False)
    identity: str
    label: str
    caption: Inline


Block: TypeAlias = Heading | Paragraph | Reason | Judgement | SentenceList | Grid | Picture


@dataclass(frozen=True, slots=True)
class Section:
    """A section.

    Attributes:
        identity: Its name in links.
        title: Its heading.
        blocks: What it says.
    """

    identity: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDocument:
    """A report.

    Attributes:
        language: Code of the language that it speaks.
        title: Its heading.
        kind: For whom it is.
        subject: Name of the file that it is about.
        cover: Whose file it is.
        decision: Stands on the first page with that, before the list of contents; None if nobody
            is to decide.
        contents: Heading of the list of contents.
        sections: What it says.
        footer: Stands at the end.
        attached: Goes with it: the plan, for the board.
    """

    language: str
    title: str
    kind: str
    subject: str
    cover: tuple[Block, ...]
    contents: str
    sections: tuple[Section, ...]
    footer: str
    decision: Section | None = None
    attached: Attachment | None = None

    @property
    def listed(self) -> tuple[Section, ...]:
        """The sections that the list of contents names; a single one needs no list."""
        first = () if self.decision is None else (self.decision,)
        return (*first, *self.sections) if len(self.sections) > 1 else ()


def name(text: object) -> Span:
    """Return a name that keeps its direction of writing to itself."""
    return Span(str(text), "name")


def fill(template: str, **places: Inline | int) -> Inline:
    """Put texts into the `{places}` of a template, whatever they are made of."""
    parts: list[Inline] = []
    for text, place, _, _ in Formatter().parse(template):
        parts.append(text)
        if place is not None:
            value = places[place]
            parts.append(str(value) if isinstance(value, int) else value)
    return tuple(parts)


def join(parts: Iterable[Inline], between: Inline = "") -> Inline:
    """Join texts."""
    joined: list[Inline] = []
    for part in parts:
        joined += [between, part] if joined else [part]
    return tuple(joined)


# Control characters, and marks that turn the direction of what follows; RTL letters are fine.
_HOSTILE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\uffff"
    "\ud800-\udfff]"
)
_SHOWN_INSTEAD = "\ufffd"
_LABEL = ": "  # stands before the label behind a name
_SPACE = re.compile(r"[ \n]+")
FIELD = "_" * 16


def clean(text: str) -> str:
    """Return text without characters that do something instead of being shown."""
    return _HOSTILE.sub(_SHOWN_INSTEAD, text)


def plain_text(text: Inline) -> str:
    """Return a text for formats that know lines, and no marks inside them."""
    lines = "".join(_plain_parts(text)).split("\x00")
    told = (_SPACE.sub(" ", line).removeprefix(_LABEL).strip() for line in lines)
    return "\n".join(line for line in told if line)


def _plain_parts(text: Inline) -> Iterator[str]:
    match text:
        case str():
            yield clean(text)
        case tuple():
            for part in text:
                yield from _plain_parts(part)
        case Span(text=said, style=style):
            yield _LABEL + clean(said) if style == "label" else clean(said)
        case LineBreak():
            yield "\x00"
        case FormField():
            yield FIELD
        case Attachment():
            yield text.name
        case ShareBar():
            pass
