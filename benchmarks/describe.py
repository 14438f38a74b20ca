"""What a look at a file costs, against measuring its risk with six keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from measure import Cost, process, table

KEYS = ("region", "sex", "age", "marital", "citizenship", "education")


def make_survey(rows: int, more: int) -> pl.DataFrame:
    """Return a survey as they come: keys, a household, a weight, an income, and other answers."""
    rng = np.random.default_rng(1)
    sizes = dict(zip(KEYS, (19, 2, 95, 5, 7, 6), strict=True)) | {"occupation": 400}
    columns = {name: rng.integers(1, 1 + size, rows) for name, size in sizes.items()}
    columns |= {
        "household": np.arange(rows) // 3,
        "income": np.round(rng.lognormal(8, 1, rows), 2),
        "weight": rng.integers(20, 200, rows),
    }
    columns |= {f"q{n}": rng.integers(0, (2, 5, 10, 100)[n % 4], rows) for n in range(more)}
    return pl.DataFrame(columns)


def measure_describe(folder: Path, scale: float) -> None:
    lines = []
    for rows, more in ((1_000_000, 2), (1_000_000, 10), (100_000, 590)):
        frame = make_survey(int(rows * scale), more)
        for suffix in ("parquet", "csv"):
            path = folder / f"describe.{suffix}"
            frame.write_csv(path) if suffix == "csv" else frame.write_parquet(path)
            keys = ("--keys", ",".join(KEYS), "--weight", "weight")
            look, quick, risk = (
                process("-m", "microsafe", *command, "--json", times=3)
                for command in (
                    ("describe", path),
                    ("describe", path, "--quick"),
                    ("risk", path, *keys),
                )
            )
            lines.append(_row(frame, suffix, look, quick, risk))
    table(
        "A look at a file (describe), against its risk with 6 keys",
        (
            "records",
            "variables",
            "format",
            "CPU s",
            "quick",
            "risk CPU s",
            "ratio",
            "peak GB",
            "aim",
        ),
        lines,
    )


def _row(frame: pl.DataFrame, suffix: str, look: Cost, quick: Cost, risk: Cost) -> tuple[str, ...]:
    return (
        f"{frame.height:,}",
        str(frame.width),
        suffix,
        f"{look.cpu:.2f}",
        f"{quick.cpu:.2f}",
        f"{risk.cpu:.2f}",
        f"{look.cpu / risk.cpu:.2f}",
        f"{look.peak:.2f}",
        "1" if frame.width < 100 else "",
    )
