"""Blanks that a file gives away, against guesses made record by record."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.risk.counts.recoverable_blanks import (
    KeyGuesses,
    RecoverableBlanks,
    guess_blanks,
    guess_by_variable,
)
from profiles import examples


def usual(values: list[int]) -> int:
    """The most frequent value, of equals the lowest; 0 if there is none."""
    counts = Counter(v for v in values if v)
    return min(counts, key=lambda v: (-counts[v], v)) if counts else 0


def brute_force(shown: list[int], truth: list[int], homes: list[int]) -> dict[str, float | None]:
    blanks = [i for i in range(len(shown)) if not shown[i] and truth[i]]
    mode = usual(shown)

    def right(guess: dict[int, int]) -> int:
        return sum((guess[i] or mode or -1) == truth[i] for i in blanks)

    before = {i: next((v for v in reversed(shown[:i]) if v), 0) for i in blanks}
    member = {
        i: usual([v for v, h in zip(shown, homes, strict=True) if h and h == homes[i]])
        for i in blanks
    }
    return {
        "blanks": len(blanks),
        "chance": right(dict.fromkeys(blanks, 0)),
        "random": pytest.approx(
            sum(shown.count(truth[i]) for i in blanks) / max(sum(v > 0 for v in shown), 1)
        ),
        "before": right(before),
        "member": right(member),
    }


@st.composite
def files(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    size = draw(st.integers(1, 60))
    column = lambda low, high: draw(st.lists(st.integers(low, high), min_size=size, max_size=size))  # noqa: E731
    truth = column(0, 3)
    hidden = column(0, 3)
    shown = [0 if gone == 0 else value for value, gone in zip(truth, hidden, strict=True)]
    return shown, truth, column(0, 9)


@given(files())
@examples(200)
def test_guesses_are_those_made_by_hand(file: tuple[list[int], ...]) -> None:
    shown, truth, homes = (np.array(each, np.int64) for each in file)
    found = guess_blanks("k", shown, truth, household=[homes])
    wanted = brute_force(*file)
    assert {name: getattr(found, name) for name in wanted} == wanted


def test_values_that_the_file_shows_nowhere_are_never_guessed() -> None:
    shown, truth = np.array([1, 0, 1, 0]), np.array([1, -1, 1, 1])
    found = guess_blanks("k", shown, truth)
    assert (found.blanks, found.chance, found.before) == (2, 1, 1)
    nothing = guess_blanks("k", np.zeros(3, np.int64), np.array([-1, -1, 0]))
    assert (nothing.blanks, nothing.random, nothing.before) == (2, 0, 0)


def test_another_variable_counts_if_it_guesses_more_than_chance() -> None:
    draw = np.random.default_rng(1)
    truth = draw.integers(1, 4, 1000)
    shown = np.where(draw.random(1000) < 0.1, 0, truth)
    found = guess_blanks("k", shown, truth)
    blanks = found.blanks
    by = guess_by_variable(found, shown, truth, "copy", truth * 7)
    assert (by.variable, by.by) == (blanks, "copy")
    assert guess_by_variable(by, shown, truth, "other", truth * 3) == by  # no better
    assert guess_by_variable(found, shown, truth, "number", np.arange(1, 1001)) == found
    assert guess_by_variable(found, shown, truth, "noise", draw.integers(1, 4, 1000)) == found
    half = np.where(np.arange(1000) % 2, truth, 0)
    usual_code = int(np.argmax(np.bincount(shown)[1:])) + 1
    at = shown == 0
    wanted = np.where(half > 0, half, usual_code)[at] == truth[at]
    some = guess_by_variable(found, shown, truth, "half", half)
    assert some.variable == int(wanted.sum())


def test_all_keys_together() -> None:
    one = KeyGuesses(name="a", blanks=10, chance=2, random=3, before=9, member=3)
    other = KeyGuesses(name="b", blanks=30, chance=6, random=5.5, before=4, variable=21, by="c")
    blind = KeyGuesses(name="d", blanks=10, chance=0, random=3, before=2)
    found = RecoverableBlanks(keys=(one, other))
    assert found.total == KeyGuesses(
        name="", blanks=40, chance=8, random=8.5, before=13, member=9, variable=23
    )
    assert found.share == (6 + 15) / 40
    assert (one.beyond, other.beyond, blind.beyond) == (6, 15, 0)
    assert RecoverableBlanks(keys=()).share == 0
    row = next(line.split() for line in repr(found).splitlines() if line.startswith("  a "))
    assert row == ["a", "10", "20.0", "%", "30.0", "%", "90.0", "%", "30.0", "%", "–"]
    assert "70.0 % (c)" in repr(found)
    assert found.summary()["keys"]["b"]["by"] == "c"
