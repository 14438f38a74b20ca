"""More and more records, on the embedded engine and on Spark."""

from __future__ import annotations

import math
from importlib.util import find_spec
from pathlib import Path

from measure import HERE, Cost, make, process, protect, risk, table


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
