"""One definition of loss: against counting by hand, and the same wherever it is told."""

from __future__ import annotations

import math
from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.display import show_percent
from microsafe.report.document import Grid, join, plain_text
from microsafe.report.sections.cost import board_cost
from microsafe.steps import Drop, Recode, Suppress
from microsafe.steps.base import Step
from microsafe.steps.loss import NUMBERS, keep_categories, measure_categories
from steps import test_recode as common

CODES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 5)), min_size=1, max_size=30
)


def lost_by_hand(old: list[int], new: list[int]) -> tuple[float, float]:
    """Entropy, and the mean of -log2 P(original | released), record by record."""
    pairs = [(x, z) for x, z in zip(old, new, strict=True) if x]
    whole, p = len(pairs), Counter(x for x, _ in pairs)
    shown, joint = Counter(x for x, z in pairs if z), Counter(pairs)
    bits = [math.log2(whole / p[x]) for x, _ in pairs]

    def likely(x: int, z: int) -> float:
        return p[x] * joint[x, z] / shown[x] if shown[x] else 0.0

    lost = [
        math.log2(sum(likely(y, z) for y in p) / likely(x, z)) if z else math.log2(whole / p[x])
        for x, z in pairs
    ]
    return sum(bits) / max(whole, 1), sum(lost) / max(whole, 1)


def arrays(rows: list[tuple[int, int, int]]) -> tuple[Any, ...]:
    return tuple(np.array(each) for each in zip(*rows, strict=True))


@given(CODES)
def test_by_hand(rows: list[tuple[int, int, int]]) -> None:
    old, new = ([row[side] for row in rows for _ in range(row[2])] for side in (0, 1))
    bits, lost = lost_by_hand(old, new)
    found = measure_categories(*arrays(rows))
    assert found == pytest.approx((bits, min(lost, bits)), abs=1e-9)
    assert found == measure_categories(*arrays(rows[::-1]))
    assert 0 <= found[1] <= found[0]


@given(CODES, st.lists(st.integers(1, 2), min_size=4, max_size=4), st.data())
def test_recodes_and_blanks_never_gain(rows: Any, merged: list[int], data: Any) -> None:
    old, _, count = arrays(rows)
    kinds = [np.arange(5), np.array([0, *merged]), np.minimum(np.arange(5), 1)]
    blank = np.zeros(len(old), bool)
    before = 0.0
    for kind in kinds:
        for _ in range(2):
            bits, lost = measure_categories(old, np.where(blank, 0, kind[old]), count, kind[1:])
            assert before <= lost + 1e-12
            before = lost
            blank |= np.array(
                data.draw(st.lists(st.booleans(), min_size=len(old), max_size=len(old)))
            )
    bits, lost = measure_categories(old, np.zeros_like(old), count)
    assert lost == bits


def letters(*keys: str) -> ms.Study:
    frame = pl.DataFrame(
        {"x": [*"aabbbbbbcccccccc"], "y": [*"ppqqqqqqpppppppp"], "z": [*"abcdefghijklmnop"]}
    )
    return ms.study(frame, keys=keys)


def test_merge_a_and_b_and_blank_every_a() -> None:
    """A blank as one more category would call this no loss at all."""
    start = letters("x", "y")
    merged = start.recode("x", groups={"ab": ["a", "b"]})
    alone = merged.compare().losses[0]
    assert alone.lost == pytest.approx((2 * math.log2(8 / 2) + 6 * math.log2(8 / 6)) / 16)
    done = merged.suppress(k=3, spare=["y"])
    assert done.engine.table()["x"].to_list() == [None] * 2 + ["ab"] * 6 + ["c"] * 8
    loss = done.compare().losses[0]  # a may be any of the file, b is a or b
    assert loss.lost == pytest.approx((2 * math.log2(16 / 2) + 6 * math.log2(8 / 6)) / 16)
    (step,) = merged.preview(done).information
    assert step.lost == pytest.approx(loss.lost - alone.lost)
    (table,) = [each for each in done.compare().one_way() if each.names == ("x",)]
    assert table.largest == pytest.approx(8 / 14 - 8 / 16)  # ab was half of the file


def test_all_blank_is_all() -> None:
    start = letters("y", "z")
    done = start.suppress(k=2, spare=["y"])
    assert done.engine.table()["z"].null_count() == 16
    assert [each.share_lost for each in start.preview(done).information] == [1.0]
    assert done.compare().losses[1].lost_share == 1.0
    assert start.preview(Drop(variables=("z",), from_keys=True)).information[0].share_lost == 1.0


def test_recodes_are_compared_by_released_categories() -> None:
    start = letters("x", "y")
    done = start.recode("x", groups={"1": ["a", "b"], "2": ["c"]}).compare()
    (table,) = [each for each in done.one_way() if each.names == ("x",)]
    assert (table.hellinger, table.lost, table.cells, table.recoded) == (0.0, 0.0, 2, ("x",))
    assert [each.names for each in done.two_way()] == [("x", "y")]
    (note,) = done.notes
    assert "categories released (2)" in note
    assert f"loses {100 * done.losses[0].lost_share:.1f} %" in note


def test_recoded_and_exchanged_categories_are_compared_as_released() -> None:
    start = common.opened()
    merged = start.recode("region", groups={"1": ["1", "2", "3"], "4": [("4", "12")]})
    done = merged.pram("region", keep=0.9, seed=1)
    wanted = done.compare(to=1).one_way()[0]
    found = done.compare().one_way()[0]
    assert found.names == wanted.names == ("region",)
    assert (found.cells, found.hellinger) == (2, pytest.approx(wanted.hellinger))


def shares(study: ms.Study) -> dict[str, float]:
    return {each.name: each.lost_share for each in study.compare().losses}


@common.every
def test_same_in_preview_and_comparison(step: Step) -> None:
    start = common.opened()
    done = start.apply(step)
    found = start.preview(step).information
    told = shares(done)
    assert {each.variable for each in found} == {*step.changed_variables(done.steps[-1])}
    for each in found:
        assert 0 <= each.share_lost <= 1
        assert each.share_lost == told.get(each.variable, each.share_lost)
    assert all(not told[name] for name in told if name not in {each.variable for each in found})


FOLLOWING: list[Step] = [
    Suppress(k=3),
    Recode(variable="region", groups={"1": ("1", "2", "3")}),
    Recode(variable="age", breaks=(20, 40, 60)),
]


@common.every
@pytest.mark.parametrize("after", FOLLOWING, ids=lambda each: each.do)
def test_no_step_lowers_it_and_steps_add_up(step: Step, after: Step) -> None:
    start = common.opened()
    first = start.apply(step)
    try:
        done = first.apply(after)
    except (ms.UsageError, ms.InputError):
        return  # the two do not go together
    earlier, later = shares(first), shares(done)
    assert all(later[name] >= share for name, share in earlier.items() if name in later)
    for each in first.preview(done).information:
        before = earlier.get(each.variable, 0.0)
        assert each.share_lost == pytest.approx(later[each.variable] - before, abs=1e-12)
        assert each.lost >= 0
        since = {row.name: row for row in done.compare(to=1).losses}
        assert since[each.variable].lost_share == each.share_lost


def test_suggestions_after_other_steps_are_what_their_steps_do() -> None:
    start = common.opened().recode("region", groups={"1": ["1", "2"]}).suppress(above=0.02)
    assert start.steps[-1].total > 10
    found = start.suggest(most=1000)
    assert len(found) > 5
    for each in found:
        done = start.preview(each.step)
        assert each.information == done.information
        told = {row.name: row for row in start.apply(each.step).compare(to=2).losses}
        assert told[each.information[0].variable].lost_share == each.loss


@common.every
def test_the_report_says_the_same(step: Step) -> None:
    start = common.opened()
    done = start.apply(step)
    content: Any = SimpleNamespace(comparison=done.compare(), labels={}, prices=())
    losses = next(each for each in board_cost(content) if isinstance(each, Grid))
    rows = {plain_text(row[0]): plain_text(join(row, " ")) for row in losses.rows}
    told = {row.name for row in content.comparison.losses}
    for each in start.preview(step).information:
        row = rows.get(each.variable, "")
        if each.variable in told:
            assert show_percent(each.share_lost) in row


def test_a_sample_is_what_protection_begins_with() -> None:
    start = common.opened()
    drawn = start.sample(0.5, seed=1)
    done = drawn.recode("age", breaks=[0, 20, 40])
    (found,) = start.preview(done).information
    assert (found,) == drawn.preview(done).information
    assert found.share_lost == shares(done)["age"] > 0
    assert start.preview(drawn).information == ()


def test_numbers_lose_what_is_blank_and_what_does_not_correlate() -> None:
    frame = pl.DataFrame({"k": [*"aabbbbbb"], "n": [1.0, 2, 3, 4, 5, 6, 7, 8]})
    start = ms.study(frame, keys=["k"])
    moved = start.noise("n", variance=0.5, seed=1)
    (found,) = start.preview(moved).information
    r = np.corrcoef(frame["n"].to_numpy(), moved.engine.table()["n"].to_numpy())[0, 1]
    assert found.share_lost == pytest.approx(1 - r**2)
    told = NUMBERS.measure(
        start.engine,
        ms.study(moved.engine.table().with_columns(n=pl.lit(None, pl.Float64))).engine,
        "n",
        keep_categories,
    )
    assert told is not None
    assert told.lost == told.bits == 3.0
