"""PRAM in the app: form, preview, step, and figures that say what they are of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.client import SCENARIO, Page, running
from microsafe.app.folders import Folders
from microsafe.app.session import Session

SEED = 918273645546372819
STEP = {"do": "pram", "variable": "region", "keep": 0.7, "seed": SEED}


@pytest.fixture
def page(survey: Path) -> Iterator[Page]:
    with running(Session(Folders(roots=(survey.parent.resolve(),)))) as page:
        page.ask("POST /api/open", {"folder": 0, "path": "survey.csv"})
        page.ask("PUT /api/scenario", SCENARIO)
        yield page


def test_pram_in_the_app(page: Page) -> None:
    (kind,) = (each for each in page.ask("GET /api/steps")["kinds"] if each["do"] == "pram")
    controls = {each["name"]: each["control"] for each in kind["fields"]}
    assert (controls["keep"], controls["matrix"], controls["seed"]) == ("number", "matrix", "seed")
    before = page.ask("GET /api/risk?scenario=main")
    shown = page.ask("POST /api/preview", STEP)
    assert shown["after"]["expected"] < shown["before"]["expected"]
    assert shown["lost"] > 0
    marks = [shown[side]["perturbed_by"] for side in ("before", "after")]
    assert marks == ["", "PRAM of region"]
    assert (shown["numbers"], shown["correlations"]) == ([], None)
    taken = page.ask("POST /api/steps", STEP)
    assert taken["steps"][0]["words"].startswith("PRAM of region")
    after = page.ask("GET /api/risk?scenario=main")
    assert (before["perturbed"], after["perturbed"]) == ("", "PRAM of region")
    assert after["sample_uniques"] == before["sample_uniques"]
    told = after["perturbation"]
    assert before["perturbation"] is None
    assert told["expected_before"] == before["expected"] > after["expected"]
    assert told["kept_realised"] == pytest.approx(told["kept_expected"], rel=0.2)
    assert told["informed_gain"] >= 1
    results = dict(taken["steps"][0]["results"])
    assert "expected" in results["Values kept"]
    for answer in (shown, taken, after):
        assert str(SEED) not in json.dumps(answer)


def test_counts_after_it_are_marked_everywhere(page: Page) -> None:
    before = page.ask("GET /api/risk?scenario=main")
    shown = page.ask("POST /api/preview", STEP)
    assert [shown[when]["perturbed_by"] for when in ("before", "after")] == ["", "PRAM of region"]
    page.ask("POST /api/steps", STEP)
    after = page.ask("GET /api/risk?scenario=main")
    assert page.ask("GET /api/suggestions?scenario=main")["perturbed"] == "PRAM of region"
    (pair,) = page.ask("GET /api/compare?to=0")["risks"]
    assert [pair[when]["perturbed"] for when in ("before", "after")] == ["", "PRAM of region"]
    assert page.ask("GET /api/contributions?scenario=main")["expected"] == after["expected"]
    assert page.ask("GET /api/cells?scenario=main")["cells"][0]["risk"] == after["max"]
    assert after["household"]["expected"] < before["household"]["expected"]
    limit = page.ask("POST /api/limit", {"scenario": "main", "risk": 0.02})
    blanked = page.ask("POST /api/preview", {"do": "suppress", "above": 0.02})
    assert blanked["before"]["unsafe"] == limit["unsafe"]
    assert (blanked["after"]["unsafe"], blanked["step"]["records"]) == (0, limit["unsafe"])
    page.ask("PUT /api/policy", {"k": 2})
    (rule,) = (each for each in page.ask("GET /api/verdicts")["verdicts"] if each["rule"] == "k")
    assert rule["note"] == "before PRAM of region; not meaningful after it"


def test_numbers_are_linked_or_not(page: Page) -> None:
    assert page.ask("GET /api/numeric-risk?scenario=main")["variables"] == []
    page.ask("POST /api/steps", {"do": "renumber", "variable": "household", "seed": SEED})
    assert page.ask("GET /api/numeric-risk?scenario=main")["variables"] == []
    step = {"do": "noise", "variables": ["income"], "variance": 0.01, "seed": SEED}
    shown = page.ask("POST /api/preview", step)
    assert [each["variable"] for each in shown["numbers"]] == ["income"]
    (drawing,) = shown["pictures"]
    assert sum(drawing["before"]) == pytest.approx(1)
    assert len(drawing["after"]) == len(drawing["axis"]["edges"]) - 1
    page.ask("POST /api/steps", step)
    found = page.ask("GET /api/numeric-risk?scenario=main")
    alone, keyed = found["linkages"]
    assert (alone["keys"], keyed["keys"]) == ([], SCENARIO["keys"])
    assert alone["all"]["rate"] <= keyed["all"]["rate"] <= 1
    assert alone["adjusted"]["rate"] <= alone["all"]["rate"]
    assert found["by_variable"] == {"income": found["inside"]}
    utility = page.ask("GET /api/compare?to=1")["cost"]["utility"]
    assert [each["name"] for each in utility["pictures"]] == ["income"]
    assert utility["pmse"] >= 0


def test_a_preview_tells_how_numbers_change(page: Page) -> None:
    step = {"do": "noise", "variables": ["income"], "variance": 0.1, "seed": SEED}
    shown = page.ask("POST /api/preview", step)
    (number,) = shown["numbers"]
    assert number["variable"] == "income"
    assert number["weighted"] is True
    assert number["deviation_after"] != number["deviation_before"]
    assert 0 < number["sse"] < 1
    assert 0 < number["il1s"] < 1
    assert 0.8 < number["rank_correlation"] < 1
    assert str(SEED) not in json.dumps(shown)
