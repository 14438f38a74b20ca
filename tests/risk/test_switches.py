"""Kernels on both sides of every place where their formula changes, against fifty digits.

A switch point that is moved a little need not show; one that lets a formula run where it is
unstable is off by orders of magnitude there, and only there.
"""

from __future__ import annotations

import math
from itertools import product

import mpmath as mp
import numpy as np
import pytest

from microsafe import individual_risk
from microsafe.risk.file import superpopulation
from microsafe.risk.model import posterior
from microsafe.risk.model.estimate_variance import population_variance
from microsafe.risk.table.poisson import match_chance
from microsafe.risk.table.tau import empty
from oracle import risk as reference

NEAR = (1 - 1e-6, 1.0, 1 + 1e-6)
SHARES = [
    1e-9, 1e-6, 1e-3, 0.01, 0.1, 0.2, 0.3, *(0.35 * near for near in NEAR), 0.4, 0.45,
    *(0.5 * near for near in NEAR), 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99,
    1 - 1e-3, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12, 1.0,
]  # fmt: skip
WHOLE = [1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 38, 39, 40, 41, 60, 79, 80, 81, 150, 300, 700]
PARTS = [1 + 1e-9, 1.25, 1.999999, 2.5, 7.75, 25.5, 38.999999, 39.5, 39.999999, 40.5, 200.5]


def worst(found: np.ndarray, exact: list[mp.mpf]) -> float:
    """Largest relative error."""
    return max(
        float(abs((mp.mpf(float(a)) - b) / b)) for a, b in zip(found.ravel(), exact, strict=True)
    )


@pytest.mark.parametrize("frequencies", [WHOLE, PARTS], ids=["whole", "parts"])
def test_individual_risk(frequencies: list[float]) -> None:
    pairs = [(float(f), max(float(f), f / p)) for f, p in product(frequencies, SHARES)]
    f, F = np.array(pairs).T
    assert worst(individual_risk(f, F), [reference(*pair) for pair in pairs]) < 4e-15


def test_individual_risk_where_f_is_near_F() -> None:
    """F - f of a few units in the last place: the closed forms would lose everything."""
    pairs = [(f, f * (1 + d)) for f in (1.0, 2.0, 3.0, 40.0) for d in (1e-15, 1e-12, 1e-8, 1e-4)]
    f, F = np.array(pairs).T
    assert worst(individual_risk(f, F), [reference(*pair) for pair in pairs]) < 4e-15


def poisson(f: float, x: float) -> mp.mpf:
    with mp.workdps(50):
        return mp.hyp1f1(1, mp.mpf(f) + 1, -mp.mpf(x)) / f


def test_match_chance() -> None:
    frequencies = [1.0, 1.5, 2, 3, 7, 19, 20, 25, 29, 29.5, 30, 31, 38, 39, 39.5, 40, 41, 80, 300]
    pairs = []
    for f in frequencies:
        outside = [0.0, 1e-12, 1e-3, 0.5, 1.0, f / 2, f, 1.5 * f, 2.5 * f, 5 * f, 20 * f]
        outside += [2 * f * near for near in NEAR] + [60 * near for near in NEAR]
        outside += [39.0, 41.0, 100.0, 1e3, 1e4]
        pairs += [(f, x) for x in outside]
    f, x = np.array(pairs).T
    assert worst(match_chance(f, x), [poisson(*pair) for pair in pairs]) < 1e-14


def test_a_cell_does_not_depend_on_its_neighbours() -> None:
    """Loops run as long as the hardest cell of a block needs; others must not notice."""
    alone = [individual_risk(3.0, 30.0), match_chance(3.0, 2.0)]
    f = np.array([3.0, 39.0, 1.5, 700.0, 1.0])
    among = [
        individual_risk(f, [30.0, 1e9, 1e9, 1e5, 1e12])[0],
        match_chance(f, [2.0, 59.0, 30.0, 1e5, 0.0])[0],
    ]
    np.testing.assert_allclose(among, alone, rtol=1e-15)


@pytest.mark.parametrize("kernel", [individual_risk, match_chance])
def test_blocks_join_without_a_seam(kernel: object) -> None:
    size = (1 << 15) * 2 + 3
    f = 1.0 + np.arange(size) % 50
    other = f * (1.0 + np.arange(size) % 7)
    found = kernel(f, other)  # type: ignore[operator]
    for place in (0, (1 << 15) - 1, 1 << 15, (1 << 16) - 1, 1 << 16, size - 1):
        assert found[place] == pytest.approx(kernel(f[place], other[place]), rel=1e-15)  # type: ignore[operator]


def negative_binomial(f: int, mean: float, pi: float, dispersion: float) -> mp.mpf:
    """E(1/F | f) as a sum over the people outside the sample."""
    with mp.workdps(40):
        shape = 1 / mp.mpf(dispersion)
        a, p = shape + f, (shape + pi * mean) / (shape + mean)
        return p**a / f * mp.hyp2f1(a, f, f + 1, 1 - p)


@pytest.mark.parametrize("dispersion", [0.002, 0.05, 1.0, 30.0])
def test_negative_binomial(dispersion: float) -> None:
    cases = list(product((1, 2, 8, 60), (1e-3, 1.0, 40.0, 3e3), (1e-3, 0.2, 0.9, 1.0)))
    f, mean, pi = np.array(cases).T
    found = posterior.match_chance(f, mean, pi, dispersion)
    exact = [negative_binomial(int(f), mean, pi, dispersion) for f, mean, pi in cases]
    assert worst(found, exact) < 1e-9
    with mp.workdps(40):
        shape = 1 / mp.mpf(dispersion)
        alone = [((shape + p * m) / (shape + m)) ** (shape + 1) for _, m, p in cases]
    found = posterior.unique_chance(mean, pi, dispersion)
    np.testing.assert_allclose(found, [float(each) for each in alone], rtol=1e-9, atol=1e-300)


def test_negative_binomial_next_to_poisson() -> None:
    """Without dispersion the answer is Poisson's; with next to none it is hardly other."""
    f, mean, pi = np.array([1.0, 4.0]), np.array([3.0, 50.0]), np.array([0.1, 0.2])
    for kernel, first in ((posterior.match_chance, (f,)), (posterior.unique_chance, ())):
        none = kernel(*first, mean, pi, 0.0)  # type: ignore[operator]
        for dispersion in (1e-12, 1e-9, 1e-7):
            near = kernel(*first, mean, pi, dispersion)  # type: ignore[operator]
            np.testing.assert_allclose(near, none, rtol=2e3 * max(dispersion, 1e-9))


def _noise(rest: np.ndarray) -> tuple[float, float]:
    return population_variance(posterior.posterior(1.0, rest, 0.0, 0.0))


def criteria(people: float, pi: float) -> list[mp.mpf]:
    """What an empty cell adds, as docs/methods/file-risk.md defines it."""
    with mp.workdps(50):
        people, pi = mp.mpf(people), mp.mpf(pi)
        mean, x = pi * people, (1 - pi) * people
        u, v = -mean, mean**2
        r = (1 - mp.exp(-x)) / x
        a1 = (1 - pi) * people * mp.exp(-people)
        b1 = (1 - pi) ** 2 * people * mp.exp(-people) / (2 * pi)
        a2 = mp.exp(-mean) * r - mp.exp(-people)
        b2 = (mp.exp(-mean) * r - mp.exp(-people) * (1 + x / 2)) / mean
        B1, B2 = a1 * u + b1 * v, a2 * u + b2 * v
        V1, V2 = (a**2 * mean + 2 * b**2 * mean**2 for a, b in ((a1, b1), (a2, b2)))
        return [B1, V1, B1**2, B2, V2, B2**2, b2 * v, b2 * mean**2]


@pytest.mark.parametrize("pi", [0.001, 0.05, 0.5, 0.97])
def test_criteria_of_empty_cells(pi: float) -> None:
    people = [x / (1 - pi) for x in (1e-9, 1e-4, 0.1, *(0.25 * near for near in NEAR), 0.5, 4)]
    found = empty(pi)(np.array(people))
    for column, each in zip(found.T, people, strict=True):
        assert worst(column, criteria(each, pi)) < 1e-13


def test_criteria_of_a_whole_population_are_zero() -> None:
    assert not empty(1.0)(np.array([0.3, 1.0, 7.0])).any()


@pytest.mark.parametrize("x", [1e-6, 0.3, 3.0, 25.0, 150.0, 199.0])
def test_scatter_of_a_population(x: float) -> None:
    with mp.workdps(40):
        chance = [mp.exp(-x) * mp.mpf(x) ** j / mp.factorial(j) for j in range(600)]
        mean = sum(c / (j + 1) for j, c in enumerate(chance))
        square = sum(c / (j + 1) ** 2 for j, c in enumerate(chance))
    alone = math.exp(-x)
    found = _noise(np.array([x, x]))
    assert found[0] == pytest.approx(2 * alone * (1 - alone), rel=1e-9)
    assert found[1] == pytest.approx(float(2 * (square - mean**2)), rel=1e-4, abs=3e-6)


def test_large_cells_scatter_no_more() -> None:
    assert _noise(np.array([200.0, 1e4]))[1] == 0.0
    assert _noise(np.array([199.9]))[1] > 0.0


@pytest.mark.parametrize("y", [0.5, 3.0, 19.0, 19.999999, 20.0, 20.000001, 25.0, 1e3, 1e8])
@pytest.mark.parametrize("shift", [-0.9, -0.25, 1e-9, 0.5, 1.0])
def test_ratio_of_gammas(y: float, shift: float) -> None:
    if y + shift <= 0:
        return
    with mp.workdps(50):
        exact = mp.loggamma(mp.mpf(y) + shift) - mp.loggamma(y)
    assert superpopulation._log_ratio(y, shift) == pytest.approx(float(exact), rel=1e-13, abs=2e-14)


@pytest.mark.parametrize("terms", [1, 2, 999, 1_000, 1_001, 1_002, 2_000, 20_000])
@pytest.mark.parametrize(
    ("start", "step"), [(0.3, 1.0), (5.0, 0.0), (2.0, 1e-9), (1e-4, 0.7), (1e6, 1e-10), (50.0, 3.0)]
)
def test_long_harmonic_sums(start: float, step: float, terms: int) -> None:
    exact = math.fsum(1 / (start + step * i) for i in range(terms))
    assert superpopulation._harmonic(start, step, terms) == pytest.approx(exact, rel=1e-13)
