"""Peak memory of the commands that people use, under a limit: a file by three sizes.

    uv run python benchmarks/run.py limits [--quick]
    uv run python benchmarks/limits.py --only check,preview --rows 4000000

The file is delimited text with four keys, a weight, numbers, and a text of which every fourth
record has another one. Memory is the most that was resident in a process at a time, and that of
what it starts is added; Linux keeps that figure (VmHWM), so none is missed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import polars as pl

from measure import ENVIRONMENT, table

LIMIT = "500MB"
MOST = 500e6  # bytes
ROWS = (250_000, 1_000_000, 4_000_000)
ROLES = ("--keys", "region,sex,age,education", "--weight", "weight")
WITHOUT_TEXT = ("--drop", "remark")
ABOVE = ("--above", "0.05")

COMMANDS = {
    "check": ("check", "{file}"),
    "describe": ("describe", "{file}"),
    "preview": ("preview", "{file}"),
    "inventory": ("inventory", "{file}", *ROLES),
    "codebook": ("codebook", "{file}", "-o", "{folder}/book.csv"),
    "risk": ("risk", "{file}", *ROLES),
    "combinations": ("combinations", "{file}", *ROLES, *ABOVE),
    "suppress": ("suppress", "{file}", *ROLES, *ABOVE, *WITHOUT_TEXT, "-o", "{folder}/blanked.csv"),
    "recode": (
        *("recode", "{file}", *WITHOUT_TEXT, "--variable", "age", "--breaks", "30,45,60"),
        *("-o", "{folder}/r.csv"),
    ),
    "compare": ("compare", "{file}", "{folder}/blanked.csv"),
    "plan new": ("plan", "new", "{file}", *ROLES, *ABOVE, "-o", "{folder}/new.toml"),
    "protect": ("protect", "{folder}/plan.toml"),
}

_PLAN = """
microsafe = 1
[input]
file = "{file}"
[scenario]
keys = ["region", "sex", "age", "education"]
weight = "weight"
[policy]
record_risk = 0.05
override = {{ telling = "memory is of interest" }}
[[step]]
do = "drop"
variables = ["remark"]
[[step]]
do = "suppress"
above = 0.05
[[keep]]
variables = ["status", "hours", "income"]
why = "answers"
[output]
file = "safe.csv"
report = "report.html"
"""


def make(path: Path, rows: int) -> None:
    """Write the file."""
    rng = np.random.default_rng(1)
    said = pl.Series(rng.integers(0, rows // 4, rows) * 7919 % 1_000_003).cast(pl.String)
    pl.DataFrame(
        {
            "region": rng.integers(1, 21, rows),
            "sex": rng.integers(1, 3, rows),
            "age": rng.integers(15, 90, rows),
            "education": rng.integers(1, 7, rows),
            "status": rng.integers(1, 6, rows),
            "weight": np.round(1 + rng.gamma(4, 25, rows), 2),
            "income": np.round(np.exp(rng.normal(7.5, 0.8, rows))),
            "hours": rng.integers(0, 61, rows),
            "remark": "said no " + said + ", and then nothing",
        }
    ).write_csv(path)


def _resident(root: int) -> int:
    """Return the most bytes that were resident in a process, and in each that it started."""
    most = 0
    with suppress(OSError, StopIteration):
        status = Path(f"/proc/{root}/status").read_text().splitlines()
        most = 1024 * int(next(line for line in status if line.startswith("VmHWM")).split()[1])
        for task in Path(f"/proc/{root}/task").iterdir():
            most += sum(map(_resident, map(int, (task / "children").read_text().split())))
    return most


def run(arguments: list[str]) -> tuple[int, int, str]:
    """Run a command; return its exit code, its most memory, and what it said of a fault."""
    command = [sys.executable, "-m", "microsafe", *arguments, "--memory", LIMIT]
    with (
        tempfile.TemporaryFile("w+") as said,
        subprocess.Popen(
            command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=said
        ) as running,
    ):
        most = 0
        while running.poll() is None:
            most = max(most, _resident(running.pid))
            time.sleep(0.005)
        said.seek(0)
        return running.returncode, most, said.read().strip()


def measure(folder: Path, rows: int, names: list[str]) -> dict[str, str]:
    """Return the peak of each command in MB; in brackets where the file was refused."""
    file = folder / f"survey{rows}.csv"
    make(file, rows)
    (folder / "plan.toml").write_text(_PLAN.format(file=file.name), "utf-8")
    peaks = {}
    for name in names:
        words = [word.format(file=file, folder=folder) for word in COMMANDS[name]]
        code, most, said = run(words)
        shown = f"{most / 1e6:.0f}" if code in (0, 1) else f"({most / 1e6:.0f})"
        peaks[name] = shown + ("" if most <= MOST else " above")
        print(f"  {rows:9,d} {name:14s} {shown:>6s} exit {code} {said[-150:]}", flush=True)
    for old in folder.iterdir():
        old.unlink()
    return peaks


def limits(folder: Path, scale: float, sizes: tuple[int, ...] = ROWS, only: str = "") -> None:
    """Print the table."""
    names = only.split(",") if only else list(COMMANDS)
    sizes = tuple(int(rows * scale) for rows in sizes)
    peaks = {rows: measure(folder, rows, names) for rows in sizes}
    table(
        f"Peak memory in MB under --memory {LIMIT}; in brackets: refused",
        ("command", *(f"{rows:,} records" for rows in sizes)),
        [(name, *(peaks[rows][name] for rows in sizes)) for name in names],
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=ROWS)
    parser.add_argument("--only", default="", metavar="A,B", help=", ".join(COMMANDS))
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="microsafe-benchmark-") as place:
        limits(Path(place), 1.0, tuple(chosen.rows), chosen.only)
