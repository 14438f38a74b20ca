"""The gate before a release: every variable has a decision, or nothing is written."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from app.client import SCENARIO, Page, decide, running
from microsafe.app.folders import Folders
from microsafe.app.session import Session
from microsafe.app.views.open import enter_file
from microsafe.cli import main
from microsafe.plan.model import Input
from people import save_people

WHY = "Answers that nobody outside knows"


@pytest.fixture
def people(page: Page, folder: Path) -> Page:
    """The app with that survey open and measured."""
    save_people(folder / "people.sav")
    page.ask("POST /api/open", {"folder": 0, "path": "people.sav"})
    page.ask("PUT /api/scenario", {"keys": ["REGION", "SEX"], "weight": "W"})
    return page


def rows(page: Page) -> dict[str, Any]:
    return {each["name"]: each for each in page.ask("GET /api/inventory")["variables"]}


def test_every_variable_is_listed_with_what_was_found(people: Page) -> None:
    found = rows(people)
    assert {name: each["group"] for name, each in found.items()} == {
        "NAME": "direct identifier",
        "PNR": "direct identifier",
        "BIRTH": "date",
        "REGION": "in a scenario",
        "SEX": "in a scenario",
        "W": "in a scenario",
        "HOURS": "answer",
    }
    assert found["NAME"]["findings"][0]["kind"] == "direct identifier"
    assert found["PNR"]["barred"]
    assert found["BIRTH"]["findings"][0]["kind"] == "exact date"
    assert [name for name, each in found.items() if each["open"]] == [
        "NAME", "PNR", "BIRTH", "HOURS",
    ]  # fmt: skip
    assert found["REGION"]["decision"]["role"] == "key"
    assert found["W"]["decision"]["role"] == "weight"
    assert found["NAME"]["ways"] == ["drop", "renumber", "keep"]
    assert found["BIRTH"]["ways"] == ["drop", "coarsen", "keep"]
    assert found["HOURS"]["ways"] == ["keep", "drop"]
    assert found["W"]["ways"] == ["coarsen", "keep"]


def test_names_are_refused_and_go_through_with_decisions(people: Page, folder: Path) -> None:
    wish = {"path": "out", "file": "safe.sav"}
    verdicts = people.ask("GET /api/verdicts")
    assert not verdicts["allowed"]
    assert verdicts["open"] == ["NAME", "PNR", "BIRTH", "HOURS"]
    (rule,) = verdicts["verdicts"]
    assert (rule["rule"], rule["value"]) == ("inventory", 4)
    found = people.ask("POST /api/release", wish)
    assert (found["allowed"], found["files"]) == (False, [])
    assert found["open"] == ["NAME", "PNR", "BIRTH", "HOURS"]
    assert not (folder / "out").exists()

    people.ask("POST /api/steps", {"do": "drop", "variables": ["NAME", "BIRTH"]})
    people.ask("POST /api/steps", {"do": "renumber", "variable": "PNR", "seed": 4})
    people.ask("PUT /api/keep", {"variables": ["HOURS"], "why": WHY})
    after = rows(people)
    assert after["NAME"]["decision"]["role"] == "dropped"
    assert after["PNR"]["decision"] == {"role": "protected", "by": "renumber PNR", "why": ""}
    assert after["HOURS"]["decision"] == {"role": "kept", "by": "", "why": WHY}
    assert people.ask("GET /api/verdicts")["open"] == []
    people.ask("POST /api/confirm")
    assert people.ask("POST /api/release", wish)["allowed"]
    plan = (folder / "out" / "plan.toml").read_text()
    assert plan.startswith("microsafe = 1\n")
    assert f'[[keep]]\nvariables = ["HOURS"]\nwhy = "{WHY}"' in plan
    assert "shuffle = " in plan
    lock = (folder / "out" / "plan.lock").read_text()
    assert "inventory" in [each["rule"] for each in json.loads(lock)["verdicts"]]
    assert main(["replay", str(folder / "out" / "plan.toml"), "--check"]) == 0


def test_an_identifier_goes_out_with_a_reason_only(people: Page) -> None:
    people.ask("PUT /api/keep", {"variables": ["NAME", "PNR", "BIRTH", "HOURS"], "why": WHY})
    assert people.ask("GET /api/inventory")["open"] == []
    found = people.ask("PUT /api/keep", {"variables": ["NAME", "HOURS"], "why": " "})
    assert found["keep"] == [{"variables": ["PNR", "BIRTH"], "why": WHY}]
    assert people.ask("GET /api/inventory")["open"] == ["NAME", "HOURS"]
    found = people.ask("PUT /api/keep", {"variables": ["BIRTH"], "why": "A year is asked for"})
    assert [each["variables"] for each in found["keep"]] == [["PNR"], ["BIRTH"]]


def test_a_reason_for_the_rule_is_recorded(people: Page, folder: Path) -> None:
    people.ask("PUT /api/policy", {"override": {"inventory": "For our own desk only"}})
    assert people.ask("GET /api/verdicts")["allowed"]
    assert people.ask("POST /api/release", {"file": "safe.sav"})["allowed"]
    assert "For our own desk only" in (folder / "report.html").read_text()


def test_decisions_on_what_is_not_there_are_refused(people: Page) -> None:
    refused = people.ask("PUT /api/keep", {"variables": ["HOUR"], "why": WHY}, status=422)
    assert "HOURS" in refused["error"]
    assert people.ask("PUT /api/keep", {"variables": [], "why": WHY}, status=422)["error"]
    assert people.ask("GET /api/study")["keep"] == []


def test_an_inventory_needs_a_file_and_no_scenario(page: Page, folder: Path) -> None:
    assert page.ask("GET /api/inventory", status=409)["error"] == "No file is open."
    page.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})
    assert len(page.ask("GET /api/inventory")["variables"]) == 11


@pytest.mark.slow
def test_records_are_shuffled_unless_somebody_says_why_not(measured: Page, folder: Path) -> None:
    decide(measured)
    measured.ask("PUT /api/policy", {"override": {"estimator": "a test"}})
    measured.ask("POST /api/release", {"path": "a", "file": "safe.csv"})
    measured.ask("POST /api/release", {"path": "b", "file": "safe.csv"})
    safe = (folder / "a" / "safe.csv").read_bytes()
    assert safe == (folder / "b" / "safe.csv").read_bytes()
    found = measured.ask("PUT /api/order", {"keep_order": "Panel users join by row"})
    assert found["keep_order"] == "Panel users join by row"
    measured.ask("POST /api/release", {"path": "c", "file": "safe.csv"})
    kept = (folder / "c" / "safe.csv").read_bytes()
    assert kept != safe
    assert sorted(kept.splitlines()) == sorted(safe.splitlines())
    plan = (folder / "c" / "plan.toml").read_text()
    assert 'keep_order = "Panel users join by row"' in plan
    assert "shuffle" not in plan
    assert measured.ask("PUT /api/order", {"keep_order": "  "})["keep_order"] == ""


def test_the_plan_spells_out_what_is_undecided(people: Page) -> None:
    people.ask("PUT /api/keep", {"variables": ["HOURS"], "why": WHY})
    told = people.ask("GET /api/plan")["plan"]
    assert '[[keep]]\nvariables = ["NAME", "PNR", "BIRTH"]\nwhy = ""' in told
    assert "# shuffle is secret" in told


def test_decisions_are_resumed(measured: Page, session: Session, folder: Path) -> None:
    decide(measured)
    measured.ask("PUT /api/order", {"keep_order": "Panel users join by row"})
    before = measured.ask("GET /api/study")
    assert before["keep"]
    session.close()
    again = Session(Folders(roots=(folder,)))
    enter_file(again, Input(file=str(folder / "survey.sav")), resuming=True)
    with running(again) as page:
        after = page.ask("GET /api/study")
    assert (after["keep"], after["keep_order"]) == (before["keep"], before["keep_order"])
    assert again.state.shuffle == session.state.shuffle


def test_another_file_has_decisions_of_its_own(measured: Page, folder: Path) -> None:
    decide(measured)
    measured.ask("PUT /api/scenario", SCENARIO | {"keys": ["region", "sex"]})
    assert measured.ask("GET /api/study")["keep"]
    (folder / "b.csv").write_text("sex,age\n" + "1,30\n2,40\n" * 20)
    assert measured.ask("POST /api/open", {"folder": 0, "path": "b.csv"})["keep"] == []


def test_what_tells_a_changed_key_has_a_button_that_ends_it(page: Page, folder: Path) -> None:
    draw = random.Random(30)
    lines = ["REGION,SEX,STRATUM"]
    for _ in range(600):
        region = draw.randrange(1, 9)
        lines.append(f"{region},{draw.randrange(1, 3)},{region * 10 + 1}")
    (folder / "strata.csv").write_text("\n".join(lines) + "\n")
    page.ask("POST /api/open", {"folder": 0, "path": "strata.csv"})
    page.ask("PUT /api/scenario", {"keys": ["REGION", "SEX"], "estimator": "cell"})
    assert page.ask("GET /api/inventory")["telling"] == []
    groups = {"n": ["1", "2", "3", "4"], "s": ["5", "6", "7", "8"]}
    page.ask("POST /api/steps", {"do": "recode", "variable": "REGION", "groups": groups})
    (row,) = page.ask("GET /api/inventory")["telling"]
    assert (row["words"], row["key"], row["determines"]) == ("STRATUM", "REGION", True)
    (step,) = row["alike"]
    page.ask("PUT /api/policy", {"override": {"estimator": "a test"}})
    rules = {each["rule"]: each["met"] for each in page.ask("GET /api/verdicts")["verdicts"]}
    assert rules["telling"] is False
    page.ask("POST /api/steps", step)
    assert page.ask("GET /api/inventory")["telling"] == []
    rules = {each["rule"]: each["met"] for each in page.ask("GET /api/verdicts")["verdicts"]}
    assert rules["telling"] is True
