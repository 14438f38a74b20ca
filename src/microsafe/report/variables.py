"""All variables of the input with what was found about each and what was decided. Board only."""

from __future__ import annotations

from collections.abc import Sequence

from microsafe.report.content import Content
from microsafe.report.markup import Html, fill, join, name
from microsafe.report.parts import note, paragraph, reason, table, variable_title
from microsafe.report.texts import mark, plural, retell, say
from microsafe.steps.base import AppliedStep
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


def variables(content: Content) -> Html:
    """Return the inventory, and the decision on the order of the records."""
    found = content.inventory
    if found is None:
        return Html("")
    lead = paragraph(
        say(
            "Of {all} in the input, {out} go out; {open} are not decided on.",
            all=plural(len(found.rows), "{count} variable", "{count} variables"),
            out=sum(row.decision.role != "dropped" for row in found.rows),
            open=len(found.open),
        )
    )
    told = join(note(name(retell(each.text))) for each in found.notices)
    return join([lead, _inventory(found, content.steps), told, _order(content)])


def _inventory(found: Inventory, steps: Sequence[AppliedStep]) -> Html:
    rows = [
        (
            variable_title(row.name, row.label),
            join((_finding(row, at) for at in range(len(row.findings))), Html("<br>")),
            say(_REFUSED if row.barred else _ROLES[row.decision.role]),
            _why(row, steps),
        )
        for row in found.rows
    ]
    head = (say("Variable"), say("What makes it delicate"), say("Decision"), say("Step or reason"))
    return table(say("All variables of the input."), head, rows)


def _finding(row: VariableProfile, at: int) -> Html:
    each = row.findings[at]
    return fill("{kind}: {reason}", kind=say(each.kind), reason=name(retell(each.reason)))


def _why(row: VariableProfile, steps: Sequence[AppliedStep]) -> Html:
    numbers = [
        str(number)
        for number, each in enumerate(steps, 1)
        if row.name in {*each.step.targets, *each.step.changed_variables(each)}
    ]
    parts = [say("step {numbers}", numbers=", ".join(numbers))] if numbers else []
    parts += [name(row.decision.why)] if row.decision.why else []
    return join(parts, "; ")


def _order(content: Content) -> Html:
    if content.keep_order:
        lead = say("The records stay in the order of the input.")
        return join([paragraph(lead), reason(content.keep_order)])
    if content.shuffled:
        return paragraph(say("The records were put into a random order."))
    return paragraph(say("The records stay in the order of the input; nobody decided on it."))
