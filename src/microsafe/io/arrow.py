"""Arrow IPC files, which are Feather files of version 2."""

from __future__ import annotations

from inspect import signature
from typing import IO, TYPE_CHECKING, Any

import polars as pl

from microsafe.errors import UnreadableFileError
from microsafe.io.parquet import sink_batches
from microsafe.io.reader.faults import DAMAGED
from microsafe.io.reader.probe import ColumnarFormat, open_columns

if TYPE_CHECKING:
    from pathlib import Path

    from microsafe.io.source import Source
    from microsafe.io.write_request import WriteRequest

_MAGIC, _FIRST_FEATHER, _STREAM = b"ARROW1", b"FEA1", b"\xff" * 4
_FORMAT = ColumnarFormat(kind="an Arrow file", scan="scan_ipc")
# Polars wrote batches of 262,144 records before it could be told how many.
_IS_SIZED = "record_batch_size" in signature(pl.LazyFrame.sink_ipc).parameters


def read(path: Path) -> Source:
    """Open an Arrow file.

    Raises:
        UnreadableFileError: It cannot be read.
        InputError: It has no records, or variables that Polars does not know.
    """
    _check_kind(path)
    return open_columns(path, _FORMAT)


def _check_kind(path: Path) -> None:
    with path.open("rb") as file:
        head = file.read(len(_MAGIC))
    if head.startswith(_FIRST_FEATHER):
        raise UnreadableFileError(
            f"{path.name} is a Feather file of version 1, which is no longer read. Write it again "
            "as version 2, or as Parquet."
        )
    if head.startswith(_STREAM):
        raise UnreadableFileError(
            f"{path.name} is a stream of Arrow, not a file. Write it again as an Arrow file "
            "(Feather version 2), or as Parquet."
        )
    if head != _MAGIC:
        raise UnreadableFileError(f"{path.name} cannot be read as an Arrow file. {DAMAGED}")


def write(request: WriteRequest) -> None:
    """Write an Arrow file of types that old readers know too."""

    def sink(frame: pl.LazyFrame, file: IO[bytes], rows: int) -> None:
        sized: dict[str, Any] = {"record_batch_size": rows} if _IS_SIZED else {}
        frame.sink_ipc(file, compression="lz4", compat_level=pl.CompatLevel.oldest(), **sized)

    sink_batches(request.path, request.batches(), sink)
