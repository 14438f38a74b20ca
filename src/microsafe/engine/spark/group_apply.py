"""Apply functions to groups of records in Spark, each group in one task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pyspark.sql import Window, types
from pyspark.sql import functions as sf

from microsafe.engine.record_access import (
    BlockFunction,
    GroupFunction,
    Ranking,
    RecordBatch,
    RecordValues,
    Selection,
    TogetherFunction,
)
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.record_access import (
    NUMBER,
    Gate,
    as_batch,
    new_fields,
    store_batch,
    to_arrow,
    with_values,
)
from microsafe.engine.spark.rows import fetch, join_table, rephrase_errors
from microsafe.errors import InputError
from microsafe.progress import tell_nobody
from microsafe.schema import Variable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, GroupedData

_GROUP, _PLACE, _JOINED = "gate_group", "gate_place", "joined_number"
_VALUE, _WORD, _BUCKET = "gate_value", "gate_word", "gate_bucket"
_RANK, _BLOCK = "gate_rank", "gate_block"
_BUCKETS = 32  # parts that are sorted by themselves
_SIGN = np.uint64(1 << 63)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupNumbers:
    """Adds whole numbers to records: their group, and what they are ordered by.

    Attributes:
        selection: What functions are given.
        group: Of each record.
        ranking: Adds value and word as well.
    """

    selection: Selection
    group: GroupFunction
    ranking: Ranking | None = None

    @property
    def fields(self) -> list[types.StructField]:
        """What is added."""
        fields = [types.StructField(name, types.LongType()) for name in (_GROUP, _PLACE)]
        if self.ranking is not None:
            fields.append(types.StructField(_VALUE, types.DoubleType()))
            fields.append(types.StructField(_WORD, types.LongType()))
        return fields

    def __call__(self, arrow: Iterator[Any]) -> Iterator[Any]:
        """Go through batches of Arrow."""
        import pyarrow as pa

        for part in arrow:
            batch = as_batch(pl.DataFrame(pl.from_arrow(part)), self.selection)
            added: list[NDArray[Any]] = [self.group(batch).astype(np.int64)]
            added.append(_keep_order(batch.numbers))
            if self.ranking is not None:
                value = self.ranking.value(batch) + 0.0  # no negative zero
                added += [value, _keep_order(self.ranking.word(batch))]
            arrays = [*part.columns, *map(pa.array, added)]
            names = [*part.schema.names, *(field.name for field in self.fields)]
            yield pa.RecordBatch.from_arrays(arrays, names=names)

    def add(self, rows: DataFrame) -> DataFrame:
        """Return the records that are in a group."""
        schema = types.StructType([*rows.schema.fields, *self.fields])
        return rows.mapInArrow(self, schema).where(sf.col(_GROUP) >= 0)


def _keep_order(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Numbers with a sign that are ordered as those without are."""
    return (words ^ _SIGN).view(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupKernel:
    """A function of whole groups as Spark's executors run it.

    Attributes:
        selection: What it is given.
        function: What it does; with numbers of blocks if there are some.
        after: The variables that it returns.
        categories: What codes stand for, by variable.
        blocks: Whether it is given several blocks at a time.
    """

    selection: Selection
    function: Callable[..., Mapping[str, RecordValues]]
    after: tuple[Variable, ...]
    categories: Mapping[str, Sequence[str]]
    blocks: bool = False

    def __call__(self, arrow: Iterator[Any]) -> Iterator[Any]:
        """Go through batches of Arrow in which groups follow each other."""
        import pyarrow as pa

        frames = (pl.DataFrame(pl.from_arrow(part)) for part in arrow)
        for frame in self._whole(frame for frame in frames if len(frame)):
            batch = as_batch(frame, self.selection)
            more: Any = tell_nobody
            if self.blocks:
                more = frame[_BLOCK].rle_id().to_numpy().astype(np.int64)
            changed = RecordBatch(numbers=batch.numbers, columns=self.function(batch, more))
            new = store_batch(changed, self.selection, self.after, self.categories)
            new = new.insert_column(0, frame[NUMBER])
            yield pa.RecordBatch.from_arrays(to_arrow(new), names=[_JOINED, *new.columns[1:]])

    def _whole(self, frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Whole groups, one by one; or blocks as they come, but none in part."""
        marks = [_GROUP, _BLOCK] if self.blocks else [_GROUP]
        parts: list[pl.DataFrame] = []
        for frame in frames:
            for part in self._cut(frame, marks):
                if parts and parts[0].select(marks).row(0) != part.select(marks).row(0):
                    yield pl.concat(parts)
                    parts = []
                parts.append(part)
        if parts:
            yield pl.concat(parts)

    def _cut(self, frame: pl.DataFrame, marks: list[str]) -> list[pl.DataFrame]:
        """Cut a batch at groups; of blocks at the first and the last, which others may go on."""
        mark = frame.select(pl.struct(marks).rle_id()).to_series().to_numpy()
        if not self.blocks:
            cuts = np.flatnonzero(np.diff(mark)) + 1
        else:
            cuts = np.unique([np.searchsorted(mark, 1), np.searchsorted(mark, mark[-1])])
        ends = [0, *cuts[(cuts > 0) & (cuts < len(frame))].tolist(), len(frame)]
        return [frame[one:other] for one, other in pairwise(ends)]


def map_groups(
    data: Data,
    gate: Gate,
    after: Sequence[Variable],
    group: GroupFunction,
    function: TogetherFunction,
    *,
    most: int,
) -> Data:
    """Return the data with values that a function makes of groups; Spark keeps these values.

    Raises:
        InputError: A group has more records than one task may take.
    """
    rows = gate.add(data.rows.frame(gate.needs)).select(*gate.columns)
    rows = GroupNumbers(selection=gate.selection, group=group).add(rows)
    _refuse_large(rows.groupBy(_GROUP), "stratum", data.schema.source, most)
    kernel = GroupKernel(
        selection=gate.selection, function=function, after=tuple(after), categories=gate.categories
    )
    sorted_rows = rows.repartition(_GROUP).sortWithinPartitions(_GROUP, _PLACE)
    return _join_back(data, gate, after, sorted_rows, kernel)


def map_blocks(
    data: Data,
    gate: Gate,
    after: Sequence[Variable],
    ranking: Ranking,
    function: BlockFunction,
    *,
    most: int,
) -> Data:
    """Return the data with values that a function makes of blocks; Spark keeps these values.

    Raises:
        InputError: A block has more records than one task may take.
    """
    source = data.schema.source
    rows = gate.add(data.rows.frame(gate.needs)).select(*gate.columns)
    numbers = GroupNumbers(selection=gate.selection, group=ranking.group, ranking=ranking)
    rows = _rank(numbers.add(rows), source)
    table = pl.DataFrame(
        {"group": np.arange(len(ranking.size)), "size": ranking.size, "start": ranking.start}
    )
    rows = join_table(rows, {"group": sf.col(_GROUP)}, table)
    place = sf.col(_RANK) - sf.col("start")
    whole = place - sf.pmod(place, sf.col("size"))
    rows = rows.withColumn(_BLOCK, (whole / sf.col("size")).cast("long")).drop("size", "start")
    _refuse_large(rows.groupBy(_GROUP, _BLOCK), "block", source, most)
    kernel = GroupKernel(
        selection=gate.selection,
        function=function,
        after=tuple(after),
        categories=gate.categories,
        blocks=True,
    )
    sorted_rows = rows.repartition(_GROUP, _BLOCK).sortWithinPartitions(_GROUP, _BLOCK, _RANK)
    return _join_back(data, gate, after, sorted_rows, kernel)


def _rank(rows: DataFrame, source: str) -> DataFrame:
    """Add ranks within groups: sorted between a few quantiles, which parts the work only."""
    with rephrase_errors(source):
        shares = [(place + 1) / _BUCKETS for place in range(_BUCKETS - 1)]
        ends = sorted(set(rows.approxQuantile(_VALUE, shares, 0.01)))
    bucket = sf.lit(0)
    for end in ends:
        bucket = bucket + (sf.col(_VALUE) > sf.lit(end)).cast("int")
    rows = rows.withColumn(_BUCKET, bucket)
    sizes = rows.groupBy(_GROUP, _BUCKET).agg(sf.count("*").alias("n"))
    counted = fetch(sizes, source).sort(_GROUP, _BUCKET)
    before = (pl.col("n").cum_sum() - pl.col("n")).over(_GROUP)
    table = counted.select(group=_GROUP, bucket=_BUCKET, before=before)
    rows = join_table(rows, {"group": sf.col(_GROUP), "bucket": sf.col(_BUCKET)}, table)
    order = Window.partitionBy(_GROUP, _BUCKET).orderBy(_VALUE, _WORD, _PLACE)
    rank = sf.col("before") + sf.row_number().over(order) - 1
    return rows.withColumn(_RANK, rank).drop("before", _BUCKET)


def _join_back(
    data: Data, gate: Gate, after: Sequence[Variable], rows: DataFrame, kernel: GroupKernel
) -> Data:
    number = types.StructField(_JOINED, types.LongType())
    schema = types.StructType([number, *new_fields(after)])
    changed = rows.mapInArrow(kernel, schema).persist()

    def add(frame: DataFrame) -> DataFrame:
        return gate.add(frame).join(changed, sf.col(NUMBER) == sf.col(_JOINED), "left")

    return with_values(data, gate, after, add)


def _refuse_large(groups: GroupedData, what: str, source: str, most: int) -> None:
    sizes = groups.agg(sf.count("*").alias("n")).agg(sf.max("n").alias("n"))
    (largest,) = fetch(sizes, source).row(0)
    if largest is not None and largest > most:
        remedy = "Name strata, or finer ones" if what == "stratum" else "Take a smaller percentage"
        raise InputError(
            f"{source} has a {what} of more than {most:,} records, the most that one task of "
            f"Spark may take together. {remedy}, or allow more (most_cells=..., --most-cells)."
        )
