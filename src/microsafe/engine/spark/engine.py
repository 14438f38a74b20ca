"""The Spark engine: records stay on the cluster, cells come out, figures go back in.

Every verb says how many passes over the records and how many shuffles it takes. A pass reads only
the columns that it needs. Nothing is cached behind the caller's back but what came here, and what
steps made that bring records together, which Spark keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pyspark.sql import functions as sf

from microsafe.cells import Cells, Index, Membership
from microsafe.engine.coding import make_empty_key_error
from microsafe.engine.contract import (
    NO_RECORDS,
    EngineGap,
    Figures,
    Households,
    SampleSize,
    WeightFacts,
)
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
from microsafe.engine.sampling import Sampling, nothing_drawn, reweigh_schema
from microsafe.engine.spark import blanks, frames, households, writing
from microsafe.engine.spark import record_access as gates
from microsafe.engine.spark import sampling as drawing
from microsafe.engine.spark.cells import SparkCells, cell_label, household_label
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.engine_gaps import GAPS
from microsafe.engine.spark.group_apply import map_blocks, map_groups
from microsafe.engine.spark.households import MemberRows, SparkHouseholdIndex
from microsafe.engine.spark.queries import TellShare, tell_no_share
from microsafe.engine.spark.rows import fetch, fetch_distinct
from microsafe.engine.spark.source import SparkSource, open_frame
from microsafe.engine.spark.stacked_variables import count_values, fetch_values
from microsafe.engine.spark.state_pairs import SparkPairs
from microsafe.engine.spark.tally import CellTally
from microsafe.engine.spark.value_traits import find_traits
from microsafe.engine.transformations import Transformation, declared_missing, sort_distinct
from microsafe.errors import InputError, TooManyCellsError
from microsafe.notices import Notice
from microsafe.options.declaration import Declarations
from microsafe.options.scenario import Scenario
from microsafe.passes import Merged
from microsafe.progress import Progress, Tell, silent, tell_nobody
from microsafe.schema import Code, Schema, Variable
from microsafe.sums import Floats
from microsafe.variables.profile import VariableProfile, profile_variable
from microsafe.variables.traits import Traits

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_CELLS = 20_000_000  # combinations of keys, distinct values or households that may come here
FEW_RECORDS = 1_000_000  # up to which weights, and members of households, come here once


class SparkEngine:
    """Records of a Spark frame.

    Args:
        source: The frame, table or file.
        most_cells: Combinations of keys, distinct values or households that may come here.
    """

    gaps: ClassVar[Mapping[str, EngineGap]] = GAPS

    def __init__(self, source: SparkSource, *, most_cells: int = MOST_CELLS) -> None:
        self.data = Data.of(source.schema, source.frame, source.order)
        self._origin = source
        self.most_cells = most_cells
        self._count: int | None = None
        self._known: dict[str, pl.Series] = {}
        self._values: dict[str, tuple[int, int]] = {}
        self._traits: dict[str, Traits] = {}
        self._blanks: Mapping[str, int] | None = None
        self._counted = SparkCells(most=most_cells)
        self._may_be_blank = False

    @property
    def schema(self) -> Schema:
        """What is known of the variables."""
        return self.data.schema

    @property
    def _source(self) -> str:
        return self.data.schema.source

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a person should know about how the data were read."""
        return self._origin.notices

    @property
    def declarations(self) -> Declarations:
        """What the file that was handed over says of its variables."""
        return self._origin.origin.declarations if self._origin.origin else {}

    @property
    def options(self) -> Mapping[str, Any]:
        """The session in use is found again without a master."""
        return {"engine": "spark", "most_cells": self.most_cells}

    def afford(self, size: int, what: str, remedy: str) -> None:
        """Nothing is refused: what comes here is limited by `most_cells`."""

    def convert_table(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return a table as it is: what came here stays here."""
        return frame

    def check_output(self, path: str) -> None:
        """Raise UsageError if records that came this way cannot be written in a format."""
        writing.check_output(self._origin, path)

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
        """One pass over all columns; one shuffle of the records unless a folder is written."""
        return writing.write_data(
            self.data,
            self._origin,
            path,
            count=self.rows,
            notes=notes,
            blanks=blanks,
            shuffle=shuffle,
            prune=prune,
            progress=progress,
        )

    def write_figures(
        self, frames: Iterator[Any], path: str, *, progress: Progress = silent
    ) -> None:
        """Write records with their figures, as `records` returns them."""
        for frame in frames:
            schema = open_frame(frame).schema
            writing.write_frame(frame, schema, path, count=self.rows, progress=progress)

    def rows(self) -> int:
        """One pass without columns, which costs next to nothing in Parquet."""
        if self._count is None:
            counted = fetch(self.data.rows.base.agg(sf.count("*").alias("n")), self._source)
            self._count = int(counted.item())
        if not self._count:
            raise InputError(f"{self._source} has no records.")
        return self._count

    def describe(self, *, progress: Progress = silent) -> tuple[VariableProfile, ...]:
        """One pass over all variables; two shuffles of their distinct values."""
        progress("reading", 0.0)
        summaries = self.summaries(self.schema.names, partial(progress, "reading"))
        progress("reading", 1.0)
        return summaries

    def summaries(
        self, names: Sequence[str], tell: TellShare = tell_no_share
    ) -> tuple[VariableProfile, ...]:
        """Look at some variables: one pass over them, two shuffles of their distinct values."""
        plain = [name for name in names if self.schema[name].kind != "other"]
        self._count_values([name for name in plain if name not in self._values], tell)
        counts = ((name, *self._values.get(name, (0, 0))) for name in names)
        return tuple(
            profile_variable(self.schema[name], distinct, missing)
            for name, distinct, missing in counts
        )

    def _count_values(self, names: Sequence[str], tell: TellShare) -> None:
        """Count categories of variables, and records in which each is missing."""
        if not names:
            return
        counts = count_values(self.data, names, tell)
        blanked = [name for name in names if self.data.refs[name].blank is not None]
        self._know_values(blanked)
        for name in blanked:  # what was blanked stays a category
            categories = int((~declared_missing(self.values(name), self.schema[name])).sum())
            counts[name] = categories, counts[name][1]
        self._values |= counts

    def _know_values(self, names: Iterable[str]) -> None:
        """Bring the distinct values of variables here by one query, if they are not too many."""
        new = [name for name in names if name not in self._known]
        if len(new) > 1:
            self._known |= fetch_values(self.data, new, most=self.most_cells)

    def values(self, name: str) -> pl.Series:
        """One pass of one column, one shuffle of its distinct values; then they are kept here."""
        if name not in self._known:
            frame = self.data.rows.frame([self.data.refs[name].value])
            values = frame.select(self.data.plain_values(name).alias("v"))
            self._known[name] = fetch_distinct(values, name, self._source, most=self.most_cells)
        return self._known[name]

    def categories(self, name: str) -> Sequence[str]:
        """One pass of one column, one shuffle of its distinct values."""
        return self._coding(name).categories

    def _coding(self, name: str) -> gates.Coding:
        ref = self.data.refs[name]
        if ref.dtype.typeName() == "decimal":  # a number to rules but text to cells
            texts = sf.col(ref.value).cast("string").alias("v")
            frame = self.data.rows.frame([ref.value]).select(texts)
            values = fetch_distinct(frame, name, self._source, most=self.most_cells)
        else:
            values = self.values(name)
        return gates.code_values(values, self.schema[name], self._source)

    def _gate(self, selection: Selection, after: Sequence[Variable] = ()) -> gates.Gate:
        selection.check(self.schema, after)
        coded = [name for name, form in selection.forms.items() if form == "code"]
        decimal = {name for name in coded if self.data.refs[name].dtype.typeName() == "decimal"}
        self._know_values(name for name in coded if name not in decimal)
        codings = {name: self._coding(name) for name in coded}
        return gates.open_gate(self.data, selection, codings)

    def columns(
        self, selection: Selection, *, progress: Progress = silent
    ) -> Iterator[RecordBatch]:
        """One pass, one shuffle to sort; all values come here at once."""
        gate, tell = self._gate(selection), partial(progress, "reading")
        return gates.read_columns(self.data, gate, most=self.most_cells, tell=tell)

    def map_records(
        self, selection: Selection, after: Sequence[Variable], function: RecordFunction
    ) -> SparkEngine:
        """No pass now but for distinct values and identifiers. Later Python runs in Spark."""
        gate = self._gate(selection, after)
        data = gates.map_records(self.data, gate, after, function)
        return self._with_data(data, [variable.name for variable in after])

    def map_blocks(
        self,
        selection: Selection,
        after: Sequence[Variable],
        ranking: Ranking,
        function: BlockFunction,
    ) -> SparkEngine:
        """Three passes: quantiles, records between them, the largest block. Later two shuffles.

        Spark sorts between quantiles, then brings blocks together; a join by number. What the
        function makes is kept by Spark.
        """
        data = map_blocks(
            self.data, self._gate(selection, after), after, ranking, function, most=self.most_cells
        )
        return self._with_data(data, [variable.name for variable in after])

    def reduce_records(
        self, selection: Selection, function: Callable[[RecordBatch], Merged]
    ) -> Merged:
        """One pass, in which Python runs in Spark; what each partition makes of it comes here."""
        return gates.reduce_records(self.data, self._gate(selection), function)

    def map_groups(
        self,
        selection: Selection,
        after: Sequence[Variable],
        group: GroupFunction,
        function: TogetherFunction,
        tell: Tell = tell_nobody,  # noqa: ARG002
    ) -> SparkEngine:
        """One pass to count the records of groups. Later a shuffle by group and a join by number.

        What the function makes is kept by Spark, as it may have taken long.
        """
        data = map_groups(
            self.data, self._gate(selection, after), after, group, function, most=self.most_cells
        )
        return self._with_data(data, [variable.name for variable in after])

    def replace_columns(
        self, selection: Selection, after: Sequence[Variable], batches: Iterable[RecordBatch]
    ) -> SparkEngine:
        """No pass now but for distinct values and identifiers. Later a join by number."""
        gate = self._gate(selection, after)
        data = gates.replace_columns(self.data, gate, after, batches, records=self.rows())
        return self._with_data(data, [variable.name for variable in after])

    def traits(
        self, names: Sequence[str] | None = None, *, progress: Progress = silent
    ) -> tuple[Traits, ...]:
        """One pass over the columns; two shuffles of their distinct values."""
        names = self.schema.names if names is None else names
        new = [name for name in names if name not in self._traits]
        plain = [name for name in new if self.schema[name].kind != "other"]
        for traits in find_traits(self.data, plain, partial(progress, "reading")) if plain else []:
            self._traits[traits.name], self._count = traits, traits.records + traits.missing
        for name in set(new).difference(plain):
            self._traits[name] = Traits(name=name, records=0, missing=self.rows(), distinct=0)
        progress("reading", 1.0)
        return tuple(self._traits[name] for name in names)

    def allow_blank_keys(self) -> SparkEngine:
        """The same data, of which a key may show nothing."""
        allowed = copy(self)
        allowed._may_be_blank = True
        return allowed

    def cells(self, scenario: Scenario, *, progress: Progress = silent) -> Cells:
        """One pass over keys and weight, one shuffle of combinations."""
        return self._tally(scenario, progress).cells

    def cells_each(
        self, scenarios: Sequence[Scenario], *, progress: Progress = silent
    ) -> tuple[Cells, ...]:
        """One pass for all scenarios of one key, one shuffle of their categories."""
        blanked = {
            key for scenario in scenarios for key in scenario.keys if self.data.refs[key].blank
        }
        self._know_values(sorted(blanked))
        self._counted.tally_single_keys(self.data, scenarios, self.values, progress)
        return tuple(self.cells(scenario, progress=progress) for scenario in scenarios)

    def risk_cells(self, scenario: Scenario, *, progress: Progress = silent) -> Cells:
        """One pass over keys and weight; a second one if cells are too many to come here."""
        try:
            return self.cells(scenario, progress=progress)
        except TooManyCellsError:
            return self._counted.profile(self.data, scenario, progress).cells

    def _tally(self, scenario: Scenario, progress: Progress = silent) -> CellTally:
        tally = self._counted.tally(self.data, scenario, self.values, progress)
        self._count = tally.cells.records
        for key, categories in zip(scenario.keys, tally.cells.categories, strict=False):
            if not len(categories) and not self._may_be_blank:
                raise make_empty_key_error(key, self._source)
        return tally

    def weight_facts(self, scenario: Scenario) -> WeightFacts | None:
        """Two passes over the weight, whose median cannot be computed from cells, once.

        Of few records weights come here instead, in one pass.
        """
        if scenario.weight is None:
            return None
        profile = self._counted.profiles.get(cell_label(scenario)) or self._tally(scenario)
        all_one = bool(np.all(profile.cells.weight == profile.cells.count))
        few = profile.cells.records <= FEW_RECORDS
        return WeightFacts(
            median=1.0 if all_one else self.data.median_weight(scenario, few=few),
            all_one=all_one,
            clipped=profile.clipped,
        )

    def households(self, scenario: Scenario, values: Floats) -> Households:
        """One pass over keys and household, one shuffle of the records by household.

        Of few records members come here once instead, however often they are asked for.
        """
        if self.rows() <= FEW_RECORDS:
            tally, members = self._tally(scenario), self._members(scenario)
            self._counted.homes[household_label(scenario)] = members.index
            return members.sum_households(tally, values)
        sums, homes = households.sum_households(
            self.data.with_households(scenario),
            self._tally(scenario),
            values,
            keys=scenario.keys,
            source=self._source,
            most=self.most_cells,
        )
        self._counted.homes[household_label(scenario)] = homes
        return sums

    def _home(self, scenario: Scenario) -> SparkHouseholdIndex:
        label = household_label(scenario)
        if label not in self._counted.homes:
            self.households(scenario, np.zeros(len(self.cells(scenario))))
        return self._counted.homes[label]

    def membership(self, scenario: Scenario) -> Membership:
        """One pass over keys and household, one shuffle of the records by both."""
        return self._members(scenario).membership()

    def _members(self, scenario: Scenario) -> MemberRows:
        label = household_label(scenario)
        if label in self._counted.members:
            return self._counted.members[label]
        members = households.fetch_members(
            self.data.with_households(scenario),
            self._tally(scenario),
            source=self._source,
            most=self.most_cells,
        )
        if self.rows() <= FEW_RECORDS:
            self._counted.members[label] = members
        return members

    def find_lowest(self, scenario: Scenario, by_household: Floats, *, homes: Scenario) -> Floats:
        """One pass over keys and household, one shuffle of combinations."""
        tally, known = self._tally(scenario), self._home(homes)
        frame = self.data.with_households(replace(scenario, household=homes.household))
        by_id = known.table(by_household, "low")
        result = households.find_lowest(frame, tally, by_id, source=self._source)
        if len(known.alone):
            # Records without a household are known by their cells, and those by both key sets.
            both = replace(homes, keys=scenario.keys)
            fine = households.RecordsWithoutHousehold(
                tally=self._tally(both), cells=self._home(both).alone
            )
            coarse = households.RecordsWithoutHousehold(tally=self._tally(homes), cells=known.alone)
            households.lower_alone(result, fine, coarse, by_household[len(known.ids) :], tally)
        return result

    def find_constant_keys(self, scenario: Scenario) -> tuple[str, ...]:
        """One pass over keys and household, one shuffle of the records by household."""
        if self.rows() <= FEW_RECORDS:
            return self._members(scenario).find_constant_keys(self._tally(scenario))
        known = {f"k{j}": self.data.known_values(key) for j, key in enumerate(scenario.keys)}
        frame = self.data.with_households(scenario).withColumns(known)
        return households.find_constant_keys(frame, scenario.keys, source=self._source)

    def blank_keys(
        self,
        scenario: Scenario,
        cell: Index,
        keys: NDArray[np.int64],
        count: NDArray[np.int64],
        *,
        linked: Mapping[str, Sequence[str]],
        together: Sequence[tuple[str, Collection[str]]] = (),
    ) -> SparkEngine:
        """A pass of one column for each linked variable now. Later a join with the cells.

        Records of cells that lose keys in part are shuffled by cell to find the first ones, and
        members of households that lose keys together by household.
        """
        tally, request = (
            self._tally(scenario),
            blanks.BlankRequest(cell=cell, keys=keys, count=count),
        )
        data, touched = blanks.blank_keys(
            self.data, scenario, tally, request, linked=linked, together=together
        )
        changed = self._with_data(data, touched)
        for name in touched:  # what is blanked stays a category
            changed._known[name] = self._values_in(tally, scenario, name)
        return changed

    def blank_records(
        self,
        blanks: Mapping[str, NDArray[np.bool_]],  # noqa: ARG002  # no places to find them by
    ) -> SparkEngine:
        """Refuse it: records have no places here."""
        gap = self.gaps[NO_RECORDS]
        raise gap.error(f"Blanks of single records of {self._source}: {gap.reason}.")

    def _values_in(self, tally: CellTally, scenario: Scenario, name: str) -> pl.Series:
        """Distinct values of a variable, from the cells if they show them all."""
        ref = self.data.refs[name]
        shown = name in scenario.keys and ref.blank is None
        if name in self._known or not shown or ref.dtype.typeName() == "decimal":
            return self.values(name)
        return sort_distinct(tally.values[f"k{scenario.keys.index(name)}"])

    def transform_variable(self, change: Transformation) -> SparkEngine:
        """No pass now but for the distinct values. Later a join with these."""
        name = change.after.name
        data, new = self.data.transform(change, self.values(name))
        changed = self._with_data(data, (name,))
        changed._known[name] = sort_distinct(new)
        return changed

    def copy_variable(self, name: str, copy: Variable) -> SparkEngine:
        """No pass."""
        changed = self._with_data(self.data.copy_variable(name, copy), (copy.name,))
        if name in changed._known:
            changed._known[copy.name] = changed._known[name]
        return changed

    def replace_variable(self, name: str, by: str) -> SparkEngine:
        """No pass."""
        changed = self._with_data(self.data.replace_variable(name, by), (name, by))
        if by in self._known:
            changed._known[name] = self._known[by]
        return changed

    def redefine_variables(self, variables: Sequence[Variable]) -> SparkEngine:
        """No pass."""
        by_name = {variable.name: variable for variable in variables}
        schema = replace(self.schema, variables=tuple(by_name.get(v.name, v) for v in self.schema))
        return self._with_data(replace(self.data, schema=schema, numbers={}, medians={}), by_name)

    def drop_variables(self, names: Collection[str]) -> SparkEngine:
        """No pass."""
        return self._with_data(self.data.drop_variables(names), names)

    def draw_sample(
        self, sampling: Sampling, *, progress: Progress = silent
    ) -> tuple[SparkEngine, SampleSize]:
        """A pass without columns to number the records of Parquet files, and one to count.

        Households take two passes and two shuffles of their numbers instead of the latter, and
        later a join with those that are drawn. Weights that are text take one more pass.
        """
        progress("drawing the sample", 0.0)
        frame, drawn = drawing.draw_sample(self.data, sampling, most=self.most_cells)
        if not drawn.records:
            raise nothing_drawn(self._source)
        sample = self._with_part(frame, sampling.weight, drawn.records)
        progress("drawing the sample", 1.0)
        return sample, drawn

    def keep_records(
        self,
        kept: RecordNumbers,
        *,
        weight: Variable | None,
        factor: Floats,
        progress: Progress = silent,  # noqa: ARG002
    ) -> SparkEngine:
        """A pass as for a sample, and later a join with the numbers of those that are kept."""
        frame = drawing.keep_records(self.data, kept, weight, factor)
        return self._with_part(frame, weight, len(kept))

    def _with_part(self, frame: DataFrame, weight: Variable | None, count: int) -> SparkEngine:
        """An engine with some of the records, which are numbered."""
        schema = self.schema if weight is None else reweigh_schema(self.schema, weight)
        source = replace(self._origin, schema=schema, frame=frame, order=(drawing.NUMBER,))
        part = SparkEngine(source, most_cells=self.most_cells)
        part._count = count
        return part

    def _with_data(self, data: Data, touched: Collection[str]) -> SparkEngine:
        """An engine with other data, which knows what does not rest on what is touched."""
        changed = copy(self)
        changed.data, changed._counted = data, self._counted.without(touched)
        changed._known = {
            name: values for name, values in self._known.items() if name not in touched
        }
        changed._values = {
            name: counts for name, counts in self._values.items() if name not in touched
        }
        changed._traits, changed._blanks = {}, None
        return changed

    def count_blanks(self) -> Mapping[str, int]:
        """One pass over what the blanks rest on, once."""
        if self._blanks is None:
            self._blanks = blanks.count_blanks(self.data)
        return self._blanks

    def count_changed_records(self, since: Any) -> int:
        """One pass over what the blanks rest on."""
        return blanks.count_changed_records(self.data, since.data)

    def pair_with(
        self, after: SparkEngine, scenario: Scenario | None, *, progress: Progress = silent
    ) -> SparkPairs:
        """No pass now."""
        return SparkPairs(self, after, scenario, progress)

    def find_records(self, scenario: Scenario, cell: Index, *, most: int) -> list[int]:
        """One pass over keys. Records without an order have no numbers."""
        if not self.data.rows.order or not len(cell):
            return []
        return frames.find_records(self.data, scenario, self._tally(scenario), cell, most=most)

    def frame(self, *, ordered: bool = False) -> DataFrame:
        """Return all variables of all records as they now are (see `frames.make_frame`)."""
        return frames.make_frame(self.data, ordered=ordered)

    def table(self) -> pl.DataFrame:
        """One pass, one shuffle to sort them; all records come here at once."""
        return frames.fetch_records(self.data, most=self.most_cells)

    def records(
        self,
        scenario: Scenario,
        by_cell: Figures,
        by_household: Mapping[str, Floats],
        *,
        identifiers: Sequence[str] = (),
    ) -> DataFrame:
        """Return a Spark frame: all variables or identifiers, and the figures behind them.

        No pass now. Later a join with the cells and one with the households.
        """
        names = [self.schema[name].name for name in identifiers] or self.data.shown_names
        profile = self._counted.profiles.get(cell_label(scenario))
        if profile is not None:
            return frames.attach_to_pairs(self.data, scenario, profile, by_cell, names)
        homes = self._home(scenario) if by_household else None
        return frames.attach_to_records(
            self.data, scenario, self._tally(scenario), by_cell, by_household, homes, names
        )

    def record_batches(
        self,
        scenario: Scenario,
        by_cell: Figures,
        by_household: Mapping[str, Floats],
        *,
        identifiers: Sequence[str] = (),
        progress: Progress = silent,  # noqa: ARG002  # nothing is done before it is written
    ) -> Iterator[DataFrame]:
        """Give the one frame of `records`, which stays where it is."""
        return iter((self.records(scenario, by_cell, by_household, identifiers=identifiers),))
