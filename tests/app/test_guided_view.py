"""The five decisions in the window make the same study and the same plan as all steps do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import microsafe as ms
from app.client import Page
from microsafe.guides.guide import begin_guide

FEW = ["region", "sex", "age", "marital"]  # few enough to be proved on a busy machine
STEPS_ELSEWHERE = "This study has steps that the five decisions do not show."


@pytest.fixture
def begun(opened: Page) -> dict[str, Any]:
    found: dict[str, Any] = opened.ask("PUT /api/guide", {})
    return found


def test_decisions_are_filled_in(opened: Page, begun: dict[str, Any]) -> None:
    assert begun["profile"] == "public"
    assert begun["study"]["scenarios"][0]["keys"] == begun["keys"]
    assert begun["study"]["policy"]["record_risk"] == 0.05
    shown = {column["name"]: column["values"] for column in begun["columns"]}
    assert not shown["household"]
    assert not shown["weight"]
    assert len(shown["region"]) == 10
    assert opened.ask("PUT /api/guide", {})["variables"] == begun["variables"]


def test_what_can_be_read_stands_first(begun: dict[str, Any]) -> None:
    masked = [column["masked"] for column in begun["columns"]]
    assert masked == sorted(masked)
    assert {len(column["values"]) for column in begun["columns"]} == {0, 10}


def test_decisions_are_taken_otherwise(opened: Page, begun: dict[str, Any]) -> None:
    keys = ["region", "sex", "age"]
    fewer = opened.ask("PUT /api/guide", {"profile": "secure", "keys": keys})
    assert fewer["study"]["policy"]["record_risk"] == 0.33
    assert fewer["study"]["cover"]["release_type"] == "file for use on site"
    assert fewer["keys"] == keys
    moved = opened.ask("PUT /api/guide", {"move": "income", "place": "out"})
    assert "income" not in moved["study"]["names"]
    assert {each["name"]: each["place"] for each in moved["variables"]}["income"] == "out"


def test_steps_taken_elsewhere_are_no_decisions(opened: Page, begun: dict[str, Any]) -> None:
    opened.ask("POST /api/rollback", {"to": 0})
    opened.ask("POST /api/steps", {"do": "round", "variable": "income", "base": 100})
    refused = opened.ask("PUT /api/guide", {}, status=409)
    assert refused["error"] == STEPS_ELSEWHERE
    opened.ask("POST /api/guide", status=409)
    anew = opened.ask("PUT /api/guide", {"anew": True})
    assert anew["keys"] == begun["keys"]


@pytest.mark.slow
def test_the_window_says_what_python_says(
    opened: Page, begun: dict[str, Any], folder: Path
) -> None:
    """The same decisions, and a plan whose steps are those of the study."""
    opened.ask("PUT /api/guide", {"keys": FEW})
    found = opened.ask("POST /api/guide")
    assert [plan["name"] for plan in found["plans"]] == ["detail", "balanced", "blanks"]
    by_hand = begin_guide(ms.study(folder / "survey.sav")).with_keys(FEW).search()
    assert found["keys"] == list(by_hand.study.scenario().keys) == FEW
    by_hand = by_hand.choose(found["choice"])
    assert found["steps"] == [step.in_words() for step in by_hand.steps]
    fewest = opened.ask("PUT /api/guide", {"choice": "blanks"})
    assert fewest["choice"] == "blanks"
    assert opened.ask("GET /api/verdicts")["allowed"]
