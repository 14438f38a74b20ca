"""The codebook: what is released, variable by variable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from microsafe.cells import Cells
from microsafe.codes import spell_code
from microsafe.engine import Engine
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.report.markup import Html, fill, join, name
from microsafe.report.parts import note, table, variable_title
from microsafe.report.shown_numbers import count, show_number
from microsafe.report.texts import say
from microsafe.schema import Variable
from microsafe.variables.profile import CategoryCount, VariableProfile

_MANY = 60  # categories; beyond, nobody would read on
_FEW = 20  # different whole numbers or texts that are listed without being keys or labelled


def list_released(
    engine: Engine, scenarios: Sequence[Scenario], *, progress: Progress = silent
) -> tuple[VariableProfile, ...]:
    """Return the variables of the released file with their categories.

    Args:
        engine: The data as released.
        scenarios: Their keys are listed with more categories than others; the first weight counts.
        progress: Progress callback.
    """
    keys = {key for each in scenarios for key in each.keys}
    weight = next((each.weight for each in scenarios if each.weight), None)
    numbers = {name for each in scenarios for name in (each.weight, each.household)}
    found = engine.describe(progress=progress)
    listed = [
        each.name
        for each in found
        if each.name not in numbers and _is_listed(each, engine.schema[each.name], keys)
    ]
    counted = engine.cells_each([Scenario(keys=(name,), weight=weight) for name in listed])
    cells = dict(zip(listed, counted, strict=True))
    return tuple(
        replace(each, categories=_categories(cells[each.name], engine.schema[each.name], weight))
        if each.name in cells
        else each
        for each in found
    )


def _is_listed(found: VariableProfile, variable: Variable, keys: set[str]) -> bool:
    known = found.name in keys or bool(variable.labels)
    whole = variable.kind in ("text", "integer", "boolean")
    return found.distinct <= (_MANY if known else _FEW if whole else 0)


def _categories(cells: Cells, variable: Variable, weight: str | None) -> tuple[CategoryCount, ...]:
    labels = {spell_code(code): label for code, label in variable.labels.items()}
    return tuple(
        CategoryCount(
            code=(code := cells.categories[0][int(at) - 1]),
            label=labels.get(code, ""),
            records=int(records),
            weighted=None if weight is None else float(people),
        )
        for at, records, people in zip(cells.codes[0], cells.count, cells.weight, strict=True)
        if at
    )


def board_codebook(released: Sequence[VariableProfile]) -> Html:
    """Return all released variables, their categories counted."""
    weighted = any(c.weighted is not None for each in released for c in each.categories)
    head = [say("Variable"), say("Category"), say("Records"), *([say("Weighted")] * weighted)]
    rows = [row for each in released for row in _board_rows(each, weighted=weighted)]
    return table(say("Variables and categories of the released file."), head, rows, numbers=(2, 3))


def _board_rows(each: VariableProfile, *, weighted: bool) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = [
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


def public_codebook(released: Sequence[VariableProfile]) -> Html:
    """Return all released variables and their categories, without counts."""
    rows = [
        (
            variable_title(each.name, each.label),
            join(map(_category, each.categories), "; ") if _is_told(each) else _values(each),
        )
        for each in released
    ]
    head = (say("Variable"), say("Categories"))
    made = table(say("Variables and categories of the released file."), head, rows)
    return (
        join([made, note(say("Categories that no record has are not listed."))]) if rows else made
    )


def _is_told(each: VariableProfile) -> bool:
    """Whether the public reads the categories: those of numbers only if they are few."""
    labelled = sum(bool(category.label) for category in each.categories) > _FEW // 2
    many = len(each.categories) > _FEW and each.kind != "text" and not labelled
    return bool(each.categories) and not many


def _category(each: CategoryCount) -> Html:
    if not each.label or each.label == each.code:
        return name(each.code)
    return fill("{code} {label}", code=name(each.code), label=name(each.label))


def _values(each: VariableProfile) -> str:
    return {
        "text": say("texts"),
        "date": say("dates"),
        "time": say("times of day"),
        "duration": say("durations"),
        "integer": say("whole numbers"),
        "number": say("numbers"),
    }.get(each.kind, say("values of another kind"))
