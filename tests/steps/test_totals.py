"""Rounding that keeps sums."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from microsafe.steps.noise.weight_noise import restore_totals


@given(
    st.lists(
        st.tuples(st.floats(1, 500), st.integers(0, 2), st.integers(1, 4)), min_size=1, max_size=30
    ),
    st.integers(0, 3),
    st.floats(0.7, 1.5),
)
def test_sums_are_kept_and_nothing_falls_below(
    rows: list[tuple[float, int, int]], decimals: int, factor: float
) -> None:
    values, labels, size = (np.array(each) for each in zip(*rows, strict=True))
    group = np.unique(labels, return_inverse=True)[1].reshape(-1)
    true = np.round(np.maximum(values * factor, 1), decimals)
    totals = np.bincount(group, size * true)
    made = restore_totals(values, totals, group, size=size, lowest=1.0, decimals=decimals)
    assert made.min() >= 1
    assert np.allclose(np.round(made, decimals), made)
    found = np.bincount(group, size * made)
    slack = [size[group == each].max() - 1 for each in range(len(totals))]
    assert (np.abs(found - totals) <= (np.array(slack) + 1e-3) * 10.0**-decimals).all()
