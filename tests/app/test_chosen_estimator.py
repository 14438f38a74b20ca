"""The file chooses the estimator: once, and alike through every door."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from app.client import Page
from microsafe.cli import main
from microsafe.errors import UsageError

KEYS = ["area", "job"]


def make_file(alone: int, gaps: int = 0) -> pl.DataFrame:
    """Return 400 records: so many alone with their keys, and so many pairs with a gap each."""
    area = np.arange(400) % 8
    job = np.where(np.arange(400) < alone, 100 + np.arange(400), np.arange(400) % 3)
    jobs = pl.Series("job", job, dtype=pl.Int64).cast(pl.String)
    # A gap beside an area that no other gap is beside: unique as a category only.
    hidden = pl.Series(np.arange(400) >= 400 - gaps)
    return pl.DataFrame({"area": area, "job": jobs, "w": np.full(400, 12.5)}).with_columns(
        job=pl.when(hidden).then(None).otherwise(pl.col("job"))
    )


FILES = {
    "sparse": (make_file(120), "w", "model"),
    "five per cent": (make_file(20), "w", "model"),
    "below": (make_file(19), "w", "cell"),
    "gaps": (make_file(15, gaps=5), "w", "model"),
    "fewer gaps": (make_file(15, gaps=4), "w", "cell"),
    "no weight": (make_file(120), None, "cell"),
}


def tell(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert main([*map(str, arguments), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("name", FILES)
def test_every_door_has_the_same(
    name: str, folder: Path, page: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    frame, weight, wanted = FILES[name]
    path = folder / "file.csv"
    frame.write_csv(path)
    risk = ms.study(path, keys=KEYS, weight=weight).risk()
    asked = [path, "--keys", ",".join(KEYS), *(["--weight", weight] if weight else [])]
    shell = tell(capsys, "risk", *asked)
    page.ask("POST /api/open", {"folder": 0, "path": "file.csv"})
    study = page.ask("PUT /api/scenario", {"keys": KEYS, "weight": weight})
    app = page.ask("GET /api/risk")
    assert risk.scenario.estimator == risk.proposed_estimator == wanted
    assert shell["estimator"] == shell["scenario"]["estimator"] == wanted
    assert study["scenarios"][0]["estimator"] == app["estimator"] == app["proposed"] == wanted
    assert app["expected"] == pytest.approx(shell["risk"]["expected"]) == risk.expected
    said = [text for text in shell["notices"] if text.startswith("The file chose the estimator")]
    assert len(said) == (weight is not None)
    assert all(f"'{wanted}'" in text for text in said)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sparse", "below"])
def test_plans_name_it_and_keep_to_it(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame, _, wanted = FILES[name]
    path, plan = tmp_path / "file.csv", tmp_path / "plan.toml"
    frame.write_csv(path)
    tell(
        capsys, "plan", "new", path, "--keys", "area,job", "--weight", "w", "--k", 2,
        "--keep-rest", "For analysis", "--step", "recode variable=job keep=5", "-o", plan,
    )  # fmt: skip
    line = f'estimator = "{wanted}"'
    assert line in plan.read_text()
    made = ms.study(path, keys=KEYS, weight="w").plan(tmp_path / "other.csv", keep={"w": "weight"})
    assert made.scenarios[0].estimator == wanted
    lock = tell(capsys, "protect", plan)
    assert line in lock["plan"]
    left_out = plan.read_text().replace(f"{line}\n", "")
    plan.write_text(left_out)
    assert line in tell(capsys, "protect", plan)["plan"]
    assert plan.read_text() == left_out
    assert main(["replay", str(plan), "--check"]) == 0


def test_steps_change_nothing_about_it() -> None:
    start = ms.study(make_file(120), keys=KEYS, weight="w")
    coarse = start.recode("job", keep=1)
    assert coarse.risk().sample_uniques == 0
    assert coarse.scenario().estimator == coarse.risk().proposed_estimator == "model"
    second = coarse.with_scenario("second", keys=["job"])
    assert second.scenario("second").estimator == "model"
    assert (
        second.rollback(0).with_scenario("third", keys=["area"]).scenarios[-1].estimator == "cell"
    )


def test_what_one_estimator_has_chooses_it() -> None:
    sparse, dense = make_file(120), make_file(0)
    for options in ({"missing": "wildcard"}, {"missing": "expected"}, {"alpha": 0.5}):
        found = ms.study(sparse, keys=KEYS, weight="w", **options)
        assert found.scenario().estimator == "cell"
    for missing in ("integrate", {"job": "category"}):
        found = ms.study(dense, keys=KEYS, weight="w", missing=missing)
        assert found.scenario().estimator == "model"
    category = ms.study(sparse, keys=KEYS, weight="w", missing="category").scenario()
    assert (category.estimator, category.missing) == ("model", "category")


def test_an_approximation_means_cell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start = ms.study(make_file(120), keys=KEYS, weight="w")
    risk = start.risk(approximation="series8")
    assert risk.scenario.estimator == "cell"
    assert not [each.id for each in risk.notices if each.id.startswith("estimator-")]
    make_file(120).write_csv(tmp_path / "file.csv")
    asked = ["risk", tmp_path / "file.csv", "--keys", "area,job", "--weight", "w"]
    found = tell(capsys, *asked, "--approximation", "series8")
    assert (found["estimator"], found["risk"]["expected"]) == ("cell", risk.expected)
    with pytest.raises(UsageError, match="cannot be combined with the estimator 'model'"):
        ms.study(make_file(120), keys=KEYS, weight="w", estimator="model").risk(
            approximation="series8"
        )


def test_the_large_figures_are_those_of_the_one_that_decides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_file(120).write_csv(tmp_path / "file.csv")
    risk = ms.study(tmp_path / "file.csv", keys=KEYS, weight="w").risk()
    other = ms.study(tmp_path / "file.csv", keys=KEYS, weight="w", estimator="cell").risk()
    shown, beside = f"{risk.expected:.4g}", f"{other.expected:.4g}"
    assert shown != beside
    assert main(["risk", str(tmp_path / "file.csv"), "--keys", "area,job", "--weight", "w"]) == 0
    for text in (capsys.readouterr().out, repr(risk)):
        assert "estimator model" in text.splitlines()[0]
        (first,) = (each for each in text.splitlines() if "expected re-identifications  " in each)
        (second,) = (each for each in text.splitlines() if "re-identifications by cell" in each)
        assert shown in first
        assert beside in second
    html = risk._repr_html_()
    assert html.index(shown) < html.index(beside)


def test_too_many_cells_for_a_model_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microsafe.studies.estimator_choice.MOST_CELLS", 100)
    risk = ms.study(make_file(120), keys=KEYS, weight="w").risk()
    assert risk.scenario.estimator == risk.proposed_estimator == "cell"
    assert {"estimator-too-many", "model-skipped"} <= {each.id for each in risk.notices}
