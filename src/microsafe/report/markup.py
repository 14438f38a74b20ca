"""The one gate through which text becomes HTML.

Names, labels, reasons and file names come from files and people and may hold anything. What is
not `Html` is escaped whenever it is put into a template, so nothing can be forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape as _escape
from string import Formatter

from microsafe.report.document import clean


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def escape(text: object) -> Html:
    """Return text as HTML that shows it and does nothing else."""
    if isinstance(text, Html):
        return text
    return Html(_escape(clean(str(text)), quote=True))


def fill_template(template: str, **values: object) -> Html:
    """Put values into the `{places}` of a template, each through the gate."""
    parts = []
    for text, place, _, _ in Formatter().parse(template):
        parts.append(text)
        if place is not None:
            parts.append(escape(values[place]))
    return Html("".join(parts))


def concatenate(parts: Iterable[Html]) -> Html:
    """Put pieces of HTML one behind the other."""
    return Html("".join(parts))
