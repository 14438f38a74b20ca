"""The session on disk: who may have it, what it holds, and what becomes of it after a crash."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from app.client import SCENARIO, Page, decide, running
from microsafe.app.folders import Folders
from microsafe.app.journal import Journal, JournalFile, TakenProposal, read_journal, read_latest
from microsafe.app.session import Session
from microsafe.app.views.open import enter_file
from microsafe.errors import InputError
from microsafe.options.declaration import Declaration
from microsafe.options.policy import Policy
from microsafe.options.release import Output
from microsafe.options.scenario import Scenario
from microsafe.options.uses import Uses
from microsafe.plan.model import Input, Plan, Propose
from microsafe.report import ReportCover
from microsafe.steps import Drop, Pram
from microsafe.variables.decide import Keep

RECODE = {"do": "recode", "variable": "age", "groups": {"1": [["0", "29"]], "2": [["30", ""]]}}
SUPPRESS = {"do": "suppress", "above": 0.02, "cost": {"age": 2.0}, "spare": ["sex"]}


@pytest.fixture
def left(measured: Page, session: Session, state: Path) -> Path:
    """A session that was left as a crash leaves it; the path of its journal."""
    measured.ask("POST /api/steps", RECODE)
    measured.ask("POST /api/confirm")
    measured.ask("POST /api/plans", {"name": "A"})
    measured.ask("POST /api/limit", {"risk": 0.03})
    measured.ask("POST /api/household-limit", {"risk": 0.2})
    measured.ask("PUT /api/policy", {"record_risk": 0.1})
    measured.ask("POST /api/steps", SUPPRESS)
    session.close()  # the lock falls; the journal stays
    (path,) = state.glob("*.json")
    return path


def test_only_its_owner_can_read_the_journal(left: Path) -> None:
    assert left.stat().st_mode & 0o777 == 0o600
    assert left.parent.stat().st_mode & 0o777 == 0o700
    assert left.with_suffix(".lock").stat().st_mode & 0o777 == 0o600


def test_the_journal_holds_decisions_and_no_record(left: Path) -> None:
    held = json.loads(left.read_text())
    assert set(held) == {
        "microsafe", "plan", "limit", "household_limit", "limits", "household_limits", "shuffle",
        "confirmed", "candidates", "proposed",
    }  # fmt: skip
    plan = tomllib.loads(held["plan"])
    assert [each["do"] for each in plan["step"]] == ["recode", "suppress"]
    assert len(left.read_bytes()) < 5000


def test_the_estimator_is_kept_and_earlier_journals_have_none(
    measured: Page, session: Session, state: Path, folder: Path
) -> None:
    measured.ask("PUT /api/scenario", SCENARIO | {"estimator": "model"})
    session.close()
    (path,) = state.glob("*.json")
    table = json.loads(path.read_text())
    for there, wanted in ((True, "model"), (False, "model")):
        if not there:
            table["plan"] = table["plan"].replace('estimator = "model"\n', "")
            path.write_text(json.dumps(table))
        again = Session(Folders(roots=(folder,)))
        enter_file(again, Input(file=str(folder / "survey.sav")), resuming=True)
        study = again.state.study
        assert study is not None
        assert study.scenario().estimator == wanted
        again.close()


def test_a_session_is_taken_up_where_it_was_left(left: Path, folder: Path, measured: Page) -> None:
    before = measured.ask("GET /api/study")
    risk = measured.ask("GET /api/risk")
    again = Session(Folders(roots=(folder,)))
    enter_file(again, Input(file=str(folder / "survey.sav")), resuming=True)
    with running(again) as page:
        after = page.ask("GET /api/study")
        assert after | {"revision": 0} == before | {"revision": 0}
        assert page.ask("GET /api/risk") == risk
        assert page.ask("POST /api/plans/use", {"name": "A"})["steps"] == before["steps"][:1]


def test_an_earlier_session_is_offered_and_taken_up(left: Path, folder: Path) -> None:
    with running(Session(Folders(roots=(folder,)))) as page:
        found = page.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})
        assert found["steps"] == []
        assert found["saved"] == {
            "keys": SCENARIO["keys"], "steps": 2, "declared": 0, "saved": left.stat().st_mtime,
        }  # fmt: skip
        found = page.ask("POST /api/resume")
        assert len(found["steps"]) == 2
        assert found["saved"] is None
        assert page.ask("POST /api/resume", status=409)["error"]


def test_looking_at_a_file_does_not_lose_the_earlier_session(left: Path, folder: Path) -> None:
    with running(Session(Folders(roots=(folder,)))) as page:
        page.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})
        page.ask("GET /api/variable", name="age")
    assert len(read_journal(left).plan.steps) == 2


def test_a_file_that_changed_is_refused(left: Path, folder: Path) -> None:
    path = folder / "survey.sav"
    path.write_bytes(path.read_bytes() + b"\0")
    with pytest.raises(InputError, match="checksum differs"):
        enter_file(Session(Folders(roots=(folder,))), Input(file=str(path)), resuming=True)
    with running(Session(Folders(roots=(folder,)))) as page:
        answer = page.raw("POST /api/open", {"folder": 0, "path": "survey.sav"})
        assert answer.status == 422 or answer.json()["saved"] is None


def test_a_file_that_changes_while_it_is_open_is_refused(measured: Page, folder: Path) -> None:
    path = folder / "survey.sav"
    os.utime(path, ns=(1, 1))
    for route, body in (("GET /api/risk", None), ("POST /api/steps", SUPPRESS),
                        ("POST /api/release", {"file": "safe.sav"})):  # fmt: skip
        answer = measured.ask(route, body, status=409)
        assert answer["error"] == "survey.sav has changed on disk since it was opened."
    assert measured.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})["file"]
    path.unlink()
    assert measured.ask("GET /api/variables", status=409)["remedy"]


def test_two_apps_on_one_session_are_refused(opened: Page, folder: Path) -> None:
    with running(Session(Folders(roots=(folder,)))) as second:
        answer = second.ask("POST /api/open", {"folder": 0, "path": "survey.sav"}, status=422)
        assert answer["error"].startswith("survey.sav is already open in another microsafe window.")
        assert second.ask("GET /api/study")["file"] is None


def test_a_session_is_free_once_another_file_is_open(opened: Page, folder: Path) -> None:
    (folder / "b.csv").write_text("sex,age\n" + "1,30\n2,40\n" * 20)
    opened.ask("POST /api/open", {"folder": 0, "path": "b.csv"})
    with running(Session(Folders(roots=(folder,)))) as second:
        assert second.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})["file"]


def test_opening_the_same_file_again_keeps_the_session(measured: Page, folder: Path) -> None:
    found = measured.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})
    assert found["scenarios"] == []
    assert found["saved"]["keys"] == SCENARIO["keys"]
    assert measured.ask("POST /api/resume")["scenarios"][0]["keys"] == SCENARIO["keys"]


def test_the_latest_session_is_found(left: Path, folder: Path) -> None:
    assert read_latest().plan.input.file == str(folder / "survey.sav")


def test_there_may_be_no_session(folder: Path) -> None:
    with pytest.raises(InputError, match="no session to resume"):
        read_latest()
    with pytest.raises(InputError, match=r"no session on survey\.sav"):
        enter_file(
            Session(Folders(roots=(folder,))), Input(file=str(folder / "survey.sav")), resuming=True
        )
    JournalFile(folder / "survey.sav").close()  # what failed left no lock behind


HELD = (
    {"variables": {'odd "name"\n': Declaration(label="x\x7fy", missing=("-9",))}},
    {"input": {"encoding": "cp1252", "na": ("auto",), "join": "/d/b.csv", "on": "hh"}},
    {"policy": Policy(record_risk={"main": 0.1, "gone": 0.2}, override={"record_risk": "why"})},
    {"scenarios": (Scenario(keys=("a", "b")), Scenario(name="second", keys=("b",), weight="w"))},
    {"keep": (Keep(variables=("a", "b"), why="asked for"),), "utility": Uses(variables={"a": 2.0})},
    {"report": ReportCover(institution="Office"), "shuffle": 2**52},
    {"keep_order": "time series"},
)


@pytest.mark.parametrize("more", HELD)
def test_a_journal_is_read_as_it_was_written(state: Path, more: dict[str, Any]) -> None:
    """Also of a session that has no scenario yet, and of rules for one that is gone."""
    given = Input(file="/data/ü'\".csv", sha256="0" * 64, **more.pop("input", {}))
    names = ("shuffle", "keep_order")
    output = Output(file="safe.csv", **{each: more.pop(each) for each in names if each in more})
    drawn = Pram(variable="a", keep=0.8, seed=2**53 - 1)
    journal = Journal(
        plan=Plan(input=given, output=output, steps=(drawn,), **({"scenarios": ()} | more)),
        limit=0.1,
        limits={"main": 1 / 3},
        household_limits={"second": 1e-9},
        shuffle=2**53 - 1,
        confirmed=1,
        candidates={"A": (drawn, Drop(variables=("b",))), "none": ()},
        proposed=(TakenProposal(steps=(drawn,), propose=Propose(touched=0.25, spare=("a",))),),
    )
    file = JournalFile(Path(given.file))
    file.write(journal)
    assert file.read() == journal
    file.close()


BROKEN = (
    "", "{", "[]", "null", '{"microsafe": 2}', '{"microsafe": 1}',
    '{"microsafe": 1, "plan": 3, "limit": null, "household_limit": null, "limits": {}, '
    '"household_limits": {}, "shuffle": 1, "confirmed": 0, "candidates": {}, "proposed": []}',
)  # fmt: skip


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_journal_is_refused_in_words(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(InputError, match="cannot be read"):
        read_journal(path)


FITTING: dict[str, tuple[object, ...]] = {
    "limit": (None, -1.5),
    "household_limit": (None, -1.5),
    "shuffle": (None,),
}


def test_every_wrong_word_in_a_journal_is_refused(left: Path) -> None:
    held = json.loads(left.read_text())
    for name in held:
        for wrong in ("text", -1.5, ["a"], {"a": "b"}, None):
            if wrong in FITTING.get(name, ()):
                continue
            left.write_text(json.dumps(held | {name: wrong}))
            with pytest.raises(InputError, match="cannot be read"):
                read_journal(left)


def test_no_folder_for_sessions_is_said(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "blocked").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "blocked"))
    with pytest.raises(InputError, match="XDG_STATE_HOME"):
        JournalFile(folder / "survey.sav")


@pytest.mark.slow
def test_a_sample_is_tried_taken_and_taken_up(
    measured: Page, session: Session, folder: Path
) -> None:
    sample = {"do": "sample", "fraction": 0.5, "seed": 7, "household": "household"}
    told = "sample of 50 % of households: "
    preview = measured.ask("POST /api/preview", sample)
    assert preview["step"]["words"].startswith(told)
    assert preview["variable"] is None
    found = measured.ask("POST /api/steps", sample)
    assert found["steps"][0]["words"].startswith(told)
    measured.ask("POST /api/steps", RECODE)
    measured.ask("POST /api/plans", {"name": "A"})
    assert measured.ask("GET /api/study")["plans"][0]["steps"][0] == told.strip(": ")
    compared = measured.ask("GET /api/compare")
    (pair,) = compared["risks"]
    assert pair["before"]["records"] == pair["after"]["records"] == compared["cost"]["records"]
    assert 'do = "sample"' in measured.ask("GET /api/plan")["plan"]
    both = measured.ask("GET /api/plans/compare", one="A", other="")
    assert both["one"]["steps"] == both["other"]["steps"]
    late = measured.ask("POST /api/steps", sample, status=422)
    assert "Take the sample before other steps" in late["error"]
    measured.ask("POST /api/confirm")
    measured.ask("PUT /api/policy", {"override": {"estimator": "for teaching"}})
    decide(measured)
    before = measured.ask("GET /api/study")
    files = {"path": "", "file": "safe.sav", "report": "r.html", "public_report": "p.html"}
    released = measured.ask("POST /api/release", {"folder": 0, "plan": "plan.toml", **files})
    assert released["allowed"]
    session.close()
    again = Session(Folders(roots=(folder,)))
    enter_file(again, Input(file=str(folder / "survey.sav")), resuming=True)
    with running(again) as page:
        assert page.ask("GET /api/study")["steps"] == before["steps"]
