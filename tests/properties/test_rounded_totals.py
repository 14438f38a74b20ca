"""Sums that are correctly rounded, against those of the standard library."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe import sums
from microsafe.sums import total

FLOATS = st.floats(-1e300, 1e300) | st.floats(0, 1) | st.sampled_from([1.0, 2.0**-52, 1e-320])


@given(st.lists(FLOATS, max_size=30), st.sampled_from([4, 1 << 16]))
def test_totals_are_correctly_rounded(values: list[float], piece: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "_PIECE", piece)
        assert total(np.array(values)) == math.fsum(values)


@given(st.integers(0, 10**6))
def test_totals_of_many(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=3000) * 10.0 ** rng.uniform(-40, 10, 3000)
    for some in (values, np.abs(values), np.concatenate([values, -values, [1e-60]])):
        assert total(some) == math.fsum(some.tolist())


def test_totals_of_what_is_no_number() -> None:
    assert math.isnan(total(np.array([1.0, np.nan])))
    assert total(np.array([1.0, np.inf])) == math.inf


def test_totals_of_small_and_opposite_numbers() -> None:
    tiny = np.full(5000, 5e-324)
    assert total(tiny) == 5000 * 5e-324
    values = np.random.default_rng(1).normal(size=200_000)
    assert total(np.concatenate([values, -values[::-1]])) == 0.0
    assert total(np.concatenate([values, [1e300], -values, [-1e300], [0.1]])) == 0.1
