"""Base individual risk against fifty digits, closed forms and what theory says of it."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe import UsageError, individual_risk
from microsafe.risk.record.individual import find_order
from oracle import risk as reference
from profiles import examples

FREQUENCIES = (
    st.integers(1, 60).map(float)
    | st.floats(0, 9).map(lambda e: float(math.floor(10**e)))
    | st.floats(1, 80)
)
FRACTIONS = (
    st.floats(-12, 0).map(lambda e: 10**e)
    | st.floats(-15, -1).map(lambda e: 1 - 10**e)
    | st.integers(200, 990).map(lambda e: e / 1000)  # where the formula changes
    | st.sampled_from([1.0, 0.5, np.nextafter(0.5, 0), np.nextafter(1.0, 0)])
)


@given(FREQUENCIES, FRACTIONS)
@examples(400)
def test_relative_error_is_below_1e_13(f: float, p: float) -> None:
    F = max(f, f / p)
    exact = reference(f, F)
    assert abs(mp.mpf(float(individual_risk(f, F))) - exact) <= 1e-13 * exact


@given(FREQUENCIES, FRACTIONS)
def test_lies_between_one_over_F_and_one_over_f(f: float, p: float) -> None:
    F = max(f, f / p)
    value = float(individual_risk(f, F))
    assert (1 - 1e-14) / F <= value <= (1 + 1e-14) / f


@pytest.mark.parametrize("p", [1e-9, 0.01, 0.3, 0.7])
def test_closed_forms(p: float) -> None:
    q = 1 - p
    with mp.workdps(50):
        one = mp.mpf(p) / q * mp.log(1 / mp.mpf(p))
        two = mp.mpf(p) / mp.mpf(q) ** 2 * (p * mp.log(p) + q)
        three = (
            mp.mpf(p) / (2 * mp.mpf(q) ** 3) * (q * (3 * q - 2) - 2 * mp.mpf(p) ** 2 * mp.log(p))
        )
    for f, exact in ((1, one), (2, two), (3, three)):
        assert float(individual_risk(f, f / p)) == pytest.approx(float(exact), rel=1e-12)


def test_the_misprints_would_be_noticed() -> None:
    # f = 3, p = 0.1: the note prints p/(2q²), which gives 0.041732.
    assert float(individual_risk(3, 30)) == pytest.approx(0.046368, abs=5e-7)


def test_whole_population() -> None:
    f = np.array([1.0, 2, 3, 40, 1e6])
    np.testing.assert_array_equal(individual_risk(f, f), 1 / f)


def test_continuous_where_the_formula_changes() -> None:
    for f in (2.0, 39.0, 39.999999, 40.0, 1.0000001):
        edge = f / 0.5
        below, above = individual_risk(f, [edge * (1 - 1e-12), edge * (1 + 1e-12)])
        assert below == pytest.approx(above, rel=1e-11)


@pytest.mark.parametrize(
    ("name", "f", "worst"),
    [
        ("sdcmicro", 3, +0.0403),
        ("strategy", 40.5, +0.000156),
        ("series1", 4, -0.1),
        ("series2", 4, -0.05),
        ("series8", 4, -0.00606),
    ],
)
def test_approximations_miss_by_what_the_docs_say(name: str, f: float, worst: float) -> None:
    F = f / np.geomspace(1e-9, 1, 2001)
    exact = individual_risk(f, F)
    error = individual_risk(f, F, approximation=name) / exact - 1  # type: ignore[arg-type]
    assert error[np.argmax(abs(error))] == pytest.approx(worst, rel=0.01)


@given(FREQUENCIES, FRACTIONS)
def test_approximations_stay_on_their_side(f: float, p: float) -> None:
    F = max(f, f / p)
    exact = float(individual_risk(f, F))
    for name in ("strategy", "sdcmicro"):
        assert float(individual_risk(f, F, approximation=name)) >= exact * (1 - 1e-14)
    for name in ("series1", "series2", "series8"):
        assert float(individual_risk(f, F, approximation=name)) <= exact * (1 + 1e-14)


@pytest.mark.parametrize(("name", "last"), [("strategy", 40.0), ("sdcmicro", 2.999)])
def test_the_simple_formula_is_for_large_cells(name: str, last: float) -> None:
    f = np.array([1.0, 1.5, 2.0, last, last + 0.001, 41.0, 1000.0])
    F = 3.0 * f
    found = individual_risk(f, F, approximation=name)  # type: ignore[arg-type]
    large = f > last
    np.testing.assert_array_equal(found[~large], individual_risk(f, F)[~large])
    np.testing.assert_allclose(found[large], (1 / 3 / (f - 2 / 3))[large], rtol=1e-15)


@pytest.mark.parametrize(("f", "F"), [(0, 1), (2, 1), (1, math.inf), (math.nan, 3), (1, math.nan)])
def test_refuses_what_has_no_risk(f: float, F: float) -> None:
    with pytest.raises(UsageError):
        individual_risk(f, F)


def test_refuses_unknown_approximations() -> None:
    with pytest.raises(UsageError, match="Did you mean 'series2'"):
        individual_risk(1, 2, approximation="serie2")  # type: ignore[arg-type]


def test_keeps_shape_and_order_over_blocks() -> None:
    f = np.tile([1.0, 3.0, 50.0], 40_000).reshape(3, -1)
    value = individual_risk(f, 10 * f)
    assert value.shape == f.shape
    np.testing.assert_array_equal(value.ravel()[:3], value.ravel()[-3:])


@pytest.mark.parametrize("accuracy", [0.1, 1e-3, 1e-6])
@pytest.mark.parametrize("f", [1.0, 1.5, 2.0, 2.5, 3.0, 10.0, 40.0, 1000.0])
def test_the_series_is_summed_to_the_order_of_the_note(f: float, accuracy: float) -> None:
    """Brute force: terms k! q^k / ((f+1) ... (f+k)) up to the least whole j > -log e / log f."""
    order = 0
    if f >= 2:
        order = 1
        while not order > -math.log(accuracy) / math.log(f) * (1 + 1e-12):
            order += 1
    assert find_order(f, accuracy) == order
    for p in (1e-6, 0.03, 0.5, 0.999, 1.0):
        found = float(individual_risk(f, f / p, approximation="series", accuracy=accuracy))
        q = (f / p - f) / (f / p)
        if order == 0:
            assert found == float(individual_risk(f, f / p))
            continue
        total, term = 1.0, 1.0
        for k in range(1, order + 1):
            term *= k * q / (f + k)
            total += term
        assert found == pytest.approx(p / f * total, rel=1e-12)
        assert found <= float(individual_risk(f, f / p)) * (1 + 1e-14)


def test_the_order_of_the_note_is_no_promise() -> None:
    """What the docs say: kept from f = 10 on for 1e-6, and missed 352 times for pairs."""
    p = np.logspace(-6, -0.001, 2000)
    missed = {}
    for f in (2, 3, 10, 40):
        exact = individual_risk(f, f / p)
        found = individual_risk(f, f / p, approximation="series", accuracy=1e-6)
        missed[f] = float((exact - found).max()) / 1e-6
    assert round(missed[2]) == 352
    assert round(missed[3]) == 67
    assert missed[10] < 1
    assert missed[40] < 0.01


def test_cells_of_all_sizes_have_their_own_order() -> None:
    f = np.array([1.0, 2.0, 5.0, 100.0, 3.0])
    F = f * np.array([30.0, 7.0, 100.0, 3.0, 1.0])
    together = individual_risk(f, F, approximation="series", accuracy=1e-4)
    alone = [
        float(individual_risk(a, b, approximation="series", accuracy=1e-4))
        for a, b in zip(f, F, strict=True)
    ]
    assert together.tolist() == alone


@pytest.mark.parametrize("accuracy", [0.0, 1.0, -1.0, 1e-16, float("nan")])
def test_an_accuracy_is_a_small_number(accuracy: float) -> None:
    with pytest.raises(UsageError, match="accuracy must be from 1e-15 to below 1"):
        individual_risk(2, 9, approximation="series", accuracy=accuracy)


def test_an_accuracy_needs_the_series() -> None:
    with pytest.raises(UsageError, match="belongs to the approximation 'series'"):
        individual_risk(2, 9, accuracy=0.1)
    with pytest.raises(UsageError, match="belongs to the approximation 'series'"):
        individual_risk(2, 9, approximation="series2", accuracy=0.1)
