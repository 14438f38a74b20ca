"""Verdicts, rule by rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from microsafe.options.policy import TELLING
from microsafe.report.content import Ruling
from microsafe.report.document import Block, Inline, Paragraph, Span, fill, name
from microsafe.report.parts import reason, table
from microsafe.report.sections.intruders import name_intruder
from microsafe.report.shown_numbers import show_rule_value
from microsafe.report.texts import mark, retell, say
from microsafe.report.units import say_unit

_RULES = mark(
    {
        "record_risk": "Largest risk of a record",
        "expected": "Expected re-identifications",
        "rate": "Re-identification rate",
        "household_risk": "Largest household risk",
        "household_rate": "Household re-identification rate",
        "expected_households": "Expected households re-identified",
        "tau1": "Sample uniques that are population uniques",
        "tau1_share": "Share of the sample uniques that are population uniques",
        "tau2": "Expected correct matches with sample uniques",
        "k": "Fewest records that share their keys",
        "gaps": "How much riskier the file is if blanks can be guessed",
        "given_away": "Suppressed values guessed right beyond chance",
        "telling": "Original values of a changed key that another variable tells",
        "inventory": "Variables without a decision, and direct identifiers",
        "estimator": "Expected by the model, as a multiple of the estimate by cell",
    }
)


def tell_verdicts(verdicts: Sequence[Ruling], units: Mapping[str, str]) -> Iterator[Block]:
    """Yield what was measured for each rule, and why it may be broken.

    Args:
        verdicts: On the rules of the policy.
        units: What is counted, by scenario.
    """
    rows: list[tuple[Inline, ...]] = []
    reasons: list[Block] = []
    for verdict in verdicts:
        least = mark("at least {limit}" if verdict.rule == "k" else "at most {limit}")
        rule, limit, value = show_ruling(verdict, units)
        said = say(least, limit=limit)
        rows.append((name(rule), name(verdict.scenario), said, value, _outcome(verdict)))
        reasons += [*_note(verdict, rule), *_override(verdict, rule)]
    head = (say("Rule"), say("Scenario"), say("Limit"), say("Measured"), say("Verdict"))
    yield from table(say("Measured on the protected file."), head, rows, numbers=(2, 3))
    yield from reasons


def show_ruling(verdict: Ruling, units: Mapping[str, str]) -> tuple[str, str, str]:
    """Return what a rule is about, its limit and what was measured.

    Args:
        verdict: On the rule.
        units: What is counted, by scenario.
    """
    limit, value = (
        show_rule_value(verdict.rule, figure, verdict.scenario)
        for figure in (verdict.limit, verdict.value)
    )
    return _name_rule(verdict, units.get(verdict.scenario, "records")), limit, value


def _name_rule(verdict: Ruling, unit: str) -> str:
    rule = verdict.rule
    if rule in ("record_risk", "k"):
        return say_unit(unit, _RULES[rule])
    if rule == TELLING and verdict.scenario:
        return say("Records found with hidden keys guessed, as a multiple of those found without")
    return say(_RULES.get(rule) or name_intruder(rule))


def _note(verdict: Ruling, rule: str) -> Iterator[Block]:
    if verdict.note:
        none = verdict.value is None
        said = say("{rule}: no estimate. {note}") if none else say("{rule}: {note}.")
        yield Paragraph(fill(said, rule=name(rule), note=name(retell(verdict.note))))


def _override(verdict: Ruling, rule: str) -> Iterator[Block]:
    if verdict.met or not verdict.reason:
        return
    said = say("{rule} is not met. Why the file may be released nevertheless:")
    if verdict.scenario:
        said = say(
            "{rule}, scenario “{scenario}”, is not met. Why the file may be released nevertheless:"
        )
    yield Paragraph(fill(said, rule=name(rule), scenario=name(verdict.scenario)))
    yield from reason(verdict.reason)


def _outcome(verdict: Ruling) -> Inline:
    if verdict.met:
        return Span(say("met"), "met")
    more = say(", overridden") if verdict.reason else ""
    return (Span(say("not met"), "unmet"), more)
