"""Rounding that keeps sums: values are rounded so that each group adds up to what it should."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microsafe.sums import Floats, total

_EXACT = 1e-6  # of a unit: what is as near as that to a whole one is one


def restore_totals(
    values: Floats,
    totals: Floats,
    group: NDArray[np.int64],
    *,
    size: NDArray[np.int64],
    lowest: float,
    decimals: int,
) -> Floats:
    """Return values whose sum in each group is given, none of them below a bound.

    What a value has above the bound is multiplied by one factor in each group. Then values are
    rounded down, and up again where most was cut off, until the sum is reached: to a unit of the
    last decimal for values that count once, to fewer units than the largest size otherwise.

    Args:
        values: At least the bound.
        totals: By group, at least what the bound amounts to.
        group: Of each value, from 0.
        size: How often each value counts.
        lowest: The bound.
        decimals: Digits behind the point that are left.
    """
    unit = 10.0**decimals
    floor = np.ceil(lowest * unit - _EXACT)  # the lowest that can be written
    made = np.empty(len(values))
    order = np.argsort(group, kind="stable")
    for number, some in enumerate(np.split(order, np.cumsum(np.bincount(group))[:-1])):
        times = size[some].astype(np.float64)
        above = np.maximum(values[some] * unit - floor, 0.0)
        wanted = float(np.rint(totals[number] * unit)) - floor * float(times.sum())
        whole = total(times * above)
        if not whole:
            above, whole = np.ones(len(some)), float(times.sum())
        scaled = above * (max(wanted, 0.0) / whole)
        down = np.floor(scaled + _EXACT)
        left = wanted - total(times * down)
        most = np.argsort(down - scaled, kind="stable")
        up = np.zeros(len(some))
        up[most] = np.cumsum(times[most]) <= left
        made[some] = np.round((floor + down + up) / unit, decimals)
    return made
