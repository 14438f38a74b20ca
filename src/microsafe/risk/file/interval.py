"""How far off an estimate of the file's risk may be.

Draws are pooled over the models of the search, each with the weight exp(-z²/2) of its
standardised B2. Within a model the bias is drawn with the variance that the criterion has, plus
its square; then the population is drawn, as the truth is one population and not an average.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from microsafe.risk.table.crosstable import CrossTable
from microsafe.risk.table.loglinear import Fit
from microsafe.risk.table.poisson import match_chance, unique_chance
from microsafe.risk.table.tau import Bias
from microsafe.sums import Floats

LEVEL = 0.95
_DRAWS = 20_000
_MANY = 200.0  # people beyond which 1/F hardly varies
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(48)

Interval = tuple[float, float]


def pooled_intervals(
    table: CrossTable, fits: Sequence[Fit], *, by_cell: bool, seed: int
) -> tuple[Interval, Interval]:
    """Return intervals of tau1 and tau2 from draws pooled over models.

    Args:
        table: The sample.
        fits: Models that may be right; nearly all weight goes to those with a small bias.
        by_cell: Whether each cell has its own sampling fraction.
        seed: Of the draws.
    """
    rng = np.random.default_rng(seed)
    taus = [each.cell if by_cell else each.file for each in fits]
    bias = np.array([each.B2.standardised or 0.0 for each in taus])
    weight = np.exp((np.min(bias**2) - bias**2) / 2.0)
    counts = rng.multinomial(_DRAWS, weight / weight.sum())
    fractions = table.fractions if by_cell else np.full(len(table.f), table.fraction)
    uniques = table.uniques
    draws: tuple[list[Floats], list[Floats]] = ([], [])
    for each, found, count in zip(fits, taus, counts, strict=True):
        if not count:
            continue
        rest = ((1.0 - fractions) * each.fitted)[uniques]
        noise1, noise2 = _population_noise(rest)
        draws[0].append(_draw_estimates(found.tau1, found.B1, noise1, count, rng))
        draws[1].append(_draw_estimates(found.tau2, found.B2, noise2, count, rng))
    most = float(np.count_nonzero(uniques))
    first, second = (_ends(np.concatenate(each), most) for each in draws)
    return first, second


def _draw_estimates(
    estimate: float, bias: Bias, noise: float, count: int, rng: np.random.Generator
) -> Floats:
    """Draws with the mean of the estimate and the variance of bias and population."""
    return rng.normal(estimate, np.sqrt(bias.variance + bias.value**2 + noise), count)


def _ends(draws: Floats, most: float) -> Interval:
    low, high = np.quantile(draws, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return min(max(float(low), 0.0), most), min(max(float(high), 0.0), most)


def _population_noise(rest: Floats) -> tuple[float, float]:
    """Variance of the sums of 1(F = 1) and of 1/F over sample uniques, given their means."""
    alone = unique_chance(rest)
    match = match_chance(np.ones_like(rest), rest)
    # E(1/F²) = ∫ -log(t) exp(-x (1 - t)) dt; t = s^6 tames the logarithm at 0.
    s = (_NODES + 1.0) / 2.0
    inside = np.exp(np.multiply.outer(-np.minimum(rest, _MANY), 1.0 - s**6))
    square = inside @ (-36.0 * s**5 * np.log(s) * _WEIGHTS / 2.0)
    scatter = np.where(rest < _MANY, np.maximum(square - match * match, 0.0), 0.0)
    return float((alone * (1.0 - alone)).sum()), float(scatter.sum())
