"""What it costs to see which variables tell a key, as a multiple of reading the file.

    uv run python benchmarks/telling.py             100,000 records, 60 variables
    uv run python benchmarks/telling.py 20000 30    so many records and variables

The file has eight keys, four of which are changed, strata, numbers and answers. CPU seconds of
all threads; best of three.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

import microsafe as ms
from microsafe.studies.telling_variables import find_telling_variables

KEYS = ("region", "sex", "age", "marital", "education", "occupation", "citizenship", "hsize")
LEVELS = (20, 2, 90, 5, 8, 40, 6, 7)


def make_file(records: int, variables: int) -> pl.DataFrame:
    """Return keys, a stratum that tells the region, numbers, and answers of 2 to 300 codes."""
    draw = np.random.default_rng(30)
    columns = {
        name: draw.integers(1, levels + 1, records)
        for name, levels in zip(KEYS, LEVELS, strict=True)
    }
    columns["stratum"] = columns["region"] * 10 + draw.integers(0, 4, records)
    columns["income"] = draw.lognormal(8, 1, records).round(2)
    columns["weight"] = draw.integers(20, 400, records)
    for number in range(variables - len(columns)):
        columns[f"q{number}"] = draw.integers(0, (2, 5, 11, 300)[number % 4], records)
    return pl.DataFrame(columns)


def spend(work: Callable[[], object]) -> float:
    """Return the CPU seconds that some work takes, the best of three."""
    found = []
    for _ in range(3):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def main() -> None:
    """Print the table."""
    records, variables = (
        (*map(int, sys.argv[1:]), 100_000, 60)[:2]
        if len(sys.argv) > 2
        else (
            100_000,
            60,
        )
    )
    frame = make_file(records, variables)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "survey.csv"
        frame.write_csv(path)
        reading = spend(lambda: ms.study(path).engine.table())
        opened = spend(lambda: ms.study(path).engine.describe())
        study = ms.study(path, keys=KEYS, weight="weight", estimator="cell")
        made = (
            study.recode("region", into={"north": [str(n) for n in range(1, 11)]}, other="south")
            .recode("age", into=range(0, 91, 10))
            .recode("occupation", into=range(0, 41, 10))
            .drop(["citizenship"], from_keys=True)
        )

        def measure() -> object:
            made._telling.clear()
            return find_telling_variables(made)

        found = spend(measure)
        told = find_telling_variables(made)
    print(f"{records:,} records x {variables} variables, {len(told.keys)} changed keys")
    print(f"told: {[(row.words, row.key, round(row.share, 3)) for row in told.found]}")
    print(f"{'':28}CPU s  ratio to reading")
    for name, seconds in (("read the file", reading), ("read and describe", opened)):
        print(f"{name:28}{seconds:5.2f}  {seconds / reading:5.2f}")
    print(f"{'what tells the keys':28}{found:5.2f}  {found / reading:5.2f}")


if __name__ == "__main__":
    main()
