"""Read and write Parquet; only columns that are asked for are read."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Literal

import polars as pl
from polars.io.plugins import register_io_source

from microsafe.errors import UnreadableFileError
from microsafe.io.reader.probe import ColumnarFormat, open_columns, probe_ahead, read_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from microsafe.io.source import Source
    from microsafe.io.write_request import WriteRequest

_FORMAT = ColumnarFormat(kind="a Parquet file", scan="scan_parquet")
_ENCRYPTED = b"PARE"  # the first bytes
_VALUES = 1 << 23  # that a group of rows holds at most


def read(path: Path) -> Source:
    """Open a Parquet file.

    Raises:
        UnreadableFileError: It cannot be read.
        InputError: It has no records.
    """
    _refuse_encrypted(path)
    return open_columns(path, _FORMAT)


def prepare(path: Path, names: Sequence[str]) -> None:
    """Probe columns ahead of time that will be asked for."""
    probe_ahead(path, _FORMAT, names)


def open_part(path: Path, folder: str) -> tuple[Source, Mapping[str, pl.DataType]]:
    """Open a file of a folder that is one table; return it with the types of its columns.

    Raises:
        UnreadableFileError: It cannot be read.
        InputError: It has nothing that can be read.
    """
    _refuse_encrypted(path)
    source, types = open_columns(path, _FORMAT, part_of=folder), read_types(path, _FORMAT)
    return source, {name: types[name] for name in source.schema.names}


def _refuse_encrypted(path: Path) -> None:
    with path.open("rb") as file:
        start = file.read(len(_ENCRYPTED))
    if start == _ENCRYPTED:
        raise UnreadableFileError(
            f"{path.name} is encrypted. Export it again without encryption, or decrypt it first."
        )


def write(request: WriteRequest) -> None:
    """Write a Parquet file; it holds no time of its making, so equal data give equal bytes."""
    write_batches(request.path, request.batches())


def write_batches(
    path: Path, batches: Iterator[pl.DataFrame], *, compression: Literal["zstd", "snappy"] = "zstd"
) -> None:
    """Write frames one after the other; how the rows are shared out among them does not show.

    Raises:
        Exception: Whatever the batches raise.
    """

    def sink(frame: pl.LazyFrame, file: IO[bytes], rows: int) -> None:
        frame.sink_parquet(file, compression=compression, row_group_size=rows)

    sink_batches(path, batches, sink)


def sink_batches(
    path: Path,
    batches: Iterator[pl.DataFrame],
    sink: Callable[[pl.LazyFrame, IO[bytes], int], None],
) -> None:
    """Have Polars write frames one after the other.

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
            sink(register_io_source(frames, schema=first.schema), file, rows_per_group(first.width))
    except BaseException:
        if failed:
            raise failed[0] from None
        raise


def rows_per_group(columns: int) -> int:
    """Return how many rows are written at once, fewer the more columns there are."""
    return max(1 << 12, min(1 << 18, 1 << (_VALUES // columns).bit_length() - 1))
