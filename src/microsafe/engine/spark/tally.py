"""Count cells in Spark with one pass over the records, and code them here.

Spark groups by the values themselves. What comes here are distinct combinations with counts, and
they are coded by the same functions as the records of the embedded engine: so codes, categories
and their order are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pyspark.sql import functions as sf

from microsafe.cells import Cells, Index, number
from microsafe.engine.coding import CodedVariable, code_column
from microsafe.engine.spark.queries import TellShare, tell_no_share
from microsafe.engine.spark.rows import fetch
from microsafe.engine.spark.weights import PARTS, fault_bits, join_parts, split_weight
from microsafe.errors import InputError, TooManyCellsError
from microsafe.schema import Schema, Variable
from microsafe.sums import Exact, Floats

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

WEIGHT = "w"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellTally:
    """Cells, and the combinations of values that they were made of.

    Attributes:
        cells: As the statistics need them.
        values: Distinct combinations of values: columns `k0`, `k1`, ... in order of the keys,
            and `w` where records of different weight lie in different cells.
        group: Number of the cell of each combination.
        clipped: Records whose weight was raised to 1.
        faulty: Whether some weight cannot be used.
    """

    cells: Cells
    values: pl.DataFrame
    group: Index
    clipped: int
    faulty: bool

    def table(self, columns: Mapping[str, NDArray[np.generic]]) -> pl.DataFrame:
        """Return values known for each cell as a table to be joined to the records."""
        return self.values.with_columns(
            pl.Series(name, figure[self.group]) for name, figure in columns.items()
        )

    def per_cell(self, rows: pl.DataFrame, name: str) -> tuple[Index, pl.Series]:
        """Return what was found for combinations: the numbers of their cells, and the figures."""
        where = self.values.with_columns(pl.Series("cell", self.group))
        joined = rows.join(where, on=self.values.columns, how="left", nulls_equal=True)
        return joined["cell"].to_numpy().astype(np.intp), joined[name]

    def within(self, other: CellTally) -> Index:
        """Return for each cell the number of the cell of fewer keys that it lies in."""
        places = {
            f"k{at}": f"k{self.cells.keys.index(key)}" for at, key in enumerate(other.cells.keys)
        }
        columns = [pl.col(places.get(name, name)).alias(name) for name in other.values.columns]
        cells = self.values.select(*columns, pl.Series("fine", self.group))
        cell, fine = other.per_cell(cells, "fine")
        result = np.empty(len(self.cells), np.intp)
        result[fine.to_numpy()] = cell
        return result


def count_combinations(
    frame: DataFrame, *, split: bool, source: str, most: int, tell: TellShare = tell_no_share
) -> pl.DataFrame:
    """Group the records by their keys; refuse more combinations than may come here.

    Args:
        frame: Columns `k0`, `k1`, ... and, if there is a weight, `w` and `raw`, as it is.
        split: Whether records of different weight are kept apart.
        source: What messages call the data.
        most: How many combinations may come here.
        tell: Told how far it is.
    """
    keys = [name for name in frame.columns if name.startswith("k")]
    counts = group_combinations(frame, [*keys, *([WEIGHT] if split else [])])
    counted = fetch(counts, source, most=most + 1, tell=tell)
    if len(counted) > most:
        raise TooManyCellsError(
            f"{source} has more than {most:,} combinations of keys, the most allowed on this "
            "machine. Recode keys with many categories, leave some out, or allow more "
            "(most_cells=..., --most-cells)."
        )
    if not len(counted):
        raise InputError(f"{source} has no records.")
    return counted


def group_combinations(frame: DataFrame, by: Sequence[str]) -> DataFrame:
    """Return counts and sums of weights by combination (see `count_combinations`)."""
    figures = [sf.count("*").alias("n")]
    if WEIGHT in frame.columns:
        weight, raw = sf.col(WEIGHT), sf.col("raw")
        figures += [
            sf.sum(p).alias(name) for p, name in zip(split_weight(weight), PARTS, strict=True)
        ]
        figures += [sf.bit_or(fault_bits(raw)).alias("faults"), sf.count_if(raw < 1).alias("low")]
    return frame.groupBy(*by).agg(*figures)


def tally_cells(
    counted: pl.DataFrame,
    schema: Schema,
    keys: Sequence[str],
    known: Mapping[str, pl.Series],
    *,
    split: bool,
) -> CellTally:
    """Code the combinations and merge those that mean the same.

    Args:
        counted: As `count_combinations` returns it.
        schema: What is known of the variables.
        keys: Their names, in the order of the columns.
        known: Distinct values by variable, blanked ones included: they stay categories.
        split: Whether records of different weight are kept apart.
    """
    columns = [f"k{place}" for place in range(len(keys))]
    codes = [
        _code_key(counted[column], schema[key], known.get(key), schema.source)
        for column, key in zip(columns, keys, strict=True)
    ]
    arrays, sizes = [coded.codes for coded in codes], [len(coded.categories) for coded in codes]
    if split:
        distinct, place = np.unique(counted[WEIGHT].to_numpy(), return_inverse=True)
        arrays, sizes = [*arrays, place.astype(np.uint32)], [*sizes, len(distinct)]
        columns = [*columns, WEIGHT]
    group, first = number(arrays, sizes, rows=len(counted))
    count = _sum_groups(counted["n"], group, len(first))
    weighted = "faults" in counted.columns
    cells = Cells(
        keys=tuple(keys),
        categories=tuple(coded.categories for coded in codes),
        codes=tuple(coded.codes[first] for coded in codes),
        count=count,
        weights=join_parts(*(_sum_groups(counted[part], group, len(first)) for part in PARTS))
        if weighted
        else Exact(count.astype(np.float64), None),
    )
    return CellTally(
        cells=cells,
        values=counted.select(columns),
        group=group,
        clipped=int(counted["low"].sum()) if weighted else 0,
        faulty=weighted and bool((counted["faults"] > 0).any()),
    )


def _code_key(
    values: pl.Series, variable: Variable, known: pl.Series | None, source: str
) -> CodedVariable:
    if known is not None:
        values = pl.concat([values, known.cast(values.dtype)])
    coded = code_column(values, variable, source=source)
    if known is None:
        return coded
    return CodedVariable(codes=coded.codes[: len(values) - len(known)], categories=coded.categories)


def _sum_groups(values: pl.Series, group: Index, size: int) -> NDArray[np.int64]:
    result = np.zeros(size, np.int64)
    np.add.at(result, group, values.fill_null(0).to_numpy())
    return result


def split_values(values: Floats, count: NDArray[np.int64]) -> Exact:
    """Split values of cells so that sums over their records are exact (see `Exact.split`)."""
    unit = Exact.split(np.append(values, float((values * count).sum())))
    high = unit.high[:-1]
    low = values - high
    return Exact(high, low if low.any() else None)
