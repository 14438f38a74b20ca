"""Propose: ladders to edit, a search that can be stopped, plans to open and take."""

from __future__ import annotations

import json
import threading
import tomllib
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

import microsafe as ms
from app.client import PATIENCE, SCENARIO, Page, decide, events, running
from microsafe.app.folders import Folders
from microsafe.app.session import Session
from microsafe.app.views.open import enter_file
from microsafe.cli import main
from microsafe.plan.model import Input, Propose
from microsafe.plan.proposal import propose_plan
from microsafe.plan.read import read_plan
from microsafe.progress import Progress

RULES = {"record_risk": 0.03}
ASKED = {"rules": RULES, "touched": 0.1}


@pytest.fixture
def study(folder: Path) -> ms.Study:
    """The same study by hand."""
    return ms.study(folder / "survey.sav", **SCENARIO)


def steps_of(page: Page) -> list[dict[str, Any]]:
    return [each["step"] for each in page.ask("GET /api/study")["steps"]]


def take(page: Page, found: dict[str, Any], point: int | None = None, **options: Any) -> Any:
    place = found["best"] if point is None else point
    body = {"proposal": found["proposal"], "point": place}
    return page.ask("POST /api/proposal/take", body, **options)


# Ladders


def test_ladders_tell_rungs_categories_and_loss(measured: Page, study: ms.Study) -> None:
    found = {each["key"]: each for each in measured.ask("POST /api/ladders")["ladders"]}
    assert list(found) == SCENARIO["keys"]
    assert found["hsize"]["counted"]
    assert found["hsize"]["rungs"] == []
    assert [each["words"] for each in found["sex"]["rungs"]] == ["left out for all"]
    rungs = {each["words"]: each for each in found["age"]["rungs"]}
    assert rungs["bins of 10"]["source"] == "bins of 10"
    sizes = [each["categories"] for each in found["age"]["rungs"]]
    losses = [each["loss"] for each in found["age"]["rungs"]]
    assert sizes == sorted(sizes, reverse=True)
    assert losses == sorted(losses)
    assert found["age"]["numeric"]
    widths = {"do": "recode", "variable": "age", "breaks": list(range(0, 100, 10))}
    (by_hand,) = measured.ask("POST /api/preview", widths)["information"]
    (own,) = rungs_of(measured, "age", [10])
    assert own["loss"] == pytest.approx(by_hand["share_lost"], rel=1e-12)


def rungs_of(page: Page, key: str, rungs: list[object]) -> list[dict[str, Any]]:
    found = page.ask("POST /api/ladders", {"ladders": {key: rungs}})["ladders"]
    return next(each["rungs"] for each in found if each["key"] == key)


def test_edited_rungs_are_put_in_order(measured: Page) -> None:
    merged = {"groups": {"1": ["1", "2"]}, "labels": {"1": "one or two"}}
    mixed = rungs_of(measured, "age", ["bins of 20", 5, "bins of 10"])
    assert [each["source"] for each in mixed] == [5, "bins of 10", "bins of 20"]
    by_hand = rungs_of(measured, "region", [merged])
    assert by_hand[0]["source"] == merged
    assert rungs_of(measured, "age", []) == []


@pytest.mark.parametrize(
    ("rungs", "status", "error"),
    [
        ([2, 5], 422, "parts"),
        (["bins of 7"], 409, "no longer suggested"),
        (["/etc/passwd"], 409, "no longer suggested"),
        ([True], 422, "must be one that is suggested"),
        ([{"do": "drop", "variables": ["age"]}], 422, "unknown field"),
        ([{"variable": "sex", "groups": {"1": ["1", "2"]}}], 422, "It recodes 'sex'"),
    ],
)
def test_what_is_no_rung_is_refused(
    measured: Page, rungs: list[object], status: int, error: str
) -> None:
    told = measured.ask("POST /api/ladders", {"ladders": {"age": rungs}}, status=status)
    assert error in told["error"]


def test_a_ladder_needs_a_key_that_can_be_recoded(measured: Page, opened: Page) -> None:
    told = measured.ask("POST /api/ladders", {"ladders": {"weight": [5]}}, status=422)
    assert "not a key" in told["error"]
    told = measured.ask("POST /api/ladders", {"ladders": {"hsize": [2]}}, status=422)
    assert "can be counted" in told["error"]


def test_without_a_scenario_nothing_is_proposed(opened: Page) -> None:
    assert opened.ask("POST /api/ladders", status=409)["error"] == "There is no scenario yet."
    assert opened.ask("POST /api/propose", ASKED, status=409)["remedy"]


# The search


def test_a_proposal_is_that_of_the_study(measured: Page, study: ms.Study) -> None:
    found = measured.ask("POST /api/propose", ASKED)
    right = study.propose(policy=ms.Policy(record_risk=0.03), touched=0.1)
    assert right.best is not None
    best = found["points"][found["best"]]
    assert best["words"] == right.best.words
    assert best["loss"] == right.best.loss
    assert best["recodes"] == dict(right.best.recodes)
    assert [each["touched"] for each in found["points"]] == [
        each.candidate.touched for each in right.points if each.candidate
    ]
    assert (found["gap"], found["cap"], found["records"]) == (0, 70, 700)
    assert found["taken"] is None
    assert not found["stale"]


@pytest.mark.parametrize("damage", ["no table", "another version", "plan", "box"])
def test_a_search_that_cannot_be_read_begins_anew(
    measured: Page, session: Session, damage: str
) -> None:
    path = session.journal_file.search
    first = measured.ask("POST /api/propose", ASKED)
    text = path.read_text("utf-8")
    kept = json.loads(text)
    (search,) = kept["searches"]
    if damage == "no table":
        kept = "cut off"
    elif damage == "another version":
        kept = {"microsafe_search": 1, **search}
    elif damage == "plan":
        search["plans"][0] = search["plans"][0][:-1]
    else:
        search["open"][0][1].append([0.0, 1])
    path.write_text(json.dumps(kept), "utf-8")
    again = measured.ask("POST /api/propose", ASKED)
    same = ("words", "loss", "blanks", "touched")
    assert [[plan[name] for name in same] for plan in again["points"]] == [
        [plan[name] for name in same] for plan in first["points"]
    ]
    assert path.read_text("utf-8") == text


def test_wishes_reach_the_search(measured: Page, study: ms.Study) -> None:
    wishes = {
        "touched": 0.2,
        "spare": ["region"],
        "utility": {"age": 3},
        "guarantee": "own",
        "ladders": {"age": [5, 20], "marital": []},
    }
    found = measured.ask("POST /api/propose", {"rules": RULES, **wishes})
    right = study.propose(policy=ms.Policy(**RULES), **wishes)
    assert right.best is not None
    best = found["points"][found["best"]]
    assert (best["words"], best["loss"]) == (right.best.words, right.best.loss)
    assert {"region", "marital"}.isdisjoint(best["recodes"])
    assert found["asked"]["ladders"] == wishes["ladders"]


@pytest.mark.slow
def test_what_cannot_be_met_is_told_with_the_nearest(measured: Page) -> None:
    few = measured.ask("POST /api/propose", {"rules": {"record_risk": 0.03}, "touched": 0.001})
    assert few["points"][few["best"]]["touched"] == few["cap"] == 0  # by recodes alone
    none = measured.ask("POST /api/propose", {"rules": {"record_risk": 1e-4}})
    assert (none["points"], none["nearest"]) == ([], None)
    assert none["stuck"] > 0


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"rules": {}}, "asks for nothing"),
        ({"rules": {"record_risky": 1}}, "Did you mean 'record_risk'?"),
        ({"rules": RULES, "touched": 2}, "from 0 to 1"),
        ({"rules": RULES, "spare": ["weight"]}, "is not a key"),
        ({"rules": RULES, "guarantee": "shared"}, "'own' or 'strict'"),
        ({"rules": RULES, "seconds": 0}, "above 0"),
    ],
)
def test_wrong_wishes_are_refused(measured: Page, asked: dict[str, Any], error: str) -> None:
    assert error in measured.ask("POST /api/propose", asked, status=422)["error"]
    assert measured.ask("GET /api/proposal")["found"] is None


def test_a_search_tells_how_far_it_is(measured: Page) -> None:
    told = measured.stream("POST /api/propose", ASKED)
    stages = {data["stage"] for name, data in told if name == "progress"}
    assert "searching for the cheapest plan" in stages
    assert told[-1][0] == "done"


def test_a_search_that_is_cancelled_leaves_the_last_one(
    measured: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = measured.ask("POST /api/propose", ASKED)
    begun = threading.Event()

    def wait(study: ms.Study, *, progress: Progress, **options: object) -> None:
        while True:
            progress("waiting for the test", 0.5)
            begun.set()

    monkeypatch.setattr(ms.Study, "propose", wait)
    connection = HTTPConnection("127.0.0.1", measured.port, timeout=PATIENCE)
    headers = measured.headers("POST") | {"Accept": "text/event-stream"}
    connection.request("POST", "/api/propose", json.dumps(ASKED), headers)
    answer = connection.getresponse()
    assert begun.wait(PATIENCE)
    (_, started) = next(events("".join(answer.readline().decode() for _ in range(3))))
    assert measured.ask("POST /api/cancel", {"job": started["job"]}) == {"running": True}
    name, told = list(events(answer.read().decode()))[-1]
    connection.close()
    assert (name, told["status"]) == ("failed", 499)
    assert measured.ask("GET /api/proposal")["found"] == found
    take(measured, found)


# Plans to open and take


def test_an_open_plan_tells_steps_losses_and_verdicts(measured: Page, study: ms.Study) -> None:
    found = measured.ask("POST /api/propose", ASKED)
    best = found["points"][found["best"]]
    shown = measured.ask("GET /api/proposal/plan", proposal=found["proposal"], point=found["best"])
    assert len(shown["steps"]) == len(best["recodes"]) + 1
    losses = {each["key"]: each for each in shown["losses"]}
    assert list(losses) == SCENARIO["keys"]
    assert sum(each["loss"] for each in losses.values()) / 5 == pytest.approx(best["loss"])
    assert sum(each["blanks"] for each in losses.values()) == best["blanks"]
    assert {key: each["recode"] for key, each in losses.items() if each["recode"]} == best[
        "recodes"
    ]
    assert [(each["rule"], each["met"]) for each in shown["verdicts"]] == [("record_risk", True)]
    assert shown["replaced"] == []


@pytest.mark.slow
def test_every_plan_gives_what_was_promised(measured: Page) -> None:
    found = measured.ask("POST /api/propose", ASKED)
    for place, promised in enumerate(found["points"]):
        told = take(measured, found, place)
        blanked = told["steps"][-1] if promised["blanks"] else {"total": 0, "records": 0}
        assert (blanked["total"], blanked["records"]) == (promised["blanks"], promised["touched"])
        cost = measured.ask("GET /api/compare")["cost"]
        lost = {each["name"]: each["lost_share"] for each in cost["losses"] if each["key"]}
        assert sum(lost.values()) / 5 == pytest.approx(promised["loss"])
        assert measured.ask("GET /api/risk")["max"] <= 0.03 * (1 + 1e-9)
        assert measured.ask("GET /api/proposal")["found"]["taken"] == place


def test_a_plan_takes_the_place_of_suppression_as_the_command_does(
    measured: Page, folder: Path
) -> None:
    measured.ask("POST /api/steps", {"do": "suppress", "above": 0.05})
    measured.ask("POST /api/steps", {"do": "drop", "variables": ["education"]})
    measured.ask("POST /api/confirm")
    measured.ask("PUT /api/policy", RULES)
    (folder / "plan.toml").write_text(measured.ask("GET /api/plan")["plan"])
    plan = read_plan(folder / "plan.toml", draw_seeds=True)
    data = ms.study(folder / "survey.sav", **SCENARIO)
    _, right = propose_plan(replace(plan, propose=Propose(touched=0.1)), data)

    found = measured.ask("POST /api/propose", ASKED)
    assert not found["stale"]
    told = take(measured, found)
    assert [each["words"] for each in told["steps"]] == [each.in_words() for each in right.steps]
    assert told["confirmed"] == 0
    assert [each["name"] for each in told["plans"]] == ["before the proposal"]
    assert told["policy"]["record_risk"] == 0.03
    again = measured.ask("POST /api/plans/use", {"name": "before the proposal"})
    assert [each["step"]["do"] for each in again["steps"]] == ["suppress", "drop"]


@pytest.mark.slow
def test_taking_adds_rules_to_the_policy_and_never_changes_one(measured: Page) -> None:
    measured.ask("PUT /api/policy", {"record_risk": 0.01})
    found = measured.ask("POST /api/propose", {"rules": {"record_risk": 0.03, "rate": 0.5}})
    policy = take(measured, found)["policy"]
    assert (policy["record_risk"], policy["rate"]) == (0.01, 0.5)


AT_HOME = {"record_risk": 0.1, "household_risk": 0.02}


@pytest.mark.slow
@pytest.mark.parametrize("policy", [{}, AT_HOME, {"household_risk": 0.2}])
def test_rules_on_households_are_judged_once_the_number_is_back(
    opened: Page, policy: dict[str, float]
) -> None:
    keys = ["sex", "occupation", "education", "hsize"]
    opened.ask("PUT /api/scenario", {**SCENARIO, "keys": keys, "estimator": "model"})
    telling = ["income", "citizenship"]  # by which members would be put together again
    opened.ask("POST /api/steps", {"do": "drop", "variables": telling})
    opened.ask("PUT /api/policy", policy)
    found = opened.ask("POST /api/propose", {"rules": AT_HOME, "touched": 0.05})
    told = take(opened, found)
    assert any(step.get("variables") == ["household"] for step in steps_of(opened))
    asked = {**AT_HOME, **policy}
    assert {rule: told["policy"][rule] for rule in asked} == asked
    assert not told["policy"]["intruders"]
    rules = {each["rule"] for each in opened.ask("GET /api/verdicts")["verdicts"]}
    assert "rejoin" in rules
    assert "household_risk" not in rules
    opened.ask("POST /api/rollback", {"to": 1})
    verdicts = {each["rule"]: each for each in opened.ask("GET /api/verdicts")["verdicts"]}
    assert verdicts["household_risk"]["limit"] == asked["household_risk"]
    assert "rejoin" not in verdicts


def test_a_limit_on_an_intruder_is_kept_with_the_plan(measured: Page) -> None:
    limits = {"inference": 0.5, "rejoin": 0.6}
    measured.ask("PUT /api/policy", {"record_risk": 0.03, "intruders": {"inference": 0.4}})
    found = measured.ask("POST /api/propose", {**ASKED, "rules": {**RULES, "intruders": limits}})
    assert take(measured, found)["policy"]["intruders"] == {"inference": 0.4, "rejoin": 0.6}


def test_steps_of_a_plan_are_undone_like_others_and_taken_again(measured: Page) -> None:
    found = measured.ask("POST /api/propose", ASKED)
    first = take(measured, found)
    assert first["proposed"]
    back = measured.ask("POST /api/rollback", {"to": 1})
    assert len(back["steps"]) == 1
    assert not back["proposed"]
    assert "[propose" not in measured.ask("GET /api/plan")["plan"]
    now = measured.ask("GET /api/proposal")["found"]
    assert (now["stale"], now["taken"]) == (False, None)
    again = take(measured, now)
    assert [each["step"] for each in again["steps"]] == [each["step"] for each in first["steps"]]


@pytest.mark.parametrize(
    "change",
    [
        ("POST /api/steps", {"do": "top_code", "variable": "age", "limit": 80}),
        ("PUT /api/scenario", {"name": "main", "keys": ["region", "sex"], "weight": "weight"}),
    ],
)
def test_a_plan_for_other_data_is_not_taken(measured: Page, change: tuple[str, Any]) -> None:
    found = measured.ask("POST /api/propose", ASKED)
    before = len(measured.ask(*change)["steps"])
    assert measured.ask("GET /api/proposal")["found"]["stale"]
    told = take(measured, found, status=409)
    assert told["remedy"] == "Propose again."
    measured.ask(
        "GET /api/proposal/plan", status=409, proposal=found["proposal"], point=found["best"]
    )
    assert len(steps_of(measured)) == before


def test_two_windows_keep_their_proposals(measured: Page) -> None:
    mine = measured.ask("POST /api/propose", ASKED)
    other = measured.ask("POST /api/propose", {"rules": {"record_risk": 0.1}})
    assert mine["proposal"] != other["proposal"]
    assert measured.ask("GET /api/proposal")["found"] == other
    assert measured.ask("GET /api/proposal", proposal=mine["proposal"])["found"] == mine
    take(measured, other)
    take(measured, mine)
    now = measured.ask("GET /api/proposal", proposal=mine["proposal"])["found"]
    assert now["taken"] == mine["best"]


def test_a_proposal_that_is_gone_is_refused(measured: Page) -> None:
    found = measured.ask("POST /api/propose", ASKED)
    take(measured, found, 99, status=404)
    take(measured, {"proposal": 77, "best": 0}, status=404)
    measured.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})
    assert measured.ask("GET /api/proposal")["found"] is None
    take(measured, found, status=404)


def test_a_plan_is_kept_to_be_compared(measured: Page) -> None:
    found = measured.ask("POST /api/propose", ASKED)
    body = {"proposal": found["proposal"], "point": found["best"], "name": "cheapest"}
    told = measured.ask("POST /api/proposal/keep", body)
    assert told["steps"] == []
    shown = measured.ask("GET /api/plans/compare", one="cheapest")["one"]
    assert shown["cost"]["blanks"] == found["points"][found["best"]]["blanks"]
    assert measured.ask("POST /api/plans/use", {"name": "cheapest"})["proposed"]


# What stays


@pytest.mark.slow
def test_the_release_keeps_why_and_is_replayed(measured: Page, folder: Path) -> None:
    asked = {**ASKED, "ladders": {"age": [5, 20], "marital": ["rarest 25 % pooled"]}}
    asked |= {"spare": ["sex"], "utility": {"age": 2}}
    found = measured.ask("POST /api/propose", asked)
    take(measured, found)
    decide(measured)
    measured.ask("POST /api/confirm")
    policy = measured.ask("GET /api/study")["policy"]
    measured.ask(
        "PUT /api/policy",
        policy | {"override": dict.fromkeys(("estimator", "telling"), "as in earlier years")},
    )
    done = measured.ask("POST /api/release", {"path": "out", "file": "safe.sav"})
    assert done["allowed"]
    plan = tomllib.loads((folder / "out" / "plan.toml").read_text())
    assert plan["propose"]["touched"] == 0.1
    assert plan["propose"]["spare"] == ["sex"]
    assert plan["utility"]["variables"] == {"age": 2.0}
    assert plan["propose"]["ladders"]["age"] == [5, 20]
    assert plan["propose"]["result"]["status"] == "proved"
    (taken,) = [each for each in plan["propose"]["result"]["frontier"] if each.get("taken")]
    best = found["points"][found["best"]]
    assert (taken["blanks"], taken["touched"]) == (best["blanks"], best["touched"])
    assert main(["replay", str(folder / "out" / "plan.toml"), "--check"]) == 0
    assert "Why this plan" in (folder / "out" / "report.html").read_text()
    # The command finds the same again.
    path = folder / "out" / "again.toml"
    assert main(["propose", str(folder / "out" / "plan.toml"), "-o", str(path)]) == 0
    assert tomllib.loads(path.read_text())["step"] == plan["step"]


def test_uses_that_matter_weigh_what_is_proposed(measured: Page) -> None:
    measured.ask(
        "PUT /api/uses", {"variables": {"age": 3.0}, "tables": [{"of": ["region", "age"]}]}
    )
    found = measured.ask("POST /api/propose", {**ASKED, "utility": {"region": 2}})
    best = found["points"][found["best"]]
    assert best["loss_by_uses"] != best["loss"]
    take(measured, found)
    kept = measured.ask("GET /api/study")["uses"]
    assert kept["variables"] == {"age": 3.0, "region": 2.0}
    assert [each["of"] for each in kept["tables"]] == [["region", "age"]]
    assert not measured.ask("GET /api/proposal")["found"]["stale"]
    told = measured.ask("GET /api/compare/uses")
    assert told["loss"] == pytest.approx(best["loss_by_uses"], rel=1e-9)
    assert told["plain"] == pytest.approx(best["loss"], rel=1e-9)
    measured.ask("PUT /api/uses", {"variables": {"age": 5.0}})
    assert measured.ask("GET /api/proposal")["found"]["stale"]


def test_a_resumed_session_still_knows_why(measured: Page, session: Session, folder: Path) -> None:
    take(measured, measured.ask("POST /api/propose", ASKED | {"ladders": {"age": [10]}}))
    plan = measured.ask("GET /api/plan")["plan"]
    assert "[propose.result]" in plan
    session.close()
    again = Session(Folders(roots=(folder,)))
    enter_file(again, Input(file=str(folder / "survey.sav")), resuming=True)
    with running(again) as page:
        assert page.ask("GET /api/study")["proposed"]
        assert page.ask("GET /api/plan")["plan"] == plan
        assert page.ask("GET /api/proposal")["found"] is None


def test_no_message_of_a_proposal_is_large(measured: Page) -> None:
    assert len(measured.raw("POST /api/ladders").body) < 10_000
    assert len(measured.raw("POST /api/propose", ASKED).body) < 10_000
