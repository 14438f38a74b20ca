"""Both estimators side by side on the command line, and which one a file needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.studies import estimator_choice

KEYS = ("region", "hsize", "sex", "age")
OPTIONS = ["--keys", ",".join(KEYS), "--weight", "weight"]
FIGURES = {"max", "expected", "rate", "above_limit", "ratio"}


def opened(path: Path, **changes: Any) -> ms.Study:
    return ms.study(path, keys=KEYS, weight="weight", **changes)


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert main([*map(str, arguments), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize(("estimator", "other"), [("cell", "model"), ("model", "cell")])
def test_each_says_what_the_other_would(
    survey: Path, estimator: str, other: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [survey, *OPTIONS, "--estimator", estimator]
    beside = opened(survey, estimator=other).risk(limit=0.05)
    assert beside.limit is not None
    back = beside.by_other()
    assert back is not None
    wanted = {
        "max": beside.max,
        "expected": beside.expected,
        "rate": beside.rate,
        "above_limit": beside.limit.unsafe,
        "ratio": back.ratio,
    }
    more = beside.expected / back.expected
    assert back.ratio == pytest.approx(more if other == "model" else 1 / more)
    safe = tmp_path / "safe.csv"
    for found in (
        told(capsys, "risk", *asked, "--limit", 0.05),
        told(capsys, "limit", *asked, "--risk", 0.05),
        told(capsys, "suppress", *asked, "--above", 0.05, "-o", safe)["before"],
    ):
        assert found["estimator"] == estimator
        assert found[other] == pytest.approx(wanted)
        assert estimator not in found


def test_suppress_shows_both_before_and_after(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["suppress", str(survey), *OPTIONS, "--above", "0.05", "-o", str(tmp_path / "safe.csv")]
    asked += ["--estimator", "cell"]
    found = told(capsys, *asked)
    assert set(found["after"]["model"]) == FIGURES
    assert any("times as many as the estimator" in each for each in found["notices"])
    assert found["before"]["model"]["above_limit"] > found["before"]["unsafe"]
    assert main(asked) == 0
    (row,) = (
        line.split()
        for line in capsys.readouterr().out.splitlines()
        if "records above the limit by model" in line
    )
    above = [int(text.replace(",", "")) for text in row[-2:]]
    assert above == [found[when]["model"]["above_limit"] for when in ("before", "after")]
    assert told(capsys, *asked, "--one-estimator")["after"]["model"] is None


def test_a_limit_on_households_counts_households(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [survey, *OPTIONS, "--household", "household", "--household-risk", 0.2]
    model = opened(survey, household="household", estimator="model").risk(household_limit=0.2)
    assert model.household is not None
    asked += ["--estimator", "cell"]
    found = told(capsys, "limit", *asked)
    by_formula = model.household.by_formula.unsafe(0.2)
    assert found["model"]["above_limit"] == by_formula != found["unsafe"]
    assert main([*map(str, ["limit", *asked])]) == 0
    assert "households above the limit by model" in capsys.readouterr().out


def test_the_model_is_proposed_where_many_records_are_unique(survey: Path) -> None:
    for both in (True, False):
        assert opened(survey).risk(one_estimator=not both).proposed_estimator == "model"
    assert opened(survey, estimator="model").risk().proposed_estimator == "model"
    assert ms.study(survey, keys=KEYS).risk().proposed_estimator == "cell"
    dense = ms.study(survey, keys=("sex", "region"), weight="weight")
    assert dense.risk().proposed_estimator == "cell"
    # Blanks leave few uniques, but the file needs it as before.
    assert opened(survey).suppress(k=2).risk().proposed_estimator == "model"


def test_it_is_said_that_the_model_was_left_out(
    survey: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimator_choice, "MOST_CELLS", 10)
    measured = opened(survey, estimator="cell").risk()
    assert measured.other is None
    (text,) = (each.text for each in measured.notices if each.id == "model-skipped")
    alone = opened(survey, missing="category").risk().sample_uniques / measured.n
    assert text.startswith(f"{100 * alone:.1f} % of the records are sample uniques")
    assert "model-skipped" not in {
        each.id for each in opened(survey).risk(one_estimator=True).notices
    }
    by_model = opened(survey, estimator="model").risk()
    assert "model-skipped" not in {each.id for each in by_model.notices}


@pytest.mark.slow
def test_the_demo_takes_what_its_survey_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--folder", str(tmp_path)]) == 0
    assert "estimator model" in capsys.readouterr().out
    assert 'estimator = "model"' in (tmp_path / "plan.toml").read_text()
    verdicts = json.loads((tmp_path / "plan.lock").read_text())["verdicts"]
    assert verdicts
    assert all(each["met"] for each in verdicts)
    assert {"risk", "risk_cell"} <= set(pl.read_csv(tmp_path / "records.csv").columns)
