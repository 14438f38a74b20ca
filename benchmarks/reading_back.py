"""What it costs to read a file back before it takes the place of another, format by format.

    uv run python benchmarks/reading_back.py [RECORDS]

Prints how many times as much processor time writing takes with it as without.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import polars as pl

from files import make
from microsafe.io import read, save, write
from microsafe.io.write_verification import Fingerprint

FORMATS = (".csv", ".parquet", ".sav", ".zsav", ".dta", ".xpt", ".xlsx", ".asc")
ROUNDS = 2


def seconds(frame: pl.DataFrame, schema: object, path: Path) -> float:
    """Return the least processor time of some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        write(frame, schema, path)  # type: ignore[arg-type]
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Measure every format on the same records."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    with TemporaryDirectory() as name:
        folder = Path(name)
        make(folder / "data.parquet", rows=rows, keys=8)
        source = read(folder / "data.parquet")
        frame = source.load(source.schema.names)
        for suffix in FORMATS:
            path = folder / f"out{suffix}"
            whole = seconds(frame, source.schema, path)
            with (
                patch.object(save, "_read_back", lambda *_: None),
                patch.object(Fingerprint, "add", lambda *_: None),
            ):
                bare = seconds(frame, source.schema, path)
            print(f"{suffix:9} {whole:6.2f} s, without {bare:6.2f} s: {whole / bare:.2f} times")


if __name__ == "__main__":
    main()
