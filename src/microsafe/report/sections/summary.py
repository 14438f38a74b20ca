"""The summary: the decision, and the figures that it rests on."""

from __future__ import annotations

from collections.abc import Iterator

from microsafe.report.content import Content
from microsafe.report.document import Block, Judgement, Tile, Tiles
from microsafe.report.parts import note
from microsafe.report.sections.estimators import higher_in_words
from microsafe.report.sections.guesses import warn_of_telling
from microsafe.report.sections.intruders import board_intruders, judge_in_words
from microsafe.report.shown_numbers import count, show_number, show_odds, show_percent
from microsafe.report.texts import plural, say


def tell_summary(content: Content) -> Iterator[Block]:
    """Yield the decision in a sentence, and the figures that the board looks for first."""
    yield _judgement(content)
    if content.intruders is not None:
        yield from board_intruders(content.intruders)
    yield from warn_of_telling(content.telling)
    yield Tiles(tuple(_tiles(content)))
    if len(content.measured) > 1:
        yield note(say("Risk under the scenario with the most expected re-identifications."))


def _judgement(content: Content) -> Judgement:
    verdicts = content.verdicts
    stuck = sum(step.stuck for step in content.steps)
    extra = ""
    if stuck:
        extra = " " + plural(
            stuck,
            "{count} record could not be made safe by suppression alone.",
            "{count} records could not be made safe by suppression alone.",
        )
    for text in higher_in_words([each.after for each in content.measured]):
        extra += f" {text}"
    found = content.intruders
    safe = "" if found is None else judge_in_words(found, ["safe"])
    others = "" if found is None else judge_in_words(found, ["unsafe", "unlimited", "untried"])
    if not verdicts:
        text = say("No policy was given, so there are no rules to judge the file by.")
        return Judgement("plain", say("Not judged."), f"{text}{extra} {others}".rstrip())
    unmet = [verdict for verdict in verdicts if not verdict.met]
    barred = [each for each in unmet if not each.reason]
    told = say("Rules met: {met} of {all}.", met=len(verdicts) - len(unmet), all=len(verdicts))
    if not unmet:
        told += f" {say('They were measured after the last step.')}{extra} {others}"
        return Judgement("go", safe or say("All rules are met."), told.rstrip())
    if barred:
        headline = say("Not to be released.")
        told += " " + say("Not met, and without a reason to release: {count}.", count=len(barred))
    else:
        headline = say("Release by override.")
        more = say("Not met, and overridden with a reason given below: {count}.", count=len(unmet))
        told += f" {more}"
    return Judgement("stop", headline, " ".join(filter(None, (told + extra, safe, others))))


def _tiles(content: Content) -> Iterator[Tile]:
    if content.measured:
        worst = max(content.measured, key=lambda each: each.after.expected)
        before, after = worst.before, worst.after
        yield Tile(
            say("Expected re-identifications"),
            show_number(after.expected),
            say("before: {value}", value=show_number(before.expected)),
        )
        yield Tile(
            say("Largest risk of a record"),
            show_number(after.max, 3),
            f"{show_odds(after.max)}; " + say("before: {value}", value=show_odds(before.max)),
        )
    cost = content.comparison
    share = show_percent(cost.touched.records / max(cost.records, 1))
    replaced = say("replaced: {count}", count=count(cost.touched.values - cost.blanks))
    yield Tile(say("Values blanked"), count(cost.blanks), replaced)
    changed = say("{part} of {all}", part=count(cost.touched.records), all=count(cost.records))
    yield Tile(say("Records changed"), share, changed)
