"""Where data come from and go back to: this machine or Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
import polars as pl

from microsafe.cluster import (
    check_output_of_spark,
    open_in_spark,
    refuse_spark,
    write_from_spark,
)
from microsafe.engine import Engine, Local, Memory, size_of
from microsafe.errors import UsageError
from microsafe.io import Source, check_writable, in_batches, read, read_frame, write
from microsafe.notices import Notice
from microsafe.progress import Progress, silent
from microsafe.schema import Code

if TYPE_CHECKING:
    from microsafe.engine.spark import Spark
    from microsafe.io.spark import SparkSource

EngineName = Literal["local", "spark"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Here:
    """Data of this machine; `source` is what they were read from, if that is known."""

    source: Source | None = None

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a person should know about how they were read."""
        return self.source.notices if self.source else ()

    def like(self, frame: pl.DataFrame) -> object:
        """Return a frame of the kind that came in."""
        return self.source.like(frame) if self.source else frame

    def check_output(self, path: str) -> None:
        """Raise UsageError if no format that can be written has the suffix of a path."""
        check_writable(Path(path))

    def write(
        self,
        engine: Engine,
        path: str,
        *,
        notes: bool = True,
        blanks: Mapping[str, Code] | None = None,
        shuffle: int | None = None,
        progress: Progress = silent,
    ) -> None:
        """Write the records as they now are (see `Study.write`)."""
        local = cast(Local, engine)
        records: pl.DataFrame | Callable[[], Iterator[pl.DataFrame]]
        records, rows = partial(local.batches, progress=progress), None
        if shuffle is not None:
            order = np.random.default_rng(shuffle).permutation(local.rows())
            places = local.places()
            records = local.table()[order]
            rows = pl.Series(order) if places is None else places[order]
        elif not in_batches(Path(path), self.source):
            records, rows = local.table(), local.places()
        write(
            records,
            local.schema,
            Path(path),
            origin=self.source,
            blanks=blanks,
            notes=notes,
            rows=rows,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class There:
    """Data in Spark."""

    source: SparkSource

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a person should know about how they were read."""
        return self.source.notices

    def like(self, frame: pl.DataFrame) -> object:
        """Return a small frame as it is: what came here stays here."""
        return frame

    def check_output(self, path: str) -> None:
        """Raise UsageError if records that came this way cannot be written in a format."""
        check_output_of_spark(self.source, path)

    def write(
        self,
        engine: Engine,
        path: str,
        *,
        notes: bool = True,
        blanks: Mapping[str, Code] | None = None,
        shuffle: int | None = None,
        progress: Progress = silent,
    ) -> None:
        """Write the records as they now are (see `Study.write`)."""
        progress("writing", 0.0)
        spark = cast("Spark", engine)
        write_from_spark(
            spark,
            self.source,
            path,
            notes=notes,
            blanks=blanks,
            shuffle=shuffle,
            progress=progress,
        )
        progress("writing", 1.0)


def opened(
    data: object,
    *,
    engine: EngineName,
    master: str | None,
    most_cells: int | None,
    memory: str | int | Memory | None,
    progress: Progress = silent,
    **reading: Any,
) -> tuple[Engine, Here | There]:
    """Open data in one of the engines (see `study`)."""
    if engine != "spark":
        refuse_spark(data, engine, master, most_cells)
        return _here(data, memory, progress, **reading)
    if memory is not None:
        raise UsageError("memory limits the embedded engine. Spark has limits of its own.")
    made, source = open_in_spark(data, master=master, most_cells=most_cells, **reading)
    return made, There(source=source)


def _here(
    data: object, limit: str | int | Memory | None, progress: Progress, **reading: Any
) -> tuple[Local, Here]:
    """Open data in the embedded engine."""
    size = size_of(limit) if isinstance(limit, str | int) else None
    source = _read(data, progress, **reading)
    name = source.schema.source
    memory = limit.shared(name) if isinstance(limit, Memory) else Memory(size, name)
    if source.held:
        memory.keep(
            source.held,
            "because its format is read as a whole",
            "Save it as Parquet, or as CSV in UTF-8,",
        )
    engine = Local(
        source.schema,
        source.load,
        columnar=source.columnar,
        like=source.like_records,
        scan=source.scan,
        records=source.records,
        memory=memory,
    )
    return engine, Here(source=source)


def _read(data: object, progress: Progress, **options: Any) -> Source:
    if isinstance(data, str | Path):
        return read(Path(data), progress=progress, **options)
    given = [name for name, value in options.items() if value]
    if given:
        raise UsageError(f"{', '.join(given)} can be given for a file only, not for a frame.")
    return read_frame(data)
