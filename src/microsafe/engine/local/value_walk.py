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
from microsafe.engine.spelling import spell_numbers
from microsafe.schema import Variable
from microsafe.variables.traits import LOOKED_AT, Traits, spread_out

LOOKED_AT_NUMBERS = 2_000  # stored as such: their shapes are few
_FIRST = 100  # values that tell whether others are worth a look


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WalkedValues:
    """What was seen of a variable.

    Attributes:
        traits: But for the shapes of its values.
        looked: Different values, as texts without blanks around them, whose shape tells enough.
        every: All of them, if they are stored as texts.
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
        missing = self._find_missing(distinct)
        if missing.any():
            known = known.filter(~known.is_in(distinct.filter(missing).to_list()))
            distinct = distinct.filter(~missing)
        if not len(known):
            return
        self._known += len(known)
        self._distinct.append(distinct)
        if self._last is not None:
            known = pl.concat([self._last, known])
        self._last = known.tail(1)
        self._falls += int((known < known.shift(1)).sum())
        if self._number_falls is not None and known.dtype == pl.String:
            falls = _count_number_falls(known)
            self._number_falls = None if falls is None else self._number_falls + falls

    def finish(self) -> WalkedValues:
        """Return what was seen of all records."""
        if not self._distinct:
            nothing = Traits(
                name=self.variable.name, records=0, missing=self._rows, distinct=0, falls=0
            )
            return WalkedValues(traits=nothing, looked=pl.Series(dtype=pl.String), every=None)
        distinct = self._distinct[0]
        if len(self._distinct) > 1:
            distinct = _find_distinct(pl.concat(self._distinct))
        traits = Traits(
            name=self.variable.name,
            records=self._known,
            missing=self._rows - self._known,
            distinct=len(distinct),
            falls=self._falls,
        )
        if distinct.dtype != pl.String:
            some = distinct.gather(spread_out(len(distinct), LOOKED_AT_NUMBERS))
            return WalkedValues(
                traits=replace(traits, looked=len(some)), looked=spell_numbers(some), every=None
            )
        distinct = sort_categories(distinct, self.variable.kind)
        some = distinct.gather(spread_out(len(distinct), LOOKED_AT)).str.strip_chars()
        falls = traits.falls if self._number_falls is None else self._number_falls
        return WalkedValues(
            traits=replace(traits, looked=len(some), falls=falls), looked=some, every=distinct
        )

    def _find_missing(self, distinct: pl.Series) -> pl.Series:
        if _is_number(distinct):
            numbers = distinct.cast(pl.Float64).to_numpy()
            return pl.Series(declared_numbers(numbers, self.variable))
        return distinct.str.strip_chars().is_in(["", *missing_texts(self.variable)])


def _is_number(column: pl.Series) -> bool:
    return column.dtype.is_float() or column.dtype.is_integer()


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
    return pl.Series(known.name, numbers[new])


def _count_number_falls(texts: pl.Series) -> int | None:
    """Count falls of whole numbers that are texts; None if one is none."""
    for some in (texts.head(_FIRST), texts):  # most texts are no numbers: told at once
        numbers = some.cast(pl.Int64, strict=False)
        if numbers.null_count():
            numbers = some.str.strip_chars().cast(pl.Int64, strict=False)
        if numbers.null_count():
            return None
    before = numbers.shift(1)
    # 1 and 01 are two categories, in the order of texts.
    return int(((numbers < before) | ((numbers == before) & (texts < texts.shift(1)))).sum())
