"""Check sampling weights in Spark, and sum them exactly.

A weight lies between 1 and 1e15, so its whole part and the 52 binary digits behind the point are
three whole numbers. Sums of whole numbers are exact in any order, on any number of machines, and
need no pass to find out how large the total is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pyspark.sql import functions as sf

from microsafe.codes import missing_texts
from microsafe.engine.spark.rows import fetch
from microsafe.engine.spark.values import is_declared, is_number, is_text, strip_text
from microsafe.engine.weights import refuse_faults
from microsafe.errors import InputError
from microsafe.schema import Variable
from microsafe.sums import Exact

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType

PARTS = ("w_whole", "w_upper", "w_lower")
_HALF = 26  # binary digits in each of the two parts behind the point
_NUMBER = r"(?i)^[-+]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?|inf(inity)?|nan)$"
_THOUSANDS = r"^[-+]?[0-9]{1,3}(,[0-9]{3})+$"
_BUCKETS = 1024.0  # per factor e


def parse_numbers(
    frame: DataFrame, name: str, dtype: DataType, variable: Variable, where: str
) -> Column:
    """Return a variable as numbers; null where it is missing, NaN where it says so.

    Raises:
        InputError: It does not hold numbers. Text is looked through first, which takes a pass.
    """
    column = sf.col(name)
    if is_text(dtype):
        number = _parse_texts(frame, column, variable, where)
    elif is_number(dtype) or dtype.typeName() == "decimal":
        number = column.cast("double")
    else:
        raise InputError(f"{where} does not hold numbers.")
    return sf.when(~is_declared(number, variable), number)


def _parse_texts(frame: DataFrame, column: Column, variable: Variable, where: str) -> Column:
    codes = ["", *missing_texts(variable)]
    text = strip_text(column.cast("string"))
    text = sf.when(~text.isin(codes), text)
    with_point = sf.regexp_replace(text, ",", ".")
    comma = text.contains(",")
    facts = fetch(
        frame.agg(
            sf.max(text.contains(".")).alias("points"),
            sf.count_if(comma).alias("commas"),
            sf.count_if(comma & ~text.rlike(_THOUSANDS)).alias("decimal"),
            sf.count_if(~text.rlike(_NUMBER)).alias("wrong"),
            sf.count_if(~with_point.rlike(_NUMBER)).alias("wrong_with_point"),
        ),
        where,
    ).row(0, named=True)
    wrong = facts["wrong"]
    if not facts["points"]:
        if facts["commas"] and not facts["decimal"]:
            raise InputError(
                f"{where} contains commas that could be thousands or decimal separators. "
                "Say which (--decimal, --thousands), or write its numbers with a point alone."
            )
        text, wrong = with_point, facts["wrong_with_point"]
    if wrong:
        raise InputError(
            f"{where} holds text instead of a number in "
            f"{wrong:,} records. Correct them, or declare what stands for missing (--na)."
        )
    return text.try_cast("double")


def faults(weight: Column) -> list[Column]:
    """For each fault that a weight may have, whether it has it, the first that applies."""
    tests = (
        weight.isNull() | sf.isnan(weight),
        weight == math.inf,
        weight < 0,
        weight == 0,
        weight > 1e15,
        weight < 1,
    )
    return [sf.coalesce(test, sf.lit(False)) for test in tests]


def fault_bits(weight: Column) -> Column:
    """Return one number whose bits tell the faults."""
    bits = [sf.when(test, 1 << place).otherwise(0) for place, test in enumerate(faults(weight))]
    return sum(bits[1:], bits[0]).cast("int")


def refuse_faulty(frame: DataFrame, name: str, where: str, *, clip: bool) -> None:
    """Raise for weights that cannot be used, with how many records have them.

    Raises:
        WeightError: There are some.
    """
    tests = faults(sf.col(name))
    counts = fetch(
        frame.agg(*(sf.count_if(test).alias(f"n{place}") for place, test in enumerate(tests))),
        where,
    ).row(0)
    refuse_faults((*counts[:-1], 0 if clip else counts[-1]), where)


def split_weight(weight: Column) -> tuple[Column, Column, Column]:
    """Return a weight as three whole numbers: before the point, and two halves behind it."""
    sound = sf.when((weight >= 1) & (weight <= 1e15), weight)
    whole = sf.floor(sound)
    upper = (sound - whole) * float(1 << _HALF)
    lower = (upper - sf.floor(upper)) * float(1 << _HALF)
    return whole, sf.floor(upper), lower.cast("long")


def join_parts(
    whole: NDArray[np.int64], upper: NDArray[np.int64], lower: NDArray[np.int64]
) -> Exact:
    """Put the sums of the three parts together again, without rounding."""
    upper = upper + (lower >> _HALF)
    whole = whole + (upper >> _HALF)
    rest = ((upper & (1 << _HALF) - 1) << _HALF) + (lower & (1 << _HALF) - 1)
    fraction = rest / float(1 << 2 * _HALF)
    before = whole.astype(np.float64)
    total = float(before.sum() + fraction.sum())
    if total == 0.0:
        return Exact(before, None)
    unit = math.ldexp(1.0, math.frexp(total)[1] + 1 - 53)
    coarse = np.rint(before / unit) * unit if unit > 1.0 else before
    fine = np.rint(fraction / unit) * unit if unit <= 1.0 else np.zeros_like(fraction)
    low = (before - coarse) + (fraction - fine)
    return Exact(coarse + fine, low if low.any() else None)


def median(frame: DataFrame, name: str, source: str, *, few: bool) -> float:
    """Return the median of some weights exactly: first its bucket, then the values inside it.

    Args:
        frame: Has the weights.
        name: Of their column.
        source: What messages call the data.
        few: Whether records are so few that all weights come here instead, without a shuffle.
    """
    if few:
        weights = fetch(frame.select(name), source).to_series().sort()
        rows = len(weights)
        return float(weights[(rows - 1) // 2 : rows // 2 + 1].mean())  # type: ignore[arg-type]
    bucket = sf.floor(sf.log(sf.col(name)) * _BUCKETS)
    counted = frame.select(sf.col(name).alias("w"), bucket.alias("b"))
    buckets = fetch(counted.groupBy("b").agg(sf.count("*").alias("n")), source).sort("b")
    ends = buckets["n"].cum_sum()
    rows = int(ends[-1])
    places = sorted({(rows - 1) // 2, rows // 2})
    first = [int((ends <= place).sum()) for place in places]
    chosen = [int(bucket) for bucket in buckets["b"].gather(first)]
    inside = fetch(
        counted.where(sf.col("b").isin(chosen)).groupBy("w").agg(sf.count("*").alias("n")), source
    ).sort("w")
    before = int(ends[first[0]] - buckets["n"][first[0]])
    last = inside["n"].cum_sum() + before
    middle = [float(inside["w"][int((last <= place).sum())]) for place in places]
    return float(pl.Series(middle).mean())  # type: ignore[arg-type]
