"""Format parts of a comparison as lines of text and as plain values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from microsafe.compare.cost_figures import Utility
from microsafe.compare.number_changes import QUANTILES, Distribution, NumberChange
from microsafe.compare.propensity import Propensity
from microsafe.compare.tables import Shares, TableChange, TableGrid
from microsafe.display import format_grid, keep_on_one_line, shorten_list, show_number, show_percent

_ROWS, _COLUMNS = 20, 9  # that a terminal holds
_MOST_NUMBERS = 8


def bare_percent(share: float, digits: int = 1) -> str:
    """Return a share for a column whose heading says that it is in per cent."""
    return show_percent(share, digits).removesuffix(" %")


def show_points(change: float, digits: int = 3) -> str:
    """Return a change in percentage points, without a sign if there is none."""
    rounded = round(100 * change, digits)
    return f"{rounded:+.{digits}f}" if rounded else f"{0.0:.{digits}f}"


def tell_cells(table: TableChange, grid: TableGrid) -> list[str]:
    """Return lines on the cells of a table that was asked for."""
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


def tell_utility(utility: Utility) -> list[list[str]]:
    """Return blocks of lines: variables, quantiles, correlations, models, propensity."""
    blocks = [_numbers(utility), _quantiles(utility), _whole(utility)]
    return [*(block for block in blocks if block), *_models(utility)]


def _numbers(utility: Utility) -> list[str]:
    rows = [
        (
            "numbers changed", "mean before", "after", "std. deviation before", "after", "SSE/SST",
            "IL1s", "|x-z|/s",
        )
    ]  # fmt: skip
    for number in utility.numbers[:_MOST_NUMBERS]:
        for label, sides in _sides(number):
            old, new = sides
            rows.append(
                (
                    f"{keep_on_one_line(number.name)}{label}",
                    show_number(old.mean, 6), show_number(new.mean, 6),
                    show_number(old.deviation), show_number(new.deviation),
                    *(("", "", "") if label else _number_losses(number)),
                )
            )  # fmt: skip
    return format_grid(rows, right=range(1, 8)) if len(rows) > 1 else []


def _sides(change: NumberChange) -> Iterator[tuple[str, tuple[Distribution, Distribution]]]:
    """Both distributions of a variable: each record counted once, and by weight."""
    yield "", change.plain
    if change.weighted is not None:
        yield ", weighted", change.weighted


def _number_losses(change: NumberChange) -> tuple[str, str, str]:
    return f"{change.sse:.4f}", f"{change.il1s:.4f}", f"{change.moved:.4f}"


def _quantiles(utility: Utility) -> list[str]:
    rows = [("change of quantiles, in s.d.", *(f"{100 * quantile:g} %" for quantile in QUANTILES))]
    for number in utility.numbers[:_MOST_NUMBERS]:
        for label, (old, new) in _sides(number):
            gaps = (
                f"{(b - a) / old.deviation:+.3f}" if old.deviation else "-"
                for a, b in zip(old.quantiles, new.quantiles, strict=True)
            )
            rows.append((f"{keep_on_one_line(number.name)}{label}", *gaps))
    return format_grid(rows, right=range(1, len(rows[0]))) if len(rows) > 1 else []


def _whole(utility: Utility) -> list[str]:
    lines = []
    for correlation in utility.correlations:
        names = " and ".join(map(keep_on_one_line, correlation.where))
        kind = "weighted correlations" if correlation.weighted else "correlations"
        lines.append(
            f"  {kind}: largest change {correlation.largest:.4f} ({names}), "
            f"mean {correlation.mean:.4f}; eigenvalue distance {correlation.eigenvalues:.4f}"
        )
    return lines + ([] if utility.propensity is None else [tell_propensity(utility.propensity)])


def tell_propensity(found: Propensity, of: str = "") -> str:
    """Return a line on how well released records can be told from original ones.

    Args:
        found: What was measured.
        of: By which variables.
    """
    terms = "main effects and two-way terms" if found.two_way else "main effects only"
    return (
        f"  propensity{of} (pMSE): {show_number(found.pmse)}, {found.ratio:.2f} times what "
        f"independent files would give ({found.terms:,} terms, {terms}, {found.records:,} records)"
    )


def _models(utility: Utility) -> list[list[str]]:
    """Coefficients before and after; changes are in the unit of the outcome, or of log odds."""
    blocks = []
    for model in utility.models:
        kind = f"{model.kind}, weighted" if model.weighted else model.kind
        of = f"log odds of {model.outcome}" if model.kind == "logistic" else model.outcome
        records = " -> ".join(f"{one:,}" for one in dict.fromkeys(model.records))
        title = f"  {keep_on_one_line(model.formula, 60)} ({kind}; {keep_on_one_line(of)}; "
        lines = [f"{title}{records} records)"]
        if model.problem:
            blocks.append([*lines, f"  {model.problem}"])
            continue
        rows = [("term", "before", "after", "change", "overlap of 95 % intervals, %")]
        rows += [
            (
                keep_on_one_line(one.term),
                show_number(one.estimate[0]),
                show_number(one.estimate[1]),
                show_number(one.change),
                bare_percent(one.overlap),
            )
            for one in model.coefficients
        ]
        rows.append(("mean", "", "", "", bare_percent(model.overlap)))
        lines += format_grid(rows, right=range(1, 5))
        if model.lost:
            lines.append(f"  no longer estimated, counted as 0 %: {shorten_list(model.lost)}")
        if model.left_out:
            names = shorten_list(model.left_out)
            lines.append(f"  left out, as they cannot be estimated before either: {names}")
        blocks.append(lines)
    return blocks


def plain(value: Any) -> Any:
    """Return a value that JSON can hold; what is not a number becomes None."""
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
