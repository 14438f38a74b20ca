"""How coarse geography must be for the survey to support it. Board only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microsafe.report.document import Block, Inline, Paragraph, name
from microsafe.report.parts import note, table
from microsafe.report.shown_numbers import count, show_percent
from microsafe.report.texts import mark, say
from microsafe.risk import SmallAreas
from microsafe.risk.counts.areas import AreaTable

_LEAD = mark(
    "How sure the protected file is of the people in an area: the coefficient of variation of the "
    "sum of their weights, by {clusters}. Above {limit} a figure says little, and so does the risk "
    "that rests on it."
)
_READING = mark(
    "Merged: how many areas are left once neighbours in the order of codes are joined until no "
    "coefficient is above the limit; “not enough”: the other key is too fine for any geography. "
    "Nothing was merged here: the command “microsafe tabulate --areas” names the groups."
)


def tell_small_areas(found: Sequence[SmallAreas]) -> Iterator[Block]:
    """Yield a table for each variable with geography; nothing where none is known."""
    for each in found:
        counted = (
            say("{count} households", count=count(each.clusters))
            if each.household
            else say("{count} records", count=count(each.clusters))
        )
        limit = show_percent(each.limit)
        yield Paragraph(say(_LEAD, clusters=counted, limit=limit))
        head = tuple(map(say, mark(("Table", "Cells", "Above", "Largest", "Merged"))))
        areas = len(each.find_table().cells)
        rows = [_row(one, areas) for one in each.tables if each.areas in one.keys]
        yield from table("", head, rows, numbers=(1, 2, 3, 4))
    if found:
        yield note(say(_READING))


def _row(one: AreaTable, areas: int) -> tuple[Inline, ...]:
    left = areas - sum(len(group) - 1 for group in one.merged)
    merged = count(left) if one.merged else "–"
    return (
        name(" × ".join(one.keys)),
        count(len(one.cells)),
        count(len(one.above)),
        show_percent(one.largest),
        merged if one.supported else say("not enough"),
    )
