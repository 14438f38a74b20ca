"""Two states of a file side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import polars as pl

from microsafe.compare.columns import Pair, Tabled, pair
from microsafe.compare.compute import groups, loss, means, table, touched
from microsafe.compare.result import Comparison, Means, Table
from microsafe.engine.coding import coded, numeric
from microsafe.engine.roles import suggested_role
from microsafe.errors import InputError, UsageError
from microsafe.progress import Progress, silent
from microsafe.scenario import Scenario
from microsafe.schema import Schema
from microsafe.sums import Floats

_FEW = 20  # categories up to which a number is read as a category
_MANY = 1000  # categories above which tables and means by category say nothing


def compare(
    before: Tabled,
    after: Tabled,
    scenarios: Sequence[Scenario],
    *,
    by: Sequence[str] = (),
    numbers: Sequence[str] | None = None,
    progress: Progress = silent,
) -> Comparison:
    """Say what protection cost.

    Args:
        before: The engine as it was.
        after: The engine as it is; the same records in the same order.
        scenarios: Whose keys are looked at; the first also gives the weight.
        by: Further categorical variables for tables and groups.
        numbers: Numeric variables whose means and totals are compared; those found if None.
        progress: Told of stages.

    Assumes:
        An analyst leaves records out of a table or a mean if a value is missing. Formulas and
        limits of each figure are in docs/methods/information-loss.md.
    """
    sides = _Sides(before, after)
    keys = tuple(dict.fromkeys(key for scenario in scenarios for key in scenario.keys))
    apart = _apart(scenarios, sides.old)
    weight = _weight(scenarios, sides)
    progress("comparing variables", 0.0)
    found = _numbers(sides, (*keys, *by, *apart), numbers)
    named = tuple(dict.fromkeys((*keys, *by)))
    others = sides.altered((*named, *apart))
    pairs = [sides.pair(name) for name in (*named, *others)]
    progress("comparing variables", 1.0)
    pools = [each.pooled() for each in pairs if each.name in named or each.name not in found]
    tables = tuple(_tables(pools, len(named), weight, progress))
    averages, lost = _means(sides, found, pools, keys, weight, progress)
    blanked = [group for each in pairs for group in groups(each, pairs)]
    return Comparison(
        source=sides.old.source,
        records=len(weight),
        weight=scenarios[0].weight if scenarios else None,
        keys=keys,
        touched=touched(pairs, keys, weight),
        losses=tuple(loss(each, weight, key=each.name in keys) for each in pairs),
        groups=tuple(sorted(blanked, key=lambda group: (-group.share, -group.known))),
        tables=tables,
        means=tuple(averages),
        dropped=tuple(name for name in sides.old.names if name not in sides.new),
        notes=(*_notes(pairs, found), *lost),
    )


class _Sides:
    """The two tables; each is asked for once."""

    def __init__(self, before: Tabled, after: Tabled) -> None:
        self.old, self.new = before.schema, after.schema
        self.before, self.after = before.table(), after.table()
        if len(self.before) != len(self.after):
            raise UsageError(
                f"{self.old.source} has {len(self.before):,} records before and "
                f"{len(self.after):,} after: records can only be compared one by one."
            )

    def pair(self, name: str) -> Pair:
        return pair(name, self.before, self.after, self.old, self.new)

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
        values = self.before.get_column(name)
        return len(values) > _FEW and _whole(values) and values.n_unique() == len(values)

    def _differ(self, name: str) -> bool:
        old, new = self.before.get_column(name), self.after.get_column(name)
        return old.dtype != new.dtype or not old.equals(new, null_equal=True)

    def values(self, name: str) -> tuple[Floats, Floats]:
        return (
            numeric(self.before.get_column(name), self.old[name], source=self.old.source),
            numeric(self.after.get_column(name), self.new[name], source=self.new.source),
        )


def _whole(values: pl.Series) -> bool:
    """Whether there are no fractions: fractions measure, they do not number."""
    return not values.dtype.is_float() or bool((values == values.floor()).all())


def _apart(scenarios: Sequence[Scenario], schema: Schema) -> tuple[str, ...]:
    """Variables that carry no information for an analyst: weights and numbers of things."""
    used = {scenario.weight for scenario in scenarios} | {each.household for each in scenarios}
    roles = ("identifier", "household", "weight")
    return tuple(
        each.name
        for each in schema
        if each.name in used or each.role in roles or suggested_role(each, (), 0) in roles
    )


def _weight(scenarios: Sequence[Scenario], sides: _Sides) -> Floats:
    if not scenarios or scenarios[0].weight is None:
        return np.ones(len(sides.before))
    name = scenarios[0].weight
    raw = numeric(sides.before.get_column(name), sides.old[name], source=sides.old.source)
    known = np.nan_to_num(raw, nan=0.0)
    return np.maximum(known, 1.0) if scenarios[0].low_weights == "clip" else known


def _numbers(sides: _Sides, leave: Sequence[str], wished: Sequence[str] | None) -> tuple[str, ...]:
    """Numeric variables: those named, or those that are no categories and no identifiers."""
    if wished is not None:
        for name in wished:
            sides.old[name]
        return tuple(dict.fromkeys(wished))
    found = []
    for variable in sides.old:
        if variable.name in leave or variable.kind not in ("number", "integer"):
            continue
        values = sides.before.get_column(variable.name)
        if values.n_unique() <= _FEW:
            continue
        categories = coded(values, variable, source=sides.old.source).categories
        rows = len(values) if _whole(values) else 0  # all different says nothing of fractions
        role = suggested_role(variable, categories, rows)
        if len(categories) > _FEW and role == "other":
            found.append(variable.name)
    return tuple(found)


def _tables(
    pairs: Sequence[Pair], named: int, weight: Floats, progress: Progress
) -> Iterator[Table]:
    """One-way tables of all variables, two-way tables of those that were named."""
    few = [each for each in pairs[named:] if len(each.categories) <= _MANY]
    wanted = [(each,) for each in (*pairs[:named], *few)] + list(combinations(pairs[:named], 2))
    for done, each in enumerate(wanted):
        progress("comparing tables", done / len(wanted))
        made = table(each, weight)
        if made is not None:
            yield made
    progress("comparing tables", 1.0)


def _means(
    sides: _Sides,
    names: Sequence[str],
    pairs: Sequence[Pair],
    keys: Sequence[str],
    weight: Floats,
    progress: Progress,
) -> tuple[list[Means], list[str]]:
    made, lost = [], []
    by = [each for each in pairs if each.name in keys and len(each.categories) <= _MANY]
    for done, name in enumerate(names):
        progress("comparing means", done / len(names))
        if name not in sides.new:
            lost.append(f"{name} was dropped: there are no means to compare.")
            continue
        try:
            values = sides.values(name)
        except InputError:
            lost.append(f"{name} does not hold numbers on both sides: no means are compared.")
            continue
        made += [means(name, values, each, weight) for each in (None, *by) if _has(each)]
    progress("comparing means", 1.0)
    return made, lost


def _has(by: Pair | None) -> bool:
    return by is None or not (by.dropped or (by.pool and len(by.categories) == 1))


def _notes(pairs: Sequence[Pair], numbers: Sequence[str]) -> Iterator[str]:
    for each in pairs:
        if each.dropped:
            yield f"{each.name} was dropped: all of its information is lost."
            continue
        differs = each.differing()
        if not differs.any():
            continue
        kept = int(np.count_nonzero(~differs[1:]))
        if each.name in numbers:
            yield f"{each.name} has other numbers now: compared by mean, total and entropy."
        elif kept:
            yield (
                f"{each.name} was recoded: tables compare the categories that still agree "
                f"({kept:,}) and take all others as one."
            )
        else:
            yield f"{each.name} was recoded and no category agrees: compared by entropy only."
