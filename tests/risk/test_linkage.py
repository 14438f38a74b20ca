"""Risk of numeric variables: the tree against brute force, linkage and intervals by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.errors import InputError
from microsafe.risk.numeric import linkage, tree
from microsafe.risk.numeric.intervals import measure_intervals
from microsafe.risk.numeric.linkage import LinkageSearch, measure_linkage
from microsafe.risk.numeric.pairs import KeySubset, NumberPairs, find_outer, take_logarithms
from microsafe.risk.numeric.tree import PointTree
from profiles import examples


def squares(points: list[Any], query: list[float]) -> np.ndarray:
    total = np.zeros(len(points[0]))
    for column, value in zip(points, query, strict=True):
        gap = column - value
        total += gap * gap
    return total


@given(st.integers(1, 400), st.integers(1, 4), st.integers(0, 10_000), st.sampled_from([0, 1, 20]))
@examples(60)
def test_the_tree_is_brute_force(count: int, dimensions: int, seed: int, grid: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(dimensions, count))
    queries = rng.normal(size=(dimensions, 30))
    if grid:  # many ties
        points, queries = np.round(points * grid) / grid, np.round(queries * grid) / grid
    own = rng.integers(0, count, 30)
    distance = np.array([squares(list(points), queries[:, i])[own[i]] for i in range(30)])
    found = PointTree(list(points))
    nearer, tied = found.count_nearer(list(queries), distance)
    neighbours = min(8, count - 1)
    if neighbours:
        near, places = found.find_neighbours(list(queries), own, neighbours)
    for i in range(30):
        all_of_them = squares(list(points), queries[:, i])
        assert nearer[i] == (all_of_them < distance[i]).any()
        if not nearer[i]:
            assert tied[i] == (all_of_them == distance[i]).sum()
        if neighbours:
            others = np.delete(np.arange(count), own[i])
            order = others[np.lexsort((others, all_of_them[others]))][:neighbours]
            assert near[i].tolist() == all_of_them[order].tolist()
            assert places[i].tolist() == order.tolist()


def brute_links(pairs: NumberPairs) -> list[float]:
    """Linkage by the definition, every pair of records."""
    spreads = pairs.spreads()
    before = [x / s for x, s in zip(pairs.before, spreads, strict=True)]
    after = [x / s for x, s in zip(pairs.after, spreads, strict=True)]
    found = []
    for i in range(pairs.records):
        shown = [
            j for j in range(len(before)) if not (np.isnan(before[j][i]) or np.isnan(after[j][i]))
        ]
        if not shown:
            found.append(0.0)
            continue
        total = squares([before[j] for j in shown], [after[j][i] for j in shown])
        allowed = ~np.isnan(total)
        if pairs.group is not None:
            allowed &= pairs.group == pairs.group[i]
        nearest = total[allowed].min()
        tied = int((total[allowed] == nearest).sum())
        found.append(1.0 / tied if total[i] == nearest else 0.0)
    return found


def some(seed: int, *, count: int = 300, gaps: bool = False, groups: int = 0) -> NumberPairs:
    rng = np.random.default_rng(seed)
    before = [np.exp(rng.normal(size=count)), np.round(rng.normal(size=count), 1)]
    after = [before[0] + 0.1 * rng.normal(size=count), np.round(before[1] + 0.2, 1)]
    if gaps:
        before[1][::7] = np.nan
        after[1][::7] = np.nan
        after[0][::5] = np.nan
    return NumberPairs(
        names=("a", "b"),
        before=before,
        after=after,
        group=rng.integers(0, groups, count) if groups else None,
        weight=1 + 5 * rng.random(count),
    )


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("groups", [0, 4, 120])
def test_linkage_is_brute_force(gaps: bool, groups: int) -> None:
    pairs = some(groups, gaps=gaps, groups=groups)
    links = brute_links(pairs)
    assert LinkageSearch(pairs).find_links(np.arange(pairs.records)).tolist() == links
    by_ratios = brute_links(take_logarithms(pairs))
    found = measure_linkage(pairs)
    outer = find_outer(pairs.before, 0.01)
    most = max(np.mean([each[at] for at in outer]) for each in (links, by_ratios))
    assert found.by_ratios == (np.sum(by_ratios) > np.sum(links))
    links = max(links, by_ratios, key=np.sum)
    assert found.all.rate == pytest.approx(np.mean(links))
    assert found.all.expected == pytest.approx(np.sum(links))
    assert found.all.error == 0.0
    assert found.outer.records == len(outer) == 3
    assert found.outer.rate == pytest.approx(most)
    assert found.adjusted.rate <= found.all.rate


def test_ratios_link_more_after_multiplicative_noise() -> None:
    rng = np.random.default_rng(4)
    values = np.exp(rng.normal(8, 1.5, (2, 1500)))
    values[0, :50] = 0.0
    moved = values * np.exp(rng.normal(0, 0.05, (2, 1500)))
    pairs = NumberPairs(names="ab", before=list(values), after=list(moved))
    found = measure_linkage(pairs)
    alone = float(LinkageSearch(pairs).find_links(np.arange(1500)).sum())
    assert found.by_ratios
    assert found.all.expected > 1.1 * alone
    added = list(values + rng.normal(0, 500, (2, 1500)))
    assert not measure_linkage(replace(pairs, after=added)).by_ratios
    logs = take_logarithms(pairs).before[0]
    large = values[0] > 1000
    gap = np.diff(logs[large]) - np.diff(np.log(values[0][large]))
    assert np.abs(gap).max() < 0.01
    assert (logs[:50] == 0.0).all()


def test_keys_that_may_be_left_out_are_brute_force() -> None:
    pairs = some(9, groups=60)
    assert pairs.group is not None
    rng = np.random.default_rng(2)
    chance = rng.random(pairs.records)
    coarse = pairs.group // 6
    looks = [
        KeySubset(group=pairs.group, chance=chance),
        KeySubset(group=coarse, chance=None),
        KeySubset(),
    ]
    links = [
        np.array(brute_links(replace(pairs, group=each.group)))
        * (1.0 if each.chance is None else each.chance)
        for each in looks
    ]
    best = np.maximum.reduce(links)
    assert not measure_linkage(pairs, looks).by_ratios
    assert ((best == links[0]) & (best > 0)).any()
    assert ((best == links[1]) & (links[1] > links[0])).any()
    found = measure_linkage(pairs, looks)
    assert found.all.expected == pytest.approx(best.sum())
    outer = find_outer(pairs.before, 0.01)
    assert found.outer.rate == pytest.approx(best[outer].mean())
    adjusted = np.zeros(pairs.records)
    for each, linked in zip(looks, links, strict=True):
        rows = np.flatnonzero(linked)
        nobody = LinkageSearch(replace(pairs, group=each.group)).find_chances(rows)
        adjusted[rows] = np.maximum(adjusted[rows], linked[rows] * nobody)
    assert found.adjusted.expected == pytest.approx(adjusted.sum())
    sure = [KeySubset(group=pairs.group, chance=np.ones(pairs.records))]
    assert measure_linkage(pairs, sure) == measure_linkage(pairs)  # to the bit


@pytest.mark.parametrize("groups", [0, 60])
def test_the_adjustment_is_that_of_the_definition(groups: int) -> None:
    pairs = some(5, groups=groups)
    rows = np.flatnonzero(np.array(brute_links(pairs)) > 0)
    chances = LinkageSearch(pairs).find_chances(rows)
    spreads = pairs.spreads()
    before = [x / s for x, s in zip(pairs.before, spreads, strict=True)]
    after = [x / s for x, s in zip(pairs.after, spreads, strict=True)]
    assert pairs.weight is not None
    for row, chance in zip(rows.tolist(), chances.tolist(), strict=True):
        distance = np.sqrt(squares(before, [x[row] for x in after]))
        others = np.delete(np.arange(pairs.records), row)
        if pairs.group is not None:
            others = others[pairs.group[others] == pairs.group[row]]
        near = others[np.lexsort((others, distance[others]))][:8]
        if not len(near):
            assert chance == 1.0
            continue
        ratio = distance[row] / distance[near[-1]]
        outside = pairs.weight[near].mean() - 1
        assert chance == pytest.approx(np.exp(-len(near) * ratio**2 * outside), rel=1e-9)


def test_identity_links_all_and_a_permutation_next_to_none() -> None:
    rng = np.random.default_rng(1)
    before = [rng.normal(size=2_000) for _ in range(3)]
    same = NumberPairs(names="abc", before=before, after=before, weight=np.full(2_000, 3.0))
    found = measure_linkage(same)
    assert found.all.rate == found.outer.rate == found.adjusted.rate == 1.0
    order = rng.permutation(2_000)
    mixed = NumberPairs(names="abc", before=before, after=[each[order] for each in before])
    assert measure_linkage(mixed).all.expected < 8  # about 1


def test_a_sample_of_the_queries_has_a_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = some(3, count=5_000)
    exact = measure_linkage(pairs)
    monkeypatch.setattr(linkage, "_ALL", 1_000)
    monkeypatch.setattr(linkage, "_SAMPLE", 1_000)
    found = measure_linkage(pairs)
    assert found.all.searched == 1_000
    assert 0 < found.all.error < 0.02
    assert abs(found.all.rate - exact.all.rate) < 4 * found.all.error
    assert found.outer.rate == exact.outer.rate
    monkeypatch.setattr(linkage, "_ADJUSTED", 100)
    assert measure_linkage(pairs).adjusted.rate == pytest.approx(found.adjusted.rate, rel=0.3)


def test_batches_do_not_change_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = some(4, count=3_000, groups=3)
    once = measure_linkage(pairs)
    monkeypatch.setattr(tree, "_PAIRS", 7)
    monkeypatch.setattr(tree, "_QUERIES", 11)
    monkeypatch.setattr(tree, "_LEAF", 12)
    assert measure_linkage(pairs) == once


def test_outer_records() -> None:
    x = np.concatenate([np.arange(98.0), [1e6, -1e6]])
    assert find_outer([x], 0.02).tolist() == [98, 99]
    assert find_outer([np.array([np.nan, 1.0, 2.0])], 0.01).tolist() in ([1], [2])
    assert find_outer([np.full(3, np.nan)], 0.5).tolist() == []
    # Most values alike: by the standard deviation.
    assert find_outer([np.array([0.0] * 50 + [5.0])], 0.01).tolist() == [50]


def test_intervals_by_hand() -> None:
    before = [np.array([0.0, 10, 20, 30, np.nan])]
    after = [np.array([0.0, 11, 22, np.nan, 5])]
    pairs = NumberPairs(names="x", before=before, after=after)
    spread = before[0][:4].std(ddof=1)
    assert measure_intervals(pairs, width=1.05 / spread).share == pytest.approx(2 / 5)
    assert measure_intervals(pairs, width=2 / spread).share == pytest.approx(3 / 5)
    ranks = measure_intervals(pairs, width=0.0, by_ranks=True)
    assert ranks.share == pytest.approx(1 / 5)
    assert measure_intervals(pairs, width=0.25, by_ranks=True).share == pytest.approx(3 / 5)
    assert ranks.by_variable == {"x": 0.2}


def test_what_cannot_be_compared_is_refused() -> None:
    x = np.array([1.0, 2.0])
    for column, words in (
        (np.full(2, np.nan), "has no value"),
        (np.ones(2), "one value only"),
        (np.array([1.0, np.inf]), "infinite"),
    ):
        pairs = NumberPairs(names="ab", before=[x, column], after=[x, column])
        with pytest.raises(InputError, match=words):
            measure_linkage(pairs)
        with pytest.raises(InputError, match=words):
            measure_intervals(pairs, width=0.05)
