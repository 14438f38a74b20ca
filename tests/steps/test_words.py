"""What steps say of themselves, and what they leave of a variable's description."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from microsafe.engine.contract import SampleSize
from microsafe.errors import UsageError
from microsafe.options.parameter import form_fields
from microsafe.schema import Schema, Variable
from microsafe.steps import Recode, Sample, Step, Suppress, TopCode
from microsafe.steps.base import AppliedStep
from microsafe.steps.recode import inside
from microsafe.steps.sample import sampling_weight
from microsafe.steps.suppress.criterion import SafetyCriterion


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Recode(variable="a", breaks=(0, 10, 20)), "recode a into bins of 10"),
        (Recode(variable="a", breaks=(0, 10, 30)), "recode a into bins from 3 breaks"),
        (Recode(variable="a", keep=2), "keep 2 characters of a"),
        (Recode(variable="a", groups={"x": ["1", ("3", "5")]}), "recode a: 1, 3-5 into x"),
        (
            Recode(variable="a", classification=({"1": "A"},), level=1),
            "recode a by its classification",
        ),
        (
            Suppress(above=0.01, k=3, household=0.05),
            "suppress: risk above 0.01, fewer than 3 alike, household risk above 0.05 (own)",
        ),
        (Suppress(above={"x": 0.1}), "suppress: limits by scenario (own)"),
        (Sample(fraction=0.4, seed=1), "sample of 40 % of records"),
    ],
)
def test_a_step_in_a_line(step: Step, words: str) -> None:
    assert step.in_words() == words


def test_a_sample_that_was_drawn() -> None:
    step = Sample(fraction=0.5, seed=1, household="h", weight="w")
    size = SampleSize(records=20, of_records=1234, households=9, of_households=18)
    taken = AppliedStep(step=step, facts={"drawn": size})
    told = "sample of 50 % of households: 9 of 18, 20 of 1,234 records; w multiplied by 2"
    assert step.in_words(taken) == told
    assert (taken.leaning, taken.stuck, taken.total) == (0, 0, 0)


def test_controls_suit_the_types() -> None:
    controls = {each.name: each.control for each in form_fields(Suppress)}
    assert controls["up_to"] == "whole"  # a number or nothing
    assert controls["above"] is None  # a number, or one for each scenario


@pytest.mark.parametrize(
    ("code", "limits", "lies"),
    [
        ("b", ("a", "c"), True),
        ("d", ("a", "c"), False),
        ("d", ("a", ""), True),
        ("A", ("a", ""), False),
        ("4", ("3", "5"), True),
        ("10", ("3", "5"), False),
        ("10", ("3", ""), True),
        ("x", ("3", "5"), False),
    ],
)
def test_ranges_of_codes(code: str, limits: tuple[str, str], lies: bool) -> None:
    assert inside(code, limits) is lies


def test_a_number_of_people_is_above_one() -> None:
    assert SafetyCriterion(people=1.5).people == 1.5
    with pytest.raises(UsageError, match="above 1"):
        SafetyCriterion(people=1)


INTEGER = Variable(name="v", kind="integer", format="F8.3", decimals=3)


@pytest.mark.parametrize(
    ("new", "kind", "form"),
    [(("1", "2"), "integer", "F8.3"), (("1", "2.5"), "number", ""), (("a", "2"), "text", "")],
)
def test_storage_is_kept_as_long_as_the_kind_is(new: tuple[str, str], kind: str, form: str) -> None:
    step = Recode(variable="v", groups={new[0]: ["1", "2"], new[1]: ["3", "4"]})
    after = step.transformation(INTEGER, pl.Series([1, 2, 3, 4])).after
    assert (after.kind, after.format) == (kind, form)


def test_a_weight_keeps_its_storage_if_it_was_a_number() -> None:
    number = Variable(name="w", kind="number", format="F8.3")
    for before, form in ((number, "F8.3"), (replace(INTEGER, name="w"), "")):
        after = sampling_weight(Schema(source="f", variables=(before,)), "w")
        assert (after.kind, after.format) == ("number", form)


def test_a_code_that_stands_already_is_no_new_one() -> None:
    labelled = replace(INTEGER, labels={5: "five", 9: "nine"})
    for values, left in (([1, 5], {5: "five"}), ([1, 7], {})):
        after = TopCode(variable="v", limit=5).transformation(labelled, pl.Series(values)).after
        assert after.labels == left, values


def test_labels_of_groups_need_a_code_that_is_made() -> None:
    for options in ({"groups": {"x": ["1"]}}, {"classification": ({"1": "x"},), "level": 1}):
        step = Recode(variable="v", labels={"x": "made"}, **options)  # type: ignore[arg-type]
        assert step.transformation(INTEGER, pl.Series([1])).after.labels == {"x": "made"}
