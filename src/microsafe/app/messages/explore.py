"""Explore: one variable as bars or bins, two as a table. Counts only; small ones are masked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from microsafe.compare.number_plot_data import Axis

AxisChoice = Literal["auto", "linear", "log"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploreQuery:
    """A variable, the axis of its numbers, and the state after so many steps (now if null)."""

    name: str
    axis: AxisChoice = "auto"
    steps: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossQuery:
    """Two variables, and the state after so many steps (now if null)."""

    rows: str
    columns: str
    steps: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploredCount:
    """A category, a bin or what is missing.

    Attributes:
        text: Code and label, or bounds; empty if it stands for missing.
        records: How many; null if masked.
        weighted: Share of the weight; null if masked, or without weights.
    """

    text: str
    records: int | None
    weighted: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantile:
    """Below `value` lies this share of the records, about; the number is rounded."""

    share: float
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploredVariable:
    """One variable in some state.

    Attributes:
        name: Of the variable.
        label: What it means.
        records: In the file.
        counts: Of categories in order, or of bins.
        pooled: Categories that the last count stands for together; 0 if each has its own.
        missing: Records without a value.
        axis: Of the bins; null for categories.
        quantiles: Of numbers.
        least: Counts below this are masked, and others with them.
    """

    name: str
    label: str
    records: int
    counts: tuple[ExploredCount, ...]
    pooled: int
    missing: ExploredCount
    axis: Axis | None
    quantiles: tuple[Quantile, ...]
    least: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossCounts:
    """Two variables against each other in some state.

    Attributes:
        names: Of rows and columns.
        labels: What they mean.
        records: In the file.
        rows: Texts of the rows; an empty one, the last, stands for missing.
        columns: Likewise.
        counts: Records of each row, by column; null if masked.
        weighted: Share of the row's weight, likewise; null without weights.
        row_totals: Records of each row.
        column_totals: Of each column.
        least: Counts below this are masked, and others with them.
    """

    names: tuple[str, str]
    labels: tuple[str, str]
    records: int
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int | None, ...], ...]
    weighted: tuple[tuple[float | None, ...], ...] | None
    row_totals: tuple[int | None, ...]
    column_totals: tuple[int | None, ...]
    least: int
