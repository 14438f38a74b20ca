"""Where the household number does not go out: who can still be tried, and what new plans say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.plan.read import read_plan

KEYS = ("region", "sex", "age")
HOMES = ["--household-above", "0.1"]


@pytest.fixture(scope="module")
def study() -> ms.Study:
    return ms.study(
        ms.survey(1, households=300).frame,
        keys=KEYS,
        weight="weight",
        household="household",
        estimator="model",
    )


def test_its_scenarios_lose_it_and_the_model_does_not(study: ms.Study) -> None:
    whole = study.drop("income")
    dropped = study.drop(["income", "household"])
    assert dropped.scenario().household is None
    assert dropped.risk().household is None
    assert dropped.risk().expected == whole.risk().expected  # drawn by household all the same


def test_the_family_goes_and_the_rejoiner_comes(study: ms.Study) -> None:
    policy = ms.Policy(intruders={"rejoin": 1.0})
    for data, tried, rest in (
        (study, "family", "rejoin"),
        (study.drop("household"), "rejoin", "family"),
    ):
        rows = {row.name: row for row in data.intruders(policy=policy)}
        assert not rows[tried].not_tried
        assert "household number" in rows[rest].not_tried


def write_plan(folder: Path, *options: str) -> Path:
    ms.survey(1, households=300).frame.write_csv(folder / "survey.csv")
    plan = folder / "plan.toml"
    names = ["--keys", ",".join(KEYS), "--weight", "weight", "--household", "household"]
    more = [
        "--keep",
        "hsize,marital,education,occupation,citizenship,income=needed",
        "-o",
        str(plan),
    ]
    code = main(["plan", "new", str(folder / "survey.csv"), *names, *options, *more])
    assert code == 0
    return plan


@pytest.mark.parametrize(
    ("options", "limits", "steps"),
    [
        (["--profile", "public"], {"rejoin": 0.05, "method": 0.05}, ["suppress", "drop"]),
        (
            ["--profile", "public", *HOMES],
            {"rejoin": 0.05, "method": 0.05},
            ["renumber", "suppress", "suppress"],
        ),
        (
            ["--profile", "scientific"],
            {"rejoin": 0.05, "method": 0.2},
            ["renumber", "suppress", "suppress"],
        ),
        (["--profile", "secure"], {}, ["renumber", "suppress"]),
        (["--above", "0.1"], {}, ["renumber", "suppress"]),
    ],
)
def test_new_plans_go_by_the_profile(
    tmp_path: Path, options: list[str], limits: dict[str, float], steps: list[str]
) -> None:
    plan = read_plan(write_plan(tmp_path, *options), draw_seeds=True, save_seeds=False)
    assert plan.policy.intruders == limits
    assert [each.do for each in plan.steps] == steps


def test_members_that_can_be_put_together_again_stop_a_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_plan(tmp_path, "--profile", "public")
    path.write_text(path.read_text().replace("rejoin = 0.05", "rejoin = 0.001"))
    assert main(["protect", str(path)]) == 1
    assert not (tmp_path / "survey-safe.csv").exists()
    override = 'rejoin = 0.001\noverride = { rejoin = "agreed" }'
    path.write_text(path.read_text().replace("rejoin = 0.001", override))
    assert main(["protect", str(path)]) == 0
    lock = json.loads(path.with_suffix(".lock").read_text())
    (verdict,) = [each for each in lock["verdicts"] if each["rule"] == "rejoin"]
    assert (verdict["met"], verdict["reason"]) == (False, "agreed")
    assert "household" not in (tmp_path / "survey-safe.csv").read_text().splitlines()[0]


def test_a_number_that_goes_out_meets_the_rule(tmp_path: Path) -> None:
    path = write_plan(tmp_path, "--profile", "scientific")
    assert main(["protect", str(path)]) == 0
    lock = json.loads(path.with_suffix(".lock").read_text())
    (verdict,) = [each for each in lock["verdicts"] if each["rule"] == "rejoin"]
    assert (verdict["value"], verdict["met"]) == (0.0, True)
