"""Weights that give away what the file no longer says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.inventory.weights import share_given_away

ROWS = 400


def opened(weights: list[float] | np.ndarray) -> ms.Study:
    rng = np.random.default_rng(3)
    area = np.arange(ROWS) % 8
    frame = pl.DataFrame(
        {
            "area": area.astype(str),
            "age": rng.integers(18, 60, ROWS),
            "sex": rng.choice(["f", "m"], ROWS),
            "w": np.asarray(weights, float),
        }
    )
    return ms.study(frame, keys=["area", "age", "sex"], weight="w")


def told(study: ms.Study) -> list[str]:
    return [each.text for each in study.inventory().notices]


BY_AREA = 10.0 + np.arange(ROWS) % 8


def coarse(study: ms.Study) -> ms.Study:
    return study.recode("area", groups={"x": ("0", "1", "2", "3")}, other="y")


def test_a_weight_of_each_area() -> None:
    study = opened(BY_AREA)
    assert told(study) == []  # the area itself is there
    (text,) = told(coarse(study))
    assert "The weight 'w' gives away 'area' as it was before protection: for 100.0 %" in text
    (text,) = told(study.drop("area", from_keys=True))
    assert "gives away 'area'" in text
    assert told(coarse(study).drop("sex", from_keys=True)) == told(coarse(study))


def test_the_share_is_that_of_brute_force() -> None:
    weights = np.where(np.arange(ROWS) % 8 < 3, BY_AREA, 30.0)
    study = opened(weights)
    frame = study.engine.table()  # type: ignore[attr-defined]
    groups = frame.group_by("w").agg(pl.col("area").n_unique().alias("areas"), pl.len())
    expected = groups.filter(pl.col("areas") == 1)["len"].sum() / ROWS
    assert expected == pytest.approx(3 / 8)
    assert share_given_away(study.engine, "w", "area") == pytest.approx(expected)
    (text,) = told(coarse(study))
    assert "for 37.5 % of the records" in text


def test_weights_that_tell_nothing() -> None:
    rng = np.random.default_rng(1)
    for weights in (
        rng.choice([10.0, 11.0, 12.0], ROWS),  # drawn for every record
        10 + np.arange(ROWS) / 1000,  # each is one's own
        np.full(ROWS, 10.0),
    ):
        assert told(coarse(opened(weights))) == []
    assert told(coarse(opened(BY_AREA)).undo()) == []
    unweighted = opened(BY_AREA)
    frame = unweighted.engine.table()  # type: ignore[attr-defined]
    assert told(coarse(ms.study(frame, keys=["area", "sex"]))) == []


def test_a_release_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = opened(BY_AREA).engine.table()  # type: ignore[attr-defined]
    frame.write_csv(tmp_path / "people.csv")
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'microsafe = 2\n[input]\nfile = "people.csv"\n'
        '[scenario]\nkeys = ["age", "sex"]\nweight = "w"\n'
        '[policy]\noverride = { inventory = "x", estimator = "x" }\n'
        '[[step]]\ndo = "drop"\nvariables = ["area"]\n'
        '[output]\nfile = "safe.csv"\nkeep_order = "x"\nreport = "board.html"\n'
    )
    assert main(["protect", str(plan)]) == 0
    words = "for 100.0 % of the records it follows from the weight alone"
    assert words in capsys.readouterr().err
    assert words in (tmp_path / "board.html").read_text("utf-8")
