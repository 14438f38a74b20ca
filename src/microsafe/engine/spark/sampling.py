"""Draw a sample in Spark by a filter on record or household numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pyspark.sql import functions as sf

from microsafe.engine.contract import SampleSize
from microsafe.engine.sampling import SHIFT, Sampling
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.numbering import number_records
from microsafe.engine.spark.rows import Rows, fetch, join_table
from microsafe.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_REMEDY = "Write it to Parquet and sample that."
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
    return _raise_weights(data, sampled, sampling), size


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


def _raise_weights(data: Data, sampled: DataFrame, sampling: Sampling) -> DataFrame:
    """Multiply the weight by one over the fraction, or add that."""
    name = sampling.weight.name
    if name not in data.schema:
        return sampled.withColumn(f"c{len(data.schema.names)}", sf.lit(sampling.factor))
    number = replace(data, rows=Rows(base=sampled), numbers={}).number(name)
    larger = sf.when(~sf.isnan(number), number * sampling.factor)
    return sampled.withColumn(data.refs[name].value, larger)
