"""What every engine can do. Rows stay inside it; cells come out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.engine.rules import Transformation
from microsafe.engine.sampling import Sampling
from microsafe.progress import Progress, silent
from microsafe.scenario import Scenario
from microsafe.schema import Kind, Role, Schema
from microsafe.sums import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One variable at a glance.

    Attributes:
        name: Of the variable.
        label: What it means.
        kind: How its values are stored.
        categories: Distinct values that are not missing.
        missing: Records in which it is missing.
        role: What it is probably for.
    """

    name: str
    label: str
    kind: Kind
    categories: int
    missing: int
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightFacts:
    """The sampling weights at a glance: their middle, and how many were raised to 1."""

    median: float
    all_one: bool
    clipped: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Households:
    """Households: sums over their members of something known for each cell.

    Attributes:
        total: The sum, one per household.
        size: Members in the file.
        unassigned: Records without a household id, each counted as a household of one.
        size_key: The key that holds the size of the household, if one does.
    """

    total: Floats
    size: NDArray[np.int64]
    unassigned: int
    size_key: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """How large a sample is, and what it was drawn from.

    Attributes:
        records: In the sample.
        of_records: In the file.
        households: In the sample, records without an id counting as households of one; None if
            records were drawn.
        of_households: In the file, likewise.
    """

    records: int
    of_records: int
    households: int | None = None
    of_households: int | None = None


class Engine(Protocol):
    """The verbs an engine offers."""

    @property
    def schema(self) -> Schema:
        """What is known of the variables."""

    def rows(self) -> int:
        """Return the number of records."""

    def describe(self, *, progress: Progress = silent) -> tuple[Summary, ...]:
        """Look at every variable."""

    def cells(self, scenario: Scenario, *, progress: Progress = silent) -> Cells:
        """Count and weigh the combinations of keys that occur.

        With the attack model "weight" records of different weight are kept in different
        cells, as their risk differs; otherwise each combination is one cell.
        """

    def weight_facts(self, scenario: Scenario) -> WeightFacts | None:
        """Look at the sampling weights, if there are any."""

    def households(self, scenario: Scenario, values: Floats) -> Households:
        """Sum a value of at least 0, known for each cell, over the members of each household."""

    def lowest(self, scenario: Scenario, by_household: Floats, *, homes: Scenario) -> Floats:
        """For each cell the lowest value of the households that its records belong to.

        Args:
            scenario: Whose cells are meant.
            by_household: In the order of `households` under `homes`.
            homes: Whose households are meant; its keys are among those of `scenario`.
        """

    def constant(self, scenario: Scenario) -> tuple[str, ...]:
        """Return the keys that never differ between members of a household."""

    def blanked(
        self,
        scenario: Scenario,
        cell: Index,
        keys: NDArray[np.int64],
        count: NDArray[np.int64],
        *,
        linked: Mapping[str, Sequence[str]],
        together: Sequence[tuple[str, Collection[str]]] = (),
    ) -> Engine:
        """Return an engine in which some keys are blank.

        Args:
            scenario: Whose cells are meant.
            cell: Numbers of cells; one may occur more than once.
            keys: Keys to blank there; bit j stands for key j of the scenario.
            count: In how many of its records, the first in input order.
            linked: Variables that are blanked wherever a key is, by key.
            together: Household variables, each with keys that are then blanked in all members
                of a household if they are in one; in this order.
        """

    def values(self, name: str) -> pl.Series:
        """Return the distinct values of a variable, missing codes included, null not."""

    def transformed(self, change: Transformation) -> Engine:
        """Return an engine in which one variable has other values; blanks stay blank."""

    def without(self, names: Collection[str]) -> Engine:
        """Return an engine that does not have some variables."""

    def sampled(self, sampling: Sampling, *, progress: Progress = silent) -> tuple[Engine, Drawn]:
        """Return an engine with a random sample of the records, in their order, and its size.

        Each household or record is drawn by the number of its first record in the input,
        counted from 0 (see `engine.sampling`). Asked of the data as read, before any change.

        Raises:
            InputError: Nothing is left.
        """

    def blanks(self) -> Mapping[str, int]:
        """Return the number of values that were blanked, by variable."""

    def changed(self, since: Any) -> int:
        """Return the number of records that lost a value since an earlier engine."""

    def rows_of(self, scenario: Scenario, cell: Index, *, most: int) -> list[int]:
        """Return the numbers, from 1, of the first records that lie in some cells.

        They are those of the input, be the records a sample of it.
        """

    def records(
        self,
        scenario: Scenario,
        by_cell: Mapping[str, Floats | NDArray[np.int64]],
        by_household: Mapping[str, Floats],
    ) -> object:
        """Give every record the values of its cell and household, in input order."""
