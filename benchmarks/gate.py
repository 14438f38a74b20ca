"""What the gate before a release costs: the inventory, and a plan that passes it."""

from __future__ import annotations

from pathlib import Path

from measure import make, process, risk, table

KEYS = 8
PLAN = """
microsafe = 1
[input]
file = "gate.parquet"
[scenario]
keys = [{keys}]
weight = "w"
[policy]
override = {{ estimator = "only its time is of interest" }}
[output]
file = "safe.parquet"
"""


def measure_gate(folder: Path, scale: float) -> None:
    rows = int(1_000_000 * scale)
    path = make(folder / "gate.parquet", rows=rows, keys=KEYS)
    names = [f"k{place}" for place in range(KEYS)]
    plan = folder / "gate.toml"
    plan.write_text(PLAN.format(keys=", ".join(f'"{name}"' for name in names)), "utf-8")
    roles = ("--keys", ",".join(names), "--weight", "w")
    bare = risk(path, KEYS, "--one-estimator", times=3)
    costs = {
        "inventory": process("-m", "microsafe", "inventory", path, *roles, "--json", times=3),
        "protect, no steps": process("-m", "microsafe", "protect", plan, "--overwrite", times=1),
    }
    table(
        f"The gate, {rows:,} x {KEYS} keys and a weight, Parquet, against `risk` by one estimator",
        ("task", "CPU s", "risk CPU s", "ratio", "aim"),
        [
            (task, f"{cost.cpu:.2f}", f"{bare.cpu:.2f}", f"{cost.cpu / bare.cpu:.2f}", aim)
            for (task, cost), aim in zip(costs.items(), ("2", ""), strict=True)
        ],
    )
