"""The loss by uses, with the plain one, for each audience."""

from __future__ import annotations

from collections.abc import Callable

from microsafe.compare.result import LossByUses
from microsafe.report.content import Content
from microsafe.report.markup import Html, join, name
from microsafe.report.numbers import show_number, show_percent
from microsafe.report.parts import note, paragraph, table
from microsafe.report.texts import mark, retell, say

_KINDS = mark({"variable": "variable", "table": "table", "model": "model"})
_MEANING = mark(
    "The loss by uses is the mean of what each use loses, by how much it matters: of a variable or "
    "a table its information, of a model what 95 % confidence intervals no longer share, and the "
    "detail that recodes of its variables took. The plain loss is the mean of the information that "
    "the keys lose, all keys alike."
)


def board_uses(content: Content) -> Html:
    """Return what each use lost; nothing if nobody said which matter."""
    found = content.comparison.uses
    if found is None:
        return Html("")
    notes = join(note(name(retell(each))) for each in found.notes)
    return join([_tell(found, show_percent), notes])


def public_uses(content: Content, hidden: frozenset[str], show: Callable[[float], str]) -> Html:
    """Return the same, rounded; nothing if it would tell how far secret numbers were moved.

    Args:
        content: Everything that may be said.
        hidden: Variables of which the public must not learn how much they were moved.
        show: Rounds a share.
    """
    found = content.comparison.uses
    if found is None or hidden:
        return Html("")
    return _tell(found, show)


def _tell(found: LossByUses, show: Callable[[float], str]) -> Html:
    rows = [
        (name(each.name), say(_KINDS[each.kind]), show_number(each.weight), show(each.loss))
        for each in found.parts
    ]
    lead = say(
        "Loss by uses: {uses}. Plain loss: {plain}.", uses=show(found.loss), plain=show(found.plain)
    )
    head = (say("Use that matters"), say("Kind"), say("How much it matters"), say("Loss"))
    caption = say("Loss by the uses that matter.")
    return join([paragraph(lead), table(caption, head, rows, numbers=(2, 3)), note(say(_MEANING))])
