"""Exceedance curves small enough to be sent once and searched at every frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microsafe.app.messages import MOST_POINTS
from microsafe.app.messages.risk import CurvePoints
from microsafe.risk import Curve

PER_DECADE = 200  # limits at which a thinned curve is exact
_RISKIEST = 500  # distinct risks at the upper end, where single records count
_SMALLEST = 1e-30  # risks below this all look alike


def thin_curve(curve: Curve) -> CurvePoints:
    """Return the curve, thinned if it has too many points."""
    exact = len(curve.risk) <= MOST_POINTS
    chosen = np.arange(len(curve.risk)) if exact else _choose_points(curve)
    return CurvePoints(
        exact=exact,
        records=curve.records,
        risk=tuple(curve.risk[chosen].tolist()),
        up_to=tuple(curve.up_to[chosen].tolist()),
        sum_up_to=tuple(curve.sum_up_to[chosen].tolist()),
    )


def _choose_points(curve: Curve) -> NDArray[np.intp]:
    """Points for the picture's grid, the riskiest ones, and the rest by records above them."""
    last = len(curve.risk) - 1
    grid = np.searchsorted(curve.risk, _make_grid(curve), side="right") - 1
    riskiest = np.arange(last + 1 - _RISKIEST, last + 1)
    taken = np.union1d(grid[grid >= 0], np.concatenate([[0], riskiest]))
    left = (MOST_POINTS - len(taken)) // 2
    above = [np.geomspace(curve.records, 1, left), np.linspace(curve.records, 1, left)]
    rest = np.searchsorted(curve.up_to, curve.records - np.concatenate(above))
    taken = np.union1d(taken, rest)
    return np.asarray(np.minimum(taken, last), np.intp)


def _make_grid(curve: Curve) -> NDArray[np.float64]:
    """The limits 10^(i/200) within the curve; every second one if it spans many decades."""
    low, high = np.log10(np.maximum(curve.risk[[0, -1]], _SMALLEST)) * PER_DECADE
    step = 1 + int(high - low) // (MOST_POINTS - 2 * _RISKIEST)
    places = np.arange(np.floor(low / step) * step, np.ceil(high) + 1, step)
    return np.asarray(10.0 ** (places / PER_DECADE))
