"""Tails by share: from where on values are coded in each stratum, and what becomes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from microsafe.perturb.moments import Strata
from microsafe.sums import Exact, Floats

Replacement = Literal["mean", "median", "limit"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tails:
    """The tail of each stratum.

    Attributes:
        limit: The least extreme value that is coded; NaN where there is no value.
        value: What they all become; likewise.
        records: How many are coded.
        share: Their weight as a share of that of all values.
    """

    limit: Floats
    value: Floats
    records: NDArray[np.int64]
    share: Floats


def find_tails(
    values: Floats,
    *,
    weight: Floats | None,
    stratum: Strata,
    strata: int,
    upward: bool,
    replace: Replacement,
    share: float | None = None,
    limit: float | None = None,
) -> Tails:
    """Find the tails of all strata.

    By share, values are taken from the end on until their weight is the share or more; all that
    equal the last of them go with it.

    Args:
        values: NaN takes no part.
        weight: Of each record; all count alike if None.
        stratum: Of each record, from 0.
        strata: How many there are.
        upward: Whether large values are meant, not small ones.
        replace: What coded values become: their weighted mean or median, or the limit.
        share: Of the weight that is coded.
        limit: Or from where on.
    """
    known = np.flatnonzero(~np.isnan(values))
    sign = -1.0 if upward else 1.0
    ends = sign * values[known]  # the most extreme first
    order = known[np.lexsort((ends, stratum[known]))]
    bounds = np.searchsorted(stratum[order], np.arange(strata + 1))
    found = [
        _find_tail(
            sign * values[order[start:stop]],
            np.ones(stop - start) if weight is None else weight[order[start:stop]],
            share,
            None if limit is None else sign * limit,
            replace,
        )
        for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    ]
    limits, became, records, shares = (np.array(each) for each in zip(*found, strict=True))
    return Tails(
        limit=sign * limits + 0.0,
        value=sign * became + 0.0,
        records=records.astype(np.int64),
        share=shares,
    )


def _find_tail(
    ends: Floats, weight: Floats, share: float | None, limit: float | None, replace: Replacement
) -> tuple[float, float, int, float]:
    """Tail of one stratum, of values in ascending order."""
    if not len(ends) or not weight.any():
        return np.nan, np.nan, 0, 0.0
    sums = Exact.split(weight).cumulate()
    whole = float(sums[-1])
    if limit is None:
        at = int(np.searchsorted(sums, (share or 0.0) * whole * (1 - 1e-12)))
        limit = float(ends[min(at, len(ends) - 1)])
    count = int(np.searchsorted(ends, limit, side="right"))
    if not count:
        return limit, np.nan, 0, 0.0
    coded = float(sums[count - 1])
    became = limit
    if replace == "mean":
        terms = weight[:count] * ends[:count]
        split = Exact.under(float(np.abs(terms).sum()), terms)
        low = 0.0 if split.low is None else float(split.low.sum())
        became = (float(split.high.sum()) + low) / coded
    elif replace == "median":
        became = float(ends[int(np.searchsorted(sums[:count], coded / 2))])
    return limit, became, count, coded / whole


def code_tails(values: Floats, stratum: Strata, tails: Tails, *, upward: bool) -> Floats:
    """Return values with the tail of their stratum coded; NaN stays."""
    limit = tails.limit[stratum]
    beyond = values >= limit if upward else values <= limit
    return np.where(beyond & (tails.records[stratum] > 0), tails.value[stratum], values)
