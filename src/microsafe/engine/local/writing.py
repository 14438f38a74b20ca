"""Write the records of the embedded engine, in their order or another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import polars as pl

from microsafe.engine.local.records import Records
from microsafe.engine.local.sorting import SortedRecords
from microsafe.engine.memory import PER_VALUE
from microsafe.engine.record_order import NewOrder
from microsafe.io import Source, in_batches, write
from microsafe.notices import Notice
from microsafe.progress import Progress
from microsafe.schema import Code

_UNSHUFFLED = "Write Parquet or CSV unshuffled,"


def write_records(
    data: Records,
    source: Source,
    path: str,
    *,
    notes: bool,
    blanks: Mapping[str, Code] | None,
    shuffle: NewOrder | None,
    prune: bool,
    progress: Progress,
) -> tuple[Notice, ...]:
    """Write records as they now are (see `Study.write`); return what to know of the file."""
    records: pl.DataFrame | Callable[[], Iterator[pl.DataFrame]]
    unsorted = partial(data.table, progress)
    records, rows = unsorted, None
    if shuffle is not None:
        ordered = SortedRecords(data, shuffle)
        if in_batches(Path(path), source):
            records = partial(ordered.frames, progress)
        else:
            records, rows = ordered.table(progress)
    elif not in_batches(Path(path), source):
        _need_records(data, copies=2)  # they are read back at once, too
        records, rows = read_table(data), data.places()
    return write(
        records,
        data.schema,
        path,
        origin=source,
        blanks=blanks,
        notes=notes,
        rows=rows,
        unsorted=unsorted if in_batches(Path(path), source) else None,
        prune=prune,
    )


def read_table(data: Records, remedy: str = _UNSHUFFLED) -> pl.DataFrame:
    """Return all variables of all records as they now are."""
    _need_records(data, remedy=remedy)
    return pl.concat(data.table())


def _need_records(data: Records, copies: int = 1, remedy: str = _UNSHUFFLED) -> None:
    size = copies * data.count * len(data.schema.names) * PER_VALUE
    data.memory.need(size, "to hold all records at once", remedy)
