"""Tails by share: from where on values are coded in each stratum, and what becomes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from microsafe.passes import Extent, Pass, RecordBlock, Strata, pass_over
from microsafe.sums import Floats, SumGrid, Totals, sum_by

Replacement = Literal["mean", "median", "limit"]

_PARTS = ("high", "low")
_SIGN = np.uint64(1 << 63)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StratumTails:
    """The tail of each stratum.

    Attributes:
        limit: The least extreme value that is coded; NaN where there is no value.
        value: What they all become; likewise.
        records: How many are coded.
        share: Their weight as a share of that of all values.
        weight: Their weight.
        whole: That of all values.
    """

    limit: Floats
    value: Floats
    records: NDArray[np.int64]
    share: Floats
    weight: Floats
    whole: Floats


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
) -> StratumTails:
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
    block = RecordBlock(values=[values], weight=weight, stratum=stratum)
    return gather_tails(
        pass_over(block), Extent.of(block), strata,
        upward=upward, replace=replace, share=share, limit=limit,
    )  # fmt: skip


def gather_tails(
    go: Pass,
    extent: Extent,
    strata: int,
    *,
    upward: bool,
    replace: Replacement,
    share: float | None = None,
    limit: float | None = None,
) -> StratumTails:
    """Find the tails of all strata, see `find_tails`, from a few passes over the records."""
    sign = -1.0 if upward else 1.0
    none = np.full(strata, np.inf)  # beyond all values
    if limit is not None:
        limits = np.full(strata, sign * limit)
    else:
        aim = (share or 0.0) * (1 - 1e-12)
        limits = _reach(go, extent, sign=sign, within=none, aim=aim)
    sums = go(_TailPass(extent=extent, strata=strata, sign=sign, limit=limits)).value
    records, coded, whole, moment = sums.T
    shown = whole > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = np.where(shown, coded / whole, 0.0)
        became = {"mean": moment / coded, "limit": limits, "median": limits}[replace]
    if replace == "median":
        became = _reach(go, extent, sign=sign, within=limits, aim=0.5)
    return StratumTails(
        limit=sign * np.where(shown, limits, np.nan) + 0.0,
        value=sign * np.where(shown & (records > 0), became, np.nan) + 0.0,
        records=np.where(shown, records, 0).astype(np.int64),
        share=parts,
        weight=coded,
        whole=whole,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _TailPass:
    """Records and weight beyond the limit of each stratum, all weight, and the weighted sum."""

    extent: Extent
    strata: int
    sign: float
    limit: Floats

    def __call__(self, block: RecordBlock) -> Totals:
        ends = self.sign * block.values[0]  # the most extreme first
        beyond = (ends <= self.limit[block.stratum]).astype(np.float64)
        known = (~np.isnan(ends)).astype(np.float64)
        (largest,) = self.extent.largest
        parts = [
            grid.add_up(values, block.stratum, self.strata)
            for grid, values in (
                (SumGrid.of(1.0, self.extent.records), beyond),
                (self.extent.grid(), block.weigh(beyond)),
                (self.extent.grid(), block.weigh(known)),
                (self.extent.grid(largest), block.weigh(np.where(beyond > 0, ends, 0.0))),
            )
        ]
        return Totals(*(np.stack([getattr(p, of) for p in parts], axis=1) for of in _PARTS))


def _reach(go: Pass, extent: Extent, *, sign: float, within: Floats, aim: float) -> Floats:
    """Return in each stratum the value at which a share of the weight within a limit is reached.

    Floats are ordered as their bits are, so what begins with the same bits is weighed, 16 bits at a
    time.
    """
    strata = len(within)
    start, target = np.zeros(strata, np.uint64), np.zeros(strata)
    below = Totals(np.zeros(strata), np.zeros(strata))
    for shift in (48, 32, 16, 0):
        found = go(_DigitPass(extent=extent, sign=sign, within=within, start=start, shift=shift))
        of, digit = found.key >> 16, found.key & 0xFFFF
        first = np.searchsorted(of, np.arange(strata + 1))
        sums = [
            np.concatenate([[0.0], np.cumsum(each)]) for each in (found.sums.high, found.sums.low)
        ]  # exact, as all sums of such numbers are
        for stratum in np.unique(of).tolist():
            here = slice(first[stratum], first[stratum + 1])
            high, low = (
                part[here.start : here.stop + 1] - part[here.start] + before[stratum]
                for part, before in zip(sums, (below.high, below.low), strict=True)
            )
            running = (high + low)[1:]
            if shift == 48:
                target[stratum] = aim * running[-1]
            at = min(int(np.searchsorted(running, target[stratum])), len(running) - 1)
            below.high[stratum], below.low[stratum] = high[at], low[at]
            start[stratum] = start[stratum] << np.uint64(16) | np.uint64(digit[here][at])
    return _from_key(start)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _DigitWeights:
    """Weight by stratum and the next bits of values, in order."""

    key: Strata
    sums: Totals

    def merge(self, other: _DigitWeights) -> _DigitWeights:
        key, place = np.unique(np.concatenate([self.key, other.key]), return_inverse=True)
        sums = [
            sum_by(place.reshape(-1), np.concatenate(pair), len(key))
            for pair in ((self.sums.high, other.sums.high), (self.sums.low, other.sums.low))
        ]
        return _DigitWeights(key=key, sums=Totals(*sums))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _DigitPass:
    """Weighs what begins with the same bits, in each stratum."""

    extent: Extent
    sign: float
    within: Floats
    start: NDArray[np.uint64]
    shift: int

    def __call__(self, block: RecordBlock) -> _DigitWeights:
        ends = self.sign * block.values[0]
        inside = np.flatnonzero(ends <= self.within[block.stratum])
        keys, stratum = _to_key(ends[inside]), block.stratum[inside]
        if self.shift < 48:
            inner = keys >> np.uint64(self.shift + 16) == self.start[stratum]
            keys, stratum, inside = keys[inner], stratum[inner], inside[inner]
        digit = (keys >> np.uint64(self.shift)) & np.uint64(0xFFFF)
        key, place = np.unique(stratum << 16 | digit.astype(np.int64), return_inverse=True)
        weight = np.ones(len(inside)) if block.weight is None else block.weight[inside]
        sums = self.extent.grid().add_up(weight, place.reshape(-1), max(len(key), 1))
        if not len(key):
            sums = Totals(sums.high[:0], sums.low[:0])
        return _DigitWeights(key=key, sums=sums)


def _to_key(values: Floats) -> NDArray[np.uint64]:
    """Whole numbers that are ordered as the values are."""
    bits = (values + 0.0).view(np.uint64)  # no negative zero
    flip = np.where(bits >> np.uint64(63), ~np.uint64(0), _SIGN)
    return bits ^ flip


def _from_key(keys: NDArray[np.uint64]) -> Floats:
    flip = np.where(keys >> np.uint64(63), _SIGN, ~np.uint64(0))
    return (keys ^ flip).view(np.float64)


def code_tails(values: Floats, stratum: Strata, tails: StratumTails, *, upward: bool) -> Floats:
    """Return values with the tail of their stratum coded; NaN stays."""
    limit = tails.limit[stratum]
    beyond = values >= limit if upward else values <= limit
    return np.where(beyond & (tails.records[stratum] > 0), tails.value[stratum], values)
