"""Per-record access in Spark: a column of record numbers, and functions that run beside it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from pyspark.sql import functions as sf
from pyspark.sql import types

from microsafe.engine import slices as batches
from microsafe.engine.coding import code_column
from microsafe.engine.record_access import (
    Form,
    RecordBatch,
    RecordFunction,
    Selection,
    merge_batches,
    read_values,
    store_values,
)
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.numbering import Numbering, number_by_identifier, number_records
from microsafe.engine.spark.rows import fetch, join_table
from microsafe.engine.spark.values import comparable, plain_column
from microsafe.errors import InputError
from microsafe.passes import Merged, merge_found
from microsafe.schema import Kind, Variable

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

NUMBER = "gate_number"
_REMEDY = "Name an identifier, or write it to Parquet and open that."
TYPES: Mapping[Kind, types.DataType] = {
    "integer": types.LongType(),
    "number": types.DoubleType(),
    "text": types.StringType(),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coding:
    """Codes of a variable: its distinct values as Spark has them, and what they stand for."""

    table: pl.DataFrame
    categories: Sequence[str]


def code_values(values: pl.Series, variable: Variable, source: str) -> Coding:
    """Return the codes of distinct values, as cells have them."""
    coded = code_column(values, variable, source=source)
    table = pl.DataFrame({"value": values, "code": coded.codes.astype(np.int64)})
    return Coding(table=table, categories=coded.categories)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gate:
    """How values leave Spark.

    Attributes:
        needs: Columns that they are made of.
        add: Adds columns `gate_...` to a frame that has those.
        selection: What leaves.
        categories: What codes stand for, by variable.
    """

    needs: set[str]
    add: Callable[[DataFrame], DataFrame]
    selection: Selection
    categories: Mapping[str, Sequence[str]]

    @property
    def columns(self) -> list[str]:
        """The columns that it adds."""
        return [NUMBER, *(f"gate_{place}" for place in range(len(self.selection.forms)))]


def open_gate(data: Data, selection: Selection, codings: Mapping[str, Coding]) -> Gate:
    """Find out how values leave: a pass for identifiers, text numbers or several files.

    Args:
        data: The records.
        selection: What is asked for.
        codings: Of variables that leave as codes.
    """
    numbering = _number(data, selection)
    columns = {
        f"gate_{place}": _outgoing(data, name, form)
        for place, (name, form) in enumerate(selection.forms.items())
    }
    tables = {
        f"gate_{place}": codings[name].table
        for place, name in enumerate(selection.forms)
        if name in codings
    }

    def add(frame: DataFrame) -> DataFrame:
        rows = numbering.add(frame, NUMBER).withColumns(columns)
        for column, table in tables.items():
            rows = join_table(rows, {"value": sf.col(column)}, table)
            rows = rows.withColumn(column, sf.col("code")).drop("code")
        return rows

    return Gate(
        needs={*numbering.needs, *(c for name in selection.forms for c in data.refs[name].columns)},
        add=add,
        selection=selection,
        categories={name: coding.categories for name, coding in codings.items()},
    )


def _number(data: Data, selection: Selection) -> Numbering:
    if selection.identifier is not None:
        return number_by_identifier(data, selection.identifier)
    return number_records(data, _REMEDY)


def _outgoing(data: Data, name: str, form: Form) -> Column:
    if form == "number":
        return data.number(name)
    return comparable(data.refs[name].now, data.refs[name].dtype)


def read_columns(
    data: Data, gate: Gate, *, most: int, tell: Callable[[float], object]
) -> Iterator[RecordBatch]:
    """Bring values here: one pass, one shuffle to sort them.

    Raises:
        InputError: They are of more records than may come here.
    """
    source, order = data.schema.source, data.rows.order
    rows = gate.add(data.rows.frame({*gate.needs, *order}))
    rows = rows.orderBy(*(order or (NUMBER,))).select(*gate.columns)
    fetched = fetch(rows, source, most=most + 1, tell=tell)
    if len(fetched) > most:
        raise InputError(
            f"{source} has more than {most:,} records, the most allowed on this "
            "machine. Allow more (most_cells=..., --most-cells)."
        )
    for frame in fetched.iter_slices(batches.BATCH):
        yield as_batch(frame, gate.selection)


def as_batch(frame: pl.DataFrame, selection: Selection) -> RecordBatch:
    """Return records as functions are given them."""
    return RecordBatch(
        numbers=frame[NUMBER].to_numpy().view(np.uint64),
        columns={
            name: read_values(frame[f"gate_{place}"], form)
            for place, (name, form) in enumerate(selection.forms.items())
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Kernel:
    """A function of records as Spark's executors run it.

    Attributes:
        selection: What it is given.
        function: What it does.
        after: The variables that it returns.
        categories: What codes stand for, by variable.
        kept: Columns of records that pass through as they are.
    """

    selection: Selection
    function: RecordFunction
    after: tuple[Variable, ...]
    categories: Mapping[str, Sequence[str]]
    kept: tuple[str, ...]

    def __call__(self, arrow: Iterator[Any]) -> Iterator[Any]:
        """Go through batches of Arrow and add new values."""
        import pyarrow as pa

        for part in arrow:
            frame = pl.DataFrame(pl.from_arrow(part.select(self._incoming(part))))
            new = self._run(frame)
            arrays = [part.column(name) for name in self.kept] + to_arrow(new)
            yield pa.RecordBatch.from_arrays(arrays, names=[*self.kept, *new.columns])

    def _incoming(self, batch: Any) -> list[str]:
        return [name for name in batch.schema.names if name.startswith("gate_")]

    def _run(self, frame: pl.DataFrame) -> pl.DataFrame:
        batch = as_batch(frame, self.selection)
        changed = RecordBatch(numbers=batch.numbers, columns=self.function(batch))
        return store_batch(changed, self.selection, self.after, self.categories)


def to_arrow(frame: pl.DataFrame) -> list[Any]:
    """Return columns in types that Spark takes."""
    import pyarrow as pa

    arrays = []
    for column in frame.get_columns():
        array = column.to_arrow()
        arrays.append(array.cast(pa.string()) if column.dtype == pl.String else array)
    return arrays


def new_fields(after: Sequence[Variable]) -> list[types.StructField]:
    """Return the columns of `store_batch`."""
    return [
        field
        for place, variable in enumerate(after)
        for field in (
            types.StructField(f"new_{place}", TYPES[variable.kind]),
            types.StructField(f"kept_{place}", types.BooleanType()),
        )
    ]


def store_batch(
    batch: RecordBatch,
    selection: Selection,
    after: Sequence[Variable],
    categories: Mapping[str, Sequence[str]],
) -> pl.DataFrame:
    """Return new values as columns `new_...`, and as `kept_...` who keeps what he has."""
    columns: dict[str, Any] = {}
    for place, variable in enumerate(after):
        values, name = batch.columns[variable.name], variable.name
        columns[f"new_{place}"] = store_values(
            values, selection.forms[name], variable.kind, categories.get(name, ())
        )
        columns[f"kept_{place}"] = values.missing
    return pl.DataFrame(columns)


def map_records(
    data: Data, gate: Gate, after: Sequence[Variable], function: RecordFunction
) -> Data:
    """Return the data with values that a function makes; it runs whenever they are needed."""

    def add(frame: DataFrame) -> DataFrame:
        kernel = Kernel(
            selection=gate.selection,
            function=function,
            after=tuple(after),
            categories=gate.categories,
            kept=tuple(frame.columns),
        )
        schema = types.StructType([*frame.schema.fields, *new_fields(after)])
        return gate.add(frame).select(*frame.columns, *gate.columns).mapInArrow(kernel, schema)

    return with_values(data, gate, after, add)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reduction:
    """A function of records as Spark's executors run it, whose findings are put together."""

    selection: Selection
    function: Callable[[RecordBatch], Any]

    def __call__(self, arrow: Iterator[Any]) -> Iterator[Any]:
        """Go through the batches of a partition."""
        import pyarrow as pa

        frames = (pl.DataFrame(pl.from_arrow(part)) for part in arrow)
        batches = (as_batch(frame, self.selection) for frame in frames if len(frame))
        merged = merge_found(map(self.function, batches))
        if merged is not None:
            whole = pa.array([pickle.dumps(merged)], pa.binary())
            yield pa.RecordBatch.from_arrays([whole], names=["found"])


def reduce_records(data: Data, gate: Gate, function: Callable[[RecordBatch], Merged]) -> Merged:
    """Put together what a function says of all records: one pass."""
    rows = gate.add(data.rows.frame(gate.needs)).select(*gate.columns)
    kernel = Reduction(selection=gate.selection, function=function)
    parts = fetch(rows.mapInArrow(kernel, "found binary"), data.schema.source)["found"]
    merged_parts: Iterator[Merged] = map(pickle.loads, parts)  # what the kernel made
    return merge_batches(merged_parts, data.schema.source)


def replace_columns(
    data: Data,
    gate: Gate,
    after: Sequence[Variable],
    new_batches: Iterable[RecordBatch],
    *,
    records: int,
) -> Data:
    """Return the data with values that are given for all records, to be joined by number.

    Raises:
        ValueError: Not every record comes back, or one comes twice.
    """
    parts = []
    for batch in new_batches:
        number = pl.Series(NUMBER, batch.numbers.view(np.int64))
        frame = store_batch(batch, gate.selection, after, gate.categories)
        parts.append(frame.with_columns(number))
    table = pl.concat(parts) if parts else pl.DataFrame({NUMBER: []})
    if len(table) != records or not table[NUMBER].is_unique().all():
        raise ValueError("Every record must come back, and none twice.")

    def add(frame: DataFrame) -> DataFrame:
        return join_table(gate.add(frame), {NUMBER: sf.col(NUMBER)}, table)

    return with_values(data, gate, after, add)


def with_values(
    data: Data,
    gate: Gate,
    after: Sequence[Variable],
    add: Callable[[DataFrame], DataFrame],
) -> Data:
    """Put new values, `new_...`, in the place of the old ones unless these are kept."""
    stem = data.rows.fresh("v")
    columns = {variable.name: f"{stem}_{place}" for place, variable in enumerate(after)}

    def place_values(frame: DataFrame) -> DataFrame:
        rows = add(frame)
        values = {}
        for place, variable in enumerate(after):
            ref, dtype = data.refs[variable.name], TYPES[variable.kind]
            old = plain_column(sf.col(ref.value), ref.dtype).try_cast(dtype)
            new, unchanged = sf.col(f"new_{place}"), sf.col(f"kept_{place}")
            values[columns[variable.name]] = sf.when(~unchanged, new).otherwise(old)
        return rows.withColumns(values).select(*frame.columns, *columns.values())

    renewed = {
        variable.name: replace(
            data.refs[variable.name], value=columns[variable.name], dtype=TYPES[variable.kind]
        )
        for variable in after
    }
    changed = {variable.name: variable for variable in after}
    variables = tuple(changed.get(variable.name, variable) for variable in data.schema)
    return replace(
        data,
        schema=replace(data.schema, variables=variables),
        rows=data.rows.with_layer(tuple(columns.values()), gate.needs, place_values),
        refs={**data.refs, **renewed},
    )
