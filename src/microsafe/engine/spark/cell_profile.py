"""Summarise cells by count and weight where they are too many to collect from Spark.

Where a match needs equal keys, the risk of a record depends on its cell through the number of its
records and the sum of their weights alone, and far fewer of these pairs occur than cells. So pairs
come here instead, the same functions measure them, and nothing is lost but which cell is which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pyspark.sql import functions as sf

from microsafe.cells import Cells
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.queries import TellShare, tell_no_share
from microsafe.engine.spark.rows import fetch, join_table
from microsafe.engine.spark.tally import group_combinations
from microsafe.engine.spark.weights import PARTS, join_parts
from microsafe.errors import TooManyCellsError
from microsafe.options.scenario import Scenario
from microsafe.sums import Exact

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellProfile:
    """Pairs of count and weight that occur.

    Attributes:
        cells: One row for each pair, which stands for all cells that have it.
        pairs: The same pairs as Spark has them: `n` and the parts of the weight.
        clipped: Records whose weight was raised to 1.
        faulty: Whether some weight cannot be used.
    """

    cells: Cells
    pairs: pl.DataFrame
    clipped: int
    faulty: bool


def count_pairs(
    data: Data, scenario: Scenario, *, most: int, tell: TellShare = tell_no_share
) -> CellProfile:
    """Count the pairs: one pass over keys and weight, two shuffles.

    Args:
        data: The records.
        scenario: Whose keys and weight.
        most: How many pairs may come here.
        tell: Told how far it is.

    Raises:
        TooManyCellsError: The rules of the scenario need more of a cell than its count and weight,
            or pairs are too many, too.
    """
    source = data.schema.source
    if scenario.household is not None or scenario.attack == "weight":
        raise TooManyCellsError(_refusal(source, most, "households and the attack model 'weight'"))
    if scenario.error:
        raise TooManyCellsError(_refusal(source, most, "chances of error of keys"))
    groups = cells_in_spark(data, scenario)
    keys = [name for name in groups.columns if name.startswith("k")]
    gap = reduce(lambda a, b: a | b, (sf.col(key).isNull() for key in keys))
    weighted = [name for name in PARTS if name in groups.columns]
    figures = [sf.count("*").alias("alike"), sf.max(gap).alias("gap")]
    figures += [sf.sum("low").alias("low"), sf.bit_or("faults").alias("faults")] if weighted else []
    pairs = groups.groupBy("n", *weighted).agg(*figures)
    counted = fetch(pairs, source, most=most + 1, tell=tell)
    if scenario.missing != "category" and bool(counted["gap"].any()):
        raise TooManyCellsError(_refusal(source, most, f"missing='{scenario.missing}'"))
    if len(counted) > most:
        raise TooManyCellsError(_refusal(source, most, "so many different weights"))
    counted = counted.sort("n", *weighted)
    count = counted["n"].to_numpy().astype(np.int64)
    parts = (counted[name].fill_null(0).to_numpy() for name in weighted)
    cells = Cells(
        keys=(),
        categories=(),
        codes=(),
        count=count,
        weights=join_parts(*parts) if weighted else Exact(count.astype(np.float64), None),
        alike=counted["alike"].to_numpy().astype(np.int64),
    )
    return CellProfile(
        cells=cells,
        pairs=counted.select("n", *weighted),
        clipped=int(counted["low"].sum()) if weighted else 0,
        faulty=bool(weighted) and bool((counted["faults"] > 0).any()),
    )


def _refusal(source: str, most: int, what: str) -> str:
    return (
        f"{source} has more than {most:,} combinations of keys, the most allowed on this "
        f"machine, and {what} cannot do without them. Recode keys with many categories, leave some "
        "out, or allow more (most_cells=..., --most-cells)."
    )


def cells_in_spark(data: Data, scenario: Scenario) -> DataFrame:
    """Return the cells where they are; missing is one category, however it is said."""
    frame = data.add_keys(data.rows.frame(data.needs(scenario)), scenario, raw=True)
    known = {f"k{place}": data.known_values(key) for place, key in enumerate(scenario.keys)}
    return group_combinations(frame.withColumns(known), list(known))


def attach_figures(
    data: Data,
    scenario: Scenario,
    profile: CellProfile,
    figures: Mapping[str, NDArray[Any]],
    names: Sequence[str],
) -> DataFrame:
    """Return records with the figures of their pair: two joins, one of them of all records."""
    table = profile.pairs.with_columns(pl.Series(name, figure) for name, figure in figures.items())
    on = {name: sf.col(name) for name in profile.pairs.columns}
    keys = [f"k{place}" for place in range(len(scenario.keys))]
    cells = join_table(cells_in_spark(data, scenario), on, table).select(*keys, *figures)
    there = {key: f"join_{key}" for key in keys}
    cells = cells.withColumnsRenamed(there)
    rows = data.rows.frame({*names, *data.needs(scenario)})
    known = {f"k{place}": data.known_values(key) for place, key in enumerate(scenario.keys)}
    rows = rows.withColumns(known)
    same = [sf.col(key).eqNullSafe(sf.col(other)) for key, other in there.items()]
    return rows.join(cells, reduce(lambda a, b: a & b, same), "left")
