"""Two states of the data side by side, by record or by group of records that are alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
import polars as pl

from microsafe.compare.columns import Count, Pair, pair
from microsafe.compare.compute import Sums
from microsafe.engine import Engine
from microsafe.engine.coding import coded, numeric
from microsafe.engine.roles import suggested_role
from microsafe.errors import InputError, UsageError
from microsafe.scenario import Scenario
from microsafe.schema import Schema
from microsafe.sums import Floats

FEW = 20  # categories up to which a number is read as a category


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """Records, or groups of records that are alike in what is compared.

    Attributes:
        pairs: The variables that are compared, all by the same rows.
        weight: Of each row.
        count: Records in each row; one each if None.
        records: In all.
        sums: A numeric variable before and after; None if it does not hold numbers on both sides.
        apart: Variables with so many categories that rows are not grouped by them, with rows of
            their own. In `pairs` these tell only whether they are missing, kept or changed.
    """

    pairs: Sequence[Pair]
    weight: Floats
    count: Count
    records: int
    sums: Callable[[str], tuple[Sums, Sums] | None]
    apart: Mapping[str, tuple[Pair, Floats, Count]] = field(default_factory=dict)


class Sides(Protocol):
    """The data before and after."""

    @property
    def old(self) -> Schema:
        """Variables before."""

    @property
    def new(self) -> Schema:
        """Variables after."""

    def altered(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Variables besides some that were changed but are still there."""

    def numbers(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Numeric variables besides some that are no categories and no identifiers."""

    def rows(self, named: Sequence[str], others: Sequence[str], numbers: Sequence[str]) -> Rows:
        """Bring the variables together."""


@runtime_checkable
class Tabled(Protocol):
    """An engine that gives all records in input order."""

    @property
    def schema(self) -> Schema:
        """What is known of the variables."""

    def table(self) -> pl.DataFrame:
        """Return all variables of all records as they now are."""


def sides_of(
    before: Engine | Tabled, after: Engine | Tabled, scenarios: Sequence[Scenario]
) -> Sides:
    """Put two states of the data side by side; the first scenario gives the weight."""
    scenario = scenarios[0] if scenarios else None
    if isinstance(before, Tabled) and isinstance(after, Tabled):
        return Records(before, after, scenario)
    from microsafe.compare.aggregates import Aggregates

    return Aggregates(cast(Any, before), cast(Any, after), scenario)


class Records:
    """All records, before and after; each table is asked for once."""

    def __init__(self, before: Tabled, after: Tabled, scenario: Scenario | None) -> None:
        self.old, self.new = before.schema, after.schema
        self._before, self._after = before.table(), after.table()
        self._scenario = scenario
        if len(self._before) != len(self._after):
            raise UsageError(
                f"{self.old.source} has {len(self._before):,} records before and "
                f"{len(self._after):,} after: records can only be compared one by one."
            )

    def altered(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Variables besides some that were changed but are still there."""
        return tuple(
            each.name
            for each in self.old
            if each.name in self.new
            and each.name not in leave
            and each.kind != "other"
            and self._differ(each.name)
            and not self._numbering(each.name)
        )

    def _numbering(self, name: str) -> bool:
        """Whether a variable numbers the records rather than describes them."""
        values = self._before.get_column(name)
        return len(values) > FEW and _whole(values) and values.n_unique() == len(values)

    def _differ(self, name: str) -> bool:
        old, new = self._before.get_column(name), self._after.get_column(name)
        return old.dtype != new.dtype or not old.equals(new, null_equal=True)

    def numbers(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Numeric variables besides some that are no categories and no identifiers."""
        found = []
        for variable in self.old:
            if variable.name in leave or variable.kind not in ("number", "integer"):
                continue
            values = self._before.get_column(variable.name)
            if values.n_unique() <= FEW:
                continue
            categories = coded(values, variable, source=self.old.source).categories
            rows = len(values) if _whole(values) else 0  # all different says nothing of fractions
            role = suggested_role(variable, categories, rows)
            if len(categories) > FEW and role == "other":
                found.append(variable.name)
        return tuple(found)

    def rows(self, named: Sequence[str], others: Sequence[str], _: Sequence[str]) -> Rows:
        """Bring the variables together."""
        tables = (self._before, self._after, self.old, self.new)
        weight = self._weight()
        return Rows(
            pairs=[pair(name, *tables) for name in (*named, *others)],
            weight=weight,
            count=None,
            records=len(weight),
            sums=lambda name: self._sums(name, weight),
        )

    def _sums(self, name: str, weight: Floats) -> tuple[Sums, Sums] | None:
        sides = ((self._before, self.old), (self._after, self.new))
        try:
            before, after = (
                numeric(table.get_column(name), schema[name], source=schema.source)
                for table, schema in sides
            )
        except InputError:
            return None
        return Sums.of(before, weight), Sums.of(after, weight)

    def _weight(self) -> Floats:
        if self._scenario is None or self._scenario.weight is None:
            return np.ones(len(self._before))
        name = self._scenario.weight
        raw = numeric(self._before.get_column(name), self.old[name], source=self.old.source)
        known = np.nan_to_num(raw, nan=0.0)
        return np.maximum(known, 1.0) if self._scenario.low_weights == "clip" else known


def _whole(values: pl.Series) -> bool:
    """Whether there are no fractions: fractions measure, they do not number."""
    return not values.dtype.is_float() or bool((values == values.floor()).all())
