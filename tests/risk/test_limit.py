"""The limit: counts, bound and the four ways to ask for it, against the definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe import Curve, HouseholdRisk, UsageError, choose_limit
from microsafe.risk import member_limit

RISKS = st.lists(
    st.sampled_from([0.001, 0.002, 0.01, 0.1, 0.25, 0.5, 1.0]) | st.floats(1e-6, 1),
    min_size=1,
    max_size=40,
)


def curve_of(risks: list[float]) -> Curve:
    return Curve.of(np.array(risks), np.ones(len(risks), np.int64))


def bound(risks: list[float], limit: float) -> float:
    return math.fsum(min(risk, limit) for risk in risks)


@given(RISKS, st.floats(0, 1))
def test_by_risk(risks: list[float], limit: float) -> None:
    found = curve_of(risks).at(limit)
    assert found.unsafe == sum(risk > limit for risk in risks)
    assert found.expected_bound == pytest.approx(bound(risks, limit), rel=1e-14)
    assert found.rate_bound == found.expected_bound / len(risks)


@given(RISKS, st.floats(0, 40))
def test_by_expected_is_the_largest_observed_risk_that_will_do(
    risks: list[float], tolerable: float
) -> None:
    found = choose_limit(curve_of(risks), expected=tolerable)
    good = [risk for risk in risks if bound(risks, risk) <= tolerable * (1 + 1e-14)]
    if good and bound(risks, max(good)) <= tolerable * (1 - 1e-14):
        assert found.limit == max(good)
    if not good:
        assert found.unsafe == len(risks)
    assert found.expected_bound <= tolerable * (1 + 1e-12)


@given(RISKS)
def test_the_bound_of_every_observed_risk_leads_back_to_it(risks: list[float]) -> None:
    curve = curve_of(risks)
    bounds = curve.bounds()
    for place, risk in enumerate(curve.risk.tolist()):
        last = int(np.searchsorted(bounds, bounds[place], side="right")) - 1
        assert choose_limit(curve, expected=curve.at(risk).expected_bound).limit == curve.risk[last]
        assert choose_limit(curve, rate=curve.at(risk).rate_bound).limit >= risk


@given(RISKS, st.floats(0, 1))
def test_the_bound_never_exceeds_a_wished_rate(risks: list[float], rate: float) -> None:
    assert choose_limit(curve_of(risks), rate=rate).rate_bound <= rate


@given(RISKS, st.integers(0, 45))
def test_by_unsafe_is_the_lowest_observed_risk_that_will_do(risks: list[float], most: int) -> None:
    found = choose_limit(curve_of(risks), unsafe=most)
    assert found.unsafe <= most
    lower = [risk for risk in risks if risk < found.limit]
    assert all(sum(risk > each for risk in risks) > most for each in lower)


@given(RISKS)
def test_curve_adds_up(risks: list[float]) -> None:
    curve = curve_of(risks)
    assert curve.records == len(risks)
    assert curve.expected == pytest.approx(math.fsum(risks), rel=1e-15)
    assert np.all(np.diff(curve.risk) > 0)
    assert np.all(np.diff(curve.bounds()) >= -1e-12)


HOMES = st.lists(st.tuples(st.floats(1e-4, 0.9), st.integers(1, 7)), min_size=1, max_size=25)


def homes_of(homes: list[tuple[float, int]]) -> HouseholdRisk:
    risk, size = zip(*homes, strict=True)
    return HouseholdRisk(risk=np.array(risk), size=np.array(size, np.int64), unassigned=0)


@given(HOMES, st.floats(0, 1))
def test_a_household_rate_is_kept_by_the_largest_observed_risk_that_will_do(
    homes: list[tuple[float, int]], rate: float
) -> None:
    records = sum(size for _, size in homes)

    def left(limit: float) -> float:
        return math.fsum(size * min(risk, limit) for risk, size in homes) / records

    found = homes_of(homes).choose(rate=rate)
    assert found.rate_bound == pytest.approx(left(found.limit), rel=1e-12)
    assert left(found.limit) <= rate * (1 + 1e-12)
    larger = [risk for risk, _ in homes if risk > found.limit]
    assert all(left(risk) > rate * (1 - 1e-12) for risk in larger)
    assert found.unsafe == len(larger)
    assert found.records == records


@given(HOMES, st.floats(0, 25))
def test_so_is_an_expected_number_of_households(
    homes: list[tuple[float, int]], most: float
) -> None:
    found = homes_of(homes).choose(expected_households=most)
    left = math.fsum(min(risk, found.limit) for risk, _ in homes)
    assert found.households_bound == pytest.approx(left, rel=1e-12)
    assert left <= most * (1 + 1e-12)
    larger = [risk for risk, _ in homes if risk > found.limit]
    for risk in larger:
        assert math.fsum(min(each, risk) for each, _ in homes) > most * (1 - 1e-12)


@given(st.floats(0, 1), st.integers(1, 30))
def test_members_at_their_limit_make_a_household_at_its_limit(limit: float, size: int) -> None:
    each = float(member_limit(limit, np.array([size]))[0])
    assert 1 - (1 - each) ** size == pytest.approx(limit, rel=1e-9, abs=1e-12)


def test_a_practice_guide_example() -> None:
    risks = [.005424520, .005424520, .025096439, .012563425, .028247279,
             .012563425, .029010932, .025096439, .007403834, .007403834]  # fmt: skip
    curve = curve_of(risks)
    assert curve.expected / 10 == pytest.approx(0.01582, abs=5e-6)


@pytest.mark.parametrize("wish", [{}, {"risk": 0.1, "rate": 0.1}, {"risk": -1}, {"rate": math.nan}])
def test_refuses_unclear_wishes(wish: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        choose_limit(curve_of([0.1]), **wish)  # type: ignore[arg-type]
