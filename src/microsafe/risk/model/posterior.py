"""Risk of a cell whose mean is known up to gamma scatter, given the records seen in it.

A model expects λ people in the cell, the truth varies around it with squared coefficient of
variation d, and each person is in the sample with chance pi. Given f records, the people outside
the sample are negative binomial with size a = 1/d + f and odds w = d (1 - pi) λ / (1 + d pi λ):

    P(F = 1 | f = 1) = (1 + w)^-a,
    E(1/F | f) = ∫ exp(-(a - 1) y) t^(f - 1) dy / w,   t = 1 - (e^y - 1) / w,  0 < y < log(1 + w).

d = 0 is the Poisson log-linear model. As d grows the model counts less and less, and in the limit
a = f, w = (1 - pi) / pi: the individual risk of Benedetti and Franconi.

References:
    Bethlehem, Keller and Pannekoek (1990), Disclosure control of microdata, JASA 85, 38-45.
    Benedetti and Franconi (1998), Statistical and technological solutions for controlled data
    dissemination, NTTS 98.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from microsafe.risk.table.poisson import match_chance as poisson_match
from microsafe.sums import Floats

_LEAST = 1e-12  # scatter below which counts are as good as Poisson
_SLACK = 1e-7  # of bounds, for what rounding and `_LEAST` may do
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)
_REACH = 32.0  # exp(-32) of the integrand's height is left out
_BLOCK = 1 << 13


class Posterior(NamedTuple):
    """People of cells outside the sample: negative binomial, size a and odds w."""

    f: Floats
    size: Floats
    odds: Floats

    @property
    def expected(self) -> Floats:
        """E(F | f)."""
        return self.f + self.size * self.odds

    @property
    def most(self) -> Floats:
        """A bound on E(1/F | f): the exponent of the integrand is convex in y."""
        slope = self.odds * (self.size - 1.0) + self.f - 1.0
        return 1.0 / np.maximum(slope, self.f)


def posterior(f: ArrayLike, mean: ArrayLike, fraction: ArrayLike, scatter: ArrayLike) -> Posterior:
    """Return the people outside the sample, given what is in it.

    Args:
        f: Records in the cell.
        mean: People that the model expects in it.
        fraction: Sampling fraction of the cell.
        scatter: Squared coefficient of variation d of the truth around the model; may be infinite.
    """
    f, mean, fraction, scatter = np.broadcast_arrays(
        *(np.asarray(each, np.float64) for each in (f, mean, fraction, scatter))
    )
    shape = 1.0 / np.maximum(scatter, _LEAST)
    # shape is 0 where the scatter is infinite; a mean of 0 leaves nobody outside.
    below = shape + mean * fraction
    odds = np.divide(mean * (1.0 - fraction), below, out=np.zeros(f.shape), where=mean > 0)
    return Posterior(f, shape + f, odds)


def match_chance(f: ArrayLike, mean: ArrayLike, fraction: ArrayLike, scatter: ArrayLike) -> Floats:
    """Return E(1/F | f), to ten digits or more; arguments as in `posterior`."""
    if np.max(scatter, initial=0.0) <= 0.0:
        return poisson_match(f, (1.0 - np.asarray(fraction)) * np.asarray(mean))
    found = posterior(f, mean, fraction, scatter)
    risk = np.empty(found.f.shape)
    flat = risk.reshape(-1)
    parts = Posterior(*(each.reshape(-1) for each in found))
    for start in range(0, len(flat), _BLOCK):
        part = slice(start, start + _BLOCK)
        flat[part] = _match(*(each[part] for each in parts))
    return risk


def unique_chance(mean: ArrayLike, fraction: ArrayLike, scatter: ArrayLike) -> Floats:
    """Return P(F = 1 | f = 1); arguments as in `posterior`."""
    found = posterior(1.0, mean, fraction, scatter)
    return np.exp(-found.size * np.log1p(found.odds))


def exceeds(
    f: ArrayLike, mean: ArrayLike, fraction: ArrayLike, scatter: ArrayLike, limit: ArrayLike
) -> NDArray[np.bool_]:
    """Whether E(1/F | f) is above a limit; integrates only where bounds do not tell."""
    found = posterior(f, mean, fraction, scatter)
    limit = np.broadcast_to(limit, found.f.shape)
    above: NDArray[np.bool_] = found.expected * limit * (1.0 + _SLACK) < 1.0
    unclear = np.flatnonzero(~above & (found.most * (1.0 + _SLACK) > limit))
    if len(unclear):
        mean, fraction, scatter = (
            np.broadcast_to(each, found.f.shape)[unclear] for each in (mean, fraction, scatter)
        )
        chance = match_chance(found.f[unclear], mean, fraction, scatter)
        above[unclear] = chance > limit[unclear]
    return above


def _match(f: Floats, size: Floats, odds: Floats) -> Floats:
    risk = 1.0 / f
    one = np.flatnonzero((f == 1.0) & (odds > 0))
    risk[one] = _single(size[one] - 1.0, odds[one])
    more = np.flatnonzero((f != 1.0) & (odds > 0))
    if len(more):
        risk[more] = np.minimum(_integral(f[more], size[more], odds[more]), risk[more])
    return risk


def _single(shape: Floats, odds: Floats) -> Floats:
    """∫ exp(-shape y) dy / odds: cells of one have a closed form."""
    length = np.log1p(odds)
    there = shape > 0
    whole = np.divide(-np.expm1(-shape * length), shape, out=length.copy(), where=there)
    return whole / odds


def _integral(f: Floats, size: Floats, odds: Floats) -> Floats:
    """The integral by Gauss-Legendre, as far as the integrand reaches."""
    steep = size - 1.0 + (f - 1.0) / odds  # it falls at least like exp(-steep y)
    end = np.minimum(np.log1p(odds), _REACH / np.maximum(steep, 1e-300))
    y = np.multiply.outer(end / 2.0, _NODES + 1.0)
    t = np.clip(1.0 - np.expm1(y) / odds[:, None], 0.0, 1.0)
    inside = t ** (f[:, None] - 1.0) * np.exp(-(size - 1.0)[:, None] * y)
    value: Floats = np.einsum("ij,j->i", inside, _WEIGHTS) * end / (2.0 * odds)
    return value
