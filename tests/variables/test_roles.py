"""Roles that are guessed, of headers of official surveys and of hard cases."""

from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.schema import Schema, Variable
from microsafe.variables.profile import VariableProfile, order_keys
from microsafe.variables.roles import MOST_KEYS, guess_roles, tells_apart
from variables.surveys import Column, Survey, open_survey, read_surveys

SURVEYS = tuple(read_surveys())


def guess(study: ms.Study) -> dict[str, VariableProfile]:
    engine = study.engine
    return {each.name: each for each in guess_roles(engine.schema, engine.traits(), engine.rows())}


def test_there_are_forty_headers_and_more() -> None:
    assert len(SURVEYS) >= 40
    assert sum(len(each.columns) for each in SURVEYS) > 600


@pytest.mark.parametrize("survey", SURVEYS, ids=lambda each: each.title)
def test_roles_of_a_survey(survey: Survey) -> None:
    found = guess(open_survey(survey.columns))
    wrong = [
        (each.name, each.role, each.meaning, guessed)
        for each in survey.columns
        for guessed in [found[each.name]]
        if _role(guessed) != each.role or each.meaning not in ("", guessed.meaning)
    ]
    assert wrong == []
    assert len(order_keys(found.values())) <= MOST_KEYS


def _role(guessed: VariableProfile) -> str:
    return "sensitive" if guessed.sensitive and guessed.role == "other" else guessed.role


@pytest.mark.slow
@pytest.mark.parametrize("survey", SURVEYS[:49:6], ids=lambda each: each.title)
def test_six_hundred_columns_propose_the_same_keys(survey: Survey) -> None:
    """Answers that nobody knows, before and behind, change nothing."""
    kinds = ("cat5", "scale11", "yesno", "amount", "cat2", "hours")
    questions = [
        Column(f"Q{n}x", f"How much do you agree with statement {n}", kinds[n % 6], "other", "")
        for n in range(600 - len(survey.columns))
    ]
    columns = [*questions[:300], *survey.columns, *questions[300:]]
    alone, among = guess(open_survey(survey.columns, 1000)), guess(open_survey(columns, 1000))
    assert {name: among[name] for name in alone} == alone
    assert order_keys(among.values()) == order_keys(alone.values())


def test_each_key_has_a_reason_and_says_what_it_adds() -> None:
    study = ms.study(ms.survey().frame)
    keys = order_keys(study.describe())
    assert [each.name for each in keys] == [
        "region", "sex", "age", "marital", "citizenship", "education", "occupation", "hsize"
    ]  # fmt: skip
    before = 0.0
    for n, each in enumerate(keys, 1):
        names = [key.name for key in keys[:n]]
        groups = ms.survey().frame.group_by(names).len()
        alone = groups.filter(pl.col("len") == 1).height / study.engine.rows()
        assert each.combinations == groups.height
        assert each.uniques == pytest.approx(alone)
        assert each.adds == pytest.approx(alone - before)
        assert each.reason.endswith(".")
        before = alone


def test_other_variables_add_nothing() -> None:
    found = {each.name: each for each in ms.study(ms.survey().frame).describe()}
    assert (found["income"].role, found["income"].sensitive) == ("other", True)
    assert found["income"].adds is None
    assert found["weight"].role == "weight"


def test_a_date_of_birth_is_the_key_unless_there_is_an_age() -> None:
    rng = np.random.default_rng(1)
    days = [dt.date(1940, 1, 1) + dt.timedelta(int(n)) for n in rng.integers(0, 20_000, 500)]
    frame = pl.DataFrame({"birthday": days, "sex": rng.integers(1, 3, 500)})
    assert guess(ms.study(frame))["birthday"].role == "key"
    aged = frame.with_columns(age=pl.Series(rng.integers(0, 90, 500)))
    found = guess(ms.study(aged))
    assert (found["birthday"].role, found["age"].role) == ("identifier", "key")


@pytest.mark.parametrize("name", ["birth", "Geburt", "naissance", "nacimiento", "F_NAC", "DOB"])
def test_dates_tell_a_date_of_birth(name: str) -> None:
    days = [f"{1940 + n % 60}-{1 + n % 12:02d}-{2 + n % 25:02d}" for n in range(900)]
    found = guess(ms.study(pl.DataFrame({name: days, "sex": ["f", "m"] * 450})))
    assert (found[name].role, found[name].meaning) == ("key", "date of birth")


def test_a_month_of_birth_is_part_of_a_date() -> None:
    months = pl.DataFrame({"sex": [1, 2] * 120, "Geburtsmonat": list(range(1, 13)) * 20})
    found = guess(ms.study(months))["Geburtsmonat"]
    assert (found.role, found.meaning) == ("other", "part of a date of birth")


def test_free_text_is_no_key() -> None:
    rng = np.random.default_rng(2)
    said = [
        "The work was hard and far away",
        "We moved because of the new plant",
        "",
        "I do not know",
    ]
    frame = pl.DataFrame(
        {"region": rng.integers(0, 9, 500), "comment": [said[n] for n in rng.integers(0, 4, 500)]}
    )
    found = guess(ms.study(frame))
    assert (found["comment"].role, found["comment"].meaning) == ("other", "free text")


@pytest.mark.parametrize("measure", ["nominal", "ordinal", "scale", "unknown"])
def test_an_age_is_a_key_whatever_its_measure(measure: str) -> None:
    study = ms.study(pl.DataFrame({"AGE": np.arange(900) % 90}))
    variable = Variable(name="AGE", kind="integer", measure=measure)  # type: ignore[arg-type]
    schema = Schema(source="file", variables=(variable,))
    (found,) = guess_roles(schema, study.engine.traits(), 900)
    assert (found.role, found.meaning) == ("key", "age")


def test_the_file_has_the_last_word() -> None:
    declared = ms.study(ms.survey().frame).engine.schema
    variables = tuple(
        Variable(name=each.name, kind=each.kind, role="key" if each.name == "income" else None)
        for each in declared
    )
    study = ms.study(ms.survey().frame)
    schema = Schema(source="file", variables=variables)
    found = guess_roles(schema, study.engine.traits(), study.engine.rows())
    assert [each.name for each in found if each.role == "key"] == ["income"]


def test_what_a_person_says_does_not_make_names_listable() -> None:
    assert tells_apart("other", "direct identifier")
    assert not tells_apart("other", "income or wealth")


def test_no_reason_quotes_a_value() -> None:
    frame = pl.DataFrame({"name": [f"Zebulon Quisquater {n}" for n in range(100)]})
    (found,) = ms.study(frame).describe()
    assert found.role == "identifier"
    assert "Zebulon" not in found.reason
