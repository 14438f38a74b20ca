"""Two states of the data side by side, by group of records that are alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from microsafe.compare.columns import Count, Pair, Places
from microsafe.compare.compute import GroupSums
from microsafe.engine import Engine, Local
from microsafe.engine.roles import suggested_role
from microsafe.progress import Progress
from microsafe.scenario import Scenario
from microsafe.schema import Schema, Variable
from microsafe.sums import Floats

FEW = 20  # categories up to which a number is read as a category
MANY = 1000  # categories from which on records are not grouped by a variable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedRows:
    """Groups of records that are alike in what is compared.

    Attributes:
        pairs: The variables that are compared, all by the same rows.
        weight: Of each row.
        count: Records in each row.
        records: In all.
        sums: A numeric variable before and after; None if it does not hold numbers on both sides.
        apart: Variables with so many categories that rows are not grouped by them, with rows of
            their own. In `pairs` these tell only whether they are missing, kept or changed.
    """

    pairs: Sequence[Pair]
    weight: Floats
    count: Count
    records: int
    sums: Callable[[str], tuple[GroupSums, GroupSums] | None]
    apart: Mapping[str, tuple[Pair, Floats, Count]] = field(default_factory=dict)


def state(name: str, before: Places, after: Places) -> Pair:
    """Return a variable that tells only whether it is missing, kept or changed."""
    return Pair(
        name=name, before=before, after=after, categories=("kept", "changed"), counts=(1, 2)
    )


def measures(variable: Variable, categories: int, records: int, *, fractions: bool) -> bool:
    """Tell whether a numeric variable measures something, rather than names it."""
    rows = 0 if fractions else records  # all different says nothing of fractions
    return categories > FEW and suggested_role(variable, range(categories), rows) == "other"


class Sides(Protocol):
    """The data before and after."""

    @property
    def old(self) -> Schema:
        """Variables before."""

    @property
    def new(self) -> Schema:
        """Variables after."""

    def find_altered(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Variables besides some that were changed but are still there."""

    def numbers(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Numeric variables besides some that are no categories and no identifiers."""

    def rows(
        self, named: Sequence[str], others: Sequence[str], numbers: Sequence[str]
    ) -> PairedRows:
        """Bring the variables together."""


def sides_of(
    before: Engine, after: Engine, scenarios: Sequence[Scenario], progress: Progress
) -> Sides:
    """Put two states of the data side by side; the first scenario gives the weight."""
    scenario = scenarios[0] if scenarios else None
    if isinstance(before, Local) and isinstance(after, Local):
        from microsafe.compare.batched import Batched

        return Batched(before, after, scenario, progress)
    from microsafe.compare.aggregates import Aggregates

    return Aggregates(cast(Any, before), cast(Any, after), scenario)
