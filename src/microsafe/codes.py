"""Codes: how they are spelled, and which of them mean "missing". One rule for all rooms."""

from __future__ import annotations

from microsafe.schema import Code, Variable

Range = tuple[str, str]  # from, to, both included; empty leaves an end open

_EXACT = 2**53  # whole numbers below this are exact as floating-point numbers


def code_text(code: Code) -> str:
    """Return a code as it is written: 9 rather than 9.0, text as it stands."""
    if isinstance(code, float) and code.is_integer() and abs(code) < _EXACT:
        return str(int(code))
    return str(code)


def spell_code(code: Code) -> str:
    """Return a code as it is compared: as it is written, without blanks around it."""
    return code_text(code).strip()


def missing_texts(variable: Variable) -> list[str]:
    """Return the declared missing codes as text is compared with them."""
    return [spell_code(code) for code in variable.missing]


def missing_numbers(variable: Variable) -> list[float]:
    """Return the declared missing codes as numbers are compared with them."""
    return [float(code) for code in variable.missing if not isinstance(code, str)]


def find_missing_code(variable: Variable, code: Code) -> Code | None:
    """Return a code as the variable declares it missing, by itself or in a range, or None."""
    for declared in variable.missing:
        if spell_code(declared) == spell_code(code):
            return declared
    if isinstance(code, str):
        return None
    return code if any(low <= code <= high for low, high in variable.missing_ranges) else None
