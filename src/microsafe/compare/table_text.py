"""Tables before and after as text: shares in per cent, changes in percentage points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from microsafe.compare.result import Comparison
from microsafe.compare.tables import Shares, TableChange, TableFigures, TableGrid
from microsafe.display import format_grid, keep_on_one_line, show_percent

_MOST = 5  # tables of each kind, so that the page stays one page
_ROWS, _COLUMNS = 20, 9  # that a terminal holds


def tell_tables(result: Comparison) -> Iterator[list[str]]:
    """Return blocks of lines: figures of the tables, then cells of those that were asked for."""
    yield _tell_figures(result)
    for each in result.named_tables():
        if each.grid is not None:
            yield _tell_cells(each, each.grid)


def bare_percent(share: float, digits: int = 1) -> str:
    """Return a share for a column whose heading says that it is in per cent."""
    return show_percent(share, digits).removesuffix(" %")


def show_points(change: float, digits: int = 3) -> str:
    """Return a change in percentage points, without a sign if there is none."""
    rounded = round(100 * change, digits)
    return f"{rounded:+.{digits}f}" if rounded else f"{0.0:.{digits}f}"


def _tell_figures(result: Comparison) -> list[str]:
    named = result.named_tables()
    one = sorted((each for each in result.one_way() if not each.named), key=_distance)
    two = [each for each in result.two_way() if not each.named]
    shown = [*one[:_MOST], *two[:_MOST], *named]
    if not shown:
        return []
    both = shown[0].plain is not None
    beside = ("unweighted",) if both else ()
    rows = [
        (
            "table, weighted" if both else "table",
            "Hellinger", *beside, "largest change, pp", *beside, "mean change, pp",
            *(("weight lost, %",) if both else ()), "records lost, %",
        )
    ]  # fmt: skip
    for each in shown:
        sides: list[TableFigures] = [each, *([] if each.plain is None else [each.plain])]
        rows.append(
            (
                " x ".join(keep_on_one_line(name, 20) for name in each.names),
                *(f"{side.hellinger:.4f}" for side in sides),
                *(f"{100 * side.largest:.3f}" for side in sides),
                f"{100 * each.mean:.4f}",
                *(bare_percent(side.lost) for side in sides),
            )
        )
    left_out = len(result.tables) - len(shown)
    lines = format_grid(rows, right=range(1, len(rows[0])))
    noun = "table" if left_out == 1 else "tables"
    return [*lines, f"  and {left_out:,} {noun} that changed less"] if left_out else lines


def _distance(table: TableChange) -> float:
    return -table.hellinger


def _tell_cells(table: TableChange, grid: TableGrid) -> list[str]:
    return _tell_list(table, grid) if len(table.names) == 1 else _tell_grid(table, grid)


def _tell_list(table: TableChange, grid: TableGrid) -> list[str]:
    """A line for each category: shares before and after, and their change."""
    kinds = [("weighted" if grid.plain_before else "share", grid.before, grid.after)]
    if grid.plain_before is not None and grid.plain_after is not None:
        kinds.append(("unweighted", grid.plain_before, grid.plain_after))
    rows: list[tuple[str, ...]] = [
        (
            keep_on_one_line(table.names[0]),
            *(
                head
                for name, _, _ in kinds
                for head in (f"{name} before, %", "after, %", "change, pp")
            ),
        )
    ]
    places = _choose(np.abs(np.array(grid.changes)).sum(axis=1).tolist(), _ROWS)
    for at in places:
        figures = []
        for _, old, new in kinds:
            a, b = old[at][0], new[at][0]
            figures += [bare_percent(a, 2), bare_percent(b, 2), show_points(b - a)]
        rows.append((keep_on_one_line(grid.rows[at]), *figures))
    return [*format_grid(rows, right=range(1, len(rows[0]))), *_tell_rest(grid, places, [0])]


def _tell_grid(table: TableChange, grid: TableGrid) -> list[str]:
    """The change of each cell."""
    kind = "weighted share" if grid.plain_before is not None else "share"
    title = " x ".join(keep_on_one_line(name, 20) for name in table.names)
    changes = np.abs(np.array(grid.changes))
    down = _choose(changes.sum(axis=1).tolist(), _ROWS)
    across = _choose(changes.sum(axis=0).tolist(), _COLUMNS)
    rows = [(title, *(keep_on_one_line(grid.columns[at], 14) for at in across))]
    rows += [
        (keep_on_one_line(grid.rows[row]), *(show_points(grid.changes[row][at]) for at in across))
        for row in down
    ]
    lines = format_grid(rows, right=range(1, len(rows[0])))
    return [f"  change of the {kind}, pp", *lines, *_tell_rest(grid, down, across)]


def _choose(moved: Sequence[float], most: int) -> list[int]:
    """The places that changed most, in their order."""
    order = sorted(range(len(moved)), key=lambda at: (-round(moved[at], 12), at))
    return sorted(order[:most])


def _tell_rest(grid: TableGrid, rows: Sequence[int], columns: Sequence[int]) -> list[str]:
    """What of a large table is not here."""
    if (len(rows), len(columns)) == (grid.all_rows, grid.all_columns):
        return []
    shown = []
    if len(rows) < grid.all_rows:
        shown.append(f"{len(rows):,} of {grid.all_rows:,} rows")
    if len(columns) < grid.all_columns:
        shown.append(f"{len(columns):,} of {grid.all_columns:,} columns")
    old, new = (1.0 - _sum_cells(side, rows, columns) for side in (grid.before, grid.after))
    return [
        f"  {' and '.join(shown)}, those that changed most; all others hold "
        f"{show_percent(max(old, 0.0))} before, {show_percent(max(new, 0.0))} after"
    ]


def _sum_cells(shares: Shares, rows: Sequence[int], columns: Sequence[int]) -> float:
    return sum(shares[row][column] for row in rows for column in columns)
