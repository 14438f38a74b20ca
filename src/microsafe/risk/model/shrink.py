"""How far the margin of a term is believed: its counts as negative binomial around the model."""

from __future__ import annotations

import math

import numpy as np

from microsafe.sums import Floats

_LOW, _HIGH = math.log(1e-4), math.log(1e4)
_COARSE = 13
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
_CLOSE = 0.02  # of log dispersion
_SHIFT = 10  # below this Stirling's series is not exact enough
_STEPS = np.arange(_SHIFT, dtype=np.float64)
_EVEN = 0.5 * math.log(2.0 * math.pi)


def shrinkage(seen: Floats, expected: Floats) -> tuple[float, float]:
    """Return the dispersion of counts around what is expected, and the log-likelihood it gains.

    Args:
        seen: Counts of a margin; need not be whole.
        expected: What a model without the term expects there.
    """
    here = expected > 0
    e = expected[here]
    counts, number = np.unique(seen[here], return_inverse=True)
    times = np.bincount(number).astype(np.float64)
    m = seen[here]

    def gain(at: float) -> float:
        """Log-likelihood with dispersion exp(at), less that of Poisson counts."""
        delta = math.exp(at)
        logs = np.log1p(delta * e)
        rising = _log_gamma(counts + 1.0 / delta) - _log_gamma(np.array([1.0 / delta]))
        return float(
            (times * (rising + counts * at)).sum() - ((m + 1.0 / delta) * logs).sum() + e.sum()
        )

    points = np.linspace(_LOW, _HIGH, _COARSE)
    best = int(np.argmax([gain(float(at)) for at in points]))
    low, high = float(points[max(best - 1, 0)]), float(points[min(best + 1, _COARSE - 1)])
    left_gain = right_gain = math.nan  # of one of both points of the last round, or not known
    while high - low > _CLOSE:
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        left_gain = gain(left) if math.isnan(left_gain) else left_gain
        right_gain = gain(right) if math.isnan(right_gain) else right_gain
        if left_gain >= right_gain:
            high, left_gain, right_gain = right, math.nan, left_gain
        else:
            low, left_gain, right_gain = left, right_gain, math.nan
    middle = (low + high) / 2.0
    return math.exp(middle), gain(middle)


def _log_gamma(x: Floats) -> Floats:
    """Logarithm of the gamma function by Stirling's series, to twelve digits."""
    small = x < _SHIFT
    y = np.where(small, x + _SHIFT, x)
    inverse = 1.0 / y
    square = inverse * inverse
    series = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square / 1260.0))
    found: Floats = (y - 0.5) * np.log(y) - y + _EVEN + series
    if small.any():
        found[small] -= np.log(np.prod(x[small, None] + _STEPS, axis=1))
    return found
