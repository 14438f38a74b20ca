"""Blanks that a file gives away, against guesses made record by record."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.risk.counts import recoverable_blanks as ga
from microsafe.risk.counts.recoverable_blanks import (
    GivenAway,
    KeyGuesses,
    guess_blanks,
    guess_by_variable,
    is_determined,
)
from profiles import examples


def usual(values: list[int]) -> int:
    """The most frequent value, of equals the lowest; 0 if there is none."""
    counts = Counter(v for v in values if v)
    return min(counts, key=lambda v: (-counts[v], v)) if counts else 0


def brute_force(
    shown: list[int], truth: list[int], homes: list[int], other: list[int]
) -> dict[str, float | None]:
    blanks = [i for i in range(len(shown)) if not shown[i] and truth[i]]
    mode = usual(shown)

    def right(guess: dict[int, int]) -> int:
        return sum((guess[i] or mode or -1) == truth[i] for i in blanks)

    before = {i: next((v for v in reversed(shown[:i]) if v), 0) for i in blanks}
    member = {
        i: usual([v for v, h in zip(shown, homes, strict=True) if h and h == homes[i]])
        for i in blanks
    }
    by = {
        i: usual([v for v, o in zip(shown, other, strict=True) if o and o == other[i]])
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
        "variable": right(by) if blanks and determined(shown, other) else None,
    }


def determined(shown: list[int], other: list[int]) -> bool:
    checked = hits = 0
    for i, (value, by) in enumerate(zip(shown, other, strict=True)):
        rest = [
            v for j, (v, o) in enumerate(zip(shown, other, strict=True)) if j != i and v and o == by
        ]
        if value and by and rest:
            counts = Counter(rest)
            checked += 1
            hits += counts[value] == max(counts.values())
    return checked >= 20 and hits / checked >= 0.95


@st.composite
def files(draw: st.DrawFn) -> tuple[list[int], list[int], list[int], list[int]]:
    size = draw(st.integers(1, 60))
    column = lambda low, high: draw(st.lists(st.integers(low, high), min_size=size, max_size=size))  # noqa: E731
    truth = column(0, 3)
    hidden = column(0, 3)
    shown = [0 if gone == 0 else value for value, gone in zip(truth, hidden, strict=True)]
    noise = column(0, 25)
    other = [value if draw_on else 0 for value, draw_on in zip(truth, noise, strict=True)]
    return shown, truth, column(0, 9), other


@given(files())
@examples(200)
def test_guesses_are_those_made_by_hand(file: tuple[list[int], ...]) -> None:
    shown, truth, homes, other = (np.array(each, np.int64) for each in file)
    found = guess_blanks("k", shown, truth, household=[homes])
    found = guess_by_variable(found, shown, truth, "o", other)
    wanted = brute_force(*file)
    assert {name: getattr(found, name) for name in wanted} == wanted
    assert found.by == ("o" if wanted["variable"] is not None else "")


def test_values_that_the_file_shows_nowhere_are_never_guessed() -> None:
    shown, truth = np.array([1, 0, 1, 0]), np.array([1, -1, 1, 1])
    found = guess_blanks("k", shown, truth)
    assert (found.blanks, found.chance, found.before) == (2, 1, 1)
    nothing = guess_blanks("k", np.zeros(3, np.int64), np.array([-1, -1, 0]))
    assert (nothing.blanks, nothing.random, nothing.before) == (2, 0, 0)


def test_a_number_of_ones_own_determines_nothing() -> None:
    shown = np.random.default_rng(1).integers(1, 4, 1000)
    assert not is_determined(shown, np.arange(1, 1001))
    assert is_determined(shown, shown * 7)
    assert not is_determined(shown, np.random.default_rng(2).integers(1, 4, 1000))


def test_large_files_are_looked_at_in_part_first(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = np.random.default_rng(1).integers(1, 4, 1000)
    monkeypatch.setattr(ga, "_AT_FIRST", 100)
    assert is_determined(shown, shown * 7)
    assert not is_determined(shown, np.random.default_rng(2).integers(1, 4, 1000))


def test_all_keys_together() -> None:
    one = KeyGuesses(name="a", blanks=10, chance=2, random=3, before=9, member=3)
    other = KeyGuesses(name="b", blanks=30, chance=6, random=5.5, before=4, variable=21, by="c")
    blind = KeyGuesses(name="d", blanks=10, chance=0, random=3, before=2)
    found = GivenAway(keys=(one, other))
    assert found.total == KeyGuesses(
        name="", blanks=40, chance=8, random=8.5, before=13, member=9, variable=23
    )
    assert found.share == (6 + 15) / 40
    assert (one.beyond, other.beyond, blind.beyond) == (6, 15, 0)
    assert GivenAway(keys=()).share == 0
    row = next(line.split() for line in repr(found).splitlines() if line.startswith("  a "))
    assert row == ["a", "10", "20.0", "%", "30.0", "%", "90.0", "%", "30.0", "%", "–"]
    assert "70.0 % (c)" in repr(found)
    assert found.summary()["keys"]["b"]["by"] == "c"
