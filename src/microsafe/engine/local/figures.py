"""Put figures of cells and households beside each record, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl
from numpy.typing import NDArray

from microsafe.batches import rebatch_frames
from microsafe.cells import Index
from microsafe.engine.contract import Figures
from microsafe.engine.local.records import Records
from microsafe.engine.memory import Batches
from microsafe.engine.slices import batch_lengths
from microsafe.progress import Progress
from microsafe.sums import Floats


def figure_batches(
    groups: Batches,
    households: Iterator[Index],
    by_cell: Figures,
    by_household: Mapping[str, Floats],
    progress: Progress,
) -> Iterator[pl.DataFrame]:
    """Go through the figures of each record.

    Args:
        groups: Number of the cell of each record.
        households: Number of its household; not asked for without figures of households.
        by_cell: Figures of cells, by name.
        by_household: Figures of households, by name.
        progress: Progress callback.
    """
    for done, group in enumerate(groups):
        progress("writing records", done / len(groups))
        columns: dict[str, NDArray[Any]] = {name: v[group] for name, v in by_cell.items()}
        if by_household:
            household = next(households)
            columns |= {name: figures[household] for name, figures in by_household.items()}
        yield pl.DataFrame(columns)


def insert_variables(
    records: Records,
    figures: Iterator[pl.DataFrame],
    identifiers: Sequence[str],
    used: set[str],
) -> Iterator[pl.DataFrame]:
    """Put variables before the figures; one with the name of a figure is called `variable_...`."""
    known = [records.schema[name].name for name in identifiers]
    names = {name: f"variable_{name}" if name in used else name for name in known}
    if not names:
        return figures
    size = batch_lengths(records.count)[0]
    values = rebatch_frames(records.table(names=list(names)), size)
    return (
        pl.concat([batch.select(*names).rename(names), frame], how="horizontal")
        for batch, frame in zip(values, figures, strict=True)
    )
