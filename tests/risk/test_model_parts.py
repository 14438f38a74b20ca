"""Parts of the model of the population, each against brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe import individual_risk
from microsafe.cells import Membership
from microsafe.risk.model import posterior
from microsafe.risk.model.clusters import find_design_effects, households_by_cell, mean_members
from microsafe.risk.model.estimate_variance import (
    SampleUniques,
    Spread,
    intervals,
    population_variance,
)
from microsafe.risk.model.marginal import Factor, sum_out
from microsafe.risk.model.scatter import Scatter, diagnose, find_scatter
from microsafe.risk.model.shrink import _log_gamma, shrinkage
from microsafe.risk.model.stepwise import GrowingModel
from microsafe.risk.model.terms import freedom, search_terms
from microsafe.risk.table.crosstable import CrossTable
from microsafe.risk.table.poisson import match_chance as poisson_match
from microsafe.risk.table.tau import Bias, Tau, criteria, curvature
from tables import made, sample


def by_sum(f: int, mean: Fraction, pi: Fraction, d: Fraction, *, power: int = 1) -> mp.mpf:
    """E(1/F^power | f): the people outside are negative binomial, summed one by one."""
    with mp.workdps(40):
        shape = 1 / mp.mpf(d.numerator) * d.denominator
        odds = mp.mpf((mean * (1 - pi)).numerator) / (mean * (1 - pi)).denominator
        odds /= shape + mp.mpf((mean * pi).numerator) / (mean * pi).denominator
        size, share = shape + f, odds / (1 + odds)
        chance, total, outside = (1 + odds) ** -size, mp.mpf(0), 0
        while outside < 10 or chance > mp.mpf(10) ** -35:
            total += chance / mp.mpf(f + outside) ** power
            chance *= (size + outside) / (outside + 1) * share
            outside += 1
        return total


@pytest.mark.parametrize("d", [Fraction(1, 1000), Fraction(1, 5), Fraction(2), Fraction(40)])
def test_risk_is_the_sum_over_the_people_outside(d: Fraction) -> None:
    for f, mean, pi in product(
        (1, 2, 5, 30),
        (Fraction(1, 50), Fraction(3), Fraction(60)),
        (Fraction(1, 20), Fraction(3, 4)),
    ):
        found = posterior.match_chance(float(f), float(mean), float(pi), float(d))
        assert float(found) == pytest.approx(float(by_sum(f, mean, pi, d)), rel=1e-10)


def test_one_function_nests_the_others() -> None:
    """No scatter: Poisson. Without end: Benedetti and Franconi. Main effects: see opinions."""
    f = np.array([1.0, 1.0, 2.0, 7.0, 300.0])
    mean, pi = np.array([0.4, 90.0, 11.0, 2.0, 5e3]), np.array([0.01, 0.3, 0.05, 0.9, 0.06])
    poisson = posterior.match_chance(f, mean, pi, 0.0)
    np.testing.assert_allclose(poisson, poisson_match(f, (1 - pi) * mean), rtol=1e-15)
    for d in (np.inf, 1e14):
        cell = posterior.match_chance(f, mean, pi, d)
        np.testing.assert_allclose(cell, individual_risk(f, f / pi), rtol=1e-9)
    np.testing.assert_allclose(posterior.unique_chance(mean, pi, np.inf), pi, rtol=1e-12)
    np.testing.assert_allclose(
        posterior.unique_chance(mean, pi, 0.0), np.exp(-(1 - pi) * mean), rtol=1e-7
    )


@given(
    st.integers(1, 400),
    st.floats(1e-3, 1e6),
    st.floats(1e-4, 0.999),
    st.floats(0, 3),
    st.floats(0, 9),
)
def test_risk_lies_between_its_bounds_and_falls(
    f: int, mean: float, pi: float, dispersion: float, clumps: float
) -> None:
    scatter = Scatter(dispersion, clumps)

    def risk(f: float, mean: float) -> float:
        return float(posterior.match_chance(f, mean, pi, scatter.at(np.array(mean))))

    now = risk(f, mean)
    outside = posterior.posterior(float(f), mean, pi, scatter.at(np.array(mean)))
    assert 1 / float(outside.expected) <= now * (1 + 1e-9)
    assert now <= min(1 / f, float(outside.most)) * (1 + 1e-9)
    assert risk(f + 1, mean) <= now * (1 + 1e-9)
    assert risk(f, 1.3 * mean) <= now * (1 + 1e-9)


@given(st.floats(0, 4), st.floats(0.001, 0.9), st.integers(0, 1000))
def test_above_a_limit_is_what_the_risk_says(d: float, limit: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    f, mean = rng.integers(1, 9, 200).astype(float), rng.lognormal(1, 3, 200)
    pi = rng.uniform(0.01, 1.0, 200)
    np.testing.assert_array_equal(
        posterior.exceeds(f, mean, pi, d, limit), posterior.match_chance(f, mean, pi, d) > limit
    )


def test_nobody_outside() -> None:
    one = np.array([1.0, 4.0])
    np.testing.assert_array_equal(posterior.match_chance(one, 0.0, 0.2, 1.0), 1 / one)
    np.testing.assert_array_equal(posterior.match_chance(one, 50.0, 1.0, 1.0), 1 / one)
    np.testing.assert_array_equal(posterior.match_chance(one, 0.0, 0.2, np.inf), 1 / one)


def test_variance_of_the_population_by_summation() -> None:
    d, mean, pi = Fraction(1, 2), Fraction(7), Fraction(1, 10)
    found = population_variance(posterior.posterior(np.ones(3), float(mean), float(pi), float(d)))
    first, second = (by_sum(1, mean, pi, d, power=power) for power in (1, 2))
    assert found[1] == pytest.approx(3 * float(second - first**2), rel=1e-4)
    alone = float(posterior.unique_chance(float(mean), float(pi), float(d)))
    assert found[0] == pytest.approx(3 * alone * (1 - alone))


def model_of_a_sample(seed: int = 2) -> GrowingModel:
    model = GrowingModel(sample((4, 3, 5, 2, 3), 400, seed))
    for term in ((0, 1), (0, 2), (1, 2), (3, 4), (0, 1, 2)):
        model.add(term, np.full([model.table.sizes[key] for key in term], 0.7))
    model.settle()
    return model


def test_every_marginal_is_the_sum_of_the_dense_table() -> None:
    model = model_of_a_sample()
    sizes = model.table.sizes
    dense = model.model.dense().reshape(sizes)
    assert dense.sum() == pytest.approx(model.table.population)
    grid = np.indices(sizes).reshape(len(sizes), -1)
    for size in range(len(sizes) + 1):
        for keep in combinations(range(len(sizes)), size):
            away = tuple(key for key in range(len(sizes)) if key not in keep)
            exact = dense.sum(axis=away)
            for largest in (1 << 22, 6):  # tables made on the way, or sums row by row
                marginal = sum_out(model.factors, keep, sizes, largest)
                assert bool(marginal.hidden) <= (largest == 6)
                rows = marginal.look_up(list(grid), grid.shape[1])
                spread = np.broadcast_to(np.expand_dims(exact, away), sizes)
                np.testing.assert_allclose(rows, spread.ravel(), rtol=1e-9, atol=1e-12)
                whole = marginal.table(keep)
                np.testing.assert_allclose(whole, exact, rtol=1e-9, atol=1e-12)


def test_a_key_in_no_table_counts_its_levels() -> None:
    found = sum_out([Factor((0,), np.array([1.0, 2.0]))], [0], (2, 7))
    np.testing.assert_allclose(found.look_up([np.array([0, 1]), None], 2), [7.0, 14.0])


def test_a_shrunken_term_lies_between_model_and_sample() -> None:
    model = GrowingModel(sample((6, 5, 3), 300, 4))
    before, seen = model.margin((0, 1)).copy(), model.table.margin((0, 1))
    model.add((0, 1), np.full((6, 5), 0.4))
    model.settle()
    after = model.margin((0, 1))
    np.testing.assert_allclose(after, before + 0.4 * (seen - before), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(after.sum(axis=1), model.table.margin((0,)), rtol=1e-6)


def test_dispersion_of_counts_maximises_their_likelihood() -> None:
    rng = np.random.default_rng(1)
    expected = rng.uniform(1, 40, 500)
    seen = rng.poisson(expected * rng.gamma(1 / 0.3, 0.3, 500)).astype(float)
    delta, gain = shrinkage(seen, expected)
    assert delta == pytest.approx(0.3, rel=0.25)

    def likelihood(d: float) -> float:
        size = 1 / d
        with mp.workdps(20):
            return float(
                sum(
                    mp.loggamma(m + size) - mp.loggamma(size) + m * mp.log(d * e)
                    - (m + size) * mp.log(1 + d * e) - (m * mp.log(e) - e)
                    for m, e in zip(seen, expected, strict=True)
                )
            )  # fmt: skip

    assert gain == pytest.approx(likelihood(delta), rel=1e-6)
    assert all(likelihood(delta * step) < gain for step in (0.8, 1.25))


@pytest.mark.parametrize("x", [1e-4, 0.3, 1.0, 9.99, 10.0, 250.5, 1e6])
def test_log_gamma(x: float) -> None:
    found = float(_log_gamma(np.array([x]))[0])
    assert found == pytest.approx(float(mp.loggamma(x)), rel=1e-10, abs=1e-10)


def test_scatter_is_found_where_it_is() -> None:
    """Populations with known dispersion and clumps, by the moments of very many cells."""
    rng = np.random.default_rng(3)
    sizes, pi = (60, 50, 40), 0.1
    mean = 12 * np.multiply.outer(
        np.multiply.outer(rng.dirichlet(np.ones(60)) * 60, rng.dirichlet(np.ones(50)) * 50),
        rng.dirichlet(np.ones(40)) * 40,
    )
    for a, b in ((0.0, 0.0), (0.6, 0.0), (0.0, 2.0), (0.3, 1.0)):
        shape = mean / np.maximum(a * mean + b, 1e-12)
        people = rng.poisson(rng.gamma(shape, mean / shape) if a + b else mean)
        f = rng.binomial(people, pi).ravel()
        codes = np.indices(sizes).reshape(3, -1).T
        table = made(np.repeat(codes, f, axis=0), np.full(f.sum(), 1 / pi))
        found = GrowingModel(table)
        scatter, *_ = find_scatter(table, found.model, table.f, 1.0)
        at = scatter.at(np.array([3.0, 10.0]))
        np.testing.assert_allclose(at, a + b / np.array([3.0, 10.0]), rtol=0.25, atol=0.06)


def test_cells_of_one_size_cannot_tell_dispersion_from_clumps() -> None:
    """Here one record in two has a twin that was drawn with it."""
    table = made(np.zeros((300, 1), np.int64), np.full(300, 2.0))
    model = GrowingModel(table).model
    for seen in (np.array([150.0]), np.array([400.0])):
        scatter, *others = find_scatter(table, model, seen, 2.0)
        assert scatter.clumps == 0.0
        assert [each.at(np.array([300.0]))[0] for each in others] == pytest.approx(
            [scatter.dispersion] * len(others)
        )


def test_scatter_moments_over_the_dense_table() -> None:
    model = model_of_a_sample(8)
    table = model.table.as_counted()
    pi, dense = table.fraction, model.model.dense()
    f = np.zeros(table.cells)
    f[table.place(tuple(range(5)))] = table.f
    mean, weight = pi * dense, curvature(dense, pi)
    rows = [weight * each for each in ((f - mean) ** 2 - f, mean**2, pi * mean)]
    small, large = [r.sum() for r in rows], [(r * dense).sum() for r in rows]
    a, b = np.linalg.solve([small[1:], large[1:]], [small[0], large[0]])
    scatter, *others = find_scatter(table, model.model, table.f, 1.0)
    if small[0] <= 0:
        assert scatter == Scatter()
    elif a > 0 and b > 0:
        assert scatter == pytest.approx((a, b), rel=1e-6)
        assert len(others) == 2
    else:
        assert min(scatter) == 0.0


def test_criteria_with_the_fractions_of_two_fits() -> None:
    """B2 over the dense table: the sampling fraction of every cell is μ / λ, empty or not."""
    table = sample((4, 3, 5, 2), 300, 5)
    means, counted = GrowingModel(table), GrowingModel(table.as_counted())
    for model in (means, counted):
        model.add((0, 1), np.ones((4, 3)))
        model.settle()
    found = diagnose(table, means.model, counted.model, table.fractions, table.f, 1.0)
    people, sampled = means.model.dense(), table.fraction * counted.model.dense()
    f = np.zeros(table.cells)
    f[table.place((0, 1, 2, 3))] = table.f
    share = np.clip(sampled / np.maximum(people, 1e-300), 1e-12, 1)
    exact = criteria(f, people, share).sum(axis=1)
    assert found.B1.value == pytest.approx(exact[0], rel=1e-6)
    assert found.B2.value == pytest.approx(exact[3], rel=1e-6)
    assert found.B2.variance == pytest.approx(exact[4], rel=1e-6)


def clustered(seed: int) -> tuple[CrossTable, Membership, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (60, 3))
    home = rng.integers(0, 20, 60)
    table = made(codes, np.full(60, 5.0))
    place = {cell: n for n, cell in enumerate(zip(*(c.tolist() for c in table.codes), strict=True))}
    cell = np.array([place[tuple(row)] for row in codes.tolist()])
    pairs, records = np.unique(np.stack([home, cell], axis=1), axis=0, return_counts=True)
    return table, Membership(household=pairs[:, 0], cell=pairs[:, 1], records=records), codes, home


@given(st.integers(0, 50))
def test_design_effect_is_the_mean_number_of_fellows(seed: int) -> None:
    """Σ s² / Σ s: for a record, how many of its household share its place in the margin."""
    table, clusters, codes, home = clustered(seed)
    for term in ((0,), (0, 2), (0, 1, 2)):
        fellows = [
            sum(
                home[other] == home[one] and (codes[other, term] == codes[one, term]).all()
                for other in range(60)
            )
            for one in range(60)
        ]
        assert find_design_effects(clusters, table)(term) == pytest.approx(np.mean(fellows))
        with pytest.MonkeyPatch.context() as patch:  # all households are institutions
            patch.setattr("microsafe.risk.model.clusters._CROWD", 1)
            crowded = find_design_effects(clusters, table)(term)
        shuffled = np.random.default_rng(seed).permutation(len(clusters.cell))
        other = Membership(
            household=clusters.household[shuffled],
            cell=clusters.cell[shuffled],
            records=clusters.records[shuffled],
        )
        assert find_design_effects(other, table)(term) == crowded
    distinct = len({(h, *row) for h, row in zip(home.tolist(), codes.tolist(), strict=True)})
    assert mean_members(clusters) == pytest.approx(60 / distinct)
    assert households_by_cell(clusters, len(table.f)).sum() == distinct


def test_freedom_of_terms_adds_up() -> None:
    codes = np.array(list(product(range(3), range(4), range(2))))
    table = made(codes, np.full(len(codes), 2.0))
    assert freedom(table, (0, 1)) == 2 * 3
    assert freedom(table, (0, 1, 2)) == 2 * 3 * 1


def test_nothing_is_found_where_there_is_nothing() -> None:
    rng = np.random.default_rng(6)
    table = made(rng.integers(0, [7, 5, 4, 6], (3000, 4)), np.full(3000, 20.0))
    assert search_terms(table.as_counted()).additions == ()


def test_an_interval_has_a_floor() -> None:
    """Criteria that have saturated say nothing; the estimate is still not exact."""
    none = Bias(value=0.0, variance=0.0, scatter=0.0)
    alone = SampleUniques(np.full(3200, 1e-3), np.full(3200, 0.05))
    diagnosis = Tau(tau1=0.0, tau2=0.0, B1=none, B2=none)
    (low1, high1), (low2, high2) = intervals(alone, alone.tau(Scatter()), Scatter(), (), diagnosis)
    assert high1 == high2 == 3200
    assert low1 < 0.9 * 3200
    assert low2 < 0.95 * 3200


def test_an_interval_is_as_wide_as_its_four_parts_make_it() -> None:
    """Population, parameters, form of the scatter and floor, each by its definition."""
    alone = SampleUniques(np.tile([0.5, 2.0, 10.0, 40.0], 50), np.full(200, 0.1))
    scatter, others = Scatter(dispersion=0.3), (Scatter(dispersion=0.8), Scatter(clumps=0.9))
    B1, B2 = (Bias(value=0.0, variance=each, scatter=0.0) for each in (6.0, 11.0))
    diagnosis = Tau(tau1=0.0, tau2=0.0, B1=B1, B2=B2)
    found = intervals(alone, alone.tau(scatter), scatter, others, diagnosis)
    estimates = alone.tau(scatter)
    outside = np.arange(4000)
    population = [0.0, 0.0]
    for mean, fraction in zip(*alone, strict=True):
        size, odds = 1 / 0.3 + 1, 0.3 * (1 - fraction) * mean / (1 + 0.3 * fraction * mean)
        ratio = (size + outside[:-1]) / outside[1:] * odds / (1 + odds)
        chance = (1 + odds) ** -size * np.cumprod([1.0, *ratio])
        for place, value in enumerate((outside == 0, 1 / (outside + 1))):
            population[place] += float(chance @ value**2 - (chance @ value) ** 2)
    for place, floor in enumerate((0.12, 0.05)):
        estimate = estimates[place]
        model = np.mean([(alone.tau(other)[place] - estimate) ** 2 for other in others])
        variance = population[place] + (6.0, 11.0)[place] + model + (floor * estimate) ** 2
        reach = 1.959963984540054 * np.sqrt(variance / (4 * estimate))
        exact = [(np.sqrt(estimate) + sign * reach) ** 2 for sign in (-1, 1)]
        assert found[place] == pytest.approx(exact, rel=1e-4)
        assert population[place] > 0.05 * variance


def test_an_interval_stays_within_what_is_possible() -> None:
    assert Spread(0.0, 0.0, 0.0, 0.0).interval(0.0, 0.0) == (0.0, 0.0)
    low, high = Spread(9.0, 9.0, 1.0, 9.0).interval(5.0, 12.0)
    assert low == 0.0
    assert high == 12.0


def test_population_uniques_are_never_more_than_correct_matches() -> None:
    """A criterion of tau1 that varies far more than that of tau2 must not say so."""
    alone = SampleUniques(np.full(400, 30.0), np.full(400, 0.1))
    B1, B2 = (Bias(value=0.0, variance=each, scatter=0.0) for each in (900.0, 4.0))
    diagnosis = Tau(tau1=0.0, tau2=0.0, B1=B1, B2=B2)
    first, second = intervals(alone, alone.tau(Scatter()), Scatter(), (), diagnosis)
    assert first[1] == second[1] < 400
