"""Risk of a cell whose unseen population is Poisson: F - f ~ Poisson(x).

Every model of the cross table (log-linear, latent classes) ends here. It gives each cell the
expected number x = (1 - pi) lambda of people outside the sample, and then

    P(F = 1 | f = 1) = exp(-x),    E(1/F | f) = ∫ t^(f-1) exp(-x (1 - t)) dt,  0 < t < 1.

No single expression of the integral is accurate everywhere in double precision, so four are
used, each where its terms are positive or its errors shrink.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from microsafe.errors import UsageError
from microsafe.sums import Floats

_BLOCK = 1 << 15  # cells worked on at once: a few arrays of this size stay in cache
_RECURSION_BELOW_F = 40.0
_SERIES_BELOW_X = 60.0


def unique_chance(x: ArrayLike) -> Floats:
    """Return P(F = 1 | f = 1), the chance that a sample unique is a population unique.

    Args:
        x: Expected number of people of the cell outside the sample, at least 0.

    Assumes:
        F - f is Poisson with mean x, independent of f.

    References:
        Skinner and Shlomo (2008), JASA 103, 989-1001.
    """
    return np.exp(-_people(x))


def match_chance(f: ArrayLike, x: ArrayLike) -> Floats:
    """Return E(1/F | f), the chance that a match with one of the cell's people is right.

    Args:
        f: Records in the cell, at least 1. Need not be whole.
        x: Expected number of people of the cell outside the sample, at least 0.

    Returns:
        The chances, with a relative error below 1e-13; 1/f where x is 0.

    Assumes:
        F - f is Poisson with mean x, independent of f.

    References:
        Skinner and Shlomo (2008), JASA 103, 989-1001, for f = 1.
    """
    f, x = np.broadcast_arrays(np.asarray(f, np.float64), _people(x))
    if not bool(np.all((f >= 1) & np.isfinite(f))):
        raise UsageError("The probability of a correct match needs a finite f of at least 1.")
    flat_f, flat_x = f.ravel(), x.ravel()
    result = np.empty(flat_f.shape)
    for start in range(0, len(flat_f), _BLOCK):
        part = slice(start, start + _BLOCK)
        result[part] = _match(flat_f[part], flat_x[part])
    return result.reshape(f.shape)


def _people(x: ArrayLike) -> Floats:
    people = np.asarray(x, np.float64)
    if not bool(np.all((people >= 0) & np.isfinite(people))):
        raise UsageError("The expected number of people outside the sample must be 0 or more.")
    return people


def _match(f: Floats, x: Floats) -> Floats:
    single = f == 1
    recursive = (f < _RECURSION_BELOW_F) & (x >= 2 * f) & (f == np.floor(f)) & ~single
    few = (x <= _SERIES_BELOW_X) & ~(single | recursive)
    rest = ~(single | recursive | few)
    result = np.empty_like(f)
    result[single] = _single(x[single])
    for where, function in ((recursive, _recursion), (few, _series), (rest, _panels)):
        if where.any():
            result[where] = function(f[where], x[where])
    return result


def _single(x: Floats) -> Floats:
    """Cells of one: (1 - exp(-x)) / x, and its limit 1 at x = 0."""
    return np.divide(-np.expm1(-x), x, out=np.ones_like(x), where=x > 0)


def _recursion(f: Floats, x: Floats) -> Floats:
    """J(k+1) = (1 - k J(k)) / x from J(1): stable, since each step halves the error at least."""
    # The largest f last, so that finished cells fall off the front of the arrays.
    order = np.argsort(f, kind="stable")
    f, x = f[order], x[order]
    chance = _single(x)
    for k in range(1, int(f[-1])):
        todo = slice(int(np.searchsorted(f, k, side="right")), None)
        chance[todo] = (1.0 - k * chance[todo]) / x[todo]
    result = np.empty_like(f)
    result[order] = chance
    return result


def _series(f: Floats, x: Floats) -> Floats:
    """E 1/(f + P), P Poisson(x): every term positive, until what is left no longer counts."""
    term = np.exp(-x)
    total = term / f
    left = x.max() + 9.0 * np.sqrt(x.max()) + 20.0  # P exceeds this with chance below 1e-17
    for k in range(1, int(left) + 1):
        term *= x / k
        total += term / (f + k)
    return total


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_REACH = 40.0  # exp(-40) of the integrand's height is left out
_PANEL = 4.0


def _panels(f: Floats, x: Floats) -> Floats:
    """∫ exp(-f v - x (1 - exp(-v))) dv by Gauss-Legendre, with t = exp(-v), for x > 60.

    The integrand has no pole and falls by at most exp(4) over a panel, so 16 nodes leave an
    error below 1e-16.
    """
    length = np.minimum(_REACH / f, -np.log1p(-_REACH / x))
    panels = int(np.ceil(((f + x) * length).max() / _PANEL))
    width = length / panels
    result = np.zeros_like(f)
    for panel in range(panels):
        for node, weight in zip(_NODES, _WEIGHTS, strict=True):
            v = width * (panel + 0.5 * (1.0 + node))
            result += weight * np.exp(x * np.expm1(-v) - f * v)
    return 0.5 * width * result
