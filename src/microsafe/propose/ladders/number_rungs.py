"""Rungs for numbers: tails by share, then bins of 1, 5, 10 and 20 units, each in the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

import numpy as np
from numpy.typing import NDArray

from microsafe.codes import spell_code
from microsafe.errors import UsageError
from microsafe.propose.ladders.ladder import Rung, as_values
from microsafe.schema import Variable
from microsafe.steps.change import Change
from microsafe.steps.recode import Recode
from microsafe.steps.tails.step import BottomCode, TopCode
from microsafe.sums import Floats

_TAIL = 0.01  # share of the records beyond which a tail begins
_TIMES = (1, 5, 10, 20)
_MANY_BINS = 1000
_UNITS = 40  # at least so many lie between the lowest and the highest number


@dataclass(frozen=True, slots=True, kw_only=True)
class TailLimits:
    """Where tails begin: the lowest number of the upper one, the highest of the lower one."""

    top: float | None = None
    bottom: float | None = None


def number_rungs(variable: Variable, numbers: Floats, count: NDArray[np.int64]) -> Iterator[Rung]:
    """Yield rungs for numbers: their tails, then bins that keep the tails whole.

    Args:
        variable: The key.
        numbers: Its categories, in their order.
        count: Records of each.
    """
    tails = find_tails(numbers, count)
    step = tail_step(variable, tails)
    if step is not None:
        yield Rung(step, f"{' and '.join(_tail_names(tails).values())} as one")
    unit = _unit(numbers, tails)
    for width in (unit * times for times in _TIMES):
        if is_whole(numbers) and width == 1:
            continue  # that is what they are
        yield Rung(bin_step(variable, numbers, width, tails), f"bins of {_spell(width)}")


def find_tails(numbers: Floats, count: NDArray[np.int64]) -> TailLimits:
    """Find tails of at least two numbers that hold at most one in a hundred records."""
    order = np.argsort(numbers)
    values, records = numbers[order], count[order]
    most = _TAIL * records.sum()
    upper = values[np.cumsum(records[::-1])[::-1] <= most]
    lower = values[np.cumsum(records) <= most]
    return TailLimits(
        top=float(upper[0]) if len(upper) > 1 else None,
        bottom=float(lower[-1]) if len(lower) > 1 else None,
    )


def tail_step(variable: Variable, tails: TailLimits) -> Change | None:
    """Return the step that joins the numbers of each tail, if there is one."""
    names, text = _tail_names(tails), variable.kind == "text"
    codes = {limit: name if text else spell_code(limit) for limit, name in names.items()}
    if tails.top is not None and tails.bottom is not None:
        ranges = {
            codes[tails.bottom]: (("", spell_code(tails.bottom)),),
            codes[tails.top]: ((spell_code(tails.top), ""),),
        }
        labels = {} if text else {codes[limit]: name for limit, name in names.items()}
        return Recode(variable=variable.name, groups=ranges, labels=labels)
    for limit, name in names.items():
        kind = TopCode if tails.top is not None else BottomCode
        label = "" if text else name
        return kind(variable=variable.name, limit=limit, code=codes[limit], label=label)
    return None


def _tail_names(tails: TailLimits) -> dict[float, str]:
    """What each tail is called, by the number that it begins with."""
    ends = {"under": tails.bottom, "over": tails.top}
    return {
        limit: f"{spell_code(limit)} and {word}"
        for word, limit in ends.items()
        if limit is not None
    }


def bin_step(
    variable: Variable, numbers: Floats, width: Decimal, tails: TailLimits | None = None
) -> Recode:
    """Return the step that puts numbers into bins of a width, which begin at its multiples.

    Numbers stay numbers, called by where their bin begins, so that every format can hold them; the
    label says what they stand for. Where that would be a missing code, or codes are text, the
    bins are called as they would be read.
    """
    tails = tails or TailLimits()
    breaks, names = _bins(numbers, width, tails)
    lower = tuple(float(decimal) for decimal in breaks)
    inside = len(names) == len(lower)
    if variable.kind != "text":
        lowest = lower if inside else (float(_floor(_decimal(numbers.min()), width)), *lower)
        codes = tuple(spell_code(each) for each in lowest)
        step = Recode(
            variable=variable.name,
            breaks=lower,
            names=codes,
            labels=dict(zip(codes, names, strict=True)),
        )
        with suppress(UsageError):
            step.transformation(variable, as_values(variable, [str(number) for number in numbers]))
            return step
    return Recode(variable=variable.name, breaks=lower, names=names)


def _bins(
    numbers: Floats, width: Decimal, tails: TailLimits
) -> tuple[list[Decimal], tuple[str, ...]]:
    """Where bins begin, and what they are called; none begins inside of a tail."""
    first, last = (_floor(_decimal(each), width) for each in (numbers.min(), numbers.max()))
    below: tuple[str, ...] = ()
    if tails.top is not None:
        last = _floor(_decimal(tails.top), width)
    if tails.bottom is not None:
        second = _floor(_decimal(tails.bottom), width) + width
        if second <= last:  # or the tails meet in one bin
            first, below = second, (f"under {_spell(second)}",)
    breaks = _starts(numbers, first, last, width)
    whole = width == int(width) and is_whole(numbers)
    names = [_bin_name(start, width, whole=whole) for start in breaks]
    if tails.top is not None:
        names[-1] = f"{_spell(breaks[-1])} and over"
    return breaks, (*below, *names)


def _starts(numbers: Floats, first: Decimal, last: Decimal, width: Decimal) -> list[Decimal]:
    """Where bins begin, all of them, or only those with a number where there are very many."""
    if (last - first) / width < _MANY_BINS:
        return [first + place * width for place in range(int((last - first) / width) + 1)]
    found = {min(_floor(_decimal(number), width), last) for number in numbers}
    return sorted({first, last, *(decimal for decimal in found if decimal > first)})


def _bin_name(start: Decimal, width: Decimal, *, whole: bool) -> str:
    word = " to " if start < 0 else "-"
    end = _spell(start + width - 1) if whole else f"<{_spell(start + width)}"
    return f"{_spell(start)}{word}{end}"


def _unit(numbers: Floats, tails: TailLimits) -> Decimal:
    """The largest power of ten of which enough fit between the tails; whole for whole numbers."""
    low = numbers.min() if tails.bottom is None else tails.bottom
    high = numbers.max() if tails.top is None else tails.top
    span, whole = _decimal(high) - _decimal(low), is_whole(numbers)
    unit = Decimal(1)
    while span >= unit * 10 * _UNITS:
        unit *= 10
    while not whole and 0 < span < unit * _UNITS:
        unit /= 10
    return unit


def is_whole(numbers: Floats) -> bool:
    """Tell whether all numbers are whole."""
    return bool((numbers == numbers.round()).all())


def _floor(value: Decimal, width: Decimal) -> Decimal:
    """The largest multiple of a width that is not above a value."""
    return (value / width).to_integral_value(ROUND_FLOOR) * width


def _decimal(value: float) -> Decimal:
    return Decimal(str(float(value)))


def _spell(value: Decimal) -> str:
    return spell_code(float(value))
