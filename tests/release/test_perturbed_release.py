"""A plan with PRAM, end to end: file, verdicts, reports, lock, replay."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.plan import verdicts as judging
from microsafe.plan.model import plan_text
from microsafe.plan.read import read_plan
from microsafe.plan.run import run

SEED = 918273645546372819
PLAN = f"""
microsafe = 1
[input]
file = "survey.csv"
[scenario]
keys = ["region", "sex", "age"]
weight = "weight"
estimator = "cell"
[policy]
record_risk = 0.05
k = 2
override = {{ k = "risk decides", estimator = "it is a test" }}
[[step]]
do = "recode"
variable = "age"
breaks = [0, 20, 40, 60, 80]
[[step]]
do = "pram"
variable = "region"
keep = 0.7
strata = ["sex"]
seed = {SEED}
why = "neighbours know the region"
[[step]]
do = "suppress"
above = 0.005
[[keep]]
variables = ["household", "hsize", "marital", "education", "occupation", "citizenship", "income"]
why = "nobody knows them"
[output]
file = "safe.csv"
report = "board.html"
public_report = "public.html"
shuffle = 5
"""


@pytest.fixture
def plan(survey: Path, tmp_path: Path) -> Path:
    shutil.copy(survey, tmp_path)
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


@pytest.mark.slow
def test_from_plan_to_replay(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["protect", str(plan)]) == 0
    assert (
        "PRAM of region: each value kept with a chance of at least 0.7" in capsys.readouterr().out
    )
    assert main(["replay", str(plan), "--check"]) == 0
    lock = json.loads(plan.with_suffix(".lock").read_text("utf-8"))
    step = lock["steps"][1]
    assert sum(n for row in step["transitions"].values() for n in row.values()) == step["values"]
    assert "matrix" not in step  # of strata
    (k,) = (each for each in lock["verdicts"] if each["rule"] == "k")
    assert k["note"] == "before PRAM of region; not meaningful after it"
    board, public = (
        (plan.parent / name).read_text("utf-8") for name in ("board.html", "public.html")
    )
    for words in (
        "not meaningful after PRAM of region",
        "An intruder who knows the chances and has a register hits",
        "Values kept",
        "neighbours know the region",
    ):
        assert words in board
    assert "PRAM: <bdi>region</bdi>" in public
    assert "Least chance to stay" in public
    assert "Frequencies kept in expectation" in public
    assert "Strata" not in public
    for text in (board, public, json.dumps(lock)):
        assert str(SEED) not in text


def test_the_safe_file_is_the_perturbed_one(plan: Path) -> None:
    found = run(read_plan(plan), plan.parent)
    written = pl.read_csv(plan.parent / "safe.csv")
    released = found.study.engine.table()["region"].cast(pl.Int64)  # type: ignore[attr-defined]
    assert written["region"].sort().to_list() == released.sort().to_list()
    after = found.after["main"]
    assert after.max <= 0.005
    assert after.perturbed is not None
    assert found.before["main"].perturbed is None


def test_another_file_than_the_released_one_is_refused(
    plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ms.study(
        plan.parent / "survey.csv", keys=["region", "sex"], weight="weight", estimator="cell"
    )
    noisy = first.pram("region", seed=1)
    noisy._write_file(plan.parent / "noisy.csv")
    again = ms.study(
        plan.parent / "noisy.csv", keys=["region", "sex"], weight="weight", estimator="cell"
    )
    assert judging.shows_released(noisy, again, "main")
    assert not judging.shows_released(noisy, first, "main")


def test_chances_may_be_published(plan: Path) -> None:
    text = PLAN.replace('strata = ["sex"]\n', "").replace(
        "k = 2", "k = 2\npublish_matrix = true", 1
    )
    plan.write_text(text)
    read = read_plan(plan)
    assert read_plan(plan).policy.publish_matrix
    assert "publish_matrix = true" in plan_text(read)
    assert main(["protect", str(plan)]) == 0
    public = (plan.parent / "public.html").read_text("utf-8")
    assert "1: 0.7" in public


@pytest.mark.parametrize(
    ("line", "words", "code"),
    [
        ("keep = 2.0", "keep of 'region' must be above 0", 2),
        ("keep = 0.0001", "must be at least", 3),
        ('matrix = { "1" = { "1" = 0.9 } }', "has no row for", 3),
        ('strata = ["nothing"]', "has no variable", 3),
    ],
)
def test_bad_plans(
    plan: Path, line: str, words: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    old = 'strata = ["sex"]' if "strata" in line else "keep = 0.7"
    plan.write_text(PLAN.replace(old, line))
    assert main(["protect", str(plan)]) == code
    assert words in capsys.readouterr().err
    assert not (plan.parent / "safe.csv").exists()
