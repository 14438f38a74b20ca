"""Rank swapping and shuffling: what they keep, and how far they go."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe import arrays as ranks
from microsafe.arrays import middle_ranks, normal_scores, order_places
from microsafe.draws import Draws, normal_quantiles
from microsafe.steps.rank_swap import largest_change, swap_in_blocks
from microsafe.steps.shuffle.kernel import (
    ModelColumn,
    deal_out,
    draw_scores,
    fit_model,
    rank_column,
)
from profiles import examples


def words_of(count: int, variable: str = "x", seed: int = 1) -> np.ndarray:
    return Draws(seed=seed, step=1, variable=variable).words(np.arange(count, dtype=np.uint64))


def find_partners(
    values: np.ndarray, words: np.ndarray, *, percent: float, offset: int
) -> np.ndarray:
    """Blocks are cut and swapped as the engines do it."""
    size = largest_change(len(values), percent) + 1
    order = order_places(values, words[:, 0])
    block = (np.arange(len(values)) - offset % size) // size
    partners = np.empty(len(values), np.int64)
    partners[order] = order[swap_in_blocks(block, words[order, 1])]
    return partners


VALUES = st.lists(st.integers(0, 12), min_size=1, max_size=60).map(lambda x: np.array(x, float))


@given(VALUES, st.floats(0.1, 100), st.integers(0, 2**64 - 1))
@examples(150)
def test_partners(values: np.ndarray, percent: float, offset: int) -> None:
    count, words = len(values), words_of(len(values))
    partners = find_partners(values, words, percent=percent, offset=offset)
    assert partners[partners].tolist() == list(range(count))  # an involution
    rank = np.empty(count, np.int64)
    by_hand = sorted(range(count), key=lambda each: (values[each], words[each, 0], each))
    rank[by_hand] = np.arange(count)
    width = max(1, math.floor(percent * count / 100))
    assert largest_change(count, percent) == width
    assert np.abs(rank[partners] - rank).max() <= width
    block = (rank - offset % (width + 1)) // (width + 1)
    assert (block == block[partners]).all()
    alone = np.bincount((block - block.min())[partners == np.arange(count)])
    assert alone.max(initial=0) <= 1
    sizes = np.bincount(block - block.min())
    assert alone.sum() == (sizes % 2).sum()


def test_partners_are_neighbours_in_random_order() -> None:
    values, words = np.arange(9.0), words_of(9)
    partners = find_partners(values, words, percent=100 * 4 / 9, offset=2)
    for block in (range(2), range(2, 7), range(7, 9)):
        mixed = sorted(block, key=lambda each: words[each, 1])
        for one, other in zip(mixed[::2], mixed[1::2], strict=False):
            assert partners[one] == other
            assert partners[other] == one


def test_order_and_scores() -> None:
    values = np.array([2.0, 1.0, 2.0, 2.0, 5.0])
    words = np.array([9, 9, 1, 5, 0], np.uint64)
    assert order_places(values, words).tolist() == [1, 2, 3, 0, 4]
    assert order_places(np.array([3.0, 1.0]), words[:2]).tolist() == [1, 0]
    exact = [NormalDist().inv_cdf((place + 0.5) / 5) for place in range(5)]
    middle = sum(exact[1:4]) / 3
    scores = [middle, exact[0], middle, middle, exact[4]]
    assert normal_scores(values) == pytest.approx(scores, abs=1e-9)
    assert normal_scores(values[:0]).tolist() == []
    assert normal_quantiles(np.array([0.5, 1e-6, 1 - 1e-6])) == pytest.approx(
        [0.0, -4.753424309, 4.753424309], abs=1e-8
    )


def test_rank_correlations() -> None:
    values = np.array([3.0, 1.0, math.nan, 3.0, 7.0])
    assert middle_ranks(values)[[0, 1, 3, 4]].tolist() == [2.5, 1.0, 2.5, 4.0]
    assert np.isnan(middle_ranks(values)[2])
    assert ranks.correlate(values, 2 - 3 * values) == pytest.approx(-1.0)
    assert ranks.correlate(values, np.full(5, math.nan)) == 0.0
    assert ranks.correlate(values, np.ones(5)) == 0.0


def correlate(a: np.ndarray, b: np.ndarray) -> float:
    """Rank correlation."""
    scores = []
    for each in (a, b):
        _, inverse, count = np.unique(each, return_inverse=True, return_counts=True)
        scores.append((np.cumsum(count) - count / 2)[inverse])
    return float(np.corrcoef(*scores)[0, 1])


def shuffled(
    values: list[np.ndarray], given: list[ModelColumn], weights: np.ndarray | None = None
) -> list[np.ndarray]:
    count = len(values[0])
    words = [words_of(count, str(place)) for place in range(len(values))]
    model = fit_model(
        [rank_column(each) for each in values],
        given,
        np.ones(count) if weights is None else weights,
    )
    scores = draw_scores(model, given, [each[:, 0] for each in words])
    return [deal_out(*each) for each in zip(values, scores, [w[:, 1] for w in words], strict=True)]


def people(count: int = 20_000) -> tuple[list[np.ndarray], np.ndarray]:
    """Four related variables, two of them with ties, and a category that goes with them."""
    random = np.random.default_rng(8)
    normal = np.linalg.cholesky(0.4 * np.eye(4) + 0.6) @ random.normal(size=(4, count))
    income = np.where(normal[0] < -0.5, 0.0, np.exp(normal[0]))
    found = [income, np.rint(3 * normal[1]), normal[2], np.exp(normal[3])]
    return found, (normal[2] + random.normal(size=count) > 0).astype(np.int64)


def test_shuffling_keeps_values_and_rank_correlations() -> None:
    (income, hours, age, wealth), sex = people()
    given = [rank_column(age), rank_column(wealth), ModelColumn(values=sex, categories=2)]
    new = shuffled([income, hours], given)
    for old, each in zip((income, hours), new, strict=True):
        assert np.sort(each).tolist() == np.sort(old).tolist()
        assert abs(correlate(old, each)) < 0.7
    before, after = [income, hours, age, wealth, sex], [*new, age, wealth, sex]
    for i in range(5):
        for j in range(i):
            old, renewed = correlate(before[i], before[j]), correlate(after[i], after[j])
            assert renewed == pytest.approx(old, abs=0.02), (i, j)


def test_given_what_decides_all_nothing_is_drawn() -> None:
    _, _, age, _ = people(500)[0]
    (new,) = shuffled([np.exp(age)], [rank_column(age)])
    assert new.tolist() == np.exp(age).tolist()


def test_given_nothing_that_varies_all_is_drawn() -> None:
    (income, *_), _ = people(2000)
    (new,) = shuffled([income], [rank_column(np.zeros(2000))])
    assert abs(correlate(income, new)) < 0.1


def test_columns_that_follow_from_others_are_left_out() -> None:
    (income, hours, age, _), sex = people(2000)
    given = [rank_column(age), rank_column(-age), ModelColumn(values=sex, categories=2)]
    weights = np.ones(2000)
    model = fit_model([rank_column(income), rank_column(hours)], given, weights)
    assert model.redundant in ([False, True, False], [True, False, False])
    again = [rank_column(age), ModelColumn(values=sex, categories=2)]
    same = shuffled([income, hours], given), shuffled([income, hours], again)
    assert abs(correlate(same[0][0], same[1][0])) > 0.999


def test_weights_count_in_the_model() -> None:
    (income, _, age, _), _ = people(4000)
    turned = np.where(np.arange(4000) % 2 == 0, age, -age)
    weights = np.where(np.arange(4000) % 2 == 0, 1.0, 1e-9)
    (new,) = shuffled([income], [rank_column(turned)], weights)
    assert correlate(new, turned) > 0.4
    (plain,) = shuffled([income], [rank_column(turned)])
    assert abs(correlate(plain, turned)) < 0.1


def test_what_is_missing_counts_as_the_middle() -> None:
    column = rank_column(np.array([math.nan, 3.0, 1.0, math.nan]))
    assert column.values[[0, 3]].tolist() == [0.0, 0.0]
    assert column.values[1] == -column.values[2] > 0
    assert rank_column(np.array([math.nan])).values.tolist() == [0.0]
