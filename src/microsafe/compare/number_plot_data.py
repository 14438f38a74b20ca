"""Figures for pictures of a numeric variable before and after.

Values are counted in bins whose edges are round numbers, or powers of ten and parts of them, so
that no edge is a value of a record. The first and the last bin also take what lies beyond, and none
of them shows fewer than three records of a state: the smallest and the largest value stay unknown.

Pure functions over columns of numbers; NaN is missing. The size of what they return is bounded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from microsafe.sums import Floats, sum_by

Scale = Literal["linear", "log", "symlog"]

MOST_PICTURES = 12  # variables
LEAST = 3  # records of a state in an outer bin, if there are any
_BINS, _JOINT_BINS = 40, 24
_TICKS = 7
_NEAR_ZERO = 0.07  # of an axis: a number closer to that of 0 is not written
_BEYOND = 0.001  # share of the values at each end that are not looked at for the range
_SKEWED = 2.0  # times as far from the median to one side as to the other
_HEAVY = 6.0  # quartile ranges between the outer hundredths; 3.4 in a normal distribution
_SHAPE = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_DECADE = (64, 48, 32, 24, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1, 0.5, 0.25, 0.125)  # bins in each


@dataclass(frozen=True, slots=True)
class Tick:
    """A number to be written at an axis; `at` is its place, in bins from the first edge."""

    at: float
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """Bins of equal width on the axis; each has its lower edge and not its upper one.

    Attributes:
        scale: `"log"` for skewed positive values; `"symlog"`, a logarithm to both sides of one
            linear bin at 0, for other skewed ones; or `"linear"`.
        edges: One more than there are bins; the outer bins also take what lies beyond.
        ticks: Round numbers to be written at it.
    """

    scale: Scale
    edges: tuple[float, ...]
    ticks: tuple[Tick, ...]

    @property
    def bins(self) -> int:
        """How many there are."""
        return len(self.edges) - 1

    def place(self, values: Floats) -> NDArray[np.int64]:
        """Return the bin of each value."""
        return np.searchsorted(np.array(self.edges[1:-1]), values, side="right")


@dataclass(frozen=True, slots=True, kw_only=True)
class JointCounts:
    """Records by their value before (rows) and after (columns), in the same bins."""

    axis: Axis
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedShares:
    """The released values alone, in bins chosen from them: all that the public may see.

    Attributes:
        axis: Of the bins.
        shares: Of the records in each; weights take no part, they may have been changed too.
    """

    axis: Axis
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberPicture:
    """A numeric variable before and after.

    Attributes:
        name: Of the variable.
        weighted: Whether shares are of the weight; of the records if not.
        axis: Of the bins of both distributions.
        before: Share of what is known before in each bin.
        after: The same after.
        joint: Records that are known in both states.
        released: What the public may see.
    """

    name: str
    weighted: bool
    axis: Axis
    before: tuple[float, ...]
    after: tuple[float, ...]
    joint: JointCounts
    released: ReleasedShares | None


def picture_number(
    name: str, before: Floats, after: Floats, weight: Floats | None
) -> NumberPicture | None:
    """Count a variable before and after in bins; None if there are no two bins to be shown."""
    both = ~np.isnan(before) & ~np.isnan(after)
    states = [np.sort(each[~np.isnan(each)]) for each in (before, after)]
    axis, coarse = (make_axis(states, most) for most in (_BINS, _JOINT_BINS))
    if axis is None or coarse is None:
        return None
    rows, columns = (coarse.place(each[both]) for each in (before, after))
    counts = np.bincount(rows * coarse.bins + columns, minlength=coarse.bins**2)
    alone = make_axis(states[1:], _BINS)
    return NumberPicture(
        name=name,
        weighted=weight is not None,
        axis=axis,
        before=_share(axis, before, weight),
        after=_share(axis, after, weight),
        joint=JointCounts(
            axis=coarse,
            counts=tuple(map(tuple, counts.reshape(coarse.bins, coarse.bins).tolist())),
        ),
        released=None
        if alone is None
        else ReleasedShares(axis=alone, shares=_share(alone, after, None)),
    )


def _share(axis: Axis, values: Floats, weight: Floats | None) -> tuple[float, ...]:
    known = ~np.isnan(values)
    part = np.ones(int(known.sum())) if weight is None else weight[known]
    sums = sum_by(axis.place(values[known]), part, axis.bins)
    whole = float(sums.sum())
    return tuple((sums / whole if whole else sums).tolist())


def make_axis(
    states: Sequence[Floats], most: int, scale: Literal["auto", "linear", "log"] = "auto"
) -> Axis | None:
    """Choose bins for some states of a variable; None if all values are in one.

    Args:
        states: What is known in each, in ascending order.
        most: Bins.
        scale: Of the axis; chosen by the shape of the distribution if `"auto"`.
    """
    values = np.sort(np.concatenate(states), kind="stable")  # two runs: no more than a merge
    if len(values) < 2 * LEAST or values[0] == values[-1]:
        return None
    beyond = max(LEAST, int(np.ceil(_BEYOND * len(values)))) - 1
    low, high = float(values[beyond]), float(values[-1 - beyond])
    chosen, whole = _choose_scale(values, scale), bool(np.all(values == np.rint(values)))
    if chosen == "log":
        edges = _log_edges(low, high, most)
    elif chosen == "symlog":
        edges = _symlog_edges(values, low, high, most)
    else:
        edges = _linear_edges(low, high, most, whole=whole)
    edges = _leave_out_thin(edges, states)
    if len(edges) < 3:
        return None
    ticks = tuple(_ticks(chosen, edges, whole=whole))
    return Axis(scale=chosen, edges=tuple(edges.tolist()), ticks=ticks)


def _choose_scale(values: Floats, asked: Literal["auto", "linear", "log"]) -> Scale:
    """Choose by quantiles of sorted values, so that a few far ones decide nothing."""
    if asked == "linear":
        return "linear"
    if asked == "log":
        return "log" if values[0] > 0 else "symlog"
    outer, low, quarter, median, other, high, end = _quantiles(values, _SHAPE)
    sides = sorted((median - low, high - median))
    skewed = sides[1] > _SKEWED * sides[0]
    heavy = end - outer > _HEAVY * (other - quarter)
    if not (skewed or heavy):
        return "linear"
    if values[0] > 0:
        return "log" if end > 10 * outer else "linear"
    near, far = _quantiles(np.sort(np.abs(values[values != 0])), (0.05, 0.99))
    return "symlog" if far > 10 * near else "linear"


def _quantiles(values: Floats, shares: Sequence[float]) -> list[float]:
    """Values at some shares of sorted ones."""
    found: list[float] = values[(np.array(shares) * (len(values) - 1)).astype(int)].tolist()
    return found


def _log_edges(low: float, high: float, most: int) -> Floats:
    first, last, parts = _find_parts(low, high, most)
    return _tidy(10.0 ** (np.arange(first, last + 1) / parts))


def _find_parts(low: float, high: float, most: int) -> tuple[int, int, float]:
    """As many bins in a decade as there is room for."""
    ends = np.log10([low, high])
    for parts in _DECADE:
        first, last = int(np.floor(parts * ends[0])), int(np.floor(parts * ends[1])) + 1
        if last - first <= most:
            break
    return first, last, parts


def _symlog_edges(values: Floats, low: float, high: float, most: int) -> Floats:
    """One linear bin to each side of 0, powers of ten and parts of them beyond."""
    small = _quantiles(np.sort(np.abs(values[values != 0])), (0.01,))[0]
    power = 10.0 ** np.floor(np.log10(small))
    near = max(each * power for each in (1, 2, 5) if each * power <= small)
    reach = [max(near, each) for each in ((high, -low) if low < 0 else (high,))]
    parts = min(_find_parts(near, each, most // len(reach) - 1)[2] for each in reach)
    sides = []
    for each in reach:
        last = int(np.floor(parts * np.log10(each / near))) + 1
        sides.append(near * 10.0 ** (np.arange(last + 1) / parts))
    below = -sides[1][::-1] if low < 0 else np.zeros(0)
    return _tidy(np.concatenate([below, np.zeros(1), sides[0]]))


def _linear_edges(low: float, high: float, most: int, *, whole: bool) -> Floats:
    step = _round_step((high - low) / (most - 1), (1, 2, 4, 5, 10))
    if whole:
        step = max(step, 1.0)
    first, last = int(np.floor(low / step)), int(np.floor(high / step)) + 1
    return _tidy(np.arange(first, last + 1) * step)


def _round_step(least: float, digits: Sequence[int] = (1, 2, 5, 10)) -> float:
    """The smallest of some digits times a power of ten that is not below."""
    if least <= 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(least))
    return float(next(digit * power for digit in digits if digit * power >= least))


def _tidy(edges: NDArray[np.floating]) -> Floats:
    """Without the dust of powers and products."""
    return np.array([float(f"{edge:.12g}") for edge in edges])


def _leave_out_thin(edges: Floats, states: Sequence[Floats]) -> Floats:
    """Leave out outer edges while too few records lie between them and the next."""
    first, last = 0, len(edges) - 1
    below = np.array([np.searchsorted(state, edges) for state in states])  # records below each edge
    above = np.array([[len(state)] for state in states]) - below
    while last - first > 1 and _is_thin(below[:, first + 1]):
        first += 1
    while last - first > 1 and _is_thin(above[:, last - 1]):
        last -= 1
    return edges[first : last + 1]


def _is_thin(counts: NDArray[np.int64]) -> bool:
    return not counts.any() or bool(np.any((counts > 0) & (counts < LEAST)))


def _ticks(scale: Scale, edges: Floats, *, whole: bool) -> Iterator[Tick]:
    """Round numbers along the axis, in ascending order."""
    if scale == "linear":
        yield from _linear_ticks(edges, single=whole and edges[1] - edges[0] == 1)
        return
    most = _TICKS // 2 if edges[0] < 0 < edges[-1] else _TICKS
    bins = len(edges) - 1
    below = [Tick(bins - tick.at, -tick.value) for tick in _log_ticks(-edges[::-1], most)]
    zero = [Tick(float(at), 0.0) for at in np.flatnonzero(edges == 0)]
    near = _NEAR_ZERO * bins
    others = [*below, *_log_ticks(edges, most)]
    apart = [other for other in others if not zero or abs(other.at - zero[0].at) > near]
    yield from sorted([*apart, *zero], key=lambda each: each.at)


def _log_ticks(edges: Floats, most: int) -> Iterator[Tick]:
    """Round numbers among the positive edges."""
    places = np.flatnonzero(edges > 0)
    if len(places) < 2:
        return
    sizes = edges[places]
    made = _decades(float(sizes[0]), float(sizes[-1]), most)
    at = np.interp(np.log10(made), np.log10(sizes), places)
    yield from (Tick(place, value) for place, value in zip(at.tolist(), made, strict=True))


def _linear_ticks(edges: Floats, *, single: bool) -> Iterator[Tick]:
    """Multiples of a round number; at the middle of bins that hold a `single` value each."""
    low, high = float(edges[0]), float(edges[-1])
    width = (high - low) / (len(edges) - 1)
    step = _round_step(max((high - low) / _TICKS, width * (1 - 1e-9)))
    for number in range(math.ceil(low / step), math.floor(high / step) + 1):
        value = float(f"{number * step:.12g}")
        if not single:
            yield Tick((value - low) / width, value)
        elif value < high:
            yield Tick(value - low + 0.5, value)


def _decades(low: float, high: float, most: int) -> list[float]:
    """Powers of ten between two numbers, and their doubles and fives if there are few."""
    first, last = int(np.floor(np.log10(low))), int(np.ceil(np.log10(high)))
    for parts in ((1, 2, 5), (1, 3), (1,)):
        found = [
            float(f"{part * 10.0**power:.12g}")
            for power in range(first, last + 1)
            for part in parts
        ]
        found = [each for each in found if low <= each <= high]
        if len(found) <= most:
            return found
    return found[:: int(np.ceil(len(found) / most))]
