"""Households in a file of their own: joined on the page, by a plan, and in a session resumed."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from app.client import Page, decide
from microsafe.cli import main
from microsafe.datasets import survey
from microsafe.io import digest

ASK = {"folder": 0, "path": "households.csv", "on": "household"}
SCENARIO = {"keys": ["region", "sex"], "household": "household"}
POLICY = {"override": {"estimator": "a test", "gaps": "a test"}}
RELEASE = {"path": "", "plan": "plan.toml", "file": "safe.csv", "report": "", "public_report": ""}


@pytest.fixture
def joined(page: Page, folder: Path) -> Page:
    frame = survey(households=100).frame
    homes = frame.select("household", "region", "hsize").unique("household", maintain_order=True)
    homes.write_csv(folder / "households.csv")
    frame.drop("region", "hsize").write_csv(folder / "persons.csv")
    page.ask("POST /api/open", {"folder": 0, "path": "persons.csv"})
    found = page.ask("POST /api/join", ASK)
    assert found["file"]["joined"] == "households.csv"
    assert found["roles"]["household"] == "household"
    assert {"region", "hsize"} <= set(found["names"])
    return page


def test_a_plan_of_two_files_is_saved_and_opened(joined: Page, folder: Path) -> None:
    joined.ask("PUT /api/scenario", SCENARIO)
    joined.ask("PUT /api/policy", POLICY)
    decide(joined)
    joined.ask("POST /api/plan/save", {"path": "", "plan": "mine.toml"})
    text = (folder / "mine.toml").read_text()
    assert f'join_sha256 = "{digest(folder / "households.csv")}"' in text
    joined.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})
    found = joined.ask("POST /api/plan/open", {"folder": 0, "path": "mine.toml"})["study"]
    assert found["file"]["joined"] == "households.csv"
    homes = pl.read_csv(folder / "households.csv", infer_schema=False)
    homes.reverse().write_csv(folder / "households.csv")
    told = joined.ask("POST /api/plan/open", {"folder": 0, "path": "mine.toml"}, status=422)
    assert told["error"].startswith("households.csv has changed since it was joined")


def test_a_session_knows_the_file_of_households(joined: Page, folder: Path) -> None:
    joined.ask("PUT /api/scenario", SCENARIO)
    again = joined.ask("POST /api/open", {"folder": 0, "path": "persons.csv"})
    assert again["file"]["joined"] == ""
    found = joined.ask("POST /api/resume")
    assert found["file"]["joined"] == "households.csv"
    assert found["scenarios"][0]["keys"] == ["region", "sex"]


def test_it_is_released_and_replayed(joined: Page, folder: Path) -> None:
    joined.ask("PUT /api/scenario", SCENARIO)
    joined.ask("PUT /api/policy", POLICY)
    decide(joined)
    told = joined.ask("POST /api/release", {**RELEASE, "file": "households.csv"}, status=409)
    assert told["error"] == "households.csv is an input file."
    joined.ask("POST /api/release", RELEASE)
    assert main(["replay", str(folder / "plan.toml"), "--check"]) == 0


def test_what_cannot_be_joined_changes_nothing(joined: Page, folder: Path) -> None:
    told = joined.ask("POST /api/join", {**ASK, "on": "sex"}, status=422)
    assert "has no variable 'sex'" in told["error"]
    assert joined.ask("GET /api/study")["file"]["joined"] == "households.csv"
    told = joined.ask("POST /api/join", {**ASK, "path": "../secret.csv"}, status=403)
