"""Records of Spark in a new order (see `microsafe.engine.record_order`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from pyspark.sql import Window, types
from pyspark.sql import functions as sf

from microsafe.engine.record_order import NewOrder

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrderKernel:
    """Draws what records are sorted by, where Spark's executors are.

    Attributes:
        order: The new order.
        numbers: Columns of numbers that it is made of.
    """

    order: NewOrder
    numbers: tuple[str, ...]

    def __call__(self, arrow: Iterator[Any]) -> Iterator[Any]:
        """Go through batches of Arrow and add keys."""
        import pyarrow as pa

        for batch in arrow:
            given = [
                batch.column(name).to_numpy(zero_copy_only=False).astype(np.int64).view(np.uint64)
                for name in self.numbers
            ]
            keys = self.order.keys(given)
            names = [*batch.schema.names, *key_columns(len(given))]
            columns = [*batch.columns, *(pa.array(each) for each in keys)]
            yield pa.RecordBatch.from_arrays(columns, names=names)


def key_columns(levels: int) -> list[str]:
    """Return the columns that records are sorted by."""
    return [f"order_{place}" for place in range(2 * levels)]


def sort_records(rows: DataFrame, homes: Sequence[Column], order: NewOrder) -> DataFrame:
    """Sort records: a shuffle for each household variable, one to sort, one run of Python.

    Args:
        rows: With the column `number`.
        homes: Household variables, null for everything that means missing.
        order: The new order.
    """
    firsts = {}
    for place, home in enumerate(homes):
        first = sf.min("number").over(Window.partitionBy(home))
        firsts[f"first_{place}"] = sf.when(home.isNull(), sf.col("number")).otherwise(first)
    made = rows.withColumns(firsts)
    numbers = (*firsts, "number")
    new = [types.StructField(name, types.LongType()) for name in key_columns(len(numbers))]
    schema = types.StructType([*made.schema.fields, *new])
    keyed = made.mapInArrow(OrderKernel(order=order, numbers=numbers), schema)
    return keyed.orderBy(*key_columns(len(numbers)))
