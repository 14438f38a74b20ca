"""Noise, random rounding and tails: kernels against brute force and their expectations."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.draws import Draws
from microsafe.passes import Extent, Pass, RecordBlock, merge_found, pass_over
from microsafe.steps.noise.kernel import NoiseModel, reflect
from microsafe.steps.noise.moments import factor, find_moments, gather_moments
from microsafe.steps.rounding import round_at_random
from microsafe.steps.tails.kernel import code_tails, find_tails, gather_tails
from microsafe.sums import SumGrid
from profiles import examples

ROWS = 100_000


def draw(seed: int, name: str, count: int = ROWS) -> np.ndarray:
    return Draws(seed=seed, step=1, variable=name).normals(np.arange(count, dtype=np.uint64))


def people(seed: int = 3, count: int = ROWS) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Three skewed variables that go together, weights and two strata."""
    a, b, c = (draw(seed, name, count) for name in "abc")
    values = [np.exp(9 + a), np.exp(7 + 0.8 * a + 0.6 * b), 40 + 10 * (0.5 * a + 0.5 * c)]
    weight = 1 + np.abs(draw(seed, "w", count))
    return values, weight, (b > 0.3).astype(np.int64)


@pytest.mark.parametrize("strata", [1, 2])
def test_moments_are_those_of_numpy(strata: int) -> None:
    values, weight, stratum = people(count=2_000)
    stratum = stratum * (strata - 1)
    values[1][::7] = np.nan
    found = find_moments(values, weight=weight, stratum=stratum, strata=strata)
    for s in range(strata):
        for j, x in enumerate(values):
            here = (stratum == s) & ~np.isnan(x)
            n = here.sum()
            mean = np.average(x[here], weights=weight[here])
            spread = np.average((x[here] - mean) ** 2, weights=weight[here]) * n / (n - 1)
            assert found.count[s, j] == n
            assert found.mean[s, j] == pytest.approx(mean, rel=1e-13)
            assert found.variance[s, j] == pytest.approx(spread, rel=1e-12)
            for k, y in enumerate(values):
                both = here & ~np.isnan(y)
                dx = x[both] - found.mean[s, j]
                dy = y[both] - found.mean[s, k]
                w = weight[both]
                expected = (w * dx * dy).sum() / math.sqrt((w * dx**2).sum() * (w * dy**2).sum())
                assert found.correlation[s, j, k] == pytest.approx(expected, abs=1e-12)


def test_moments_do_not_depend_on_the_order_of_the_records() -> None:
    values, weight, stratum = people(count=5_000)
    order = np.argsort(draw(9, "order", 5_000))
    once = find_moments(values, weight=weight, stratum=stratum, strata=2)
    again = find_moments(
        [x[order] for x in values], weight=weight[order], stratum=stratum[order], strata=2
    )
    for name in ("mean", "variance", "correlation"):
        assert getattr(once, name).tolist() == getattr(again, name).tolist()


def in_parts(block: RecordBlock, pieces: int) -> Pass:
    """A pass over records that lie in several places."""
    place = np.arange(len(block.stratum)) % pieces

    def go(function: Any) -> Any:
        parts = [
            RecordBlock(
                values=[x[place == each] for x in block.values],
                weight=None if block.weight is None else block.weight[place == each],
                stratum=block.stratum[place == each],
            )
            for each in range(pieces)
        ]
        return merge_found(map(function, parts))

    return go


@pytest.mark.parametrize("pieces", [2, 7])
def test_moments_and_tails_of_parts_are_those_of_the_whole(pieces: int) -> None:
    values, weight, stratum = people(count=3_000)
    values[1][::7] = np.nan
    values[2] *= 1e-6
    block = RecordBlock(values=values, weight=weight, stratum=stratum)
    extent = Extent.of(block)
    once = gather_moments(pass_over(block), extent, 2)
    again = gather_moments(in_parts(block, pieces), extent, 2)
    for name in ("count", "mean", "variance", "correlation"):
        assert getattr(once, name).tolist() == getattr(again, name).tolist()
    block = RecordBlock(values=values[1:2], weight=weight, stratum=stratum)
    extent = Extent.of(block)
    for how in ("mean", "median"):
        one, other = (
            gather_tails(go, extent, 2, upward=True, replace=how, share=0.03)  # type: ignore[arg-type]
            for go in (pass_over(block), in_parts(block, pieces))
        )
        for name in ("limit", "value", "records", "share"):
            assert getattr(one, name).tolist() == getattr(other, name).tolist()


@given(st.lists(st.floats(-1e6, 1e6), max_size=60), st.integers(1, 5))
@examples(60)
def test_sums_on_a_grid_are_exact(numbers: list[float], pieces: int) -> None:
    values = np.array(numbers)
    grid = SumGrid.of(float(np.abs(values).max(initial=0.0)), len(values))
    whole = grid.add_up(values).value[0]
    assert whole == pytest.approx(math.fsum(numbers), rel=1e-15, abs=1e-20)
    parts = [grid.add_up(values[each::pieces]) for each in range(pieces)]
    merged = merge_found(parts)
    assert merged is not None
    assert merged.value[0] == whole


@given(st.integers(1, 6), st.integers(0, 10_000), st.integers(1, 6))
@examples(60)
def test_a_factor_of_correlations_singular_or_not(size: int, seed: int, rank: int) -> None:
    made = np.random.default_rng(seed).normal(size=(size, min(rank, size)))
    cov = made @ made.T
    scale = np.sqrt(np.diag(cov))
    correlation = cov / np.outer(scale, scale)
    lower = factor(correlation)
    assert np.abs(lower @ lower.T - correlation).max() < 1e-8
    assert (lower**2).sum(axis=1) == pytest.approx(np.ones(size), abs=1e-12)


def test_correlations_that_contradict_each_other_keep_variances() -> None:
    lower = factor(np.array([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]]))
    assert (lower**2).sum(axis=1) == pytest.approx(np.ones(3), abs=1e-12)


def moved(kind: Any, alpha: float = 0.2, **changes: Any) -> tuple[list[Any], list[Any], Any]:
    values, _, stratum = people()
    strata = changes.get("strata", 1)
    stratum = stratum * (strata - 1)
    moments = find_moments(values, weight=None, stratum=stratum, strata=strata)
    model = NoiseModel.of(kind, alpha, moments)
    normals = [draw(11, name) for name in "xyz"]
    return values, model.add(values, normals, stratum), moments


@pytest.mark.parametrize("kind", ["additive", "correlated"])
def test_mean_and_covariance_of_the_noise(kind: str) -> None:
    values, z, _ = moved(kind)
    noise = np.array([after - before for after, before in zip(z, values, strict=True)])
    sigma = np.cov(np.array(values))
    expected = 0.2 * (sigma if kind == "correlated" else np.diag(np.diag(sigma)))
    spread = np.sqrt(np.diag(expected))
    assert (np.abs(noise.mean(axis=1)) < 4 * spread / math.sqrt(ROWS)).all()
    # The covariance of normal deviates has the variance (s_jj s_kk + s_jk²) / n.
    error = np.sqrt((np.outer(spread, spread) ** 2 + expected**2) / ROWS)
    assert (np.abs(np.cov(noise) - expected) < 4 * error).all()


@pytest.mark.slow
def test_restored_keeps_means_and_covariances() -> None:
    values, z, moments = moved("restored")
    sigma = np.cov(np.array(values))
    assert np.mean(z, axis=1) == pytest.approx(np.mean(values, axis=1), rel=0.02)
    assert np.cov(np.array(z)) == pytest.approx(sigma, rel=0.05)
    # Undone by whoever knows the variance of the noise and the means.
    values, plain, _ = moved("correlated")
    m = moments.mean[0]
    undone = [m[j] + (each - m[j]) * math.sqrt(1.2) for j, each in enumerate(z)]
    assert np.array(undone) == pytest.approx(np.array(plain), rel=1e-9)


def test_multiplicative_factors_have_mean_one_and_the_variance_asked_for() -> None:
    values, z, _ = moved("multiplicative", 0.1)
    for before, after in zip(values, z, strict=True):
        g = after / before
        assert abs(g.mean() - 1) < 4 * math.sqrt(0.1 / ROWS)
        assert g.var() == pytest.approx(0.1, rel=0.05)
        assert (g > 0).all()


def test_every_stratum_has_its_own_variance() -> None:
    values, _, stratum = people()
    values[0][stratum == 1] *= 100
    moments = find_moments(values, weight=None, stratum=stratum, strata=2)
    z = NoiseModel.of("additive", 0.5, moments).add(
        values, [draw(2, name) for name in "xyz"], stratum
    )
    for s in (0, 1):
        here = stratum == s
        noise = (z[0] - values[0])[here]
        assert noise.var() == pytest.approx(0.5 * values[0][here].var(ddof=1), rel=0.03)


def test_bounds_mirror() -> None:
    x = np.array([-3.0, 0.0, 5.0, 11.0, 40.0, np.nan])
    found, outside = reflect(x, 0.0, 10.0)
    assert found[:5].tolist() == [3.0, 0.0, 5.0, 9.0, 0.0]
    assert outside.tolist() == [True, False, False, True, True, False]
    assert np.isnan(found[5])


@given(st.floats(-1e6, 1e6), st.sampled_from([0.05, 0.5, 1.0, 3.0, 10.0]))
@examples(200)
def test_random_rounding_goes_to_a_neighbour(x: float, base: float) -> None:
    u = np.linspace(0, 1, 1001)[:-1]
    found = round_at_random(np.full(1000, x), base, u)
    exact, step = Fraction(x), Fraction(str(base))
    below = math.floor(exact / step) * step
    for each in set(found.tolist()):
        distance = abs(Fraction(each) - exact)
        assert distance < step or math.isclose(distance, step, rel_tol=1e-6)
    share = np.mean(np.abs(found - float(below)) > base / 2)
    assert share == pytest.approx(float((exact - below) / step), abs=2e-3) or share in (0.0, 1.0)


def test_random_rounding_keeps_multiples_and_expectations() -> None:
    x = np.repeat([0.3, 0.7, 20.0, -4.1], 50_000)
    u = Draws(seed=1, step=1, variable="x").uniforms(np.arange(len(x), dtype=np.uint64))
    found = round_at_random(x, 0.1, u)
    assert found.tolist() == x.tolist()
    found = round_at_random(x, 5.0, u)
    assert set(found.tolist()) == {0.0, 5.0, 20.0, -5.0}
    for value in np.unique(x):
        part = found[x == value]
        assert abs(part.mean() - value) <= 4 * 2.5 / math.sqrt(len(part))
    assert math.isnan(round_at_random(np.array([np.nan]), 5.0, np.zeros(1))[0])


def brute_tail(x: Any, w: Any, share: float, upward: bool) -> float:
    """The limit by trying every value from the end on."""
    whole = sum(map(Fraction, w))
    for value in sorted(set(x), reverse=upward):
        coded = sum(
            Fraction(b) for a, b in zip(x, w, strict=True) if (a >= value if upward else a <= value)
        )
        if coded >= Fraction(str(share)) * whole:
            return float(value)
    raise AssertionError


SMALL = st.lists(st.tuples(st.integers(-20, 20), st.integers(1, 5)), min_size=1, max_size=30)


@given(SMALL, st.sampled_from([0.01, 0.1, 0.25, 0.5]), st.booleans())
@examples(150)
def test_tails_by_share(rows: list[tuple[int, int]], share: float, upward: bool) -> None:
    x, w = (np.array(each, float) for each in zip(*rows, strict=True))
    limit = brute_tail(x.tolist(), w.tolist(), share, upward)
    coded = x >= limit if upward else x <= limit
    for replace in ("mean", "median", "limit"):
        found = find_tails(
            x,
            weight=w,
            stratum=np.zeros(len(x), np.int64),
            strata=1,
            upward=upward,
            replace=replace,  # type: ignore[arg-type]
            share=share,
        )
        assert found.limit.tolist() == [limit]
        assert found.records.tolist() == [coded.sum()]
        assert found.share[0] == pytest.approx(w[coded].sum() / w.sum())
        z = code_tails(x, np.zeros(len(x), np.int64), found, upward=upward)
        assert (z[~coded] == x[~coded]).all()
        assert len(set(z[coded].tolist())) == 1
        if replace == "mean":
            assert (w * z).sum() == pytest.approx((w * x).sum(), abs=1e-9)
        if replace == "limit":
            assert z[coded][0] == limit


def test_tails_by_stratum_and_what_has_no_value() -> None:
    x = np.array([1.0, 2, 3, 4, 10, 20, np.nan, np.nan])
    s = np.array([0, 0, 0, 0, 1, 1, 2, 0])
    found = find_tails(x, weight=None, stratum=s, strata=3, upward=True, replace="mean", share=0.5)
    assert found.limit[:2].tolist() == [3.0, 20.0]
    assert found.value[:2].tolist() == [3.5, 20.0]
    assert found.records.tolist() == [2, 1, 0]
    z = code_tails(x, s, found, upward=True)
    assert z[:6].tolist() == [1, 2, 3.5, 3.5, 10, 20]
    assert np.isnan(z[6:]).all()
    low = find_tails(x, weight=None, stratum=s, strata=3, upward=False, replace="limit", limit=2.0)
    assert low.records.tolist() == [2, 0, 0]
    assert code_tails(x, s, low, upward=False)[:4].tolist() == [2, 2, 3, 4]
