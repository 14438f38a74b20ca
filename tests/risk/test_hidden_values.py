"""Guesses of hidden values, against guesses record by record."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.risk.counts import hidden_values
from microsafe.risk.counts.hidden_values import (
    PARTS,
    Guesses,
    HiddenKey,
    calibrate,
    code_variable,
)

ROWS = 60


def make(seed: int, rows: int = ROWS) -> tuple[HiddenKey, list[np.ndarray]]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 5, rows)
    shown = np.where(rng.random(rows) < 0.4, 0, (truth + 1) // 2)
    variables = [
        rng.integers(0, 4, rows),
        truth * (rng.random(rows) < 0.6),
        rng.integers(0, 3, rows),
    ]
    return HiddenKey.of_records(truth, shown, rng.integers(0, PARTS, rows)), variables


def learn(key: HiddenKey, codes: list[object]) -> list[tuple[bool, bool]]:
    """Whether each hidden value is guessed right, and whether anybody could teach it."""
    found = []
    for row in key.asked:
        taught = Counter(
            key.truth[other]
            for other in range(len(key.truth))
            if codes[other] == codes[row] and key.part[other] != key.part[row]
        )
        mode = min(taught, key=lambda value: (-taught[value], value), default=None)
        found.append((mode == key.truth[row], bool(taught)))
    return found


def screen(key: HiddenKey, variables: list[np.ndarray]) -> list[bool]:
    shown = key.shown.tolist()
    blind = [right for right, _ in learn(key, shown)]

    def attempt(codes: list[object], otherwise: list[bool]) -> list[list[bool]]:
        ways = (learn(key, codes), learn(key, list(zip(codes, shown, strict=True))))
        return [
            [right if seen else other for (right, seen), other in zip(way, otherwise, strict=True)]
            for way in ways
        ]

    def find_best(
        tried: list[list[list[bool]]], codes: list[list[object]]
    ) -> tuple[int, list[bool], list[object]]:
        ways = [(way, place) for place, both in enumerate(tried) for way in both]
        way, place = max(ways, key=lambda each: sum(each[0]))
        return sum(way), way, codes[place]

    codes = [variable[key.record].tolist() for variable in variables]
    single = [attempt(each, blind) for each in codes]
    order = sorted(range(len(codes)), key=lambda j: -max(map(sum, single[j])))
    two = [list(zip(codes[a], codes[b], strict=True)) for a, b in combinations(order, 2)]
    pairs = [attempt(each, blind) for each in two]
    found = [blind, *(way for both in (*single, *pairs) for way in both)]
    most, best, now = find_best(pairs, two)
    for _ in range(3):  # with a variable more, as long as it helps
        more = [list(zip(now, codes[j], strict=True)) for j in order]
        again, way, joined = find_best([attempt(each, best) for each in more], more)
        if again <= most:
            break
        most, best, now = again, way, joined
        found.append(way)
    part = key.part[key.asked]
    result = []
    for place, own in enumerate(part):
        elsewhere = [sum(r for r, p in zip(way, part, strict=True) if p != own) for way in found]
        result.append(found[elsewhere.index(max(elsewhere))][place])
    return result


def bayes(key: HiddenKey, variables: list[np.ndarray]) -> list[tuple[bool, float]]:
    often = len(key.record) / 20
    columns = [variable[key.record] for variable in variables]
    hiding = set(key.shown[key.asked].tolist())  # all other codes are one
    shown = np.array([code if code in hiding else -1 for code in key.shown.tolist()])
    columns = [shown, *(each for each in columns if each.max() <= often)]
    classes = sorted(set(key.truth.tolist()))
    result = []
    for row in key.asked:
        taught = [i for i in range(len(key.truth)) if key.part[i] != key.part[row]]
        those = {value: [i for i in taught if key.truth[i] == value] for value in classes}

        def give(j: int, value: int, taught=taught, those=those, row=row) -> float:
            """P(code | value), shrunken to that of the code."""
            column, codes = columns[j], len(set(columns[j].tolist()))
            same = sum(column[i] == column[row] for i in taught)
            both = sum(column[i] == column[row] for i in those[value])
            return (both + (same + 1) / (len(taught) + codes)) / (len(those[value]) + 1)

        pooled = dict.fromkeys(classes, 0.0)
        for i, first in enumerate(columns):
            beside = {v: [r for r in those[v] if first[r] == first[row]] for v in classes}
            if not any(beside.values()):
                continue  # never seen
            for value in classes:
                prior = (len(those[value]) + 0.5) / (len(taught) + 0.5 * len(classes))
                score = len(beside[value]) + prior
                for j, other in enumerate(columns):
                    if j != i:
                        both = sum(other[r] == other[row] for r in beside[value])
                        score *= (both + give(j, value)) / (len(beside[value]) + 1)
                pooled[value] += score
        best = max(pooled.values())
        every = sum(pooled.values())
        guess = next(value for value in classes if pooled[value] == best)
        result.append((guess == key.truth[row], best / every if every else 0.0))
    return result


@given(st.integers(0, 10**6))
def test_a_screen_is_the_best_variable_or_pair_of_the_others(seed: int) -> None:
    key, variables = make(seed)
    found = key.guess_by_screen([(each,) for each in variables])
    assert found.right.tolist() == screen(key, variables)


@pytest.mark.parametrize("seed", range(8))
def test_bayes_pools_what_others_hang_on(seed: int) -> None:
    key, variables = make(seed, 100)
    found = key.guess_by_bayes([(each,) for each in variables])
    expected = bayes(key, variables)
    assert found.chance == pytest.approx([chance for _, chance in expected], rel=1e-4)
    wrong = np.count_nonzero(found.right != [right for right, _ in expected])
    assert wrong <= 1  # ties are broken by the last digit


def make_wide(codes: int, others: int = 13, rows: int = 4000) -> tuple[HiddenKey, list]:
    """A key with many codes that is blank for a tenth of the records."""
    rng = np.random.default_rng(1)
    truth = rng.integers(1, codes + 1, rows)
    shown = np.where(rng.random(rows) < 0.1, 0, truth)
    variables = [(rng.integers(1, 40, rows),) for _ in range(others)]
    return HiddenKey.of_records(truth, shown, rng.integers(0, PARTS, rows)), variables


@pytest.mark.parametrize("seed", range(3))
def test_codes_that_hide_nothing_are_one_in_bayes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 9, 120)
    shown = np.where(rng.random(120) < 0.2, 0, truth)
    variables = [rng.integers(0, 4, 120), truth // 2]
    key = HiddenKey.of_records(truth, shown, rng.integers(0, PARTS, 120))
    found, expected = key.guess_by_bayes([(v,) for v in variables]), bayes(key, variables)
    assert found.chance == pytest.approx([chance for _, chance in expected], rel=1e-4)
    assert np.count_nonzero(found.right != [right for right, _ in expected]) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("codes", [400, 2000])
def test_tables_of_many_codes_have_a_bound(codes: int) -> None:
    key, variables = make_wide(codes)
    asked: list[int] = []
    tracemalloc.start()
    key.guess_by_bayes(variables, asked.append)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert asked[0] <= 4 * hidden_values._TABLES
    assert most < 1.2 * asked[0] + (20 << 20)  # what it asked for, and some records at work


def test_what_is_shown_is_left_out_where_it_alone_is_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    truth, part = rng.integers(1, 61, 2000), rng.integers(0, PARTS, 2000)
    key, teller = HiddenKey.of_records(truth, (truth + 1) // 2, part), (truth + 1) // 2
    monkeypatch.setattr(hidden_values, "_TABLES", 60 * 30 * 4)
    assert key.guess_by_bayes([(teller,)]).right.mean() < 0.1  # neither fits
    monkeypatch.setattr(hidden_values, "_TABLES", 1 << 20)
    assert key.guess_by_bayes([(teller,)]).right.mean() > 0.4


def test_what_is_hidden() -> None:
    truth = np.array([1, 2, 3, 4, 0, 1, 3])
    shown = np.array([1, 1, 2, 0, 0, 0, 2])
    key = HiddenKey.of_records(truth, shown, np.zeros(7, np.intp))
    assert key.hidden.tolist() == [0, 1, 3, 5]  # a group of two, blanks; the gap hides nothing


def test_a_code_of_its_own_for_each_record_tells_nothing() -> None:
    rng = np.random.default_rng(1)
    truth, part = rng.integers(1, 3, 400), rng.integers(0, PARTS, 400)
    key = HiddenKey.of_records(truth, np.zeros(400, np.intp), part)
    for own in ([(np.arange(1, 401),)], [code_variable(np.arange(1, 401))]):
        assert key.guess_by_screen(own).right.mean() < 0.6
        assert key.guess_by_bayes(own).right.mean() < 0.6


@pytest.mark.parametrize("rows", [1, 2])
def test_hardly_any_record(rows: int) -> None:
    key = HiddenKey.of_records(np.ones(rows, np.intp), np.zeros(rows, np.intp), np.arange(rows))
    variables = [(np.zeros(rows, np.intp),)]
    for guesses in key.guess(variables).values():
        assert len(guesses.right) == rows
        assert calibrate(guesses, key.part).max() <= 1


def test_chances_are_shares_of_right_guesses_elsewhere() -> None:
    rng = np.random.default_rng(2)
    sure, part = rng.random(20_000), rng.integers(0, PARTS, 20_000)
    guesses = Guesses(right=rng.random(20_000) < sure**2, chance=sure)
    found = calibrate(guesses, part)
    assert np.abs(found - sure**2).max() < 0.12
    for own in range(PARTS):
        changed = Guesses(right=guesses.right ^ (part == own), chance=sure)
        assert np.array_equal(calibrate(changed, part)[part == own], found[part == own])
