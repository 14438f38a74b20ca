"""Writing the records of the embedded engine, in their order or another."""

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
    held: Records,
    source: Source,
    path: str,
    *,
    notes: bool,
    blanks: Mapping[str, Code] | None,
    shuffle: NewOrder | None,
    prune: bool,
    progress: Progress,
) -> tuple[Notice, ...]:
    """Write records as they now are (see `Study.write`); return what to know of the file.

    Args:
        held: The records.
        source: Where they came from.
        path: Where to.
        notes: Whether notes that the file carries about itself are kept.
        blanks: Missing code to write for what is missing, by variable.
        shuffle: Their new order, if any.
        prune: Whether labels that no value needs are left out.
        progress: Progress callback.
    """
    records: pl.DataFrame | Callable[[], Iterator[pl.DataFrame]]
    unsorted = partial(held.table, progress)
    records, rows = unsorted, None
    if shuffle is not None:
        ordered = SortedRecords(held, shuffle)
        if in_batches(Path(path), source):
            records = partial(ordered.frames, progress)
        else:
            records, rows = ordered.table(progress)
    elif not in_batches(Path(path), source):
        _need_records(held, copies=2)  # they are read back at once, too
        records, rows = read_table(held), held.places()
    return write(
        records,
        held.schema,
        path,
        origin=source,
        blanks=blanks,
        notes=notes,
        rows=rows,
        unsorted=unsorted if in_batches(Path(path), source) else None,
        prune=prune,
    )


def read_table(held: Records, remedy: str = _UNSHUFFLED) -> pl.DataFrame:
    """Return all variables of all records as they now are.

    Args:
        held: The records.
        remedy: What the person can do if there is no room for them.
    """
    _need_records(held, remedy=remedy)
    return pl.concat(held.table())


def _need_records(held: Records, copies: int = 1, remedy: str = _UNSHUFFLED) -> None:
    size = copies * held.count * len(held.schema.names) * PER_VALUE
    held.memory.need(size, "to hold all records at once", remedy)
