"""How codes are spelled: the same code is the same text everywhere."""

from __future__ import annotations

from microsafe.schema import Code

Range = tuple[str, str]  # from, to, both included; empty leaves an end open

_EXACT = 2**53  # whole numbers below this are exact as floating-point numbers


def spell_code(code: Code) -> str:
    """Return a code as text: 9 rather than 9.0, and without blanks around it."""
    if isinstance(code, float):
        whole = code.is_integer() and abs(code) < _EXACT
        return str(int(code)) if whole else repr(code)
    return str(code).strip()
