"""Arrow IPC files, which are Feather files of version 2."""

from __future__ import annotations

import os
from inspect import signature
from typing import IO, TYPE_CHECKING, Any

import polars as pl

from microsafe.errors import InputError, UnreadableFileError
from microsafe.io.faults import DAMAGED
from microsafe.io.flat import FlatBuffer, list_fields, set_zones
from microsafe.io.parquet import sink_batches
from microsafe.io.tried import ColumnarFormat, ColumnLayout, open_columns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from microsafe.io.source import Source
    from microsafe.io.target import Target

_MAGIC, _FIRST_FEATHER, _STREAM = b"ARROW1", b"FEA1", b"\xff" * 4
_FOOT = 1 << 28
_SCHEMA, _DICTIONARIES, _BATCHES = 1, 2, 3  # of the foot
_HEADER, _DATA, _BUFFERS, _PACKED = 2, 1, 2, 3  # of messages, dictionaries and batches
_BLOCK, _BUFFER = 24, 16  # bytes of the place of a message, and of a buffer
# Polars wrote batches of 262,144 records before it could be told how many.
_IS_SIZED = "record_batch_size" in signature(pl.LazyFrame.sink_ipc).parameters
_FAULTS = (ValueError, LookupError, TypeError, OSError, OverflowError)


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


def survey(path: Path) -> ColumnLayout:
    """Return how a file can be read.

    Raises:
        InputError: Polars does not know the types of some of its columns.
    """
    with path.open("rb") as file:
        start, foot = _find_foot(file)
    schema = foot.find_table(foot.follow(0), _SCHEMA)
    unknown = {each.name: each.reason for each in list_fields(foot, schema) if each.reason}
    if unknown:
        told = ", ".join(f"{name} ({reason})" for name, reason in unknown.items())
        raise InputError(
            f"{path.name} has variables of types that cannot be read: {told}. Write the file again "
            "without them, or store them as numbers, text or dates."
        )
    utc = set_zones(foot, schema)

    def whole() -> pl.LazyFrame:
        # Polars takes the schema in the foot, and would panic at a time zone that it does not know.
        return pl.scan_ipc(_replace_foot(path, start, foot) if utc else path, glob=False)

    return ColumnLayout(
        types=whole().collect_schema(),
        scan=lambda names, start, stop: whole().select(names).slice(start, stop - start),
        count=lambda: whole().select(pl.len()).collect().item(),
        utc=utc,
        held=path.stat().st_size if utc else 0,
    )


def _find_foot(file: IO[bytes]) -> tuple[int, FlatBuffer]:
    tail = 4 + len(_MAGIC)
    end = file.seek(-tail, os.SEEK_END)
    size = int.from_bytes(file.read(4), "little")
    if file.read() != _MAGIC or not 0 < size <= min(end, _FOOT):
        raise ValueError
    start = file.seek(end - size)
    return start, FlatBuffer(file.read(size))


def _replace_foot(path: Path, start: int, foot: FlatBuffer) -> bytes:
    content = bytearray(path.read_bytes())
    content[start : start + len(foot.data)] = foot.data
    return bytes(content)


def unpacked_size(path: Path, _: Collection[str]) -> int:
    """Return the bytes that the columns of a file unpack to; 0 if that cannot be read."""
    try:
        with path.open("rb") as file:
            return sum(_buffer_sizes(file))
    except _FAULTS:
        return 0


def _buffer_sizes(file: IO[bytes]) -> Iterator[int]:
    _, foot = _find_foot(file)
    table = foot.follow(0)
    for kind in (_DICTIONARIES, _BATCHES):
        if foot.find_field(table, kind) is None:
            continue
        for place in foot.items(foot.find_table(table, kind), _BLOCK):
            start, size = foot.read_number(place, "<q"), foot.read_number(place + 8, "<i")
            file.seek(start)
            head = file.read(min(size, _FOOT))
            message = FlatBuffer(head[8 if head.startswith(_STREAM) else 4 :])
            batch = message.find_table(message.follow(0), _HEADER)
            if kind == _DICTIONARIES:
                batch = message.find_table(batch, _DATA)
            packed = message.find_field(batch, _PACKED) is not None
            for each in message.items(message.find_table(batch, _BUFFERS), _BUFFER):
                yield _buffer_size(file, message, each, start + size, packed=packed)


def _buffer_size(
    file: IO[bytes], message: FlatBuffer, place: int, body: int, *, packed: bool
) -> int:
    offset, size = (message.read_number(place + each, "<q") for each in (0, 8))
    if not packed or size < 8:
        return max(size, 0)
    file.seek(body + offset)
    said = int.from_bytes(file.read(8), "little", signed=True)
    return size if said < 0 else said  # what does not get smaller is stored as it is


_FORMAT = ColumnarFormat(kind="an Arrow file", module=__name__, unpacked=unpacked_size)


def write(target: Target) -> None:
    """Write an Arrow file of types that old readers know too."""

    def sink(frame: pl.LazyFrame, file: IO[bytes], rows: int) -> None:
        sized: dict[str, Any] = {"record_batch_size": rows} if _IS_SIZED else {}
        frame.sink_ipc(file, compression="lz4", compat_level=pl.CompatLevel.oldest(), **sized)

    sink_batches(target.path, target.batches(), sink)
