"""Households in Spark: bring members together once, by one shuffle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pyspark.sql import functions as sf

from microsafe.cells import Index, Membership
from microsafe.engine.contract import Households
from microsafe.engine.spark.rows import fetch, join_table
from microsafe.engine.spark.tally import CellTally, split_values
from microsafe.errors import InputError
from microsafe.sums import Exact, Floats

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_FEW = 100  # categories up to which a key may hold the size of the household


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SparkHouseholdIndex:
    """Which household is which: those with an id in its order, then records without one.

    Attributes:
        ids: In order.
        alone: Number of the cell of each record without an id.
    """

    ids: pl.Series
    alone: Index

    def table(self, values: Floats, name: str) -> pl.DataFrame:
        """Return values of the households with an id as a table."""
        return pl.DataFrame({"id": self.ids, name: values[: len(self.ids)]})


def sum_households(
    frame: DataFrame,
    tally: CellTally,
    values: Floats,
    *,
    keys: Sequence[str],
    source: str,
    most: int,
) -> tuple[Households, SparkHouseholdIndex]:
    """Sum a value of cells over the members of each household.

    Args:
        frame: Columns `h` (null without an id) and those that the cells were counted by.
        tally: The cells.
        values: One for each of them.
        keys: Names of the keys.
        source: What messages call the data.
        most: How many households may come here.
    """
    parts = split_values(values, tally.cells.count)
    low = np.zeros(len(values)) if parts.low is None else parts.low
    table = tally.table({"high": parts.high, "low": low})
    rows = join_table(frame, {name: sf.col(name) for name in tally.values.columns}, table)
    sizes = size_columns(tally)
    members = rows.groupBy("h").agg(
        sf.count("*").alias("n"),
        sf.sum("high").alias("high"),
        sf.sum("low").alias("low"),
        *(sf.collect_list(as_size(sf.col(column))).alias(column) for column in sizes),
    )
    is_size = [
        sf.size(sf.filter(column, lambda x: x == sf.col("n"))).alias(column) for column in sizes
    ]
    fetched = fetch(members.select("h", "n", "high", "low", *is_size), source, most=most + 1)
    if len(fetched) > most:
        raise InputError(
            f"{source} has more than {most:,} households, the most allowed on this machine. "
            "Allow more (most_cells=...), or leave the household out of the scenario."
        )
    assigned = fetched.filter(pl.col("h").is_not_null()).sort("h")
    alone = _alone(frame, tally, source) if len(assigned) < len(fetched) else np.zeros(0, np.intp)
    own = Exact(assigned["high"].to_numpy(), assigned["low"].to_numpy()).value
    size = assigned["n"].to_numpy().astype(np.int64)
    matches = {
        column: int(assigned[column].sum() or 0) + _alone_with_one(tally, column, alone)
        for column in sizes
    }
    sums = Households(
        total=np.concatenate([own, values[alone]]),
        size=np.concatenate([size, np.ones(len(alone), np.int64)]),
        unassigned=len(alone),
        size_key=_size_key(keys, matches, tally.cells.records),
    )
    return sums, SparkHouseholdIndex(ids=assigned["h"], alone=alone)


def size_columns(tally: CellTally) -> list[str]:
    """Columns of keys that may hold the size of the household: few categories, whole numbers."""
    return [
        f"k{place}"
        for place, categories in enumerate(tally.cells.categories)
        if len(categories) <= _FEW
        and all(text.isascii() and text.strip().isdecimal() for text in categories)
    ]


def as_size(column: Column) -> Column:
    """Return a key as a whole number; anything else is -1, the size of no household."""
    return sf.coalesce(sf.trim(column.cast("string")).try_cast("double").cast("int"), sf.lit(-1))


def _alone(frame: DataFrame, tally: CellTally, source: str) -> Index:
    """Cells of the records without a household, each as often as it has such records."""
    lonely = frame.where(sf.col("h").isNull()).groupBy(*tally.values.columns)
    counted = fetch(lonely.agg(sf.count("*").alias("n")), source)
    cell, n = tally.per_cell(counted, "n")
    return np.sort(np.repeat(cell, n.to_numpy()))


def _alone_with_one(tally: CellTally, column: str, alone: Index) -> int:
    place = int(column[1:])
    is_one = np.array([False, *(int(category) == 1 for category in tally.cells.categories[place])])
    return int(np.count_nonzero(is_one[tally.cells.codes[place][alone]]))


def _size_key(keys: Sequence[str], matches: dict[str, int], records: int) -> str | None:
    for column, count in matches.items():
        if count / records >= 0.9:
            return keys[int(column[1:])]
    return None


def fetch_members(frame: DataFrame, tally: CellTally, *, source: str, most: int) -> MemberRows:
    """Bring the members that each household has in each cell here.

    Args:
        frame: Columns `h` (null without an id) and those that the cells were counted by.
        tally: The cells.
        source: What messages call the data.
        most: How many rows may come here.
    """
    together = frame.groupBy("h", *tally.values.columns)
    counted = fetch(together.agg(sf.count("*").alias("n")), source, most=most + 1)
    if len(counted) > most:
        raise InputError(
            f"{source} has more than {most:,} pairs of household and combination of keys, the "
            "most allowed on this machine. Allow more (most_cells=...), or leave the "
            "household out of the scenario."
        )
    cell, n = tally.per_cell(counted, "n")
    rows = pl.DataFrame({"h": counted["h"], "cell": cell, "n": n})
    lonely, rows = rows.filter(pl.col("h").is_null()), rows.filter(pl.col("h").is_not_null())
    rows = rows.group_by("h", "cell").agg(pl.col("n").sum()).sort("h", "cell")
    alone = np.sort(np.repeat(lonely["cell"].to_numpy(), lonely["n"].to_numpy()))
    return MemberRows(
        index=SparkHouseholdIndex(ids=rows["h"].unique().sort(), alone=alone.astype(np.intp)),
        home=rows["h"].rank("dense").to_numpy().astype(np.intp) - 1,
        cell=rows["cell"].to_numpy().astype(np.intp),
        records=rows["n"].to_numpy().astype(np.int64),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MemberRows:
    """Members of households with an id, by household and cell, in that order.

    Attributes:
        index: Which household is which.
        home: Its number among those with an id.
        cell: Of the members.
        records: Their number.
    """

    index: SparkHouseholdIndex
    home: Index
    cell: Index
    records: NDArray[np.int64]

    def membership(self) -> Membership:
        """Return the members, records without an id being households of one."""
        alone = self.index.alone
        return Membership(
            household=np.concatenate([self.home, len(self.index.ids) + np.arange(len(alone))]),
            cell=np.concatenate([self.cell, alone]),
            records=np.concatenate([self.records, np.ones(len(alone), np.int64)]),
        )

    def sum_households(self, tally: CellTally, values: Floats) -> Households:
        """Sum a value of cells over the members of each household."""
        parts, alone = split_values(values, tally.cells.count), self.index.alone
        low = None if parts.low is None else self._sum(parts.low)
        size = self._sum(np.ones(len(values))).astype(np.int64)
        matches = {
            column: self._count_sizes(tally, column, size) + _alone_with_one(tally, column, alone)
            for column in size_columns(tally)
        }
        return Households(
            total=np.concatenate([Exact(self._sum(parts.high), low).value, values[alone]]),
            size=np.concatenate([size, np.ones(len(alone), np.int64)]),
            unassigned=len(alone),
            size_key=_size_key(tally.cells.keys, matches, tally.cells.records),
        )

    def _sum(self, by_cell: Floats) -> Floats:
        total: Floats = np.zeros(len(self.index.ids))
        np.add.at(total, self.home, by_cell[self.cell] * self.records)
        return total

    def _count_sizes(self, tally: CellTally, column: str, size: NDArray[np.int64]) -> int:
        """Records in which a key says how many members their household has."""
        place = int(column[1:])
        numbers = np.array([-1, *map(int, tally.cells.categories[place])])
        same = numbers[tally.cells.codes[place][self.cell]] == size[self.home]
        return int(self.records[same].sum())

    def find_constant_keys(self, tally: CellTally) -> tuple[str, ...]:
        """Return the keys that never differ between members of a household."""
        next_to = self.home[1:] == self.home[:-1]
        return tuple(
            key
            for key, codes in zip(tally.cells.keys, tally.cells.codes, strict=True)
            if not bool(np.any(np.diff(codes[self.cell].astype(np.int64))[next_to]))
        )


def find_lowest(frame: DataFrame, tally: CellTally, by_id: pl.DataFrame, *, source: str) -> Floats:
    """For each cell the lowest value of the households with an id that its records belong to.

    Args:
        frame: Columns `h` (null without an id) and those that the cells were counted by.
        tally: The cells.
        by_id: Columns `id` and `low`, the value.
        source: What messages call the data.
    """
    result: NDArray[np.float64] = np.full(len(tally.cells), np.inf)
    table = by_id.filter(pl.col("low") < np.inf)
    if len(table):
        rows = join_table(frame, {"id": sf.col("h")}, table, how="inner")
        lowest = fetch(rows.groupBy(*tally.values.columns).agg(sf.min("low").alias("low")), source)
        cell, low = tally.per_cell(lowest, "low")
        np.minimum.at(result, cell, low.to_numpy())
    return result


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordsWithoutHousehold:
    """Records without a household: cells, and of which of them each record is."""

    tally: CellTally
    cells: Index


def lower_alone(
    lowest: Floats,
    fine: RecordsWithoutHousehold,
    coarse: RecordsWithoutHousehold,
    values: Floats,
    tally: CellTally,
) -> None:
    """Lower the values of cells to those of their records without a household.

    Args:
        lowest: By cell of `tally`; it is changed.
        fine: Records by cells that lie within those of `coarse` and of `tally`.
        coarse: Records as `values` have them.
        values: One for each.
        tally: The cells that are meant.
    """
    by_cell = np.full(len(coarse.tally.cells), np.inf)
    np.minimum.at(by_cell, coarse.cells, values)
    own = by_cell[fine.tally.within(coarse.tally)[fine.cells]]
    np.minimum.at(lowest, fine.tally.within(tally)[fine.cells], own)


def find_constant_keys(frame: DataFrame, keys: Sequence[str], *, source: str) -> tuple[str, ...]:
    """Return the keys that never differ between members of a household.

    Args:
        frame: Columns `h` and `k0`, `k1`, ... with null for everything that means missing.
        keys: Their names.
        source: What messages call the data.
    """
    columns = [f"k{place}" for place in range(len(keys))]
    together = frame.where(sf.col("h").isNotNull()).groupBy("h")
    same = together.agg(
        *(
            (
                (sf.count(name) == 0)
                | ((sf.count(name) == sf.count("*")) & (sf.min(name) == sf.max(name)))
            ).alias(name)
            for name in columns
        )
    )
    constant = fetch(same.agg(*(sf.min(name).alias(name) for name in columns)), source).row(0)
    return tuple(key for key, always in zip(keys, constant, strict=True) if always is not False)
