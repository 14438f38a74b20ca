"""What a walk through the values of a variable tells is what its codes tell."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.engine.local import records as local_records
from microsafe.engine.local.value_traits import can_walk, find_traits, walk_values
from microsafe.variables.traits import Traits
from profiles import examples

TEXTS = (
    "1",
    "01",
    " 1",
    "2",
    "10",
    "-3",
    "+4",
    "1.5",
    "1,5",
    "1e3",
    "9",
    "NA",
    "",
    " ",
    "x",
    "Zoë",
)
VALUES = st.one_of(
    st.lists(st.one_of(st.none(), st.sampled_from(TEXTS))),
    st.lists(st.one_of(st.none(), st.sampled_from(TEXTS[:7]))),
    st.lists(st.one_of(st.none(), st.sampled_from([0.0, -0.0, 1.0, 1.5, 9.0, 1e-7, 1e20]))),
    st.lists(st.one_of(st.none(), st.sampled_from([0, 1, -1, 9, 2**60]))),
    st.lists(st.one_of(st.none(), st.booleans())),
    st.lists(st.sampled_from([Decimal("1.50"), Decimal("2.00"), Decimal("10.25")])),
)


def look_both_ways(study: Any) -> tuple[dict[str, Traits], dict[str, Traits]]:
    records = study.engine._records
    names = [name for name in study.schema.names if can_walk(records, name)]
    assert names
    walked = walk_values(records, names, lambda part: None)
    return walked, find_traits(records, names)


@examples(200)
@given(VALUES.filter(bool), st.booleans())
def test_any_values(values: list[Any], declared: bool) -> None:
    frame = pl.DataFrame({"v": pl.Series(values, strict=True), "k": ["a"] * len(values)})
    missing = {"v": ms.Declaration(missing=(9, "NA"))} if declared else {}
    walked, coded = look_both_ways(ms.study(frame, variables=missing))
    assert walked == coded


@pytest.mark.parametrize("batch", [8, 1 << 21])
def test_many_values_in_batches(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_records, "BATCH", batch)
    frame = pl.DataFrame(
        {
            "whole": [str((7 * place) % 31) for place in range(100)],
            "fraction": [f"{(7 * place) % 31 / 4:.2f}" for place in range(100)],
            "late": [*["5"] * 90, *["a"] * 10],
            "income": [None if place % 9 == 0 else place % 13 / 2 for place in range(100)],
            "age": [90 - place % 40 for place in range(100)],
        }
    )
    walked, coded = look_both_ways(ms.study(frame))
    assert walked == coded
    assert walked["whole"].falls == coded["whole"].falls != 0


@pytest.mark.parametrize("batch", [4_096, 1 << 21])
def test_those_that_are_looked_at_hang_on_values_alone(
    batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many numbers about 2,000 are looked at, whatever their order, the same with codes."""
    monkeypatch.setattr(local_records, "BATCH", batch)
    frame = pl.DataFrame({"pay": [f"{place * 37 % 10_007 / 100:.2f}" for place in range(10_007)]})
    walked, coded = look_both_ways(ms.study(frame))
    assert walked == coded
    assert 1_800 < walked["pay"].looked < 2_200
    assert walked["pay"].all_numbers
    other, _ = look_both_ways(ms.study(frame.reverse()))
    assert replace(other["pay"], falls=walked["pay"].falls) == walked["pay"]


def test_coded_and_compound_values_are_not_walked() -> None:
    frame = pl.DataFrame({"a": ["1", "2"], "b": [[1], [2]], "c": ["x", "y"]})
    engine: Any = ms.study(frame, keys=["a"]).engine
    engine.categories("a")
    assert [name for name in "abc" if can_walk(engine._records, name)] == ["c"]
    assert [each.name for each in engine.traits()] == ["a", "b", "c"]


def test_short_memory_finds_the_same() -> None:
    frame = pl.DataFrame({"a": [str(place % 40) for place in range(500)]})
    plain, short = ms.study(frame), ms.study(frame, memory="1GB")
    assert plain.engine.traits() == short.engine.traits()
