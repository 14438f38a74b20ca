"""Jobs on which start-up, reading and writing cost more than the work.

    uv run python benchmarks/run.py jobs

CPU seconds of whole commands, the least of three, each beside Polars reading the same CSV and
writing it again in the same run; and the inventory beside reading the file.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from measure import Cost, in_turn, key_names, make, table

NUMBERS = tuple("abcde")
STEPS = (  # what, records, the step, most that it may cost in CPU seconds
    ("noise, 1 M x 5", 1_000_000, "noise variables=a,b,c,d,e kind=correlated seed=1", "4.0"),
    ("rank swapping, 100,000 x 5", 100_000, "rank_swap variables=a,b,c,d,e seed=1", "1.6"),
    ("MDAV, 10,000 x 5", 10_000, "microaggregate variables=a,b,c,d,e", "1.0"),
)
HOMES = """
microsafe = 1
[input]
file = "homes.csv"
[scenario]
keys = ["region", "k0", "k1", "k2"]
weight = "w"
household = "home"
estimator = "cell"
[policy]
record_risk = 0.1
override = { estimator = "only its time is of interest" }
[[step]]
do = "renumber"
variable = "home"
why = "its numbers may be known"
[[step]]
do = "suppress"
above = 0.1
[[keep]]
variables = ["a", "b", "c", "d", "e"]
why = "only the time is of interest"
[output]
file = "homes-safe.csv"
report = "report.html"
public_report = "public.html"
"""


def make_numbers(path: Path, records: int, *, homes: bool = False) -> Path:
    """Write five lognormal variables that go together, a region and a weight.

    Args:
        path: Of the file.
        records: How many.
        homes: Whether they are of households, with three keys more.
    """
    rng = np.random.default_rng(1)
    shared = rng.normal(size=records)
    values = {"region": np.arange(records) % 8}
    for name in NUMBERS:
        values[name] = np.round(np.exp(7 + 0.7 * (shared + rng.normal(size=records))), 2)
    values["w"] = np.round(1 + rng.gamma(2, 20, records), 2)
    if homes:
        values["home"] = np.sort(rng.integers(0, max(records * 2 // 5, 1), records))
        values |= {f"k{j}": rng.integers(0, most, records) for j, most in enumerate((20, 12, 5))}
    pl.DataFrame(values).write_csv(path)
    return path


def measure_jobs(folder: Path, scale: float) -> None:
    """Print what commands cost beside a bare read and write of their file."""
    rows = []
    for what, records, step, aim in STEPS:
        path = make_numbers(folder / "numbers.csv", int(records * scale))
        command = ("-m", "microsafe", "apply", path, "--keys", "region", "--weight", "w")
        rows.append(_compare(what, path, aim, (*command, "--step", step, "-o", folder / "o.csv")))
    rows.append(_propose(folder, int(30_000 * scale)))
    path = make_numbers(folder / "homes.csv", int(1_000_000 * scale), homes=True)
    (folder / "homes.toml").write_text(HOMES, "utf-8")
    protect = ("-m", "microsafe", "protect", folder / "homes.toml", "--overwrite")
    rows.append(_compare("protect, 1 M in households, new order", path, "", protect))
    path = make(folder / "risk.csv", rows=int(1_000_000 * scale), keys=6)
    keys = ("--keys", key_names(6), "--weight", "w")
    rows.append(_compare("risk, 1 M x 6", path, "0.75", ("-m", "microsafe", "risk", path, *keys)))
    path = make_numbers(folder / "few.csv", 200)
    first = ("-m", "microsafe", "risk", path, "--keys", "region", "--weight", "w")
    rows.append(_compare("first use: risk of 200 records", path, "0.30", first))
    table(
        "Whole commands, CSV, beside Polars reading and writing the same file",
        ("job", "CPU s", "peak GB", "Polars CPU s", "ratio", "aim, CPU s"),
        rows,
    )
    _measure_inventory(make_numbers(folder / "numbers.csv", int(1_000_000 * scale)))


def _compare(what: str, path: Path, aim: str, command: tuple[object, ...]) -> tuple[str, ...]:
    copy = "import sys, polars as pl; pl.read_csv(sys.argv[1]).write_csv(sys.argv[2])"
    bare, ours = in_turn(("-c", copy, path, path.with_suffix(".copy")), command, times=3)
    return _row(what, ours, bare, aim)


def _row(what: str, ours: Cost, bare: Cost, aim: str) -> tuple[str, ...]:
    figures = (f"{ours.cpu:.2f}", f"{ours.peak:.2f}", f"{bare.cpu:.2f}")
    return (what, *figures, f"{ours.cpu / bare.cpu:.1f}", aim)


def _propose(folder: Path, records: int) -> tuple[str, ...]:
    """A plan is proposed and run in one process; what it wrote is taken away again."""
    path = make(folder / "people.csv", rows=records, keys=6)
    plan, new = folder / "plan.toml", folder / "new.toml"
    keys = ", ".join(f'"k{place}"' for place in range(6))
    plan.write_text(
        f'microsafe = 1\n[input]\nfile = "{path.name}"\n[scenario]\nkeys = [{keys}]\nweight = "w"\n'
        '[policy]\nk = 5\n[output]\nfile = "safe.csv"\n',
        "utf-8",
    )
    again = (
        "import sys, pathlib; from microsafe.cli import main\n"
        "for each in ('new.toml', 'new.lock', 'new.seeds', 'safe.csv'):\n"
        "    pathlib.Path(sys.argv[1]).with_name(each).unlink(missing_ok=True)\n"
        "sys.exit(main(['propose', sys.argv[1], '-o', sys.argv[2], '--protect']))"
    )
    return _compare(
        f"propose --protect, {records:,} x 6, k = 5", path, "2.2", ("-c", again, plan, new)
    )


def _measure_inventory(path: Path) -> None:
    """What is looked at before a file is written, beside reading it."""
    import microsafe as ms

    rows = []
    for source in (path, path.with_suffix(".parquet")):
        if source.suffix == ".parquet":
            pl.read_csv(path).write_parquet(source)
        looked, read = [], []
        for _ in range(3):
            began = time.process_time()
            engine: Any = ms.study(source).engine
            engine.table()
            read.append(time.process_time() - began)
            study = ms.study(source)
            began = time.process_time()
            study.inventory()
            looked.append(time.process_time() - began)
        ratio = f"{min(looked) / min(read):.1f}"
        rows.append((source.suffix, f"{min(looked):.2f}", f"{min(read):.2f}", ratio, "1"))
    table(
        "Inventory of a release, beside opening the file and reading all records",
        ("file", "CPU s", "reading", "ratio", "aim"),
        rows,
    )
