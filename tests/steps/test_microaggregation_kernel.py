"""Microaggregation: groups and averages against brute force."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from microsafe.steps.microaggregate import mdav, univariate
from microsafe.steps.microaggregate.kernel import Microaggregation, standardise
from oracle import information_lost
from profiles import examples

GAP = math.nan


def by_definition(values: np.ndarray, k: int) -> list[int]:
    """MDAV word by word, with exact centroids."""
    records = values.T.tolist()
    left, group, made = list(range(len(records))), [-1] * len(records), 0

    def distance(a: list[float], b: list[float]) -> float:
        total = 0.0
        for x, y in zip(a, b, strict=True):
            total += (x - y) * (x - y)
        return total

    def farthest(point: list[float], among: list[int]) -> int:
        return max(among, key=lambda each: (distance(records[each], point), -each))

    def take(centre: int) -> None:
        nonlocal left, made
        others = sorted(
            (distance(records[each], records[centre]), each) for each in left if each != centre
        )
        for each in (centre, *(number for _, number in others[: k - 1])):
            group[each] = made
        left = [each for each in left if group[each] < 0]
        made += 1

    while len(left) >= 2 * k:
        pairs = len(left) >= 3 * k
        centroid = [math.fsum(records[i][v] for i in left) / len(left) for v in range(len(values))]
        r = farthest(centroid, left)
        s = farthest(records[r], left)
        take(r)
        if pairs:
            take(s if group[s] < 0 else farthest(records[r], left))
    for each in left:
        group[each] = made
    return group


def squares(values: np.ndarray) -> float:
    return float(((values - values.mean()) ** 2).sum())


def cost_of(ordered: np.ndarray, sizes: np.ndarray) -> float:
    return sum(squares(part) for part in np.split(ordered, np.cumsum(sizes)[:-1]))


def plain_optimum(ordered: np.ndarray, k: int) -> float:
    """Least sum of squares by the recursion, one value after the other."""
    best = [0.0] + [math.inf] * len(ordered)
    for end in range(k, len(ordered) + 1):
        best[end] = min(
            best[end - size] + squares(ordered[end - size : end])
            for size in range(k, min(2 * k - 1, end) + 1)
        )
    return best[-1]


def partitions(members: tuple[int, ...], k: int) -> Iterator[list[tuple[int, ...]]]:
    """All partitions into groups of at least k, whether neighbours or not."""
    if not members:
        yield []
    for size in range(k, len(members) + 1):
        for others in combinations(members[1:], size - 1):
            rest = tuple(each for each in members[1:] if each not in others)
            for more in partitions(rest, k):
                yield [(members[0], *others), *more]


NUMBERS = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e6, 1e6, allow_nan=False),
    st.sampled_from([0.0, 1e9, -1e-9, 0.1, 0.3]),
)


@st.composite
def tables(draw: st.DrawFn, most: int = 40) -> tuple[np.ndarray, int]:
    k = draw(st.integers(2, 5))
    rows, count = draw(st.integers(1, 4)), draw(st.integers(k, most))
    values = draw(st.lists(NUMBERS, min_size=rows * count, max_size=rows * count))
    return np.array(values).reshape(rows, count), k


@given(tables())
@example((np.array([[0.0, 2.22507386e-309]]), 2))
@examples(150)
def test_mdav_is_what_its_definition_says(table: tuple[np.ndarray, int]) -> None:
    values, k = table
    groups = mdav.find_groups(values, k)
    assert groups.tolist() == by_definition(values, k)
    sizes = np.bincount(groups)
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


@pytest.mark.parametrize("slack", [1, 3, 1000])
def test_mdav_whenever_records_are_moved_together(
    slack: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = np.random.default_rng(4).integers(0, 9, (3, 200)).astype(float)
    wanted = by_definition(values, 4)
    monkeypatch.setattr(mdav, "_SLACK", slack)
    assert mdav.find_groups(values, 4).tolist() == wanted


@given(tables(most=120))
@example((np.array([[0.0, 2.22507386e-309]]), 2))
@examples(60)
def test_blocks_have_groups_of_k_as_well(table: tuple[np.ndarray, int]) -> None:
    values, k = table
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mdav, "_BLOCK", 12)
        patch.setattr(mdav, "_BLOCK_BY_K", 3)
        patch.setattr(mdav, "_WINDOW", 2)
        groups = mdav.find_groups_in_blocks(values, k)
    sizes = np.bincount(groups)
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1


def test_blocks_lose_little_more(monkeypatch: pytest.MonkeyPatch) -> None:
    values = standardise(np.exp(np.random.default_rng(3).normal(size=(4, 6000))), "sd")
    exact = Microaggregation(k=3, exact=True).aggregate(values)[0]
    blocks = Microaggregation(k=3, exact=False).aggregate(values)[0]
    assert not np.array_equal(exact, blocks)
    assert information_lost(values, blocks) < 1.15 * information_lost(values, exact)


@given(st.lists(NUMBERS, min_size=2, max_size=60), st.integers(2, 6), st.integers(3, 20))
@examples(150)
def test_one_variable_is_grouped_at_least_cost(values: list[float], k: int, chunk: int) -> None:
    ordered = np.sort(np.array(values))
    k = min(k, len(values))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(univariate, "_CHUNK", chunk)
        patch.setattr(univariate, "_CHUNK_BY_K", 1)
        sizes = univariate.find_sizes(ordered, k)
    assert sizes.sum() == len(values)
    assert sizes.min() >= k
    assert sizes.max() < 2 * k
    best = plain_optimum(ordered, k)
    assert cost_of(ordered, sizes) == pytest.approx(best, rel=1e-9, abs=1e-12 * squares(ordered))


def test_no_partition_at_all_costs_less() -> None:
    random = np.random.default_rng(5)
    for count, k in ((4, 2), (7, 3), (9, 2), (11, 3), (11, 5)):
        ordered = np.sort(np.round(np.exp(random.normal(size=count)), 1))
        least = min(
            sum(squares(ordered[list(group)]) for group in groups)
            for groups in partitions(tuple(range(count)), k)
        )
        found = cost_of(ordered, univariate.find_sizes(ordered, k))
        assert found == pytest.approx(least, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("step", [1.0, 0.1])
def test_values_at_equal_distances_never_settle_by_themselves(step: float) -> None:
    ordered = step * np.arange(4 * univariate._CHUNK + 1)
    found = cost_of(ordered, univariate.find_sizes(ordered, 3))
    assert found == pytest.approx(plain_optimum(ordered, 3), rel=1e-9)


def test_an_outlier_at_either_end_hides_no_digits() -> None:
    middle = np.sort(np.random.default_rng(6).normal(size=2000))
    alone = univariate.find_sizes(middle, 3)
    for far in (-1e12, 1e12):
        ordered = np.sort(np.concatenate([middle, [far] * 3]))
        sizes = univariate.find_sizes(ordered, 3)
        assert (sizes[1:] if far < 0 else sizes[:-1]).tolist() == alone.tolist()


@given(tables(), st.sampled_from(["mdav", "one"]), st.sampled_from(["sd", "range", "none"]))
@examples(100)
def test_means_are_kept_and_squares_add_up(
    table: tuple[np.ndarray, int], method: str, scale: str
) -> None:
    values, k = table
    how = Microaggregation(k=k, method=method, scale=scale)  # type: ignore[arg-type]
    after, grouped = how.aggregate(values)
    assert grouped.all()
    for old, new in zip(values, after, strict=True):
        large = np.abs(old).max()
        assert new.mean() == pytest.approx(old.mean(), rel=1e-12, abs=1e-12 * large)
        parts = ((old - new) ** 2).sum() + squares(new)
        assert parts == pytest.approx(squares(old), rel=1e-9, abs=1e-12 * large**2)
        _, counts = np.unique(new, return_counts=True)
        assert counts.min() >= k


def test_weighted_means_keep_weighted_totals() -> None:
    random = np.random.default_rng(7)
    values, weights = random.normal(size=(2, 40)), random.uniform(1, 9, 40)
    weights[:9] = 0.0
    for method in ("mdav", "one"):
        after, _ = Microaggregation(k=4, method=method).aggregate(values, weights)  # type: ignore[arg-type]
        assert after @ weights == pytest.approx(values @ weights, rel=1e-12)
        assert np.isfinite(after).all()


def test_medians() -> None:
    values = np.array([[1.0, 2.0, 9.0, 20.0, 21.0, 23.0, 40.0]])
    how = Microaggregation(k=3, method="one", average="median")
    assert how.aggregate(values)[0].tolist() == [[2.0] * 3 + [22.0] * 4]
    heavy = np.array([1.0, 1.0, 5.0, 1.0, 1.0, 1.0, 3.0])
    assert how.aggregate(values, heavy)[0].tolist() == [[9.0] * 3 + [31.5] * 4]
    assert how.aggregate(values, np.zeros(7))[0].tolist() == [[2.0] * 3 + [22.0] * 4]


def test_records_are_grouped_with_those_that_miss_the_same() -> None:
    both = [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]
    first = [[10.0, 11.0], [GAP, GAP]]
    second = [[GAP], [7.0]]
    nothing = [[GAP, GAP], [GAP, GAP]]
    values = np.concatenate([np.array(each) for each in (both, first, second, nothing)], axis=1)
    after, grouped = Microaggregation(k=2).aggregate(values)
    assert after[0, :5].tolist() == [2.0, 2.0, 2.0, 10.5, 10.5]
    assert after[1, [0, 1, 2, 5]].tolist() == [2.0, 2.0, 2.0, 7.0]  # nobody else misses the first
    assert grouped.tolist() == [[True] * 5 + [False] * 3, [True] * 3 + [False] * 5]
    assert np.array_equal(np.isnan(after), np.isnan(values))


def test_few_records_join_those_that_show_part_of_what_they_do() -> None:
    values = np.array(
        [
            [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
            [GAP, GAP, GAP, 1.0, 2.0, 3.0, 4.0],
            [GAP, GAP, GAP, GAP, GAP, GAP, 50.0],
        ]
    )
    after, grouped = Microaggregation(k=3).aggregate(values)
    assert after[0].tolist() == [2.0, 2.0, 2.0, 5.5, 5.5, 5.5, 5.5]  # not with the first three
    assert after[1, 3:].tolist() == [2.5] * 4
    assert after[2, 6] == 50.0
    assert grouped[:, 6].tolist() == [True, True, False]


def test_k_records_that_miss_the_same_stay_together() -> None:
    values = np.array([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [9.0, 9.0, 6.0, GAP, GAP, GAP]])
    after, grouped = Microaggregation(k=3).aggregate(values)
    assert after[0].tolist() == [2.0, 2.0, 2.0, 5.0, 5.0, 5.0]
    assert after[1, :3].tolist() == [8.0, 8.0, 8.0]
    assert grouped.sum() == 9


def test_units() -> None:
    values = np.array([[1.0, 3.0, GAP, 5.0], [2.0, 2.0, 2.0, 2.0], [GAP] * 4])
    deviation = math.sqrt(8 / 3)
    for scale, unit in {"sd": deviation, "range": 4.0, "none": 1.0}.items():
        found = standardise(values, scale)  # type: ignore[arg-type]
        assert found[0, [0, 1, 3]] == pytest.approx([-2 / unit, 0.0, 2 / unit])
        assert found[1].tolist() == [0.0] * 4
        assert np.isnan(found[2]).all()
        assert np.isnan(found[0, 2])


def test_what_is_lost() -> None:
    before = np.array([[1.0, 3.0, GAP, 5.0], [2.0, 2.0, 2.0, 2.0]])
    after = np.array([[2.0, 2.0, GAP, 5.0], [2.0, 2.0, 2.0, 9.0]])
    assert information_lost(before, after) == pytest.approx(2 / 8)
    assert information_lost(before[1:], after[1:]) == 0.0
    both = np.concatenate([before[:1], 10 * before[:1]])
    moved = np.concatenate([after[:1], 10 * before[:1]])
    assert information_lost(both, moved) == pytest.approx(1 / 8)


@pytest.mark.parametrize("exact", [True, False])
def test_it_is_told_how_far_things_are(exact: bool) -> None:
    values = np.random.default_rng(3).normal(size=(2, 7000))
    how, told = Microaggregation(k=3, exact=exact), []
    made = how.aggregate(values, tell=told.append)[0]
    assert told == sorted(told)
    assert len(told) > 10
    assert 0 < told[0] < 3000
    assert 6500 < told[-1] <= 7000
    assert np.array_equal(made, how.aggregate(values)[0])


def test_blocks_grow_with_k() -> None:
    values = np.random.default_rng(9).normal(size=(2, 6000))
    assert np.array_equal(mdav.find_groups_in_blocks(values, 60), mdav.find_groups(values, 60))
    assert not np.array_equal(mdav.find_groups_in_blocks(values, 40), mdav.find_groups(values, 40))


def test_each_variable_alone_needs_no_patterns() -> None:
    values = np.array([[1.0, 2.0, GAP, 3.0], [GAP, GAP, 5.0, 6.0]])
    after, grouped = Microaggregation(k=3, method="one").aggregate(values)
    assert after[0, [0, 1, 3]].tolist() == [2.0] * 3
    assert after[1, 2:].tolist() == [5.0, 6.0]  # fewer than k
    assert grouped.sum(axis=1).tolist() == [3, 0]


def test_when_records_are_grouped_in_blocks() -> None:
    assert not Microaggregation(k=3).in_blocks(20_000)
    assert Microaggregation(k=3).in_blocks(20_001)
    assert not Microaggregation(k=3, exact=True).in_blocks(10**6)
    assert Microaggregation(k=3, exact=False).in_blocks(10)
    assert not Microaggregation(k=3, method="one").in_blocks(10**6)
