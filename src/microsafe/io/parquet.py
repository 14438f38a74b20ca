"""Parquet: only the columns that are asked for leave the disk."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Literal

import polars as pl
from polars.io.plugins import register_io_source

from microsafe.errors import UnreadableFileError
from microsafe.io.apart import run_apart
from microsafe.io.columns import (
    guard_load,
    guard_scan,
    kind_of,
    narrow_integers,
    no_records_error,
    normalise_missing,
)
from microsafe.io.faults import translate_read_errors
from microsafe.io.pages import pages_size
from microsafe.io.source import Source
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from microsafe.io.target import Target

_KIND = "a Parquet file"
_VALUES = 1 << 23  # that a group of rows holds at most
_VALUE = 8  # bytes
_PER_BYTE = 10_000  # records; a million equal values take some hundred bytes
_ROWS, _COLUMNS = 1 << 20, 4  # that are tried at once

# By path, size, time and number of the file: its records, and the columns that could be read.
_tried: dict[tuple[str, int, int, int], tuple[int, set[str]]] = {}


def read(path: Path) -> Source:
    """Open a Parquet file. Whatever is read of it, another process has read before."""
    with translate_read_errors(path.name, _KIND):
        records = _try(path, ())
        types = pl.scan_parquet(path, glob=False).collect_schema()
    schema = Schema(
        source=path.name,
        variables=tuple(Variable(name=name, kind=kind_of(t)) for name, t in types.items()),
    )
    if not records:
        raise no_records_error(path.name)

    def query(names: Sequence[str]) -> pl.LazyFrame:
        return _query(path, {name: types[name] for name in names})

    def load(names: Sequence[str]) -> pl.DataFrame:
        with translate_read_errors(path.name, _KIND):
            _try(path, names)
            return narrow_integers(query(names).collect(), path.name)

    def scan(names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        for start in range(0, records, size):
            with translate_read_errors(path.name, _KIND):
                _try(path, names)
                # Only the pages that hold these rows are decoded.
                frame = narrow_integers(query(names).slice(start, size).collect(), path.name)
            yield frame

    return Source(
        schema=schema,
        load=guard_load(schema, load),
        columnar=True,
        scan=guard_scan(schema, scan),
        records=records,
        paths=(path,),
    )


def _query(path: Path | str, types: Mapping[str, pl.DataType]) -> pl.LazyFrame:
    return pl.scan_parquet(path, glob=False).select(
        normalise_missing(name, dtype) for name, dtype in types.items()
    )


def _try(path: Path, names: Sequence[str]) -> int:
    """Have columns read in another process, unless they were; return the number of records."""
    told = path.stat()
    file = (os.path.abspath(path), told.st_size, told.st_mtime_ns, told.st_ino)
    ask = partial(run_apart, name=path.name, unpacked=told.st_size, path=file[0])
    if file not in _tried:
        found, _ = ask("microsafe.io.parquet:count_records")
        if found > _PER_BYTE * told.st_size:
            raise UnreadableFileError(
                f"{path.name} says that it has {found:,} records, {found // told.st_size:,} for "
                "each of its bytes. It may be damaged, so fetch or export it again."
            )
        _tried[file] = found, set()
    records, known = _tried[file]
    if new := [name for name in dict.fromkeys(names) if name not in known]:
        ask(
            "microsafe.io.parquet:try_columns",
            decoded=_VALUE * records * len(new),
            declared=partial(pages_size, path, new),
            names=new,
        )
        known.update(new)
    return records


def count_records(path: str) -> tuple[int, None]:
    """Return the number of records; called in the process that reads."""
    pl.scan_parquet(path, glob=False).collect_schema()
    return pl.scan_parquet(path, glob=False).select(pl.len()).collect().item(), None


def try_columns(path: str, names: list[str]) -> tuple[None, None]:
    """Read columns, a few at a time, and forget them; called in the process that reads."""
    types = pl.scan_parquet(path, glob=False).collect_schema()
    records, _ = count_records(path)
    for first in range(0, len(names), _COLUMNS):
        some = _query(path, {name: types[name] for name in names[first : first + _COLUMNS]})
        for start in range(0, records, _ROWS):
            some.slice(start, _ROWS).collect()
    return None, None


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
