"""Blank keys in Spark: cells name the keys, a join finds the records."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pyspark.sql import Window
from pyspark.sql import functions as sf

from microsafe.cells import Index
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.rows import fetch, join_table
from microsafe.engine.spark.tally import CellTally
from microsafe.options.scenario import Scenario

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlankRequest:
    """What is to be blanked.

    Attributes:
        cell: Numbers of cells; one may occur more than once.
        keys: Keys to blank there; bit j stands for key j.
        count: In how many of its records, the first in order.
    """

    cell: Index
    keys: NDArray[np.int64]
    count: NDArray[np.int64]


def blank_keys(
    data: Data,
    scenario: Scenario,
    tally: CellTally,
    request: BlankRequest,
    *,
    linked: Mapping[str, Sequence[str]],
    together: Sequence[tuple[str, Collection[str]]],
) -> tuple[Data, tuple[str, ...]]:
    """Return the data with a column that tells blanks for each variable that has some.

    Args:
        data: As they are.
        scenario: Whose cells are meant.
        tally: The cells.
        request: What is to be blanked.
        linked: Variables that are blanked wherever a key is, by key.
        together: Household variables, each with keys that are then blanked in all members of a
            household if they are in one; in this order.
    """
    reasons: dict[str, list[int]] = {}
    for place, key in enumerate(scenario.keys):
        if bool(np.any(request.keys >> place & 1)):
            for name in (key, *linked.get(key, ())):
                reasons.setdefault(name, []).append(place)
    if not reasons:
        return data, ()
    shared = [
        (household, sum(1 << place for place, key in enumerate(scenario.keys) if key in keys))
        for household, keys in together
    ]
    stem = data.rows.fresh("b")
    flags = {name: f"{stem}_{place}" for place, name in enumerate(reasons)}
    needs = data.needs(scenario) | set(data.order())
    needs |= {
        column
        for name in (*reasons, *(household for household, _ in shared))
        for column in data.refs[name].columns
    }

    def add(frame: DataFrame) -> DataFrame:
        keyed = data.add_keys(frame, scenario)
        masked = add_masks(keyed, tally, request, order=data.order())
        for household, bits in shared:
            masked = spread_masks(masked.withColumn("h", data.known_values(household)), bits)
        lost = {flags[name]: _is_blank(data, name, places) for name, places in reasons.items()}
        return masked.withColumns(lost).select(*frame.columns, *flags.values())

    ref = {name: replace(data.refs[name], blank=flag) for name, flag in flags.items()}
    rows = data.rows.with_layer(tuple(flags.values()), needs, add)
    return replace(data, rows=rows, refs={**data.refs, **ref}), tuple(reasons)


def _is_blank(data: Data, name: str, places: Sequence[int]) -> Column:
    """Tell where a variable is blank: wherever it was, and where it is known and loses a key."""
    mask = sf.coalesce(sf.col("mask"), sf.lit(0))
    hit = mask.bitwiseAND(sf.lit(sum(1 << place for place in places))) != 0
    lost, before = hit & data.known_values(name).isNotNull(), data.refs[name].blank
    return lost | sf.col(before) if before else lost


def add_masks(
    frame: DataFrame, tally: CellTally, request: BlankRequest, *, order: Sequence[str]
) -> DataFrame:
    """Add a column `mask`, the keys to blank in each record as bits; null where there are none.

    Args:
        frame: Columns that the cells were counted by, `order`, and whatever else is to stay.
        tally: The cells.
        request: What is to be blanked.
        order: Columns by which records are in order.
    """
    on = {name: sf.col(name) for name in tally.values.columns}
    if bool(
        np.all(request.count == tally.cells.count[request.cell])
    ):  # all records of a cell alike
        masks = np.zeros(len(tally.cells), np.int64)
        masks[request.cell] = request.keys
        table = tally.table({"mask": masks}).filter(pl.col("mask") != 0)
        return join_table(frame, on, table)
    rows = join_table(frame, on, _shares(tally, request))
    # Records of cells without blanks need no rank: they stay where they are.
    touched, others = rows.where(sf.col("cell").isNotNull()), rows.where(sf.col("cell").isNull())
    rank = sf.row_number().over(Window.partitionBy("cell").orderBy(*order))
    place = sf.size(sf.filter("until", lambda last: last < sf.col("rank")))
    ranked = touched.withColumn("rank", rank).withColumn("mask", sf.get("masks", place))
    columns = [name for name in ranked.columns if name not in ("cell", "until", "masks", "rank")]
    return ranked.select(columns).unionByName(
        others.withColumn("mask", sf.lit(None).cast("long")).select(columns)
    )


def _shares(tally: CellTally, request: BlankRequest) -> pl.DataFrame:
    """For each combination its cell, and up to which of its records each set of keys goes."""
    cell = request.cell.astype(np.int64)
    shares = (
        pl.DataFrame({"cell": cell, "masks": request.keys, "count": request.count})
        .with_columns(pl.col("count").cum_sum().over("cell").alias("until"))
        .group_by("cell", maintain_order=True)
        .agg("until", "masks")
    )
    table = tally.table({"cell": np.arange(len(tally.cells), dtype=np.int64)})
    return table.join(shares, on="cell", how="inner")


def spread_masks(frame: DataFrame, bits: int) -> DataFrame:
    """Blank some keys in all members of a household if one of them loses them.

    Args:
        frame: Columns `h` and `mask`, and whatever else is to stay.
        bits: The keys.
    """
    mask = sf.coalesce(sf.col("mask"), sf.lit(0))
    mine = mask.bitwiseAND(sf.lit(bits))
    homes = (
        frame.where(sf.col("h").isNotNull() & (mine != 0))
        .groupBy(sf.col("h").alias("home"))
        .agg(sf.bit_or(mine).alias("shared"))
    )
    joined = frame.join(homes, sf.col("h") == sf.col("home"), "left")
    both = mask.bitwiseOR(sf.coalesce(sf.col("shared"), sf.lit(0)))
    return joined.withColumn("mask", both).drop("home", "shared")


def count_blanks(data: Data) -> dict[str, int]:
    """Return the number of values that were blanked, by variable."""
    flags = {name: ref.blank for name, ref in data.refs.items() if ref.blank}
    if not flags:
        return {}
    counts = [sf.count_if(sf.col(flag)).alias(flag) for flag in flags.values()]
    rows = data.rows.frame(set(flags.values()))
    counted = fetch(rows.agg(*counts), data.schema.source).row(0)
    return dict(zip(flags, counted, strict=True))


def count_changed_records(now: Data, since: Data) -> int:
    """Return the number of records that lost a value since an earlier state."""
    lost, needs = [], set[str]()
    for name, ref in now.refs.items():
        before = since.refs[name].blank if name in since.refs else None
        if ref.blank and ref.blank != before:
            flag = sf.col(ref.blank)
            lost.append(flag & ~sf.col(before) if before else flag)
            needs |= {ref.blank, *([before] if before else [])}
    if not lost:
        return 0
    hit = sf.count_if(reduce(lambda a, b: a | b, lost)).alias("n")
    return int(fetch(now.rows.frame(needs).agg(hit), now.schema.source).item())
