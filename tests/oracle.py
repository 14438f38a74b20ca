"""Slow and obvious: all pairs of records, fifty digits."""

from __future__ import annotations

from collections.abc import Sequence

import mpmath as mp
import numpy as np

Record = Sequence[object | None]


def compatible(a: Record, b: Record) -> bool:
    return all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))


def shows_all_of(a: Record, b: Record) -> bool:
    """Whether b shows every key that a shows."""
    return all(x is None or y is not None for x, y in zip(a, b, strict=True))


def frequencies(
    records: Sequence[Record],
    weights: Sequence[float],
    *,
    alpha: float = 1.0,
    category: bool = False,
) -> tuple[list[float], list[float]]:
    """f and F of every record by comparing it with every record."""
    f, F = [], []
    for a in records:
        count = weight = mp.mpf(0)
        for b, w in zip(records, weights, strict=True):
            if category:
                share = float(tuple(a) == tuple(b))
            elif compatible(a, b):
                share = 1.0 if shows_all_of(a, b) else alpha
            else:
                share = 0.0
            count += mp.mpf(share)
            weight += mp.mpf(share) * mp.mpf(w)
        f.append(float(count))
        F.append(float(weight))
    return f, F


def risk(f: float, F: float) -> mp.mpf:
    """E(1/F | f), to forty digits and more."""
    with mp.workdps(50):
        f, F = mp.mpf(f), mp.mpf(F)
        p = f / F
        q = 1 - p
        if q == 0:
            return 1 / f
        if f != mp.floor(f):
            with mp.workdps(60):  # near whole f it loses some
                return p / f * mp.hyp2f1(1, 1, f + 1, q)
        if f < 40 and p < 0.5:
            return p * _by_recursion(int(f), p, q)
        term = total = mp.mpf(1)
        k = 0
        while term > mp.mpf(10) ** -45:
            k += 1
            term *= k * q / (f + k)
            total += term
        return p / f * total


def _by_recursion(f: int, p: mp.mpf, q: mp.mpf) -> mp.mpf:
    integral = -mp.log(p) / q
    for k in range(1, f):
        integral = (1 / mp.mpf(k) - p * integral) / q
    return integral


def information_lost(before: np.ndarray, after: np.ndarray) -> float:
    """Return the sum of squared changes over that of deviations from means.

    Both are in units of the standard deviations before; variables that do not vary are left out.
    """
    lost, count = 0.0, 0
    for old, new in zip(before, after, strict=True):
        known = ~np.isnan(old)
        if known.any() and (variance := float(old[known].var())) > 0:
            lost += float(np.sum((old - new)[known] ** 2)) / variance
            count += int(known.sum())
    return lost / count if count else 0.0
