"""Page one: the headline, the limits and the counts that the board signs by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from microsafe.intruders import INTRUDERS, IntruderResult, IntruderRow, IntruderTable
from microsafe.notices import make_notice
from microsafe.options.policy import Policy, Verdict
from microsafe.report.content import Content
from microsafe.report.document import Grid, Judgement, Paragraph, plain_text
from microsafe.report.sections.decision import tell_decision
from microsafe.report.sections.verdicts import tell_verdicts
from microsafe.report.texts import LANGUAGES, speaking
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


def make_row(intruder: str, rule: str, limit: float, *, met: bool, **found: object) -> IntruderRow:
    kind = INTRUDERS[intruder]
    now = IntruderResult(unit=kind.unit, units=590, expected=12.3, **found)  # type: ignore[arg-type]
    return IntruderRow(
        name=intruder, title=kind.title, knows=kind.knows, scenario="main", unit=kind.unit,
        now=now, rule=rule, limit=limit, met=met,
    )  # fmt: skip


def with_rows(*rows: IntruderRow) -> Content:
    return replace(content(), verdicts=[INVENTORY, RISK], intruders=IntruderTable(rows))


def tell_limits(made: Content) -> list[str]:
    """Return the limits of the table of intruders."""
    grid = next(each for each in tell_decision(made) if isinstance(each, Grid) and each.head)
    return [plain_text(row[-1]) for row in grid.rows]


@pytest.mark.parametrize("language", LANGUAGES)
def test_odds_are_limits_on_chances_only(language: str) -> None:
    made = with_rows(
        make_row("rejoin", "rejoin", 0.05, met=True, largest=0.96),
        make_row("numbers", "numbers", 0.1, met=True),
        make_row("inference", "inference", 0.2, met=False),
        make_row("method", "method", 0.05, met=True, largest=0.04),
        make_row("keys", "expected", 2.5, met=True, largest=0.04),
    )
    with speaking(language):
        told = tell_limits(made)
    expected = {
        "en": [
            "at most 5 % of the members, met",
            "at most 10 % of the records, met",
            "at most 20 % advantage, not met",
            "1 in 20, met",
            "at most 2.5, met",
        ],
        "de": [
            "höchstens 5 % der Mitglieder, eingehalten",
            "höchstens 10 % der Datensätze, eingehalten",
            "höchstens 20 % Vorsprung, nicht eingehalten",
            "1 von 20, eingehalten",
            "höchstens 2,5, eingehalten",
        ],
    }
    assert told == expected[language]


def test_verdicts_show_shares_as_shares() -> None:
    rejoin = Verdict(rule="rejoin", scenario="main", limit=0.05, value=0.123, met=True)
    (grid,) = tell_verdicts([rejoin], {})
    assert isinstance(grid, Grid)
    shown = [plain_text(cell) for cell in grid.rows[0]]
    assert shown[2:4] == ["at most 5 % of the members", "12.3 % of the members"]


def test_no_green_where_an_intruder_is_not_held_off() -> None:
    """The estimator by cell may meet the rule on households that the family intruder breaks."""
    formula = make_notice("family-formula")
    met = make_row("family", "household_risk", 0.1, met=True, notices=(formula,))
    unmet = replace(met, met=False)
    keys = make_row("keys", "record_risk", 0.02, met=True)
    for row, colour in ((met, "go"), (unmet, "plain")):
        blocks = list(tell_decision(with_rows(keys, row)))
        (found,) = (block for block in blocks if isinstance(block, Judgement))
        assert found.colour == colour
        assert (found.headline == "Not safe against: Family.") == (row is unmet)
        notes = [plain_text(each.text) for each in blocks if isinstance(each, Paragraph)]
        assert (formula.text in notes) == (row is unmet)
        assert "Rules met: 2 of 2." in found.text
