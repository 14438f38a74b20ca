"""Who could recognise whom: what each intruder would find, and who was not tried."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from microsafe.intruders import INTRUDERS, LEAST_RULES, IntruderResult, IntruderRow, IntruderTable
from microsafe.report.document import Block, Inline, LineBreak, Paragraph, Span, name
from microsafe.report.parts import sentence_list, table
from microsafe.report.shown_numbers import show_number, show_odds, show_rule_value
from microsafe.report.texts import mark, retell, say, tell_notice

UNITS = mark(
    {
        "records": "{count} records",
        "households": "{count} households",
        "persons": "{count} persons",
    }
)
_JUDGED = mark(
    {
        "safe": "Safe against: {names}.",
        "unsafe": "Not safe against: {names}.",
        "unlimited": "No limit is set for: {names}.",
        "untried": "Not tried: {names}.",
    }
)


def board_intruders(found: IntruderTable) -> Iterator[Block]:
    """Yield the table for the board, and who was not tried."""
    head = (
        say("Scenario"),
        say("Who"),
        say("Would find before"),
        say("Would find now"),
        say("Largest chance"),
        say("Limit"),
        say("Verdict"),
    )
    first = {row.name: row for row in reversed(found.tried)}  # there it says what he knows
    rows = [_show_row(row, explained=row is first[row.name]) for row in found.tried]
    yield from table("", head, rows, numbers=(2, 3, 4))
    told = [
        say("{who} was not tried: {reason}", who=who, reason=retell(row.not_tried))
        for row in found.untried
        for who in found.name_rows([row], say)
    ]
    inferred = [notice for notice in found.notices if notice.id == "inferred"]
    yield from sentence_list([*told, *map(tell_notice, inferred)])


def public_intruders(found: IntruderTable | None) -> Iterator[Block]:
    """Yield who was tried, in words: the public is told neither figures nor who was not."""
    tried = {row.name: row.knows for row in found.tried} if found is not None else {}
    if tried:
        yield Paragraph(say("The protected file was tried as these people would try it:"))
        yield from sentence_list(map(say, tried.values()))


def name_intruder(rule: str) -> str:
    """Return the title of the intruder who brought a rule along."""
    return next((kind.title for kind in INTRUDERS.values() if rule in kind.judged_by()), rule)


def judge_in_words(found: IntruderTable, words: Collection[str] = tuple(_JUDGED)) -> str:
    """Say whom the file is safe against, whom not, and who was not tried; or some of that."""
    told = [
        say(_JUDGED[word], names=", ".join(found.name_rows(rows, say)))
        for word, rows in found.groups.items()
        if rows and word in words
    ]
    return " ".join(told)


def _show_row(row: IntruderRow, *, explained: bool) -> tuple[Inline, ...]:
    largest, who = row.now.largest, name(say(row.title))
    return (
        name(row.scenario or ""),
        (who, LineBreak(), Span(say(row.knows), "label")) if explained else who,
        "–" if row.before is None else show_found(row.before),
        show_found(row.now),
        "–" if largest is None else show_odds(largest),
        _show_limit(row),
        _show_verdict(row),
    )


def show_found(result: IntruderResult) -> str:
    """Return how many an intruder finds, and of what."""
    if result.expected is None:
        return "–"
    return say(UNITS[result.unit], count=show_number(result.expected))


def _show_limit(row: IntruderRow) -> str:
    if row.rule is None or row.limit is None:
        return "–"
    least = mark("at least {limit}" if row.rule in LEAST_RULES else "at most {limit}")
    return say(least, limit=show_rule_value(row.rule, row.limit, row.scenario))


def _show_verdict(row: IntruderRow) -> Inline:
    if row.met is None:
        return "–"
    return Span(say("met"), "met") if row.met else Span(say("not met"), "unmet")
