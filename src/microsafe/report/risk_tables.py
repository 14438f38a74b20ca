"""Tables on the risk of records beside its main figures.

Both estimators, each rule for missing keys, keys that were perturbed, and what the file as written
gives away of suppressed values.
"""

from __future__ import annotations

from collections.abc import Sequence

from microsafe.options.policy import MUCH_HIGHER
from microsafe.options.scenario import Scenario
from microsafe.report.content import Remeasured
from microsafe.report.markup import Html, join, name
from microsafe.report.parts import facts, note, paragraph, table
from microsafe.report.shown_numbers import count, show_number, show_percent, show_rate, show_risk
from microsafe.report.texts import mark, retell, say
from microsafe.risk import GivenAway, KeyGuesses, Risk

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
        else say(_BOARD[scenario.estimator])
    )


def public_estimators(measured: Sequence[Remeasured]) -> Html:
    """Return a sentence on the estimator; on each, where scenarios differ."""
    scenarios = [each.after.scenario for each in measured]
    told = dict.fromkeys(_PUBLIC[s.estimator] if s.weight else _CENSUS for s in scenarios)
    if not told:
        return Html("")
    ways = say(", and under other assumptions ").join(map(say, told))
    return paragraph(say("The risk of a record was estimated {ways}.", ways=ways))


def compare_estimators(before: Risk, after: Risk) -> Html:
    """Return the figures by both estimators, before and after; nothing if only one was computed."""
    sides = (before, after)
    if all(risk.other is None for risk in sides):
        return Html("")
    columns = [_figures(risk, own=own) for own in (True, False) for risk in sides]
    names = (before.scenario.estimator, before.other_estimator)
    rows = [(what, *(each[what] for each in columns)) for what in columns[0]]
    times = mark(("By {name}, before", "By {name}, after"))
    head = [say("Measure"), *(say(when, name=say(name)) for name in names for when in times)]
    caption = say("Both estimators; “{name}” decides.", name=say(names[0]))
    return join(
        [
            table(caption, head, rows, numbers=(1, 2, 3, 4)),
            note(say(_DENSE)) if any(risk.other is None for risk in sides) else Html(""),
            *(paragraph(text) for text in higher_in_words([after])),
        ]
    )


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
        say("Largest risk of a record"): "–" if told is None else show_risk(told.max),
        say("Expected re-identifications"): "–" if told is None else show_number(told.expected),
        say("Re-identification rate"): "–" if told is None else show_rate(told.rate),
    }
    if limit is not None:
        shown[say("Records above the limit")] = "–" if above is None else count(above)
    return shown


_RULES = mark(
    {
        "wildcard": "May stand for any category (wildcard)",
        "category": "A category of its own (category)",
        "expected": "Weighed by the chance of each category (expected)",
    }
)


def compare_gaps(after: Risk) -> Html:
    """Return the figures after protection under each rule; nothing if no key is missing."""
    head = (
        say("Missing keys"),
        say("Largest risk"),
        say("Expected re-identifications"),
        say("Rate"),
        say("Above the limit"),
    )
    rows = [
        (
            _rule(rule, after),
            show_risk(each.max),
            show_number(each.expected),
            show_rate(each.rate),
            "–" if each.above_limit is None else count(each.above_limit),
        )
        for rule, each in after.gaps.items()
    ]
    caption = say("After protection, under each rule for keys that are missing or suppressed.")
    return table(caption, head, rows, numbers=(1, 2, 3, 4))


def _rule(rule: str, after: Risk) -> str:
    words = say(_RULES.get(rule, rule))
    return say("{rule}, the scenario's", rule=words) if rule == after.scenario.missing else words


_READING = mark(
    "The risk is that of the file before {words}, times the chance that an intruder finds a person "
    "by the keys that he knows; he may leave out keys that were perturbed. The chances add no "
    "error of their own; that of the risk before stays. Sample uniques, k, special uniques, "
    "combinations and diversity are not meaningful after {words}: those in this report are of the "
    "file before it."
)


def count_before(number: int, risk: Risk) -> str:
    """Return a count that stops being evidence where keys were perturbed."""
    if risk.perturbed is None:
        return count(number)
    said = say("{count} (before {words}; not meaningful after it)")
    return said.format(count=count(number), words=risk.perturbed.words)


def show_perturbed(after: Risk) -> Html:
    """Return what perturbation of keys did; nothing if none was perturbed."""
    found = after.perturbed
    if found is None:
        return Html("")
    kept = show_number(found.kept_expected)
    if found.kept_realised is not None:
        kept += say(" (realised: {value})", value=show_number(found.kept_realised))
    rows: list[tuple[object, object]] = [
        (say("Keys that were perturbed"), name(found.words)),
        (say("Expected re-identifications without it"), show_number(found.expected_before)),
        (say("Expected among records that kept all their keys"), kept),
    ]
    if found.informed_gain is not None:
        informed = show_number(found.informed_gain * after.expected)
        gain = say(
            "{gain} times, {expected} in all",
            gain=show_number(found.informed_gain, 3),
            expected=informed,
        )
        rows.append((say("An intruder who knows the chances and has a register hits"), gain))
    if found.new_combinations is not None:
        new = say(
            "{combinations}, shown by {records} records",
            combinations=count(found.new_combinations),
            records=count(found.new_records or 0),
        )
        rows.append((say("Released combinations that no original record has"), new))
    return join([facts("", rows), note(say(_READING, words=found.words))])


_LEAD = mark(
    "Suppressed values that somebody guesses right who has nothing but the file, in its order: "
    "by the value of the record before, by that of other members of the household, or by "
    "another variable that determines the key. Beyond blind guesses, the most frequent value or "
    "that of any record, {share} of all suppressed values are given away."
)


def show_guesses(found: GivenAway | str | None) -> Html:
    """Return how many suppressed values are guessed right, or why that is not known."""
    if found is None:
        return Html("")
    if isinstance(found, str):
        return paragraph(name(f"{say('It could not be measured.')} {retell(found)}"))
    head = (
        say("Key"),
        say("Suppressed"),
        say("Most frequent value"),
        say("Any record"),
        say("Record before"),
        say("Members"),
        say("Other variable"),
    )
    rows = [_row(each) for each in found.keys]
    if len(rows) > 1:
        rows.append(_row(found.total))
    caption = say("Share of the suppressed values that a guess gets right.")
    lead = paragraph(say(_LEAD, share=show_percent(found.share)))
    return join([lead, table(caption, head, rows, numbers=(1, 2, 3, 4, 5, 6))])


def _row(found: KeyGuesses) -> tuple[object, ...]:
    *shares, last = ("–" if each is None else show_percent(each) for each in found.shares)
    by = f" ({found.by})" if found.by else ""
    return (
        name(found.name) if found.name else say("All keys"),
        count(found.blanks),
        *shares,
        name(last + by),
    )
