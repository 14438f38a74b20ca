"""Tables and models that somebody named, for the board.

The public is told how much they lost (`uses`, and the list of tables in `cost`), but no cell and no
coefficient: those before protection are not released.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product

from microsafe.compare.regression import Coefficient, ModelChange
from microsafe.compare.tables import TableChange, TableFigures, TableGrid
from microsafe.compare.worst_groups import ENOUGH
from microsafe.report.content import Content
from microsafe.report.document import (
    Block,
    Heading,
    Inline,
    LineBreak,
    Picture,
    fill,
    join,
    name,
)
from microsafe.report.parts import names, note, table
from microsafe.report.shown_numbers import (
    count,
    decimals,
    points,
    show_change,
    show_number,
    show_percent,
)
from microsafe.report.texts import retell, say, say_category

_MOST_CELLS = 10
_CONSTANT = "(constant)"


def board_named(content: Content) -> Iterator[Block]:
    """Yield each table and model that was named: pictures, figures, and what became of them."""
    for number, each in enumerate(content.comparison.named_tables(), 1):
        yield from _board_table(each, number)
    yield from _board_models(content)


def _board_table(change: TableChange, number: int) -> Iterator[Block]:
    from microsafe.report.plots import plot_table

    yield Heading(fill(say("Table {names}"), names=names(change.names, " × ")))
    if change.grid is not None:
        caption = _table_caption(change, change.grid)
        draw = partial(plot_table, change)
        yield Picture(draw, f"table{number}", _table_in_words(change), caption)
    yield from _figures(change)
    yield from _cells(change)


def _table_caption(change: TableChange, grid: TableGrid) -> str:
    weighted = change.plain is not None
    if len(change.names) == 1:
        said = say("Weighted shares before and after.") if weighted else ""
        said = said or say("Shares before and after.")
    else:
        said = say("Change of weighted shares in percentage points.") if weighted else ""
        said = said or say("Change of shares in percentage points.")
    if grid.is_whole:
        return said
    return f"{said} " + say("The rows and columns that changed most.")


def _table_in_words(change: TableChange) -> str:
    return say(
        "Changes of the table {names}: the largest is {largest} percentage points.",
        names=" × ".join(change.names),
        largest=points(change.largest),
    )


def _figures(change: TableChange) -> Iterator[Block]:
    sides: list[tuple[str, TableFigures]] = [(say("each record counted once"), change)]
    if change.plain is not None:
        sides = [(say("weighted"), change), (say("each record counted once"), change.plain)]
    rows = [
        (
            title,
            points(each.largest),
            join((name(say_category(one)) for one in each.where), ", ") if each.where else "–",
            points(each.mean, 3),
            show_percent(each.lost),
            decimals(each.hellinger, 4),
        )
        for title, each in sides
    ]
    head = (
        say("Counting"), say("Largest change, points"), say("Where"), say("Mean change, points"),
        say("No longer in the table"), say("Hellinger distance"),
    )  # fmt: skip
    yield from table("", head, rows, numbers=(1, 3, 4, 5))


def _cells(change: TableChange) -> Iterator[Block]:
    """The cells that changed most: absolute and relative changes in columns of their own."""
    grid = change.grid
    if grid is None:
        return
    places = list(product(range(len(grid.rows)), range(len(grid.columns))))
    plain = grid.plain_before or grid.before
    places = [(i, j) for i, j in places if grid.before[i][j] or grid.after[i][j]]
    places.sort(key=lambda at: -round(abs(grid.changes[at[0]][at[1]]), 12))
    rows = []
    for i, j in places[:_MOST_CELLS]:
        old, new = grid.before[i][j], grid.after[i][j]
        enough = plain[i][j] * change.records >= ENOUGH
        rows.append(
            (
                _cell_name(change, i, j),
                decimals(100 * old, 2),
                decimals(100 * new, 2),
                show_change(100 * (new - old), 2),
                show_change(100 * (new - old) / old, 1) if enough and old else "–",
            )
        )
    head = (
        say("Cell"), say("Before, %"), say("After, %"), say("Change, points"),
        say("Relative change, %"),
    )  # fmt: skip
    caption = say("Cells that changed most.")
    if change.plain is not None:
        caption = say("Weighted cells that changed most.")
    caption += " " + say(
        "Cells of fewer than {least} records have no relative change.", least=ENOUGH
    )
    yield from table(caption, head, rows, numbers=(1, 2, 3, 4))


def _cell_name(change: TableChange, row: int, column: int) -> Inline:
    grid = change.grid
    assert grid is not None  # noqa: S101
    told = [say_category(grid.rows[row])]
    if len(change.names) > 1:
        told.append(say_category(grid.columns[column]))
    return names(told, " × ")


def _board_models(content: Content) -> Iterator[Block]:
    """Each model by weight, if there is one, and each record counted once."""
    found = content.comparison.utility
    models: dict[str, list[ModelChange]] = {}
    for model in found.models if found else ():
        models.setdefault(model.formula, []).insert(0, model)
    for number, (formula, changes) in enumerate(models.items(), 1):
        yield from _board_model(formula, changes, number)


def _board_model(formula: str, changes: Sequence[ModelChange], number: int) -> Iterator[Block]:
    from microsafe.report.plots import plot_model

    kind = changes[0].kind
    title = say("Linear regression: {formula}") if kind == "linear" else ""
    title = title or say("Logistic regression: {formula}")
    yield Heading(fill(title, formula=name(formula)))
    first = changes[0]  # by weight if there is one
    if first.coefficients:
        caption = say("Coefficients with 95 % confidence intervals; the constant is in the table.")
        if any(coefficient.deviation for coefficient in first.coefficients):
            caption += " " + say("Those of numbers are drawn for one standard deviation (s.d.).")
        label = say("Coefficients of {formula} before and after.", formula=formula)
        yield Picture(partial(plot_model, first), f"model{number}", label, caption)
    for change in changes:
        yield from _coefficients(change)


def _coefficients(change: ModelChange) -> Iterator[Block]:
    if change.problem:
        yield note((name(change.formula), " ", name(retell(change.problem)), "."))
        return
    rows = [
        (
            name(say("(constant)") if coefficient.term == _CONSTANT else coefficient.term),
            _estimate(coefficient, 0),
            _estimate(coefficient, 1),
            _change(coefficient.estimate[1] - coefficient.estimate[0]),
            _relative(coefficient),
            decimals(100 * coefficient.overlap, 1),
        )
        for coefficient in change.coefficients
    ]
    head = (
        say("Term"), say("Before (95 % interval)"), say("After (95 % interval)"), say("Change"),
        say("Relative change, %"), say("Overlap, %"),
    )  # fmt: skip
    yield from table(_model_caption(change), head, rows, numbers=(1, 2, 3, 4, 5))
    if change.lost:
        told = say("No longer estimated, counted as no overlap: {terms}.")
        yield note(fill(told, terms=names(change.lost)))


def _model_caption(change: ModelChange) -> str:
    counted = say("Weighted.") if change.weighted else say("Each record counted once.")
    return f"{counted} " + say(
        "Records: {before} before, {after} after. Mean overlap of the intervals: {overlap}.",
        before=count(change.records[0]),
        after=count(change.records[1]),
        overlap=show_percent(change.overlap),
    )


def _estimate(found: Coefficient, at: int) -> Inline:
    low, high = (_number(each, 3) for each in found.interval[at])
    interval = say("{low} to {high}", low=low, high=high)
    return (_number(found.estimate[at]), LineBreak(), interval)


def _number(value: float, digits: int = 4) -> str:
    return show_number(value, digits).replace("-", "−")


def _change(value: float) -> str:
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return f"{sign}{show_number(abs(value), 3)}"


def _relative(found: Coefficient) -> str:
    before, after = found.estimate
    return show_change(100 * (after - before) / abs(before), 1) if before else "–"
