"""Numbers are spelled all at once as they would be one at a time."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.codes import spell_code
from microsafe.engine.spelling import spell_numbers
from profiles import examples

HARD = (
    0.0, -0.0, 5e-324, 2.2250738585072014e-308, 1e-5, 9.999999999999999e-05, 1e-4, 1.5e-5, 0.1, 0.3,
    0.1 + 0.2, 1 / 3, 1.0, 1.5, 100.0, 123456789012345.6, 999999999999999.9, 1e15, 1e15 + 0.125,
    1e16, 9999999999999998.0, 2.0**53 - 1, 2.0**53, 2.0**53 + 2, 1e17, 1.7976931348623157e308, 1e22,
    1e23, 4.35, 2.675, 1e100, math.inf,
)  # fmt: skip


def one_at_a_time(numbers: list[float | None]) -> list[str | None]:
    return [None if number is None else spell_code(number) for number in numbers]


def test_hard_numbers() -> None:
    numbers = [*HARD, *(-number for number in HARD), None, math.nan]
    assert spell_numbers(pl.Series(numbers)).to_list() == one_at_a_time(numbers)


@pytest.mark.parametrize("digits", [0, 2, 7, 17])
def test_numbers_of_all_sizes(digits: int) -> None:
    rng = np.random.default_rng(digits)
    size = 10.0 ** rng.uniform(-8, 18, 20_000)
    numbers = [float(f"{number:.{digits}f}") for number in size * rng.choice([-1, 1], len(size))]
    assert spell_numbers(pl.Series(numbers)).to_list() == one_at_a_time(numbers)


@examples(300)
@given(st.lists(st.one_of(st.none(), st.floats()), min_size=1))
def test_any_numbers(numbers: list[float | None]) -> None:
    series = pl.Series("income", numbers, dtype=pl.Float64)
    spelled = spell_numbers(series)
    assert spelled.name == "income"
    assert spelled.to_list() == one_at_a_time(series.to_list())


def test_whole_numbers() -> None:
    numbers = [0, -1, 2**53 + 1, 2**63 - 1, -(2**63), None]
    assert spell_numbers(pl.Series(numbers)).to_list() == one_at_a_time(numbers)
    assert spell_numbers(pl.Series([2**64 - 1], dtype=pl.UInt64)).to_list() == [str(2**64 - 1)]


def test_numbers_of_half_the_precision() -> None:
    narrow = pl.Series([0.1, 3.0, 1e-7, 1e20, None], dtype=pl.Float32)
    assert spell_numbers(narrow).to_list() == one_at_a_time(narrow.to_list())
