"""Drawing a sample in Spark: a filter on the numbers of records, or on those of households."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl
from pyspark.sql import functions as sf

from microsafe.engine.base import Drawn
from microsafe.engine.sampling import SHIFT, Sampling
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.rows import Rows, fetched, looked_up
from microsafe.errors import UsageError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

NUMBER = "number"  # column with the number of the record in the input, from 0


def sampled(data: Data, sampling: Sampling) -> tuple[DataFrame, Drawn]:
    """Return the columns of a sample with those of `NUMBER`, and how large it is.

    Args:
        data: As they were read.
        sampling: What is drawn.
    """
    numbered = _numbered(data)
    if sampling.household is None:
        hit = _drawn(sampling, sf.col(NUMBER))
        counts = numbered.agg(sf.count_if(hit).alias("kept"), sf.count("*").alias("all"))
        found = Drawn(**dict(zip(("records", "of_records"), _row(data, counts), strict=True)))
        kept = numbered.where(hit)
    else:
        kept, found = _by_household(data, numbered, sampling, sampling.household)
    return _weighed(data, kept, sampling), found


def _numbered(data: Data) -> DataFrame:
    """All records with their numbers; those of several files are counted through."""
    base, order = data.rows.base, data.rows.order
    if not order:
        raise UsageError(
            f"{data.schema.source} has no order, so its records have no numbers to be drawn by. "
            "Write it to Parquet and sample that."
        )
    *files, row = order
    if not files:
        return base.withColumn(NUMBER, sf.col(row)).drop(row)
    (file,) = files
    sizes = fetched(base.groupBy(file).agg(sf.count("*").alias("n")), data.schema.source)
    starts = sizes.sort(file).select(file, start=pl.col("n").cum_sum() - pl.col("n"))
    rows = looked_up(base, {file: sf.col(file)}, starts)
    return rows.withColumn(NUMBER, sf.col("start") + sf.col(row)).drop("start", file, row)


def _drawn(sampling: Sampling, number: Column) -> Column:
    drawn: Column = sampling.drawn(number, lambda x: x.bitwiseXOR(sf.shiftright(x, SHIFT)))
    return drawn


def _by_household(
    data: Data, numbered: DataFrame, sampling: Sampling, household: str
) -> tuple[DataFrame, Drawn]:
    """Keep the members of households whose first record is drawn."""
    data.refuse_compound(household)
    rows = numbered.withColumn("h", data.known(household))
    alone = sf.when(sf.col("h").isNull(), sf.col(NUMBER))
    first = rows.groupBy("h", alone.alias("alone")).agg(
        sf.min(NUMBER).alias("first"), sf.count("*").alias("n")
    )
    hit = _drawn(sampling, sf.col("first"))
    counts = first.agg(
        sf.sum(sf.when(hit, sf.col("n")).otherwise(0)).alias("kept"),
        sf.sum("n").alias("all"),
        sf.count_if(hit).alias("homes"),
        sf.count("*").alias("all_homes"),
    )
    names = ("records", "of_records", "households", "of_households")
    found = Drawn(**dict(zip(names, _row(data, counts), strict=True)))
    homes = first.where(hit & sf.col("h").isNotNull()).select(sf.col("h").alias("home"))
    joined = rows.join(homes, sf.col("h") == sf.col("home"), "left")
    lonely = sf.col("h").isNull() & _drawn(sampling, sf.col(NUMBER))
    return joined.where(sf.col("home").isNotNull() | lonely).drop("h", "home"), found


def _row(data: Data, counts: DataFrame) -> list[int]:
    return [int(each or 0) for each in fetched(counts, data.schema.source).row(0)]


def _weighed(data: Data, kept: DataFrame, sampling: Sampling) -> DataFrame:
    """Divide the weight by the fraction, or add one."""
    name = sampling.weight.name
    if name not in data.schema:
        return kept.withColumn(f"c{len(data.schema.names)}", sf.lit(sampling.factor))
    number = replace(data, rows=Rows(base=kept), numbers={}).number(name)
    larger = sf.when(~sf.isnan(number), number * sampling.factor)
    return kept.withColumn(data.held[name].value, larger)
