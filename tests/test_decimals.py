"""Digits behind the decimal point."""

from __future__ import annotations

import math

import numpy as np
import pytest

from microsafe.arrays import count_characters, count_decimals, most_decimals, round_to


@pytest.mark.parametrize(
    ("values", "digits"),
    [
        ([1.0, 200.0, -3.0], 0),
        ([1.0, 2.5], 1),
        ([0.07, 1.15, 123456.99], 2),
        ([1e-9, 5.0], 9),
        ([math.pi, 1.0], None),
        ([], 0),
    ],
)
def test_digits_that_values_show(values: list[float], digits: int | None) -> None:
    assert count_decimals(np.array(values)) == digits


def test_rounding() -> None:
    values = np.array([-0.04, 2.25, 1 / 3])
    assert round_to(values, 1).tolist() == [0.0, 2.2, 0.3]
    assert math.copysign(1.0, round_to(values, 1)[0]) == 1.0
    assert round_to(values, None).tolist() == values.tolist()


def test_characters() -> None:
    values = np.array([-12.5, 100.0, 3.0])
    assert [count_characters(values, digits) for digits in (0, 1, 2)] == [3, 5, 6]


def test_large_numbers_tell_fewer_digits() -> None:
    assert [most_decimals(each) for each in (0.0, 0.3, 1e5, 12345678901.123, 1e16)] == [
        9,
        9,
        9,
        3,
        0,
    ]
