"""From a file to a release in five decisions, filled in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

import microsafe as ms
from files.labour_force import PERSONS, make_labour_force, write_labour_force
from microsafe.compare.household_separation import count_rejoined, separate_members
from microsafe.guides.guide import Guide, begin_guide
from microsafe.guides.missing_words import find_missing_values, treat_as_missing
from microsafe.options.profiles import PROFILES
from microsafe.options.reason import is_by_person
from microsafe.steps import Drop
from person_oracle import make_panel


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Guide:
    """The decisions on a small labour force survey, without a plan yet."""
    path = write_labour_force(tmp_path_factory.mktemp("lfs") / "lfs.csv", persons=900)
    return begin_guide(ms.study(path))


def test_words_for_missing_are_counted_everywhere(tmp_path: Path) -> None:
    frame, _ = make_labour_force(900)
    study = ms.study(write_labour_force(tmp_path / "lfs.csv", persons=900))
    (word,) = find_missing_values(study)
    gaps = sum(frame.null_count().row(0)) + frame["OCCTEXT"].eq("NA").sum()
    assert (word.word, word.values) == ("NA", gaps)
    assert f'{gaps:,} values are "NA"' in word.question
    read = treat_as_missing(study, [word])
    assert find_missing_values(read) == ()
    wage = next(each for each in read.preview_variables(["WAGE"]))
    assert (wage.missing, wage.type) == (frame["WAGE"].null_count(), "number")


def test_codes_of_countries_are_not_taken_for_missing(tmp_path: Path) -> None:
    path = tmp_path / "born.csv"
    path.write_text("cob,n\n" + "\n".join(f"{code},1" for code in ("NA", "DE", "ZA") * 20))
    assert find_missing_values(ms.study(path)) == ()


def test_three_lists_are_filled(begun: Guide) -> None:
    lists = begun.lists
    assert begun.study.scenario().keys[0] in lists.names("known")
    out = lists.names("out")
    assert {"NAME", "PHONE", "BIRTH", "LAT", "INTDATE", "REMARKS", "PSU"} <= set(out)
    assert {"HOURS", "HEALTH", "UNION"} <= set(lists.names("answer"))
    apart = {begun.study.scenario().weight, begun.study.scenario().household}
    every = {each.name for each in lists.variables}
    assert every == set(begun.study.schema.names) - apart
    assert not any(is_by_person(why) for why in begun.keep.values())


def test_a_variable_is_moved_with_a_reason(begun: Guide) -> None:
    with pytest.raises(ms.UsageError, match="Say why 'REGION' goes out"):
        begun.move("REGION", "answer")
    moved = begun.move("REGION", "answer", "What the survey is for")
    assert "REGION" in moved.lists.names("answer")
    assert moved.keep["REGION"] == "What the survey is for"
    asked = begun.move("URBAN", "known")
    assert "URBAN" in asked.study.scenario().keys
    assert "URBAN" in asked.lists.names("known")
    less = asked.move("URBAN", "out")
    assert "URBAN" not in less.study.scenario().keys
    assert "URBAN" in less.lists.names("out")


def test_what_members_share_is_said_to_be_left_out(begun: Guide) -> None:
    gone = {name for step in begun.first for name in step.left_out}
    assert gone == set(begun.lists.names("out"))
    shared = [each for each in begun.lists.variables if "members" in each.why]
    assert shared
    back = begun.move(shared[0].name, "answer", "What the survey is for")
    assert shared[0].name in back.lists.names("answer")


def test_a_word_may_be_an_answer(begun: Guide) -> None:
    (word,) = begun.words
    answers = begun.keep_word(word.word)
    assert (answers.words, answers.answers) == ((), (word.word,))
    assert answers.study.schema["OCCTEXT"].missing == ()
    with pytest.raises(ms.UsageError, match="'NA' is not taken as missing"):
        answers.keep_word(word.word)


@pytest.mark.slow
def test_a_key_that_is_left_out_after_the_search_is_not_spared(begun: Guide) -> None:
    cost = {"HHSIZE": 2.0, "SEX": 3.0}
    plan = SimpleNamespace(first=(), steps=(ms.Suppress(above=0.9, cost=cost, spare=("HHSIZE",)),))
    proposal: Any = SimpleNamespace(named={"balanced": plan}, shown=plan)
    guide = replace(
        begun, proposal=proposal, apart=(Drop(["HHSIZE"], from_keys=True, why="Shared"),)
    )
    (step,) = (step for step in guide.steps if isinstance(step, ms.Suppress))
    assert (step.spare, step.cost) == ((), {"SEX": 3.0})
    assert "HHSIZE" not in guide.protect().schema
    assert "HHSIZE" in guide.lists.names("out")


def test_numbers_that_are_written_as_text_go_out(begun: Guide) -> None:
    assert {"WAGE", "HOURS", "COMMUTE"} <= set(begun.lists.names("answer"))


@pytest.mark.slow
def test_members_of_a_household_are_not_put_together_again(begun: Guide) -> None:
    study = begun.study.drop(begun.lists.names("out"))
    assert count_rejoined(study, ())[0] > 0.9
    steps = separate_members(study, 0.05)
    for step in steps:
        study = study.apply(step)
    share, free = count_rejoined(study, ())
    assert share < 0.9
    assert set(free) <= set(study.scenario().keys)  # which are recoded later
    household = study.scenario().household
    assert household is not None
    rows = study.drop([household]).intruders()
    (found,) = (row.now.figures["rejoin"] for row in rows if row.name == "rejoin")
    assert found == pytest.approx(share)
    spared = separate_members(begun.study.drop(begun.lists.names("out")), 0.05, ["ROOMS"])
    assert all("ROOMS" not in step.variables for step in spared if isinstance(step, ms.Drop))


def test_keys_go_only_once_nothing_else_is_left(begun: Guide) -> None:
    """What members share besides goes first; a key goes where that does not suffice."""
    study = begun.study.drop(begun.lists.names("out"))
    steps = separate_members(study, 0.01, keys=True)
    *others, last = [step for step in steps if isinstance(step, ms.Drop)]
    assert last.from_keys
    assert set(last.variables) <= set(study.scenario().keys)
    assert not any(step.from_keys for step in others)
    for step in steps:
        study = study.apply(step)
    assert count_rejoined(study, ())[0] <= 0.01


@pytest.mark.parametrize("name", PROFILES)
def test_who_gets_the_file_decides_the_rules(begun: Guide, name: str) -> None:
    made = begun.for_profile(name)  # type: ignore[arg-type]
    assert made.policy.record_risk == PROFILES[name].record_risk
    assert (made.household_left_out is None) == (not PROFILES[name].drops_household)


def test_what_is_no_guide_is_refused(begun: Guide) -> None:
    with pytest.raises(ms.UsageError, match="no profile"):
        ms.guide(begun.study, "friends")  # type: ignore[arg-type]
    with pytest.raises(ms.UsageError, match="as it was read"):
        begin_guide(begun.study.drop(["NAME"]))
    with pytest.raises(ms.UsageError, match="no plan 'blanks'"):
        begun.choose("blanks")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("extension", "persons"),
    [
        pytest.param("sav", PERSONS, marks=pytest.mark.nightly),
        pytest.param("xlsx", 2_000, marks=pytest.mark.nightly),
        ("csv", 2_000),
        pytest.param("dta", 2_000, marks=pytest.mark.nightly),
    ],
)
def test_defaults_reach_a_released_file_that_meets_its_rules(
    tmp_path: Path, extension: str, persons: int
) -> None:
    path = write_labour_force(tmp_path / f"lfs.{extension}", persons=persons)
    made = ms.guide(path, seconds=20)
    assert set(made.plans) >= {"balanced"}
    done = made.release(tmp_path / "out")
    assert done.allowed, done
    assert all(verdict.met for verdict in done.verdicts)
    assert {f"lfs-safe.{extension}", "report.html", "public.html"} <= set(done.files)
    safe = ms.study(tmp_path / "out" / f"lfs-safe.{extension}")
    assert not {"NAME", "PHONE", "BIRTH", "HHNUM"} & set(safe.schema.names)


@pytest.mark.slow
def test_persons_of_a_panel_are_filled_in(tmp_path: Path) -> None:
    panel = make_panel(21, absent=0.2, persons=200)
    begun = begin_guide(ms.study(panel))
    scenario = begun.study.scenario()
    assert (scenario.person, scenario.wave) == ("pid", "wave")
    assert not {"pid", "wave"} & {each.name for each in begun.lists.variables}
    other = begun.with_keys(["sex", "region"])
    assert other.study.scenario().person == "pid"
    made = other.search()
    assert made.met
    assert "Blanks alone" in made.words_found
    assert any(
        "200, whose records share pid and are told apart by wave" in line for line in made.lines()
    )
    named = ms.study(panel, keys=["sex", "region"], weight="w", person="pid", wave="wave")
    blanked = named.suppress(above=0.05, guarantee="view")
    (plan,) = made.plans.values()
    assert plan.touched == blanked.steps[-1].records
    assert plan.summary()["expected"] == blanked.risk(one_estimator=True).expected
    done = made.release(tmp_path / "out")
    assert done.allowed
    (path,) = (tmp_path / "out").glob("*-safe.parquet")
    safe = ms.study(path).to_polars()
    assert safe["pid"].n_unique() == 200
    assert not set(safe["pid"]) <= set(panel["pid"])


def test_persons_of_a_panel_can_be_denied() -> None:
    begun = begin_guide(ms.study(make_panel(21)), "secure").count_records()
    assert begun.study.scenario().person is None
    assert begun.by_record
    assert "pid" in begun.lists.names("out")
    assert begun.profile == "secure"
    again = ms.guide(make_panel(21), by_record=True, seconds=5)
    assert "person" not in again.summary()


def test_waves_that_only_the_order_tells_are_refused() -> None:
    panel = make_panel(21).drop("wave")
    with pytest.raises(ms.InputError, match="plan new --person pid"):
        begin_guide(ms.study(panel), person="pid")
    begun = begin_guide(ms.study(panel))
    assert (begun.study.scenario().person, begun.repeated) == (None, "pid")
    assert begun.summary()["repeated"] == "pid"
    assert any("if pid, which repeats, is one" in line for line in begun.lines())


def test_a_file_without_persons_of_several_records_is_left_as_it_is() -> None:
    one = make_panel(21).filter(pl.col("wave") == 1)
    assert begin_guide(ms.study(one)).study.scenario().person is None


def test_weights_of_persons_that_tell_keys_are_refused() -> None:
    telling = pl.col("region") * 100.0 + pl.col("sex") * 17
    with pytest.raises(ms.InputError, match=r"tells keys.* Round it"):
        begin_guide(ms.study(make_panel(21, persons=200).with_columns(w=telling)))


@pytest.mark.slow
def test_a_plan_without_the_household_number_is_taken_and_released(tmp_path: Path) -> None:
    opened = ms.study(ms.survey(households=300).frame)
    keys = ("region", "sex", "age", "marital", "hsize")
    begun = begin_guide(opened, "scientific", keys=keys, weight="weight", household="household")
    made = begun.search(60).choose("detail")
    assert made.plan is not None
    assert made.plan.first
    assert made.household_left_out == "household"
    dropping = [step for step in made.steps if "household" in step.left_out]
    assert len(dropping) == 1
    assert not any(getattr(step, "household", None) for step in made.steps)
    assert "leave" not in made.plans["households"].sentence
    done = made.release(tmp_path / "bare")
    assert done.allowed
    assert {"rejoin", "method"} <= {verdict.rule for verdict in done.verdicts}
    kept = made.choose("households")
    assert kept.household_left_out is None
    assert "renumber household" in [step.in_words() for step in kept.steps]
