"""Both estimators side by side, and which of them decides, in words."""

from __future__ import annotations

from collections.abc import Sequence

from microsafe.display import show_number, show_rate, show_risk
from microsafe.policy import MUCH_HIGHER
from microsafe.report.content import Remeasured
from microsafe.report.markup import Html, join
from microsafe.report.parts import note, paragraph, table
from microsafe.risk import Risk
from microsafe.scenario import Scenario

_BOARD = {
    "cell": "cell: from the records with the same keys and their weights, as in mu-ARGUS",
    "model": "model: from a model of the population that is fitted to all combinations of keys",
}
_PUBLIC = {
    "cell": "from the records that share its key values and from their weights",
    "model": "from a statistical model of the population, fitted to the sample and its weights",
}
_CENSUS = "as if the file were the whole population"
_DENSE = "–: fewer than 5 % of the records are sample uniques, so only one estimator was computed."


def estimator_in_words(scenario: Scenario) -> str:
    """Return where the risk of a record comes from, for the board."""
    return (
        "the records with the same keys, as the file is the population"
        if scenario.weight is None
        else _BOARD[scenario.estimator]
    )


def public_estimators(measured: Sequence[Remeasured]) -> Html:
    """Return a sentence on the estimator; on each, where scenarios differ."""
    scenarios = [each.after.scenario for each in measured]
    told = dict.fromkeys(_PUBLIC[s.estimator] if s.weight else _CENSUS for s in scenarios)
    if not told:
        return Html("")
    ways = ", and under another scenario ".join(told)
    return paragraph(f"The risk of a record was estimated {ways}.")


def compare_estimators(before: Risk, after: Risk) -> Html:
    """Return the figures by both estimators, before and after; nothing if only one was computed."""
    sides = (before, after)
    if all(risk.other is None for risk in sides):
        return Html("")
    columns = [_figures(risk, own=own) for own in (True, False) for risk in sides]
    names = (before.scenario.estimator, before.other_estimator)
    rows = [(what, *(each[what] for each in columns)) for what in columns[0]]
    head = ["Measure", *(f"By {name}, {when}" for name in names for when in ("before", "after"))]
    return join(
        [
            table(f"Both estimators; “{names[0]}” decides.", head, rows, numbers=(1, 2, 3, 4)),
            note(_DENSE) if any(risk.other is None for risk in sides) else Html(""),
            *(paragraph(text) for text in higher_in_words([after])),
        ]
    )


def higher_in_words(risks: Sequence[Risk]) -> list[str]:
    """Return a sentence for each risk by cell that the model says is much higher."""
    return [
        f"By the model of the population {show_number(risk.ratio, 3)} times as many "
        "re-identifications are expected as by the estimator “cell”, which decides here"
        + (f" (scenario “{risk.scenario.name}”)." if len(risks) > 1 else ".")
        for risk in risks
        if risk.scenario.estimator == "cell" and risk.ratio is not None and risk.ratio > MUCH_HIGHER
    ]


def _figures(risk: Risk, *, own: bool) -> dict[str, str]:
    """The figures by the estimator of the scenario, or by the other one."""
    other, limit = risk.by_other(risk.limit), risk.limit
    told = risk if own else other
    above = limit.unsafe if own and limit else other.above_limit if other else None
    shown = {
        "Largest risk of a record": "–" if told is None else show_risk(told.max),
        "Expected re-identifications": "–" if told is None else show_number(told.expected),
        "Re-identification rate": "–" if told is None else show_rate(told.rate),
    }
    if limit is not None:
        shown["Records above the limit"] = "–" if above is None else f"{above:,}"
    return shown
