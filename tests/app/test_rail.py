"""The stops of the rail, as the page goes along them; figures are those of `Study`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from app.client import SCENARIO, Page, decide
from microsafe.cli import main
from microsafe.intruders import add_profile
from microsafe.options.parameter import parameters
from microsafe.options.profiles import PROFILES
from microsafe.steps import Recode, Suppress

BREAKS = [0, 15, 30, 45, 60, 75]
RECODE = {"do": "recode", "variable": "age", "breaks": BREAKS, "why": "too fine"}
SUPPRESS = {"do": "suppress", "above": 0.02}
REASON = {"override": {"estimator": "as in earlier years"}}  # the survey is sparse


@pytest.fixture
def study(folder: Path) -> ms.Study:
    """The same study by hand."""
    return ms.study(folder / "survey.sav", **SCENARIO)


def test_open_tells_what_is_in_the_file(page: Page, folder: Path) -> None:
    found = page.ask("GET /api/study")
    assert found["file"] is None
    assert found["folders"] == [str(folder)]
    found = page.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})
    assert found["file"]["name"] == "survey.sav"
    assert found["file"]["records"] == 700
    variables = {each["name"]: each for each in page.ask("GET /api/variables")["variables"]}
    assert variables["weight"]["role"] == "weight"
    assert variables["region"]["role"] == "key"
    assert variables["region"]["label"] == "Region of residence"


def test_open_below_a_folder_with_options(page: Page, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "a.csv").write_text("sex;age\n" + "1;x\n2;\n" * 20)
    listing = page.ask("GET /api/files", path="sub")
    assert listing["entries"] == [{"name": "a.csv", "kind": "file", "size": 148}]
    wish = {"folder": 0, "path": "sub/a.csv", "separator": ";", "na": ["x"]}
    page.ask("POST /api/open", wish)
    detail = page.ask("GET /api/variable", name="age")
    assert (detail["missing"], detail["distinct"]) == (40, 0)
    assert detail["missing_codes"] == ["x"]


def test_the_demo_is_made_once(page: Page, folder: Path) -> None:
    page.ask("POST /api/demo")
    before = (folder / "microsafe-demo" / "survey.sav").stat().st_mtime_ns
    assert page.ask("POST /api/demo")["file"]["name"] == "survey.sav"
    assert (folder / "microsafe-demo" / "survey.sav").stat().st_mtime_ns == before


def test_a_variable_with_labels_and_counts(opened: Page) -> None:
    region = opened.ask("GET /api/variable", name="region")
    assert region["categories"][0]["label"] == "Northport"
    assert sum(each["records"] for each in region["categories"]) + region["missing"] == 700
    education = opened.ask("GET /api/variable", name="education")
    assert education["missing_codes"] == ["98"]


def test_scenarios_are_put_and_deleted(opened: Page) -> None:
    refused = opened.ask("PUT /api/scenario", SCENARIO | {"name": "colleague"}, status=422)
    assert "'main'" in refused["error"]
    opened.ask("PUT /api/scenario", SCENARIO | {"why": "a neighbour"})
    second = SCENARIO | {"name": "colleague", "keys": ["sex", "occupation"]}
    found = opened.ask("PUT /api/scenario", second)
    assert [each["name"] for each in found["scenarios"]] == ["main", "colleague"]
    assert found["scenarios"][0]["why"] == "a neighbour"
    assert opened.ask("DELETE /api/scenario", name="main", status=409)["remedy"]
    assert opened.ask("DELETE /api/scenario", name="nobody", status=404)["error"]
    found = opened.ask("DELETE /api/scenario", name="colleague")
    assert len(found["scenarios"]) == 1


def test_a_scenario_that_cannot_be_measured_is_not_taken(opened: Page) -> None:
    answer = opened.ask("PUT /api/scenario", SCENARIO | {"weight": "hsize"}, status=422)
    assert answer["error"] == "'hsize' cannot be both a key variable and the weight."
    answer = opened.ask("PUT /api/scenario", SCENARIO | {"weight": "income"}, status=422)
    assert answer["error"].startswith("Weight 'income' of survey.sav")
    assert opened.ask("GET /api/study")["scenarios"] == []


def test_a_scenario_is_changed_under_steps(measured: Page, study: ms.Study) -> None:
    measured.ask("POST /api/steps", RECODE)
    measured.ask("POST /api/confirm")
    found = measured.ask("PUT /api/scenario", SCENARIO | {"keys": ["region", "age"]})
    assert found["confirmed"] == 0
    assert len(found["steps"]) == 1
    by_hand = ms.study(
        Path(found["file"]["folder"]) / "survey.sav", **SCENARIO | {"keys": ["region", "age"]}
    ).recode("age", breaks=BREAKS)
    assert measured.ask("GET /api/risk")["expected"] == by_hand.risk().expected


def test_risk_and_its_notices(measured: Page, study: ms.Study) -> None:
    found, risk = measured.ask("GET /api/risk"), study.risk()
    assert found["expected"] == risk.expected
    assert found["sample_uniques"] == risk.sample_uniques
    assert found["household"]["max"] == risk.household.max
    assert found["curve"]["exact"]
    assert found["curve"]["risk"] == risk.curve.risk.tolist()
    assert [each["text"] for each in found["notices"]] == [
        each.text for each in risk.notices if each.id != "estimator-model"
    ]


WISHES = ({"risk": 0.03}, {"rate": 0.01}, {"expected": 9.5}, {"unsafe": 40})


@pytest.mark.parametrize("wish", WISHES, ids=str)
def test_four_ways_to_a_limit(measured: Page, study: ms.Study, wish: dict[str, Any]) -> None:
    found, limit = measured.ask("POST /api/limit", wish), study.limit(**wish)
    assert found["limit"] == limit.limit
    assert found["unsafe"] == limit.unsafe
    assert found["expected"] == limit.expected_bound
    assert found["rate"] == limit.rate_bound
    assert found["households"] == study.risk().household.unsafe(limit.limit)
    assert measured.ask("GET /api/study")["limit"] == limit.limit


HOMES = ({"risk": 0.03}, {"rate": 0.01}, {"expected_households": 2.5})


@pytest.mark.parametrize("wish", HOMES, ids=str)
def test_a_limit_on_household_risk(measured: Page, study: ms.Study, wish: dict[str, Any]) -> None:
    found = measured.ask("POST /api/household-limit", wish)
    limit = study.risk().household.choose(**wish)
    assert found["limit"] == limit.limit
    assert found["unsafe"] == limit.unsafe
    assert found["expected_households"] == limit.households_bound
    assert found["members"] == {str(size): each for size, each in limit.members.items()}
    assert measured.ask("GET /api/study")["household_limit"] == limit.limit
    measured.ask("POST /api/household-limit", {}, status=422)


def test_known_counts_stand_beside_the_estimates(
    measured: Page, study: ms.Study, folder: Path
) -> None:
    keys = list(study.scenario().keys)
    values = {key: study.engine.categories(key) for key in keys}
    rows = pl.DataFrame({"n": [3.0]})
    for key, categories in values.items():
        rows = rows.join(pl.DataFrame({key: list(categories)}), how="cross")
    rows.write_csv(folder / "census.csv")
    asked = {"path": "census.csv", "count": "n"}
    found = measured.ask("GET /api/population", **asked)
    wanted = study.risk(population=folder / "census.csv", population_count="n").population
    assert wanted is not None
    assert found["expected"] == wanted.expected
    assert found["people"] == 3 * len(rows)
    assert measured.ask("GET /api/population", path="nothing.csv", status=404)["error"]
    assert measured.ask("GET /api/population", path="../x.csv", status=403)["error"]


def test_a_limit_needs_one_wish(measured: Page) -> None:
    assert measured.ask("POST /api/limit", {}, status=422)["error"]
    assert measured.ask("POST /api/limit", {"risk": 0.1, "unsafe": 3}, status=422)["error"]


def test_where_risk_comes_from(measured: Page, study: ms.Study) -> None:
    found = measured.ask("GET /api/contributions")
    by_hand = study.risk().contributions()
    assert [each["key"] for each in found["keys"]] == [each.key for each in by_hand]
    cells = measured.ask("GET /api/cells", most=5)
    assert cells["cells"][0]["risk"] == study.risk().max
    assert cells["cells"][0]["values"][0]["label"] == "Highmoor"
    assert len(cells["cells"]) == 5


def test_the_file_as_a_whole(measured: Page, study: ms.Study) -> None:
    told = measured.ask("GET /api/file-risk")
    assert told["tau2"] == pytest.approx(study.file_risk().tau2)
    assert told["level"] in ("very low", "low", "moderate", "high")


def test_a_model_without_an_answer(measured: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {
        "model": "loglinear", "sample_uniques": 10, "tau1": 1.5, "tau2": 3.0, "share_unique": 0.15,
        "level": "low", "cells": 100, "average_cell_size": 7.0, "fit": {"deviance": 3.0},
        "interval": {"tau1": [1.0, 2.0], "tau2": [2.0, 4.0]}, "notices": ["few cells"],
    }  # fmt: skip
    more = {"opinions": {"loglinear": {"remark": "It did not converge."}}}

    class Found:
        def summary(self) -> dict[str, Any]:
            return told | more

    monkeypatch.setattr(ms.Study, "file_risk", lambda *_, **__: Found())
    assert measured.ask("GET /api/file-risk") == told
    told["tau1"] = None
    refused = measured.ask("GET /api/file-risk", status=422)
    assert refused["error"].endswith("It did not converge.")


def test_a_preview_changes_nothing_and_counts_right(measured: Page, study: ms.Study) -> None:
    measured.ask("POST /api/limit", {"risk": 0.02})
    before = measured.ask("GET /api/study")
    found = measured.ask("POST /api/preview", RECODE)
    by_hand = study.preview(Recode(variable="age", breaks=tuple(BREAKS)), limit=0.02)
    assert found["after"]["expected"] == by_hand.after.expected
    assert found["after"]["unsafe"] == by_hand.after.unsafe
    assert found["lost"] == by_hand.lost
    assert [each["code"] for each in found["variable"]["categories"]][:2] == ["0-14", "15-29"]
    assert measured.ask("GET /api/study") == before
    found = measured.ask("POST /api/preview", SUPPRESS)
    done = study.suppress(above=0.02).steps[-1]
    assert found["step"]["blanks"] == done.blanks
    assert found["step"]["records"] == done.records
    assert found["after"]["unsafe"] == 0
    assert found["variable"] is None


def test_what_was_previewed_is_not_computed_twice(
    measured: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured.ask("POST /api/preview", SUPPRESS)
    monkeypatch.setattr(ms.Study, "apply", None)
    assert len(measured.ask("POST /api/steps", SUPPRESS)["steps"]) == 1


def test_steps_and_back_to_any_point(measured: Page, study: ms.Study) -> None:
    steps = [RECODE, {"do": "top_code", "variable": "hsize", "limit": 4}, SUPPRESS]
    for number, step in enumerate(steps, 1):
        found = measured.ask("POST /api/steps", step)
        assert len(found["steps"]) == number
    assert found["steps"][0]["words"] == "recode age into bins of 15"
    assert found["steps"][0]["step"]["why"] == "too fine"
    assert found["steps"][2]["total"] > 0
    found = measured.ask("POST /api/rollback", {"to": 1})
    assert [each["step"]["do"] for each in found["steps"]] == ["recode"]
    expected = study.recode("age", breaks=BREAKS).risk().expected
    assert measured.ask("GET /api/risk")["expected"] == expected
    assert measured.ask("GET /api/risk", steps=0)["expected"] == study.risk().expected
    assert measured.ask("POST /api/rollback", {"to": 7}, status=422)["error"]


def test_other_steps_can_be_taken(measured: Page) -> None:
    for step in (
        {"do": "bottom_code", "variable": "age", "limit": 5, "label": "5 and under"},
        {"do": "round", "variable": "income", "base": 100},
        {"do": "renumber", "variable": "household", "seed": 3},
        {"do": "drop", "variables": ["marital"], "from_keys": True},
        {
            "do": "suppress", "k": 2, "guarantee": "strict", "cost": {"age": 2.0},
            "spare": ["hsize"],
        },
    ):  # fmt: skip
        assert measured.ask("POST /api/preview", step)["after"]
        found = measured.ask("POST /api/steps", step)
    assert "marital" not in found["names"]
    assert "marital" in found["scenarios"][0]["keys"]  # as given; rolling back brings it back


def test_suggestions_can_be_taken(measured: Page) -> None:
    best = measured.ask("GET /api/suggestions", most=3)["suggestions"]
    assert len(best) == 3
    taken = measured.ask("POST /api/steps", best[0]["step"])
    assert taken["steps"][0]["words"] == best[0]["words"]
    assert measured.ask("GET /api/risk")["expected"] == pytest.approx(best[0]["after"]["expected"])


GRC = "1: 0-19\r\n2: 20-59\r\n3: 60-\r\n<MISSING> 9\r\n<CODELIST> bands.cdl\r\n"


def test_recodes_of_mu_argus_go_in_and_out(measured: Page) -> None:
    given = {
        "variable": "age", "name": "age.grc", "text": GRC, "codelist_name": "bands.cdl",
        "codelist": '1,"young"\r\n2,"middle"\r\n3,"old"\r\n',
    }  # fmt: skip
    read = measured.ask("POST /api/grc", given)
    assert read["step"]["groups"] == {"1": [["0", "19"]], "2": [["20", "59"]], "3": [["60", ""]]}
    assert read["step"]["labels"]["1"] == "young"
    assert measured.ask("GET /api/study")["steps"] == []
    text = measured.ask("POST /api/grc/export", read["step"])
    assert text["text"].startswith("1: 0-19\r\n2: 20-59\r\n3: 60-\r\n")
    assert text["codelist"].startswith('1,"young"')
    again = measured.ask("POST /api/grc", {"variable": "age"} | text)
    assert again["step"] == read["step"]
    for wrong in ({"text": "no recode"}, {"variable": "nobody"}, {"codelist_name": "age.grc"}):
        assert measured.ask("POST /api/grc", given | wrong, status=422)["error"]
    assert measured.ask("POST /api/grc", given | {"name": "../a.grc"}, status=403)["error"]
    assert measured.ask("POST /api/grc/export", RECODE, status=422)["error"]
    assert measured.ask("POST /api/grc/export", SUPPRESS, status=422)["error"]


def test_compare_before_and_after(measured: Page, study: ms.Study) -> None:
    measured.ask("POST /api/steps", RECODE)
    measured.ask("POST /api/steps", SUPPRESS)
    after = study.recode("age", breaks=BREAKS).suppress(above=0.02)
    found, by_hand = measured.ask("GET /api/compare", by=["education"]), after.compare()
    (pair,) = found["risks"]
    assert pair["before"]["expected"] == study.risk().expected
    assert pair["after"]["expected"] == after.risk().expected
    assert found["cost"]["blanks"] == by_hand.blanks
    blanks = {each["name"]: each["blanks"] for each in found["cost"]["losses"]}
    assert {"region", "age", "education"} <= set(blanks)
    assert found["cost"]["tables"]
    only_last = measured.ask("GET /api/compare", to=1)
    assert only_last["risks"][0]["before"]["steps"] == 1


def test_two_candidate_plans_against_each_other(measured: Page) -> None:
    measured.ask("POST /api/steps", SUPPRESS)
    measured.ask("POST /api/plans", {"name": "blanks only"})
    measured.ask("POST /api/rollback", {"to": 0})
    measured.ask("POST /api/steps", RECODE)
    measured.ask("POST /api/steps", SUPPRESS)
    found = measured.ask("POST /api/plans", {"name": "bands first"})
    assert [each["name"] for each in found["plans"]] == ["blanks only", "bands first"]
    both = measured.ask("GET /api/plans/compare", one="blanks only", other="bands first")
    assert both["one"]["cost"]["blanks"] > both["other"]["cost"]["blanks"]
    assert both["one"]["risks"][0]["max"] <= 0.02
    assert measured.ask("GET /api/plans/compare", one="blanks only")["other"]["name"] == ""
    used = measured.ask("POST /api/plans/use", {"name": "blanks only"})
    assert [each["step"]["do"] for each in used["steps"]] == ["suppress"]
    assert len(measured.ask("DELETE /api/plans", name="bands first")["plans"]) == 1
    assert measured.ask("POST /api/plans/use", {"name": "bands first"}, status=404)["error"]
    assert measured.ask("POST /api/plans", {"name": " "}, status=422)["error"]


def test_candidates_follow_a_change_of_scenario(measured: Page) -> None:
    measured.ask("POST /api/steps", SUPPRESS)
    measured.ask("POST /api/plans", {"name": "A"})
    measured.ask("PUT /api/scenario", SCENARIO | {"keys": ["region", "sex"]})
    both = measured.ask("GET /api/plans/compare", one="A")
    assert both["one"]["risks"] == both["other"]["risks"]


@pytest.mark.slow
def test_release_writes_what_replays(measured: Page, folder: Path) -> None:
    by_cell = SCENARIO | {"estimator": "cell"}  # a model would take the blanks for gaps
    measured.ask("PUT /api/scenario", by_cell)
    measured.ask("POST /api/steps", RECODE)
    measured.ask("POST /api/steps", SUPPRESS)
    measured.ask("PUT /api/policy", {"record_risk": 0.02} | REASON)
    decide(measured)
    assert measured.ask("GET /api/verdicts")["allowed"]
    wish = {"path": "out", "file": "safe.sav"}
    assert "confirmed" in measured.ask("POST /api/release", wish, status=409)["error"]
    assert measured.ask("POST /api/confirm")["confirmed"] == 2
    found = measured.ask("POST /api/release", wish)
    assert found["allowed"]
    names = {"safe.sav", "report.html", "public.html", "plan.toml", "plan.lock"}
    out = folder / "out"
    assert {each["name"] for each in found["files"]} == names == {p.name for p in out.iterdir()}
    assert {path.stat().st_mode & 0o777 for path in out.iterdir()} == {0o600}
    assert main(["replay", str(out / "plan.toml"), "--check"]) == 0
    by_hand = ms.study(out / "safe.sav", **by_cell).risk()
    assert by_hand.max <= 0.02


def test_release_never_overwrites_silently(measured: Page, folder: Path) -> None:
    measured.ask("PUT /api/policy", REASON)
    decide(measured)
    (folder / "report.html").write_text("mine")
    refused = measured.ask("POST /api/release", {"file": "safe.sav"}, status=409)
    assert refused["names"] == ["report.html"]
    assert [path.name for path in sorted(folder.iterdir())] == ["report.html", "survey.sav"]
    told = measured.stream("POST /api/release", {"file": "safe.sav", "overwrite": True})
    assert told[-1][0] == "done"
    assert (folder / "report.html").read_text() != "mine"
    again = measured.ask("POST /api/release", {"file": "safe.sav"}, status=409)
    assert len(again["names"]) == 5


def test_files_beside_the_safe_file_are_not_overwritten_either(
    measured: Page, folder: Path
) -> None:
    measured.ask("PUT /api/policy", REASON)
    decide(measured)
    (folder / "safe.rda").write_text("mine")
    refused = measured.ask("POST /api/release", {"file": "safe.asc"}, status=409)
    assert refused["names"] == ["safe.rda"]
    assert (folder / "safe.rda").read_text() == "mine"
    assert not (folder / "safe.asc").exists()


@pytest.mark.slow
def test_a_policy_stands_in_the_way_until_somebody_gives_a_reason(
    measured: Page, folder: Path
) -> None:
    decide(measured)
    measured.ask("PUT /api/policy", {"record_risk": 0.01, "household_risk": 0.05})
    assert not measured.ask("GET /api/verdicts")["allowed"]
    found = measured.ask("POST /api/release", {"file": "safe.sav"})
    assert (found["allowed"], found["files"]) == (False, [])
    assert not (folder / "safe.sav").exists()
    reasons = {"record_risk": "a test", "household_risk": "a test", "estimator": "a test"}
    policy = {"record_risk": 0.01, "household_risk": 0.05, "override": reasons}
    measured.ask("PUT /api/policy", policy)
    assert measured.ask("POST /api/release", {"file": "safe.sav"})["allowed"]
    assert measured.ask("PUT /api/policy", {"override": reasons}, status=422)["error"]


def test_who_gets_the_file_sets_the_limits(measured: Page, study: ms.Study) -> None:
    assert measured.ask("GET /api/study")["profile"] is None
    for name, usual in PROFILES.items():
        found = measured.ask("PUT /api/profile", {"profile": name})
        assert (found["profile"], found["limit"]) == (name, usual.record_risk)
        asked = add_profile(ms.Policy(), name, study.scenario())
        assert found["policy"]["intruders"] == asked.intruders
        assert found["cover"]["release_type"] == usual.release_type
    other = {**found["cover"], "release_type": "teaching file"}
    assert measured.ask("PUT /api/cover", other)["profile"] is None


def test_rules_for_households_and_the_file(measured: Page, study: ms.Study) -> None:
    measured.ask("PUT /api/policy", {"household_rate": 0.5, "tau1_share": 0.9})
    found = {each["rule"]: each for each in measured.ask("GET /api/verdicts")["verdicts"]}
    assert found["household_rate"]["value"] == study.risk().household.rate
    assert found["tau1_share"]["value"] == study.file_risk(opinions=()).share_unique


def test_both_estimators_are_shown_and_the_model_is_proposed(measured: Page, folder: Path) -> None:
    measured.ask("PUT /api/scenario", SCENARIO | {"estimator": "cell"})
    study = ms.study(folder / "survey.sav", **SCENARIO, estimator="cell")
    found, wanted = measured.ask("GET /api/risk"), study.risk(limit=0.05)
    beside = wanted.by_other(wanted.limit)
    assert beside is not None
    assert (found["estimator"], found["proposed"]) == ("cell", "model")
    other = found["other"]
    assert (other["estimator"], other["much_higher"]) == ("model", True)
    assert (other["max"], other["expected"]) == (beside.max, beside.expected)
    assert (other["rate"], other["ratio"]) == (beside.rate, beside.ratio)
    assert other["curve"]["records"] == wanted.n
    assert measured.ask("POST /api/limit", {"risk": 0.05})["other"] == beside.above_limit
    rules = measured.ask("GET /api/verdicts")
    assert not rules["allowed"]
    assert [each["rule"] for each in rules["verdicts"]] == ["inventory", "estimator"]


@pytest.mark.slow
def test_all_stops_stand_on_the_model_once_it_is_chosen(measured: Page, folder: Path) -> None:
    measured.ask("PUT /api/scenario", SCENARIO | {"estimator": "model"})
    study = ms.study(folder / "survey.sav", **SCENARIO, estimator="model")
    found, wanted = measured.ask("GET /api/risk"), study.risk(limit=0.05)
    assert (found["estimator"], found["proposed"]) == ("model", "model")
    assert (found["expected"], found["max"]) == (wanted.expected, wanted.max)
    assert (found["other"]["estimator"], found["other"]["much_higher"]) == ("cell", False)
    assert found["household"]["max"] == wanted.household.max
    assert wanted.limit is not None
    limit = measured.ask("POST /api/limit", {"risk": 0.05})
    assert (limit["unsafe"], limit["expected"]) == (
        wanted.limit.unsafe,
        wanted.limit.expected_bound,
    )
    suggestions = measured.ask("GET /api/suggestions")["suggestions"]
    assert suggestions[0]["before"]["expected"] == wanted.expected
    previewed = measured.ask("POST /api/preview", SUPPRESS)
    assert previewed["before"]["expected"] == wanted.expected
    measured.ask("POST /api/steps", RECODE)
    measured.ask("POST /api/steps", SUPPRESS)
    compared = measured.ask("GET /api/compare")["risks"][0]
    assert compared["before"]["expected"] == wanted.expected
    assert compared["after"]["max"] <= 0.02
    measured.ask("PUT /api/policy", {"record_risk": 0.02})
    decide(measured)
    measured.ask("POST /api/confirm")
    assert measured.ask("POST /api/release", {"file": "safe.sav"})["allowed"]
    assert main(["replay", str(folder / "plan.toml"), "--check"]) == 0


def test_plan_and_script_are_what_was_done(measured: Page, folder: Path) -> None:
    override = {**REASON["override"], "inventory": "decided elsewhere"}
    measured.ask("PUT /api/policy", {"override": override})
    assert measured.ask("POST /api/steps", RECODE)
    decide(measured)
    told = measured.ask("GET /api/plan")
    (folder / "plan.toml").write_text(told["plan"])
    assert main(["protect", str(folder / "plan.toml")]) == 0
    assert (folder / "survey-safe.sav").exists()
    compile(told["script"], "script", "exec")
    assert "study.recode(variable='age'" in told["script"]


def test_a_change_in_another_window_is_noticed(measured: Page) -> None:
    answer = measured.raw("GET /api/study")
    tag = answer.headers["etag"]
    body = json.dumps(RECODE).encode()
    assert measured.send("POST", "/api/steps", body=body, headers={"If-Match": tag}).status == 200
    assert measured.send("POST", "/api/steps", body=body, headers={"If-Match": tag}).status == 412
    assert len(measured.ask("GET /api/study")["steps"]) == 1


def test_looking_is_no_change(measured: Page) -> None:
    measured.ask("POST /api/plans", {"name": "A"})
    before = measured.ask("PUT /api/scenario", SCENARIO)["revision"]
    measured.ask("POST /api/limit", {"risk": 0.03})
    measured.ask("GET /api/plans/compare", one="A")
    measured.ask("POST /api/preview", RECODE)
    assert measured.ask("GET /api/study")["revision"] == before


def test_another_file_leaves_the_first(measured: Page, folder: Path) -> None:
    (folder / "b.csv").write_text("sex,age\n" + "1,30\n2,40\n" * 20)
    found = measured.ask("POST /api/open", {"folder": 0, "path": "b.csv"})
    assert (found["scenarios"], found["steps"], found["limit"]) == ([], [], None)
    assert measured.ask("GET /api/risk", status=409)["error"] == "There is no scenario yet."
    back = measured.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})
    assert back["saved"]["keys"] == SCENARIO["keys"]


def test_a_file_that_cannot_be_read_leaves_everything_as_it_was(
    measured: Page, folder: Path
) -> None:
    (folder / "broken.sav").write_bytes(b"$FL2 no file")
    assert measured.ask("POST /api/open", {"folder": 0, "path": "broken.sav"}, status=422)["error"]
    assert measured.ask("GET /api/study")["file"]["name"] == "survey.sav"
    assert measured.ask("GET /api/risk")["records"] == 700


def test_a_step_by_all_its_words(measured: Page) -> None:
    """What comes out goes in again."""
    found = measured.ask("POST /api/steps", SUPPRESS)["steps"][0]["step"]
    measured.ask("POST /api/rollback", {"to": 0})
    assert measured.ask("POST /api/steps", found)["steps"][0]["step"] == found
    assert found.keys() == {"do", *parameters(Suppress)}


def test_figures_are_finite(measured: Page) -> None:
    """Nothing that JSON cannot hold: NaN becomes null."""
    measured.ask("POST /api/steps", {"do": "drop", "variables": ["income"]})
    answer = measured.raw("GET /api/compare")
    assert b"NaN" not in answer.body
    assert np.isfinite(answer.json()["risks"][0]["after"]["expected"])
