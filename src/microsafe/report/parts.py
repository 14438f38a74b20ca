"""Pieces that both reports are put together from."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

from microsafe.report import templates as t
from microsafe.report.markup import Html, escape, fill, join, name
from microsafe.report.texts import say

PLAN_FILE = "plan.toml"  # as it is attached
Form = Literal["svg", "png"]
_FORM: ContextVar[Form] = ContextVar("form", default="svg")

_WIDTH = 72.0  # of a full bar, in pixels
_ON_ONE_PAGE = 14  # rows; a longer table may be broken in print


def section(identity: str, title: str, *parts: Html) -> Html:
    """Return a section with a heading, or nothing if it would be empty."""
    body = join(parts)
    return fill(t.SECTION, id=identity, title=title, body=body) if body else Html("")


def subhead(title: object) -> Html:
    """Return a smaller heading."""
    return fill(t.SUBHEAD, title=title)


def paragraph(text: object) -> Html:
    """Return a paragraph."""
    return fill(t.PARAGRAPH, text=text)


def note(text: object) -> Html:
    """Return a paragraph in small print."""
    return fill(t.NOTE, text=text)


def reason(text: str) -> Html:
    """Return somebody's reason, or nothing if there is none."""
    return fill(t.REASON, word=say("Reason"), text=name(text)) if text.strip() else Html("")


def table(
    caption: object,
    head: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    numbers: Sequence[int] = (),
) -> Html:
    """Return a table; the first cell of a row is its heading.

    Args:
        caption: What the table shows.
        head: Headings of the columns.
        rows: Cells; text is escaped.
        numbers: Places of the columns that hold numbers.
    """
    if not rows:
        return Html("")

    def right(at: int) -> Html:
        return Html(' class="number"' if at in numbers else "")

    headings = join(fill(t.HEAD, text=each, number=right(at)) for at, each in enumerate(head))
    body = join(
        fill(
            t.ROW,
            name=row[0],
            cells=join(
                fill(t.CELL, text=each, number=right(at)) for at, each in enumerate(row[1:], 1)
            ),
        )
        for row in rows
    )
    keep = Html(' class="keep"' if len(rows) <= _ON_ONE_PAGE else "")
    return fill(t.TABLE, caption=_caption(caption), head=headings, rows=body, keep=keep)


def facts(caption: object, rows: Sequence[tuple[object, object]]) -> Html:
    """Return a table of names and values."""
    if not rows:
        return Html("")
    body = join(
        fill(t.ROW, name=what, cells=fill(t.CELL, text=value, number="")) for what, value in rows
    )
    return fill(t.PAIRS, caption=_caption(caption), rows=body)


@contextmanager
def drawing(form: Form) -> Iterator[None]:
    """Draw pictures in a form."""
    token = _FORM.set(form)
    try:
        yield
    finally:
        _FORM.reset(token)


def picture_form() -> Form:
    """Return the form in which pictures are drawn now."""
    return _FORM.get()


def attachment(plan: str) -> Html:
    """Return a link that holds the plan; other formats attach it or write it beside them."""
    data = b64encode(plan.encode("utf-8", "replace")).decode("ascii")
    return fill(t.ATTACHED, file=PLAN_FILE, data=data)


def contents(body: Html) -> Html:
    """Return the list of the sections of a body, as links."""
    found = re.findall(r'<h2 id="([^"]+)">(.*?)</h2>', body)
    items = join(fill(t.CONTENTS_ITEM, id=each, title=Html(title)) for each, title in found)
    return fill(t.CONTENTS, title=say("Contents"), items=items) if len(found) > 1 else Html("")


def _caption(text: object) -> Html:
    return fill(t.CAPTION, text=text) if text else Html("")


def bar(share: float, text: str, *, full: float = 1.0) -> Html:
    """Return a value with a bar beside it, as long as its share of `full`."""
    width = _WIDTH * min(max(share / full if full else 0.0, 0.0), 1.0)
    return join([escape(text), fill(t.BAR, width=f"{width:.2f}")])


def variable_title(variable: str, label: str) -> Html:
    """Return the name of a variable with what it means."""
    if not label or label == variable:
        return name(variable)
    return fill("{name} <small>{label}</small>", name=name(variable), label=name(label))
