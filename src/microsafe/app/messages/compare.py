"""What steps cost, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from microsafe.app.messages.numbers import NumberEffect
from microsafe.app.messages.risk import RiskFigures
from microsafe.app.messages.study import StepTaken
from microsafe.compare.cost_figures import GroupBlanks, VariableLoss
from microsafe.compare.number_changes import CorrelationChange
from microsafe.compare.number_plot_data import NumberPicture
from microsafe.compare.regression import Coefficient
from microsafe.compare.tables import TableChange, TableFigures
from microsafe.compare.worst_groups import GroupLoss


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow(GroupBlanks):
    """How hard blanks of a variable fell on a group of at least 30 records, with its label."""

    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanRow:
    """Largest relative change of means and totals of a numeric variable by a key."""

    name: str
    by: str
    mean_change: float | None
    mean_where: str
    total_change: float | None
    total_where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UtilityFigures:
    """What an analyst of numeric variables finds.

    Attributes:
        numbers: Those that were changed.
        correlations: Of all numeric variables, by weight if there is one.
        pictures: Of numbers that were changed, the first of them.
        pmse: Mean squared distance of propensities from what blind guessing gives; null if they
            were not modelled.
        pmse_ratio: The same over what independent files would give.
    """

    numbers: tuple[NumberEffect, ...]
    correlations: CorrelationChange | None
    pictures: tuple[NumberPicture, ...]
    pmse: float | None
    pmse_ratio: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What some steps cost.

    Attributes:
        records: In the file.
        blanks: Values blanked.
        replaced: Values replaced by others.
        touched: Records in which something was changed.
        touched_weight: People they stand for, as a share of all.
        losses: Keys first, then other variables that were changed.
        lost: Information lost, as a mean over the keys.
        hardest: Groups that lost more of it than the whole file, the worst first.
        groups: On whom blanks fell hardest.
        tables: Those that changed most, of one variable, then of two.
        tables_left_out: How many changed less.
        means: Of numeric variables.
        dropped: Variables that are no longer there.
        notes: What could not be compared, and why.
        pmse: How well a model tells released records from original ones by keys of few categories.
        pmse_ratio: To what independent files would give.
        utility: Of numeric variables; null if none was changed.
    """

    records: int
    blanks: int
    replaced: int
    touched: int
    touched_weight: float
    losses: tuple[VariableLoss, ...]
    lost: float
    hardest: tuple[GroupLoss, ...]
    groups: tuple[GroupRow, ...]
    tables: tuple[TableChange, ...]
    tables_left_out: int
    means: tuple[MeanRow, ...]
    dropped: tuple[str, ...]
    notes: tuple[str, ...]
    pmse: float | None
    pmse_ratio: float | None
    utility: UtilityFigures | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskPair:
    """Risk under one scenario, before and after."""

    scenario: str
    before: RiskFigures
    after: RiskFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonFigures:
    """The state after `to` steps and the present one, side by side."""

    to: int
    risks: tuple[RiskPair, ...]
    cost: Cost


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFigures:
    """A candidate plan: its steps, the risk it leaves, and what it costs."""

    name: str
    steps: tuple[StepTaken, ...]
    risks: tuple[RiskFigures, ...]
    cost: Cost


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanComparison:
    """Two candidate plans against each other, both seen from the file as read."""

    one: PlanFigures
    other: PlanFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSide(TableFigures):
    """A table counted in one way, weighted or each record once: shares before and after.

    Attributes:
        before: Shares of the whole table before, a row for each category of the first variable.
        after: The same after.
    """

    before: tuple[tuple[float, ...], ...]
    after: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDetail:
    """A table that somebody named, before and after, by the categories that are released.

    Attributes:
        names: Of its variables, one or two.
        rows: Categories of the first variable that changed most, in their order.
        columns: Of the second; none if there is but one variable.
        all_rows: How many categories there are.
        all_columns: The same of the second.
        records: In each cell before; a relative change of a few is chance.
        plain: Each record counted once.
        weighted: By weight; null if there is none.
        recoded: What became of variables of which categories were taken together.
    """

    names: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    all_rows: int
    all_columns: int
    records: tuple[tuple[int, ...], ...]
    plain: TableSide
    weighted: TableSide | None
    recoded: tuple[VariableLoss, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSide:
    """A regression counted in one way, weighted or each record once.

    Attributes:
        records: Before and after.
        overlap: Mean overlap of the confidence intervals.
        constant: Of the model; null if it could not be compared.
        coefficients: Of its terms.
        lost: Terms that can no longer be estimated.
        problem: Why the model can no longer be fitted; empty if it can.
    """

    records: tuple[int, int]
    overlap: float
    constant: Coefficient | None
    coefficients: tuple[Coefficient, ...]
    lost: tuple[str, ...]
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDetail:
    """A regression that somebody named, before and after.

    Attributes:
        formula: As it was given.
        kind: Linear for a number, logistic for one of its categories or values.
        outcome: What it explains.
        plain: Each record counted once.
        weighted: By weight; null if there is none.
    """

    formula: str
    kind: Literal["linear", "logistic"]
    outcome: str
    plain: ModelSide
    weighted: ModelSide | None
