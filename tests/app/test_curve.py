from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.app.messages import MOST_POINTS
from microsafe.app.views.risk import PER_DECADE, thin_curve
from microsafe.risk import Curve


def _curve(size: int, seed: int, decades: float = 6.0) -> Curve:
    rng = np.random.default_rng(seed)
    risk = 10.0 ** -rng.uniform(0, decades, size)
    return Curve.of(risk, rng.integers(1, 9, size))


def test_a_small_curve_is_sent_whole() -> None:
    curve = _curve(MOST_POINTS, 1)
    points = thin_curve(curve)
    assert points.exact
    assert points.risk == tuple(curve.risk)


@given(seed=st.integers(0, 1000), decades=st.sampled_from([0.01, 1.0, 6.0, 14.0, 25.0]))
def test_a_thinned_curve_is_exact_at_its_points_and_on_the_grid(seed: int, decades: float) -> None:
    curve = _curve(30_000, seed, decades)
    points = thin_curve(curve)
    assert not points.exact
    assert len(points.risk) <= MOST_POINTS
    assert points.records == curve.records
    assert (points.risk[0], points.risk[-1]) == (curve.risk[0], curve.risk[-1])
    risk = np.array(points.risk)
    assert np.all(np.diff(risk) > 0)
    for risk_, up_to, below in zip(points.risk, points.up_to, points.sum_up_to, strict=True):
        at = curve.at(risk_)
        assert at.unsafe == curve.records - up_to
        assert at.expected_bound == below + risk_ * at.unsafe
    every = PER_DECADE if decades < 15 else PER_DECADE // 2
    for place in range(-int(decades * every), 1, 7):
        limit = 10.0 ** (place / every)
        found = int(np.searchsorted(risk, limit, side="right")) - 1
        safe = points.up_to[found] if found >= 0 else 0
        assert curve.records - safe == curve.at(limit).unsafe


@pytest.mark.parametrize("decades", [0.01, 6.0, 25.0])
def test_a_thinned_curve_holds_the_500_highest_risks(decades: float) -> None:
    """At the upper end single records count, so there every limit is answered exactly."""
    curve = _curve(30_000, 3, decades)
    points = thin_curve(curve)
    assert points.risk[-500:] == tuple(curve.risk[-500:].tolist())
    assert points.up_to[-500:] == tuple(curve.up_to[-500:].tolist())


def test_between_its_points_a_thinned_curve_is_near() -> None:
    """What is shown while the limit moves is off by a small share of the records above it."""
    curve = _curve(1_000_000, 5)
    points = thin_curve(curve)
    for limit in 10.0 ** -np.linspace(0.01, 5.9, 500):
        found = int(np.searchsorted(points.risk, limit, side="right")) - 1
        shown, exact = points.records - points.up_to[found], curve.at(limit).unsafe
        assert shown == pytest.approx(exact, rel=0.02, abs=1)
