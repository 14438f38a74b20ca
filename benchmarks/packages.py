"""SPSS, Stata and SAS files in blocks of rows, against pyreadstat reading all of them at once.

    uv run python benchmarks/packages.py [--quick]

Memory is that of all processes together at its peak, as Linux shares it out among them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from measure import ENVIRONMENT, Cost, process, run_parts, table

READERS = {".sav": "sav", ".zsav": "sav", ".dta": "dta", ".xpt": "xport"}
KEYS = ",".join(f"k{place}" for place in range(6))

_MAKE = """
import sys
import numpy as np, polars as pl, pyreadstat
path, rows = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(1)
frame = pl.DataFrame(
    {f"k{n}": rng.integers(0, size, rows) * 1.0 for n, size in enumerate([20, 2, 9, 5, 4, 6] * 2)}
    | {"w": np.round(1 + rng.gamma(4, 25, rows), 2)}
    | {f"x{n}": np.round(rng.normal(1000, 300, rows), 2) for n in range(4)}
    | {f"t{n}": rng.integers(100, 999, rows).astype(str) for n in range(3)}
)
options = {"compress": True} if path.endswith(".zsav") else {"row_compress": "packed" in path}
if path.endswith("sav"):
    pyreadstat.write_sav(frame, path, **options)
else:
    (pyreadstat.write_dta if path.endswith(".dta") else pyreadstat.write_xport)(frame, path)
"""
_OURS = """
import sys
from microsafe.io import read
source = read(sys.argv[1])
for frame in source.scan(source.schema.names, 1 << 21):
    pass
"""
_BARE = "import pyreadstat, sys; pyreadstat.read_{}(sys.argv[1], output_format='polars')"


def _processes(root: int) -> Iterator[int]:
    yield root
    for task in Path(f"/proc/{root}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from _processes(int(child))


def _memory(root: int) -> int:
    try:
        lines = [
            Path(f"/proc/{each}/smaps_rollup").read_text().split("\nPss:")[1].split()[0]
            for each in _processes(root)
        ]
    except (OSError, IndexError):  # one of them ended meanwhile
        return 0
    return 1024 * sum(map(int, lines))


def peak(*arguments: object) -> float:
    """Return the peak memory of a process and those that it starts, in MB."""
    command = [sys.executable, *map(str, arguments)]
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL) as running:
        most = 0
        while running.poll() is None:
            most = max(most, _memory(running.pid))
            time.sleep(0.003)
    return most / 1e6


def _measure(*arguments: object) -> Cost:
    return replace(process(*arguments, times=3), peak=peak(*arguments))


def reading(folder: Path, scale: float) -> None:
    rows = int(300_000 * scale)
    lines = []
    for name in ("plain.sav", "packed.sav", "a.zsav", "a.dta", "a.xpt"):
        path = folder / name
        process("-c", _MAKE, path, rows, times=1)
        bare = _measure("-c", _BARE.format(READERS[path.suffix]), path)
        ours = _measure("-c", _OURS, path)
        size = path.stat().st_size / 1e6
        lines.append(
            (
                name,
                f"{size:.0f}",
                f"{bare.cpu:.2f}",
                f"{ours.cpu:.2f}",
                f"{bare.peak:.0f}",
                f"{ours.peak:.0f}",
                f"{ours.peak / bare.peak:.2f}",
                "0.55",
            )
        )
        os.unlink(path)
    table(
        f"All of {rows:,} records x 20, against pyreadstat in one process and one read",
        ("file", "MB", "CPU s", "ours", "peak MB", "ours", "ratio", "aim"),
        lines,
    )


def limited(folder: Path, scale: float) -> None:
    rows = int(1_200_000 * scale)
    path = folder / "large.sav"
    process("-c", _MAKE, path, rows, times=1)
    command = ("-m", "microsafe", "risk", path, "--keys", KEYS, "--weight", "w", "--json")
    free = _measure(*command)
    lines = []
    for limit in (500, 600, 800):
        cost = _measure(*command, "--memory", f"{limit}MB")
        lines.append(
            (
                f"{limit}",
                f"{cost.cpu:.2f}",
                f"{cost.cpu / free.cpu:.2f}",
                f"{cost.peak:.0f}",
                f"{cost.peak / limit:.2f}",
                "1.00",
            )
        )
    table(
        f"risk of {rows:,} records x 20, six keys: {free.cpu:.2f} CPU s, {free.peak:.0f} MB "
        "without a limit",
        ("--memory MB", "CPU s", "ratio", "peak MB", "of the limit", "aim"),
        lines,
    )


PARTS = {"reading": reading, "limited": limited}

if __name__ == "__main__":
    run_parts(PARTS, __doc__)
