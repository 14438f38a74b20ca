"""Risk of ten million records against the least that a machine must do for it.

    uv run python benchmarks/floor.py [--quick]

The floor of a Parquet file is measured in the same run: a process in which Polars reads the columns
and numpy then goes over the records once for each key, and counts and weighs them by cell, with
codes made up: texts are not turned into codes. The bare group-by is Polars streaming, count and sum
of weights by all keys.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl

from measure import HERE, in_turn, make, process, run_parts, table

FIRST = tuple(f"k{place}" for place in range(6))
KEYS = ("k1", "k2", "k3", "k4", "k8", "k9", "k10", "k11")  # of few enough categories for no model


def run_floor(path: Path) -> None:
    """Read the columns; pack as many codes as there are keys, and count and weigh by cell."""
    frame = pl.read_parquet(path, columns=[*KEYS, "w"])
    weights = frame["w"].to_numpy()
    packed = np.arange(frame.height, dtype=np.uint32)
    for place in range(len(KEYS)):
        packed *= np.uint32(2 * place + 3)
        packed += np.uint8(place)
    cell = packed >> np.uint32(12)  # a million, as scattered as cells are
    np.bincount(cell)
    np.bincount(cell, weights)


def run_groupby(path: Path, keys: list[str]) -> None:
    """Group, count and weigh, holding no records."""
    texts = dict.fromkeys(keys, pl.String())
    rows = (
        pl.scan_parquet(path)
        if path.suffix == ".parquet"
        else pl.scan_csv(path, schema_overrides=texts)
    )
    cells = rows.group_by(keys).agg(pl.len().alias("n"), pl.col("w").sum().alias("N"))
    print(cells.collect(engine="streaming")["n"].max())


def convert(texts: Path, numbers: Path, lines: Path) -> None:
    """Write the same records with whole numbers for keys, and as delimited text."""
    scan = pl.scan_parquet(texts)
    scan.with_columns(pl.col(KEYS).cast(pl.Int64)).sink_parquet(numbers)
    scan.select(*FIRST, "w").sink_csv(lines)


def measure_files(folder: Path, scale: float) -> None:
    """The same records from Parquet with texts and whole numbers for keys, and from CSV."""
    rows = int(10_000_000 * scale)
    texts = make(folder / "texts.parquet", rows=rows, keys=12)
    numbers, lines = folder / "numbers.parquet", folder / "lines.csv"
    process(HERE / "floor.py", "--convert", texts, numbers, lines, times=1)
    found = []
    for name, path, keys in (
        ("Parquet, texts", texts, KEYS),
        ("Parquet, whole numbers", numbers, KEYS),
        ("CSV", lines, FIRST),
    ):
        roles = ("--keys", ",".join(keys), "--weight", "w", "--json")
        floor = () if path is lines else ((HERE / "floor.py", "--floor", path),)
        ours, bare, *least = in_turn(
            ("-m", "microsafe", "risk", path, *roles),
            (HERE / "floor.py", "--groupby", path, *keys),
            *floor,
        )
        ratios = [
            ("wall / CPU", ours.wall, ours.cpu, "" if path is lines else "0.65"),
            ("wall / group-by's", ours.wall, bare.wall, "" if path is lines else "2"),
            ("CPU / group-by's", ours.cpu, bare.cpu, "1.3" if path is lines else ""),
        ]
        ratios += [("CPU / floor's", ours.cpu, each.cpu, "2.5") for each in least]
        found += [
            (name, what, f"{a:.2f} / {b:.2f}", f"{a / b:.2f}", aim, f"{ours.peak:.2f}")
            for what, a, b, aim in ratios
        ]
    table(
        f"Risk of {rows:,} records by 8 keys (CSV: 6)",
        ("file", "what", "seconds", "ratio", "aim", "peak GB"),
        found,
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--floor", path]:
            run_floor(Path(path))
        case ["--convert", texts, numbers, lines]:
            convert(Path(texts), Path(numbers), Path(lines))
        case ["--groupby", path, *keys]:
            run_groupby(Path(path), keys)
        case _:
            run_parts({"floor": measure_files}, __doc__)
