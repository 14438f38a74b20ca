"""Colour for headings, verdicts and unsafe counts where output is a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from typing import TextIO

_RED, _GREEN, _YELLOW, _BOLD = "31", "32", "33", "1"
_VERDICT = re.compile(r"(?<=  )(not met|met)\b")
_UNSAFE = re.compile(r"^  (?:unsafe records|records above it|households above it)\b.*[1-9].*$")
_ERROR = re.compile(r"^microsafe[a-z -]*:")
_NOTE = re.compile(r"^note:")


def wants_colour(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether to colour: NO_COLOR forbids it, FORCE_COLOR asks for it, else a terminal."""
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    if os.name == "nt" and "WT_SESSION" not in environment:
        return False  # older windows show the codes
    return environment.get("TERM") != "dumb" and stream.isatty()


def paint_result(text: str) -> str:
    """Colour a result: lines above indented ones are headings."""
    if not wants_colour(sys.stdout):
        return text
    lines = text.split("\n")
    below = [*lines[1:], ""]
    return "\n".join(map(_paint_line, lines, below))


def paint_error(text: str) -> str:
    """Colour the first word of an error or a note."""
    if not wants_colour(sys.stderr):
        return text
    text = _ERROR.sub(lambda found: _in(_RED, found[0]), text)
    return _NOTE.sub(lambda found: _in(_YELLOW, found[0]), text)


def _paint_line(line: str, below: str) -> str:
    if line and not line.startswith(" ") and below.startswith("  "):
        return _in(_BOLD, line)
    if _UNSAFE.match(line):
        return _in(_YELLOW, line)
    return _VERDICT.sub(lambda found: _in(_GREEN if found[0] == "met" else _RED, found[0]), line)


def _in(code: str, text: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"
