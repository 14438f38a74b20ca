"""Who gets the file: the same limits in every door."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.intruders import INTRUDERS, add_profile
from microsafe.options.profiles import PROFILES, name_profile
from microsafe.plan.read import read_plan

KEYS = ["region", "sex", "age"]
ROLES = ["--keys", "region,sex,age", "--weight", "weight", "--household", "household"]


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("estimator", ["cell", "model"])
def test_all_doors_agree_on_a_profile(
    survey: Path, capsys: pytest.CaptureFixture[str], name: str, estimator: str
) -> None:
    usual = PROFILES[name]
    study = ms.study(survey, keys=KEYS, weight="weight", household="household", estimator=estimator)
    asked = add_profile(ms.Policy(), name, study.scenario())
    assert asked.record_risk == usual.record_risk

    plan = survey.parent / "plan.toml"
    command = [str(survey), *ROLES, "--estimator", estimator, "--profile", name]
    assert main(["plan", "new", *command, "-o", str(plan)]) == 0
    made = read_plan(plan, draw_seeds=True, save_seeds=False)
    assert made.policy == asked
    assert name_profile(made.report.release_type) == name

    capsys.readouterr()
    assert main(["risk", *command, "--json"]) == 0
    limit = json.loads(capsys.readouterr().out)["limit"]["limit"]
    by_python = study.risk(profile=name).limit
    assert by_python is not None
    assert limit == by_python.limit == usual.record_risk

    by_study = study.plan("safe.csv", profile=name)
    assert by_study.policy == asked
    assert by_study.report.release_type == usual.release_type


def test_a_limit_that_is_given_counts_more_than_the_profile(survey: Path) -> None:
    study = ms.study(survey, keys=KEYS, weight="weight", estimator="model")
    found = add_profile(ms.Policy(record_risk=0.1), "public", study.scenario())
    assert (found.record_risk, found.intruders["method"]) == (0.1, 0.1)
    limit = study.risk(limit=0.1, profile="public").limit
    assert limit is not None
    assert limit.limit == 0.1


def test_a_profile_limits_intruders_that_there_are() -> None:
    known = {rule for kind in INTRUDERS.values() for rule in kind.judged_by()}
    assert {rule for usual in PROFILES.values() for rule in usual.intruders} <= known


def test_who_gets_the_file_must_be_known(survey: Path) -> None:
    study = ms.study(survey, keys=KEYS)
    with pytest.raises(ms.UsageError, match=r"no profile 'publik'.*Did you mean 'public'"):
        study.risk(profile="publik")  # type: ignore[arg-type]
    with pytest.raises(ms.UsageError, match="Say what must be met"):
        study.propose()
