"""Page one: the headline, the limits and the counts that the board signs by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from microsafe.options.policy import Policy, Verdict
from microsafe.report.content import Content
from microsafe.report.document import Grid, Judgement, plain_text
from microsafe.report.sections.decision import tell_decision
from microsafe.report.texts import speaking
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


def tell_points(made: Content) -> dict[str, str]:
    """Return the rows without a heading: what the board has to know besides."""
    grids = [block for block in tell_decision(made) if isinstance(block, Grid) and not block.head]
    return {plain_text(what): plain_text(told) for grid in grids for what, told in grid.rows}


def of_persons(made: Content) -> Content:
    measured = [replace(each, after=replace(each.after, unit="persons")) for each in made.measured]
    return replace(made, measured=measured)


def test_rules_and_counts_are_of_persons_where_the_risk_is_theirs() -> None:
    unmet = replace(RISK, value=0.2, met=False)
    few = replace(unmet, rule="k", limit=3, value=1, reason="Contract")
    steps = [replace(content().steps[0], stuck=120)]
    made = replace(content(), verdicts=[unmet, few], steps=steps)
    told = {"records": tell_points(made), "persons": tell_points(of_persons(made))}
    for unit, points in told.items():
        one, who = {"records": ("a record", "that"), "persons": ("a person", "who")}[unit]
        assert (
            f"Largest risk of {one}: 0.2 (1 in 5) where 0.05 (1 in 20)" in points["Not protected"]
        )
        assert f"120 {unit} could not be made safe" in points["Not protected"]
        assert f"Fewest {unit} {who} share their keys: 1 where 3" in points["Overridden"]
    with speaking("de"):
        points = tell_points(of_persons(made))
    assert "120 Personen ließen sich" in points["Nicht geschützt"]
    assert "Datensatz" not in points["Nicht geschützt"] + points["Ausnahmen"]


def test_guesses_are_a_multiple_and_values_a_share() -> None:
    """Both are verdicts on what tells keys: one of a scenario, one of the file."""
    for override, row in (({}, "Not protected"), ({"telling": "By contract"}, "Overridden")):
        policy = Policy(override=override)
        guesses = policy.guesses_verdict("main", {"telling": 1.62}, {"exact": 5.0})
        tells = policy.telling_verdict(0.95, "age is told by born")
        told = tell_points(replace(content(), verdicts=[guesses, tells]))[row]
        assert "multiple of those found without: 1.62 where 1.25 is the limit." in told
        assert "another variable tells: 95.0 % where 90.0 % is the limit." in told


def test_a_rule_is_told_once_for_each_limit() -> None:
    """Limits may differ by scenario; figures under the same limit stand side by side."""
    given = [("main", 0.05, 0.2), ("register", 0.05, 0.1), ("work", 0.01, 0.02)]
    verdicts = [
        Verdict(rule="rate", scenario=who, limit=limit, value=value, met=False, reason="On site")
        for who, limit, value in given
    ]
    told = tell_points(replace(content(), verdicts=verdicts))["Overridden"]
    assert "20 %, 10 % where 5 % is the limit" in told
    assert "2 % where 1 % is the limit" in told
