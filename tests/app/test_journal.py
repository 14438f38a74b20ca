"""The session on disk: who may have it, what it holds, and what becomes of it after a crash."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from app.client import SCENARIO, Page, decide, running
from microsafe.app.folders import Folders
from microsafe.app.journal import JournalFile, SavedReading, read_journal, read_latest
from microsafe.app.session import Session
from microsafe.app.views.open import enter_file
from microsafe.errors import InputError

RECODE = {"do": "recode", "variable": "age", "groups": {"1": [["0", "29"]], "2": [["30", ""]]}}
SUPPRESS = {"do": "suppress", "above": 0.02, "costs": {"age": 2.0}, "spare": ["sex"]}


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
        "microsafe", "file", "sha256", "reading", "scenarios", "policy", "limit", "household_limit",
        "steps", "confirmed", "plans", "proposed", "keep", "keep_order", "shuffle", "cover", "uses",
        "declarations", "limits", "household_limits",
    }  # fmt: skip
    assert [each["do"] for each in held["steps"]] == ["recode", "suppress"]
    assert len(left.read_bytes()) < 5000


def test_the_estimator_is_kept_and_earlier_journals_have_none(
    measured: Page, session: Session, state: Path, folder: Path
) -> None:
    measured.ask("PUT /api/scenario", SCENARIO | {"estimator": "model"})
    session.close()
    (path,) = state.glob("*.json")
    table = json.loads(path.read_text())
    for there, wanted in ((True, "model"), (False, "cell")):
        if not there:
            del table["scenarios"][0]["estimator"]
            path.write_text(json.dumps(table))
        again = Session(Folders(roots=(folder,)))
        enter_file(again, folder / "survey.sav", SavedReading(), resuming=True)
        study = again.state.study
        assert study is not None
        assert study.scenario().estimator == wanted
        again.close()


def test_a_session_is_taken_up_where_it_was_left(left: Path, folder: Path, measured: Page) -> None:
    before = measured.ask("GET /api/study")
    risk = measured.ask("GET /api/risk")
    again = Session(Folders(roots=(folder,)))
    enter_file(again, folder / "survey.sav", SavedReading(), resuming=True)
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
    assert len(read_journal(left).steps) == 2


def test_a_file_that_changed_is_refused(left: Path, folder: Path) -> None:
    path = folder / "survey.sav"
    path.write_bytes(path.read_bytes() + b"\0")
    with pytest.raises(InputError, match="checksum differs"):
        enter_file(Session(Folders(roots=(folder,))), path, SavedReading(), resuming=True)
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
    assert read_latest().file == str(folder / "survey.sav")


def test_there_may_be_no_session(folder: Path) -> None:
    with pytest.raises(InputError, match="no session to resume"):
        read_latest()
    with pytest.raises(InputError, match=r"no session on survey\.sav"):
        enter_file(
            Session(Folders(roots=(folder,))), folder / "survey.sav", SavedReading(), resuming=True
        )
    JournalFile(folder / "survey.sav").close()  # what failed left no lock behind


BROKEN = (
    "", "{", "[]", "null", '{"microsafe": 2}', '{"microsafe": 1}',
    '{"microsafe": 1, "file": 3, "sha256": "", "limit": null, "confirmed": 0, "reading": {}, '
    '"scenarios": [], "policy": {}, "steps": [], "plans": {}}',
)  # fmt: skip


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_journal_is_refused_in_words(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(InputError, match="cannot be read"):
        read_journal(path)


FITTING: dict[str, tuple[object, ...]] = {
    "file": ("text",),
    "sha256": ("text",),
    "limit": (None, -1.5),
    "household_limit": (None, -1.5),
    "keep": ({"a": "b"},),
    "keep_order": ("text",),
    "shuffle": (None,),
    "uses": (None,),
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
    enter_file(again, folder / "survey.sav", SavedReading(), resuming=True)
    with running(again) as page:
        assert page.ask("GET /api/study")["steps"] == before["steps"]
