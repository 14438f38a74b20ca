"""Two states of the data in Spark side by side: counted there, compared here.

Both states are columns of the same records, so one group-by gives everything: the combinations of
values before and after with their counts, weights and sums of numeric variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microsafe.engine.spark.groups import ValueGroups, find_fractions, group_values
from microsafe.engine.state_pairs import (
    FEW,
    MANY,
    GroupSums,
    Pair,
    PairGroups,
    is_measurement,
    pair_columns,
    state_pair,
)
from microsafe.errors import InputError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress

if TYPE_CHECKING:
    from microsafe.engine.spark.engine import Spark


class SparkPairs:
    """Groups of like records, before and after."""

    def __init__(
        self, before: Spark, after: Spark, scenario: Scenario | None, progress: Progress
    ) -> None:
        self.old, self.new = before.schema, after.schema
        self._before, self._after, self._scenario = before, after, scenario
        self._tell = partial(progress, "comparing variables")

    def _categories(self, names: Sequence[str]) -> dict[str, int]:
        return {each.name: each.categories for each in self._before.summaries(names)}

    def find_altered(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Return the variables besides some that steps changed but left there."""
        ref, now = self._before.data.refs, self._after.data.refs
        changed = [
            each.name
            for each in self.old
            if each.name in now
            and each.name not in leave
            and each.kind != "other"
            and ref[each.name] is not now[each.name]
        ]
        broken = find_fractions(self._before.data, changed)
        rows = self._before.rows()
        asked = [name for name in changed if name not in broken and rows > FEW]
        alike = {name for name, number in self._categories(asked).items() if number >= rows}
        return tuple(name for name in changed if name not in alike)

    def find_numeric(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Return the numeric variables besides some that are no categories or identifiers."""
        numeric = [
            each.name
            for each in self.old
            if each.name not in leave and each.kind in ("number", "integer")
        ]
        broken = find_fractions(self._before.data, numeric)
        rows = self._before.rows()
        return tuple(
            name
            for name, number in self._categories(numeric).items()
            if is_measurement(self.old[name], number, rows, fractions=name in broken)
        )

    def group_records(
        self, named: Sequence[str], others: Sequence[str], numbers: Sequence[str]
    ) -> PairGroups:
        """Group the records by what variables say: one pass, one shuffle of combinations."""
        apart = [name for name, number in self._categories(others).items() if number >= MANY]
        together = [name for name in (*named, *others) if name not in apart]
        counted = [name for name in numbers if self._holds_numbers(name)]
        found = self._group(together, apart, counted)
        pairs = {
            name: pair_columns(name, found.before, found.after, self.old, self.new)
            for name in together
        } | {name: _state(name, found) for name in apart}
        alone = {name: self._group([name], [], []) for name in apart}
        return PairGroups(
            pairs=[pairs[name] for name in (*named, *others)],
            weight=found.weight,
            count=found.count,
            records=int(found.count.sum()),
            sums=lambda name: _sums(found, name) if name in counted else None,
            apart={
                name: (
                    pair_columns(name, each.before, each.after, self.old, self.new),
                    each.weight,
                    each.count,
                )
                for name, each in alone.items()
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


def _state(name: str, found: ValueGroups) -> Pair:
    before, after = (side[name].to_numpy() for side in (found.before, found.after))
    return state_pair(name, before.astype(np.int64), after.astype(np.int64))


def _sums(found: ValueGroups, name: str) -> tuple[GroupSums, GroupSums]:
    before, after = (
        GroupSums(
            **{
                figure: found.sums[f"{name} {figure} {side}"].cast(pl.Float64).to_numpy()
                for figure in ("total", "weight", "count")
            }
        )
        for side in ("before", "after")
    )
    return before, after
