"""Tables and models that matter: named in the page, kept, and compared one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.client import Page, running
from microsafe.app.folders import Folders
from microsafe.app.session import Session
from microsafe.app.views.open import enter_file
from microsafe.plan.model import Input

RECODE = {"do": "recode", "variable": "age", "breaks": [0, 15, 30, 45, 60, 75]}
SUPPRESS = {"do": "suppress", "above": 0.02}
USES: dict[str, Any] = {
    "variables": {"sex": 2},
    "others": 1,
    "tables": [{"of": ["region", "age"], "weight": 1}],
    "models": [{"formula": "income ~ age + sex", "weight": 3}],
}


@pytest.fixture
def protected(measured: Page) -> Page:
    for step in (RECODE, SUPPRESS):
        measured.ask("POST /api/steps", step)
    return measured


def test_they_are_kept_and_become_part_of_the_plan(protected: Page) -> None:
    assert protected.ask("GET /api/study")["uses"] is None
    assert "[utility]" not in protected.ask("GET /api/plan")["plan"]
    assert protected.ask("PUT /api/uses", USES)["uses"] == USES
    plan = protected.ask("GET /api/plan")["plan"]
    assert 'of = ["region", "age"]' in plan
    assert 'formula = "income ~ age + sex"' in plan
    empty = {"variables": {}, "tables": [], "models": []}
    assert protected.ask("PUT /api/uses", empty)["uses"] is None


def test_they_outlive_a_crash(protected: Page, session: Session, folder: Path) -> None:
    protected.ask("PUT /api/uses", USES)
    session.close()
    again = Session(Folders(roots=(folder.resolve(),)))
    enter_file(again, Input(file=str(folder / "survey.sav")), resuming=True)
    with running(again) as page:
        assert page.ask("GET /api/study")["uses"] == USES
    again.close()


@pytest.mark.parametrize(
    ("uses", "told"),
    [
        ({"tables": [{"of": ["region", "agee"]}]}, "Did you mean 'age'?"),
        ({"tables": [{"of": ["region", "household"]}]}, "household tells people apart"),
        ({"models": [{"formula": "income"}]}, "Write it as 'y ~ a + b'"),
        ({"models": [{"formula": "income ~ weight"}]}, "weight tells people apart"),
        ({"variables": {"sex": -1}}, "at least 0"),
    ],
    ids=["unknown", "private", "no formula", "private in a model", "weight"],
)
def test_what_cannot_matter_is_refused(measured: Page, uses: dict[str, Any], told: str) -> None:
    answer = measured.raw("PUT /api/uses", uses)
    assert 400 <= answer.status < 500
    problem = answer.json()
    assert told in problem["error"] + str(problem.get("remedy"))
    assert "[utility" not in problem["error"]
    assert measured.ask("GET /api/study")["uses"] is None


def test_a_table_of_two_variables(protected: Page) -> None:
    found = protected.ask("GET /api/compare/table", of=["region", "age"])
    assert found["names"] == ["region", "age"]
    assert len(found["rows"]) == found["all_rows"]
    assert len(found["columns"]) == found["all_columns"] < 10  # those that are released
    assert found["rows"][0] == "1 Northport"
    (recoded,) = found["recoded"]
    assert recoded["name"] == "age"
    assert recoded["categories"] > recoded["categories_after"]
    for side in (found["plain"], found["weighted"]):
        for when in ("before", "after"):
            assert sum(map(sum, side[when])) == pytest.approx(1)
        changes = [
            abs(new - old)
            for rows in zip(side["before"], side["after"], strict=True)
            for old, new in zip(*rows, strict=True)
        ]
        assert max(changes) == pytest.approx(side["largest"])
    records = sum(map(sum, found["records"]))
    shares = [each for row in found["plain"]["before"] for each in row]
    counts = [each for row in found["records"] for each in row]
    assert [each / records for each in counts] == pytest.approx(shares)
    assert found["plain"]["lost"] > 0


def test_a_table_of_one_variable(protected: Page) -> None:
    found = protected.ask("GET /api/compare/table", of=["sex"])
    assert found["columns"] == []
    assert [len(row) for row in found["plain"]["before"]] == [1, 1]


def test_it_is_the_table_that_the_comparison_tells(protected: Page) -> None:
    rows = protected.ask("GET /api/compare")["cost"]["tables"]
    (told,) = [each for each in rows if each["names"] == ["region", "sex"]]
    found = protected.ask("GET /api/compare/table", of=["region", "sex"])["weighted"]
    for name in ("lost", "largest", "mean", "hellinger"):
        assert found[name] == told[name]


@pytest.mark.parametrize(
    ("of", "told"),
    [
        (["region", "sex", "age"], "one or two variables"),
        (["region", "region"], "twice"),
        (["household"], "household tells people apart"),
        (["nobody"], "no variable 'nobody'"),
    ],
)
def test_a_table_that_cannot_be_had(protected: Page, of: list[str], told: str) -> None:
    answer = protected.raw("GET /api/compare/table", of=of)
    assert 400 <= answer.status < 500
    assert told in answer.json()["error"]


def test_models(protected: Page) -> None:
    found = protected.ask("GET /api/compare/model", formula="income ~ region + sex")
    assert (found["kind"], found["outcome"]) == ("linear", "income")
    for side in (found["plain"], found["weighted"]):
        assert side["constant"]["term"] == "(constant)"
        assert side["records"][0] > side["records"][1]
        for each in side["coefficients"]:
            (low, high), estimate = each["interval"][0], each["estimate"][0]
            assert low < estimate < high
            assert each["overlap"] <= 1
    found = protected.ask("GET /api/compare/model", formula="sex ~ income + region")
    assert (found["kind"], found["outcome"]) == ("logistic", "sex = 2 female")


def test_a_model_that_cannot_be_had(protected: Page) -> None:
    for formula in ("income ~ household", "income ~ nobody", "income"):
        assert 400 <= protected.raw("GET /api/compare/model", formula=formula).status < 500


def test_nothing_was_done_yet(measured: Page) -> None:
    found = measured.ask("GET /api/compare/table", of=["region", "sex"])
    assert found["plain"]["largest"] == 0


def test_before_there_is_a_scenario(opened: Page) -> None:
    assert "scenario" in opened.ask("PUT /api/uses", USES, status=409)["error"]


def test_the_loss_by_uses_stands_beside_the_plain_one(protected: Page) -> None:
    assert protected.raw("GET /api/compare/uses").status == 409
    protected.ask("PUT /api/uses", USES)
    found = protected.ask("GET /api/compare/uses")
    parts = found["parts"]
    assert [each["name"] for each in parts if each["kind"] != "variable"] == [
        "region x age",
        "income ~ age + sex",
    ]
    weighed = sum(each["weight"] * each["loss"] for each in parts)
    assert found["loss"] == pytest.approx(weighed / sum(each["weight"] for each in parts))
    cost = protected.ask("GET /api/compare")["cost"]
    assert found["plain"] == pytest.approx(cost["lost"])
    assert all(each["lost"] > cost["lost"] for each in cost["hardest"])
