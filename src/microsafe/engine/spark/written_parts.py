"""Whether what Spark wrote on this machine is what it meant to write.

Hadoop keeps a checksum of every 512 bytes beside each file, made before they went to the disk. If
bytes differ from theirs, or records are fewer or more than were meant, nothing is replaced.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import functions as sf

from microsafe.engine.spark.rows import fetch, rephrase_errors
from microsafe.errors import MicrosafeError, TornFileError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_MAGIC = b"crc\0"
_HEADER = 8  # bytes: the above, and how many bytes a checksum is of
_READ = 4096  # checksums at once


def check_parts(
    parts: Path, read: Callable[[str], DataFrame], name: str, count: Callable[[], int]
) -> None:
    """Compare files with their checksums, and their records with those that were meant.

    Args:
        parts: The folder that Spark wrote to.
        read: Reads records from a folder.
        name: What messages call the output.
        count: Tells how many records there should be.

    Raises:
        TornFileError: Something differs.
    """
    if any(is_torn(each) for each in parts.iterdir() if each.name[0] not in "._"):
        raise _torn(name, "it has other bytes")
    try:
        with rephrase_errors(name):
            again = read(parts.as_uri())
        found = int(fetch(again.agg(sf.count("*").alias("n")), name).item())
    except MicrosafeError:
        found = -1
    if found != (records := count()):
        what = "it cannot be read" if found < 0 else f"it has {found:,} of {records:,} records"
        raise _torn(name, what)


def is_torn(file: Path) -> bool:
    """Tell whether a file differs from the checksums that Hadoop keeps beside it, if it does."""
    beside = file.with_name(f".{file.name}.crc")
    if not beside.exists():
        return False
    sums = beside.read_bytes()
    size = int.from_bytes(sums[4:_HEADER], "big")
    if sums[:4] != _MAGIC or not size:
        return True
    place = _HEADER
    with file.open("rb") as data:
        while block := data.read(size * _READ):
            found = b"".join(
                zlib.crc32(block[start : start + size]).to_bytes(4, "big")
                for start in range(0, len(block), size)
            )
            if sums[place : place + len(found)] != found:
                return True
            place += len(found)
    return place != len(sums)


def _torn(name: str, what: str) -> TornFileError:
    return TornFileError(
        f"{name} was not written: read back from the disk, {what}. Check the space and the state "
        "of the disk."
    )
