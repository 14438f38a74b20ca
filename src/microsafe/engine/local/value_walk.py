"""Go through the values of a variable once for what they look like, without coding them.

What is counted is what codes would tell: categories in the same order, and the same falls.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from microsafe.codes import missing_texts
from microsafe.engine.coding import sort_categories
from microsafe.engine.number_columns import declared_numbers
from microsafe.engine.slices import Flags
from microsafe.engine.spelling import spell_numbers
from microsafe.schema import Kind, Variable
from microsafe.sums import Floats
from microsafe.variables.traits import LOOKED_AT, Traits, spread_out

LOOKED_AT_NUMBERS = 2_000  # their shapes are few
_FIRST = 100  # values that tell whether others are worth a look
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd, its bits without order: it spreads words evenly


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WalkedValues:
    """What was seen of a variable.

    Attributes:
        traits: But for the shapes of its values.
        looked: Different values, as texts without blanks around them, whose shape tells enough.
        every: All of them, if those that were not looked at may be no numbers.
    """

    traits: Traits
    looked: pl.Series
    every: pl.Series | None


@dataclass(slots=True, eq=False)
class ValueWalk:
    """Takes in the values of a variable, batch by batch."""

    variable: Variable
    _rows: int = 0
    _known: int = 0
    _distinct: list[pl.Series] = field(default_factory=list)
    _numbers: Floats | None = None  # that the last of these spell, if they do
    _falls: int = 0
    _number_falls: int | None = 0  # of texts as whole numbers; None if they are others
    _last: pl.Series | None = None  # the value before

    def add(self, column: pl.Series) -> None:
        """Take in the values of the next records."""
        self._rows += len(column)
        if column.dtype.is_float():
            column = column.fill_nan(None)
        known = (column if _is_number(column) else column.cast(pl.String)).drop_nulls()
        distinct = _find_distinct(known)
        numbers = spelled_numbers(distinct)
        missing = self._find_missing(distinct, bare=numbers is not None)
        if missing.any():
            known = known.filter(~known.is_in(distinct.filter(missing).to_list()))
            distinct = distinct.filter(~missing)
            numbers = spelled_numbers(distinct)
        if not len(known):
            return
        self._known += len(known)
        self._distinct.append(distinct)
        self._numbers = numbers
        if self._last is not None:
            known = pl.concat([self._last, known])
        self._last = known.tail(1)
        lower = (known.slice(1) < known.head(-1)).to_numpy()
        self._falls += int(np.count_nonzero(lower))
        if self._number_falls is not None and known.dtype == pl.String:
            falls = _count_number_falls(known, lower)
            self._number_falls = None if falls is None else self._number_falls + falls

    def finish(self) -> WalkedValues:
        """Return what was seen of all records."""
        if not self._distinct:
            nothing = Traits(
                name=self.variable.name, records=0, missing=self._rows, distinct=0, falls=0
            )
            return WalkedValues(traits=nothing, looked=pl.Series(dtype=pl.String), every=None)
        distinct, numbers = self._distinct[0], self._numbers
        if len(self._distinct) > 1:
            distinct = _find_distinct(pl.concat(self._distinct))
            numbers = spelled_numbers(distinct)
        traits = Traits(
            name=self.variable.name,
            records=self._known,
            missing=self._rows - self._known,
            distinct=len(distinct),
            falls=self._falls,
        )
        every = None
        if _is_number(distinct):
            looked = spell_numbers(distinct.gather(spread_out(len(distinct), LOOKED_AT_NUMBERS)))
        else:
            looked, every = choose_texts(distinct, numbers, self.variable.kind)
            if self._number_falls is not None:
                traits = replace(traits, falls=self._number_falls)
        return WalkedValues(traits=replace(traits, looked=len(looked)), looked=looked, every=every)

    def _find_missing(self, distinct: pl.Series, *, bare: bool) -> pl.Series:
        if _is_number(distinct):
            numbers = distinct.cast(pl.Float64).to_numpy()
            return pl.Series(declared_numbers(numbers, self.variable))
        texts = distinct if bare else distinct.str.strip_chars()
        return texts.is_in(["", *missing_texts(self.variable)])


def _is_number(column: pl.Series) -> bool:
    return column.dtype.is_float() or column.dtype.is_integer()


def spelled_numbers(texts: pl.Series) -> Floats | None:
    """Return the numbers that all texts of a column spell, with nothing around them, if they do."""
    if texts.dtype != pl.String:
        return None
    for some in (texts.head(_FIRST), texts):  # most texts are no numbers: told at once
        numbers = some.cast(pl.Float64, strict=False)
        if numbers.null_count() or not numbers.is_finite().all():
            return None
    return numbers.to_numpy()


def choose_texts(
    distinct: pl.Series, numbers: Floats | None, kind: Kind
) -> tuple[pl.Series, pl.Series | None]:
    """Return texts whose shape tells enough, in order, without blanks around them.

    Args:
        distinct: Different texts.
        numbers: That all of them spell, if they do: their shapes are few.
        kind: Of the variable.

    Returns:
        These texts, and all in order if those that are left out may be no numbers.
    """
    if numbers is not None:
        some = distinct.filter(pl.Series(_draw_numbers(numbers)))
        return sort_categories(some, kind), None
    every = sort_categories(distinct, kind)
    return every.gather(spread_out(len(every), LOOKED_AT)).str.strip_chars(), every


def _draw_numbers(numbers: Floats) -> Flags:
    """Tell which of many numbers are looked at: about so many, by the bits of each.

    To put them in order for an even choice would cost several times what it takes to count them.
    """
    words = numbers.view(np.uint64)
    mixed = (words ^ words >> np.uint64(32)) * _FACTOR
    mixed ^= mixed >> np.uint64(29)
    mixed *= _FACTOR
    share = LOOKED_AT_NUMBERS / max(len(numbers), LOOKED_AT_NUMBERS)
    return (mixed >> np.uint64(1)).view(np.int64) <= share * 2.0**63


def _find_distinct(known: pl.Series) -> pl.Series:
    """Return the different values of a column without gaps; numbers in their order.

    Texts are told apart by 64 bits that are made of each: that two of a million different ones
    are taken for one happens in one of thirty million files.
    """
    if not _is_number(known):
        return known.gather(known.hash().arg_unique())
    numbers = np.sort(known.to_numpy())
    if known.dtype.is_float():
        numbers += 0.0  # or -0 might stand for 0
    new = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=new[1:])
    return pl.Series(known.name, numbers[np.flatnonzero(new)])  # quicker than by flags


def _count_number_falls(texts: pl.Series, lower: Flags) -> int | None:
    """Count falls of whole numbers that are texts; None if one is none.

    Args:
        texts: The values.
        lower: Which of them, from the second on, come before the one ahead of them as texts.
    """
    for some in (texts.head(_FIRST), texts):  # most texts are no numbers: told at once
        numbers = some.cast(pl.Int64, strict=False)
        if numbers.null_count():
            numbers = some.str.strip_chars().cast(pl.Int64, strict=False)
        if numbers.null_count():
            return None
    before, after = numbers.to_numpy()[:-1], numbers.to_numpy()[1:]
    # 1 and 01 are two categories, in the order of texts.
    return int(np.count_nonzero((after < before) | (lower & (after == before))))
