"""PRAM in the app: form, preview, step, and figures that say what they are of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import microsafe as ms
from app.client import SCENARIO, Page, running
from microsafe.app.folders import Folders
from microsafe.app.session import Session

SEED = 918273645546372819
STEP = {"do": "pram", "variable": "region", "keep": 0.7, "seed": SEED}


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    ms.survey(1, households=250).frame.write_csv(tmp_path / "survey.csv")
    with running(Session(Folders(roots=(tmp_path.resolve(),)))) as page:
        page.ask("POST /api/open", {"folder": 0, "path": "survey.csv"})
        page.ask("PUT /api/scenario", SCENARIO)
        yield page


def test_pram_in_the_app(page: Page) -> None:
    (kind,) = (each for each in page.ask("GET /api/steps")["kinds"] if each["do"] == "pram")
    controls = {each["name"]: each["control"] for each in kind["fields"]}
    assert (controls["keep"], controls["matrix"], controls["seed"]) == ("number", "plan", "seed")
    before = page.ask("GET /api/risk?scenario=main")
    shown = page.ask("POST /api/preview", STEP)
    assert shown["after"]["expected"] < shown["before"]["expected"]
    assert shown["lost"] > 0
    marks = [shown[side]["perturbed_by"] for side in ("before", "after")]
    assert marks == ["", "PRAM of region"]
    assert (shown["numbers"], shown["correlation"]) == ([], None)
    taken = page.ask("POST /api/steps", STEP)
    assert taken["steps"][0]["words"].startswith("PRAM of region")
    after = page.ask("GET /api/risk?scenario=main")
    assert (before["perturbed"], after["perturbed"]) == ("", "PRAM of region")
    assert after["sample_uniques"] == before["sample_uniques"]
    assert any("not meaningful" in each["text"] for each in after["notices"])
    for answer in (shown, taken, after):
        assert str(SEED) not in json.dumps(answer)


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
