"""The public report is silent about variables that do not go out: not even their names are told."""

from __future__ import annotations

import re
from dataclasses import replace

import polars as pl
import pytest

from microsafe.options.policy import Policy
from microsafe.options.release import Output
from microsafe.options.scenario import Scenario
from microsafe.options.uses import TableUse, Uses
from microsafe.plan.model import Input, Plan
from microsafe.plan.release import Release
from microsafe.plan.reports import content_of, report_of
from microsafe.plan.run import run
from microsafe.report import render_report
from microsafe.report.texts import LANGUAGES
from microsafe.steps import Drop, Microaggregate, Noise, RankSwap, Recode, Renumber, Suppress
from microsafe.variables.decide import Keep
from report.test_documents import squeeze
from report.test_report import Page

GONE = ("TELEPHONE", "PERSNR", "HOMENO", "BIRTHYEAR", "WAGES")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Identifiers, a key and a number are changed first, so that many steps name them, then go."""
    folder = tmp_path_factory.mktemp("dropped")
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
    return run(plan, folder)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_of_a_dropped_variable_is_told(release: Release, language: str) -> None:
    cover = replace(release.plan.report, language=language)
    told = replace(release, plan=replace(release.plan, report=cover))
    board, public = (Page(report_of(told, each)).text for each in ("board", "public"))
    for name in GONE:
        assert re.search(rf"\b{name}\b", board), name
        assert name.lower() not in public.lower(), name


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
