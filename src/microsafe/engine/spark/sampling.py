"""Keep some of the records in Spark by a filter on record or household numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from pyspark.sql import functions as sf

from microsafe.engine.contract import SampleSize
from microsafe.engine.record_access import RecordNumbers
from microsafe.engine.sampling import SHIFT, Sampling
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.numbering import number_records
from microsafe.engine.spark.rows import Rows, fetch, join_table
from microsafe.errors import InputError
from microsafe.schema import Variable
from microsafe.sums import Floats

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_REMEDY = "Write it to Parquet and sample that."
_FACTOR = "factor"  # column with what weights are multiplied by
NUMBER = "number"  # column with the number of the record in the input, from 0


def draw_sample(data: Data, sampling: Sampling, *, most: int) -> tuple[DataFrame, SampleSize]:
    """Return the columns of a sample and `NUMBER`, and how large it is.

    Args:
        data: As they were read.
        sampling: What is drawn.
        most: How many households may come here.
    """
    numbered = _add_numbers(data)
    if sampling.household is None:
        hit = _is_drawn(sampling, sf.col(NUMBER))
        counts = numbered.agg(sf.count_if(hit).alias("records"), sf.count("*").alias("of_records"))
        size = SampleSize(**_numbers(counts, data.schema.source))
        sampled = numbered.where(hit)
    else:
        data.refuse_compound(sampling.household)
        rows = numbered.withColumn("h", data.known_values(sampling.household))
        sampled, size = _by_household(rows, sampling, source=data.schema.source, most=most)
    factor = sf.lit(sampling.factor)
    return _multiply_weights(data, sampled, sampling.weight.name, factor), size


def keep_records(
    data: Data, kept: RecordNumbers, weight: Variable | None, factor: Floats
) -> DataFrame:
    """Return the columns of the records of some numbers, and `NUMBER`."""
    rows = _add_numbers(data)
    table = pl.DataFrame({"n": kept.astype(np.int64), _FACTOR: factor})
    part = join_table(rows, {"n": sf.col(NUMBER)}, table).where(sf.col(_FACTOR).isNotNull())
    if weight is not None:
        part = _multiply_weights(data, part, weight.name, sf.col(_FACTOR))
    return part.drop(_FACTOR)


def _add_numbers(data: Data) -> DataFrame:
    """All records as read, with their numbers."""
    numbered = number_records(data, _REMEDY).add(data.rows.base, NUMBER)
    return numbered.drop(*(name for name in data.rows.order if name != NUMBER))


def _is_drawn(sampling: Sampling, number: Column) -> Column:
    drawn: Column = sampling.is_drawn(number, lambda x: x.bitwiseXOR(sf.shiftright(x, SHIFT)))
    return drawn


def _by_household(
    rows: DataFrame, sampling: Sampling, *, source: str, most: int
) -> tuple[DataFrame, SampleSize]:
    """Keep the members of households whose first record is drawn.

    Which households are drawn comes here, so that later passes need not find out again.
    """
    alone = sf.when(sf.col("h").isNull(), sf.col(NUMBER))
    first = rows.groupBy("h", alone.alias("alone")).agg(
        sf.min(NUMBER).alias("first"), sf.count("*").alias("n")
    )
    hit = _is_drawn(sampling, sf.col("first"))
    counts = first.agg(
        sf.sum(sf.when(hit, sf.col("n"))).alias("records"),
        sf.sum("n").alias("of_records"),
        sf.count_if(hit).alias("households"),
        sf.count("*").alias("of_households"),
    )
    homes = first.where(hit & sf.col("h").isNotNull()).select("h", sf.lit(True).alias("drawn"))
    drawn = fetch(homes, source, most=most + 1)
    if len(drawn) > most:
        raise InputError(
            f"More than {most:,} households of {source} are in the sample, the most allowed "
            "on this machine. Allow more (most_cells=...), or draw records."
        )
    lonely = sf.col("h").isNull() & _is_drawn(sampling, sf.col(NUMBER))
    joined = join_table(rows, {"h": sf.col("h")}, drawn)
    sampled = joined.where(sf.col("drawn") | lonely).drop("h", "drawn")
    return sampled, SampleSize(**_numbers(counts, source))


def _numbers(counts: DataFrame, source: str) -> dict[str, int]:
    return {name: number or 0 for name, number in fetch(counts, source).row(0, named=True).items()}


def _multiply_weights(data: Data, rows: DataFrame, name: str, factor: Column) -> DataFrame:
    """Multiply the weight by a factor, or add that."""
    if name not in data.schema:
        return rows.withColumn(f"c{len(data.schema.names)}", factor)
    number = replace(data, rows=Rows(base=rows), numbers={}).number(name)
    larger = sf.when(~sf.isnan(number), number * factor)
    return rows.withColumn(data.refs[name].value, larger)
