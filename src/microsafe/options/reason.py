"""Reasons that people give: what counts as one."""

from __future__ import annotations

import unicodedata

from microsafe.errors import UsageError
from microsafe.sentences import Sentence

FEWEST_LETTERS = 3
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zs", "Zl", "Zp"})  # categories of Unicode
# Letters to Unicode that show nothing: the fillers of Hangul and the blank of braille.
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def read_reason(text: str, what: str) -> str:
    """Return a reason without blanks around it; empty if nothing of it can be seen.

    Args:
        text: As given.
        what: What the reason is for, to say so.

    Raises:
        UsageError: It has fewer than three letters.
    """
    seen = [
        sign for sign in text if unicodedata.category(sign) not in _UNSEEN and sign not in _BLANKS
    ]
    if not seen:
        return ""
    if sum(map(str.isalpha, seen)) < FEWEST_LETTERS:
        raise UsageError(f"The reason {what} needs three letters or more.")
    return text.strip()


BY_PROGRAM = "by microsafe: "  # how reasons begin that no person gave
PROPOSED = "chosen by microsafe propose"  # the same, of steps that were proposed


def reason_by_program(key: str) -> str:
    """Return a reason that the program gives, marked as such.

    Args:
        key: Of its sentence.
    """
    return f"{BY_PROGRAM}{Sentence(key)}"


def is_by_person(reason: str) -> bool:
    """Tell whether a person gave a reason: identifiers and overrides need one of those."""
    return bool(reason) and not reason.startswith((BY_PROGRAM, PROPOSED))
