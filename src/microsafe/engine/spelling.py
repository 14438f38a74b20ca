"""Spell the numbers of a column as codes are spelled, all at once."""

from __future__ import annotations

import polars as pl

from microsafe.codes import spell_code

# Between these Polars and Python write the same shortest decimals, without an exponent.
_LEAST, _BELOW = 1e-4, 1e15


def spell_numbers(numbers: pl.Series) -> pl.Series:
    """Return numbers as `spell_code` spells each of them; null stays null."""
    if numbers.dtype.is_integer():
        return numbers.cast(pl.String)
    value = pl.col("number")
    frame = pl.DataFrame({"number": numbers.cast(pl.Float64)})
    size = value.abs()
    usual = (value == 0) | ((size >= _LEAST) & (size < _BELOW))
    # 0 and -0 are one number.
    written = pl.when(value == 0).then(pl.lit("0")).otherwise(value.cast(pl.String))
    texts = frame.select(pl.when(usual).then(written.str.strip_suffix(".0"))).to_series()
    if texts.null_count() > numbers.null_count():
        rare = frame.select(value.filter(~usual).unique()).to_series()
        spelled = pl.Series([spell_code(each) for each in rare.to_list()], dtype=pl.String)
        other = frame.select(value.replace_strict(rare, spelled, default=None)).to_series()
        texts = texts.zip_with(texts.is_not_null(), other)
    return texts.alias(numbers.name)
