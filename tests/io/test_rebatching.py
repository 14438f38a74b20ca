"""Frames of any height become frames of one height."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from microsafe.batches import rebatch_frames


@given(st.lists(st.integers(0, 9), max_size=20), st.integers(1, 12))
def test_frames_of_any_height_become_frames_of_one(heights: list[int], size: int) -> None:
    whole = pl.DataFrame({"a": range(sum(heights))}, schema={"a": pl.Int64})
    ends = np.cumsum([0, *heights]).tolist()
    found = list(rebatch_frames((whole[a:b] for a, b in pairwise(ends)), size))
    assert [each.height for each in found[:-1]] == [size] * (len(found) - 1)
    assert [each for part in found for each in part["a"]] == whole["a"].to_list()
    assert all(each.height for each in found)
