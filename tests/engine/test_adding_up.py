"""Counts and weights of cells, added up at the same time."""

from __future__ import annotations

import numpy as np
import pytest

from microsafe.engine.weights import add_up_cells
from microsafe.sums import Sums


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("cells", [5, 5000])
@pytest.mark.parametrize("digits", [0, 2])
def test_cells_are_added_up_alike_by_threads(threads: int, cells: int, digits: int) -> None:
    rng = np.random.default_rng(cells)
    groups = [rng.integers(0, cells, 1000).astype(np.uint32) for _ in range(4)]
    weights = [np.round(1 + rng.gamma(4, 25, 1000), digits) for _ in groups]
    count = np.zeros(cells, np.int64)
    found = add_up_cells(count, groups, lambda: iter(weights), threads=threads)
    wanted = Sums(cells, float(sum(each.sum() for each in weights)))
    for group, weight in zip(groups, weights, strict=True):
        wanted.add(group, weight)
    assert count.tolist() == np.bincount(np.concatenate(groups), minlength=cells).tolist()
    assert found.value.tolist() == wanted.exact.value.tolist()
    assert (found.low is None) == (wanted.exact.low is None) == (digits == 0)
