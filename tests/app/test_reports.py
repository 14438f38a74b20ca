"""Reports opened from the page: by a ticket, as they were released, in every format."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from app.client import SCENARIO, Page, decide, running
from microsafe.app.folders import Folders
from microsafe.app.journal import read_journal
from microsafe.app.security import DOCUMENT_HEADERS, HEADERS
from microsafe.app.session import Session
from microsafe.app.views.open import enter_file
from microsafe.cli import main
from microsafe.plan.model import Input
from microsafe.plan.read import read_plan
from people import survey_with_gaps

COVER = {
    "institution": "National Statistical Office",
    "survey": "Household survey 2025",
    "release_type": "scientific use file",
    "version": "1.0",
    "date": "",
    "signatories": ["Head of the survey", "Chair of the board"],
    "language": "de",
}
WISH = {"path": "out", "file": "safe.sav"}
PLAN = {"path": "out", "plan": "plan.toml"}


@pytest.fixture
def released(measured: Page) -> Page:
    """The app after a release without a step."""
    decide(measured)
    measured.ask("PUT /api/policy", {"override": {"estimator": "a test"}})
    measured.ask("PUT /api/cover", COVER)
    assert measured.ask("POST /api/release", WISH)["allowed"]
    return measured


def fetch(page: Page, link: dict[str, Any]) -> Any:
    """Follow a link as a browser does, which sends no key."""
    return page.send("GET", link["address"], headers={"Authorization": None})


def test_both_reports_are_opened_as_they_were_written(released: Page, folder: Path) -> None:
    for audience, name in (("board", "report.html"), ("public", "public.html")):
        link = released.ask("POST /api/report", PLAN | {"audience": audience})
        assert link["name"] == name
        answer = fetch(released, link)
        assert answer.status == 200
        assert answer.body == (folder / "out" / name).read_bytes()
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["content-disposition"].startswith("inline;")
        for header, value in (dict(HEADERS) | dict(DOCUMENT_HEADERS)).items():
            assert answer.headers[header] == value


def test_a_report_runs_nothing_and_is_of_no_origin() -> None:
    policy = DOCUMENT_HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "sandbox allow-downloads" in policy
    assert "allow-scripts" not in policy
    assert "allow-same-origin" not in policy


def test_a_ticket_opens_one_report_and_nothing_else(released: Page) -> None:
    link = released.ask("POST /api/report", PLAN | {"audience": "public"})
    ticket = link["address"].rpartition("/")[2]
    assert ticket not in released.ask("POST /api/report", PLAN | {"audience": "public"})["address"]
    key = {"Authorization": f"Bearer {ticket}"}
    assert released.send("GET", "/api/study", headers=key).status == 401
    for site in ("cross-site", "same-site"):
        answer = released.send("GET", link["address"], headers={"Sec-Fetch-Site": site})
        assert answer.status == 403
    assert released.send("GET", link["address"], headers={"Sec-Fetch-Site": "none"}).status == 200
    for address in (link["address"][:-1], "/report/", link["address"] + "/x", "/report/x"):
        assert released.send("GET", address).status == 404
    assert released.send("POST", link["address"], body=b"{}").status == 405
    for _ in range(8):
        released.ask("POST /api/report", PLAN | {"audience": "board"})
    assert fetch(released, link).status == 404


@pytest.mark.slow
def test_other_formats_are_made_of_the_plan(released: Page, folder: Path) -> None:
    pdf = released.ask("POST /api/report", PLAN | {"audience": "board", "format": "pdf"})
    answer = fetch(released, pdf)
    assert pdf["name"] == "report.pdf"
    assert answer.body.startswith(b"%PDF-")
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''report.pdf"
    made = folder / "again.pdf"
    assert main(["report", str(folder / "out" / "plan.toml"), "-o", str(made)]) == 0
    assert made.read_bytes() == answer.body
    word = released.ask("POST /api/report", PLAN | {"audience": "public", "format": "docx"})
    assert fetch(released, word).body.startswith(b"PK")
    names = {path.name for path in (folder / "out").iterdir()}
    assert names == {"safe.sav", "report.html", "public.html", "plan.toml", "plan.lock"}


def test_formats_that_need_a_library(released: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    assert released.ask("GET /api/releases", path="out")["formats"] == ["html", "pdf", "docx"]
    monkeypatch.setattr("microsafe.report.formats.find_spec", lambda _: None)
    assert released.ask("GET /api/releases", path="out")["formats"] == ["html"]
    wish = PLAN | {"audience": "board", "format": "pdf"}
    assert "microsafe[report]" in released.ask("POST /api/report", wish, status=422)["error"]


def test_releases_of_this_file_are_listed(released: Page, folder: Path) -> None:
    shutil.copytree(folder / "out", folder / "out" / "deeper")
    (folder / "out" / "torn.lock").write_text("{")
    (folder / "out" / "torn.toml").write_text("")
    (folder / "out" / "alone.lock").write_bytes((folder / "out" / "plan.lock").read_bytes())
    assert released.ask("GET /api/releases", path="out")["plans"] == [
        {
            "plan": "plan.toml",
            "file": "safe.sav",
            "report": "report.html",
            "public_report": "public.html",
        }
    ]
    assert released.ask("GET /api/releases", path="nowhere")["plans"] == []
    (folder / "b.csv").write_text("sex,age\n" + "1,30\n2,40\n" * 20)
    released.ask("POST /api/open", {"folder": 0, "path": "b.csv"})
    assert released.ask("GET /api/releases", path="out")["plans"] == []
    answer = released.ask("POST /api/report", PLAN | {"audience": "board"}, status=404)
    assert "not a release of this file" in answer["error"]


def test_a_report_that_was_changed_is_not_shown(released: Page, folder: Path) -> None:
    report = folder / "out" / "report.html"
    report.write_text(report.read_text("utf-8") + "<!-- -->", "utf-8")
    answer = released.ask("POST /api/report", PLAN | {"audience": "board"}, status=409)
    assert answer["error"] == "report.html is gone, or was changed since the release."
    report.unlink()
    assert released.ask("POST /api/report", PLAN | {"audience": "board"}, status=409)


def test_a_plan_that_was_changed_gives_no_report(released: Page, folder: Path) -> None:
    plan = folder / "out" / "plan.toml"
    order = next(line for line in plan.read_text().splitlines() if line.startswith("shuffle"))
    plan.write_text(plan.read_text().replace(order, "shuffle = 7"))
    wish = PLAN | {"audience": "board", "format": "docx"}
    answer = released.ask("POST /api/report", wish, status=409)
    assert answer["error"] == "plan.toml no longer gives the file that was released."


@pytest.mark.parametrize("plan", ["../plan.toml", "/etc/passwd", "out/plan.toml", ".plan.toml"])
def test_reports_lie_in_the_folder_only(released: Page, plan: str) -> None:
    wish = {"path": "", "plan": plan, "audience": "board"}
    assert released.raw("POST /api/report", wish).status in (403, 404)


@pytest.mark.slow
def test_the_cover_stands_in_plan_and_reports(released: Page, folder: Path) -> None:
    assert released.ask("GET /api/study")["cover"] == COVER
    assert 'language = "de"' in released.ask("GET /api/plan")["plan"]
    cover = read_plan(folder / "out" / "plan.toml").report
    assert cover.signatories == ("Head of the survey", "Chair of the board")
    board, public = (
        (folder / "out" / name).read_text("utf-8") for name in ("report.html", "public.html")
    )
    assert "National Statistical Office" in board
    assert "National Statistical Office" in public
    assert "Chair of the board" in board
    assert "Chair of the board" not in public
    assert '<html lang="de"' in board
    assert main(["replay", str(folder / "out" / "plan.toml"), "--check"]) == 0


def test_covers_that_are_refused_here(measured: Page) -> None:
    for cover, said in (
        ({"instituton": "x"}, "institution"),
        ({"language": "fr"}, "'fr'"),
        ({"signatories": "me"}, "signatories"),
    ):
        assert said in measured.ask("PUT /api/cover", cover, status=422)["error"]
    assert measured.ask("GET /api/study")["cover"]["language"] == "en"


def test_the_cover_is_resumed(measured: Page, session: Session, folder: Path, state: Path) -> None:
    measured.ask("PUT /api/cover", COVER)
    session.close()
    again = Session(Folders(roots=(folder,)))
    enter_file(again, Input(file=str(folder / "survey.sav")), resuming=True)
    with running(again) as page:
        assert page.ask("GET /api/study")["cover"] == COVER
    (path,) = state.glob("*.json")
    assert read_journal(path).plan.report.institution == "National Statistical Office"


def test_safety_by_gaps_needs_a_reason(page: Page, folder: Path) -> None:
    survey_with_gaps(0.3).write_csv(folder / "gaps.csv")
    page.ask("POST /api/open", {"folder": 0, "path": "gaps.csv"})
    page.ask("PUT /api/scenario", {"keys": ["region", "age", "sex"]})
    page.ask("PUT /api/policy", {"record_risk": 0.3})
    found = {each["rule"]: each for each in page.ask("GET /api/verdicts")["verdicts"]}
    assert found["record_risk"]["met"]
    assert not found["gaps"]["met"]
    wish = {"path": "out", "file": "safe.csv"}
    assert not page.ask("POST /api/release", wish)["allowed"]
    page.ask("PUT /api/policy", {"record_risk": 0.3, "override": {"gaps": "Refused at random"}})
    assert page.ask("POST /api/release", wish)["allowed"]


def test_figures_under_each_rule_for_missing_keys(measured: Page) -> None:
    measured.ask("PUT /api/scenario", SCENARIO | {"estimator": "cell"})
    assert measured.ask("GET /api/risk")["gaps"] == {}
    measured.ask("POST /api/steps", {"do": "suppress", "above": 0.01})
    found = measured.ask("GET /api/risk")
    assert set(found["gaps"]) == {"wildcard", "category", "expected"}
    assert found["gaps"]["wildcard"]["expected"] == found["expected"]
    assert found["gaps"]["category"]["max"] > found["max"]
    by_model = {"estimator": "model", "missing": None}  # which knows what gaps may hide
    measured.ask("PUT /api/scenario", SCENARIO | by_model)
    assert measured.ask("GET /api/risk")["gaps"] == {}
