"""Where the risk of a record comes from, and what the other estimator says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microsafe.options.policy import MUCH_HIGHER
from microsafe.options.scenario import Scenario
from microsafe.report.content import RiskBeforeAndAfter
from microsafe.report.document import Block, Paragraph
from microsafe.report.parts import note, table
from microsafe.report.shown_numbers import count, show_number, show_rate, show_risk
from microsafe.report.texts import mark, say
from microsafe.report.units import say_unit
from microsafe.risk import Risk

_BOARD = mark({
    "cell": "cell: from the records with the same keys and their weights, as in mu-ARGUS",
    "model": "model: from a model of the population that is fitted to all combinations of keys",
})  # fmt: skip
_PUBLIC = mark({
    "cell": "from the records that share its key values and from their weights",
    "model": "from a statistical model of the population, fitted to the sample and its weights",
})  # fmt: skip
_CENSUS = mark("as if the file were the whole population")
_DENSE = mark(
    "–: fewer than 5 % of the records are sample uniques, so only one estimator was computed."
)


def estimator_in_words(scenario: Scenario) -> str:
    """Return where the risk of a record comes from, for the board."""
    return (
        say("the records with the same keys, as the file is the population")
        if scenario.weight is None
        else say(_BOARD[str(scenario.estimator)])
    )


def public_estimators(measured: Sequence[RiskBeforeAndAfter]) -> Iterator[Block]:
    """Yield a sentence on the estimator; on each, where scenarios differ."""
    scenarios = [each.after.scenario for each in measured]
    told = dict.fromkeys(_PUBLIC[str(s.estimator)] if s.weight else _CENSUS for s in scenarios)
    if told:
        ways = say(", and under other assumptions ").join(map(say, told))
        of_persons = all(each.after.unit == "persons" for each in measured)
        unit = "persons" if of_persons else "records"
        yield Paragraph(say_unit(unit, "The risk of a record was estimated {ways}.", ways=ways))


def compare_estimators(before: Risk, after: Risk) -> Iterator[Block]:
    """Yield the figures by both estimators, before and after; nothing if only one was computed."""
    sides = (before, after)
    if all(risk.other is None for risk in sides):
        return
    columns = [_figures(risk, own=own) for own in (True, False) for risk in sides]
    names = (str(before.scenario.estimator), before.other_estimator)
    rows = [(what, *(column[what] for column in columns)) for what in columns[0]]
    times = mark(("By {name}, before", "By {name}, after"))
    head = [say("Measure"), *(say(when, name=say(name)) for name in names for when in times)]
    caption = say("Both estimators; “{name}” decides.", name=say(names[0]))
    yield from table(caption, head, rows, numbers=(1, 2, 3, 4))
    if any(risk.other is None for risk in sides):
        yield note(say(_DENSE))
    yield from map(Paragraph, higher_in_words([after]))


def higher_in_words(risks: Sequence[Risk]) -> list[str]:
    """Return a sentence for each risk by cell that the model says is much higher."""
    return [
        say(
            "By the model of the population {times} times as many re-identifications are expected "
            "as by the estimator “cell”, which decides here (scenario “{scenario}”).",
            times=show_number(risk.ratio, 3),
            scenario=risk.scenario.name,
        )
        for risk in risks
        if risk.scenario.estimator == "cell" and risk.ratio is not None and risk.ratio > MUCH_HIGHER
    ]


def _figures(risk: Risk, *, own: bool) -> dict[str, str]:
    """The figures by the estimator of the scenario, or by the other one."""
    other, limit = risk.by_other(risk.limit), risk.limit
    told = risk if own else other
    above = limit.unsafe if own and limit else other.above_limit if other else None
    shown = {
        say_unit(risk.unit, "Largest risk of a record"): "–"
        if told is None
        else show_risk(told.max),
        say("Expected re-identifications"): "–" if told is None else show_number(told.expected),
        say("Re-identification rate"): "–" if told is None else show_rate(told.rate),
    }
    if limit is not None:
        shown[say_unit(risk.unit, "Records above the limit")] = (
            "–" if above is None else count(above)
        )
    return shown
