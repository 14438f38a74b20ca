"""Matrices of PRAM and the draw from them, against the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from microsafe.draws import Draws, uniforms
from microsafe.steps.pram import kernel as pram

Shares = NDArray[np.float64]


@st.composite
def shares_of(draw: st.DrawFn, least: int = 1) -> Shares:
    counts = draw(st.lists(st.integers(0, 1000), min_size=least, max_size=12))
    made = np.array(counts, np.float64)
    return made / made.sum() if made.any() else np.full(len(made), 1 / len(made))


def check_matrix(matrix: Shares, shares: Shares) -> None:
    assert np.all(matrix >= 0)
    assert np.abs(matrix.sum(axis=1) - 1).max() < 1e-12
    assert np.abs(shares @ matrix - shares).max() < 1e-12
    assert not matrix[np.ix_(shares > 0, shares == 0)].any()  # what is absent is not reached


@given(shares=shares_of(), keep=st.floats(0.01, 0.99))
def test_invariant(shares: Shares, keep: float) -> None:
    keep = max(keep, pram.least_keep(shares))
    matrix = pram.invariant_matrix(shares, keep)
    check_matrix(matrix, shares)
    assert matrix.diagonal().min() >= keep


@given(shares=shares_of(), data=st.data())
def test_any_part_of_each_category_may_be_drawn_anew(shares: Shares, data: st.DataObject) -> None:
    size = len(shares)
    change = data.draw(st.lists(st.floats(0, 1), min_size=size, max_size=size))
    check_matrix(pram.keeping_matrix(shares, np.array(change)), shares)


@given(shares=shares_of(), change=st.floats(0.01, 1), band=st.integers(1, 4))
def test_banded(shares: Shares, change: float, band: int) -> None:
    matrix = pram.banded_matrix(shares, change, band)
    check_matrix(matrix, shares)
    places = np.arange(len(shares))
    far = np.abs(places[:, None] - places[None, :]) > band
    assert not matrix[far].any()
    assert matrix.diagonal().min() >= 1 - change - 1e-12


def test_groups_are_not_left() -> None:
    shares = np.array([0.1, 0.2, 0.3, 0.15, 0.25])
    matrix = pram.grouped_matrix(shares, 0.8, [(0, 2), (1, 3)])
    check_matrix(matrix, shares)
    assert not matrix[0, [1, 3, 4]].any()
    assert matrix[4, 4] == 1
    assert matrix.diagonal().min() >= 0.8


def test_given_rows_are_made_to_sum_to_one() -> None:
    made = pram.normal_rows(np.array([[0.5, 0.5 + 5e-10], [0.0, 1.0]]))
    assert made.sum(axis=1).tolist() == [1.0, 1.0]
    for wrong, word in (([[0.5, 0.4], [0, 1]], "sum"), ([[1.5, -0.5], [0, 1]], "negative")):
        with pytest.raises(ValueError, match=word):
            pram.normal_rows(np.array(wrong))


def by_definition(matrix: Shares, category: int, u: float) -> int:
    for place, chance in enumerate(np.cumsum(matrix[category])):
        if u < chance:
            return place
    return int(np.flatnonzero(matrix[category])[-1])


@pytest.mark.parametrize(("strata", "size"), [(1, 4), (3, 7), (40, 60), (1, 1)])
def test_draw_is_the_definition(strata: int, size: int) -> None:
    generator = np.random.default_rng(5)
    shares = generator.random((strata, size))
    matrices = np.stack([pram.invariant_matrix(each / each.sum(), 0.6) for each in shares])
    matrices[0] = np.eye(size)
    n = 4000
    stratum, category = generator.integers(0, strata, n), generator.integers(0, size, n)
    words = Draws(seed=1, step=1, variable="v").words(np.arange(n, dtype=np.uint64))[:, 0]
    found = pram.DrawTable.of(matrices).draw(stratum, category, words)
    expected = [
        by_definition(matrices[s], c, u)
        for s, c, u in zip(stratum, category, uniforms(words), strict=True)
    ]
    assert found.tolist() == expected
    assert np.array_equal(found[stratum == 0], category[stratum == 0])


def test_draw_at_the_bounds() -> None:
    matrix = np.array([[[0.25, 0.0, 0.75], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0]]])
    table = pram.DrawTable.of(matrix)
    numbers = np.array([0.0, 0.25 - 2**-53, 0.25, 1 - 2**-53])
    words = (numbers * 2.0**53).astype(np.uint64) << np.uint64(11)
    none = np.zeros(4, np.intp)
    assert table.draw(none, none, words).tolist() == [0, 0, 2, 2]
    assert table.draw(none, none + 2, words).tolist() == [0, 0, 0, 1]


def test_a_kept_share_is_what_was_asked_for() -> None:
    shares = np.array([0.5, 0.3, 0.15, 0.05])
    matrix = pram.invariant_matrix(shares, 0.8)
    category = np.repeat(np.arange(4), (shares * 40_000).astype(int))
    words = Draws(seed=3, step=2, variable="v").words(np.arange(40_000, dtype=np.uint64))[:, 0]
    found = pram.DrawTable.of(matrix[None]).draw(np.zeros_like(category), category, words)
    for place in range(4):
        kept, chance = np.mean(found[category == place] == place), matrix[place, place]
        error = np.sqrt(chance * (1 - chance) / np.sum(category == place))
        assert abs(kept - chance) < 4 * error
