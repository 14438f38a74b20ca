"""Log-linear models against a table that is laid out cell by cell."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.errors import UsageError
from microsafe.risk.file.interval import fit_intervals
from microsafe.risk.file.model_estimates import of_fit
from microsafe.risk.model import posterior
from microsafe.risk.model.estimate_variance import population_variance
from microsafe.risk.table.blocks import Blocks, groups_of
from microsafe.risk.table.cliques import CliqueTree, cliques_of
from microsafe.risk.table.crosstable import CrossTable, ImpossibleCells, Term
from microsafe.risk.table.loglinear import all_terms, fit, freedom, iterate, model_of, terms_of
from microsafe.risk.table.tablesums import sums_by_portions, sums_by_powers
from microsafe.risk.table.tau import Bias, empty
from microsafe.sums import Floats
from tables import made, sample


def laid_out(
    table: CrossTable, terms: list[Term], impossible: list[ImpossibleCells], rounds: int = 1500
) -> Floats:
    """The oracle: every cell, every term, plain proportional fitting."""
    cells = np.ones(table.sizes)
    for place in product(*map(range, table.sizes)):
        for each in impossible:
            if all(place[k] in at for k, at in zip(each.keys, each.levels, strict=True)):
                cells[place] = 0.0
    for _ in range(rounds):
        for term in terms:
            away = tuple(k for k in range(len(table.sizes)) if k not in term)
            now = cells.sum(axis=away, keepdims=True)
            target = table.margin(term).reshape(now.shape)
            cells = cells * np.divide(target, now, out=np.zeros_like(now), where=now > 0)
    return cells


MODELS: list[list[Term]] = [
    [],
    [(0, 1)],
    [(0, 1), (1, 2), (2, 3)],
    [(0, 1), (1, 2), (0, 2)],
    [(0, 1), (1, 2), (2, 3), (0, 3)],
    list(combinations(range(4), 2)),
    [(0, 1, 2), (2, 3)],
]


@pytest.mark.parametrize("terms", MODELS)
@pytest.mark.parametrize("seed", [1, 2])
def test_both_forms_equal_the_laid_out_table(terms: list[Term], seed: int) -> None:
    table = sample((4, 3, 5, 2), 120, seed)
    chosen = terms_of(4, terms)
    oracle = laid_out(table, chosen, [])
    forms = [CliqueTree] if any(len(term) > 2 for term in chosen) else [CliqueTree, Blocks]
    for form in forms:
        model = form(table, chosen)
        assert iterate(model, table)[-1] <= 1e-8
        np.testing.assert_allclose(model.fitted_values(), oracle[table.codes], rtol=1e-4, atol=1e-7)
        got = model.sums(empty(table.fraction))
        np.testing.assert_allclose(
            got, empty(table.fraction)(oracle.ravel()).sum(axis=1), rtol=1e-4, atol=1e-7
        )


@pytest.mark.parametrize("sizes", [(6,), (4, 30)])
def test_blocks_of_fewer_keys_than_groups(sizes: tuple[int, ...]) -> None:
    table = sample(sizes, 60, 1)
    chosen = terms_of(len(sizes), [])
    model = Blocks(table, chosen)
    assert iterate(model, table)[-1] <= 1e-8
    oracle = laid_out(table, chosen, [])
    np.testing.assert_allclose(model.fitted_values(), oracle[table.codes], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("pairs", [[], [(0, 1)], [(1, 2), (0, 3)], list(combinations(range(4), 2))])
def test_impossible_cells_stay_empty(pairs: list[Term]) -> None:
    table = sample((4, 3, 5, 2), 400, 3)
    forbidden = ImpossibleCells(keys=(0, 2), levels=((1, 2), (3,)))
    inside = np.isin(table.codes[0], (1, 2)) & (table.codes[2] == 3)
    keep = ~inside
    rest = np.repeat(np.stack(table.codes, axis=1)[keep], table.f[keep].astype(int), axis=0)
    table = made(rest, np.full(len(rest), 10.0))
    chosen = terms_of(4, pairs)
    oracle = laid_out(table, chosen, [forbidden])
    for form in (CliqueTree, Blocks):
        model = form(table, chosen, [forbidden])
        assert iterate(model, table)[-1] <= 1e-8
        np.testing.assert_allclose(model.fitted_values(), oracle[table.codes], rtol=1e-5, atol=1e-7)
        total = float(model.sums(lambda x: np.stack([x * x * np.exp(-x)]))[0])
        assert total == pytest.approx(float((oracle**2 * np.exp(-oracle)).sum()), rel=1e-5)


def test_criteria_cell_by_cell() -> None:
    """tau1, tau2, B1, B2 and their variances, each as it is printed in the method."""
    table = sample((4, 3, 5, 2), 150, 5)
    found = fit(table, [(0, 1), (0, 2)])
    lam = laid_out(table, terms_of(4, [(0, 1), (0, 2)]), []).ravel()
    f, pi = np.zeros_like(lam), np.full_like(lam, table.fraction)
    place = table.place((0, 1, 2, 3))
    f[place] = table.f
    for by_cell, mine in ((False, found.file), (True, found.cell)):
        if by_cell:
            pi[place] = table.fractions
        tau1 = tau2 = b1 = b2 = v1 = v2 = mpmath.mpf(0)
        for count, mean, share in zip(f, lam, pi, strict=True):
            if mean <= 0:
                continue
            L, p = mpmath.mpf(float(mean)), mpmath.mpf(float(share))
            x, mu = (1 - p) * L, p * L
            r = (1 - mpmath.exp(-x)) / x
            u = count - mu
            v = u * u - count
            if count == 1:
                tau1 += mpmath.exp(-x)
                tau2 += r
            a, b = x * mpmath.exp(-L), (1 - p) ** 2 * L * mpmath.exp(-L) / (2 * p)
            b1 += a * u + b * v
            v1 += a * a * mu + 2 * b * b * mu * mu
            a = mpmath.exp(-mu) * r - mpmath.exp(-L)
            b = (mpmath.exp(-mu) * r - mpmath.exp(-L) * (1 + x / 2)) / mu
            b2 += a * u + b * v
            v2 += a * a * mu + 2 * b * b * mu * mu
        told = [mine.tau1, mine.tau2, mine.B1.value, mine.B2.value]
        told += [mine.B1.variance, mine.B2.variance]
        for got, true in zip(told, (tau1, tau2, b1, b2, v1, v2), strict=True):
            assert got == pytest.approx(float(true), rel=1e-7, abs=1e-9)


@given(st.integers(0, 10_000), st.floats(0.005, 0.6))
def test_sums_over_all_cells(seed: int, fraction: float) -> None:
    """Waves and portions equal the plain sum, whatever the spread of the cells."""
    rng = np.random.default_rng(seed)
    one, other = (10.0 ** rng.uniform(-9, 2, 300) for _ in range(2))
    cells = np.multiply.outer(one, other).ravel()
    function = empty(fraction)
    plain = function(cells).sum(axis=1)
    waves = sums_by_powers(
        function, lambda z: np.array([(one**each).sum() * (other**each).sum() for each in z])
    )
    portions = sums_by_portions(function, (part.copy() for part in np.array_split(cells, 7)))
    scale = np.abs(function(cells)).sum(axis=1)
    np.testing.assert_allclose(waves, plain, atol=1e-9 * scale.max(), rtol=1e-7)
    np.testing.assert_allclose(portions, plain, atol=1e-9 * scale.max(), rtol=1e-7)


def test_cliques_hold_every_term_and_run_together() -> None:
    terms = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6, 7)]
    tree = cliques_of((5,) * 9, terms)
    for term in terms:
        assert any(set(term) <= set(clique.keys) for clique in tree)
    for number, clique in enumerate(tree):
        earlier = {key for each in tree[:number] for key in each.keys}
        assert set(clique.overlap) == set(clique.keys) & earlier


def test_groups_split_the_keys_evenly() -> None:
    for sizes in ((9,) * 9, (100, 2, 2, 2), (3,) * 13, (7,)):
        groups = groups_of(sizes)
        assert sorted(key for group in groups for key in group) == list(range(len(sizes)))
    assert sorted(len(group) for group in groups_of((9,) * 9)) == [3, 3, 3]


def test_freedom_of_a_full_table_is_the_usual_count() -> None:
    codes = np.array(list(product(range(3), range(4), range(2))))
    table = made(codes, np.full(len(codes), 2.0))
    assert freedom(table, [(0,), (1,), (2,)]) == 1 + 2 + 3 + 1
    assert freedom(table, [(0, 1), (2,)]) == 12 + 1
    assert freedom(table, [(0, 1, 2)]) == 24


def test_order_of_keys_does_not_matter() -> None:
    table = sample((4, 3, 5, 2), 300, 9)
    codes = np.stack(table.codes, axis=1)
    records = np.repeat(np.arange(len(codes)), table.f.astype(int))
    weight = (table.weight / table.f)[records]
    turned = made(codes[records][:, ::-1], weight)
    one, other = fit(table, all_terms(4, 2)), fit(turned, all_terms(4, 2))
    assert one.cell.tau2 == pytest.approx(other.cell.tau2, rel=1e-7)


def test_a_fit_whose_tau_is_at_rest_is_an_estimate() -> None:
    table = sample((4, 3, 5, 2), 120, 1)
    whole = fit(table, all_terms(4, 2))
    found = fit(table, all_terms(4, 2), iterations=12)
    assert not found.converged
    assert found.at_rest
    said = of_fit(table, found, by_cell=True)
    assert said.tau2 == pytest.approx(whole.cell.tau2, rel=1e-4)
    assert "still off" in said.remark


def test_a_fit_that_has_not_come_to_rest_is_no_estimate() -> None:
    table = sample((4, 3, 5, 2), 120, 1)
    found = fit(table, all_terms(4, 2), iterations=2)
    assert not found.converged
    said = of_fit(table, replace(found, at_rest=False), by_cell=True)
    assert said.tau1 is None
    assert said.tau2 is None
    assert said.risk is None
    assert "did not converge" in said.remark


def test_too_large_a_table_is_refused() -> None:
    rng = np.random.default_rng(1)
    table = made(rng.integers(0, 9, (4000, 13)), np.full(4000, 10.0))
    with pytest.raises(UsageError, match="too many"):
        model_of(table, all_terms(13, 2))
    with pytest.raises(UsageError, match="too many"):
        model_of(table, all_terms(13, 3))


@pytest.mark.parametrize("dispersion", [0.02, 0.7, 5.0])
def test_negative_binomial_against_its_definition(dispersion: float) -> None:
    shape = 1 / mpmath.mpf(dispersion)
    for f, mean, pi in product((1, 3, 40), (0.3, 25.0, 4000.0), (0.01, 0.4)):
        a, p = shape + f, (shape + pi * mean) / (shape + mean)
        exact = mpmath.quad(
            lambda t: t ** (f - 1) * (p / (1 - (1 - p) * t)) ** a,  # noqa: B023
            [0, 0.5, 0.9, 0.99, 0.999, 0.9999, 1],
        )
        arrays = np.array([float(f)]), np.array([mean]), np.array([pi])
        got = posterior.match_chance(*arrays, dispersion)[0]
        assert got == pytest.approx(float(exact), rel=1e-8)
        if f == 1:
            got = posterior.unique_chance(arrays[1], arrays[2], dispersion)[0]
            assert got == pytest.approx(float(p**a), rel=1e-12)


def test_without_dispersion_it_is_poisson() -> None:
    f, mean, pi = np.array([1.0, 2.0]), np.array([5.0, 9.0]), np.array([0.1, 0.1])
    near = posterior.match_chance(f, mean, pi, 1e-5)
    np.testing.assert_allclose(posterior.match_chance(f, mean, pi, 0.0), near, rtol=1e-3)


def test_scatter_of_a_population() -> None:
    """Variance of 1(F = 1) and 1/F for F - 1 Poisson, against the sum over all F."""
    for x in (0.0, 1e-3, 0.5, 4.0, 60.0):
        chance = [mpmath.exp(-x) * mpmath.mpf(x) ** j / mpmath.factorial(j) for j in range(300)]
        mean = sum(c / (j + 1) for j, c in enumerate(chance))
        square = sum(c / (j + 1) ** 2 for j, c in enumerate(chance))
        one, match = population_variance(posterior.posterior(1.0, np.array([x]), 0.0, 0.0))
        alone = float(mpmath.exp(-x))
        assert one == pytest.approx(alone * (1 - alone), abs=1e-9)
        assert match == pytest.approx(float(square - mean**2), rel=1e-4, abs=1e-12)


def test_intervals_hold_the_estimate_and_stay_within_the_uniques() -> None:
    table = sample((6, 5, 7, 4), 600, 11, equal=True)
    found = fit(table, all_terms(4, 2))
    for by_cell in (False, True):
        ends = fit_intervals(table, found, by_cell=by_cell)
        tau = found.cell if by_cell else found.file
        for (low, high), estimate in zip(ends, (tau.tau1, tau.tau2), strict=True):
            assert 0 <= low <= estimate <= high <= np.count_nonzero(table.uniques)


@pytest.mark.parametrize("by_cell", [False, True])
def test_an_interval_is_as_wide_as_bias_and_population_make_it(by_cell: bool) -> None:
    """One model: variance and square of its bias, and the scatter of one population."""
    table = sample((6, 5, 7, 4), 600, 11)
    plain = fit(table, all_terms(4, 2))
    bias = Bias(value=1.0, variance=0.5, scatter=9.0)
    found = replace(
        plain,
        cell=replace(plain.cell, B1=bias, B2=bias),
        file=replace(plain.file, B1=bias, B2=bias),
    )
    ends = fit_intervals(table, found, by_cell=by_cell)
    fractions = table.fractions if by_cell else np.full(len(table.f), table.fraction)
    outside = posterior.posterior(1.0, found.fitted[table.uniques], fractions[table.uniques], 0.0)
    noise = population_variance(outside)
    tau = found.cell if by_cell else found.file
    for (low, high), estimate, scatter in zip(ends, (tau.tau1, tau.tau2), noise, strict=True):
        assert scatter > 0.5  # no small part of it
        half = 1.96 * np.sqrt(0.5 + 1.0**2 + scatter)
        assert low == pytest.approx(max(estimate - half, 0.0), abs=0.03 * half)
        assert high == pytest.approx(estimate + half, abs=0.03 * half)
