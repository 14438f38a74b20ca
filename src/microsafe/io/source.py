"""A file or frame that has been opened: its schema, and its columns on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from microsafe.batches import Load, Scan
from microsafe.io.formats import Format
from microsafe.notices import Notice
from microsafe.options.declaration import Declaration
from microsafe.schema import Schema

Like = Callable[[pl.DataFrame], object]
LikeSample = Callable[[pl.DataFrame, pl.Series], object]


def _as_like(frame: pl.DataFrame) -> object:
    return frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where records come from.

    Attributes:
        schema: What is known of the variables.
        load: Gives the named columns, in that order, every row. Missing is null. Text
            columns are strings, empty text is null; declared missing codes are still there.
        columnar: Whether a column costs only its share of a read. If not, ask for all
            columns at once.
        scan: Gives the same in frames of so many rows, the last one of fewer, and holds no more
            than a few of them. None if the file can be read as a whole only.
        records: Number of rows, if that is known before they are loaded.
        held: Bytes, by estimate, that reading it takes besides the columns asked for. Data
            frames, which were there before, count for nothing.
        notices: What a person should know about how the file was read.
        like: Turns a Polars frame, such as a table of cells, into the kind of frame that
            came in. Its rows are no records, so it never bears their labels.
        like_records: The same for a frame with a row for each record, in the order of the
            input: labels of the rows (the index of pandas) are kept. By default `like`.
        like_sample: The same for a sample, given the place of each record in the input, from 0.
            None if rows have no labels.
        paths: The files that it was read from, the data first. None of them is written onto.
        format: The format of the file; None for a data frame.
        dialect: What only the format's own module knows of how the file is written, so
            that it can write another one like it.
        declarations: What the file's metadata say of its variables beyond the schema, such as
            identification levels, costs of blanks and linked variables of mu-ARGUS.
    """

    schema: Schema
    load: Load
    columnar: bool
    scan: Scan | None = None
    records: int | None = None
    held: int = 0
    notices: tuple[Notice, ...] = ()
    like: Like = lambda frame: frame
    like_records: Like = _as_like
    like_sample: LikeSample | None = None
    paths: tuple[Path, ...] = ()
    format: Format | None = None
    dialect: object = None
    declarations: Mapping[str, Declaration] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Without a converter of its own, a frame of records is turned like any other."""
        if self.like_records is _as_like:
            object.__setattr__(self, "like_records", self.like)
