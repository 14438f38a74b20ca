"""How far off the estimate of a file's risk may be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from microsafe.risk.model.posterior import Posterior, match_chance, posterior, unique_chance
from microsafe.risk.model.scatter import Scatter
from microsafe.risk.table.tau import Tau
from microsafe.sums import Floats, total

Interval = tuple[float, float]

NORMAL = 1.959963984540054  # of 95 %
_FLOOR = 0.12, 0.05  # of tau1 and tau2
_MANY = 200.0  # people beyond which 1/F hardly varies
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(48)
_BLOCK = 1 << 10  # sample uniques worked on at once: their nodes stay in cache


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
        """Return an interval of nominal 95 %, symmetric on the scale of square roots."""
        # The root of a number of people varies about as much whatever the number.
        root = math.sqrt(estimate)
        sd = math.sqrt(sum(self) / (4.0 * estimate)) if estimate > 0 else math.sqrt(sum(self))
        low, high = max(root - NORMAL * sd, 0.0) ** 2, (root + NORMAL * sd) ** 2
        return min(low, most), min(high, most)


def population_variance(found: Posterior) -> tuple[float, float]:
    """Variance of the sums of 1(F = 1) and of 1/F over sample uniques, given their means."""
    alone = np.exp(-found.size * np.log1p(found.odds))
    few = np.flatnonzero(found.size * found.odds < _MANY)
    variance = np.empty(len(few))
    for start in range(0, len(few), _BLOCK):
        part = few[start : start + _BLOCK]
        variance[start : start + _BLOCK] = _variance_of_match(found.size[part], found.odds[part])
    return float((alone * (1.0 - alone)).sum()), float(variance.sum())


def _variance_of_match(size: Floats, odds: Floats) -> Floats:
    """Variance of 1/F of some sample uniques."""
    # E(1/F) = ∫ E(t^(F-1)) dt and E(1/F²) = ∫ -log(t) E(t^(F-1)) dt; t = s^6 tames the logarithm.
    s = (_NODES + 1.0) / 2.0
    inside = np.exp(-size[:, None] * np.log1p(odds[:, None] * (1.0 - s**6)))
    first = _integrate(inside, 6.0 * s**5)
    second = _integrate(inside, -36.0 * s**5 * np.log(s))
    return np.maximum(second - first**2, 0.0)


def _integrate(inside: Floats, weight: Floats) -> Floats:
    value: Floats = np.einsum("ij,j->i", inside, weight * _WEIGHTS / 2.0)
    return value


class SampleUniques(NamedTuple):
    """Sample uniques: people expected in their cells, and sampling fractions."""

    mean: Floats
    fraction: Floats

    def tau(self, scatter: Scatter) -> tuple[float, float]:
        """Return tau1 and tau2 for means that scatter."""
        d = scatter.at(self.mean)
        one = np.ones_like(self.mean)
        return (
            total(unique_chance(self.mean, self.fraction, d)),
            total(match_chance(one, self.mean, self.fraction, d)),
        )


def intervals(
    alone: SampleUniques,
    estimates: tuple[float, float],
    scatter: Scatter,
    others: Sequence[Scatter],
    diagnosis: Tau,
) -> tuple[Interval, Interval]:
    """Return intervals of tau1 and tau2.

    Args:
        alone: The sample uniques.
        estimates: Of tau1 and tau2.
        scatter: That of the model.
        others: Forms of scatter that the sample can hardly tell from it.
        diagnosis: Criteria of the model, for their variance.
    """
    away = np.array([alone.tau(other) for other in others] or [estimates]) - estimates
    found = posterior(1.0, *alone, scatter.at(alone.mean))
    certain = int(np.count_nonzero(alone.fraction >= 1.0))  # everybody like them was drawn
    first, second = (
        Spread(
            population=noise,
            parameters=bias.variance,
            model=float((differences**2).mean()),
            floor=(floor * (estimate - certain)) ** 2,
        ).interval(estimate, float(len(alone.mean)))
        for estimate, noise, bias, differences, floor in zip(
            estimates,
            population_variance(found),
            (diagnosis.B1, diagnosis.B2),
            away.T,
            _FLOOR,
            strict=True,
        )
    )
    # Whoever is unique in the population is a correct match, so tau1 is at most tau2.
    return (first[0], min(first[1], second[1])), second
