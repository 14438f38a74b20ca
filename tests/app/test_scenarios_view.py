"""Several scenarios at once, limits of their own, and what each guarantee costs."""

from __future__ import annotations

from typing import Any

import pytest

from app.client import SCENARIO, Page, running
from microsafe.app.folders import Folders
from microsafe.app.session import Session

MAIN = {**SCENARIO, "name": "main"}
REGISTER = {"name": "register", "keys": ["region", "age", "education"], "weight": "weight"}


def put(page: Page, *scenarios: dict[str, Any], status: int = 200, **more: object) -> Any:
    return page.ask("PUT /api/scenarios", {"scenarios": scenarios, **more}, status=status)


@pytest.fixture
def several(opened: Page) -> Page:
    put(opened, MAIN, REGISTER)
    return opened


def test_all_scenarios_are_set_at_once(opened: Page) -> None:
    told = put(opened, MAIN, REGISTER)
    assert [each["name"] for each in told["scenarios"]] == ["main", "register"]
    assert told["scenarios"][1]["household"] is None
    again = put(opened, *told["scenarios"])
    assert again["revision"] == told["revision"]  # nothing was changed
    assert [each["name"] for each in put(opened, MAIN)["scenarios"]] == ["main"]


def test_wrong_lists_of_scenarios_are_refused(several: Page) -> None:
    for wrong, why in (
        ([], "must be called 'main'"),
        ([REGISTER], "must be called 'main'"),
        ([MAIN, MAIN], "Two scenarios"),
        ([MAIN, {**REGISTER, "name": " "}], "needs a name"),
        ([MAIN, {**REGISTER, "keys": ["nothing"]}], "nothing"),
        ([MAIN, {**REGISTER, "key": ["age"]}], "Unknown field"),
    ):
        assert why in put(several, *wrong, status=422)["error"]
    assert len(several.ask("GET /api/study")["scenarios"]) == 2


def test_a_new_name_is_taken_over_everywhere(several: Page) -> None:
    """By steps, candidates, limits and the policy."""
    limits = {"main": 0.05, "register": 0.02}
    several.ask("PUT /api/scenario/limits", {"scenario": "register", "limit": 0.02})
    several.ask("PUT /api/policy", {"record_risk": limits})
    suppress = {"do": "suppress", "above": limits, "scenarios": ["main", "register"]}
    before = several.ask("POST /api/steps", suppress)
    several.ask("POST /api/plans", {"name": "kept"})
    told = put(several, MAIN, {**REGISTER, "name": "file"}, renamed={"register": "file"})
    (step,) = told["steps"]
    assert step["step"]["above"] == told["policy"]["record_risk"] == {"main": 0.05, "file": 0.02}
    assert step["step"]["scenarios"] == ["main", "file"]
    assert step["total"] == before["steps"][0]["total"]
    assert told["limits"] == {"file": 0.02}
    several.ask("POST /api/plans/use", {"name": "kept"})
    several.ask("POST /api/rollback", {"to": 0})
    gone = put(several, MAIN)
    assert gone["limits"] == {}
    assert gone["policy"]["record_risk"] == {"main": 0.05}


def test_a_scenario_has_limits_of_its_own(several: Page, session: Session) -> None:
    several.ask("POST /api/limit", {"scenario": "main", "risk": 0.05})
    told = several.ask("PUT /api/scenario/limits", {"scenario": "register", "limit": 0.01})
    assert (told["limit"], told["limits"]) == (0.05, {"register": 0.01})
    several.ask("POST /api/limit", {"scenario": "register", "risk": 0.02})
    several.ask("POST /api/limit", {"scenario": "main", "risk": 0.04})
    told = several.ask("GET /api/study")
    assert (told["limit"], told["limits"]) == (0.04, {"register": 0.02})
    step = {"do": "recode", "variable": "age", "breaks": [0, 30, 60]}
    for name, limit in (("main", 0.04), ("register", 0.02)):
        shown = several.ask("POST /api/preview", step, scenario=name)["before"]["unsafe"]
        exact = several.ask("POST /api/limit", {"scenario": name, "risk": limit})["unsafe"]
        assert shown == exact > 0
    home = {"scenario": "main", "household_limit": 0.1}
    assert several.ask("PUT /api/scenario/limits", home)["household_limits"] == {"main": 0.1}
    several.ask("POST /api/household-limit", {"scenario": "main", "risk": 0.2})
    assert several.ask("GET /api/study")["household_limits"] == {"main": 0.2}
    assert several.ask("PUT /api/scenario/limits", {"scenario": "register"})["limits"] == {}
    wrong = {"scenario": "register", "household_limit": 0.1}
    assert "no household" in several.ask("PUT /api/scenario/limits", wrong, status=409)["error"]
    too_high = {"scenario": "main", "limit": 2}
    assert "at most 1" in several.ask("PUT /api/scenario/limits", too_high, status=422)["error"]


def test_limits_outlive_the_session(several: Page, session: Session) -> None:
    several.ask("PUT /api/scenario/limits", {"scenario": "register", "limit": 0.02})
    several.ask("PUT /api/scenario/limits", {"scenario": "main", "household_limit": 0.1})
    session.close()
    with running(Session(Folders(roots=session.folders.roots))) as page:
        page.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})
        told = page.ask("POST /api/resume")
    assert told["limits"] == {"register": 0.02}
    assert told["household_limits"] == {"main": 0.1}


@pytest.mark.slow
def test_intruders_are_ready_made(opened: Page) -> None:
    found = opened.ask("GET /api/scenarios/proposed")["scenarios"]
    by_name = {each["name"]: each for each in found}
    assert list(by_name) == ["neighbour", "colleague", "register"]
    assert {"region", "sex", "age", "hsize"} <= set(by_name["neighbour"]["keys"])
    assert "occupation" in by_name["colleague"]["keys"]
    assert "occupation" not in by_name["neighbour"]["keys"]
    assert set(by_name["neighbour"]["keys"]) < set(by_name["register"]["keys"])
    assert all(each["why"] for each in found)
    told = put(opened, MAIN, *({**each, "weight": "weight"} for each in found))
    assert len(told["scenarios"]) == 4


def test_prices_of_guarantees_change_nothing(several: Page) -> None:
    put(several, *({**found, "estimator": "cell"} for found in (MAIN, REGISTER)))
    asked = {"do": "suppress", "above": 0.03, "cost": {"age": 2.0}, "linked": {"age": ["marital"]}}
    before = several.ask("GET /api/study")
    found = several.ask("POST /api/guarantees", asked)["prices"]
    assert [each["guarantee"] for each in found] == ["own", "strict", "shared", "view"]
    for each in found:
        shown = several.ask("POST /api/preview", {**asked, "guarantee": each["guarantee"]})
        assert each["blanks"] == shown["step"]["total"]
        assert each["records"] == shown["step"]["records"]
        assert each["leaning"] == shown["step"]["leaning"]
        assert 0 < each["lost"] < 1
    assert several.ask("GET /api/study") == before
    household = {"do": "suppress", "above": 0.03, "household": {"main": 0.1}}
    *_, shared = several.ask("POST /api/guarantees", household)["prices"]
    assert "household risk" in shared["refusal"]
    wrong = several.ask("POST /api/guarantees", {"do": "drop", "variables": ["age"]}, status=422)
    assert "suppress" in wrong["error"]


@pytest.mark.slow
def test_a_policy_by_scenario_is_judged_and_proposed_for(several: Page) -> None:
    limits = {"main": 0.2, "register": 0.1}
    several.ask("PUT /api/policy", {"record_risk": limits})
    told = several.ask("GET /api/verdicts")["verdicts"]
    by = {each["scenario"]: each for each in told if each["rule"] == "record_risk"}
    assert {name: each["limit"] for name, each in by.items()} == limits
    wrong = several.ask("PUT /api/policy", {"record_risk": {"nobody": 0.1}}, status=422)
    assert "no scenario" in wrong["error"]
    found = several.ask("POST /api/propose", {"rules": {"record_risk": limits}, "touched": 1})
    assert found["asked"]["rules"]["record_risk"] == limits
    assert found["points"]


def test_what_protects_families_is_measured_and_taken(opened: Page) -> None:
    put(opened, MAIN)
    before = opened.ask("POST /api/steps", {"do": "drop", "variables": ["income"]})
    opened.ask("POST /api/confirm", {})
    found = opened.ask("GET /api/families", limit=0.05)["measures"]
    rows = {each["words"]: each for each in found}
    assert (found[0]["steps"], found[0]["unit"], found[0]["met"]) == ([], "households", False)
    assert rows["drop household"]["unit"] == "records"
    dropped = rows["drop household"]
    assert dropped["met"] == (dropped["rejoined"] <= 0.05)
    assert opened.ask("GET /api/study")["steps"] == before["steps"]
    (one,) = rows["one person of each household"]["steps"]
    one |= {"seed": 5}  # it does not come with the step
    told = opened.ask("POST /api/steps", one)
    assert [each["step"]["do"] for each in told["steps"]] == ["members", "drop"]
    assert told["confirmed"] == 0
    again = opened.ask("POST /api/steps", one, status=422)
    assert "before other steps" in again["error"]
    put(opened, REGISTER | {"name": "main"})
    refused = opened.ask("GET /api/families", status=422)
    assert "names no household" in refused["error"]
