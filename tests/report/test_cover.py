"""The cover, the list of variables and the codebook: what a board signs."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import polars as pl
import pytest
from pypdf import PdfReader

import microsafe as ms
from microsafe.errors import UsageError
from microsafe.intruders import INTRUDERS, IntruderTable
from microsafe.options.policy import Verdict
from microsafe.options.reason import reason_by_program
from microsafe.options.release import Output
from microsafe.options.scenario import Scenario
from microsafe.plan.model import Input, Plan, plan_text
from microsafe.plan.read import read_plan
from microsafe.plan.release import Release
from microsafe.plan.reports import content_of, report_of
from microsafe.plan.run import run
from microsafe.report import Content, ReportCover, list_released, render_report
from microsafe.report.texts import LANGUAGES
from microsafe.steps import Drop, Recode, Renumber
from microsafe.variables.decide import Keep
from microsafe.variables.recognise import Finding

COVER = ReportCover(
    institution="Office <for> Statistics",
    survey="Household Survey 2025",
    release_type="scientific use file",
    version="1.0",
    date="1 March 2026",
    signatories=("Head of unit", "Chair of the board"),
)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """A file with a name, which is left out, and a number, which is replaced."""
    folder = tmp_path_factory.mktemp("cover")
    frame = pl.DataFrame(
        {
            "pnr": range(1000, 1090),
            "name": [f"Anna-{chr(97 + i % 26)} Berg{chr(97 + i // 26)}" for i in range(90)],
            "age": [20 + i % 60 for i in range(90)],
            "sex": ["f", "m"] * 45,
            "hours": [i % 41 for i in range(90)],
            "w": [10.0] * 90,
        }
    )
    frame.write_csv(folder / "survey.csv")
    plan = Plan(
        input=Input(file="survey.csv"),
        scenarios=(Scenario(name="Neighbours", keys=("age", "sex"), weight="w", estimator="cell"),),
        steps=(
            Drop(variables=("name",)),
            Renumber(variable="pnr", seed=98765),
            Recode(variable="age", breaks=(20, 40, 60)),
        ),
        keep=(Keep(variables=("hours",), why="Nobody knows them"),),
        report=COVER,
        output=Output(file="safe.csv", shuffle=12345),
    )
    return run(plan, folder)


def words(page: str) -> str:
    """What a reader sees, in one line."""
    body = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", body))


def test_the_board_signs_and_the_public_does_not(release: Release) -> None:
    board, public = (words(report_of(release, each)) for each in ("board", "public"))
    for each in ("Office &lt;for&gt; Statistics", "scientific use file", "1 March 2026"):
        assert each in board
        assert each in public
    assert re.search(r"Head of unit +_{16} +_{16}", board)
    assert "Chair of the board" not in public
    assert "____" not in public


def test_what_is_left_out_is_a_line_to_fill_in(release: Release) -> None:
    bare = replace(release, plan=replace(release.plan, report=ReportCover()))
    board = words(report_of(bare, "board"))
    assert re.search(r"Institution +Survey +Type of release +Version +Date +(_{16} +){5}", board)
    assert re.search(r"For the disclosure review board +_{16} +_{16}", board)
    assert "Institution" not in words(report_of(bare, "public"))


def test_every_variable_is_listed_with_its_decision(release: Release) -> None:
    board = words(report_of(release, "board"))
    assert "Of 6 variables in the input, 5 go out; 0 are not decided on." in board
    assert re.search(r"pnr +record number: .{0,120}different in each of 90 records", board)
    assert re.search(r"name +direct identifier: [^.]*\. +not released ", board)
    assert re.search(r"not released +name +1 ", board)
    assert re.search(r"released, with a reason +Nobody knows them +hours ", board)
    assert "random order" in board


def test_categories_are_counted_for_the_board_only(release: Release) -> None:
    board, public = (words(report_of(release, each)) for each in ("board", "public"))
    assert re.search(r"sex +f +45 +450 +m +45 +450", board)
    assert re.search(r"sex +f *; +m ", public)
    assert not re.search(r"\b45\b", public)
    assert "20 to under 40; 40 to under 60; 60 and above" in board
    assert "20 to under 40; 40 to under 60; 60 and above" in public


def test_no_seed_and_no_plan_in_the_text(release: Release) -> None:
    for audience in ("board", "public"):
        page = report_of(release, audience)
        assert "seed" not in words(page).lower()
        assert not re.search(r"98765|12345(?!\d)|do = |\[\[", words(page))
    assert 'download="plan.toml"' in report_of(release, "board")
    assert "download" not in report_of(release, "public")


def test_many_values_are_no_categories() -> None:
    frame = pl.DataFrame({"id": range(100), "x": [0.5 + i for i in range(100)], "b": [1, 2] * 50})
    study = ms.study(frame, keys=["b"])
    found = {each.name: each for each in list_released(study.engine, study.scenarios)}
    assert not found["id"].categories
    assert not found["x"].categories
    assert [(each.code, each.records) for each in found["b"].categories] == [("1", 50), ("2", 50)]


def test_the_cover_in_a_plan(release: Release, tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(plan_text(release.plan), "utf-8")
    assert read_plan(path).report == COVER


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('instituton = "x"', "Did you mean 'institution'"),
        ('language = "fr"', "language 'fr'"),
        ('signatories = "me"', "signatories"),
    ],
)
def test_covers_that_are_refused(tmp_path: Path, table: str, said: str) -> None:
    path = tmp_path / "plan.toml"
    text = 'microsafe = 1\n[input]\nfile = "x"\n[scenario]\nkeys = ["a"]\n[report]\n{}\n'
    text += '[output]\nfile = "y.csv"\nshuffle = 1\n'
    path.write_text(text.format(table), "utf-8")
    with pytest.raises(UsageError, match=said):
        read_plan(path)


def test_reasons_of_the_program_are_marked_and_grouped(release: Release) -> None:
    """Variables with the same reason share a row, and nobody takes the program's for theirs."""
    why = reason_by_program("because-answers")
    rows = tuple(
        replace(row, decision=replace(row.decision, why=why))
        if row.name in ("hours", "sex")
        else row
        for row in release.inventory.rows
    )
    inventory = replace(release.inventory, rows=rows)
    board = words(report_of(replace(release, inventory=inventory), "board"))
    told = "By the program: answers, in which nothing delicate was found"
    assert board.count(told) == 2  # sex is a key, hours are kept
    assert "2 variables go out, and 0 of 3 steps were taken, for reasons that the program" in board
    german = replace(release.plan, report=replace(COVER, language="de"))
    told = words(report_of(replace(release, inventory=inventory, plan=german), "board"))
    assert "Vom Programm: Antworten, an denen nichts Heikles gefunden wurde" in told


@pytest.fixture(scope="module")
def crowded(release: Release) -> Content:
    """As much as may stand on the first page: long reasons, and every intruder was tried."""
    content = content_of(release, "board")
    unmet = Verdict(rule="k", scenario="one", limit=9, value=1, met=False, reason="So long " * 99)
    rows = [
        replace(
            row,
            decision=replace(row.decision, why=f"For the study {at} " * 40),
            findings=(Finding(kind="free text", reason="It is"),),
            sensitive=True,
        )
        for at, row in enumerate(release.inventory.rows * 20)
    ]
    usual = release.intruders.tried[0]
    tried = [replace(usual, name=kind.name, title=kind.title) for kind in INTRUDERS.values()]
    return replace(
        content,
        verdicts=[replace(unmet, rule=rule) for rule in ("k", "rate", "expected", "tau1", "tau2")],
        intruders=IntruderTable([*tried, *release.intruders.untried]),
        inventory=replace(release.inventory, rows=tuple(rows)),
    )


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_page_holds_the_decision(
    release: Release, crowded: Content, language: str
) -> None:
    """Whatever is in it, the contents begin on page two."""
    for content in (content_of(release, "board"), crowded):
        spoken = replace(content, cover=replace(COVER, language=language))
        first, second, *_ = PdfReader(BytesIO(render_report(spoken, "board", ".pdf"))).pages
        assert "Chair of the board" in first.extract_text()
        assert re.search("2 / [0-9]+\n(Contents|Inhalt)\n", second.extract_text())
