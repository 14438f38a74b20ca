"""What went wrong with a file, said without quoting a record.

Polars, ReadStat and calamine put cell contents into their messages. Nothing of theirs
gets past this module: they are caught, and a sentence of ours takes their place.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import polars as pl

from microsafe.errors import InputError, MicrosafeError, UnreadableFileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DAMAGED = "It may be damaged or cut short, so fetch or export it again."


def existing(path: Path) -> Path:
    """Return the path if it is a file with something in it that may be read.

    Raises:
        UnreadableFileError: It is not.
    """
    name = path.name or str(path)
    try:
        folder = path.is_dir()
        size = 0
        if not folder:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        raise UnreadableFileError(
            f"{name} does not exist. Check the spelling and the folder."
        ) from None
    except PermissionError:
        raise UnreadableFileError(
            f"{name} may not be read by you. Ask its owner for read permission."
        ) from None
    except (OSError, ValueError):
        raise UnreadableFileError(
            f"{name} cannot be opened. Check its name and the disk it is on."
        ) from None
    if folder:
        raise UnreadableFileError(f"{name} is a folder. Name a file inside it.")
    if size == 0:
        raise UnreadableFileError(f"{name} is empty (0 bytes). Fetch or export it again.")
    return path


@contextmanager
def rephrased(name: str, kind: str, remedy: str = DAMAGED) -> Iterator[None]:
    """Turn whatever a reading library raises into one sentence about the file.

    Args:
        name: What messages call the file.
        kind: What it should be, with its article: "a Parquet file".
        remedy: What the person can do.
    """
    try:
        yield
    except (MicrosafeError, MemoryError):
        raise
    # A panic inside Polars is no Exception, yet it too can quote what it choked on.
    except (Exception, pl.exceptions.PanicException):
        raise UnreadableFileError(f"{name} cannot be read as {kind}. {remedy}") from None


@contextmanager
def written(name: str, kind: str) -> Iterator[None]:
    """Turn whatever a writing library raises into one sentence about the file.

    Args:
        name: What messages call the file.
        kind: What it becomes, with its article: "a Parquet file".
    """
    try:
        yield
    except (MicrosafeError, MemoryError):
        raise
    except OSError:
        raise UnreadableFileError(
            f"{name} cannot be written. Check the space on its disk and your permission there."
        ) from None
    except (Exception, pl.exceptions.PanicException):
        raise InputError(
            f"{name} cannot be written as {kind}. Write another format, such as .parquet or .csv."
        ) from None
