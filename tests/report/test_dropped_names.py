"""The public report is silent about variables that do not go out: not even their names are told."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from microsafe.options.policy import Policy
from microsafe.options.release import Output
from microsafe.options.scenario import Scenario
from microsafe.options.uses import ModelUse, TableUse, Uses
from microsafe.plan.model import Input, Plan
from microsafe.plan.release import Release
from microsafe.plan.reports import content_of, report_of
from microsafe.plan.run import run
from microsafe.report import render_report
from microsafe.report.texts import LANGUAGES
from microsafe.steps import (
    Drop,
    Microaggregate,
    Noise,
    RankSwap,
    Recode,
    Renumber,
    Suppress,
    TopCode,
)
from microsafe.variables.decide import Keep
from report.test_documents import squeeze
from report.test_report import Page

GONE = ("TELEPHONE", "PERSNR", "HOMENO", "BIRTHYEAR", "WAGES")


TABLES = (  # the last one needs nothing that goes
    TableUse(of=("BIRTHYEAR", "area")),
    TableUse(of=("WAGES", "sex")),
    TableUse(of=("sex", "area")),
)


def write_survey(folder: Path) -> None:
    frame = pl.DataFrame(
        {
            "TELEPHONE": [f"+99 {600_000_000 + 7919 * at}" for at in range(240)],
            "PERSNR": [f"{100_000 + at}" for at in range(240)],
            "HOMENO": [at // 2 for at in range(240)],
            "BIRTHYEAR": [1940 + at % 60 for at in range(240)],
            "sex": ["f", "m", "f"] * 80,
            "area": [str(at % 7) for at in range(240)],
            "WAGES": [1000.0 + 13 * at for at in range(240)],
            "hours": [float(at % 37) for at in range(240)],
            "w": [10.0] * 240,
        }
    )
    frame.write_csv(folder / "survey.csv")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Identifiers, a key and a number are changed first, so that many steps name them, then go."""
    folder = tmp_path_factory.mktemp("dropped")
    keys = ("BIRTHYEAR", "sex", "area")
    plan = Plan(
        input=Input(file="survey.csv"),
        scenarios=(Scenario(keys=keys, weight="w", household="HOMENO", estimator="cell"),),
        policy=Policy(override={"estimator": "The population is known"}),
        utility=Uses(tables=(TableUse(of=("BIRTHYEAR", "area")),)),
        steps=(
            Renumber(variable="PERSNR", seed=1),
            Recode(variable="BIRTHYEAR", breaks=(1960, 1980)),
            Microaggregate(variables=("WAGES", "hours"), k=3, strata=("BIRTHYEAR",)),
            RankSwap(variables=("WAGES", "hours"), percent=5.0, seed=2),
            Noise(variables=("WAGES",), strata=("sex",), seed=3),
            Suppress(k=2),
            Drop(variables=GONE, from_keys=True, why="TELEPHONE and the like name people"),
        ),
        keep=(Keep(variables=("hours",), why="Nobody knows the hours, WAGES least"),),
        output=Output(file="safe.csv", shuffle=5),
    )
    return release_as(plan, folder)


# No number that goes out is moved, so that the public is told what each use lost.
UNMOVED = Plan(
    input=Input(file="survey.csv"),
    scenarios=(Scenario(keys=("sex", "area"), weight="w", household="HOMENO", estimator="cell"),),
    policy=Policy(override={"estimator": "The population is known"}),
    utility=Uses(
        tables=TABLES,
        models=(
            ModelUse(formula="WAGES ~ sex + area"),
            ModelUse(formula="hours ~ BIRTHYEAR + sex"),
            ModelUse(formula="hours ~ sex + area"),
        ),
    ),
    steps=(
        TopCode(variable="WAGES", limit=3000.0),
        Suppress(k=2),
        Drop(variables=GONE, from_keys=True, why="TELEPHONE and the like name people"),
    ),
    keep=(Keep(variables=("hours",), why="Nobody knows the hours, WAGES least"),),
    output=Output(file="safe.csv", shuffle=5),
)


@pytest.fixture(scope="module")
def unmoved(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return release_as(UNMOVED, tmp_path_factory.mktemp("unmoved"))


def release_as(plan: Plan, folder: Path) -> Release:
    write_survey(folder)
    return run(plan, folder)


def read_pages(release: Release, language: str) -> tuple[str, str]:
    """Return the text of both reports, the board's first."""
    cover = replace(release.plan.report, language=language)
    told = replace(release, plan=replace(release.plan, report=cover))
    board, public = (Page(report_of(told, each)).text for each in ("board", "public"))
    return board, public


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["release", "unmoved"])
def test_no_name_of_a_dropped_variable_is_told(
    request: pytest.FixtureRequest, name: str, language: str
) -> None:
    board, public = read_pages(request.getfixturevalue(name), language)
    for gone in GONE:
        assert re.search(rf"\b{gone}\b", board), gone
        assert gone.lower() not in public.lower(), gone


def test_what_a_dropped_variable_was_needed_for_does_not_show_in_a_mean(unmoved: Release) -> None:
    board, public = read_pages(unmoved, "en")
    for use in ("sex x area", "hours ~ sex + area"):
        assert use in board
        assert use in public
    for mean in ("Loss by uses:", "Plain loss", "loss by uses is the mean"):
        assert mean in board
        assert mean not in public


def test_a_mean_over_what_goes_out_is_told(tmp_path: Path) -> None:
    plan = replace(UNMOVED, utility=Uses(tables=TABLES[-1:]))
    assert "Loss by uses:" in read_pages(release_as(plan, tmp_path), "en")[1]


def test_nor_does_a_dropped_key_show_in_the_plain_loss(tmp_path: Path) -> None:
    """Nobody named it as a use, and the mean of the keys still counts it."""
    (scenario,) = UNMOVED.scenarios
    scenario = replace(scenario, keys=("sex", "area", "BIRTHYEAR"))
    uses = Uses(tables=TABLES[-1:], others=0.0)
    plan = replace(UNMOVED, scenarios=(scenario,), utility=uses)
    board, public = read_pages(release_as(plan, tmp_path), "en")
    assert "Plain loss" in board
    assert "sex x area" in public
    assert "Plain loss" not in public


@pytest.mark.slow
def test_nor_do_pdf_and_word_tell_one(release: Release) -> None:
    from io import BytesIO

    from docx import Document
    from pypdf import PdfReader

    content = content_of(release, "public")
    pdf = PdfReader(BytesIO(render_report(content, "public", ".pdf")))
    said = squeeze("".join(page.extract_text() for page in pdf.pages))
    said += Document(BytesIO(render_report(content, "public", ".docx"))).element.xml
    assert "safe.csv" in said
    assert not [name for name in GONE if name.lower() in said.lower()]
