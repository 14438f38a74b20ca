"""Plots of tables and models before and after: shares, heat maps, forests of intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microsafe.compare.number_plots import Part, clean_name
from microsafe.compare.regression import ModelChange
from microsafe.compare.tables import TableChange, TableGrid
from microsafe.display import show_number, show_percent
from microsafe.sums import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

_BEFORE, _AFTER, _INK, _GRID = "#b9c8d5", "#1f5f8b", "#26323d", "#e3e7ea"
_BAR = "#8fa9bf"
_OLD = "#7d8f9e"  # a thin line needs more ink than an area
_DIFFERENCES = "PuOr"  # can be told apart whatever colours somebody sees
_PALE = 0.1  # percentage points up to which colours of changes stay pale
_MOST_BARS = 12  # one-way tables that are drawn if none was asked for
_WRITTEN = 16  # columns in whose cells figures can still be read


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWords:
    """What is written in the pictures; a report has its own in its language."""

    before: str = "before"
    after: str = "after"
    share: str = "records, %"
    weighted_share: str = "weight, %"
    change: str = "change of the share\nof records, percentage points"
    weighted_change: str = "change of the share\nof weight, percentage points"
    coefficient: str = "{outcome}: coefficient and 95 % confidence interval"
    log_odds: str = "{outcome}: log odds and 95 % confidence interval"
    weighted: str = "{formula}, weighted"
    per_deviation: str = "{term}, per s.d."
    overlap: str = "overlap"
    percent: Callable[[float], str] = lambda share: show_percent(share, 0)
    decimals: Callable[[float, int], str] = lambda value, digits: f"{value:.{digits}f}"
    signed: Callable[[float, int], str] = lambda value, digits: f"{value:+.{digits}f}"


ENGLISH = TableWords()


def draw_named_bars(ax: Axes, rows: Sequence[tuple[str, float]]) -> None:
    """Draw a bar for each name, with its figure."""
    ax.barh(range(len(rows)), [value for _, value in rows], color=_BAR)
    # A dollar sign in a name is a dollar sign, not mathematics.
    ax.set_yticks(range(len(rows)), [_clean(name, 30) for name, _ in rows], parse_math=False)
    for at, (_, value) in enumerate(rows):
        ax.annotate(
            show_number(value, 3), (value, at), xytext=(3, 0), textcoords="offset points",
            va="center", fontsize=8, color=_INK,
        )  # fmt: skip
    ax.invert_yaxis()
    ax.margins(x=0.15)
    ax.grid(axis="x", color=_GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def draw_shares(ax: Axes, table: TableChange, words: TableWords = ENGLISH) -> None:
    """Draw the shares of a table of one variable: bars before, a mark after."""
    grid = table.grid
    assert grid is not None  # noqa: S101
    places = np.arange(len(grid.rows))
    before, after = (100 * np.array(each)[:, 0] for each in (grid.before, grid.after))
    ax.barh(places, before, height=0.72, color=_BEFORE, label=words.before)
    ax.vlines(
        after, places - 0.44, places + 0.44, color=_AFTER, linewidth=2.0, label=words.after
    )  # fmt: skip
    ax.set_yticks(places, [clean_name(row) for row in grid.rows], parse_math=False)
    ax.set_ylim(len(places) - 0.4, -0.6)
    ax.set_xlim(left=0)
    ax.set_xlabel(words.share if grid.plain_before is None else words.weighted_share)
    ax.set_title(clean_name(table.names[0]), loc="left", color=_INK, parse_math=False)
    _name_sides(ax, words.before)
    _finish(ax, "x")


def draw_changes(ax: Axes, table: TableChange, words: TableWords = ENGLISH) -> None:
    """Draw how the share of each cell changed, rows by columns, in percentage points."""
    from matplotlib.colors import TwoSlopeNorm

    grid = table.grid
    assert grid is not None  # noqa: S101
    changes = 100 * np.array(grid.changes)
    most = max(float(np.abs(changes).max()), _PALE)
    drawn = ax.pcolormesh(
        np.arange(len(grid.columns) + 1),
        np.arange(len(grid.rows) + 1),
        changes,
        cmap=_DIFFERENCES,
        norm=TwoSlopeNorm(0.0, -most, most),
        edgecolors="white",
        linewidth=0.8,
    )
    digits = 2 if float(np.abs(changes).max()) >= 1 else 3
    if len(grid.columns) <= _WRITTEN:
        colours = drawn.to_rgba(changes)
        for (row, column), value in np.ndenumerate(changes):
            ax.text(
                column + 0.5, row + 0.5, _show_change(float(value), digits, words), ha="center",
                va="center", fontsize="x-small", color=_choose_ink(colours[row, column]),
            )  # fmt: skip
    _label_cells(ax, table, grid)
    ax.set_title(
        " × ".join(map(clean_name, table.names)), loc="left", color=_INK, parse_math=False
    )  # fmt: skip
    figure = ax.get_figure()
    assert figure is not None  # noqa: S101
    bar = figure.colorbar(drawn, ax=ax, fraction=0.04, pad=0.02, aspect=24)
    bar.set_label(
        words.change if grid.plain_before is None else words.weighted_change, fontsize="small"
    )
    bar.ax.set_yscale("linear")  # both halves of one length
    bar.outline.set_visible(False)


def _choose_ink(background: Floats) -> str:
    """White on what is dark."""
    red, green, blue, _ = background.tolist()
    return _INK if 0.3 * red + 0.59 * green + 0.11 * blue > 0.55 else "white"


def _show_change(value: float, digits: int, words: TableWords) -> str:
    rounded = round(value, digits)
    return words.signed(rounded, digits) if rounded else words.decimals(0.0, digits)


def _label_cells(ax: Axes, table: TableChange, grid: TableGrid) -> None:
    names = [clean_name(column) for column in grid.columns]
    tilt = sum(map(len, names)) > 60
    ax.set_xticks(
        np.arange(len(names)) + 0.5, names, parse_math=False, rotation=40 if tilt else 0,
        ha="right" if tilt else "center", rotation_mode="anchor" if tilt else None,
    )  # fmt: skip
    ax.set_yticks(
        np.arange(len(grid.rows)) + 0.5, [clean_name(row) for row in grid.rows], parse_math=False
    )
    ax.set_ylim(len(grid.rows), 0)
    ax.set_xlabel(_count(clean_name(table.names[-1]), len(names), grid.all_columns))
    ax.xaxis.label.set_parse_math(False)
    rows = " · ".join(clean_name(name) for name in table.names[:-1])
    ax.set_ylabel(_count(rows, len(grid.rows), grid.all_rows))
    ax.yaxis.label.set_parse_math(False)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _count(name: str, shown: int, every: int) -> str:
    """A name, and how many of its categories are drawn if not all are."""
    return name if shown == every else f"{name} ({shown} / {every})"


def draw_coefficients(ax: Axes, model: ModelChange, words: TableWords = ENGLISH) -> None:
    """Draw the confidence intervals of a model, before above after.

    Coefficients of numbers are drawn for one standard deviation of them, so that all can be seen.
    """
    found = [coefficient for coefficient in model.coefficients if coefficient.term != "(constant)"]
    found = found or list(model.coefficients)
    places, sizes = (
        np.arange(len(found)),
        np.array([coefficient.deviation or 1.0 for coefficient in found]),
    )
    for side, offset, colour, marker, label in (
        (0, -0.16, _OLD, "s", words.before),
        (1, 0.16, _AFTER, "o", words.after),
    ):
        ends = np.array([coefficient.interval[side] for coefficient in found]) * sizes[:, None]
        ax.hlines(places + offset, ends[:, 0], ends[:, 1], color=colour, linewidth=2.0)
        middle = np.array([coefficient.estimate[side] for coefficient in found]) * sizes
        ax.plot(
            middle, places + offset, marker, color=colour, markersize=5, label=label,
            linestyle="none",
        )  # fmt: skip
    ax.axvline(0.0, color=_INK, linewidth=0.8, linestyle=":")
    names = [
        words.per_deviation.format(term=_shorten_term(coefficient.term))
        if coefficient.deviation
        else _shorten_term(coefficient.term)
        for coefficient in found
    ]
    ax.set_yticks(places, names, parse_math=False)
    ax.set_ylim(len(places) - 0.4, -0.6)
    for at, text in [
        (-0.62, words.overlap),
        *((place, words.percent(coefficient.overlap)) for place, coefficient in enumerate(found)),
    ]:
        ax.annotate(
            text, (1.0, at), xycoords=("axes fraction", "data"), xytext=(6, 0), color=_INK,
            textcoords="offset points", va="bottom" if at < 0 else "center", fontsize="small",
        )  # fmt: skip
    label = words.log_odds if model.kind == "logistic" else words.coefficient
    ax.set_xlabel(label.format(outcome=_shorten_term(model.outcome)), parse_math=False)
    title = _clean(model.formula)
    title = words.weighted.format(formula=title) if model.weighted else title
    ax.set_title(title, loc="left", color=_INK, fontsize="medium", parse_math=False)
    _name_sides(ax, words.before)
    _finish(ax, "x")


def _clean(text: str, most: int = 70) -> str:
    shown = "".join(each if each.isprintable() else "?" for each in text)
    return shown if len(shown) <= most else shown[: most - 3] + "..."


def _shorten_term(term: str) -> str:
    name, equals, category = term.partition(" = ")
    return f"{clean_name(name)} = {clean_name(category)}" if equals else clean_name(name)


def _name_sides(ax: Axes, before: str) -> None:
    """Say above the picture what is before and after, where it hides nothing."""
    handles, labels = ax.get_legend_handles_labels()
    first, last = sorted(range(2), key=lambda at: labels[at] != before)
    ax.legend(
        [handles[first], handles[last]], [labels[first], labels[last]], frameon=False, ncols=2,
        loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.1, handlelength=1.2,
        fontsize="small",
    )  # fmt: skip


def _finish(ax: Axes, axis: str) -> None:
    ax.grid(axis=axis, color=_GRID, linewidth=0.8)  # type: ignore[arg-type]
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def find_drawn(tables: Sequence[TableChange]) -> list[TableChange]:
    """Return the tables to draw: those that were asked for, or those of one variable that changed.

    The largest Hellinger distance comes first, and 12 of them at most.
    """
    named = [table for table in tables if table.named and table.grid is not None]
    if named:
        return named
    moved = [table for table in tables if table.grid is not None and table.largest > 0]
    return sorted(moved, key=lambda each: -each.hellinger)[:_MOST_BARS]


def find_models(models: Sequence[ModelChange]) -> list[ModelChange]:
    """Return the models to draw: weighted where there is a weight."""
    weighted = {model.formula for model in models if model.weighted}
    return [
        model
        for model in models
        if model.coefficients and (model.weighted or model.formula not in weighted)
    ]


def table_height(table: TableChange) -> float:
    """Return how many inches a table needs."""
    rows = 1 if table.grid is None else len(table.grid.rows)
    return 1.6 + 0.24 * rows


def model_height(model: ModelChange) -> float:
    """Return how many inches a forest needs."""
    return 1.3 + 0.34 * max(len(model.coefficients) - 1, 1)


def table_parts(tables: Sequence[TableChange]) -> list[Part]:
    """Return the rows of a figure of tables."""
    return [(table_height(change), _draw_table(change)) for change in find_drawn(tables)]


def model_parts(models: Sequence[ModelChange]) -> list[Part]:
    """Return the rows of a figure of models."""
    return [(model_height(model), _draw_model(model)) for model in find_models(models)]


def _draw_table(table: TableChange) -> Callable[[SubFigure], None]:
    draw = draw_shares if len(table.names) == 1 else draw_changes
    return lambda part: draw(part.subplots(), table)


def _draw_model(model: ModelChange) -> Callable[[SubFigure], None]:
    return lambda part: draw_coefficients(part.subplots(), model)
