"""Small counts are masked, and what is shown does not give them back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from microsafe.app.masking import LEAST, mask_line, mask_table

Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]


def alternatives(total: int, shown: list[int | None]) -> Iterator[tuple[int, ...]]:
    """Every line of counts that looks the same; a masked count is at least 1."""
    free = [at for at, each in enumerate(shown) if each is None]
    rest = total - sum(each or 0 for each in shown)
    for values in product(range(1, rest + 1), repeat=len(free)):
        if sum(values) == rest:
            yield tuple(values)


@pytest.mark.parametrize(
    "counts", [[1, 50, 20], [2, 2, 9], [1, 1, 1, 4], [2, 3], [40, 0, 1, 30, 2]]
)
def test_a_masked_count_in_a_line_may_be_three(counts: list[int]) -> None:
    line = np.array(counts)
    hidden = mask_line(line)
    shown = [None if gone else int(each) for each, gone in zip(counts, hidden, strict=True)]
    assert all(each is None or each == 0 or each >= LEAST for each in shown)
    free = np.flatnonzero(hidden).tolist()
    for place, at in enumerate(free):
        if line[at] < LEAST:
            others = {each[place] for each in alternatives(int(line.sum()), shown)}
            assert LEAST in others


def test_a_line_without_small_counts_is_shown_whole() -> None:
    assert not mask_line(np.array([3, 0, 9])).any()


def test_a_line_of_one_small_count_is_hidden() -> None:
    """Nothing else is there to hide it behind."""
    assert mask_line(np.array([2, 0])).tolist() == [True, True]


def tables(seed: int, many: int) -> Iterator[Counts]:
    rng = np.random.default_rng(seed)
    for _ in range(many):
        yield rng.poisson(rng.choice([0.7, 3, 6], size=(3, 3)))


def looks_the_same(counts: Counts, hidden: Mask, rows: Mask, columns: Mask) -> Iterator[Counts]:
    """Every table with the same shown cells and totals."""
    free = [tuple(at) for at in np.argwhere(hidden).tolist()]
    made = np.where(hidden, 0, counts)
    wanted = counts.sum(1), counts.sum(0)

    def fill(number: int) -> Iterator[Counts]:
        if ((made.sum(1) > wanted[0]) & ~rows).any() or made.sum() > counts.sum():
            return
        if number == len(free):
            fits = (made.sum(1) == wanted[0]) | rows, (made.sum(0) == wanted[1]) | columns
            if all(each.all() for each in fits) and made.sum() == counts.sum():
                yield made
            return
        for value in range(int(counts.max()) + LEAST + 1):
            made[free[number]] = value
            yield from fill(number + 1)
        made[free[number]] = 0

    yield from fill(0)


@pytest.mark.slow
def test_masked_cells_cannot_be_got_back_from_the_margins() -> None:
    shown = checked = 0
    for counts in tables(3, 80):
        rows, columns = mask_line(counts.sum(1)), mask_line(counts.sum(0))
        hidden = mask_table(counts, rows, columns)
        if hidden is None or hidden.sum() > 5:  # more cannot be tried out here
            continue
        assert hidden[(counts > 0) & (counts < LEAST)].all()
        for at in map(tuple, np.argwhere((counts > 0) & (counts < LEAST)).tolist()):
            others = looks_the_same(counts, hidden, rows, columns)
            assert any(each[at] >= LEAST for each in others), (counts, hidden)
            checked += 1
        shown += int((~hidden).sum())
    assert shown > 40
    assert checked > 12


def test_a_calm_table_is_shown_whole() -> None:
    counts = np.full((3, 4), 9)
    nothing = mask_table(counts, np.zeros(3, bool), np.zeros(4, bool))
    assert nothing is not None
    assert not nothing.any()


def test_one_small_cell_takes_three_others_with_it() -> None:
    counts = np.array([[1, 30, 40], [20, 25, 50], [60, 35, 70]])
    hidden = mask_table(counts, np.zeros(3, bool), np.zeros(3, bool))
    assert hidden is not None
    assert hidden.tolist() == [[True, True, False], [True, True, False], [False, False, False]]
