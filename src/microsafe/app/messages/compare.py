"""What steps cost, side by side."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.app.messages.numbers import CorrelationTable, NumberDrawing
from microsafe.app.messages.protect import NumberEffect
from microsafe.app.messages.risk import RiskFigures
from microsafe.app.messages.study import StepTaken


@dataclass(frozen=True, slots=True, kw_only=True)
class LossRow:
    """What one variable lost; entropy and loss in bits a record."""

    name: str
    key: bool
    known: int
    blanks: int
    blank_share: float
    replaced: int
    categories: int
    categories_after: int
    entropy: float
    lost: float
    lost_share: float
    dropped: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """How hard blanks of a variable fell on a group of at least 30 records."""

    name: str
    by: str
    category: str
    label: str
    known: int
    blanks: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """How a weighted table of one or two variables changed; changes are of shares."""

    names: tuple[str, ...]
    cells: int
    lost: float
    largest: float
    where: tuple[str, ...]
    mean: float
    hellinger: float


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
    correlations: CorrelationTable | None
    pictures: tuple[NumberDrawing, ...]
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
        groups: On whom blanks fell hardest.
        tables: Those that changed most, of one variable, then of two.
        tables_left_out: How many changed less.
        means: Of numeric variables.
        dropped: Variables that are no longer there.
        notes: What could not be compared, and why.
        utility: Of numeric variables; null if none was changed.
    """

    records: int
    blanks: int
    replaced: int
    touched: int
    touched_weight: float
    losses: tuple[LossRow, ...]
    groups: tuple[GroupRow, ...]
    tables: tuple[TableRow, ...]
    tables_left_out: int
    means: tuple[MeanRow, ...]
    dropped: tuple[str, ...]
    notes: tuple[str, ...]
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
