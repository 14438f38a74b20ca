"""Records as a Spark frame with columns that are computed when needed.

Columns have names of their own (`c0`, `c1`, ...), as those of files may hold anything. A step
adds a layer of new columns and leaves the old ones in place, so a later state of the data can
be compared with an earlier one record by record, without a join.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

import polars as pl
from pyspark.sql import functions as sf

from microsafe.engine.spark.queries import TellShare, tell_no_share, watch_query
from microsafe.engine.transformations import sort_distinct
from microsafe.errors import InputError, MicrosafeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import Column, DataFrame

_BROADCAST = 64 << 20  # bytes; tables up to this size are sent to every executor


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layer:
    """Columns that are made of others.

    Attributes:
        makes: Names of the new columns.
        needs: Names of the columns that they are made of.
        add: Adds them to a frame that has those.
    """

    makes: tuple[str, ...]
    needs: tuple[str, ...]
    add: Callable[[DataFrame], DataFrame]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """The records as read, and the layers on top of them.

    Attributes:
        base: What was read.
        layers: What was added, in order.
        order: Columns by which the records are in input order; none if they have no order.
    """

    base: DataFrame
    layers: tuple[Layer, ...] = ()
    order: tuple[str, ...] = ()

    def frame(self, names: Collection[str]) -> DataFrame:
        """Return some columns; layers and columns that these do not rest on are left out."""
        needed, used = set(names), []
        for layer in reversed(self.layers):
            if needed.intersection(layer.makes):
                used.append(layer)
                needed.update(layer.needs)
        read = [name for name in self.base.columns if name in needed]
        layered = reduce(
            lambda frame, layer: layer.add(frame), reversed(used), self.base.select(read)
        )
        return layered.select(*sorted(names))

    def with_layer(
        self, makes: Sequence[str], needs: Collection[str], add: Callable[[DataFrame], DataFrame]
    ) -> Rows:
        """Return the records with further columns."""
        layer = Layer(makes=tuple(makes), needs=tuple(sorted(needs)), add=add)
        return replace(self, layers=(*self.layers, layer))

    def fresh(self, stem: str) -> str:
        """Return a name that no column has yet."""
        return f"{stem}{len(self.layers)}"


def join_table(
    frame: DataFrame, on: Mapping[str, Column], table: pl.DataFrame, *, how: str = "left"
) -> DataFrame:
    """Join a table that came from or goes through this machine; missing equals missing.

    Args:
        frame: Records.
        on: By column of the table, what it is compared with.
        table: Its other columns are added; no two of its rows agree on the columns of `on`.
        how: "left" keeps all records, "inner" those with a row in the table.
    """
    there = {name: f"join_{name}" for name in on}
    other = frame.sparkSession.createDataFrame(table.rename(there).to_arrow())
    if table.estimated_size() <= _BROADCAST:
        other = sf.broadcast(other)
    same = [column.eqNullSafe(sf.col(there[name])) for name, column in on.items()]
    return frame.join(other, reduce(lambda a, b: a & b, same), how).drop(*there.values())


def fetch(
    frame: DataFrame, source: str, *, most: int | None = None, tell: TellShare = tell_no_share
) -> pl.DataFrame:
    """Bring a small result here as Arrow.

    Args:
        frame: The result: counts and codes, never records but those that came from here.
        source: What messages call the data.
        most: Rows to stop behind.
        tell: Told how far it is.
    """

    def query() -> pl.DataFrame:
        with rephrase_errors(source):
            return pl.DataFrame(
                pl.from_arrow((frame if most is None else frame.limit(most)).toArrow())
            )

    return watch_query(frame.sparkSession, query, tell)


def fetch_distinct(frame: DataFrame, name: str, source: str, *, most: int) -> pl.Series:
    """Bring the distinct values of a variable here, in order.

    Args:
        frame: One column.
        name: Of the variable.
        source: What messages call the data.
        most: How many values may come here.

    Raises:
        InputError: There are more.
    """
    distinct = fetch(frame.distinct(), source, most=most + 1)
    if len(distinct) > most:
        raise InputError(
            f"{name!r} of {source} has more than {most:,} distinct values, the most allowed "
            "on this machine. Allow more (most_cells=...)."
        )
    return sort_distinct(distinct.to_series())


@contextmanager
def rephrase_errors(source: str) -> Iterator[None]:
    """Turn whatever Spark raises into one sentence: its own words may quote records."""
    try:
        yield
    except (MicrosafeError, MemoryError):
        raise
    except Exception:
        fault = InputError(
            f"Spark failed while working on {source}. Its own log says why; it may quote records."
        )
    else:
        return
    try:
        raise fault
    finally:
        fault.__context__ = None
