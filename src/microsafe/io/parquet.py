"""Parquet: only the columns that are asked for leave the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import polars as pl
from polars.io.plugins import register_io_source

from microsafe.io.columns import (
    guard_load,
    guard_scan,
    kind_of,
    no_records_error,
    normalise_missing,
)
from microsafe.io.faults import translate_read_errors
from microsafe.io.source import Source
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from microsafe.io.target import Target

_VALUES = 1 << 23  # that a group of rows holds at most


def read(path: Path) -> Source:
    """Open a Parquet file."""
    with translate_read_errors(path.name, "a Parquet file"):
        types = pl.scan_parquet(path, glob=False).collect_schema()
        records = pl.scan_parquet(path, glob=False).select(pl.len()).collect().item()
    schema = Schema(
        source=path.name,
        variables=tuple(Variable(name=name, kind=kind_of(t)) for name, t in types.items()),
    )
    if not records:
        raise no_records_error(path.name)

    def query(names: Sequence[str]) -> pl.LazyFrame:
        return pl.scan_parquet(path, glob=False).select(
            normalise_missing(n, types[n]) for n in names
        )

    def load(names: Sequence[str]) -> pl.DataFrame:
        with translate_read_errors(path.name, "a Parquet file"):
            return query(names).collect()

    def scan(names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        for start in range(0, records, size):
            with translate_read_errors(path.name, "a Parquet file"):
                # Only the pages that hold these rows are decoded.
                frame = query(names).slice(start, size).collect()
            yield frame

    return Source(
        schema=schema,
        load=guard_load(schema, load),
        columnar=True,
        scan=guard_scan(schema, scan),
        records=records,
        paths=(path,),
    )


def write(target: Target) -> None:
    """Write a Parquet file; it holds no time of its making, so equal data give equal bytes."""
    write_batches(target.path, target.batches())


def write_batches(
    path: Path, batches: Iterator[pl.DataFrame], *, compression: Literal["zstd", "snappy"] = "zstd"
) -> None:
    """Write frames one after the other; how the rows are shared out among them does not show.

    Raises:
        Exception: Whatever the batches raise.
    """
    first = next(batches)
    failed: list[BaseException] = []

    def frames(*_: object) -> Iterator[pl.DataFrame]:
        try:
            yield first
            yield from batches
        except BaseException as error:  # Polars would make an error of its own of it
            failed.append(error)
            raise

    try:
        # By its handle: a sink that fails may still be opening a path when the error is told,
        # and would make the file again after it was removed.
        with path.open("wb") as file:
            register_io_source(frames, schema=first.schema).sink_parquet(
                file, compression=compression, row_group_size=rows_per_group(first.width)
            )
    except BaseException:
        if failed:
            raise failed[0] from None
        raise


def rows_per_group(columns: int) -> int:
    """Return how many rows are written at once, fewer the more columns there are."""
    return max(1 << 12, min(1 << 18, 1 << (_VALUES // columns).bit_length() - 1))
