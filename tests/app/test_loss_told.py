"""The page is told the loss that `Study` tells, at every stop of the rail."""

from __future__ import annotations

from typing import Any

import pytest

from app.client import Page

STEPS: dict[str, dict[str, Any]] = {
    "recode": {"do": "recode", "variable": "age", "breaks": [0, 15, 30, 45, 60, 75]},
    "suppress": {"do": "suppress", "above": 0.02},
    "top code": {"do": "top_code", "variable": "age", "limit": 75},
    "drop": {"do": "drop", "variables": ["sex"], "from_keys": True},
    "pram": {"do": "pram", "variable": "region", "keep": 0.8, "seed": 7},
    "noise": {"do": "noise", "variables": ["income"], "seed": 7},
    "microaggregate": {"do": "microaggregate", "variables": ["income"]},
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_preview_and_comparison(measured: Page, step: dict[str, Any]) -> None:
    found = measured.ask("POST /api/preview", step)["information"]
    assert found
    measured.ask("POST /api/steps", step)
    told = {each["name"]: each for each in measured.ask("GET /api/compare")["cost"]["losses"]}
    for each in found:
        assert each["share_lost"] == told[each["variable"]]["lost_share"]
        assert each["lost"] == told[each["variable"]]["lost"]


def test_suggestions(measured: Page) -> None:
    measured.ask("POST /api/steps", STEPS["suppress"])
    for each in measured.ask("GET /api/suggestions")["suggestions"][:3]:
        measured.ask("POST /api/steps", each["step"])
        told = measured.ask("GET /api/compare", to=1)["cost"]["losses"]
        (information,) = each["information"]
        (row,) = [one for one in told if one["name"] == information["variable"]]
        assert each["loss"] == information["share_lost"] == row["lost_share"]
        measured.ask("POST /api/rollback", {"to": 1})
