"""The one gate through which text becomes HTML.

Names, labels, reasons and file names come from files and people and may hold anything. What is
not `Html` is escaped whenever it is put into a template, so nothing can be forgotten.
"""

from __future__ import annotations

import re
from html import escape as _escape
from string import Formatter

# Control characters, and marks that turn the direction of what follows; RTL letters are fine.
_HOSTILE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\uffff"
    "\ud800-\udfff]"
)
_SHOWN_INSTEAD = "\ufffd"


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def clean(text: str) -> str:
    """Return text without characters that do something instead of being shown."""
    return _HOSTILE.sub(_SHOWN_INSTEAD, text)


def escape(text: object) -> Html:
    """Return text as HTML that shows it and does nothing else."""
    if isinstance(text, Html):
        return text
    return Html(_escape(clean(str(text)), quote=True))


def fill(template: str, **values: object) -> Html:
    """Put values into the `{places}` of a template, each through the gate."""
    parts = []
    for text, place, _, _ in Formatter().parse(template):
        parts.append(text)
        if place is not None:
            parts.append(escape(values[place]))
    return Html("".join(parts))


def join(parts: object, between: str = "") -> Html:
    """Join parts, each through the gate."""
    return Html(escape(between).join(escape(part) for part in parts))  # type: ignore[attr-defined]


def name(text: object) -> Html:
    """Return a name as HTML that keeps its direction of writing to itself."""
    return fill("<bdi>{text}</bdi>", text=text)
