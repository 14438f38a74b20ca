"""Figures under every rule for missing keys, and a verdict where safety rests on gaps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.options.policy import Policy
from people import survey_with_gaps as survey

KEYS = ["region", "age", "sex"]


def test_all_rules_stand_side_by_side() -> None:
    study = ms.study(survey(0.2), keys=KEYS)
    found = study.risk(limit=0.5)
    assert set(found.gaps) == {"wildcard", "category", "expected"}
    for rule, each in found.gaps.items():
        alone = ms.study(survey(0.2), keys=KEYS, missing=rule).risk(limit=0.5)
        assert (each.max, each.expected, each.rate) == (alone.max, alone.expected, alone.rate)
        assert alone.limit is not None
        assert each.above_limit == alone.limit.unsafe
    assert "missing keys as expected" in repr(found)
    assert found.summary()["gaps"]["category"]["expected"] == found.gaps["category"].expected
    assert study.risk(one_estimator=True).gaps == {}


def test_complete_keys_need_no_comparison() -> None:
    found = ms.study(survey(0), keys=KEYS).risk()
    assert found.gaps == {}
    assert "gaps" not in found.summary()


@pytest.mark.parametrize(
    ("policy", "told", "weighed", "rests"),
    [
        (Policy(record_risk=0.1), 0.05, 0.2, True),
        (Policy(record_risk=0.1), 0.2, 0.4, False),  # it is not met anyway
        (Policy(record_risk=0.5), 0.05, 0.2, False),  # it is met in either way
        (Policy(), 0.05, 0.2, False),
    ],
)
def test_a_verdict_where_a_rule_turns(
    policy: Policy, told: float, weighed: float, rests: bool
) -> None:
    one, other = (
        {"record_risk": each, "expected": 100 * each, "rate": each} for each in (told, weighed)
    )
    found = policy.gaps_verdict("main", one, other)
    assert (found is not None) == rests
    # One record of many is no reason to ask.
    assert policy.gaps_verdict("main", one, {**other, "expected": 105 * told}) is None


@pytest.mark.slow
def test_a_release_that_rests_on_gaps_needs_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    survey(0.3).write_csv(tmp_path / "survey.csv")
    text = """microsafe = 1

[input]
file = "survey.csv"

[scenario]
keys = ["region", "age", "sex"]

[policy]
record_risk = 0.3

[output]
file = "safe.csv"
report = "board.html"
"""
    plan = tmp_path / "plan.toml"
    plan.write_text(text)
    assert main(["protect", str(plan), "--json"]) == 1
    found = {each["rule"]: each for each in json.loads(capsys.readouterr().out)["verdicts"]}
    assert found["record_risk"]["met"]
    assert not found["gaps"]["met"]
    assert "record_risk would not be met" in found["gaps"]["note"]
    plan.write_text(text.replace("0.3\n", '0.3\noverride = { gaps = "They refused at random" }\n'))
    assert main(["protect", str(plan)]) == 0
    page = (tmp_path / "board.html").read_text("utf-8")
    assert "They refused at random" in page
    assert "under each rule for keys that are missing" in page
    assert main(["replay", str(plan)]) == 0
