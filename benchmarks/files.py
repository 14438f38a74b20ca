"""Synthetic files to measure with: string keys as surveys have them, made by a seed."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl

CATEGORIES = (40, 2, 18, 5, 8, 12, 10, 6, 4, 9, 7, 3)


def make(path: Path, *, rows: int, keys: int, missing: float = 0.0, seed: int = 1) -> None:
    """Write a Parquet file of `keys` string keys k0, k1, ... and a weight w."""
    rng = np.random.default_rng(seed)
    columns: dict[str, pl.Series] = {}
    for place, categories in enumerate(CATEGORIES[:keys]):
        share = rng.dirichlet(np.ones(categories))
        texts = pl.Series([f"{code:03}" for code in range(categories)])
        values = texts.gather(rng.choice(categories, rows, p=share))
        if missing:
            gap = pl.Series(rng.random(rows) < missing)
            values = pl.select(pl.when(~gap).then(values)).to_series()
        columns[f"k{place}"] = values
    columns["w"] = pl.Series(np.round(1 + rng.gamma(4, 25, rows), 2))
    pl.DataFrame(columns).write_parquet(path)


if __name__ == "__main__":
    name, rows, keys, missing = sys.argv[1:]
    make(Path(name), rows=int(rows), keys=int(keys), missing=float(missing))
