"""Preliminary results on large files, from the first records."""

from __future__ import annotations

import argparse
from pathlib import Path

import polars as pl

from microsafe.cli.input import reading_of
from microsafe.errors import MicrosafeError
from microsafe.io.atomic import private_folder
from microsafe.io.reader.process import ReaderError, run_in_reader
from microsafe.studies.study import Study, study
from microsafe.variables.description import Description

LARGE = 20_000_000  # bytes of a file on which the whole answer takes a while
_ROWS = 10_000
_BYTES = 2_000_000
_TEXTS, _PARQUET = (".csv", ".tsv", ".txt"), (".parquet", ".pq")


def describe_first(chosen: argparse.Namespace) -> tuple[Study, Description] | None:
    """Describe the first records; None if the file is small, or can be read as a whole only."""
    path = chosen.file
    if not isinstance(path, Path) or chosen.engine != "local" or not path.is_file():
        return None
    if chosen.join is not None:  # the first persons would leave out most households
        return None
    size, suffix = path.stat().st_size, path.suffix.lower()
    try:
        if size >= LARGE and suffix in _TEXTS:
            return _describe_text(path, chosen)
        if size >= LARGE // 4 and suffix in _PARQUET and not (chosen.na or chosen.codebook):
            _, frame = run_in_reader(
                "microsafe.cli.quick_look:read_head",
                path.name,
                unpacked=size,
                path=str(path),
                records=_ROWS,
            )
            opened = study(frame)
            return opened, opened.describe()
    except (MicrosafeError, ReaderError, OSError):
        pass  # what is wrong with it is told when all of it is read
    return None


def read_head(path: str, records: int) -> tuple[None, pl.DataFrame]:
    """Return the first records of a Parquet file; called in the process that reads."""
    return None, pl.scan_parquet(path, glob=False).head(records).collect()


def _describe_text(path: Path, chosen: argparse.Namespace) -> tuple[Study, Description]:
    """Describe a file of the first lines, which is gone afterwards."""
    with path.open("rb") as file:
        head = file.read(_BYTES)
    head = head[: head.rfind(b"\n") + 1]
    with private_folder() as folder:
        part = folder / path.name
        part.touch(0o600)
        part.write_bytes(head)
        opened = study(part, **reading_of(chosen))
        return opened, opened.describe()
