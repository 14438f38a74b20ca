"""The Spark engine: records stay on the cluster, cells come out, figures go back in.

Every verb says how many passes over the records and how many shuffles it takes. A pass reads only
the columns that it needs. Nothing is cached behind the caller's back but what came here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pyspark.sql import functions as sf

from microsafe.cells import Cells, Index
from microsafe.engine.base import Drawn, Figures, Gap, Households, Summary, WeightFacts
from microsafe.engine.roles import suggested_role
from microsafe.engine.rules import Transformation, declared_missing, distinct
from microsafe.engine.sampling import Sampling, nothing_drawn
from microsafe.engine.spark import blanks, frames, households, writing
from microsafe.engine.spark import sampling as drawing
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.gaps import GAPS
from microsafe.engine.spark.households import Homes
from microsafe.engine.spark.pairs import SparkPairs
from microsafe.engine.spark.profile import Profile, profile
from microsafe.engine.spark.rows import fetched, looked_up
from microsafe.engine.spark.source import SparkSource, open_frame
from microsafe.engine.spark.tally import Tally, counted, tallied
from microsafe.engine.spark.watching import Tell, nobody
from microsafe.engine.spark.weights import median, refuse_faulty
from microsafe.errors import InputError, TooManyCellsError
from microsafe.io import check_writable, write
from microsafe.notices import Notice
from microsafe.progress import Progress, silent
from microsafe.scenario import Scenario
from microsafe.schema import Code, Schema
from microsafe.sums import Floats

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_CELLS = 20_000_000  # combinations of keys, distinct values or households that may come here


class Spark:
    """Records of a Spark frame.

    Args:
        source: The frame, table or file.
        most_cells: Combinations of keys, distinct values or households that may come here.
    """

    gaps: ClassVar[Mapping[str, Gap]] = GAPS

    def __init__(self, source: SparkSource, *, most_cells: int = MOST_CELLS) -> None:
        self.data = Data.of(source.schema, source.frame, source.order)
        self._origin = source
        self.most_cells = most_cells
        self._count: int | None = None
        self._known: dict[str, pl.Series] = {}
        self._tallies: dict[tuple[Any, ...], Tally] = {}
        self._homes: dict[tuple[Any, ...], Homes] = {}
        self._profiles: dict[tuple[Any, ...], Profile] = {}

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
        if self._goes_back(path):
            check_writable(Path(path))
        else:
            writing.check_writable(path)

    def _goes_back(self, path: str) -> bool:
        """Whether records are written by this machine, which also read them."""
        there = writing.writes(path) or writing.is_folder(path)
        return self._origin.origin is not None and not there

    def write(
        self,
        path: str,
        *,
        notes: bool = True,
        blanks: Mapping[str, Code] | None = None,
        shuffle: int | None = None,
        progress: Progress = silent,
    ) -> None:
        """Write the records as they now are, through Spark.

        Formats that one machine writes (SPSS, Stata, ...) can be had for records that came from a
        file of such a format: they go back the way they came.
        """
        progress("writing", 0.0)
        source = self._origin
        if self._goes_back(path):
            # Without a place of their own, shuffled records must not be looked up in the origin.
            places = self.frame(ordered=True, seed=shuffle, places=True)
            frame = fetched(places, self._source, tell=partial(progress, "writing"))
            rows = frame.drop_in_place("place")
            write(
                frame,
                self.schema,
                path,
                origin=source.origin,
                blanks=blanks,
                notes=notes,
                rows=rows,
            )
        else:
            ordered = not writing.is_folder(path) or shuffle is not None
            writing.write_frame(
                self.frame(ordered=ordered, seed=shuffle),
                self.schema,
                path,
                paths=source.paths,
                blanks=blanks,
                progress=progress,
            )
        progress("writing", 1.0)

    def write_figures(
        self, frames: Iterator[Any], path: str, *, progress: Progress = silent
    ) -> None:
        """Write records with their figures, as `records` returns them."""
        for frame in frames:
            writing.write_frame(frame, open_frame(frame).schema, path, progress=progress)

    def rows(self) -> int:
        """One pass without columns, which costs next to nothing in Parquet."""
        if self._count is None:
            found = fetched(self.data.rows.base.agg(sf.count("*").alias("n")), self._source)
            self._count = int(found.item())
        if not self._count:
            raise InputError(f"{self._source} has no records.")
        return self._count

    def describe(self, *, progress: Progress = silent) -> tuple[Summary, ...]:
        """One pass of one column for each variable; two shuffles of its distinct values."""
        found = []
        names = self.schema.names
        for done, name in enumerate(names):
            progress("reading", done / len(names))

            def tell(share: float, done: int = done) -> None:
                progress("reading", (done + share) / len(names))

            found.append(self.summary(name, tell))
        progress("reading", 1.0)
        return tuple(found)

    def summary(self, name: str, tell: Tell = nobody) -> Summary:
        """Look at one variable: one pass over it, two shuffles of its distinct values."""
        variable = self.schema[name]
        categories, missing = (0, 0) if variable.kind == "other" else self._counts(name, tell)
        return Summary(
            name=name,
            label=variable.label,
            kind=variable.kind,
            categories=categories,
            missing=missing,
            role=suggested_role(variable, range(categories), self.rows()),
        )

    def _counts(self, name: str, tell: Tell) -> tuple[int, int]:
        """Categories of a variable, and records in which it is missing."""
        by_value = self.data.frame(name).groupBy(self.data.known(name).alias("v"))
        counts = by_value.agg(sf.count("*").alias("n"))
        gone = sf.sum(sf.when(sf.col("v").isNull(), sf.col("n")))
        figures = counts.agg(sf.count("v").alias("c"), gone.alias("m"))
        found = fetched(figures, self._source, tell=tell)
        categories, missing = found.row(0)
        if self.data.held[name].blank is not None:  # what was blanked stays a category
            categories = int((~declared_missing(self.values(name), self.schema[name])).sum())
        return categories, missing or 0

    def values(self, name: str) -> pl.Series:
        """One pass of one column, one shuffle of its distinct values; then they are kept here."""
        if name not in self._known:
            frame = self.data.rows.frame([self.data.held[name].value])
            values = frame.select(self.data.plain(name).alias("v")).distinct()
            found = fetched(values, self._source, most=self.most_cells + 1)
            if len(found) > self.most_cells:
                raise InputError(
                    f"{name!r} of {self._source} has more than {self.most_cells:,} distinct "
                    "values, the most that may come to this machine. Allow more (most_cells=...)."
                )
            self._known[name] = distinct(found["v"])
        return self._known[name]

    def cells(self, scenario: Scenario, *, progress: Progress = silent) -> Cells:
        """One pass over keys and weight, one shuffle of combinations."""
        return self._tally(scenario, progress).cells

    def risk_cells(self, scenario: Scenario, *, progress: Progress = silent) -> Cells:
        """One pass over keys and weight; a second one if cells are too many to come here."""
        try:
            return self.cells(scenario, progress=progress)
        except TooManyCellsError:
            return self.profile(scenario, progress=progress)

    def _tally(self, scenario: Scenario, progress: Progress = silent) -> Tally:
        label = _label(scenario)
        if label not in self._tallies:
            split = scenario.attack == "weight"
            self._tallies[label] = self._tallied(scenario, progress, split=split)
        return self._tallies[label]

    def _tallied(self, scenario: Scenario, progress: Progress, *, split: bool) -> Tally:
        for key in scenario.keys:
            self.data.refuse_compound(key)
        # What was blanked stays a category. Decimals are numbers to rules but text to cells.
        held = {key: self.data.held[key] for key in scenario.keys}
        known = {
            key: self.values(key)
            for key, each in held.items()
            if each.blank is not None and each.dtype.typeName() != "decimal"
        }
        progress("counting cells", 0.0)
        rows = self.data.rows.frame(self.data.needs(scenario))
        frame = self.data.keyed(rows, scenario, raw=True)
        found = counted(
            frame,
            split=split,
            source=self._source,
            most=self.most_cells,
            tell=partial(progress, "counting cells"),
        )
        tally = tallied(found, self.schema, scenario.keys, known, split=split)
        if tally.faulty:
            self._refuse_weights(frame, scenario)
        self._count = tally.cells.records
        progress("counting cells", 1.0)
        return tally

    def profile(self, scenario: Scenario, *, progress: Progress = silent) -> Cells:
        """Count and weigh cells that are too many to come here (see `engine.spark.profile`).

        One pass over keys and weight, two shuffles.
        """
        label = _label(scenario)
        if label not in self._profiles:
            progress("counting cells", 0.0)
            tell = partial(progress, "counting cells")
            found = profile(self.data, scenario, most=self.most_cells, tell=tell)
            if found.faulty:
                frame = self.data.rows.frame(self.data.needs(scenario))
                self._refuse_weights(self.data.keyed(frame, scenario, raw=True), scenario)
            self._profiles[label] = found
            progress("counting cells", 1.0)
        return self._profiles[label].cells

    def _refuse_weights(self, frame: DataFrame, scenario: Scenario) -> None:
        where = f"Weight {scenario.weight!r} of {self._source}"
        refuse_faulty(frame, "raw", where, clip=scenario.low_weights == "clip")

    def weight_facts(self, scenario: Scenario) -> WeightFacts | None:
        """Two passes over the weight, whose median is not to be had from cells."""
        if scenario.weight is None:
            return None
        found = self._profiles.get(_label(scenario)) or self._tally(scenario)
        all_one = bool(np.all(found.cells.weight == found.cells.count))
        frame = self.data.keyed(self.data.rows.frame(self.data.needs(scenario)), scenario)
        return WeightFacts(
            median=1.0 if all_one else median(frame, "w", self._source),
            all_one=all_one,
            clipped=found.clipped,
        )

    def households(self, scenario: Scenario, values: Floats) -> Households:
        """One pass over keys and household, one shuffle of the records by household."""
        made, homes = households.households(
            self.data.with_homes(scenario),
            self._tally(scenario),
            values,
            keys=scenario.keys,
            source=self._source,
            most=self.most_cells,
        )
        self._homes[_home_label(scenario)] = homes
        return made

    def _home(self, scenario: Scenario) -> Homes:
        label = _home_label(scenario)
        if label not in self._homes:
            self.households(scenario, np.zeros(len(self.cells(scenario))))
        return self._homes[label]

    def lowest(self, scenario: Scenario, by_household: Floats, *, homes: Scenario) -> Floats:
        """One pass over keys and household, one shuffle of combinations."""
        tally, known = self._tally(scenario), self._home(homes)
        frame = self.data.with_homes(replace(scenario, household=homes.household))
        assigned = known.table(by_household, "low")
        result = households.lowest(frame, tally, assigned, source=self._source)
        if len(known.alone):
            # Records without a household are known by their cells, and those by both key sets.
            both = replace(homes, keys=scenario.keys)
            fine, alone = self._tally(both), self._home(both).alone
            by_cell = np.full(len(self.cells(homes)), np.inf)
            np.minimum.at(by_cell, known.alone, by_household[len(known.ids) :])
            values = by_cell[fine.within(self._tally(homes))[alone]]
            np.minimum.at(result, fine.within(tally)[alone], values)
        return result

    def constant(self, scenario: Scenario) -> tuple[str, ...]:
        """One pass over keys and household, one shuffle of the records by household."""
        known = {f"k{j}": self.data.known(key) for j, key in enumerate(scenario.keys)}
        frame = self.data.with_homes(scenario).withColumns(known)
        return households.constant(frame, scenario.keys, source=self._source)

    def blanked(
        self,
        scenario: Scenario,
        cell: Index,
        keys: NDArray[np.int64],
        count: NDArray[np.int64],
        *,
        linked: Mapping[str, Sequence[str]],
        together: Sequence[tuple[str, Collection[str]]] = (),
    ) -> Spark:
        """A pass of one column for each linked variable now. Later a join with the cells.

        Records of cells that lose keys in part are shuffled by cell to find the first ones, and
        members of households that lose keys together by household.
        """
        made = self._copy()
        tally, wanted = self._tally(scenario), blanks.Wanted(cell=cell, keys=keys, count=count)
        made.data, touched = blanks.blanked(
            self.data, scenario, tally, wanted, linked=linked, together=together
        )
        for name in touched:  # what is blanked stays a category
            made._known[name] = self._values_in(tally, scenario, name)
        made._forget(touched)
        return made

    def _values_in(self, tally: Tally, scenario: Scenario, name: str) -> pl.Series:
        """Distinct values of a variable, from the cells if they show them all."""
        held = self.data.held[name]
        shown = name in scenario.keys and held.blank is None
        if name in self._known or not shown or held.dtype.typeName() == "decimal":
            return self.values(name)
        return distinct(tally.values[f"k{scenario.keys.index(name)}"])

    def transformed(self, change: Transformation) -> Spark:
        """No pass now but for the distinct values. Later a join with these."""
        name, made = change.after.name, self._copy()
        made.data, new = self.data.transformed(change, self.values(name))
        made._forget((name,))
        made._known[name] = distinct(new)
        return made

    def without(self, names: Collection[str]) -> Spark:
        """No pass."""
        left = tuple(v for v in self.schema if v.name not in names)
        made = self._copy()
        made.data = replace(
            self.data,
            schema=replace(self.schema, variables=left),
            held={name: held for name, held in self.data.held.items() if name not in names},
        )
        made._known = {name: each for name, each in self._known.items() if name not in names}
        made._forget(names)
        return made

    def sampled(self, sampling: Sampling, *, progress: Progress = silent) -> tuple[Spark, Drawn]:
        """A pass without columns to number the records of Parquet files, and one to count.

        Households take two passes and two shuffles of their numbers instead of the latter, and
        later a join with those that are drawn. Weights that are text take one more pass.
        """
        progress("drawing the sample", 0.0)
        frame, drawn = drawing.sampled(self.data, sampling, most=self.most_cells)
        if not drawn.records:
            raise nothing_drawn(self._source)
        source = replace(
            self._origin,
            schema=sampling.schema(self.schema),
            frame=frame,
            order=(drawing.NUMBER,),
        )
        made = Spark(source, most_cells=self.most_cells)
        made._count = drawn.records
        progress("drawing the sample", 1.0)
        return made, drawn

    def _copy(self) -> Spark:
        made = Spark.__new__(Spark)
        made.data, made.most_cells, made._count = self.data, self.most_cells, self._count
        made._origin = self._origin
        made._known = dict(self._known)
        made._tallies, made._homes = dict(self._tallies), dict(self._homes)
        made._profiles = dict(self._profiles)
        return made

    def _forget(self, touched: Collection[str]) -> None:
        """Let go of cells and households that rest on variables that are touched."""
        gone = set(touched)
        for kept in (self._tallies, self._homes, self._profiles):
            for label in [label for label in kept if {*label[0], label[1]} & gone]:
                del kept[label]

    def blanks(self) -> Mapping[str, int]:
        """One pass over what the blanks rest on."""
        return blanks.counted(self.data)

    def changed(self, since: Any) -> int:
        """One pass over what the blanks rest on."""
        return blanks.changed(self.data, since.data)

    def pair_with(
        self, after: Spark, scenario: Scenario | None, *, progress: Progress = silent
    ) -> SparkPairs:
        """No pass now."""
        return SparkPairs(self, after, scenario, progress)

    def rows_of(self, scenario: Scenario, cell: Index, *, most: int) -> list[int]:
        """One pass over keys. Records without an order have no numbers."""
        order = self.data.rows.order
        if not order or not len(cell):
            return []
        tally = self._tally(scenario)
        wanted = np.zeros(len(tally.cells), np.bool_)
        wanted[cell] = True
        table = tally.table({"wanted": wanted}).filter("wanted")
        frame = self.data.rows.frame(self.data.needs(scenario) | set(order))
        on = {name: sf.col(name) for name in tally.values.columns}
        rows = looked_up(self.data.keyed(frame, scenario), on, table, how="inner")
        found = fetched(rows.select(*order).orderBy(*order), self._source, most=most)
        return frames.numbered(self.data, found)

    def frame(
        self, *, ordered: bool = False, seed: int | None = None, places: bool = False
    ) -> DataFrame:
        """Return all variables of all records as they now are, as a Spark frame.

        Args:
            ordered: Whether they are sorted: in input order, or by all that they say if they
                have none. Takes a shuffle of the records.
            seed: Of a random order instead.
            places: Whether to add a column `place`, the number of the record from 0.
        """
        return frames.frame(self.data, ordered=ordered, seed=seed, places=places)

    def records(
        self,
        scenario: Scenario,
        by_cell: Figures,
        by_household: Mapping[str, Floats],
    ) -> DataFrame:
        """Return a Spark frame: all variables, and the figures behind them.

        No pass now. Later a join with the cells and one with the households.
        """
        found = self._profiles.get(_label(scenario))
        if found is not None:
            return frames.with_figures(self.data, scenario, found, by_cell)
        homes = self._home(scenario) if by_household else None
        return frames.records(
            self.data, scenario, self._tally(scenario), by_cell, by_household, homes
        )

    def record_batches(
        self,
        scenario: Scenario,
        by_cell: Figures,
        by_household: Mapping[str, Floats],
        *,
        progress: Progress = silent,  # noqa: ARG002  # nothing is done before it is written
    ) -> Iterator[DataFrame]:
        """Yield the one frame of `records`, which stays where it is."""
        yield self.records(scenario, by_cell, by_household)


def _label(scenario: Scenario) -> tuple[Any, ...]:
    """What cells rest on."""
    split = scenario.attack == "weight"
    return (scenario.keys, scenario.weight, scenario.low_weights, split)


def _home_label(scenario: Scenario) -> tuple[Any, ...]:
    """What households rest on: those without an id are known by their cells."""
    keys, *cells = _label(scenario)
    return (keys, scenario.household, *cells)
