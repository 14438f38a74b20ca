"""The embedded engine reads what is needed, once, and guesses roles."""

from __future__ import annotations

import gc
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.cells import number
from microsafe.engine.local import LocalEngine
from microsafe.io import Source
from microsafe.options.scenario import Scenario
from microsafe.schema import Schema, Variable
from microsafe.sums import Exact


def test_each_column_is_read_once_and_only_if_needed() -> None:
    frame = pl.DataFrame({"a": ["x", "y"], "b": ["1", "1"], "c": ["?", "?"], "w": [2.0, 3.0]})
    asked: list[list[str]] = []

    def load(names: Sequence[str]) -> pl.DataFrame:
        asked.append(list(names))
        return frame.select(names)

    schema = Schema(source="f", variables=tuple(Variable(name=n) for n in frame.columns))
    engine = LocalEngine(Source(schema=schema, load=load, columnar=True))
    engine.cells(Scenario(keys=("a", "b"), weight="w", estimator="cell"))
    engine.cells(Scenario(keys=("a",), weight="w", estimator="cell"))
    assert asked == [["a"], ["b"], ["w"]]
    rows = LocalEngine(Source(schema=schema, load=load, columnar=False))
    asked.clear()
    rows.cells(Scenario(keys=("a", "b"), weight="w", estimator="cell"))
    assert asked == [["a", "b", "w"]]


def test_codes_that_nobody_has_any_more_keep_nothing_alive() -> None:
    study = ms.study(pl.DataFrame({"a": ["x", "y", "y", "z"]}))
    changed = study.recode("a", groups={"v": ["x", "y"]})
    held = study.engine._records._shared_codes  # type: ignore[attr-defined]
    assert list(changed.engine.cells(Scenario(keys=("a",))).categories[0]) == ["v", "z"]
    assert "a" in held
    del changed
    gc.collect()
    assert not held


def test_suggested_roles() -> None:
    rows = 200
    frame = pl.DataFrame(
        {
            "hhid": np.arange(rows) // 2,
            "pid": np.arange(rows),
            "region": np.arange(rows) % 8,
            "pspwght": np.linspace(1, 9, rows),
            "income": np.arange(rows) * 10 + 7,
            "note": ["x"] * rows,
        }
    )
    roles = {each.name: each.role for each in ms.study(frame).describe()}
    assert roles == {
        "hhid": "household",
        "pid": "identifier",
        "region": "key",
        "pspwght": "weight",
        "income": "other",  # nobody shares a value, but it is an amount
        "note": "other",
    }


columns = st.integers(1, 4).flatmap(
    lambda k: st.integers(0, 30).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=k, max_size=k
        )
    )
)


@given(columns, st.sampled_from([3, 10**6, 2**32 - 1]))
def test_numbering_is_lexicographic_whatever_the_width(values: list[list[int]], size: int) -> None:
    codes = [np.array(column, np.uint32) for column in values]
    rows = len(values[0])
    group, first = number(codes, [size] * len(codes), rows=rows)
    records = list(zip(*values, strict=True))
    assert [records[i] for i in first] == sorted(set(records))
    assert [sorted(set(records)).index(record) for record in records] == group.tolist()


@given(st.lists(st.floats(1, 1e9), min_size=1, max_size=60), st.randoms(use_true_random=False))
def test_sums_do_not_depend_on_the_order(values: list[float], random: object) -> None:
    group = np.arange(len(values)) % 3
    order = list(range(len(values)))
    random.shuffle(order)  # type: ignore[attr-defined]
    array = np.array(values)
    there = Exact.split(array).group(group, 3).value
    back = Exact.split(array[order]).group(group[order], 3).value
    assert there.tolist() == back.tolist()
    import math

    wanted = [math.fsum(array[group == g]) for g in range(3)]
    np.testing.assert_allclose(there, wanted, rtol=2.3e-16)


def test_input_that_changes_between_columns_is_noticed() -> None:
    schema = Schema(source="f.csv", variables=(Variable(name="a"), Variable(name="b")))
    frames = iter([pl.DataFrame({"a": ["x"]}), pl.DataFrame({"b": ["x", "y"]})])
    engine = LocalEngine(Source(schema=schema, load=lambda _: next(frames), columnar=True))
    with pytest.raises(ms.InputError, match="changed while it was read"):
        engine.cells(Scenario(keys=("a", "b")))
