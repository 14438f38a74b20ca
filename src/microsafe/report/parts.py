"""Blocks and texts that sections are put together from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from microsafe.display import keep_on_one_line
from microsafe.options.reason import is_by_person
from microsafe.report.document import (
    Block,
    Grid,
    Heading,
    Inline,
    Paragraph,
    Reason,
    Section,
    SentenceList,
    ShareBar,
    Span,
    fill,
    join,
    name,
)
from microsafe.report.texts import say, tell_reason

Facts = list[tuple[Inline, Inline]]


def section(identity: str, title: str, blocks: Iterable[Block]) -> Iterator[Section]:
    """Yield a section, or nothing if it would be empty."""
    if found := tuple(blocks):
        yield Section(identity, title, found)


def note(text: Inline) -> Paragraph:
    """Return a paragraph in small print."""
    return Paragraph(text, note=True)


def reason(text: str) -> Iterator[Reason]:
    """Yield somebody's reason, or nothing if there is none."""
    if text.strip():
        word = say("Reason") if is_by_person(text) else say("Reason, by the program")
        yield Reason(word, tell_reason(text))


def reason_in_words(text: str, most: int | None = None) -> Inline:
    """Return a reason in a line, and whether the program wrote it.

    Args:
        text: The reason.
        most: Characters that it is cut after; None if it is not.
    """
    told = tell_reason(text)
    shown = name(told if most is None else keep_on_one_line(told, most))
    return shown if is_by_person(text) else fill(say("By the program: {reason}"), reason=shown)


def table(
    caption: Inline,
    head: Sequence[str],
    rows: Iterable[Sequence[Inline]],
    *,
    numbers: Iterable[int] = (),
) -> Iterator[Grid]:
    """Yield a table, or nothing if it has no rows; the first cell of a row is its heading.

    Args:
        caption: What the table shows.
        head: Headings of the columns.
        rows: Cells.
        numbers: Places of the columns that hold numbers.
    """
    if cells := tuple(tuple(row) for row in rows):
        yield Grid(caption, tuple(head), cells, frozenset(numbers))


def facts(rows: Iterable[tuple[Inline, Inline]], caption: Inline = "") -> Iterator[Grid]:
    """Yield a table of names and values, or nothing if there are none."""
    yield from table(caption, (), rows)


def sentence_list(texts: Iterable[str]) -> Iterator[SentenceList]:
    """Yield a list of sentences that hold names, or nothing if there are none."""
    if items := tuple(name(text) for text in texts):
        yield SentenceList(items)


def scenario_heading(scenario: str) -> Heading:
    """Return the heading of what is said of a scenario."""
    return Heading(fill(say("Scenario “{name}”"), name=name(scenario)))


def bar(share: float, text: str, *, full: float = 1.0) -> Inline:
    """Return a value with a bar beside it, as long as its share of `full`."""
    return (text, ShareBar(min(max(share / full if full else 0.0, 0.0), 1.0)))


def variable_title(variable: str, label: str) -> Inline:
    """Return the name of a variable with what it means."""
    if not label or label == variable:
        return name(variable)
    return (name(variable), Span(label, "label"))


def names(variables: Iterable[str], between: str = ", ") -> Inline:
    """Return several names in one line."""
    return join((name(variable) for variable in variables), between)
