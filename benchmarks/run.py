"""Measure microsafe against the bare engine and against itself: CPU time, ratios, memory.

    uv run python benchmarks/run.py            everything, about a quarter of an hour
    uv run python benchmarks/run.py --quick    a tenth of the rows
    uv run python benchmarks/run.py describe   only that part; or several:
    uv run python benchmarks/run.py risk missing growth kernel memory scale spark cells gate

Every ratio compares two things measured in the same run, each as the best of several
processes, in CPU seconds of the whole process, start-up and imports included.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl

HERE = Path(__file__).parent
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a process took."""

    cpu: float
    peak: float


def process(*arguments: object, times: int = 5) -> Cost:
    """Run a process some times; return its least CPU seconds and its peak memory in GB."""
    costs = []
    for _ in range(times):
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, *map(str, arguments)],
            ENVIRONMENT,
            file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
        )
        _, status, used = os.wait4(pid, 0)
        if status:
            raise SystemExit(f"failed: {' '.join(map(str, arguments))}")
        costs.append(Cost(cpu=used.ru_utime + used.ru_stime, peak=used.ru_maxrss / 1e6))
    return min(costs, key=lambda cost: cost.cpu)


def make(
    path: Path, *, rows: int, keys: int, missing: float = 0.0, same: int | None = None
) -> Path:
    """Make a file in a process of its own: a child's peak memory starts at its parent's."""
    process(
        HERE / "files.py", path, rows, keys, missing, *([] if same is None else [same]), times=1
    )
    return path


def risk(path: Path, keys: int, *more: object, times: int = 5) -> Cost:
    names = ",".join(f"k{place}" for place in range(keys))
    command = ("-m", "microsafe", "risk", path, "--keys", names, "--weight", "w", "--json")
    return process(*command, *more, times=times)


def table(title: str, heading: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(len(row[i]) for row in [heading, *rows]) for i in range(len(heading))]
    print(f"\n{title}")
    for row in [heading, *rows]:
        print("  " + "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)))
    sys.stdout.flush()


def start_up(folder: Path, _: float) -> None:
    """Help, version and usage errors against bare Python; nobody waits for them."""
    bare = process("-c", "pass", times=15).cpu
    wrong = folder / "wrong.py"
    wrong.write_text(
        "import os, sys\nfrom microsafe.cli import main\nsys.stderr = open(os.devnull, 'w')\n"
        "try: main(['risk'])\nexcept SystemExit: pass\n"
    )
    rows = []
    for task, command in (
        ("microsafe --version", ("-m", "microsafe", "--version")),
        ("microsafe --help", ("-m", "microsafe", "--help")),
        ("usage error", (wrong,)),
        ("import microsafe", ("-c", "import microsafe")),
    ):
        cost = process(*command, times=15).cpu
        rows.append((task, f"{cost:.3f}", f"{cost / bare:.1f}", f"{cost - bare:.3f}", "0.100"))
    table(
        f"Start-up against bare Python ({bare:.3f} CPU s)",
        ("task", "CPU s", "ratio", "above Python", "aim"),
        rows,
    )


def whole_command(folder: Path, scale: float) -> None:
    rows = int(3_000_000 * scale)
    path = make(folder / "whole.parquet", rows=rows, keys=6)
    bare, ours = process(HERE / "bare.py", path, 6), risk(path, 6)
    bare_out = process(HERE / "bare.py", path, 6, folder / "bare.out.parquet")
    ours_out = risk(path, 6, "--records", folder / "ours.out.parquet")
    table(
        f"Whole command, {rows:,} x 6 string keys from Parquet, against bare Polars",
        ("task", "Polars CPU s", "microsafe CPU s", "ratio", "aim"),
        [
            (task, f"{a.cpu:.2f}", f"{b.cpu:.2f}", f"{b.cpu / a.cpu:.2f}", "0.80")
            for task, a, b in (
                ("count, weigh, risk", bare, ours),
                ("and write the records", bare_out, ours_out),
            )
        ],
    )


def missing_keys(folder: Path, scale: float) -> None:
    rows = int(1_000_000 * scale)
    shares = (0.0, 0.01, 0.05, 0.20)
    costs = [
        risk(make(folder / "missing.parquet", rows=rows, keys=8, missing=share), 8, times=2)
        for share in shares
    ]
    table(
        f"Missing keys, {rows:,} x 8, against the same file complete",
        ("missing", "CPU s", "ratio", "peak GB", "aim"),
        [
            (
                f"{share:.0%}",
                f"{cost.cpu:.2f}",
                f"{cost.cpu / costs[0].cpu:.2f}",
                f"{cost.peak:.2f}",
                "10.00" if share == 0.05 else "",
            )
            for share, cost in zip(shares, costs, strict=True)
        ],
    )


def many_keys(folder: Path, scale: float) -> None:
    """Gaps in many keys and in wide ones; start-up off, as the rest is what grows."""
    start = process("-c", "import microsafe.study", times=3).cpu
    file = folder / "many.parquet"

    def measured(rows: int, keys: int, missing: float, same: int | None = None) -> Cost:
        return risk(make(file, rows=rows, keys=keys, missing=missing, same=same), keys, times=2)

    base = int(300_000 * scale)
    lines = []
    last: dict[str, tuple[float, float]] = {}
    for what, rows, keys, missing in (
        *(("keys", base, keys, 0.05) for keys in (8, 10, 12, 14)),
        *(("records", int(base * times), 14, 0.05) for times in (0.25, 0.5, 1)),
        *(("gaps", base, 14, missing) for missing in (0.01, 0.02, 0.05)),
    ):
        cost, complete = measured(rows, keys, missing), measured(rows, keys, 0.0)
        grown = {"keys": keys, "records": rows, "gaps": missing}[what]
        exponent = ""
        if what in last:
            grew = (cost.cpu - start) / last[what][1]
            exponent = f"{math.log(grew) / math.log(grown / last[what][0]):.2f}"
        last[what] = grown, cost.cpu - start
        ratio = (cost.cpu - start) / (complete.cpu - start)
        aim = "8.0" if (keys, missing, rows) == (14, 0.05, base) else ""
        line = (f"{rows:,}", str(keys), f"{missing:.0%}", f"{cost.cpu:.2f}", aim)
        lines.append((*line, f"{ratio:.2f}", f"{cost.peak:.2f}", f"{what} {exponent}"))
    table(
        "Gaps in many keys, against the same file complete",
        ("records", "keys", "missing", "CPU s", "aim", "ratio", "peak GB", "exponent in"),
        lines,
    )
    lines = []
    for rows in (1_000, 10_000):
        narrow, wide = (measured(rows, 12, 0.3, same).cpu - start for same in (30, 100))
        line = (f"{rows:,}", f"{narrow:.2f}", f"{wide:.2f}", f"{wide / narrow:.2f}", "2.50")
        lines.append(line)
    table(
        "12 keys of 100 categories (more than 64 bits), 30% missing, against 12 keys of 30",
        ("records", "narrow CPU s", "wide CPU s", "ratio", "aim"),
        lines,
    )


def memory(folder: Path, scale: float) -> None:
    rows = int(10_000_000 * scale)
    cost = risk(make(folder / "memory.parquet", rows=rows, keys=8), 8, times=1)
    table(
        f"Memory, {rows:,} x 8",
        ("CPU s", "peak GB", "aim"),
        [(f"{cost.cpu:.2f}", f"{cost.peak:.2f}", "1.50")],
    )


def growth(folder: Path, scale: float) -> None:
    sizes = [int(n * scale) for n in (250_000, 500_000, 1_000_000, 2_000_000, 4_000_000)]
    start = process("-c", "import microsafe.study", times=3).cpu
    for share in (0.0, 0.05):
        costs = [
            risk(make(folder / "growth.parquet", rows=n, keys=6, missing=share), 6, times=2).cpu
            - start
            for n in sizes
        ]
        exponents = [
            math.log(b / a) / math.log(m / n)
            for a, b, n, m in zip(costs, costs[1:], sizes, sizes[1:], strict=False)
        ]
        table(
            f"Growth with records, 6 keys, {share:.0%} missing ({start:.2f} s of start-up off)",
            ("records", "CPU s", "exponent"),
            [
                (f"{n:,}", f"{cost:.2f}", f"{exponent:.2f}" if exponent else "")
                for n, cost, exponent in zip(sizes, costs, [0.0, *exponents], strict=True)
            ],
        )
    rows = int(500_000 * scale)
    for share in (0.0, 0.05):
        counts = (2, 4, 6, 8, 10, 12)
        costs = [
            risk(make(folder / "growth.parquet", rows=rows, keys=k, missing=share), k, times=1).cpu
            - start
            for k in counts
        ]
        table(
            f"Growth with keys, {rows:,} records, {share:.0%} missing",
            ("keys", "CPU s"),
            [(str(k), f"{cost:.2f}") for k, cost in zip(counts, costs, strict=True)],
        )


def kernel(_: Path, scale: float) -> None:
    from microsafe import individual_risk

    rng = np.random.default_rng(1)
    cells = int(2_000_000 * scale)
    rows = []
    for name, f in (
        ("f geometric, mean 4", rng.geometric(0.25, cells)),
        ("f as in sparse keys", np.minimum(rng.zipf(1.6, cells), 10**6)),
        ("f from 1 to 1e6", np.floor(10 ** rng.uniform(0, 6, cells))),
    ):
        F = f * (1 + rng.gamma(4, 25, cells))
        began = time.process_time()
        individual_risk(f, F)
        rate = cells / 1e6 / (time.process_time() - began)
        rows.append((name, f"{rate:.1f}", "5.0"))
    table("Base individual risk", ("cells", "M cells per CPU s", "aim"), rows)


def protect(path: Path, keys: int, command: str, *more: object) -> Cost:
    names = ",".join(f"k{place}" for place in range(keys))
    options = ("--keys", names, "--weight", "w", "--above", "0.01", "--json")
    return process("-m", "microsafe", command, path, *options, *more, times=1)


def suppression(folder: Path, scale: float) -> None:
    rows = int(1_000_000 * scale)
    out = folder / "out.parquet"
    lines = []
    for keys, guarantees in (
        (6, ("own", "strict", "shared")),
        (8, ("own", "strict")),
        (12, ("own",)),
    ):
        path = make(folder / "suppress.parquet", rows=rows, keys=keys)
        bare = risk(path, keys, times=1)
        for guarantee in guarantees:
            cost = protect(path, keys, "suppress", "--guarantee", guarantee, "-o", out)
            aim = {"own": "10", "strict": "20", "shared": "60"}[guarantee] if keys == 6 else ""
            aim = "15" if keys == 12 else aim
            lines.append(
                (
                    str(keys),
                    guarantee,
                    f"{cost.cpu:.1f}",
                    aim,
                    f"{cost.cpu / bare.cpu:.1f}",
                    f"{cost.peak:.2f}",
                )
            )
    table(
        f"Suppression above 0.01, {rows:,} records, written to Parquet, against measuring alone",
        ("keys", "guarantee", "CPU s", "aim", "ratio", "peak GB"),
        lines,
    )
    sizes = [int(n * scale) for n in (250_000, 500_000, 1_000_000, 2_000_000)]
    lines = []
    for n in sizes:
        path = make(folder / "suppress.parquet", rows=n, keys=6)
        costs = [
            protect(path, 6, "suppress", "--guarantee", each, "-o", out).cpu
            for each in ("own", "strict", "shared")
        ]
        lines.append((f"{n:,}", *(f"{cost:.1f}" for cost in costs)))
    table("Growth with records, 6 keys, CPU s", ("records", "own", "strict", "shared"), lines)


def combination_search(folder: Path, scale: float) -> None:
    rows = int(1_000_000 * scale)
    lines = []
    for keys in (6, 8):
        path = make(folder / "combinations.parquet", rows=rows, keys=keys)
        bare, cost = risk(path, keys, times=1), protect(path, keys, "combinations")
        sets = 2**keys - 1
        lines.append(
            (
                str(keys),
                str(sets),
                f"{cost.cpu:.1f}",
                "4" if keys == 8 else "",
                f"{cost.cpu / bare.cpu:.1f}",
                f"{cost.peak:.2f}",
            )
        )
    table(
        f"Minimal unsafe combinations above 0.01, {rows:,} records, against measuring alone",
        ("keys", "sets of keys", "CPU s", "aim", "ratio", "peak GB"),
        lines,
    )


def uniques(folder: Path, scale: float) -> None:
    lines = []
    for rows, keys, missing, more in (
        (1_000_000, 8, 0.0, ()),
        (1_000_000, 8, 0.05, ()),
        (1_000_000, 8, 0.0, ("--max-size", 3)),
        (1_000_000, 12, 0.0, ("--max-size", 3)),
        (100_000, 12, 0.0, ()),
    ):
        rows = int(rows * scale)
        path = make(folder / "uniques.parquet", rows=rows, keys=keys, missing=missing)
        names = ",".join(f"k{place}" for place in range(keys))
        command = ("-m", "microsafe", "uniques", path, "--keys", names, "--json", *more)
        bare, cost = risk(path, keys, times=1), process(*command, times=2)
        aim = "5.0" if (keys, missing, more) == (8, 0.0, ()) else ""
        lines.append(
            (
                f"{rows:,}",
                str(keys),
                f"{missing:.0%}",
                str(more[1]) if more else "all",
                f"{cost.cpu:.1f}",
                aim,
                f"{cost.cpu / bare.cpu:.1f}",
                f"{cost.peak:.2f}",
            )
        )
    table(
        "Minimal sample uniques and SUDA scores, against measuring alone",
        ("records", "keys", "missing", "sizes", "CPU s", "aim", "ratio", "peak GB"),
        lines,
    )
    rows = int(1_000_000 * scale)
    path = make(folder / "uniques.parquet", rows=rows, keys=8)
    names = ",".join(f"k{place}" for place in range(8))
    tables = process("-m", "microsafe", "tabulate", path, "--keys", names, "--json", times=2)
    few = names.removesuffix(",k7")
    spread = process(
        "-m", "microsafe", "diversity", path, "--keys", few, "--sensitive", "k7", "--json", times=2
    )
    table(
        f"Tables of 1 to 3 keys, and diversity within 7 keys, {rows:,} records",
        ("task", "CPU s", "peak GB"),
        [
            (task, f"{cost.cpu:.1f}", f"{cost.peak:.2f}")
            for task, cost in (("92 tables of 8 keys", tables), ("diversity", spread))
        ],
    )


def models(_: Path, scale: float) -> None:
    """Fit all-two-way models of growing tables, and search among ten keys."""
    from microsafe import study
    from microsafe.risk.model.terms import search_terms
    from microsafe.risk.table.crosstable import CrossTable
    from microsafe.risk.table.loglinear import all_terms, fit
    from populations import mixture

    def table_of(sizes: tuple[int, ...]) -> CrossTable:
        codes = mixture(sizes, int(scale * 1_000_000), 1)
        drawn = np.random.default_rng(2).permutation(len(codes))[: len(codes) // 50]
        keys = [f"k{place}" for place in range(len(sizes))]
        frame = pl.DataFrame({key: codes[drawn, j] for j, key in enumerate(keys)})
        data = study(frame.cast(pl.String), keys=keys)
        return CrossTable.of(data.engine.cells(data.scenario()), fraction=1 / 50)

    rows = []
    for sizes, aim in (((10,) * 6, "0.3"), ((10,) * 7, "0.5"), ((9,) * 9, "3")):
        laid = table_of(sizes)
        start = time.process_time()
        found = fit(laid, all_terms(len(sizes), 2))
        spent = time.process_time() - start
        rows.append(
            (
                f"{laid.cells:.1e}",
                f"{len(found.distances)}",
                f"{spent:.2f}",
                aim,
                f"{found.cell.tau2:,.0f}",
            )
        )
    head = ("cells", "rounds", "CPU s", "aim", "tau2")
    table("all-two-way models, 20,000 records, criteria included", head, rows)
    laid = table_of((8, 6, 9, 7, 5, 8, 10, 6, 8, 5))
    start = time.process_time()
    terms = search_terms(laid.as_counted()).additions
    spent = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    row = (f"{laid.cells:.1e}", f"{len(terms)}", f"{spent:.1f}", "30", f"{peak:.2f}")
    table("search among ten keys", ("cells", "terms", "CPU s", "aim", "peak GB"), [row])


def scale(folder: Path, scale: float) -> None:
    """More and more records, six keys, each task in a process of its own."""
    sizes = [int(n * scale) for n in (1_000_000, 10_000_000, 50_000_000)]
    starts = {
        name: process("-c", f"import {name}", times=3).cpu for name in ("polars", "microsafe")
    }
    costs: dict[str, list[Cost]] = {}
    for n in sizes:
        path = make(folder / "scale.parquet", rows=n, keys=6)
        out = folder / "scale.out.parquet"
        times = 3 if n <= 10_000_000 else 1
        done = {
            "bare group-by": process(HERE / "groupby.py", path, 6, times=times),
            "risk": risk(path, 6, times=times),
            "risk of records written": risk(path, 6, "--records", out, times=times),
            "the same in 1 GB": risk(path, 6, "--records", out, "--memory", "1GB", times=times),
            "suppress, own": protect(path, 6, "suppress", "-o", out),
        }
        for task, cost in done.items():
            costs.setdefault(task, []).append(cost)
    for task, found in costs.items():
        start = starts["polars" if task == "bare group-by" else "microsafe"]
        lines = []
        for place, (n, cost) in enumerate(zip(sizes, found, strict=True)):
            exponent = ""
            if place:
                grown = (cost.cpu - start) / (found[place - 1].cpu - start)
                exponent = f"{math.log(grown) / math.log(n / sizes[place - 1]):.2f}"
            ratio = cost.cpu / costs["bare group-by"][place].cpu
            line = (f"{n:,}", f"{cost.cpu:.2f}", f"{cost.peak:.2f}", f"{ratio:.2f}", exponent)
            lines.append(line)
        table(
            f"Scale, embedded: {task} ({start:.2f} s of start-up off for the exponent)",
            ("records", "CPU s", "peak GB", "ratio to bare group-by", "exponent"),
            lines,
        )


def spark(folder: Path, scale: float) -> None:
    """The same tasks on Spark, local[2]; CPU seconds of Python and Java less those of starting."""
    if find_spec("pyspark") is None:
        print("\nSpark is not installed: uv run --extra spark python benchmarks/run.py spark")
        return
    from spark import TASKS, measured

    sizes = [int(n * scale) for n in (1_000_000, 10_000_000, 50_000_000)]
    costs: dict[str, list[dict[str, float]]] = {task: [] for task in TASKS}
    for n in sizes:
        path = make(folder / "spark.parquet", rows=n, keys=6)
        for task in TASKS:
            costs[task].append(measured(path, 6, task))
    for task, found in costs.items():
        lines = []
        for place, (n, cost) in enumerate(zip(sizes, found, strict=True)):
            last = found[place - 1]["cpu"] if place else 0.0
            exponent = math.log(cost["cpu"] / last) / math.log(n / sizes[place - 1]) if last else 0
            lines.append(
                (
                    f"{n:,}",
                    f"{cost['cells']:,}",
                    f"{cost['cpu']:.1f}",
                    f"{cost['java'] + cost['python']:.2f}",
                    f"{cost['cpu'] / costs[TASKS[0]][place]['cpu']:.2f}",
                    f"{exponent:.2f}" if exponent else "",
                    f"{cost['shuffles']:.0f}",
                    f"{cost['bytes'] / 1e6:.1f}",
                )
            )
        start = min(cost["start"] for cost in found)
        table(
            f"Scale, Spark local[2]: {task} (start-up of {start:.0f} CPU s off)",
            (
                "records",
                "cells",
                "CPU s",
                "peak GB",
                "ratio to bare group-by",
                "exponent",
                "shuffles",
                "MB shuffled",
            ),
            lines,
        )


def spark_cells(folder: Path, scale: float) -> None:
    """The same records by more and more keys, hence cells."""
    if find_spec("pyspark") is None:
        return
    from spark import measured

    rows = int(10_000_000 * scale)
    path = make(folder / "cells.parquet", rows=rows, keys=8)
    lines = []
    for keys in (4, 6, 8):
        cost = measured(path, keys, "risk")
        each = (cost["cells"], cost["cpu"], cost["java"] + cost["python"], cost["bytes"] / 1e6)
        lines.append((f"{keys}", *(f"{x:,.{d}f}" for x, d in zip(each, (0, 1, 2, 1), strict=True))))
    table(
        f"Cells, Spark local[2]: risk of {rows:,} records",
        ("keys", "cells", "CPU s", "peak GB", "MB shuffled"),
        lines,
    )


def gate(folder: Path, scale: float) -> None:
    from gate import measure_gate

    measure_gate(folder, scale)


def describe(folder: Path, scale: float) -> None:
    from describe import measure_describe

    measure_describe(folder, scale)


PARTS: dict[str, Callable[[Path, float], None]] = {
    "start": start_up,
    "kernel": kernel,
    "risk": whole_command,
    "missing": missing_keys,
    "many": many_keys,
    "memory": memory,
    "growth": growth,
    "suppression": suppression,
    "combinations": combination_search,
    "uniques": uniques,
    "models": models,
    "scale": scale,
    "spark": spark,
    "cells": spark_cells,
    "gate": gate,
    "describe": describe,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows")
    chosen = parser.parse_args()
    unknown = set(chosen.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    with tempfile.TemporaryDirectory(prefix="microsafe-benchmark-") as folder:
        for name in chosen.parts or PARTS:
            PARTS[name](Path(folder), 0.1 if chosen.quick else 1.0)


if __name__ == "__main__":
    main()
