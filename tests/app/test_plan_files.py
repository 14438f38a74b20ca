"""Plans opened and saved, and the same job as a script and as commands."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.client import PATIENCE, SCENARIO, Page, decide
from microsafe.cli import main

PRAM = {"do": "pram", "variable": "marital", "change": 0.1, "band": 1, "seed": 4711231}
SUPPRESS = {"do": "suppress", "above": 0.05}
OVERRIDE = {"record_risk": 0.05, "override": {"estimator": "a test", "gaps": "a test"}}
SAVE = {"path": "plans", "plan": "mine.toml", "scripts": True}


@pytest.fixture
def protected(measured: Page) -> Page:
    """A session with everything that a plan can tell of."""
    measured.ask("PUT /api/policy", OVERRIDE)
    other = {**SCENARIO, "name": "neighbour", "keys": ["sex", "age"], "why": "lives next door"}
    measured.ask("PUT /api/scenario", other)
    measured.ask("POST /api/steps", PRAM)
    measured.ask("POST /api/steps", SUPPRESS)
    decide(measured)
    measured.ask("PUT /api/cover", {"institution": "A statistical office"})
    measured.ask("PUT /api/uses", {"tables": [{"of": ["region", "sex"]}]})
    return measured


def saved_plan(page: Page, **more: object) -> list[str]:
    files = page.ask("POST /api/plan/save", {**SAVE, **more})["files"]
    assert isinstance(files, list)
    return files


def test_a_plan_is_saved_and_opened_again(protected: Page, folder: Path) -> None:
    before = protected.ask("GET /api/study")
    assert saved_plan(protected) == ["mine.toml", "mine.seeds", "mine.py", "mine.sh"]
    protected.ask("POST /api/rollback", {"to": 0})
    protected.ask("PUT /api/policy", {})
    listed = protected.ask("GET /api/files", path="plans", files="plan")["entries"]
    assert [each["name"] for each in listed] == ["mine.toml"]
    opened = protected.ask("POST /api/plan/open", {"folder": 0, "path": "plans/mine.toml"})
    after = opened["study"]
    assert opened["remarks"] == []
    for part in ("file", "scenarios", "policy", "steps", "keep", "cover", "uses", "keep_order"):
        assert after[part] == before[part], part  # steps have marks that tell seeds apart
    assert (after["confirmed"], after["limit"]) == (0, 0.05)


def test_seeds_are_in_a_private_file_only(protected: Page, folder: Path) -> None:
    saved_plan(protected)
    seeds = json.loads((folder / "plans" / "mine.seeds").read_text())
    assert seeds.keys() == {"1 pram seed", "output shuffle"}
    if os.name == "posix":
        assert stat.S_IMODE((folder / "plans" / "mine.seeds").stat().st_mode) == 0o600
    shown = protected.raw("GET /api/plan").body.decode()
    for name in ("mine.toml", "mine.py", "mine.sh"):
        shown += (folder / "plans" / name).read_text()
    assert [each for each in seeds.values() if str(each) in shown] == []


@pytest.mark.slow
def test_the_script_and_the_commands_give_the_same_safe_file(protected: Page, folder: Path) -> None:
    protected.ask("POST /api/confirm")
    asked = {"path": "release", "file": "survey-safe.sav"}
    assert protected.ask("POST /api/release", asked)["allowed"]
    released = (folder / "release" / "survey-safe.sav").read_bytes()
    saved_plan(protected)
    plans = folder / "plans"
    subprocess.run([sys.executable, "mine.py"], cwd=plans, check=True, timeout=PATIENCE)
    assert (plans / "survey-safe.sav").read_bytes() == released
    (plans / "survey-safe.sav").unlink()
    for line in (plans / "mine.sh").read_text().splitlines()[1:]:
        command, name = line.rsplit(" ", 1)
        assert main([*command.split()[1:], str(plans / name.strip("'"))]) == 0
    assert (plans / "survey-safe.sav").read_bytes() == released


def test_nothing_is_replaced_without_asking_and_never_the_input(
    protected: Page, folder: Path
) -> None:
    saved_plan(protected)
    refused = protected.ask("POST /api/plan/save", SAVE, status=409)
    assert refused["names"] == ["mine.toml", "mine.seeds", "mine.py", "mine.sh"]
    assert saved_plan(protected, overwrite=True)
    asked = {"path": "", "plan": "survey.sav", "overwrite": True}
    assert ".toml" in protected.ask("POST /api/plan/save", asked, status=422)["error"]
    asked = {"path": "", "plan": "../mine.toml", "overwrite": True}
    protected.ask("POST /api/plan/save", asked, status=403)


def test_what_cannot_be_taken_over_is_said(protected: Page, folder: Path) -> None:
    saved_plan(protected)
    plan = folder / "plans" / "mine.toml"
    (folder / "plans" / "mine.seeds").unlink()
    text = plan.read_text().replace("[input]", '[input]\npopulation = "register.csv"')
    plan.write_text(text.replace("[output]", "[output]\nnotes = true\nblanks = { age = 99 }"))
    told = protected.ask("POST /api/plan/open", {"folder": 0, "path": "plans/mine.toml"})
    assert [each.split()[0] for each in told["remarks"]] == ["The", "The", "Notes", "The"]
    assert "register.csv" in told["remarks"][0]
    assert "seeds" in told["remarks"][-1]
    assert not (folder / "plans" / "mine.seeds").exists()


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        (("survey.sav", "none.sav"), 404, "none.sav was not found."),
        (("../survey.sav", "../../elsewhere.sav"), 403, "outside the folders"),
        (('sha256 = "', 'sha256 = "0'), 409, "checksum differs"),
        (('do = "suppress"', 'do = "supress"'), 422, "suppress"),
        (('"marital"', '"maritall"'), 422, "maritall"),
        (("microsafe = 1", "microsafe = 9"), 422, "microsafe = 1"),
    ],
)
def test_a_plan_that_does_not_fit_changes_nothing(
    protected: Page, folder: Path, change: tuple[str, str], status: int, words: str
) -> None:
    saved_plan(protected)
    plan = folder / "plans" / "mine.toml"
    plan.write_text(plan.read_text().replace(*change))
    before = protected.ask("GET /api/study")
    asked = {"folder": 0, "path": "plans/mine.toml"}
    assert words in protected.ask("POST /api/plan/open", asked, status=status)["error"]
    assert protected.ask("GET /api/study") == before


def test_a_plan_opens_where_nothing_is_open(page: Page, folder: Path) -> None:
    (folder / "plans").mkdir()
    (folder / "plans" / "first.toml").write_text(
        'microsafe = 1\n[input]\nfile = "../survey.sav"\n'
        '[scenario]\nkeys = ["sex", "age"]\nweight = "weight"\n[output]\nfile = "safe.sav"\n'
    )
    told = page.ask("POST /api/plan/open", {"folder": 0, "path": "plans/first.toml"})
    assert told["study"]["scenarios"][0]["keys"] == ["sex", "age"]
    page.ask("GET /api/risk")


def test_an_opened_plan_survives_a_crash(protected: Page, folder: Path, state: Path) -> None:
    saved_plan(protected)
    protected.ask("POST /api/rollback", {"to": 0})
    protected.ask("POST /api/plan/open", {"folder": 0, "path": "plans/mine.toml"})
    journals = [json.loads(each.read_text()) for each in state.glob("*.json")]
    assert [each["plan"].count("[[step]]") for each in journals] == [2]
    shutil.rmtree(state)
