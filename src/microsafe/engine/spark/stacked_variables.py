"""Stack several variables in one column, so that one pass counts them all.

Spark starts much for a query, however little it is about. So what is asked of many variables is
one query, not one for each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl
from pyspark.sql import functions as sf

from microsafe.engine.spark.data import Data
from microsafe.engine.spark.queries import TellShare
from microsafe.engine.spark.rows import fetch
from microsafe.engine.transformations import sort_distinct

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_WHOLE = {"byte": pl.Int8, "short": pl.Int16, "integer": pl.Int32, "long": pl.Int64}
_NUMBER = {"float": pl.Float32, "double": pl.Float64}
_SLOTS = {"whole": "long", "number": "double", "text": "string"}

KEY = ("place", *_SLOTS)  # columns of a stack that tell variables and values


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StackedVariables:
    """Values under each other.

    Attributes:
        frame: Columns `KEY` and those that were kept, a row for each record and variable.
        types: By variable, in order, the type of its values as Spark calls it.
    """

    frame: DataFrame
    types: Mapping[str, str]

    def split(self, rows: pl.DataFrame) -> dict[str, pl.DataFrame]:
        """Return what was found by variable, its values as they were as the column `v`."""
        by_place = rows.partition_by("place", as_dict=True)
        return {
            name: by_place.get((place,), rows.clear()).select(
                pl.col(_slot(kind)).cast(_dtype(kind)).alias("v"), pl.exclude(KEY)
            )
            for place, (name, kind) in enumerate(self.types.items())
        }


def stack_values(
    frame: DataFrame, columns: Mapping[str, Column], keep: Sequence[str] = ()
) -> StackedVariables:
    """Put values of variables under each other.

    Args:
        frame: Records.
        columns: Of numbers or text, by variable.
        keep: Further columns to keep beside each value.
    """
    side_by_side = frame.select(
        *(column.alias(f"s{p}") for p, column in enumerate(columns.values())), *keep
    )
    kinds = [field.dataType.typeName() for field in side_by_side.schema.fields[: len(columns)]]
    rows = [_row(place, kind) for place, kind in enumerate(kinds)]
    long = side_by_side.select(sf.explode(sf.array(*rows)).alias("each"), *keep).select(
        "each.*", *keep
    )
    return StackedVariables(frame=long, types=dict(zip(columns, kinds, strict=True)))


def _row(place: int, kind: str) -> Column:
    mine = _slot(kind)
    values = [
        (sf.col(f"s{place}") if slot == mine else sf.lit(None)).cast(dtype).alias(slot)
        for slot, dtype in _SLOTS.items()
    ]
    return sf.struct(sf.lit(place).alias("place"), *values)


def _slot(kind: str) -> str:
    return "whole" if kind in _WHOLE else "number" if kind in _NUMBER else "text"


def _dtype(kind: str) -> type[pl.DataType]:
    return (_WHOLE | _NUMBER).get(kind, pl.String)


def count_values(data: Data, names: Sequence[str], tell: TellShare) -> dict[str, tuple[int, int]]:
    """Count distinct values of variables, and the records in which each is missing.

    One pass over them, two shuffles of their distinct values.
    """
    stack = stack_values(data.frame(*names), {name: data.known_values(name) for name in names})
    counts = stack.frame.groupBy(*KEY).agg(sf.count("*").alias("n"))
    known = sf.coalesce(*(sf.col(slot).cast("string") for slot in _SLOTS)).isNotNull()
    figures = counts.groupBy("place").agg(
        sf.count_if(known).alias("c"), sf.sum(sf.when(~known, sf.col("n"))).alias("m")
    )
    counted = fetch(figures, data.schema.source, tell=tell)
    by_place = {place: (values, missing or 0) for place, values, missing in counted.iter_rows()}
    return {name: by_place.get(place, (0, 0)) for place, name in enumerate(names)}


def fetch_values(data: Data, names: Sequence[str], *, most: int) -> dict[str, pl.Series]:
    """Bring the distinct values of variables here, blanks or not, as rules see them.

    One pass, one shuffle of distinct values.

    Args:
        data: The records.
        names: The variables.
        most: How many values may come here; if they are more, none does.
    """
    frame = data.rows.frame({data.refs[name].value for name in names})
    stack = stack_values(frame, {name: data.plain_values(name) for name in names})
    distinct = fetch(stack.frame.distinct(), data.schema.source, most=most + 1)
    if len(distinct) > most:
        return {}
    return {name: sort_distinct(values["v"]) for name, values in stack.split(distinct).items()}
