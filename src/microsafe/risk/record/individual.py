"""Base individual risk: the expected value of 1/F given what the sample shows.

With f records in the cell, estimated population frequency F, p = f/F and q = 1 - p,

    r = E(1/F | f) = (p / f) 2F1(1, 1; f + 1; q) = p ∫ u^(f-1) / (p + q u) du,  0 < u < 1.

No single expression is accurate everywhere in double precision, so three are used, each
where all its terms are positive or its errors shrink (docs/methods/individual-risk.md).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from microsafe.errors import UsageError
from microsafe.options.approximation import Approximation, ApproximationOptions
from microsafe.sums import Floats

_BLOCK = 1 << 15  # cells worked on at once: a few arrays of this size stay in cache
_RECURSION_BELOW_F = 40.0
_RECURSION_BELOW_P = 0.35
_STRATEGY_ABOVE_F = 40.0
_SDCMICRO_FROM_F = 3.0
_SERIES_FROM_F = 2.0
_NOISE = 1e-9  # of logarithms: an order that is a whole number is exceeded by one


def individual_risk(
    f: ArrayLike,
    F: ArrayLike,
    *,
    approximation: Approximation | None = None,
    accuracy: float | None = None,
) -> Floats:
    """Return the base individual risk of records in cells of f records and F people.

    Args:
        f: Records in the cell, at least 1. Need not be whole (factor `alpha`).
        F: Estimated number of people in the population cell, at least f.
        approximation: None for the exact value (relative error below 1e-13), or the name of
            a formula from the literature, for comparison: `"strategy"`, the flow chart of the
            strategy paper, p/(f - q) above f = 40; `"sdcmicro"`, the same from f = 3 on;
            `"series1"` and `"series2"`, the series up to the first and second power of q;
            `"series8"`, its first eight terms, as mu-ARGUS has it for f >= 4; `"series"`, as many
            powers as the note wants for an accuracy, see `find_order`.
        accuracy: Of `"series"`: absolute error that is wished; 0.001 if None.

    Assumes:
        F given f is negative binomial with f successes of probability p = f/F.

    References:
        Benedetti and Franconi (1998); Polettini (2003), "A note on the individual risk of
        disclosure"; docs/methods/individual-risk.md lists the misprints.
    """
    f, F = np.broadcast_arrays(np.asarray(f, np.float64), np.asarray(F, np.float64))
    if not bool(np.all((f >= 1) & (f <= F) & np.isfinite(F))):
        raise UsageError("Individual risk needs 1 <= f <= F, both finite.")
    chosen = ApproximationOptions(approximation=approximation, accuracy=accuracy)
    function = _choose_function(chosen)
    flat_f, flat_F = f.ravel(), F.ravel()
    result = np.empty(flat_f.shape)
    for start in range(0, len(flat_f), _BLOCK):
        part = slice(start, start + _BLOCK)
        p = flat_f[part] / flat_F[part]
        # F - f is exact where it is small, so q keeps its accuracy as p -> 1
        q = (flat_F[part] - flat_f[part]) / flat_F[part]
        result[part] = function(flat_f[part], p, q)
    return result.reshape(f.shape)


def _exact(f: Floats, p: Floats, q: Floats) -> Floats:
    single = f == 1
    recursive = (f < _RECURSION_BELOW_F) & (p < _RECURSION_BELOW_P) & ~single
    rest = ~(single | recursive)
    result = np.empty_like(f)
    result[single] = _single(p[single], q[single])
    for where, function in ((recursive, _recursion), (rest, _series)):
        if where.any():
            result[where] = function(f[where], p[where], q[where])
    return result


def _single(p: Floats, q: Floats) -> Floats:
    """Cells of one: (p/q) ln(1/p), by log1p where p is near one, and its limit 1 at q = 0."""
    log = np.where(p < 0.5, np.log(p), np.log1p(-np.minimum(q, 0.5)))
    return np.divide(-p * log, q, out=np.ones_like(p), where=q > 0)


def _recursion(f: Floats, p: Floats, q: Floats) -> Floats:
    """I(k+1) = (1/k - p I(k)) / q, r = p I(f): stable, since errors shrink: p/q < 0.54."""
    k = f - np.floor(f) + 1.0
    integral = np.where(k == 1.0, -np.log(p) / q, 0.0)
    fractional = k != 1.0
    if fractional.any():
        integral[fractional] = _integral(k[fractional], p[fractional], q[fractional])
    # The largest f last, so that finished cells fall off the front of the arrays.
    order = np.argsort(f, kind="stable")
    steps = np.floor(f[order]) - 1.0
    integral, k, p, q = integral[order], k[order], p[order], q[order]
    for step in range(int(steps[-1])):
        todo = slice(int(np.searchsorted(steps, step, side="right")), None)
        integral[todo] = (1.0 / k[todo] - p[todo] * integral[todo]) / q[todo]
        k[todo] += 1.0
    result = np.empty_like(f)
    result[order] = p * integral
    return result


_NODES = 16
_PANEL = 4.0


def _integral(f: Floats, p: Floats, q: Floats) -> Floats:
    """∫ u^(f-1) / (p + q u) du for 1 < f < 2, by Gauss-Legendre in s = -ln u.

    There the nearest pole is π away from the path, so 16 nodes on panels of width 4 leave
    an error below 1e-16.
    """
    length = 40.0 - np.log(p)
    panels = int(np.ceil(length.max() / _PANEL))
    width = length / panels
    result = np.zeros_like(f)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)  # loaded where it is needed
    for panel in range(panels):
        for node, weight in zip(nodes, weights, strict=True):
            s = width * (panel + 0.5 * (1.0 + node))
            result += weight * np.exp(-f * s) / (p + q * np.exp(-s))
    return 0.5 * width * result


def _series(f: Floats, p: Floats, q: Floats) -> Floats:
    """(p/f) Σ Π kq/(f+k), every term positive, until what is left no longer counts."""
    term = np.ones_like(f)
    total = np.ones_like(f)
    geometric = q / p
    terms = 0
    while True:
        for _ in range(4):
            terms += 1
            term *= q * terms / (f + terms)
            total += term
        # Terms fall at least as fast as q**k, and as those of the same series with q = 1.
        left = np.minimum(geometric, (terms + 1) / np.maximum(f - 1.0, 1e-9))
        if bool(np.all(term * left <= 1e-17)):
            return p / f * total


def _cut_series(f: Floats, p: Floats, q: Floats, *, terms: int) -> Floats:
    total = np.ones_like(f)
    term = np.ones_like(f)
    for k in range(1, terms):
        term *= q * k / (f + k)
        total += term
    return p / f * total


def _simple_where(
    f: Floats, p: Floats, q: Floats, *, large: Callable[[Floats], NDArray[np.bool_]]
) -> Floats:
    """p/(f - q) in large cells, the exact risk in others."""
    result = p / (f - q)
    small = ~large(f)
    result[small] = _exact(f[small], p[small], q[small])
    return result


def find_order(f: ArrayLike, accuracy: float) -> NDArray[np.int64]:
    """Return the powers of q that the note wants for an absolute error: j > -log accuracy / log f.

    It leaves out what factorials do to the remainder, so small cells may miss by much more than was
    wished. For f = 1 there is no such order; below f = 2 it is 0, and the exact value is taken.
    """
    f = np.asarray(f, np.float64)
    least = -np.log(accuracy) / np.log(np.maximum(f, _SERIES_FROM_F))
    order = np.floor(least + _NOISE).astype(np.int64) + 1
    return np.where(f < _SERIES_FROM_F, 0, order)


def _series_to_order(f: Floats, p: Floats, q: Floats, *, accuracy: float) -> Floats:
    """The series up to the order that an accuracy asks for in each cell."""
    order = find_order(f, accuracy)
    total, term = np.ones_like(f), np.ones_like(f)
    for k in range(1, int(order.max(initial=0)) + 1):
        term *= q * k / (f + k)
        total += np.where(k <= order, term, 0.0)
    result = p / f * total
    few = order == 0
    result[few] = _exact(f[few], p[few], q[few])
    return result


def _choose_function(
    chosen: ApproximationOptions,
) -> Callable[[Floats, Floats, Floats], Floats]:
    name = chosen.approximation
    if name is None:
        return _exact
    if name == "series":
        return partial(_series_to_order, accuracy=chosen.wished)
    if name == "strategy":
        return partial(_simple_where, large=lambda f: f > _STRATEGY_ABOVE_F)
    if name == "sdcmicro":
        return partial(_simple_where, large=lambda f: f >= _SDCMICRO_FROM_F)
    return partial(_cut_series, terms={"series1": 2, "series2": 3, "series8": 8}[name])
