"""Count what the values of variables look like, on the cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pyspark.sql import functions as sf

from microsafe.engine.spark.data import Data
from microsafe.engine.spark.queries import TellShare
from microsafe.engine.spark.rows import fetch
from microsafe.engine.spark.values import strip_text
from microsafe.engine.value_shapes import with_labels
from microsafe.variables.samples import SAMPLE, judge_sample, list_wanted
from microsafe.variables.traits import DECIMALS, SHAPES, Traits

if TYPE_CHECKING:
    from pyspark.sql import Column


def find_traits(data: Data, names: Sequence[str], tell: TellShare) -> list[Traits]:
    """Count what variables look like, all in one pass; none of them may be compound.

    Records have no order here that could be followed.
    """
    values = sf.array(*(_value(data, place, name) for place, name in enumerate(names)))
    long = data.frame(*names).select(sf.explode(values).alias("each")).select("each.*")
    counts = long.groupBy("place", "floating", "text").agg(sf.count("*").alias("n"))
    spelled = counts.withColumn("t", _spell(sf.col("text"), sf.col("floating")))
    known, n = sf.col("t").isNotNull(), sf.col("n")
    length = sf.length(sf.regexp_replace("t", DECIMALS, ""))
    figures = spelled.groupBy("place").agg(
        sf.sum(sf.when(known, n)).alias("records"),
        sf.sum(sf.when(~known, n)).alias("missing"),
        sf.count("t").alias("distinct"),
        sf.max(length).alias("longest"),
        sf.min(length).alias("shortest"),
        *(sf.count_if(sf.col("t").rlike(words)).alias(shape) for shape, words in SHAPES.items()),
    )
    counted = fetch(figures, data.schema.source, tell=tell).sort("place")
    traits = [
        Traits(
            name=names[row["place"]],
            records=row["records"] or 0,
            missing=row["missing"] or 0,
            distinct=row["distinct"],
            looked=row["distinct"],
            shapes={shape: row[shape] or 0 for shape in SHAPES},
            all_numbers=row["number"] == row["distinct"],
            longest=row["longest"] or 0,
            shortest=row["shortest"] or 0,
        )
        for row in counted.iter_rows(named=True)
    ]
    sampled = [_look_at_sample(data, trait, tell) for trait in traits]
    return with_labels(data.schema, sampled)


def _look_at_sample(data: Data, traits: Traits, tell: TellShare) -> Traits:
    """Look at the values that come first by a hash, if their shapes let hope for something."""
    wanted = list_wanted(traits.share)
    if not wanted:
        return traits
    floating = sf.lit(data.refs[traits.name].dtype.typeName() in ("float", "double"))
    value = data.known_values(traits.name).cast("string")
    texts = data.frame(traits.name).select(_spell(value, floating).alias("t")).dropna().distinct()
    first = texts.orderBy(sf.xxhash64("t"), "t").limit(SAMPLE)
    sample = fetch(first, data.schema.source, tell=tell)["t"].to_list()
    return replace(traits, **judge_sample(sample, wanted))


def _value(data: Data, place: int, name: str) -> Column:
    """A value as text that tells it from others, and whether it is a floating-point number."""
    floating = data.refs[name].dtype.typeName() in ("float", "double")
    return sf.struct(
        sf.lit(place).alias("place"),
        sf.lit(floating).alias("floating"),
        data.known_values(name).cast("string").alias("text"),
    )


def _spell(text: Column, floating: Column) -> Column:
    """The text of a value, numbers without an exponent or zeros at the end."""
    plain = sf.regexp_replace(text.try_cast("decimal(38,10)").cast("string"), r"\.?0+$", "")
    return sf.when(floating, sf.coalesce(plain, text)).otherwise(strip_text(text))
