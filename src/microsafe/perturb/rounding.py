"""Random rounding: to the multiple below or above, so that the value is kept in expectation."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from microsafe.sums import Floats

_EXACT = 1e-9  # of the base: what is as near as that to a multiple is one


def round_at_random(numbers: Floats, base: float, uniforms: Floats) -> Floats:
    """Return a multiple of the base below or above each number.

    The chance of each is the other one's distance as a share of the base, so that E z = x.

    Args:
        numbers: What to round; NaN stays.
        base: Above 0.
        uniforms: A number from 0 to below 1 for each.
    """
    ratio = numbers / base
    nearest = np.rint(ratio)
    below = np.floor(ratio)
    drawn = below + (uniforms < ratio - below)
    result: Floats = np.where(np.abs(ratio - nearest) <= _EXACT, nearest, drawn) * base + 0.0
    digits = -int(Decimal(str(base)).as_tuple().exponent)
    return np.round(result, digits) if digits > 0 else result
