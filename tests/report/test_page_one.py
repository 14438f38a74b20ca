"""Page one: the headline, the limits and the counts that the board signs by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from microsafe.options.policy import Policy, Verdict
from microsafe.report.document import Judgement
from microsafe.report.sections.decision import tell_decision
from report.test_report import content

INVENTORY = Verdict(rule="inventory", scenario="", limit=0, value=0, met=True)
RISK = Verdict(rule="record_risk", scenario="main", limit=0.05, value=0.01, met=True)


def judge(*verdicts: Verdict) -> Judgement:
    return next(
        block
        for block in tell_decision(replace(content(), verdicts=verdicts))
        if isinstance(block, Judgement)
    )


def test_a_file_without_a_limit_on_risk_is_not_judged() -> None:
    policy = Policy()
    others = [
        INVENTORY,
        policy.telling_verdict(0.4),
        policy.estimator_verdict("main", 1.1),
        Verdict(rule="given_away", scenario="", limit=0.1, value=0.05, met=True),
    ]
    for some in (others[:1], others):
        found = judge(*some)
        assert (found.colour, found.headline) == ("plain", "Not judged.")
        assert found.text.startswith("No limit on risk was set. Rules met:")


@pytest.mark.parametrize("rule", ["record_risk", "k", "tau2", "household_rate", "rejoin"])
def test_one_limit_on_risk_is_enough(rule: str) -> None:
    found = judge(INVENTORY, replace(RISK, rule=rule))
    assert found.colour == "go"
    assert "No limit" not in found.text


def test_what_bars_a_release_bars_it_without_a_limit_on_risk() -> None:
    found = judge(replace(INVENTORY, value=1, met=False))
    assert (found.colour, found.headline) == ("stop", "Not to be released.")
    assert "No limit on risk was set." in found.text
