"""How R spells a number of 15 digits as text."""

from __future__ import annotations

import math


def spell_double(value: float, wider: int = 0) -> str | None:
    """Return a number as `as.character` of R does; None if it is missing.

    Args:
        value: The number.
        wider: By how many characters plain digits may be longer than an exponent (`scipen`).
    """
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    mantissa, _, exponent = f"{value:.14e}".partition("e")
    digits = mantissa.lstrip("-").replace(".", "").rstrip("0") or "0"
    power = int(exponent)
    decimals = max(len(digits) - 1 - power, 0)
    plain = max(power, 0) + 1 + (decimals + 1 if decimals else 0)
    short = len(digits) + (len(digits) > 1) + (5 if abs(power) >= 100 else 4)
    if plain <= short + wider:
        return f"{value:.{decimals}f}"
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{'-' if value < 0 else ''}{digits[0]}{rest}e{power:+03d}"
