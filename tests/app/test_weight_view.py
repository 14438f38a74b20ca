"""Weights in the app: what they tell, and the steps that change them for release."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from app.client import SCENARIO, Page, running
from microsafe.app.folders import Folders
from microsafe.app.session import Session

COARSER = {"do": "recode", "variable": "region", "groups": {"1": ["1", "2", "3"]}, "other": "2"}
STEP = {"do": "round", "variable": "weight", "base": 100}


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    frame = ms.survey(1, households=250).frame
    frame.with_columns(weight=200.0 + 15 * pl.col("region")).write_csv(tmp_path / "survey.csv")
    with running(Session(Folders(roots=(tmp_path.resolve(),)))) as page:
        page.ask("POST /api/open", {"folder": 0, "path": "survey.csv"})
        page.ask("PUT /api/scenario", SCENARIO)
        yield page


def test_weights_in_the_app(page: Page) -> None:
    def told() -> list[str]:
        notices = page.ask("GET /api/risk?scenario=main")["notices"]
        return [each["text"] for each in notices if each["topic"] == "weight"]

    for kind in page.ask("GET /api/steps")["kinds"]:  # the chooser offers what a step may touch
        assert ("weight" in kind["touches"]) == (
            kind["do"] in ("round", "microaggregate", "noise", "sample", "swap", "members")
        )
    page.ask("POST /api/steps", COARSER)
    assert any("gives away 'region'" in text for text in told())
    before = page.ask("GET /api/risk?scenario=main")
    shown = page.ask("POST /api/preview", STEP)
    assert shown["after"] == shown["before"]
    taken = page.ask("POST /api/steps", STEP)
    assert taken["steps"][1]["words"] == "round weight to multiples of 100"
    after = page.ask("GET /api/risk?scenario=main")
    assert after["expected"] == before["expected"]
    assert any("by those before it followed for 100.0 %" in text for text in told())
    assert any("risk was measured with the weights as they were" in text for text in told())
