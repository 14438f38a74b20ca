"""Record swapping of households: what a swap must keep, whoever is drawn."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.draws import Draws
from microsafe.steps.swap.kernel import (
    MatchCounts,
    SwapPairs,
    class_households,
    find_eligible,
    swap_households,
)


def run(
    rng: np.random.Generator, households: int, *, k: int, rate: float, seed: int = 1
) -> tuple[list[np.ndarray], np.ndarray, np.ndarray, MatchCounts, list[np.ndarray], SwapPairs]:
    fine = rng.integers(0, 12, households)
    areas = [fine // 6, fine // 2, fine]
    size = rng.integers(1, 5, households)
    household = np.repeat(np.arange(households), size)
    combination = np.minimum(rng.geometric(0.2, len(household)), 30)
    profiles = [size * 3 + rng.integers(0, 3, households), size]
    crowds = MatchCounts.of(areas, household, combination)
    draws = Draws(seed=seed, step=1, variable="household")
    numbers = np.arange(households, dtype=np.uint64)
    found = swap_households(
        areas,
        crowds,
        profiles,
        lambda draw: draws.words(numbers, draw),
        must=crowds.below(k),
        rate=rate,
    )
    return areas, household, combination, crowds, profiles, found


@given(st.integers(0, 10_000), st.integers(2, 200), st.integers(1, 6), st.floats(0, 0.6))
def test_what_every_swap_keeps(seed: int, households: int, k: int, rate: float) -> None:
    areas, household, combination, crowds, profiles, found = run(
        np.random.default_rng(seed), households, k=k, rate=rate
    )
    partner = found.partner
    assert np.array_equal(partner[partner], np.arange(households))
    moved = partner != np.arange(households)
    assert np.array_equal(moved, found.level >= 0)
    for number, area in enumerate(areas):
        at = found.level == number
        assert (area[at] != area[partner[at]]).all()
        assert Counter(zip(area, profiles[-1], strict=True)) == Counter(
            zip(area[partner], profiles[-1], strict=True)
        )
        counts = Counter(zip(area[household], combination, strict=True))
        least = [
            min(counts[area[h], c] for c in combination[household == h]) for h in range(households)
        ]
        assert crowds.least[number].tolist() == least
    wanted = int(np.ceil(rate * households))
    assert moved.sum() + found.lacking >= wanted
    assert found.lacking == max(0, wanted - moved.sum())
    for area, least, stuck in zip(areas, crowds.least, found.stuck, strict=True):
        assert stuck == sum(least[h] < k and area[partner[h]] == area[h] for h in range(households))


def test_seeds_and_rates() -> None:
    rng = np.random.default_rng(3)
    found = run(rng, 3000, k=1, rate=0.1)[-1]
    assert found.lacking == 0
    assert 300 <= (found.level >= 0).sum() <= 301
    same = run(np.random.default_rng(3), 3000, k=1, rate=0.1)[-1]
    assert np.array_equal(found.partner, same.partner)
    other = run(np.random.default_rng(3), 3000, k=1, rate=0.1, seed=2)[-1]
    assert not np.array_equal(found.partner, other.partner)
    assert (run(np.random.default_rng(3), 50, k=1, rate=0.0)[-1].level < 0).all()


def test_those_who_stand_out_are_drawn_first() -> None:
    _, _, _, crowds, _, found = run(np.random.default_rng(5), 20_000, k=1, rate=0.05)
    least = crowds.least[-1]
    moved = found.level >= 0
    assert (1 / least[moved]).mean() > 1.3 * (1 / least).mean()


def test_everybody_in_one_area_has_nowhere_to_go() -> None:
    one = np.zeros(10, np.int64)
    crowds = MatchCounts.of([one], np.arange(10), np.arange(10))
    draws = Draws(seed=1, step=1, variable="h")
    numbers = np.arange(10, dtype=np.uint64)
    found = swap_households(
        [one],
        crowds,
        [one],
        lambda draw: draws.words(numbers, draw),
        must=crowds.below(3),
        rate=0.5,
    )
    assert found.stuck == (10,)
    assert found.lacking == 5
    assert found.partner.tolist() == list(range(10))
    assert pytest.approx(1.0) == 1 / crowds.least[0].max()


@given(st.integers(0, 10_000), st.integers(2, 80))
def test_only_those_with_somebody_elsewhere_move(seed: int, households: int) -> None:
    areas, _, _, crowds, profiles, found = run(
        np.random.default_rng(seed), households, k=4, rate=0.9
    )
    eligible = find_eligible(areas[-1], profiles)
    somebody = [
        any(((areas[-1] != areas[-1][h]) & (each == each[h])).any() for each in profiles)
        for h in range(households)
    ]
    assert eligible.tolist() == somebody
    assert not (found.level >= 0)[~eligible].any()
    classes = class_households(crowds.below(4), crowds, eligible)
    assert np.array_equal(classes == 0, ~eligible)
    sizes = np.bincount(classes)[1:]
    assert len(sizes) <= 1 or sizes.min() >= 20
