"""Two states of the data in Spark side by side: counted there, compared here.

Both states are columns of the same records, so one group-by gives everything: the combinations of
values before and after with their counts, weights and sums of numeric variables.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from microsafe.compare.columns import Pair, pair
from microsafe.compare.compute import GroupSums
from microsafe.compare.sides import FEW, MANY, PairedRows, measures, state
from microsafe.engine.base import Summary
from microsafe.engine.spark import Spark
from microsafe.engine.spark.beside import Beside, beside, fractions
from microsafe.errors import InputError
from microsafe.scenario import Scenario


class Aggregates:
    """Groups of like records, before and after."""

    def __init__(self, before: Spark, after: Spark, scenario: Scenario | None) -> None:
        self.old, self.new = before.schema, after.schema
        self._before, self._after, self._scenario = before, after, scenario
        self._summaries: dict[str, Summary] = {}

    def _summary(self, name: str) -> Summary:
        if name not in self._summaries:
            self._summaries[name] = self._before.summary(name)
        return self._summaries[name]

    def find_altered(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Variables besides some that were changed but are still there, as far as steps tell."""
        held, now = self._before.data.held, self._after.data.held
        changed = [
            each.name
            for each in self.old
            if each.name in now
            and each.name not in leave
            and each.kind != "other"
            and held[each.name] is not now[each.name]
        ]
        broken = fractions(self._before.data, changed)
        rows = self._before.rows()
        return tuple(
            name
            for name in changed
            if name in broken or rows <= FEW or self._summary(name).categories < rows
        )

    def numbers(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Numeric variables besides some that are no categories and no identifiers."""
        numeric = [
            each.name
            for each in self.old
            if each.name not in leave and each.kind in ("number", "integer")
        ]
        broken = fractions(self._before.data, numeric)
        return tuple(name for name in numeric if self._measures(name, name in broken))

    def _measures(self, name: str, broken: bool) -> bool:
        categories, rows = self._summary(name).categories, self._before.rows()
        return measures(self.old[name], categories, rows, fractions=broken)

    def rows(
        self, named: Sequence[str], others: Sequence[str], numbers: Sequence[str]
    ) -> PairedRows:
        """Bring the variables together: one pass, one shuffle of combinations."""
        apart = [name for name in others if self._summary(name).categories >= MANY]
        together = [name for name in (*named, *others) if name not in apart]
        counted = [name for name in numbers if self._holds_numbers(name)]
        found = self._found(together, apart, counted)
        pairs = {
            name: pair(name, found.before, found.after, self.old, self.new) for name in together
        } | {name: _state(name, found) for name in apart}
        alone = {name: self._found([name], [], []) for name in apart}
        return PairedRows(
            pairs=[pairs[name] for name in (*named, *others)],
            weight=found.weight,
            count=found.count,
            records=int(found.count.sum()),
            sums=lambda name: _sums(found, name) if name in counted else None,
            apart={
                name: (
                    pair(name, each.before, each.after, self.old, self.new),
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

    def _found(self, names: Sequence[str], apart: Sequence[str], numbers: Sequence[str]) -> Beside:
        return beside(
            self._before.data,
            self._after.data,
            names,
            apart=apart,
            numbers=numbers,
            scenario=self._scenario,
            most=self._after.most_cells,
        )


def _state(name: str, found: Beside) -> Pair:
    before, after = (side[name].to_numpy() for side in (found.before, found.after))
    return state(name, before.astype(np.int64), after.astype(np.int64))


def _sums(found: Beside, name: str) -> tuple[GroupSums, GroupSums]:
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
