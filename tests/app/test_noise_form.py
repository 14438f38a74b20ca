"""Noise, random rounding and tails by share in the app: forms, preview, steps, plan."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import microsafe as ms
from app.client import SCENARIO, Page, running
from microsafe.app.folders import Folders
from microsafe.app.session import Session
from microsafe.io import write

SEED = 918273645546372819


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    made = ms.survey(1, households=250)
    write(made.frame, made.schema, tmp_path / "survey.sav")
    with running(Session(Folders(roots=(tmp_path.resolve(),)))) as page:
        page.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})
        page.ask("PUT /api/scenario", SCENARIO)
        yield page


def test_forms_ask_for_every_field(page: Page) -> None:
    kinds = {each["do"]: each for each in page.ask("GET /api/steps")["kinds"]}
    controls = {each["name"]: each["control"] for each in kinds["noise"]["fields"]}
    assert controls == {
        "variables": "variables",
        "kind": "choice",
        "variance": "number",
        "strata": "variables",
        "zeros": "choice",
        "lowest": "number",
        "highest": "number",
        "decimals": "whole",
        "publish_variance": "switch",
        "identifier": "variable",
        "seed": "seed",
    }
    for kind in ("noise", "microaggregate", "round"):
        assert "weight" in kinds[kind]["touches"]
    rounding = {each["name"]: each["control"] for each in kinds["round"]["fields"]}
    assert rounding["random"] == "switch"
    assert rounding["seed"] == "seed"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"do": "noise", "variables": ["income"], "seed": SEED}, "multiplicative noise on income"),
        (
            {"do": "round", "variable": "income", "base": 100, "random": True, "seed": SEED},
            "round income to multiples of 100 at random",
        ),
        # The form sends a seed with every rounding; without chance it is of no use.
        (
            {"do": "round", "variable": "income", "base": 100, "random": False, "seed": SEED},
            "round income to multiples of 100",
        ),
        (
            {"do": "top_code", "variable": "income", "share": 0.02, "replace": "mean"},
            "top-code income 2.0 % of the population, replaced by the mean",
        ),
    ],
)
def test_preview_and_step(page: Page, body: dict[str, object], words: str) -> None:
    shown = page.ask("POST /api/preview", body)
    assert shown["step"]["words"].startswith(words)
    assert shown["information"][0]["variable"] == "income"
    assert shown["lost"] > 0
    taken = page.ask("POST /api/steps", body)
    assert taken["steps"][0]["words"].startswith(words)
    texts = page.ask("GET /api/plan")
    for answer in (shown, taken, texts):
        assert str(SEED) not in json.dumps(answer)
    assert ("seed is secret" in texts["plan"]) == ("at random" in words or "noise" in words)
