"""Verbs of the Spark engine that go through the gate, record by record."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import polars as pl
from pyspark.sql import functions as sf

from microsafe.engine.record_access import (
    BlockFunction,
    GroupFunction,
    Ranking,
    RecordBatch,
    RecordFunction,
    Selection,
    TogetherFunction,
)
from microsafe.engine.spark import record_access as gates
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.group_apply import map_blocks, map_groups
from microsafe.engine.spark.rows import fetch_distinct
from microsafe.passes import Found
from microsafe.progress import Progress, Tell, silent, tell_nobody
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from microsafe.engine.spark.engine import Spark


class SparkGateVerbs:
    """What `Spark` does with values by record."""

    data: Data
    most_cells: int

    if TYPE_CHECKING:  # what it has of `Spark`

        @property
        def schema(self) -> Schema: ...  # noqa: D102
        @property
        def _source(self) -> str: ...
        def rows(self) -> int: ...  # noqa: D102
        def values(self, name: str) -> pl.Series: ...  # noqa: D102
        def _know_values(self, names: Iterable[str]) -> None: ...
        def _with_data(self, data: Data, touched: Collection[str]) -> Spark: ...

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
    ) -> Spark:
        """No pass now but for distinct values and identifiers. Later Python runs in Spark."""
        gate = self._gate(selection, after)
        data = gates.map_records(self.data, gate, after, function)
        return self._with_data(data, [each.name for each in after])

    def map_blocks(
        self,
        selection: Selection,
        after: Sequence[Variable],
        ranking: Ranking,
        function: BlockFunction,
    ) -> Spark:
        """Three passes: quantiles, records between them, the largest block. Later two shuffles.

        Spark sorts between quantiles, then brings blocks together; a join by number. What the
        function makes is kept by Spark.
        """
        data = map_blocks(
            self.data, self._gate(selection, after), after, ranking, function, most=self.most_cells
        )
        return self._with_data(data, [each.name for each in after])

    def reduce_records(
        self, selection: Selection, function: Callable[[RecordBatch], Found]
    ) -> Found:
        """One pass, in which Python runs in Spark; what each partition makes of it comes here."""
        return gates.reduce_records(self.data, self._gate(selection), function)

    def map_groups(
        self,
        selection: Selection,
        after: Sequence[Variable],
        group: GroupFunction,
        function: TogetherFunction,
        tell: Tell = tell_nobody,  # noqa: ARG002
    ) -> Spark:
        """One pass to count the records of groups. Later a shuffle by group and a join by number.

        What the function makes is kept by Spark, as it may have taken long.
        """
        data = map_groups(
            self.data, self._gate(selection, after), after, group, function, most=self.most_cells
        )
        return self._with_data(data, [each.name for each in after])

    def replace_columns(
        self, selection: Selection, after: Sequence[Variable], batches: Iterable[RecordBatch]
    ) -> Spark:
        """No pass now but for distinct values and identifiers. Later a join by number."""
        gate = self._gate(selection, after)
        data = gates.replace_columns(self.data, gate, after, batches, records=self.rows())
        return self._with_data(data, [each.name for each in after])
