"""Every perturbing step in the app: asked for by its form, previewed, taken, undone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from app.client import SCENARIO, Page, running
from microsafe.app.folders import Folders
from microsafe.app.session import Session

SEED = 918273645546372819
SEXES = {"1": {"1": 0.9, "2": 0.1}, "2": {"1": 0.1, "2": 0.9}}
STEPS: Mapping[str, Mapping[str, object]] = {
    "chances": {"do": "pram", "variable": "sex", "matrix": SEXES, "seed": SEED},
    "groups": {"do": "pram", "variable": "marital", "within": [["1", "2"]], "seed": SEED},
    "places": {"do": "pram", "variable": "age", "band": 2, "change": 0.2, "seed": SEED},
    "swap": {
        "do": "swap",
        "household": "household",
        "areas": ["region"],
        "profile": [["hsize"], []],
        "risk_keys": ["sex", "marital"],
        "rate": 0.1,
        "seed": SEED,
    },
    "microaggregate": {"do": "microaggregate", "variables": ["income"], "k": 4, "method": "one"},
    "rank_swap": {"do": "rank_swap", "variables": ["income"], "percent": 5, "seed": SEED},
    "shuffle": {"do": "shuffle", "variables": ["income"], "given": ["education"], "seed": SEED},
    "noise": {"do": "noise", "variables": ["income"], "kind": "additive", "seed": SEED},
    "round": {"do": "round", "variable": "income", "base": 50, "random": True, "seed": SEED},
    "top": {"do": "top_code", "variable": "income", "share": 0.02, "strata": ["sex"]},
    "bottom": {"do": "bottom_code", "variable": "income", "share": 0.1, "replace": "median"},
}


@pytest.fixture
def page(survey: Path) -> Iterator[Page]:
    with running(Session(Folders(roots=(survey.parent.resolve(),)))) as page:
        page.ask("POST /api/open", {"folder": 0, "path": "survey.csv"})
        page.ask("PUT /api/scenario", SCENARIO)
        yield page


def test_every_step_is_previewed_taken_and_undone(page: Page) -> None:
    before = page.ask("GET /api/risk?scenario=main")
    draws = set()
    for body in STEPS.values():
        shown = page.ask("POST /api/preview", body)
        taken = page.ask("POST /api/steps", body)
        (step,) = taken["steps"]
        assert shown["step"]["words"] == step["words"]
        assert step["results"] == shown["step"]["results"]
        draws.add(step["draw"])
        for answer in (shown, taken):
            assert str(SEED) not in json.dumps(answer)
        assert page.ask("POST /api/rollback", {"to": 0})["steps"] == []
    assert page.ask("GET /api/risk?scenario=main") == before
    assert len(draws) == 2  # one seed for all, or none


def test_a_draw_is_told_from_another(page: Page) -> None:
    """What the page remembers of one draw must not be shown for another."""

    def draw(seed: int) -> str:
        taken = page.ask("POST /api/steps", {**STEPS["noise"], "seed": seed})
        page.ask("POST /api/rollback", {"to": 0})
        found: str = taken["steps"][0]["draw"]
        return found

    assert draw(1) == draw(1) != draw(2)


def test_numbers_written_as_text_are_numeric(page: Page, survey: Path) -> None:
    assert all(each["numeric"] for each in page.ask("GET /api/variables")["variables"])
    text = "a,b,c,d\n1,x,,1e3\n2,3,,inf\n2.5,4,,7\n"
    survey.with_name("small.csv").write_text(text)
    page.ask("POST /api/open", {"folder": 0, "path": "small.csv"})
    found = {each["name"]: each["numeric"] for each in page.ask("GET /api/variables")["variables"]}
    assert found == {"a": True, "b": False, "c": False, "d": False}


def fields(page: Page, kind: str) -> dict[str, dict[str, Any]]:
    kinds = {each["do"]: each for each in page.ask("GET /api/steps")["kinds"]}
    return {each["name"]: each for each in kinds[kind]["fields"]}


def test_forms_ask_for_what_applies(page: Page) -> None:
    rounding = fields(page, "round")
    assert [rounding[name]["only_with"] for name in ("seed", "identifier")] == ["random"] * 2
    pram = fields(page, "pram")
    assert len({pram[name]["way"] for name in ("keep", "band", "matrix")}) == 3
    assert pram["within"]["way"] == pram["keep"]["way"]
    assert pram["change"]["way"] == pram["band"]["way"]
    assert (pram["matrix"]["control"], pram["within"]["control"]) == ("matrix", "groups")
    swap = fields(page, "swap")
    assert (swap["areas"]["ordered"], swap["profile"]["control"]) == (True, "sets")
    assert swap["k"]["way"] != swap["above"]["way"]
    grouping = fields(page, "microaggregate")
    assert grouping["small"]["only_with"] == "strata"
    assert grouping["exact"]["only_with"] == "method=mdav"
