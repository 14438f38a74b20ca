"""A billion records by six keys, from a folder of Parquet files, beside a bare group-by.

    uv run python benchmarks/run.py --billion            five minutes of CPU
    uv run python benchmarks/run.py --billion --quick    a hundred million

The folder has a hundred names of one file: what is read and counted is as much as of a hundred
files, and the disk holds one.
"""

from __future__ import annotations

import os
from pathlib import Path

from measure import HERE, make, process, risk, table

FILES = 100
LIMIT = "2GB"


def billion(folder: Path, scale: float) -> None:
    rows = int(10_000_000 * scale)
    first = make(folder / "part.parquet", rows=rows, keys=6)
    parts = folder / "billion.parquet"
    parts.mkdir()
    for number in range(FILES):
        os.link(first, parts / f"part-{number:03}.parquet")
    bare = process(HERE / "groupby.py", parts / "*.parquet", 6, times=1)
    how = ("--one-estimator", "--estimator", "cell")
    ours = risk(parts, 6, *how, times=1)
    limited = risk(parts, 6, *how, "--memory", LIMIT, times=1)
    table(
        f"{rows * FILES:,} records by six keys, {FILES} Parquet files",
        ("", "CPU s", "wall s", "peak GB"),
        [
            (name, f"{cost.cpu:.0f}", f"{cost.wall:.0f}", f"{cost.peak:.1f}")
            for name, cost in (
                ("bare group-by", bare),
                ("risk", ours),
                (f"risk --memory {LIMIT}", limited),
            )
        ],
    )
