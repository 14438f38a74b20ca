"""How far off the estimate of a file's risk may be."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from microsafe.risk.model.posterior import Posterior
from microsafe.sums import Floats

Interval = tuple[float, float]

_NORMAL = 1.959963984540054  # of 95 %
_MANY = 200.0  # people beyond which 1/F hardly varies
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(48)


class Spread(NamedTuple):
    """Variances of an estimate by where they come from.

    Attributes:
        population: The truth is one population and not an average.
        parameters: The sample could have been another.
        model: Scatter and terms could have been judged otherwise.
        floor: Models of this kind are off by as much on files whose population is known.
    """

    population: float
    parameters: float
    model: float
    floor: float

    def interval(self, estimate: float, most: float) -> Interval:
        """Return an interval of nominal 95 %, as wide upwards as downwards in ratio."""
        sd = math.sqrt(sum(self))
        if estimate <= 0.0 or sd == 0.0:
            return max(0.0, estimate - _NORMAL * sd), min(most, estimate + _NORMAL * sd)
        # Log-normal with this mean and variance; counts of a few have a lower end of 0.
        log_sd = math.sqrt(math.log1p((sd / estimate) ** 2))
        low, high = (estimate * math.exp(side * _NORMAL * log_sd) for side in (-1.0, 1.0))
        return min(low, most), min(max(high, estimate + _NORMAL * sd), most)


def population_variance(found: Posterior) -> tuple[float, float]:
    """Variance of the sums of 1(F = 1) and of 1/F over sample uniques, given their means."""
    alone = np.exp(-found.size * np.log1p(found.odds))
    few = np.flatnonzero(found.size * found.odds < _MANY)
    size, odds = found.size[few, None], found.odds[few, None]
    # E(1/F) = ∫ E(t^(F-1)) dt and E(1/F²) = ∫ -log(t) E(t^(F-1)) dt; t = s^6 tames the logarithm.
    s = (_NODES + 1.0) / 2.0
    inside = np.exp(-size * np.log1p(odds * (1.0 - s**6)))
    first = _integrate(inside, 6.0 * s**5)
    second = _integrate(inside, -36.0 * s**5 * np.log(s))
    return float((alone * (1.0 - alone)).sum()), float(np.maximum(second - first**2, 0.0).sum())


def _integrate(inside: Floats, weight: Floats) -> Floats:
    value: Floats = np.einsum("ij,j->i", inside, weight * _WEIGHTS / 2.0)
    return value
