"""How cost grows: with records, keys, gaps and members of households.

    uv run python benchmarks/growth.py [--quick] [records keys gaps households]

Start-up is taken off. An exponent of 1 means twice the cost for twice the size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from measure import (
    Cost,
    exponents,
    key_names,
    make,
    process,
    protect,
    risk,
    run_parts,
    start_of,
    table,
)

Task = Callable[[Path, int], Cost]


def by_size(
    title: str, tasks: Mapping[str, Sequence[float]], sizes: Sequence[float], unit: str
) -> None:
    """Print the CPU seconds of tasks, each with its growth from size to size."""
    columns = [
        column
        for costs in tasks.values()
        for column in ([f"{cost:.2f}" for cost in costs], exponents(sizes, costs))
    ]
    heading = [name for task in tasks for name in (f"{task}, CPU s", "exponent")]
    names = [f"{size:,}" if size >= 1 else f"{size:.1%}" for size in sizes]
    table(title, (unit, *heading), list(zip(names, *columns, strict=True)))


def _suppress(guarantee: str, path: Path, keys: int) -> Cost:
    return protect(path, keys, "suppress", "--guarantee", guarantee, "-o", path.with_stem("out"))


def _measure(path: Path, keys: int) -> Cost:
    return risk(path, keys, times=2)


def _combinations(path: Path, keys: int) -> Cost:
    return protect(path, keys, "combinations")


MEASURE: Mapping[str, Task] = {"risk": _measure}
PROTECT: Mapping[str, Task] = {
    name: partial(_suppress, name) for name in ("own", "strict", "shared")
} | {"combinations": _combinations}


def in_records(folder: Path, scale: float) -> None:
    """Six keys, complete and with gaps; then protection."""
    sizes = [int(n * scale) for n in (250_000, 500_000, 1_000_000, 2_000_000, 4_000_000)]
    costs = {
        name: _costs(folder, MEASURE, [{"rows": n, "keys": 6, "missing": share} for n in sizes])[
            "risk"
        ]
        for name, share in (("complete", 0.0), ("5 % missing", 0.05))
    }
    by_size("Growth with records: risk, 6 keys", costs, sizes, "records")
    sizes = sizes[:4]
    costs = _costs(folder, PROTECT, [{"rows": n, "keys": 6} for n in sizes])
    by_size("Growth with records: protection above 0.01, 6 keys", costs, sizes, "records")


def in_keys(folder: Path, scale: float) -> None:
    """Half a million records; with gaps and in protection the number of key sets doubles."""
    counts, rows = (2, 4, 6, 8, 10, 12, 14), int(500_000 * scale)
    costs = {
        name: _costs(
            folder, MEASURE, [{"rows": rows, "keys": k, "missing": share} for k in counts]
        )["risk"]
        for name, share in (("complete", 0.0), ("5 % missing", 0.05))
    }
    by_size(f"Growth with keys: risk of {rows:,} records", costs, counts, "keys")
    counts = (4, 6, 8, 10)
    costs = _costs(folder, PROTECT, [{"rows": rows, "keys": k} for k in counts])
    by_size(f"Growth with keys: protection above 0.01, {rows:,} records", costs, counts, "keys")


def in_gaps(folder: Path, scale: float) -> None:
    """A growing share of missing values in every key."""
    shares, rows = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4), int(500_000 * scale)
    costs = {
        f"{keys} keys": _costs(
            folder, MEASURE, [{"rows": rows, "keys": keys, "missing": share} for share in shares]
        )["risk"]
        for keys in (6, 10)
    }
    by_size(f"Growth with gaps: risk of {rows:,} records", costs, shares, "missing")


def in_households(folder: Path, scale: float) -> None:
    """Records in households: more of them, and larger ones."""
    home: Mapping[str, Task] = {
        "risk": lambda path, keys: risk(path, keys, "--household", "h", times=2),
        "own": lambda path, keys: _own_of_households(path, keys),
    }
    sizes = [int(n * scale) for n in (250_000, 500_000, 1_000_000, 2_000_000)]
    costs = _costs(folder, home, [{"rows": n, "keys": 6, "members": 2.5} for n in sizes])
    by_size("Growth with records: households of 2.5 on average, 6 keys", costs, sizes, "records")
    members, rows = (1, 2, 4, 8, 16, 32), int(500_000 * scale)
    costs = _costs(folder, home, [{"rows": rows, "keys": 6, "members": m} for m in members])
    by_size(
        f"Growth with members: households of {rows:,} records, 6 keys", costs, members, "members"
    )


def _own_of_households(path: Path, keys: int) -> Cost:
    roles = ("--keys", key_names(keys), "--weight", "w", "--household", "h", "--json")
    limits = ("--above", 0.01, "--household-above", 0.03, "-o", path.with_stem("out"))
    return process("-m", "microsafe", "suppress", path, *roles, *limits, times=1)


def _costs(
    folder: Path, tasks: Mapping[str, Task], shapes: Sequence[Mapping[str, float]]
) -> dict[str, list[float]]:
    """CPU seconds of tasks on files of some shapes, start-up off."""
    start = start_of()
    found: dict[str, list[float]] = {task: [] for task in tasks}
    for shape in shapes:
        path = make(folder / "growth.parquet", **shape)
        for name, task in tasks.items():
            found[name].append(max(task(path, int(shape["keys"])).cpu - start, 0.01))
    return found


PARTS = {"records": in_records, "keys": in_keys, "gaps": in_gaps, "households": in_households}


def growth(folder: Path, scale: float) -> None:
    """All of them."""
    for part in PARTS.values():
        part(folder, scale)


if __name__ == "__main__":
    run_parts(PARTS, __doc__)
