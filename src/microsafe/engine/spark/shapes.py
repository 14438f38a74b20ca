"""What the values of a variable look like, counted on the cluster; only the counts come here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as sf

from microsafe.engine.spark.data import Data
from microsafe.engine.spark.rows import fetch
from microsafe.engine.spark.values import is_number, strip_text
from microsafe.engine.spark.watching import Tell
from microsafe.engine.traits import LOOKED_AT, SHAPES, Traits

if TYPE_CHECKING:
    from pyspark.sql import Column
    from pyspark.sql.types import DataType


def find_traits(data: Data, name: str, tell: Tell) -> Traits:
    """Count what a variable looks like. Records have no order here that could be followed."""
    by_value = data.frame(name).groupBy(data.known_values(name).alias("v"))
    counts = by_value.agg(sf.count("*").alias("n"))
    missing = sf.sum(sf.when(sf.col("v").isNull(), sf.col("n")))
    figures = counts.agg(sf.count("v").alias("c"), missing.alias("m"), sf.sum("n").alias("n"))
    distinct, gone, records = fetch(figures, data.schema.source, tell=tell).row(0)
    text = _spell(sf.col("v"), data.refs[name].dtype)
    values = counts.where(sf.col("v").isNotNull()).select(text.alias("t"))
    if distinct > LOOKED_AT:
        values = values.orderBy(sf.md5("t")).limit(LOOKED_AT)
    shapes = fetch(
        values.agg(
            sf.count("*").alias("looked"),
            sf.max(sf.length("t")).alias("longest"),
            *(sf.count_if(sf.col("t").rlike(words)).alias(each) for each, words in SHAPES.items()),
        ),
        data.schema.source,
    ).row(0, named=True)
    return Traits(
        name=name,
        records=records - (gone or 0),
        missing=gone or 0,
        distinct=distinct,
        looked=shapes["looked"],
        shapes={shape: shapes[shape] or 0 for shape in SHAPES},
        longest=shapes["longest"] or 0,
    )


def _spell(value: Column, dtype: DataType) -> Column:
    """The text of a value, numbers without an exponent or zeros at the end."""
    if is_number(dtype) and dtype.typeName() in ("float", "double"):
        plain = value.try_cast("decimal(38,10)").cast("string")
        return sf.coalesce(sf.regexp_replace(plain, r"\.?0+$", ""), value.cast("string"))
    return strip_text(value.cast("string"))
