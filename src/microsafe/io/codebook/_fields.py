"""Fields of a declaration as text that a person can edit."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from io import StringIO
from typing import TYPE_CHECKING, Any

from microsafe.codes import code_text
from microsafe.errors import UsageError
from microsafe.schema import number_in

if TYPE_CHECKING:
    from microsafe.schema import Code

NONE = "none"  # that no code stands for missing
_SPACES = {"space": " ", "no-break space": "\xa0", "narrow space": "\u202f"}
_EXACT = 2**53  # whole numbers below this are exact as floating-point numbers
_YES_NO = {"yes": True, "no": False}


def read_field(name: str, text: str) -> Any:
    """Return the value of a field from its text.

    Raises:
        UsageError: The text does not spell one.
    """
    return _READ[name](text) if name in _READ else text


def write_field(name: str, value: Any) -> str:
    """Return the text of a field; empty if nothing is said."""
    if value is None or value in ("", ()):
        return ""
    return _WRITTEN[name](value) if name in _WRITTEN else str(value)


def read_code(text: str, kind: str | None) -> Code:
    """Return a code as declarations have it: a number in a variable of type number.

    Raises:
        UsageError: It should be a number and is none.
    """
    return _read_number(text) if kind == "number" else text


def read_list(text: str) -> tuple[str, ...]:
    """Return what stands between commas; what holds a comma is in quotation marks."""
    rows = csv.reader(StringIO(text, newline=""), skipinitialspace=True, strict=True)
    try:
        return tuple(part.strip() for row in rows for part in row if part.strip())
    except csv.Error:
        raise UsageError("Its quotation marks do not pair up.") from None


def write_list(parts: tuple[Code, ...]) -> str:
    """Return parts between commas, one that holds a comma or a mark in quotation marks."""
    out = StringIO()
    csv.writer(out, lineterminator="").writerow([code_text(part) for part in parts])
    return out.getvalue()


def is_number(text: str) -> bool:
    """Tell whether a text spells a finite number."""
    number = number_in(text)
    return number is not None and math.isfinite(number)


def _read_number(text: str) -> Code:
    number = number_in(text)
    if number is None or not math.isfinite(number):
        raise UsageError("It must be a number, with a point for decimals.")
    return int(number) if number.is_integer() and abs(number) < _EXACT else number


def _read_whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise UsageError("It must be a whole number.")
    return int(text)


def _read_yes(text: str) -> bool:
    if text.lower() not in _YES_NO:
        raise UsageError("It must be yes or no.")
    return _YES_NO[text.lower()]


_READ: Mapping[str, Callable[[str], Any]] = {
    "level": _read_whole,
    "decimals": _read_whole,
    "cost": lambda text: float(_read_number(text)),
    "linked": read_list,
    "thousands": lambda text: _SPACES.get(text.lower(), text),
    "household_level": _read_yes,
    "identifying": _read_yes,
    "missing": lambda text: () if text.lower() == NONE else read_list(text),
    "order": read_list,
}
_WRITTEN: Mapping[str, Callable[[Any], str]] = {
    "cost": lambda value: code_text(float(value)),
    "linked": write_list,
    "thousands": lambda mark: next(
        (n for n, character in _SPACES.items() if character == mark), mark
    ),
    "household_level": lambda value: "yes" if value else "no",
    "identifying": lambda value: "yes" if value else "no",
    "missing": write_list,
    "order": write_list,
}
