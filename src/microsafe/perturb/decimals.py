"""Digits behind the decimal point."""

from __future__ import annotations

import math

import numpy as np

from microsafe.sums import Floats

_MOST = 9  # digits that somebody may have meant


def count_decimals(values: Floats) -> int | None:
    """Return how many digits values show behind the point; None if they are not rounded.

    Args:
        values: None of them missing.
    """
    for digits in range(_MOST + 1):
        values = values[np.round(values, digits) != values]
        if not len(values):
            return digits
    return None


def most_decimals(largest: float, most: int = _MOST) -> int:
    """Return how many digits behind the point numbers up to some size can tell."""
    return max(0, min(most, 14 - (math.ceil(math.log10(largest)) if largest >= 1 else 0)))


def round_to(values: Floats, decimals: int | None) -> Floats:
    """Round to so many digits behind the point, if there is a number; no negative zero."""
    rounded: Floats = values if decimals is None else np.round(values, decimals)
    return rounded + 0.0


def count_characters(values: Floats, decimals: int) -> int:
    """Return how many characters the longest value takes with so many digits behind the point."""
    return max(len(f"{each:.{decimals}f}") for each in (values.min(), values.max()))
