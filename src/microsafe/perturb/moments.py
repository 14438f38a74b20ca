"""Means and covariances by stratum, to the same bits whatever the order of the records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.sums import Exact, Floats

Strata = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moments:
    """Moments of some variables in each stratum.

    Attributes:
        count: Values, by stratum and variable.
        mean: Likewise; NaN where there is no value.
        variance: Likewise, with n - 1; 0 where there are fewer than two values.
        correlation: By stratum and pair of variables, of the records that have both; 0 where that
            is not known.
    """

    count: NDArray[np.int64]
    mean: Floats
    variance: Floats
    correlation: Floats


def find_moments(
    values: Sequence[Floats], *, weight: Floats | None, stratum: Strata, strata: int
) -> Moments:
    """Return means, variances and correlations.

    Args:
        values: A column for each variable; NaN takes no part.
        weight: Of each record; all count alike if None.
        stratum: Of each record, from 0.
        strata: How many there are.
    """
    known = [~np.isnan(each) for each in values]
    weights = [each.astype(np.float64) if weight is None else each * weight for each in known]
    count = np.stack([np.bincount(stratum, each, strata) for each in known], axis=1)
    whole = np.stack([_sum(stratum, each, strata) for each in weights], axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (
            np.stack(
                [
                    _sum(stratum, w * np.where(k, x, 0.0), strata)
                    for w, k, x in zip(weights, known, values, strict=True)
                ],
                axis=1,
            )
            / whole
        )
    centred = [
        np.where(k, x - mean[stratum, place], 0.0)
        for place, (k, x) in enumerate(zip(known, values, strict=True))
    ]
    squares = [
        _sum(stratum, w * each * each, strata) for w, each in zip(weights, centred, strict=True)
    ]
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = np.stack(squares, axis=1) / whole * count / (count - 1)
    size = len(values)
    correlation = np.zeros((strata, size, size))
    for j in range(size):
        correlation[:, j, j] = 1.0
        for k in range(j):
            both = weights[j] * known[k]
            complete = bool(known[j].all() and known[k].all())
            spread = [
                whole_sum if complete else _sum(stratum, both * centred[at] ** 2, strata)
                for at, whole_sum in ((j, squares[j]), (k, squares[k]))
            ]
            cross = _sum(stratum, both * centred[j] * centred[k], strata)
            with np.errstate(invalid="ignore", divide="ignore"):
                found = np.nan_to_num(cross / np.sqrt(spread[0] * spread[1]), posinf=0, neginf=0)
            correlation[:, j, k] = correlation[:, k, j] = np.clip(found, -1.0, 1.0)
    return Moments(
        count=count.astype(np.int64),
        mean=mean,
        variance=np.where(count > 1, np.nan_to_num(variance, posinf=0.0), 0.0),
        correlation=correlation,
    )


def _sum(stratum: Strata, values: Floats, strata: int) -> Floats:
    """Sum by stratum, of numbers of either sign, without rounding errors that depend on order."""
    split = Exact.under(float(np.abs(values).sum()), values)
    if strata > 1:
        return split.group(stratum, strata).value
    low = 0.0 if split.low is None else split.low.sum()
    return np.array([split.high.sum() + low])


def factor(correlation: Floats) -> Floats:
    """Return L with L L' = R and rows of length 1, for a matrix of correlations.

    By Cholesky's method, the largest pivot first, so that R may be singular. Correlations of
    different records may contradict each other; then L L' is near R.
    """
    size = len(correlation)
    rest, lower = correlation.copy(), np.zeros((size, size))
    left = list(range(size))
    for column in range(size):
        pivot = max(left, key=lambda at: (rest[at, at], -at))
        if rest[pivot, pivot] <= 1e-10:
            break
        root = np.sqrt(rest[pivot, pivot])
        left.remove(pivot)
        lower[pivot, column] = root
        for at in left:
            lower[at, column] = rest[at, pivot] / root
        for at in left:
            for other in left:
                rest[at, other] -= lower[at, column] * lower[other, column]
    lengths: Floats = np.sqrt((lower**2).sum(axis=1, keepdims=True))
    return lower / lengths
