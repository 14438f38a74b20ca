"""Functions of groups of records in Spark: a group is brought together in one task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from pyspark.sql import functions as sf
from pyspark.sql import types

from microsafe.engine.gate import GroupFunction, RecordBatch, RecordFunction, Selection
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.gate import (
    NUMBER,
    Gate,
    as_batch,
    new_fields,
    store_batch,
    to_arrow,
    with_values,
)
from microsafe.engine.spark.rows import fetch
from microsafe.errors import InputError
from microsafe.schema import Variable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_GROUP, _PLACE, _JOINED = "gate_group", "gate_place", "joined_number"
_SIGN = np.uint64(1 << 63)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Numbers:
    """Adds the group of each record, and a number with a sign that orders as its number does."""

    selection: Selection
    group: GroupFunction

    def __call__(self, arrow: Iterator[Any]) -> Iterator[Any]:
        """Go through batches of Arrow."""
        import pyarrow as pa

        for each in arrow:
            batch = as_batch(pl.DataFrame(pl.from_arrow(each)), self.selection)
            group = self.group(batch).astype(np.int64)
            place = (batch.numbers ^ _SIGN).view(np.int64)
            arrays = [*each.columns, pa.array(group), pa.array(place)]
            yield pa.RecordBatch.from_arrays(arrays, names=[*each.schema.names, _GROUP, _PLACE])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupKernel:
    """A function of whole groups as Spark's executors run it."""

    selection: Selection
    function: RecordFunction
    after: tuple[Variable, ...]
    categories: Mapping[str, Sequence[str]]

    def __call__(self, arrow: Iterator[Any]) -> Iterator[Any]:
        """Go through batches of Arrow in which groups follow each other."""
        import pyarrow as pa

        for frame in whole_groups(pl.DataFrame(pl.from_arrow(each)) for each in arrow):
            given = as_batch(frame, self.selection)
            made = RecordBatch(numbers=given.numbers, columns=self.function(given))
            new = store_batch(made, self.selection, self.after, self.categories)
            new = new.insert_column(0, frame[NUMBER])
            yield pa.RecordBatch.from_arrays(to_arrow(new), names=[_JOINED, *new.columns[1:]])


def whole_groups(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Go through groups, each as one frame."""
    held: list[pl.DataFrame] = []
    for frame in frames:
        for part in frame.partition_by(_GROUP, maintain_order=True):
            if held and held[0][_GROUP][0] != part[_GROUP][0]:
                yield pl.concat(held)
                held = []
            held.append(part)
    if held:
        yield pl.concat(held)


def map_groups(
    data: Data,
    gate: Gate,
    after: Sequence[Variable],
    group: GroupFunction,
    function: RecordFunction,
    *,
    most: int,
) -> Data:
    """Return the data with values that a function makes of groups; Spark keeps these values.

    Raises:
        InputError: A group has more records than one task may take.
    """
    rows = gate.add(data.rows.frame(gate.needs)).select(*gate.columns)
    longs = [types.StructField(name, types.LongType()) for name in (_GROUP, _PLACE)]
    schema = types.StructType([*rows.schema.fields, *longs])
    rows = rows.mapInArrow(Numbers(selection=gate.selection, group=group), schema)
    rows = rows.where(sf.col(_GROUP) >= 0)
    _refuse_large(rows, data.schema.source, most)
    kernel = GroupKernel(
        selection=gate.selection,
        function=function,
        after=tuple(after),
        categories=gate.categories,
    )
    number = types.StructField(_JOINED, types.LongType())
    made = (
        rows.repartition(_GROUP)
        .sortWithinPartitions(_GROUP, _PLACE)
        .mapInArrow(kernel, types.StructType([number, *new_fields(after)]))
        .persist()
    )

    def add(frame: DataFrame) -> DataFrame:
        return gate.add(frame).join(made, sf.col(NUMBER) == sf.col(_JOINED), "left")

    return with_values(data, gate, after, add)


def _refuse_large(rows: DataFrame, source: str, most: int) -> None:
    sizes = rows.groupBy(_GROUP).agg(sf.count("*").alias("n")).agg(sf.max("n").alias("n"))
    (largest,) = fetch(sizes, source).row(0)
    if largest is not None and largest > most:
        raise InputError(
            f"{source} has a stratum of more than {most:,} records, the most that one task of "
            "Spark may take together. Name strata, or finer ones, or allow more (most_cells=..., "
            "--most-cells)."
        )
