"""The contract of an engine: everything that the rest of the package asks of one.

Rows stay inside the engine; cells come out. Whoever has an engine never asks which one it is.
What an engine cannot do it declares (`Engine.gaps`) and refuses by name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, Membership
from microsafe.engine.record_access import (
    BlockFunction,
    GroupFunction,
    Ranking,
    RecordBatch,
    RecordFunction,
    RecordNumbers,
    Selection,
    TogetherFunction,
)
from microsafe.engine.record_order import NewOrder
from microsafe.engine.sampling import Sampling
from microsafe.engine.state_pairs import StatePairs
from microsafe.engine.transformations import Transformation
from microsafe.errors import MicrosafeError
from microsafe.notices import Notice
from microsafe.options.declaration import Declarations
from microsafe.options.scenario import Scenario
from microsafe.passes import Merged
from microsafe.progress import Progress, Tell, silent, tell_nobody
from microsafe.schema import Code, Schema, Variable
from microsafe.sums import Floats
from microsafe.variables.profile import VariableProfile
from microsafe.variables.traits import Traits

EngineName = Literal["local", "spark"]
NO_RECORDS = "intruders by record"  # what engines declare that keep records elsewhere
Figures = Mapping[str, Floats | NDArray[np.int64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineGap:
    """Something that an engine refuses.

    Attributes:
        error: What is raised.
        words: A pattern that its message matches.
        reason: Why it cannot be done.
    """

    error: type[MicrosafeError]
    words: str
    reason: str


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
class SampleSize:
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
    """Records of one study, and the verbs on them.

    An engine never changes: verbs that change records return another one.

    Attributes:
        gaps: What it refuses, by what was asked for.
    """

    gaps: ClassVar[Mapping[str, EngineGap]]

    @property
    def schema(self) -> Schema:
        """What is known of the variables."""

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a person should know about how the data were read."""

    @property
    def declarations(self) -> Declarations:
        """What the file's own metadata say of its variables beyond the schema."""

    @property
    def options(self) -> Mapping[str, Any]:
        """Options of `study` that open further data in such an engine, under the same limits."""

    def afford(self, size: int, what: str, remedy: str) -> None:
        """Make room for so many bytes besides the records.

        Args:
            size: Bytes.
            what: What they are for, such as "for a model of 3 cells".
            remedy: What the person can do, such as "Leave out keys,".

        Raises:
            InputError: The limit on memory does not allow it.
        """

    def convert_table(self, frame: pl.DataFrame) -> object:
        """Return a table that is no table of records in the kind of frame that came in."""

    def frame(self) -> object:
        """Return all records as they now are, in the kind of frame that came in.

        Raises:
            InputError: There is no room for them.
        """

    def table(self) -> pl.DataFrame:
        """Return all records as they now are, as they would be written, on this machine.

        Raises:
            InputError: There is no room for them, or they are more than may come here.
        """

    def check_output(self, path: str) -> None:
        """Raise UsageError if `write` would refuse the format of a path."""

    def write(
        self,
        path: str,
        *,
        notes: bool = True,
        blanks: Mapping[str, Code] | None = None,
        shuffle: NewOrder | None = None,
        prune: bool = False,
        progress: Progress = silent,
    ) -> tuple[Notice, ...]:
        """Write the records as they are now (see `Study.write`); return what to know of it."""

    def write_figures(
        self, frames: Iterator[Any], path: str, *, progress: Progress = silent
    ) -> None:
        """Write figures by record, as `records` or `record_batches` gave them."""

    def rows(self) -> int:
        """Return the number of records."""

    def describe(self, *, progress: Progress = silent) -> tuple[VariableProfile, ...]:
        """Look at every variable."""

    def traits(
        self, names: Sequence[str] | None = None, *, progress: Progress = silent
    ) -> tuple[Traits, ...]:
        """Count what the values of some variables, or all, look like.

        Compound values are counted as missing.
        """

    def allow_blank_keys(self) -> Engine:
        """Return the same records, of which a key may show nothing: all its values were blanked."""

    def cells(self, scenario: Scenario, *, progress: Progress = silent) -> Cells:
        """Count and weigh the combinations of keys that occur.

        With the attack model "weight" records of different weight are kept in different
        cells, as their risk differs; otherwise each combination is one cell.
        """

    def cells_each(
        self, scenarios: Sequence[Scenario], *, progress: Progress = silent
    ) -> tuple[Cells, ...]:
        """As `cells`, for several scenarios: those of one key may be counted together."""

    def risk_cells(self, scenario: Scenario, *, progress: Progress = silent) -> Cells:
        """Return what risk can be measured from: the cells.

        If they are more than the engine can hand out, rows that each stand for all cells of
        one count and weight (`Cells.alike`), where the rules of the scenario allow that.
        """

    def weight_facts(self, scenario: Scenario) -> WeightFacts | None:
        """Look at the sampling weights, if there are any."""

    def households(self, scenario: Scenario, values: Floats) -> Households:
        """Sum a value of at least 0, known for each cell, over the members of each household."""

    def membership(self, scenario: Scenario) -> Membership:
        """Count the members that each household has in each cell.

        Records without a household id are households of one. Rows are in the order of
        households, then of cells; only which rows share a household means something.
        """

    def find_lowest(self, scenario: Scenario, by_household: Floats, *, homes: Scenario) -> Floats:
        """For each cell the lowest value of the households that its records belong to.

        Args:
            scenario: Whose cells are meant.
            by_household: In the order of `households` under `homes`.
            homes: Whose households are meant; its keys are among those of `scenario`.
        """

    def find_constant_keys(self, scenario: Scenario) -> tuple[str, ...]:
        """Return the keys that never differ between members of a household."""

    def blank_keys(
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

    def blank_records(self, blanks: Mapping[str, NDArray[np.bool_]]) -> Engine:
        """Return an engine in which variables are blank in some records.

        Args:
            blanks: Which records, in input order, by variable.
        """

    def values(self, name: str) -> pl.Series:
        """Return the distinct values of a variable, missing codes included, null not."""

    def transform_variable(self, change: Transformation) -> Engine:
        """Return an engine in which one variable has other values; blanks stay blank."""

    def categories(self, name: str) -> Sequence[str]:
        """Return the categories of a variable in order, those that are blank now included.

        Code c stands for `categories[c - 1]`, 0 for what is missing.
        """

    def columns(
        self, selection: Selection, *, progress: Progress = silent
    ) -> Iterator[RecordBatch]:
        """Go through values by record, in input order.

        How many records a batch has is the engine's affair. Records without an order come in
        that of their identifiers.

        Raises:
            UsageError: Records have no order, and no identifier is named.
            InputError: Identifiers are repeated or missing.
        """

    def map_records(
        self, selection: Selection, after: Sequence[Variable], function: RecordFunction
    ) -> Engine:
        """Return an engine in which a function of each record gives some variables other values.

        A variable comes back in the form in which it went out. Blanks stay blank, and a record
        whose value comes back as missing keeps what it has.

        Args:
            selection: What the function is given.
            after: The variables that it returns, as they are from then on: integer, number
                or text.
            function: Returns values by variable. What it says of a record rests on that record
                alone: it may be called for any batch, in any process, more than once.
        """

    def map_groups(
        self,
        selection: Selection,
        after: Sequence[Variable],
        group: GroupFunction,
        function: TogetherFunction,
        tell: Tell = tell_nobody,
    ) -> Engine:
        """As `map_records`, of a function that is given all records of a group together.

        They come in the order of their numbers.

        Args:
            selection: What the functions are given.
            after: The variables that come back, as they are from then on.
            group: Number of the group of each record, which rests on that record alone; a record
                of none, below 0, keeps what it has.
            function: Returns values by variable; called once or more for each group. It may tell
                how many of the records are done.
            tell: How far all groups together are, where the engine does them itself.

        Raises:
            InputError: There is no room for a group.
        """

    def map_blocks(
        self,
        selection: Selection,
        after: Sequence[Variable],
        ranking: Ranking,
        function: BlockFunction,
    ) -> Engine:
        """As `map_groups`, of a function that is given blocks of records of neighbouring rank.

        Args:
            selection: What the functions are given.
            after: The variables that come back, as they are from then on.
            ranking: How records are ordered and cut into blocks.
            function: Given the records of some whole blocks in the order of their ranks, and
                numbers that tell the blocks apart; returns values by variable.

        Raises:
            InputError: There is no room for a block.
        """

    def reduce_records(
        self, selection: Selection, function: Callable[[RecordBatch], Merged]
    ) -> Merged:
        """Put together what a function says of records; nothing else of them comes here.

        Args:
            selection: What the function is given.
            function: Called for any batch, in any process. What its findings make together must
                not depend on how records are parted.

        Raises:
            InputError: There are no records.
        """

    def replace_columns(
        self, selection: Selection, after: Sequence[Variable], batches: Iterable[RecordBatch]
    ) -> Engine:
        """Return an engine in which some variables have other values, given for all records.

        For what cannot be said of each record by itself. Otherwise as `map_records`.

        Args:
            selection: By which values went out.
            after: The variables that come back, as they are from then on.
            batches: Their values, in the batches and the order of `columns`.
        """

    def copy_variable(self, name: str, copy: Variable) -> Engine:
        """Return an engine with one more variable, the last: what another one is now, blanks too.

        Args:
            name: Of the other.
            copy: What is known of the new one; its kind is that of the other.
        """

    def replace_variable(self, name: str, by: str) -> Engine:
        """Return an engine in which a variable is what another one was, which is gone."""

    def redefine_variables(self, variables: Sequence[Variable]) -> Engine:
        """Return an engine in which other things are known of some variables; values stay.

        Args:
            variables: As they are from then on, of the same kinds.
        """

    def drop_variables(self, names: Collection[str]) -> Engine:
        """Return an engine that does not have some variables."""

    def draw_sample(
        self, sampling: Sampling, *, progress: Progress = silent
    ) -> tuple[Engine, SampleSize]:
        """Return an engine with a random sample of the records, in their order, and its size.

        Each household or record is drawn by the number of its first record in the input,
        counted from 0 (see `engine.sampling`). Asked of the data as read, before any change.

        Raises:
            InputError: Nothing is left.
        """

    def keep_records(
        self,
        kept: RecordNumbers,
        *,
        weight: Variable | None,
        factor: Floats,
        progress: Progress = silent,
    ) -> Engine:
        """Return an engine with some of the records, in their order.

        Asked of the data as read, or of a sample of them.

        Args:
            kept: Their numbers, in the order of `columns`.
            weight: What the weight is from then on, multiplied by the factor; if there was none it
                is added, and is the factor. None if no weight changes.
            factor: Of each record that is kept.
            progress: Progress callback.
        """

    def count_blanks(self) -> Mapping[str, int]:
        """Return the number of values that were blanked, by variable."""

    def count_changed_records(self, since: Any) -> int:
        """Return the number of records that lost a value since an earlier state."""

    def pair_with(
        self, after: Any, scenario: Scenario | None, *, progress: Progress = silent
    ) -> StatePairs:
        """Put a later state of the same records beside this one.

        Args:
            after: The later state, in the same engine.
            scenario: Gives the weight; every record counts once if there is none.
            progress: Progress callback.
        """

    def find_records(self, scenario: Scenario, cell: Index, *, most: int) -> list[int]:
        """Return the numbers, from 1, of the first records that lie in some cells.

        They are those of the input, be the records a sample of it.
        """

    def records(
        self,
        scenario: Scenario,
        by_cell: Figures,
        by_household: Mapping[str, Floats],
        *,
        identifiers: Sequence[str] = (),
    ) -> object:
        """Give every record the values of its cell and household, in input order.

        Variables that are named as identifiers come first, as they now are; one that has the
        name of a figure is called `variable_` and its name.

        Raises:
            InputError: There is no such variable.
        """

    def record_batches(
        self,
        scenario: Scenario,
        by_cell: Figures,
        by_household: Mapping[str, Floats],
        *,
        identifiers: Sequence[str] = (),
        progress: Progress = silent,
    ) -> Iterator[object]:
        """Go through the same in frames of some records, where the engine has them here."""
