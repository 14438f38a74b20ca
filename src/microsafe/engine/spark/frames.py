"""Return records as Spark frames: as they are, reordered, or with figures added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pyspark.sql import Window, types
from pyspark.sql import functions as sf

from microsafe.cells import Index
from microsafe.engine.record_order import NewOrder
from microsafe.engine.spark.cell_profile import CellProfile, attach_figures
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.households import SparkHouseholdIndex
from microsafe.engine.spark.numbering import number_records
from microsafe.engine.spark.rows import fetch, join_table
from microsafe.engine.spark.tally import CellTally
from microsafe.errors import InputError
from microsafe.io.column_types import finish_frame
from microsafe.options.scenario import Scenario

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


_APART = {"F": "F_population"}  # where Spark does not tell F from f


def make_frame(
    data: Data, *, ordered: bool, order: NewOrder | None = None, number: bool = False
) -> DataFrame:
    """Return all variables of all records as they now are.

    Args:
        data: The records.
        ordered: Whether they are sorted: in input order, or by all that they say if they have
            none. Takes a shuffle of the records.
        order: A new order instead.
        number: Whether the last column is the number of the record.
    """
    places = data.order() if ordered else ()
    needed = {column for ref in data.refs.values() for column in ref.columns}
    new = order is not None
    numbering = number_records(data, "Write it to Parquet first.") if number or new else None
    needs = numbering.needs if numbering else frozenset[str]()
    rows = data.rows.frame({*needed, *places, *needs})
    if numbering is not None:
        rows = numbering.add(rows, "number")
    if order is not None:
        homes = [data.known_values(name) for name in order.households]
        rows = sort_records(rows, homes, order)
    elif ordered:
        rows = rows.orderBy(*places)
    free = "number"
    while free in data.schema:
        free += "_"
    last = [sf.col("number").alias(free)] if number else []
    # Columns may come with comments of their own, which nobody has looked at.
    columns = [data.refs[name].now.alias(name, metadata={}) for name in data.schema.names]
    return rows.select(*columns, *last)


def fetch_records(data: Data, *, most: int) -> pl.DataFrame:
    """Bring all records here, in input order, or by all that they say if they have none.

    Raises:
        InputError: They are more than may come here.
    """
    source = data.schema.source
    rows = fetch(make_frame(data, ordered=True), source, most=most + 1)
    if len(rows) > most:
        raise InputError(
            f"{source} has more than {most:,} records, the most allowed on this "
            "machine. Use the frame in Spark, or allow more (most_cells=...)."
        )
    return finish_frame(rows)


def find_records(
    data: Data, scenario: Scenario, tally: CellTally, cell: Index, *, most: int
) -> list[int]:
    """Return the numbers, from 1, of the first records that lie in some cells."""
    numbering = number_records(data, "")
    is_wanted = np.zeros(len(tally.cells), np.bool_)
    is_wanted[cell] = True
    table = tally.table({"wanted": is_wanted}).filter("wanted")
    on = {name: sf.col(name) for name in tally.values.columns}
    keyed = data.add_keys(data.rows.frame(data.needs(scenario) | numbering.needs), scenario)
    rows = numbering.add(join_table(keyed, on, table, how="inner"), "number")
    numbers = fetch(rows.select("number").orderBy("number"), data.schema.source, most=most)
    return (1 + numbers["number"]).to_list()


def attach_to_records(
    data: Data,
    scenario: Scenario,
    tally: CellTally,
    by_cell: Mapping[str, NDArray[Any]],
    by_household: Mapping[str, NDArray[Any]],
    homes: SparkHouseholdIndex | None,
    variables: Sequence[str],
) -> DataFrame:
    """Return some variables, and the figures of the cell and household of each record."""
    needs = data.needs(scenario, household=homes is not None)
    columns = needs.union(*(data.refs[name].columns for name in variables))
    rows = data.add_keys(data.rows.frame(columns), scenario, household=homes is not None)
    on = {name: sf.col(name) for name in tally.values.columns}
    figures = {f"f{j}": figure for j, figure in enumerate(by_cell.values())}
    more = {f"f{j + len(by_cell)}": figure for j, figure in enumerate(by_household.values())}
    rows = join_table(rows, on, tally.table(figures))
    for column, figure in more.items():
        assert homes is not None  # noqa: S101
        rows = join_table(rows, {"id": sf.col("h")}, homes.table(figure, column))
        if len(homes.alone):  # a household of one has the value of its cell
            alone = np.zeros(len(tally.cells))
            alone[homes.alone] = figure[len(homes.ids) :]
            rows = join_table(rows, on, tally.table({"alone": alone}))
            rows = rows.withColumn(column, sf.coalesce(sf.col(column), sf.col("alone"))).drop(
                "alone"
            )
    names = dict(zip((*figures, *more), (*by_cell, *by_household), strict=True))
    return _name_columns(data, variables, rows, names)


def attach_to_pairs(
    data: Data,
    scenario: Scenario,
    profile: CellProfile,
    by_cell: Mapping[str, NDArray[Any]],
    variables: Sequence[str],
) -> DataFrame:
    """Return some variables, and the figures of cells that did not come here."""
    columns = {column for name in variables for column in data.refs[name].columns}
    figures = {f"f{place}": figure for place, figure in enumerate(by_cell.values())}
    rows = attach_figures(data, scenario, profile, figures, sorted(columns))
    return _name_columns(data, variables, rows, dict(zip(figures, by_cell, strict=True)))


def _name_columns(
    data: Data, variables: Sequence[str], rows: DataFrame, names: Mapping[str, str]
) -> DataFrame:
    """Give figures their names, and variables that have such a name another one."""
    fold = str if _tells_case(rows) else str.lower
    used = {fold(name) for name in names.values()}
    values = [
        data.refs[name].now.alias(f"variable_{name}" if fold(name) in used else name)
        for name in variables
    ]
    apart = _APART if len(used) < len(names) else {}
    figures = [sf.col(column).alias(apart.get(name, name)) for column, name in names.items()]
    return rows.select(*values, *figures)


def _tells_case(rows: DataFrame) -> bool:
    return str(rows.sparkSession.conf.get("spark.sql.caseSensitive", "false")).lower() == "true"


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
            numbers = [
                batch.column(name).to_numpy(zero_copy_only=False).astype(np.int64).view(np.uint64)
                for name in self.numbers
            ]
            keys = self.order.keys(numbers)
            names = [*batch.schema.names, *key_columns(len(numbers))]
            columns = [*batch.columns, *(pa.array(key) for key in keys)]
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
    ordered = rows.withColumns(firsts)
    numbers = (*firsts, "number")
    new = [types.StructField(name, types.LongType()) for name in key_columns(len(numbers))]
    schema = types.StructType([*ordered.schema.fields, *new])
    keyed = ordered.mapInArrow(OrderKernel(order=order, numbers=numbers), schema)
    return keyed.orderBy(*key_columns(len(numbers)))
