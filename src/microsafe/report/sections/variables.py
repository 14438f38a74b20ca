"""All variables of the input with what was found about each and what was decided. Board only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microsafe.report.content import Content
from microsafe.report.document import Block, Inline, LineBreak, Paragraph, fill, join, name
from microsafe.report.parts import note, reason, table, variable_title
from microsafe.report.texts import mark, plural, retell, say, tell_notice
from microsafe.steps.base import AppliedStep
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


def tell_variables(content: Content) -> Iterator[Block]:
    """Yield the inventory, and the decision on the order of the records."""
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
    yield from _inventory(found, content.steps)
    for notice in found.notices:
        yield note(name(tell_notice(notice)))
    yield from _order(content)


def _inventory(found: Inventory, steps: Sequence[AppliedStep]) -> Iterator[Block]:
    """Yield a table for each group, the most delicate first."""
    head = (say("Variable"), say("What makes it delicate"), say("Decision"), say("Step or reason"))
    for group, some in found.by_group().items():
        rows = [
            (
                variable_title(row.name, row.label),
                join((_finding(row, at) for at in range(len(row.findings))), LineBreak()),
                say(_REFUSED if row.barred else _ROLES[row.decision.role]),
                _why(row, steps),
            )
            for row in some
        ]
        words = GROUPS[group]
        caption = fill("{group}. {why}", group=say(words.title), why=say(words.why))
        yield from table(caption, head, rows)


def _finding(row: VariableProfile, at: int) -> Inline:
    each = row.findings[at]
    return fill("{kind}: {reason}", kind=say(each.kind), reason=name(retell(each.reason)))


def _why(row: VariableProfile, steps: Sequence[AppliedStep]) -> Inline:
    numbers = [
        str(number)
        for number, step in enumerate(steps, 1)
        if row.name in {*step.step.targets, *step.step.changed_variables(step)}
    ]
    parts: list[Inline] = [say("step {numbers}", numbers=", ".join(numbers))] if numbers else []
    parts += [name(row.decision.why)] if row.decision.why else []
    return join(parts, "; ")


def _order(content: Content) -> Iterator[Block]:
    if content.keep_order:
        yield Paragraph(say("The records stay in the order of the input."))
        yield from reason(content.keep_order)
    elif content.shuffled:
        yield Paragraph(say("The records were put into a random order."))
    else:
        yield Paragraph(say("The records stay in the order of the input; nobody decided on it."))
