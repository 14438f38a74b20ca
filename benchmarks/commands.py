"""What commands cost against the bare engine: start-up, risk, memory, the kernel of risk."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from measure import HERE, make, process, risk, table


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


def memory(folder: Path, scale: float) -> None:
    rows = int(10_000_000 * scale)
    cost = risk(make(folder / "memory.parquet", rows=rows, keys=8), 8, times=1)
    table(
        f"Memory, {rows:,} x 8",
        ("CPU s", "peak GB", "aim"),
        [(f"{cost.cpu:.2f}", f"{cost.peak:.2f}", "1.50")],
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
