"""What to write, and where."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from microsafe.errors import UsageError
from microsafe.io.source import Source
from microsafe.schema import Schema


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WriteRequest:
    """A file that is about to be written.

    Attributes:
        path: Where to write it: in a place of its own, under the name that it will have. What is
            written beside it goes with it.
        folder: That it will lie in.
        batches: Goes through its records, some at a time, every variable in order of the schema,
            nothing but null for missing.
        unsorted: Goes through the same records in whatever order is quickest.
        schema: What is known of the variables.
        origin: What the records were made from, if that is known.
        notes: Whether the file label and notes go with them.
        rows: Of each record its place in the origin, if they are not in its order.
        tags: Letter of the Stata missing value to write for null, by name of the variable.
        prune: Whether nothing is taken over from the origin that no variable stands for.
    """

    path: Path
    batches: Callable[[], Iterator[pl.DataFrame]]
    unsorted: Callable[[], Iterator[pl.DataFrame]]
    schema: Schema
    folder: Path
    origin: Source | None = None
    notes: bool = True
    rows: pl.Series | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    prune: bool = False

    @property
    def frame(self) -> pl.DataFrame:
        """All records at once."""
        return pl.concat(self.batches())

    def refuse_origin(self, path: Path) -> Path:
        """Return the path of a file to write if it will not take the place of one that was read.

        Raises:
            UsageError: It is, be it by another name: nothing could be checked against it then.
        """
        for read in self.origin.paths if self.origin else ():
            there = self.folder / path.name
            if read.is_dir() and there.resolve().is_relative_to(read.resolve()):
                raise UsageError(
                    f"{path.name} would lie in the folder that the data were read from "
                    f"({read.name}). Choose another folder for the output."
                )
            if there.exists() and read.exists() and os.path.samefile(there, read):
                raise UsageError(
                    f"{path.name} is the file that the data were read from ({read.name}). "
                    "Choose another name for the output."
                )
        return path

    def align_column(self, column: pl.Series) -> pl.Series:
        """Put a column of the origin into the order of the records.

        Raises:
            UsageError: There are more or fewer records, and `rows` does not say which these are.
        """
        if self.rows is not None:
            return column.gather(self.rows)
        height = self.frame.height
        if column.len() != height:
            raise UsageError(
                f"{self.path.name} has {height} records and its origin "
                f"{column.len()}. Say with rows which record of the origin each one is."
            )
        return column
