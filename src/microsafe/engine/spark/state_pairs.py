"""Pair two states of the data in Spark: counted there, compared here.

Both states are columns of the same records, so one group-by gives everything: the combinations of
values before and after with their counts, weights and sums of numeric variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pyspark.sql import functions as sf

from microsafe.engine.spark.data import Data
from microsafe.engine.spark.queries import TellShare, tell_no_share
from microsafe.engine.spark.rows import fetch
from microsafe.engine.spark.values import comparable
from microsafe.engine.state_pairs import (
    FEW,
    MANY,
    GroupSums,
    Pair,
    PairGroups,
    is_measurement,
    is_spelled_measurement,
    pair_columns,
    state_pair,
)
from microsafe.errors import InputError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress
from microsafe.sums import Floats
from microsafe.variables.profile import VariableProfile

if TYPE_CHECKING:
    from pyspark.sql import Column


class SparkState(Protocol):
    """One state of the data, as the engine knows it."""

    data: Data
    most_cells: int

    def rows(self) -> int:
        """Return how many records there are."""

    def summaries(self, names: Sequence[str]) -> tuple[VariableProfile, ...]:
        """Look at some variables."""

    def categories(self, name: str) -> Sequence[str]:
        """Return the categories of a variable in order."""


class SparkPairs:
    """Groups of like records, before and after."""

    def __init__(
        self, before: SparkState, after: SparkState, scenario: Scenario | None, progress: Progress
    ) -> None:
        self.old, self.new = before.data.schema, after.data.schema
        self._before, self._after, self._scenario = before, after, scenario
        self._tell = partial(progress, "comparing variables")

    def _categories(self, names: Sequence[str]) -> dict[str, int]:
        return {summary.name: summary.distinct for summary in self._before.summaries(names)}

    def find_altered(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Return the variables besides some that steps changed but left there."""
        ref, now = self._before.data.refs, self._after.data.refs
        changed = [
            variable.name
            for variable in self.old
            if variable.name in now
            and variable.name not in leave
            and variable.kind != "other"
            and ref[variable.name] is not now[variable.name]
        ]
        broken = find_fractions(self._before.data, changed)
        rows = self._before.rows()
        many_valued = [name for name in changed if name not in broken and rows > FEW]
        alike = {name for name, number in self._categories(many_valued).items() if number >= rows}
        return tuple(name for name in changed if name not in alike)

    def find_numeric(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Return the numeric variables besides some that are no categories or identifiers."""
        numeric = [
            variable.name
            for variable in self.old
            if variable.name not in leave and variable.kind in ("number", "integer")
        ]
        broken = find_fractions(self._before.data, numeric)
        rows = self._before.rows()
        return tuple(
            name
            for name, number in self._categories(numeric).items()
            if is_measurement(self.old[name], number, rows, fractions=name in broken)
        )

    def find_spelled(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return those of some variables that are spelled out, but measure something."""
        texts = [name for name in names if self.old[name].kind == "text" and name in self.new]
        return tuple(name for name in texts if self._spells_measurement(name))

    def _spells_measurement(self, name: str) -> bool:
        try:
            before, after = (side.categories(name) for side in (self._before, self._after))
        except InputError:  # there are too many to look at
            return False
        return is_spelled_measurement(self.old[name], before, after, self._before.rows())

    def group_records(
        self, named: Sequence[str], others: Sequence[str], numbers: Sequence[str]
    ) -> PairGroups:
        """Group the records by what variables say: one pass, one shuffle of combinations."""
        apart = [name for name, number in self._categories(others).items() if number >= MANY]
        together = [name for name in (*named, *others) if name not in apart]
        counted = [name for name in numbers if self._holds_numbers(name)]
        groups = self._group(together, apart, counted)
        pairs = {
            name: pair_columns(name, groups.before, groups.after, self.old, self.new)
            for name in together
        } | {name: _pair_states(name, groups) for name in apart}
        alone = {name: self._group([name], [], []) for name in apart}
        return PairGroups(
            pairs=[pairs[name] for name in (*named, *others)],
            weight=groups.weight,
            count=groups.count,
            records=int(groups.count.sum()),
            sums=lambda name: _sums(groups, name) if name in counted else None,
            apart={
                name: (
                    pair_columns(name, groups.before, groups.after, self.old, self.new),
                    groups.weight,
                    groups.count,
                )
                for name, groups in alone.items()
            },
        )

    def _holds_numbers(self, name: str) -> bool:
        try:
            self._before.data.number(name)
            self._after.data.number(name)
        except InputError:
            return False
        return True

    def _group(
        self, names: Sequence[str], apart: Sequence[str], numbers: Sequence[str]
    ) -> ValueGroups:
        return group_values(
            self._before.data,
            self._after.data,
            names,
            apart=apart,
            numbers=numbers,
            scenario=self._scenario,
            most=self._after.most_cells,
            tell=self._tell,
        )


def _pair_states(name: str, groups: ValueGroups) -> Pair:
    before, after = (side[name].to_numpy() for side in (groups.before, groups.after))
    return state_pair(name, before.astype(np.int64), after.astype(np.int64))


def _sums(groups: ValueGroups, name: str) -> tuple[GroupSums, GroupSums]:
    before, after = (
        GroupSums(
            **{
                figure: groups.sums[f"{name} {figure} {side}"].cast(pl.Float64).to_numpy()
                for figure in ("total", "weight", "count")
            }
        )
        for side in ("before", "after")
    )
    return before, after


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ValueGroups:
    """Groups of records that are alike before and after.

    Attributes:
        before: Values of the variables; of those kept apart 1 if there is one, otherwise 0.
        after: Likewise; of those kept apart 0 if missing, 1 if the same, 2 if another.
        count: Records.
        weight: Sum of their weights.
        sums: By name of a numeric variable, figure (total, weight, count) and side (before,
            after), such as "income total before".
    """

    before: pl.DataFrame
    after: pl.DataFrame
    count: NDArray[np.int64]
    weight: Floats
    sums: pl.DataFrame


def group_values(
    old: Data,
    new: Data,
    names: Sequence[str],
    *,
    apart: Sequence[str],
    numbers: Sequence[str],
    scenario: Scenario | None,
    most: int,
    tell: TellShare = tell_no_share,
) -> ValueGroups:
    """Group the records by what some variables say before and after.

    Args:
        old: An earlier state.
        new: A later state of the same records.
        names: Variables to group by.
        apart: Variables of which it is only told whether they are missing, kept or changed.
        numbers: Numeric variables to sum.
        scenario: Gives the weight; every record counts once if there is none.
        most: How many groups may come here.
        tell: Told how far it is.
    """
    remaining = [name for name in names if name in new.refs]
    by = {f"b {name}": _value(old, name) for name in names}
    by |= {f"a {name}": _value(new, name) for name in remaining}
    for name in apart:
        by |= {
            f"b {name}": old.known_values(name).isNotNull().cast("int"),
            f"a {name}": _state(old, new, name),
        }
    weight = _weight(old, scenario)
    figures = {"n": sf.count("*"), "w": sf.sum(weight)}
    for name in numbers:
        for side, data in (("before", old), ("after", new)):
            figures |= _figures(f"{name} {{}} {side}", data.number(name), weight)
    columns = {column for name in (*names, *apart, *numbers) for column in old.refs[name].columns}
    columns |= {c for name in (*remaining, *apart, *numbers) for c in new.refs[name].columns}
    if scenario is not None and scenario.weight is not None:
        columns |= set(old.refs[scenario.weight].columns)
    frame = new.rows.frame(columns)
    # Names of variables may hold anything: columns are numbered, and named again here.
    keys = [expression.alias(f"g{place}") for place, expression in enumerate(by.values())]
    sums = [expression.alias(f"s{place}") for place, expression in enumerate(figures.values())]
    groups = frame.groupBy(*keys).agg(*sums)
    counted = fetch(groups, old.schema.source, most=most + 1, tell=tell)
    if len(counted) > most:
        raise InputError(
            f"{old.schema.source} has more than {most:,} combinations of values before and after, "
            "the most allowed on this machine. Compare fewer variables, or allow more "
            "(most_cells=..., --most-cells)."
        )
    counted.columns = [*by, *figures]
    counted = counted.sort(list(by), nulls_last=True)  # sums must not depend on where groups were
    return ValueGroups(
        before=_side(counted, "b ", (*names, *apart)),
        after=_side(counted, "a ", (*remaining, *apart)),
        count=counted["n"].to_numpy().astype(np.int64),
        weight=counted["w"].cast(pl.Float64).to_numpy(),
        sums=counted.select(list(figures)).fill_null(0),
    )


def _side(rows: pl.DataFrame, mark: str, names: Sequence[str]) -> pl.DataFrame:
    return rows.select(pl.col(f"{mark}{name}").alias(name) for name in names)


def _value(data: Data, name: str) -> Column:
    ref = data.refs[name]
    return comparable(ref.now, ref.dtype)


def _state(old: Data, new: Data, name: str) -> Column:
    """0 if a variable is missing now, 1 if it says what it said, 2 if it says something else."""
    kinds = [data.schema[name].kind in ("integer", "number") for data in (old, new)]
    one, other = _value(old, name), _value(new, name)
    same = one == other if kinds[0] == kinds[1] else sf.lit(False)
    unchanged = old.known_values(name).isNotNull() & same
    return sf.when(new.known_values(name).isNull(), 0).when(unchanged, 1).otherwise(2)


def _weight(data: Data, scenario: Scenario | None) -> Column:
    if scenario is None or scenario.weight is None:
        return sf.lit(1.0)
    raw = data.number(scenario.weight)
    known = sf.when(raw.isNull() | sf.isnan(raw), 0.0).otherwise(raw)
    return sf.greatest(known, sf.lit(1.0)) if scenario.clip_weights else known


def _figures(name: str, number: Column, weight: Column) -> dict[str, Column]:
    known = number.isNotNull() & ~sf.isnan(number)
    return {
        name.format("total"): sf.sum(sf.when(known, weight * number)),
        name.format("weight"): sf.sum(sf.when(known, weight)),
        name.format("count"): sf.count_if(known),
    }


def find_fractions(data: Data, names: Sequence[str]) -> set[str]:
    """Return the variables that hold fractions; one pass over all that could."""
    able = [name for name in names if data.refs[name].dtype.typeName() in ("float", "double")]
    if not able:
        return set()
    now = [data.refs[name].now for name in able]
    tests = [
        sf.max(number != sf.floor(number)).alias(f"t{place}") for place, number in enumerate(now)
    ]
    has_fractions = fetch(data.frame(*able).agg(*tests), data.schema.source).row(0)
    return {name for name, broken in zip(able, has_fractions, strict=True) if broken}
