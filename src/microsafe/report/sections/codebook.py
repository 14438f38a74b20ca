"""The codebook: what is released, variable by variable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microsafe.report.document import Block, Inline, join, name
from microsafe.report.parts import note, table, variable_title
from microsafe.report.shown_numbers import count, show_number
from microsafe.report.texts import say
from microsafe.variables.profile import CategoryCount, VariableProfile

_FEW = 20  # different numbers that the public reads one by one


def board_codebook(released: Sequence[VariableProfile]) -> Iterator[Block]:
    """Yield all released variables, their categories counted."""
    weighted = any(c.weighted is not None for each in released for c in each.categories)
    head = [say("Variable"), say("Category"), say("Records"), *([say("Weighted")] * weighted)]
    rows = [row for each in released for row in _board_rows(each, weighted=weighted)]
    caption = say("Variables and categories of the released file.")
    yield from table(caption, head, rows, numbers=(2, 3))


def _board_rows(each: VariableProfile, *, weighted: bool) -> list[tuple[Inline, ...]]:
    found: list[tuple[Inline, ...]] = [
        (
            _category(one),
            count(one.records),
            *(["" if one.weighted is None else show_number(round(one.weighted))] * weighted),
        )
        for one in each.categories
    ]
    if not found:
        found = [(_values(each), "", *([""] * weighted))]
    if each.missing:
        found.append((say("missing"), count(each.missing), *([""] * weighted)))
    title = variable_title(each.name, each.label)
    return [(title if not at else "", *row) for at, row in enumerate(found)]


def public_codebook(released: Sequence[VariableProfile]) -> Iterator[Block]:
    """Yield all released variables and their categories, without counts."""
    rows = [
        (
            variable_title(each.name, each.label),
            join(map(_category, each.categories), "; ") if _is_told(each) else _values(each),
        )
        for each in released
    ]
    head = (say("Variable"), say("Categories"))
    yield from table(say("Variables and categories of the released file."), head, rows)
    if rows:
        yield note(say("Categories that no record has are not listed."))


def _is_told(each: VariableProfile) -> bool:
    """Whether the public reads the categories: those of numbers only if they are few."""
    labelled = sum(bool(category.label) for category in each.categories) > _FEW // 2
    many = len(each.categories) > _FEW and each.kind != "text" and not labelled
    return bool(each.categories) and not many


def _category(each: CategoryCount) -> Inline:
    if not each.label or each.label == each.code:
        return name(each.code)
    return (name(each.code), " ", name(each.label))


def _values(each: VariableProfile) -> str:
    return {
        "text": say("texts"),
        "date": say("dates"),
        "time": say("times of day"),
        "duration": say("durations"),
        "integer": say("whole numbers"),
        "number": say("numbers"),
    }.get(each.kind, say("values of another kind"))
