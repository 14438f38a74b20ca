"""Risk of a cell whose population is Poisson with a gamma distributed mean.

The mean of a cell varies around what the model says, with shape 1 / dispersion. Given f records
in the sample, the people outside it are then negative binomial with size a = shape + f and
p = (shape + pi λ) / (shape + λ), and

    P(F = 1 | f = 1) = p^a,    E(1/F | f) = ∫ t^(f-1) (p / (1 - (1 - p) t))^a dt,  0 < t < 1.

References:
    Bethlehem, Keller and Pannekoek (1990), Disclosure control of microdata, JASA 85, 38-45.
"""

from __future__ import annotations

import numpy as np

from microsafe.risk.table.poisson import match_chance, unique_chance
from microsafe.sums import Floats

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
_NEGLIGIBLE = 1e-6  # dispersion below which the counts are as good as Poisson
_BLOCK = 1 << 13


def negative_binomial_unique(fitted: Floats, fraction: Floats, dispersion: float) -> Floats:
    """Return P(F = 1 | f = 1) for cells with these means."""
    if dispersion < _NEGLIGIBLE:
        return unique_chance((1.0 - fraction) * fitted)
    size, p = _posterior(np.ones_like(fitted), fitted, fraction, dispersion)
    return np.exp(size * np.log(p))


def negative_binomial_match(
    f: Floats, fitted: Floats, fraction: Floats, dispersion: float
) -> Floats:
    """Return E(1/F | f) for cells with these means, to about ten digits.

    Args:
        f: Records in the cell.
        fitted: People that a model expects in it.
        fraction: Sampling fraction of the cell.
        dispersion: Squared coefficient of variation of the mean around the model.

    Assumes:
        Means are gamma distributed around the model with one shape for all cells.
    """
    if dispersion < _NEGLIGIBLE:
        return match_chance(f, (1.0 - fraction) * fitted)
    size, p = _posterior(f, fitted, fraction, dispersion)
    risk = np.empty_like(f)
    for start in range(0, len(f), _BLOCK):
        part = slice(start, start + _BLOCK)
        risk[part] = _match(f[part], size[part], p[part])
    return risk


def _posterior(
    f: Floats, fitted: Floats, fraction: Floats, dispersion: float
) -> tuple[Floats, Floats]:
    shape = 1.0 / dispersion
    return shape + f, (shape + fraction * fitted) / (shape + fitted)


def _match(f: Floats, size: Floats, p: Floats) -> Floats:
    """Integrate over y = log((1 - (1 - p) t) / p), in which the integrand falls like exp(-a y)."""
    odds = (1.0 - p) / p
    end = np.minimum(np.log1p(odds), 45.0 / np.maximum(size - 1.0, 1e-9))
    y = np.multiply.outer(end / 2.0, _NODES + 1.0)
    ratio = np.divide(1.0, odds, out=np.ones_like(odds), where=odds > 0)
    t = np.clip(1.0 - ratio[:, None] * np.expm1(y), 0.0, 1.0)
    inside = t ** (f[:, None] - 1.0) * np.exp(-(size - 1.0)[:, None] * y)
    risk: Floats = ratio * (end / 2.0) * (inside @ _WEIGHTS)
    return np.where(odds > 0, risk, 1.0 / f)
