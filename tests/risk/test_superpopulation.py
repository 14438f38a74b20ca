"""Population uniques from cell sizes: simulated superpopulations, exact forms, edge cases."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from numpy.typing import NDArray

from microsafe.cells import Cells
from microsafe.errors import UsageError
from microsafe.risk.file import superpopulation as module
from microsafe.risk.file.superpopulation import CellSizes, cell_sizes, population_uniques
from microsafe.sums import Exact

Ints = NDArray[np.int64]


def sizes_of(f: list[int] | Ints, population: float) -> CellSizes:
    size, cells = np.unique(np.asarray(f)[np.asarray(f) > 0], return_counts=True)
    return CellSizes(size=size, cells=cells, population=population)


def restaurant(theta: float, alpha: float, people: int, rng: np.random.Generator) -> Ints:
    """Cells of people who come one by one, as Pitman's two-parameter process seats them."""
    cell = np.zeros(people, np.int64)
    size = [1]
    for person in range(1, people):
        if rng.random() * (theta + person) < theta + alpha * len(size):
            size.append(0)
            cell[person] = len(size) - 1
        else:
            while True:  # somebody at random, taken with chance (size - alpha) / size
                cell[person] = cell[rng.integers(person)]
                if rng.random() * size[cell[person]] < size[cell[person]] - alpha:
                    break
        size[cell[person]] += 1
    return cell


@pytest.mark.parametrize(("theta", "alpha"), [(60.0, 0.5), (300.0, 0.2)])
def test_pitman_finds_the_uniques_of_its_own_superpopulation(theta: float, alpha: float) -> None:
    rng = np.random.default_rng(4)
    true, found = [], []
    for _ in range(6):
        cell = restaurant(theta, alpha, 12_000, rng)
        true.append((np.bincount(cell) == 1).sum())
        f = np.bincount(rng.permutation(cell)[:1_200])
        found.append(population_uniques(sizes_of(f, 12_000))["pitman"].uniques)
    assert np.mean(found) == pytest.approx(np.mean(true), rel=0.1)


def test_pitman_maximises_the_likelihood() -> None:
    sizes = sizes_of([1] * 40 + [2] * 12 + [3] * 5 + [9, 14, 60], 5_000)
    theta, alpha = module._pitman_fit(sizes)

    def likelihood(theta: float, alpha: float) -> float:
        n, u = sizes.records, int(sizes.cells.sum())
        cells = sum(
            count * sum(math.log(j - alpha) for j in range(1, size))
            for size, count in zip(sizes.size, sizes.cells, strict=True)
        )
        tables = sum(math.log(theta + i * alpha) for i in range(1, u))
        return cells + tables - sum(math.log(theta + i) for i in range(1, n))

    best = likelihood(theta, alpha)
    assert 0 < alpha < 1
    for step in (1e-3, 0.05):
        for a, t in ((step, 0), (-step, 0), (0, step), (0, -step), (step, -step), (-step, step)):
            assert likelihood(theta * (1 + t), alpha + a) < best


def test_pitman_without_a_heavy_tail_is_ewens() -> None:
    sizes = sizes_of([1] * 5 + [4] * 30 + [5] * 30, 2_700)
    theta, alpha = module._pitman_fit(sizes)
    assert alpha == 0.0
    n, u = sizes.records, int(sizes.cells.sum())
    assert sum(theta / (theta + i) for i in range(n)) == pytest.approx(u, rel=1e-9)


def test_pitman_expects_what_adding_people_one_by_one_gives() -> None:
    sizes = sizes_of([1] * 40 + [2] * 12 + [3] * 5 + [9, 14, 60], 400)
    theta, alpha = module._pitman_fit(sizes)
    uniques, cells = 40.0, float(sizes.cells.sum())
    for people in range(sizes.records, 400):
        new = (theta + alpha * cells) / (theta + people)
        uniques += new - uniques * (1 - alpha) / (theta + people)
        cells += new
    assert module._pitman(sizes) == pytest.approx(uniques, rel=1e-10)


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.1), (0.8, 0.05), (0.3, 0.02)])
def test_snb_finds_the_uniques_of_its_own_superpopulation(alpha: float, beta: float) -> None:
    rng = np.random.default_rng(1)
    F = 1 + rng.negative_binomial(alpha, beta, 40_000)
    found = population_uniques(sizes_of(rng.binomial(F, 0.4), float(F.sum())))["snb"]
    assert found.uniques == pytest.approx((F == 1).sum(), rel=0.1)


@pytest.mark.parametrize(
    ("alpha", "beta", "pi"), [(0.5, 0.1, 0.2), (2.0, 0.3, 0.05), (0.1, 0.9, 0.5)]
)
def test_snb_expectations_are_sums_over_the_distribution(
    alpha: float, beta: float, pi: float
) -> None:
    """The published equations, cells of two divided and not multiplied by (1 - d)^(α+2)."""
    F = np.arange(1, 3000.0)
    log = np.array([math.lgamma(alpha + each - 1) - math.lgamma(each) for each in F])
    log -= math.lgamma(alpha)
    chance = np.exp(log + alpha * math.log(beta) + (F - 1) * math.log1p(-beta))
    single = float((chance * F * pi * (1 - pi) ** (F - 1)).sum())
    double = float((chance * F * (F - 1) / 2 * pi**2 * (1 - pi) ** (F - 2)).sum())
    assert module._snb_single(alpha, beta, 1.0, pi) == pytest.approx(single, rel=1e-9)
    logit = math.log(beta / (1 - beta))
    assert module._snb_shape(logit, pi, double / single)[0] == pytest.approx(alpha, rel=1e-9)


def test_population_cells_are_haas_and_stokes() -> None:
    """The bracket closes after the minus one: (1-π)^i ((1+π)^i - 1), not (..)(..) - 1."""
    f = [1] * 10 + [2] * 4 + [3] * 2 + [7]
    pi = Fraction(1, 4)
    sums = [Fraction(0)] * 4
    for i in f:
        sums[0] += i * pi**2 * (1 - pi**2) ** (i - 1)
        sums[1] += (1 - pi) ** i * ((1 + pi) ** i - 1)
        sums[2] += (1 - pi) ** i
        sums[3] += i * pi * (1 - pi) ** (i - 1)
    wanted = len(f) + 10 * sums[0] / sums[1] * (sums[2] / sums[3]) ** 2
    found = module._population_cells(sizes_of(f, 4.0 * sum(f)))
    assert found == pytest.approx(float(wanted), rel=1e-12)


def test_zayatz_is_bayes_rule_with_hypergeometric_chances() -> None:
    f = [1] * 10 + [2] * 4 + [3] * 2 + [7]
    n, N = sum(f), 120
    once = [Fraction(i * math.comb(N - i, n - 1), math.comb(N, n)) for i in f]
    chance = 10 * Fraction(n, N) / sum(once)
    found = population_uniques(sizes_of(f, N))["zayatz"]
    assert found.sample_share == pytest.approx(float(chance), rel=1e-12)
    assert found.uniques == pytest.approx(float(10 * chance * N / n), rel=1e-12)
    assert found.population_share == pytest.approx(float(10 * chance / n), rel=1e-12)


def test_zayatz_copes_with_cells_too_large_to_be_drawn_once() -> None:
    found = population_uniques(sizes_of([1] * 10 + [2] * 4 + [100_000], 200_000.0))["zayatz"]
    assert found.uniques is not None
    assert 0 < found.uniques <= 20


def test_rule_of_dankar() -> None:
    f = [1] * 300 + [2] * 90 + [3] * 40 + [4] * 20 + [6] * 12 + [11] * 6
    low = population_uniques(sizes_of(f, sum(f) / 0.1))
    assert low["dankar"].method == "pitman"
    assert low["dankar"].uniques == low["pitman"].uniques
    high = population_uniques(sizes_of(f, sum(f) / 0.11))
    assert high["snb"].uniques is not None
    assert high["zayatz"].uniques is not None
    assert high["dankar"].uniques == min(high["snb"].uniques, high["zayatz"].uniques)
    assert high["dankar"].method in ("snb", "zayatz")


def test_rule_of_dankar_falls_back_on_zayatz() -> None:
    found = population_uniques(sizes_of([1] * 30 + [3] * 10, 240))
    assert not found["snb"].valid
    assert found["dankar"].method == "zayatz"
    assert found["dankar"].uniques == found["zayatz"].uniques


def test_no_doubles() -> None:
    found = population_uniques(sizes_of([1] * 30 + [3] * 10, 240))["snb"]
    assert (found.uniques, found.population_share, found.sample_share) == (None, None, None)
    assert "two" in found.reason


@pytest.mark.parametrize("f", [[2, 2, 3], [50]])
def test_no_sample_uniques(f: list[int]) -> None:
    for each in population_uniques(sizes_of(f, 1_000)).values():
        assert each.valid
        assert each.uniques == each.population_share == each.sample_share == 0


@pytest.mark.parametrize("f", [[1] * 20, [1]])
def test_nothing_but_sample_uniques(f: list[int]) -> None:
    for each in population_uniques(sizes_of(f, 1_000)).values():
        assert not each.valid
        assert "Every record" in each.reason


def test_whole_population() -> None:
    for f in ([1, 1, 2, 5], [1, 1, 1]):
        for each in population_uniques(sizes_of(f, sum(f))).values():
            assert each.uniques == f.count(1)
            assert each.sample_share == 1
            assert each.population_share == f.count(1) / sum(f)


def test_shares_stay_where_shares_can_be() -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        f = 1 + rng.negative_binomial(rng.uniform(0.05, 3), rng.uniform(0.02, 0.98), 60)
        sizes = sizes_of(f, float(f.sum() * 10 ** rng.uniform(0, 4)))
        for each in population_uniques(sizes).values():
            assert (each.reason == "") == each.valid
            if each.uniques is not None:
                assert each.population_share is not None
                assert each.sample_share is not None
                assert 0 <= each.population_share <= 1 + 1e-9
                assert 0 <= each.sample_share <= 1 + 1e-9


def test_sizes_of_cells() -> None:
    cells = Cells(
        keys=("a",),
        categories=(["x", "y", "z"],),
        codes=(np.arange(1, 4, dtype=np.uint32),),
        count=np.array([1, 1, 4]),
        weights=Exact.split(np.array([10.0, 20.0, 30.0])),
    )
    sizes = cell_sizes(cells)
    assert (sizes.records, sizes.population, sizes.of(1), sizes.of(2)) == (6, 60.0, 2, 0)
    assert cell_sizes(cells, fraction=0.5).population == 12
    for wrong in (0.0, 1.1):
        with pytest.raises(UsageError):
            cell_sizes(cells, fraction=wrong)


@pytest.mark.parametrize("terms", [1, 999, 1_001, 50_000])
@pytest.mark.parametrize(("start", "step"), [(0.3, 1.0), (5.0, 0.0), (2.0, 1e-9), (1e-4, 0.7)])
def test_long_sums(start: float, step: float, terms: int) -> None:
    wanted = math.fsum(1 / (start + step * i) for i in range(terms))
    assert module._harmonic(start, step, terms) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("y", [0.3, 5.0, 19.9, 20.0, 1e4, 1e9])
@pytest.mark.parametrize("shift", [-0.25, 0.0, 0.9])
def test_ratio_of_gammas(y: float, shift: float) -> None:
    with mp.workdps(40):
        wanted = mp.loggamma(mp.mpf(y) + shift) - mp.loggamma(y)
    assert module._log_ratio(y, shift) == pytest.approx(float(wanted), rel=1e-12, abs=1e-13)
