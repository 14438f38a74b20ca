"""Rows of a table found by their codes, against a dictionary."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.arrays import RowLookup


@given(st.integers(0, 12), st.data())
def test_against_a_dictionary(columns: int, data: st.DataObject) -> None:
    size = data.draw(st.sampled_from([1, 3, 200_000]))  # twelve of the last need three words
    rows = st.lists(
        st.tuples(*[st.integers(0, size)] * columns), unique=True, min_size=0, max_size=8
    )
    table = data.draw(rows)
    asked = data.draw(st.lists(st.sampled_from(table), max_size=4)) if table else []
    asked += data.draw(st.lists(st.tuples(*[st.integers(0, size + 3)] * columns), max_size=4))
    known = {row: place for place, row in enumerate(table)}

    def codes(rows: list[tuple[int, ...]]) -> list[np.ndarray]:
        return [np.array([row[j] for row in rows], np.uint32) for j in range(columns)]

    lookup = RowLookup.of(codes(table), [size] * columns, len(table))
    assert lookup.find(codes(asked), len(asked)).tolist() == [known.get(row, -1) for row in asked]


@pytest.mark.parametrize("rows", [0, 5])
def test_no_column(rows: int) -> None:
    assert RowLookup.of([], [], 1).find([], rows).tolist() == [0] * rows
