"""A limit for each scenario: in a plan's steps, in its policy, and in the verdicts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import microsafe as ms
from microsafe.plan.model import plan_text
from microsafe.plan.read import read_plan
from microsafe.plan.run import run as run_plan

PLAN = """
microsafe = 1

[input]
file = "survey.csv"

[scenario]
keys = ["region", "sex", "age"]
weight = "weight"
estimator = "cell"
household = "household"

[scenarios.register]
keys = ["region", "sex", "marital"]
weight = "weight"
estimator = "cell"

[policy]
record_risk = { main = "4%", register = 0.01 }
household_risk = { main = 0.1 }
override = { estimator = "for a test", inventory = "for a test" }

[[step]]
do = "suppress"
above = { main = 0.04, register = 0.01 }
household = { main = 0.1 }

[output]
file = "safe.csv"
keep_order = "for a test"
"""


@pytest.fixture
def plan(survey: Path, tmp_path: Path) -> Path:
    shutil.copy(survey, tmp_path)
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


def test_each_scenario_is_judged_by_its_own_limit(plan: Path) -> None:
    done = run_plan(read_plan(plan), plan.parent)
    rules = ("record_risk", "household_risk")
    told = {(each.scenario, each.rule): each for each in done.verdicts if each.rule in rules}
    assert {where: each.limit for where, each in told.items()} == {
        ("main", "record_risk"): 0.04,
        ("register", "record_risk"): 0.01,
        ("main", "household_risk"): 0.1,
    }
    assert all(each.met for each in told.values())
    assert told["main", "record_risk"].value > 0.01  # type: ignore[operator]


def test_a_plan_says_so_again(plan: Path) -> None:
    made = read_plan(plan)
    plan.write_text(plan_text(made))
    assert read_plan(plan) == made
    assert made.policy.rules_of("register") == {"record_risk": 0.01}


def test_a_limit_for_no_scenario_is_refused(plan: Path) -> None:
    plan.write_text(PLAN.replace("register = 0.01 }\nhouse", "registers = 0.01 }\nhouse"))
    with pytest.raises(ms.UsageError, match=r"\[policy\].*'registers', which is no scenario"):
        read_plan(plan)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ({"record_risk": {"main": -0.01}}, "record_risk must be a number of at least 0"),
        ({"k": {"main": 3}}, "k is one number for all scenarios"),
    ],
)
def test_limits_that_make_no_sense(policy: dict[str, object], said: str) -> None:
    with pytest.raises(ms.UsageError, match=said):
        ms.Policy(**policy)  # type: ignore[arg-type]


def test_a_limit_for_a_scenario_that_is_not_there_stops_a_release(tmp_path: Path) -> None:
    study = ms.study(
        ms.survey(households=50).frame, keys=["region", "sex"], weight="weight", estimator="cell"
    )
    policy = ms.Policy(record_risk={"mian": 1e-6})
    with pytest.raises(ms.UsageError, match=r"'mian', which is no scenario\. Did you mean 'main'"):
        study.release(tmp_path / "out", policy=policy)
    assert not (tmp_path / "out").exists()
    with pytest.raises(ms.InputError, match="b cannot be made a folder there"):
        study.release(tmp_path / "a" / "b")
