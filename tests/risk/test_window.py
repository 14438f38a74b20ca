"""Pairing inside the window of rank swapping: against all permutations, and by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.risk.numeric import window
from microsafe.risk.numeric.assignment import NOBODY, PairCosts, assign_pairs
from microsafe.risk.numeric.linkage import measure_linkage
from microsafe.risk.numeric.pairs import KeySubset, NumberPairs
from microsafe.risk.numeric.window import SwapWindow, largest_change, measure_window
from microsafe.studies.numeric_risk import find_windows
from profiles import examples

NAMES = ("a", "b", "c")


def make_costs(cost: np.ndarray, allowed: np.ndarray) -> PairCosts:
    bidder, partner = np.nonzero(allowed)
    return PairCosts.of(len(cost), bidder, partner, cost[bidder, partner])


def cheapest(cost: np.ndarray, allowed: np.ndarray, nobody: float) -> float:
    """Least cost of all ways to pair each with one or with nobody."""
    count = len(cost)
    wide = np.full((count, 2 * count), np.inf)
    wide[:, :count][allowed] = cost[allowed]
    best = np.inf
    for some in permutations(range(2 * count), count):
        if all(j < count or j == count + i for i, j in enumerate(some)):
            total = sum(wide[i, j] if j < count else nobody for i, j in enumerate(some))
            best = min(best, total)
    return best


@given(st.integers(1, 4), st.integers(0, 10**6), st.booleans(), st.booleans())
@examples(100)
def test_the_auction_is_the_cheapest_of_all(count: int, seed: int, own: bool, ties: bool) -> None:
    rng = np.random.default_rng(seed)
    cost = rng.random((count, count)).round(1 if ties else 6)
    allowed = rng.random((count, count)) < 0.6
    if own:
        np.fill_diagonal(allowed, True)
    found = assign_pairs(make_costs(cost, allowed), raise_by=1e-4)
    paired = found != NOBODY
    assert len(set(found[paired].tolist())) == paired.sum()
    assert allowed[np.flatnonzero(paired), found[paired]].all()
    if not allowed.any():
        assert not paired.any()
        return
    if own:
        assert paired.all()
    nobody = 2 * cost[allowed].max() + 1e-4
    total = cost[np.flatnonzero(paired), found[paired]].sum() + nobody * (~paired).sum()
    least = cheapest(cost, allowed, 1e6 if allowed.diagonal().all() else nobody)
    assert total <= least + 1e-4 * count + 1e-9


def swapped(count: int, seed: int, percent: float = 30.0) -> tuple[ms.Study, NumberPairs]:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame({name: rng.normal(size=count).round(1) for name in NAMES})
    study = ms.study(frame, keys=[])
    after = study.rank_swap(NAMES, percent=percent, seed=seed)
    before, now = (
        [pl.DataFrame(each.frame)[name].to_numpy() for name in NAMES] for each in (study, after)
    )
    return after, NumberPairs(names=NAMES, before=before, after=now)


def brute_hits(pairs: NumberPairs, percent: float) -> set[int]:
    """Hits that a cheapest pairing of all records may have, by every permutation."""
    count, width = pairs.records, largest_change(pairs.records, percent)
    cost, allowed = np.zeros((count, count)), np.ones((count, count), bool)
    for old, new in zip(pairs.before, pairs.after, strict=True):
        for i, j in np.ndindex(count, count):
            mine, other = (
                [at for at, each in enumerate(sorted(values)) if each == value]
                for values, value in ((old, old[i]), (new, new[j]))
            )
            allowed[i, j] &= min(abs(x - y) for x in mine for y in other) <= width
            cost[i, j] += ((np.mean(mine) - np.mean(other)) / width) ** 2
    ways = [each for each in permutations(range(count)) if allowed[range(count), each].all()]
    totals = [cost[range(count), each].sum() for each in ways]
    least = min(totals)
    return {
        sum(i == j for i, j in enumerate(each))
        for each, total in zip(ways, totals, strict=True)
        if total <= least + 1e-3 * count
    }


@pytest.mark.parametrize("seed", range(6))
def test_hits_are_those_of_a_cheapest_pairing(seed: int) -> None:
    _, pairs = swapped(7, seed)
    windows = [SwapWindow(variable=name, percent=30.0) for name in NAMES]
    found = measure_window(pairs, windows, measure_linkage(pairs))
    assert found is not None
    assert round(found.expected) in brute_hits(pairs, 30.0)


def test_the_true_pairing_is_inside_the_window() -> None:
    for percent in (0.1, 5, 60, 100):
        _, pairs = swapped(300, 3, percent)
        windows = [SwapWindow(variable=name, percent=percent) for name in NAMES]
        bidder, partner, _ = window.WindowSearch(pairs, windows)._find_pairs(
            np.arange(300), np.arange(300)
        )
        assert set(range(300)) <= set(bidder[bidder == partner].tolist())


def test_it_finds_more_than_the_nearest() -> None:
    study, _ = swapped(600, 1, 10.0)
    found = study.numeric_risk(NAMES)
    assert found.window is not None
    assert found.window.rate > 1.1 * found.linkage.all.rate
    assert found.found == found.window
    assert found.summary()["linkage"]["window"]["expected"] == found.window.expected
    assert "paired one to one inside the window of ranks" in repr(found)


def test_nothing_is_said_where_nothing_was_swapped() -> None:
    frame = pl.DataFrame({"a": [1.0, 2.0, 4.0, 8.0]})
    found = ms.study(frame, keys=[]).noise("a", seed=1).numeric_risk()
    assert found.window is None
    assert found.summary()["linkage"]["window"] is None


def test_keys_and_strata_keep_records_apart() -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({name: rng.normal(size=400) for name in NAMES})
    frame = frame.with_columns(k=pl.int_range(pl.len()) % 40, s=pl.int_range(pl.len()) % 4)
    by_strata = ms.study(frame, keys=["k"]).rank_swap(NAMES, percent=50, strata="s", seed=1)
    alone = ms.study(frame, keys=[]).rank_swap(NAMES, percent=50, seed=1)
    with_keys, without = by_strata.numeric_risk().window, alone.numeric_risk().window
    assert with_keys is not None
    assert without is not None
    assert with_keys.rate > 2 * without.rate


def test_missing_values_are_not_compared() -> None:
    _, pairs = swapped(200, 4, 5.0)
    gone = [column.copy() for column in pairs.after]
    gone[0][::3] = np.nan
    blanked = replace(pairs, after=gone)
    windows = [SwapWindow(variable=name, percent=5.0) for name in NAMES]
    whole, less = (
        measure_window(each, windows, measure_linkage(each)) for each in (pairs, blanked)
    )
    assert whole is not None
    assert less is not None
    assert 0.3 * whole.rate < less.rate < whole.rate


def test_a_chance_to_keep_the_keys_counts() -> None:
    _, pairs = swapped(100, 5, 5.0)
    windows = [SwapWindow(variable=name, percent=5.0) for name in NAMES]
    linkage = measure_linkage(pairs)
    full, half = (
        measure_window(pairs, windows, linkage, [KeySubset(chance=np.full(100, chance))])
        for chance in (1.0, 0.5)
    )
    assert full is not None
    assert half is not None
    assert half.rate == pytest.approx(full.rate / 2)


def test_blocks_are_near_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    _, pairs = swapped(1500, 6, 5.0)
    windows = [SwapWindow(variable=name, percent=5.0) for name in NAMES]
    linkage = measure_linkage(pairs)
    whole = measure_window(pairs, windows, linkage)
    monkeypatch.setattr(window, "_WHOLE", 100)
    monkeypatch.setattr(window, "_BLOCK", 500)
    blocks = measure_window(pairs, windows, linkage)
    assert whole is not None
    assert blocks is not None
    assert blocks.searched == 2500
    assert blocks.error > 0
    assert blocks.rate == pytest.approx(whole.rate, rel=0.15)


def test_windows_of_two_steps_are_added() -> None:
    frame = pl.DataFrame({"a": np.arange(200.0), "b": np.arange(200.0)[::-1].copy()})
    once = ms.study(frame, keys=[]).rank_swap(["a", "b"], percent=5, seed=1)
    twice = once.rank_swap("a", percent=10, seed=2)
    found = {each.variable: each.percent for each in find_windows(twice.rollback(0), twice)}
    assert found == {"a": 15.0, "b": 5.0}


def test_his_row_in_the_table() -> None:
    study, _ = swapped(300, 7, 5.0)
    frame = pl.DataFrame(study.rollback(0).frame).with_columns(region=pl.int_range(pl.len()) % 3)
    start = ms.study(frame, keys=["region"])
    before = next(row for row in start.intruders() if row.name == "numbers")
    assert "No step has changed a number" in before.not_tried
    policy = ms.Policy(intruders={"numbers": 0.05})
    after = start.rank_swap(NAMES, percent=5, seed=1)
    row = next(row for row in after.intruders(policy=policy) if row.name == "numbers")
    measured = after.numeric_risk()
    assert row.now.expected == measured.found.expected
    assert row.now.figures == {"numbers": measured.found.rate}
    assert (row.met, row.rule, row.limit, row.before) == (False, "numbers", 0.05, None)
