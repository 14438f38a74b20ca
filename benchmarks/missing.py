"""Counting where keys are missing: many keys, and keys too wide for 64 bits.

    uv run python benchmarks/missing.py [--quick] [many wide]

Ratios and exponents leave out start-up, as the rest is what grows.
"""

from __future__ import annotations

from pathlib import Path

from measure import exponents, make, risk, run_parts, start_of, table


def many_keys(folder: Path, scale: float) -> None:
    """Growth with keys, records and gaps, against the same file complete."""
    base, start = int(300_000 * scale), start_of()
    lines = []
    for what, sizes in (
        ("keys", (8, 10, 12, 14)),
        ("rows", (base // 4, base // 2, base)),
        ("missing", (0.01, 0.02, 0.05)),
    ):
        shapes = [{"rows": base, "keys": 14, "missing": 0.05} | {what: size} for size in sizes]
        costs = [_cost(folder, **shape) for shape in shapes]
        complete = [_cost(folder, **(shape | {"missing": 0.0})) for shape in shapes]
        grown = exponents(sizes, [cost - start for cost in costs])
        for shape, cost, bare, exponent in zip(shapes, costs, complete, grown, strict=True):
            rows, keys, missing = shape["rows"], shape["keys"], shape["missing"]
            aim = "8.0" if (rows, keys, missing) == (300_000, 14, 0.05) else ""
            ratio = (cost - start) / (bare - start)
            line = (f"{rows:,}", str(keys), f"{missing:.0%}", f"{cost:.2f}", aim, f"{ratio:.2f}")
            lines.append((*line, f"{what} {exponent}" if exponent else ""))
    table(
        "Many keys with gaps, against the same file complete",
        ("records", "keys", "missing", "CPU s", "aim", "ratio", "exponent in"),
        lines,
    )


def wide_keys(folder: Path, scale: float) -> None:
    """Keys that need more than 64 bits against keys that do not, with as many gaps."""
    start = start_of()
    lines = []
    for rows, gaps in ((1_000, 0.3), (int(10_000 * scale), 0.3), (int(100_000 * scale), 0.05)):
        narrow, wide = (
            _cost(folder, rows=rows, keys=12, missing=gaps, categories=size) - start
            for size in (30, 100)
        )
        shape = (f"{rows:,}", f"{gaps:.0%}", f"{narrow:.2f}", f"{wide:.2f}")
        lines.append((*shape, f"{wide / narrow:.2f}", "2.50"))
    table(
        "12 keys of 100 categories, more than 64 bits, against 12 keys of 30",
        ("records", "missing", "narrow CPU s", "wide CPU s", "ratio", "aim"),
        lines,
    )


def _cost(folder: Path, **shape: float) -> float:
    return risk(make(folder / "missing.parquet", **shape), int(shape["keys"]), times=2).cpu


PARTS = {"many": many_keys, "wide": wide_keys}

if __name__ == "__main__":
    run_parts(PARTS, __doc__)
