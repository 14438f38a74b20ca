"""Ladders: identity, nesting and missing; steps make the groups that a ladder says."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.engine.local import LocalEngine
from microsafe.errors import UsageError
from microsafe.io import Source
from microsafe.options.scenario import Scenario
from microsafe.propose.ladders.key_ladders import build_ladders
from microsafe.propose.ladders.ladder import Ladder, Rung, build_ladder
from microsafe.schema import Schema, Variable
from microsafe.steps import Recode, Round, TopCode
from profiles import examples

AGE = Variable(name="age", kind="integer", measure="scale")
AGES = [str(each) for each in range(100)]


def open_key(variable: Variable, values: list[object]) -> ms.Study:
    """A study of one key, and a number for each record."""
    frame = pl.DataFrame({variable.name: values}, strict=False).with_row_index("record")
    schema = Schema(source="people", variables=(Variable(name="record", kind="integer"), variable))
    engine = LocalEngine(
        Source(schema=schema, load=lambda names: frame.select(names), columnar=True)
    )
    return ms.Study(engine=engine, scenarios=(Scenario(keys=(variable.name,)),))


def codes_of(study: ms.Study, key: str) -> np.ndarray:
    """The code of each record."""
    return study.engine.cells(Scenario(keys=("record", key))).codes[1].astype(np.int64)


def check(study: ms.Study, ladder: Ladder) -> None:
    """Every rung is a union of the one below, and what its step makes of the data."""
    before = codes_of(study, ladder.key)
    size = len(study.engine.categories(ladder.key)) + 1
    assert np.array_equal(ladder.rungs[0], np.arange(size))
    assert ladder.steps[0] is None
    for below, groups, step, labels in zip(
        ladder.rungs, ladder.rungs[1:], ladder.steps[1:], ladder.labels[1:], strict=False
    ):
        assert groups[0] == 0
        assert set(groups[1:]) == set(range(1, len(labels) + 1))
        assert len({*zip(below, groups, strict=True)}) == below.max() + 1
        assert 1 <= groups.max() < below.max()
        assert step is not None
        after = codes_of(study.apply(step), ladder.key)
        pairs = {*zip(groups[before].tolist(), after.tolist(), strict=True)}
        assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
        assert all((a == 0) == (b == 0) for a, b in pairs)


def test_a_ladder_of_arrays_alone() -> None:
    ladder = Ladder("x", (np.arange(4), np.array([0, 1, 1, 2])))
    assert len(ladder) == 2
    assert repr(ladder) == "x: rung 0 (3) < rung 1 (2)"


@pytest.mark.parametrize(
    ("rungs", "words"),
    [
        ([], "Rung 0 of 'x' must be its codes"),
        ([[0, 2, 1]], "Rung 0 of 'x' must be its codes"),
        ([[0, 1, 2], [0, 1, 0]], "Rung 1 of 'x' must give every code a group"),
        ([[0, 1, 2], [1, 1, 2]], "Rung 1 of 'x' must give every code a group"),
        ([[0, 1, 2], [0, 1]], "Rung 1 of 'x' must give every code a group"),
        ([[0, 1, 2, 3], [0, 1, 1, 2], [0, 1, 2, 2]], "Rung 2 of 'x' parts a group of rung 1"),
    ],
)
def test_what_is_no_ladder_is_refused(rungs: list[list[int]], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Ladder("x", tuple(np.array(each) for each in rungs))


def test_a_rung_that_parts_is_refused_by_key_rung_and_remedy() -> None:
    bins = [Recode(variable="age", breaks=tuple(range(0, 100, width))) for width in (10, 15)]
    with pytest.raises(UsageError) as refused:
        build_ladder(AGE, AGES, [Rung(step, step.in_words()) for step in bins])
    assert str(refused.value) == (
        "Rung 2 of 'age' (recode age into bins of 15) parts 3 groups of rung 1 (recode age into "
        "bins of 10). Each rung must join whole groups of the one below, as bins of 5, 10 and 20 "
        "do and bins of 2 and 5 do not: change one of the two, or leave it out."
    )


def test_rungs_that_join_nothing_are_left_out_and_all_as_one_is_for_people_to_give() -> None:
    widths = (1, 10, 10, 1000)
    rungs = [
        Rung(Recode(variable="age", breaks=tuple(range(0, 101, width))), f"bins of {width}")
        for width in widths
    ]
    ladder = build_ladder(AGE, AGES, rungs)
    assert ladder.words == ("as it is", "bins of 10", "bins of 1000, all as one")
    assert ladder.labels[1][:2] == ("0-9", "10-19")
    suggested = build_ladder(AGE, AGES, rungs, optional=True)
    assert suggested.words == ("as it is", "bins of 10")


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Recode(variable="sex", keep=1), "It recodes 'sex'"),
        (TopCode(variable="age", share=0.1), "not do the same to all records"),
        (Round(variable="age", base=5, random=True, seed=1), "not do the same to all records"),
        (Recode(variable="age", groups={"0": ["0", "99"]}), "an answer of a missing code"),
        (Recode(variable="age", groups={"a": ["200"]}), "has no code '200'"),
        (Recode(variable="age", classification=({"1": "a"},)), "98 codes of 'age' have no parent"),
    ],
)
def test_steps_that_make_no_rung_are_refused_by_key_and_rung(step: Recode, words: str) -> None:
    variable = Variable(name="age", kind="integer", missing=(99,))
    with pytest.raises(UsageError, match=rf"^Rung 1 of 'age' \(.*\): .*{words}"):
        build_ladder(variable, AGES[:99], [Rung(step, step.in_words())])


def test_codes_that_differ_by_blanks_are_what_the_step_makes_of_them() -> None:
    study = open_key(Variable(name="x"), ["1", " 1", "2", "3", "4", "5", None, ""] * 3)
    step = Recode(variable="x", groups={"few": ["1", "2"]})
    rungs = [Rung(step, "few")]
    check(study, build_ladder(study.schema["x"], study.engine.categories("x"), rungs))


LABELS = {each: f"level {each}" for each in range(12)}
NAMES = {each: f"{'ABC'[each % 3]}: {each}" for each in range(12)}
integers = st.lists(st.none() | st.integers(-20, 200), min_size=15, max_size=60)
floats = st.lists(
    st.none() | st.floats(-2, 90).map(lambda x: round(x, 2)), min_size=15, max_size=60
)
few = st.lists(st.none() | st.integers(0, 11), min_size=15, max_size=60)
codes = st.lists(st.none() | st.from_regex("[0-9]{4}", fullmatch=True), min_size=15, max_size=40)
texts = st.lists(
    st.none() | st.from_regex(r"( ?[a-c]{0,2}[0-9]{0,2}[-:/. ]?){1,3}", fullmatch=True),
    min_size=15,
    max_size=40,
)
KEYS = [
    (AGE, integers),
    (Variable(name="x", kind="integer", missing=(0, 5, 100)), integers),
    (Variable(name="x", kind="integer", missing_ranges=((90.0, 99.0),)), integers),
    (Variable(name="x", kind="number", measure="scale"), floats),
    (Variable(name="x", kind="integer", measure="ordinal", labels=LABELS), few),
    (Variable(name="x", kind="integer", measure="nominal", labels=LABELS, missing=(3,)), few),
    (Variable(name="x", kind="integer", labels=NAMES), few),
    (Variable(name="isco", kind="integer"), integers),
    (Variable(name="isco", kind="integer", missing=(0, 2)), integers),
    (Variable(name="isco"), codes),
    (Variable(name="isco", missing=("0", "12", "other")), codes),
    (Variable(name="age"), integers.map(lambda x: [None if v is None else str(v) for v in x])),
    (Variable(name="x"), texts),
]


@pytest.mark.parametrize(("variable", "values"), KEYS, ids=lambda each: getattr(each, "name", ""))
@examples(15)
@given(data=st.data())
def test_ladders_of_any_data_are_ladders(
    variable: Variable, values: st.SearchStrategy[list[object]], data: st.DataObject
) -> None:
    drawn = data.draw(values)
    study = open_key(variable, drawn)
    if not len(study.engine.categories(variable.name)):
        return
    ladder = build_ladders(study.engine, study.scenarios)[variable.name]
    assert len(ladder) <= 6
    check(study, ladder)
    again = open_key(variable, drawn[::-1])
    other = build_ladders(again.engine, again.scenarios)[variable.name]
    assert ladder.steps == other.steps
