"""The page is told the loss that `Study` tells, at every stop of the rail."""

from __future__ import annotations

import re
from typing import Any

import pytest

import microsafe as ms
from app.client import Page, decide
from app.test_reports import PLAN, WISH, fetch
from microsafe.display import show_percent
from microsafe.propose.candidates import step_table
from microsafe.steps.base import Step
from steps.test_recode import CASES, KEYS

SCENARIO = {"keys": KEYS, "weight": "weight", "household": "household"}


@pytest.fixture
def measured(opened: Page) -> Page:
    opened.ask("PUT /api/scenario", SCENARIO)
    return opened


def table_of(step: Step) -> dict[str, Any]:
    return {name: each for name, each in step_table(step).items() if name != "words"}


def rows_of(page: Page, **query: Any) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in page.ask("GET /api/compare", **query)["cost"]["losses"]}


@pytest.mark.parametrize("step", CASES.values(), ids=CASES)
def test_preview_and_comparison(measured: Page, folder: Any, step: Step) -> None:
    start = ms.study(folder / "survey.sav", **SCENARIO)
    wanted = {each.variable: each.share_lost for each in start.preview(step).information}
    found = measured.ask("POST /api/preview", table_of(step))["information"]
    assert {each["variable"]: each["share_lost"] for each in found} == wanted
    measured.ask("POST /api/steps", table_of(step))
    told = rows_of(measured)
    for each in found:
        if each["variable"] in told:
            assert each["share_lost"] == told[each["variable"]]["lost_share"]
            assert each["lost"] == told[each["variable"]]["lost"]
    assert all(not told[name]["lost_share"] for name in told.keys() - wanted.keys())


@pytest.mark.slow
def test_the_report_of_a_release(measured: Page) -> None:
    for name in ("breaks", "round at random", "noise", "pram", "suppress"):
        measured.ask("POST /api/steps", table_of(CASES[name]))
    told = rows_of(measured)
    assert sum(each["lost_share"] > 0 for each in told.values()) > 3
    measured.ask("POST /api/confirm")
    decide(measured)
    measured.ask("PUT /api/policy", {"override": {"estimator": "a test"}})
    assert measured.ask("POST /api/release", WISH)["allowed"]
    link = measured.ask("POST /api/report", PLAN | {"audience": "board"})
    page = fetch(measured, link).body.decode()
    page = page[page.index("Values and information lost by variable;") :]
    rows = re.findall(r"<tr>.*?</tr>", page, re.DOTALL)
    for name, each in told.items():
        assert show_percent(each["lost_share"]) in next(row for row in rows if f">{name}<" in row)


def test_suggestions(measured: Page) -> None:
    measured.ask("POST /api/steps", {"do": "suppress", "above": 0.02})
    for each in measured.ask("GET /api/suggestions")["suggestions"][:3]:
        measured.ask("POST /api/steps", each["step"])
        (information,) = each["information"]
        row = rows_of(measured, to=1)[information["variable"]]
        assert each["loss"] == information["share_lost"] == row["lost_share"]
        measured.ask("POST /api/rollback", {"to": 1})
