"""Describe what is wrong with a file, without quoting a record.

Polars, ReadStat and calamine put cell contents into their messages. Nothing of theirs
gets past this module: they are caught, and a sentence of ours takes their place. They do
not even stay behind as the `__context__` of ours, which `from None` would only hide.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import polars as pl

from microsafe.errors import FileError, InputError, MicrosafeError, UnreadableFileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DAMAGED = "It may be damaged or cut short, so fetch or export it again."


def check_readable(path: Path) -> Path:
    """Return the path if it is a file with something in it that may be read.

    Raises:
        UnreadableFileError: It is not.
    """
    fault = ""
    try:
        if path.is_dir():
            fault = "is a folder. Name a file inside it."
        elif path.exists() and not path.is_file():  # a pipe would be waited for
            fault = "is a device or a pipe. Name a file."
        else:
            with path.open("rb") as file:
                if os.fstat(file.fileno()).st_size == 0:
                    fault = "is empty (0 bytes). Fetch or export it again."
    except FileNotFoundError:
        fault = "does not exist. Check the spelling and the folder."
    except PermissionError:
        fault = "cannot be read: you have no permission. Ask its owner for it."
    except (OSError, ValueError):
        fault = "cannot be opened. Check its name and the disk it is on."
    if fault:
        raise UnreadableFileError(f"{path.name or path} {fault}")
    return path


@contextmanager
def translate_read_errors(name: str, kind: str, remedy: str = DAMAGED) -> Iterator[None]:
    """Turn whatever a reading library raises into one sentence about the file."""
    try:
        yield
    except (MicrosafeError, MemoryError):
        raise
    # A panic inside Polars is no Exception, yet it too can quote what it choked on.
    except (Exception, pl.exceptions.PanicException):
        fault = UnreadableFileError(f"{name} cannot be read as {kind}. {remedy}")
    else:
        return
    _raise_alone(fault)


@contextmanager
def translate_write_errors(name: str, kind: str) -> Iterator[None]:
    """Turn whatever a writing library raises into one sentence about the file."""
    fault: InputError
    try:
        yield
    except (MicrosafeError, MemoryError):
        raise
    except OSError:
        fault = FileError(
            f"{name} cannot be written. Check the space on its disk and your permission there."
        )
    except (Exception, pl.exceptions.PanicException):
        fault = InputError(
            f"{name} cannot be written as {kind}. Write another format, such as .parquet or .csv."
        )
    else:
        return
    _raise_alone(fault)


def _raise_alone(fault: InputError) -> NoReturn:
    """Raise an error that keeps nothing of the one being handled.

    While a `with` block is left, Python still handles the error that ended it, and would
    attach that to the new one even though no `except` is left.
    """
    try:
        raise fault
    finally:
        fault.__context__ = None
