"""Scenarios: what somebody who might recognise people knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from microsafe.options.scenario import Scenario
from microsafe.report.content import Content, RiskBeforeAndAfter
from microsafe.report.document import Block, LineBreak, join, name
from microsafe.report.parts import (
    Facts,
    facts,
    names,
    reason,
    scenario_heading,
    variable_title,
)
from microsafe.report.sections.estimators import estimator_in_words
from microsafe.report.shown_numbers import show_number, show_rate
from microsafe.report.texts import mark, say
from microsafe.risk import Risk

_ATTACKS = mark({
    "all": "the intruder tries every record",
    "random": "the intruder tries one record, drawn at random",
    "ratio": "the intruder prefers people who are well represented in the file",
    "weight": "the intruder prefers records with a high chance of inclusion",
})  # fmt: skip
_GAPS = mark({
    "wildcard": "a missing key may stand for any category",
    "category": "missing is a category of its own",
    "integrate": "what a record does not show is filled by the model of the population",
    "expected": "a gap counts by the chance that it hides the category, a suppressed value exactly",
})  # fmt: skip


def tell_scenarios(content: Content) -> Iterator[Block]:
    """Yield each scenario in words."""
    for each in content.measured:
        yield from _scenario(each, content)


def _scenario(measured: RiskBeforeAndAfter, content: Content) -> Iterator[Block]:
    scenario = measured.before.scenario
    left = name_keys(measured.after)
    gone = [key for key in name_keys(measured.before) if key not in left]
    rows: Facts = [
        (say("Keys, known to the intruder"), join(
            (variable_title(key, content.labels.get(key, "")) for key in scenario.keys),
            LineBreak())),
        (say("Weight"), name(scenario.weight) if scenario.weight
         else say("none: the file is treated as the whole population")),
        (say("Household"), name(scenario.household) if scenario.household
         else say("not considered")),
        *([(say("Unit"), say("persons, each with several records; keys that change enter once for "
                              "each wave"))] if measured.before.unit == "persons" else []),
        (say("Missing keys"), _gaps(scenario)),
        (say("Attack"), say(_ATTACKS.get(scenario.attack, scenario.attack))),
        (say("Estimator of the risk"), estimator_in_words(scenario)),
    ]  # fmt: skip
    if scenario.factor != 1:
        rows.append((say("Factor that multiplies every risk"), show_number(scenario.factor)))
    if scenario.error:
        told = "; ".join(f"{key} {show_rate(value)}" for key, value in scenario.error.items())
        rows.append((say("Chance that a key is recorded with error"), name(told)))
    if gone:
        rows.append((say("Keys left out of the file"), names(gone)))
    yield scenario_heading(scenario.name)
    yield from reason(measured.why)
    yield from facts(rows)


def name_keys(risk: Risk) -> list[str]:
    """Return the keys of records: one of persons that changes names its wave."""
    persons = risk.unit == "persons"
    keys = risk.scenario.keys
    return list(dict.fromkeys((persons and key.rpartition("@")[0]) or key for key in keys))


def _gaps(scenario: Scenario) -> str:
    rule = "integrate" if isinstance(scenario.missing, Mapping) else str(scenario.missing)
    text = say(_GAPS[rule])
    if isinstance(scenario.missing, Mapping):
        names = ", ".join(scenario.gap_categories)
        return text + say("; missing is a category of its own in {names}", names=names)
    if scenario.alpha == 1:
        return text
    weight = show_number(scenario.alpha)
    return text + say("; a match that rests on such a gap counts {weight}", weight=weight)
