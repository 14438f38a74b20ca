"""All variables of the input with what was found about each and what was decided. Board only."""

from __future__ import annotations

from collections.abc import Iterator

from microsafe.report.content import Content
from microsafe.report.document import Block, Inline, LineBreak, Paragraph, fill, join, name
from microsafe.report.parts import names, note, reason, reason_in_words, table, variable_title
from microsafe.report.texts import mark, plural, retell, say, tell_notice
from microsafe.variables.groups import GROUPS
from microsafe.variables.inventory import Inventory
from microsafe.variables.profile import VariableProfile

_ROLES = mark({
    "dropped": "not released",
    "key": "released as a key",
    "weight": "released as the weight",
    "household": "released as the household number",
    "protected": "released after protection",
    "kept": "released, with a reason",
    "undecided": "not decided",
})  # fmt: skip
_REFUSED = mark("refused: direct identifier")


def tell_decisions(content: Content) -> Iterator[Block]:
    """Yield what was decided, variables with the same reason together, and the order of records."""
    found = content.inventory
    if found is None:
        return
    yield Paragraph(
        say(
            "Of {all} in the input, {out} go out; {open} are not decided on.",
            all=plural(len(found.rows), "{count} variable", "{count} variables"),
            out=sum(row.decision.role != "dropped" for row in found.rows),
            open=len(found.open),
        )
    )
    head = (say("Decision"), say("Reason"), say("Variables"), say("Steps"))
    rows = [
        (
            decision,
            join((reason_in_words(why) for why in reasons), LineBreak()),
            names(row.name for row in some),
            ", ".join(map(str, sorted({at for row in some for at in _find_steps(row, content)}))),
        )
        for (decision, reasons), some in _group_by_reason(found, content).items()
    ]
    yield from table("", head, rows)
    yield from _order(content)


def _group_by_reason(
    found: Inventory, content: Content
) -> dict[tuple[str, tuple[str, ...]], list[VariableProfile]]:
    """Return the variables by decision and reasons, in the order of the decisions."""
    grouped: dict[tuple[str, tuple[str, ...]], list[VariableProfile]] = {}
    for role in _ROLES:
        for row in found.rows:
            if row.decision.role == role:
                steps = (content.steps[at - 1].step.why for at in _find_steps(row, content))
                whys = tuple(dict.fromkeys(filter(None, (row.decision.why, *steps))))
                grouped.setdefault((_decision(row), whys), []).append(row)
    return grouped


def _decision(row: VariableProfile) -> str:
    return say(_REFUSED if row.barred else _ROLES[row.decision.role])


def _find_steps(row: VariableProfile, content: Content) -> list[int]:
    """Return the numbers of the steps that changed a variable, or left it out."""
    return [
        number
        for number, step in enumerate(content.steps, 1)
        if row.name in {*step.step.targets, *step.step.changed_variables(step)}
    ]


def tell_variables(content: Content) -> Iterator[Block]:
    """Yield what makes variables delicate, the most delicate group first."""
    found = content.inventory
    if found is None:
        return
    head = (say("Variable"), say("What makes it delicate"), say("Decision"))
    for group, some in found.by_group().items():
        words = GROUPS[group]
        caption = fill("{group}. {why}", group=say(words.title), why=say(words.why))
        rows = [
            (variable_title(row.name, row.label), _findings(row), _decision(row)) for row in some
        ]
        yield from table(caption, head, rows)
    for notice in found.notices:
        yield note(name(tell_notice(notice)))


def _findings(row: VariableProfile) -> Inline:
    lines = (
        fill("{kind}: {reason}", kind=say(each.kind), reason=name(retell(each.reason)))
        for each in row.findings
    )
    return join(lines, LineBreak())


def _order(content: Content) -> Iterator[Block]:
    if content.keep_order:
        yield Paragraph(say("The records stay in the order of the input."))
        yield from reason(content.keep_order)
    elif content.shuffled:
        yield Paragraph(say("The records were put into a random order."))
    else:
        yield Paragraph(say("The records stay in the order of the input; nobody decided on it."))
