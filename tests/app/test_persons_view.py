"""A panel in the app: the scenario names the person, and every view is of persons."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.client import Page, running
from microsafe.app.folders import Folders
from microsafe.app.session import Session
from person_oracle import make_panel

SCENARIO = {
    "keys": ["sex", "born", "age", "region", "work"],
    "weight": "w",
    "person": "pid",
    "wave": "wave",
    "estimator": "cell",
}


@pytest.fixture
def page(tmp_path: Path):
    (tmp_path / "files").mkdir()
    make_panel(31, absent=0.2).write_csv(tmp_path / "files" / "panel.csv")
    with running(Session(Folders(roots=((tmp_path / "files").resolve(),)))) as page:
        page.ask("POST /api/open", {"folder": 0, "path": "panel.csv"})
        yield page


def test_views_are_of_persons(page: Page) -> None:
    told = page.ask("PUT /api/scenario", SCENARIO)
    assert told["scenarios"][0]["person"] == "pid"
    risk = page.ask("GET /api/risk")
    assert risk["records"] == 60
    cells = page.ask("GET /api/cells?most=3")
    assert "region@1" in cells["keys"]
    assert page.ask("GET /api/combinations?by=k&k=2&max_size=2")["records"] == 60
    step = page.ask("POST /api/steps", {"do": "suppress", "above": 0.05})
    assert step["steps"][0]["step"]["above"] == 0.05
    assert page.ask("GET /api/risk")["max"] <= 0.05


def test_the_guided_way_names_persons_and_takes_no_for_an_answer(page: Page) -> None:
    begun = page.ask("PUT /api/guide", {"keys": ["sex", "region"]})
    assert begun["persons"].startswith("60, whose records share pid")
    assert begun["study"]["scenarios"][0]["person"] == "pid"
    found = page.ask("POST /api/guide")
    assert [each["name"] for each in found["plans"]] == ["balanced"]
    assert found["words_found"].startswith("Blanks alone")
    denied = page.ask("PUT /api/guide", {"by_record": True})
    assert (denied["persons"], denied["searched"]) == ("", False)
    assert denied["keys"] == ["sex", "region"]
    assert denied["study"]["scenarios"][0]["person"] is None
