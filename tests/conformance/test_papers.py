"""The worked tables of the implementation strategy paper."""

from __future__ import annotations

import polars as pl
import pytest

import microsafe as ms

W = [18.0, 45.5, 39.0, 17.0, 541.0, 8.0, 5.0, 92.0]
COMPLETE = ["1251", "1211", "1211", "3315", "4314", "4311", "6215", "1251"]
MISSING = ["1251", "1211", "12.1", "..15", "431.", ".311", "6215", "1251"]


@pytest.mark.parametrize(
    ("rows", "f", "F"),
    [
        (COMPLETE, [2, 2, 2, 1, 1, 1, 1, 2], [110, 84.5, 84.5, 17, 541, 8, 5, 110]),
        # The paper prints 576 for the fourth; by its own rule it is 17 + 541 + 5.
        (MISSING, [3, 2, 4, 3, 3, 2, 2, 3], [149, 84.5, 194.5, 563, 566, 549, 22, 149]),
    ],
)
def test_worked_tables(rows: list[str], f: list[int], F: list[float]) -> None:
    frame = pl.DataFrame(
        {f"k{j}": [None if row[j] == "." else row[j] for row in rows] for j in range(4)} | {"w": W}
    )
    records = ms.study(frame, keys=frame.columns[:4], weight="w", estimator="cell").risk().records()
    assert records["f"].to_list() == f
    assert records["F"].to_list() == F
