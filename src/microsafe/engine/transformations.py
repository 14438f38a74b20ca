"""Transformations of one variable: small values that an engine applies on demand.

A rule knows codes and numbers, not records. Every rule takes equal values to equal values, so
it is applied to the distinct values of a column only, and what was blanked before stays blank.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.codes import missing_texts, spell_code
from microsafe.draws import Draws
from microsafe.engine.number_columns import declared_numbers
from microsafe.engine.spelling import spell_numbers
from microsafe.errors import InputError
from microsafe.io.column_types import spell_times
from microsafe.schema import Code, Kind, Variable
from microsafe.sums import Floats

_STEP = 0  # steps of a plan are numbered from 1
_NUMBERS: Mapping[Kind, pl.DataType] = {"integer": pl.Int64(), "number": pl.Float64()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """New code by old code; others become `other`, or stay if that is None."""

    table: Mapping[str, str]
    other: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bins:
    """Names of bins by lower bounds; the first name is for what lies below them all."""

    breaks: tuple[float, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prefix:
    """The first characters of a code."""

    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """One code for all numbers from a limit on, upward or downward."""

    limit: float
    code: str
    upward: bool


@dataclass(frozen=True, slots=True)
class RoundedMultiple:
    """The nearest multiple of a base, the even one of two."""

    base: float


@dataclass(frozen=True, slots=True)
class ShuffledValues:
    """Whole numbers from 1 in random order, none of them a missing code.

    The order is that of draws by seed and variable (see `microsafe.draws`), four a counter.
    """

    seed: int = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedNumbers:
    """The numbers, or the dates, that texts spell.

    Attributes:
        decimal: Decimal mark of numbers.
        thousands: Their thousands mark.
        dates: How dates are written; empty for numbers.
    """

    decimal: str = "."
    thousands: str = ""
    dates: str = ""

    def parse(self, texts: pl.Series) -> pl.Series:
        """Return what each text spells, null where that is nothing."""
        texts = texts.str.strip_chars()
        if self.dates:
            return texts.str.to_date(self.dates, strict=False, exact=True)
        shaped = texts.str.contains(f"^(?:{self._shape})$")
        if self.thousands:
            texts = texts.str.replace_all(self.thousands, "", literal=True)
        if self.decimal != ".":
            texts = texts.str.replace(self.decimal, ".", literal=True)
        numbers = texts.cast(pl.Float64, strict=False)
        return pl.select(pl.when(shaped & numbers.is_finite()).then(numbers)).to_series()

    @property
    def _shape(self) -> str:
        """A pattern of the numbers: thousands marks stand between groups of three digits."""
        decimal, thousands = (re.escape(mark) for mark in (self.decimal, self.thousands))
        whole = "[0-9]+"
        if thousands:
            whole = f"(?:[0-9]{{1,3}}(?:{thousands}[0-9]{{3}})+|[0-9]+)"
        return f"[-+]?(?:{whole}(?:{decimal}[0-9]*)?|{decimal}[0-9]+)(?:[eE][-+]?[0-9]+)?"


Rule = Lookup | Bins | Prefix | Tail | RoundedMultiple | ShuffledValues | ParsedNumbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Transformation:
    """A rule, and what the variable is before and after it.

    Attributes:
        rule: What becomes of values that are not missing.
        before: The variable that it is applied to.
        after: The variable that it makes.
        missing: What becomes of declared missing codes; those not named stay.
    """

    rule: Rule
    before: Variable
    after: Variable
    missing: Mapping[str, str | None] = field(default_factory=dict)


def transform_column(
    column: pl.Series,
    change: Transformation,
    known: tuple[pl.Series, pl.Series] | None = None,
) -> pl.Series:
    """Apply a transformation to a column; null stays null.

    Args:
        column: The values, of all records or some of them.
        change: What is done.
        known: The distinct values of all records and what becomes of each. A `Shuffled` rule
            looks at all of them at once, others at each by itself.
    """
    column = plain_column(column)
    if known is not None and len(known[0]) <= len(column):
        old, new = known  # to find out which of them occur would take longer
    else:
        old = sort_distinct(column)
        new = known[1].gather(known[0].search_sorted(old)) if known else renew_values(old, change)
    if not len(old):
        return pl.Series(column.name, [None] * len(column), new.dtype)
    return column.replace_strict(old, new, default=None, return_dtype=new.dtype)


def plain_column(column: pl.Series) -> pl.Series:
    """Return a column as text, whole numbers or numbers, whatever else it is."""
    dtype = column.dtype
    if dtype.is_float():
        return column.fill_nan(None)
    if dtype.is_decimal():
        return column.cast(pl.Float64)
    if dtype in (pl.Time, pl.Duration):
        return spell_times(column)
    return column if dtype.is_integer() or dtype == pl.String else column.cast(pl.String)


def sort_distinct(column: pl.Series) -> pl.Series:
    """Return the values that occur in a plain column, in order."""
    return column.drop_nulls().unique().sort()


def renew_values(old: pl.Series, change: Transformation) -> pl.Series:
    """Return what becomes of each of some distinct values."""
    named = change.rule.table if isinstance(change.rule, Lookup) else {}
    missing = declared_missing(old, change.before)
    if named and missing.any():  # a missing code that is named in a group leaves the missing ones
        missing &= np.array([spell_code(value) not in named for value in old])
    if isinstance(change.rule, ShuffledValues):
        return _draw_numbers(old, missing, change.rule, change)
    if isinstance(change.rule, ParsedNumbers):
        return _parse_values(old, missing, change.rule, change)
    new = np.full(len(old), None, object)
    new[~missing] = _apply_rule(old.filter(~pl.Series(missing)), change.rule)
    texts = [spell_code(value) for value in old.filter(pl.Series(missing))]
    new[missing] = [change.missing.get(text, text) for text in texts]
    return _cast_values(new.tolist(), change.after.kind)


def declared_missing(values: pl.Series, variable: Variable) -> NDArray[np.bool_]:
    """Tell which values of a plain column are missing by declaration, or empty text."""
    if values.dtype == pl.String:
        codes = ["", *missing_texts(variable)]
        return values.str.strip_chars().is_in(codes).to_numpy()
    return declared_numbers(values.cast(pl.Float64).to_numpy(), variable)


def numbers_of(values: pl.Series) -> Floats | None:
    """Return the numbers that all values are or spell, or None if one does not."""
    if values.dtype == pl.String:
        values = values.str.strip_chars().cast(pl.Float64, strict=False)
    numbers: Floats = values.cast(pl.Float64).fill_null(math.nan).to_numpy()
    return None if np.isnan(numbers).any() else numbers


def _draw_numbers(
    old: pl.Series, missing: NDArray[np.bool_], rule: ShuffledValues, change: Transformation
) -> pl.Series:
    """Numbers in random order; there may be millions, so they never are objects of Python."""
    ids = free_ids(len(old) - int(np.count_nonzero(missing)), change.after)
    draws = Draws(seed=rule.seed, step=_STEP, variable=f"renumber {change.before.name}")
    words = draws.words(np.arange(-(-len(ids) // 4), dtype=np.uint64)).ravel()[: len(ids)]
    new = pl.Series(ids[np.argsort(words, kind="stable")])
    new = new.cast(_NUMBERS.get(change.after.kind, pl.String()))
    if not missing.any():
        return new
    texts = [spell_code(value) for value in old.filter(pl.Series(missing))]
    missing_values = _cast_values(
        [change.missing.get(text, text) for text in texts], change.after.kind
    )
    place = np.where(missing, len(new) + np.cumsum(missing) - 1, np.cumsum(~missing) - 1)
    return pl.concat([new, missing_values]).gather(place)


def _parse_values(
    old: pl.Series, missing: NDArray[np.bool_], rule: ParsedNumbers, change: Transformation
) -> pl.Series:
    """What texts spell; declared missing codes that spell nothing of the kind become null.

    Raises:
        InputError: Other texts spell nothing of the kind, or fractions are declared whole.
    """
    texts = old if old.dtype == pl.String else spell_numbers(old)
    parsed = rule.parse(texts)
    wrong = int((parsed.is_null() & ~pl.Series(missing)).sum())
    kind, name = change.after.kind, change.after.name
    if wrong:
        what = f"a date as {rule.dates}" if rule.dates else "a number"
        raise InputError(
            f"{wrong:,} of {len(old):,} different values of {name!r} are not {what}. Declare what "
            f"stands for missing, or {'how dates are written' if rule.dates else 'the marks'}."
        )
    if kind == "integer" and bool((parsed != parsed.round()).any()):
        raise InputError(
            f"{name!r} is declared to have no decimals, and has some. Declare how many."
        )
    return parsed.cast(_NUMBERS.get(kind, pl.Date()))


def _apply_rule(
    old: pl.Series, rule: Lookup | Bins | Prefix | Tail | RoundedMultiple
) -> Sequence[Code | None]:
    """What a rule makes of values that are not missing."""
    match rule:
        case Lookup(table=table, other=other):
            values = old.to_list()
            return [table.get(spell_code(v), v if other is None else other) for v in values]
        case Prefix(length=length):
            return [spell_code(value)[:length] for value in old]
        case Bins(breaks=breaks, names=names):
            place = np.searchsorted(np.array(breaks), _numbers(old), side="right")
            return [names[bin_] for bin_ in place]
        case Tail(limit=limit, code=code, upward=upward):
            numbers = _numbers(old)
            beyond = numbers >= limit if upward else numbers <= limit
            return [code if far else v for far, v in zip(beyond, old.to_list(), strict=True)]
        case RoundedMultiple(base=base):
            multiples: list[Code | None] = round_numbers(_numbers(old), base).tolist()
            return multiples


def _numbers(values: pl.Series) -> Floats:
    numbers = numbers_of(values)
    assert numbers is not None  # noqa: S101  # seen to when the step was taken
    return numbers


def round_numbers(numbers: Floats, base: float) -> Floats:
    """Round to multiples of a base, as exactly as its decimal digits allow."""
    digits = -int(Decimal(str(base)).as_tuple().exponent)
    result: Floats = np.rint(numbers / base) * base + 0.0  # no negative zero
    return np.round(result, digits) if digits > 0 else result


def free_ids(count: int, variable: Variable) -> NDArray[np.int64]:
    """Return the first whole numbers from 1 that are not missing codes."""
    upto = count + len(variable.missing)
    while True:
        ids = np.arange(1, upto + 1, dtype=np.int64)
        as_stored = pl.Series(ids).cast(pl.String) if variable.kind == "text" else pl.Series(ids)
        free = ids[~declared_missing(as_stored, variable)]
        if len(free) >= count:
            return free[:count]
        upto *= 2


def _cast_values(values: list[Code | None], kind: Kind) -> pl.Series:
    if kind not in _NUMBERS:
        texts = [v if v is None or isinstance(v, str) else spell_code(v) for v in values]
        return pl.Series(texts, dtype=pl.String)
    number = int if kind == "integer" else float
    return pl.Series([None if v is None else number(v) for v in values], dtype=_NUMBERS[kind])
