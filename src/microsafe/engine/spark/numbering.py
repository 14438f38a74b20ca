"""Number records in Spark by their place in the input, or by what stands for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as sf

from microsafe.engine.record_access import (
    fractional_identifiers,
    missing_identifiers,
    repeated_identifiers,
    unordered_records,
)
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.rows import fetch, join_table
from microsafe.engine.spark.values import comparable, is_number

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Numbering:
    """How to number records.

    Attributes:
        needs: Columns that the numbers are made of.
        add: Adds a column of that name to a frame that has those; 64 bits, with a sign.
    """

    needs: frozenset[str]
    add: Callable[[DataFrame, str], DataFrame]


def number_records(data: Data, remedy: str) -> Numbering:
    """Number records by their place in the input; those of several files are counted through.

    Several files take a pass without columns.

    Args:
        data: The records.
        remedy: What to do if they have no order.
    """
    if not data.rows.order:
        raise unordered_records(data.schema.source, remedy)
    *files, row = data.rows.order
    if not files:
        return Numbering(
            needs=frozenset([row]), add=lambda frame, name: frame.withColumn(name, sf.col(row))
        )
    starts = data.starts()
    (file,) = files

    def add(frame: DataFrame, name: str) -> DataFrame:
        rows = join_table(frame, {file: sf.col(file)}, starts)
        return rows.withColumn(name, sf.col("start") + sf.col(row)).drop("start")

    return Numbering(needs=frozenset(data.rows.order), add=add)


def number_by_identifier(data: Data, name: str) -> Numbering:
    """Number records by an identifier (see `microsafe.draws`): one pass, one shuffle of it."""
    ref, source = data.refs[name], data.schema.source
    now = comparable(ref.now, ref.dtype)
    whole = is_number(ref.dtype)
    frame = data.rows.frame(set(ref.columns)).select(now.alias("i"))
    counts = frame.groupBy("i").agg(sf.count("*").alias("n"))
    fraction = sf.col("i") != sf.floor(sf.col("i")) if whole else sf.lit(False)
    tests = (sf.col("i").isNull(), fraction, sf.col("n") > 1)
    figures = [sf.max(test).alias(f"t{place}") for place, test in enumerate(tests)]
    missing, broken, repeated = fetch(counts.agg(*figures), source).row(0)
    if missing:
        raise missing_identifiers(name, source)
    if broken:
        raise fractional_identifiers(name, source)
    if repeated:
        raise repeated_identifiers(name, source)
    number = now.cast("long") if whole else _digest(now)
    return Numbering(
        needs=frozenset(ref.columns), add=lambda frame, name: frame.withColumn(name, number)
    )


def _digest(text: Column) -> Column:
    """The first 8 bytes of the SHA-256 digest of a text, the lowest first."""
    digest = sf.sha2(text, 256)
    pairs = [sf.substring(digest, 2 * place + 1, 2) for place in reversed(range(8))]
    return sf.conv(sf.concat(*pairs), 16, -10).cast("long")
