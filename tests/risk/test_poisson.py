"""Chances under Poisson cells against forty digits, simulation and what theory says of them."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.errors import UsageError
from microsafe.risk.table.poisson import _panels, match_chance, unique_chance
from profiles import examples

FREQUENCIES = (
    st.integers(1, 80).map(float)
    | st.floats(0, 6).map(lambda e: float(math.floor(10**e)))
    | st.floats(1, 90)
)
PEOPLE = (
    st.floats(-300, 12).map(lambda e: 10**e)
    | st.integers(0, 2000).map(lambda x: x / 10)  # where the formula changes
    | st.sampled_from([0.0, 60.0, float(np.nextafter(60, 61)), 1e12])
)


def reference(f: float, x: float) -> mp.mpf:
    """E(1/F | f) = M(1, f + 1, -x) / f, or the integral itself where that series is too long."""
    with mp.workdps(40):
        f, x = mp.mpf(f), mp.mpf(x)
        if f < 1000 or x < 1000:
            return mp.hyp1f1(1, f + 1, -x) / f
        ends = [mp.mpf(end) / (f + x) for end in range(0, 110, 10)]
        return mp.quad(lambda v: mp.exp(x * mp.expm1(-v) - f * v), ends)


@given(FREQUENCIES, PEOPLE)
@examples(600)
def test_relative_error_is_below_1e_13(f: float, x: float) -> None:
    exact = reference(f, x)
    assert abs(mp.mpf(float(match_chance(f, x))) - exact) <= 1e-13 * exact


@given(FREQUENCIES, PEOPLE)
def test_lies_between_one_over_the_mean_and_one_over_f(f: float, x: float) -> None:
    value = float(match_chance(f, x))
    assert (1 - 1e-13) / (f + x) <= value <= (1 + 1e-13) / f  # below: Jensen


def test_falls_with_f_and_with_x_across_every_change_of_formula() -> None:
    x = np.linspace(0, 130, 400)
    f = np.arange(1, 100)
    chance = match_chance(f[:, None], x[None, :])
    assert np.all(np.diff(chance, axis=0) < 0)
    assert np.all(np.diff(chance, axis=1) < 0)


def test_whole_population() -> None:
    f = np.array([1.0, 2, 3, 41, 1e6])
    np.testing.assert_allclose(match_chance(f, 0.0), 1 / f, rtol=1e-15)
    assert unique_chance(0.0) == 1.0


def test_is_what_simulation_gives() -> None:
    rng = np.random.default_rng(5)
    others = rng.poisson(3.0, 200_000)
    assert float(unique_chance(3.0)) == pytest.approx(np.mean(others == 0), abs=0.002)
    for f in (1, 2, 7):
        assert float(match_chance(f, 3.0)) == pytest.approx(np.mean(1 / (f + others)), abs=0.002)


def test_shapes_broadcast() -> None:
    assert match_chance([[1], [2]], [0.5, 1.0, 2.0]).shape == (2, 3)
    assert match_chance(np.empty(0), np.empty(0)).shape == (0,)
    assert unique_chance([1.0, 2.0]).shape == (2,)


@pytest.mark.parametrize(
    ("f", "x"), [(0, 1), (1, -1), (1, math.nan), (1, math.inf), (math.nan, 1), (math.inf, 1)]
)
def test_what_cannot_be_is_refused(f: float, x: float) -> None:
    with pytest.raises(UsageError):
        match_chance(f, x)


def test_neighbours_do_not_matter() -> None:
    f, x = (each.ravel() for each in np.meshgrid([1.0, 30.0, 4000.0], [61.0, 300.0, 1e5]))
    together = _panels(f, x)
    alone = [_panels(f[i : i + 1], x[i : i + 1])[0] for i in range(len(f))]
    np.testing.assert_allclose(together, alone, rtol=1e-14)
