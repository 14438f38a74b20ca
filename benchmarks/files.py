"""Synthetic files to measure with: string keys as surveys have them, made by a seed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from polars.io.plugins import register_io_source

CATEGORIES = (40, 2, 18, 5, 8, 12, 10, 6, 4, 9, 7, 3, 5, 2)
BATCH = 1 << 20  # a file may be larger than memory


def make(
    path: Path,
    *,
    rows: int,
    keys: int,
    missing: float = 0.0,
    categories: int = 0,
    members: float = 0.0,
    seed: int = 1,
) -> None:
    """Write a file of `keys` string keys k0, k1, ... and a weight w: Parquet, or CSV by its name.

    Keys have as many categories as those of surveys, or all the same number. With members,
    records are in households h of so many on average.
    """
    rng = np.random.default_rng(seed)
    sizes = (categories,) * keys if categories else CATEGORIES[:keys]
    shares = [rng.dirichlet(np.ones(size)) for size in sizes]
    texts = [pl.Series([f"{code:03}" for code in range(len(share))]) for share in shares]

    def batch(size: int) -> pl.DataFrame:
        columns: dict[str, pl.Series] = {}
        for place, (share, text) in enumerate(zip(shares, texts, strict=True)):
            values = text.gather(rng.choice(len(share), size, p=share))
            if missing:
                gap = pl.Series(rng.random(size) < missing)
                values = pl.select(pl.when(~gap).then(values)).to_series()
            columns[f"k{place}"] = values
        columns["w"] = pl.Series(np.round(1 + rng.gamma(4, 25, size), 2))
        return pl.DataFrame(columns)

    def batches(*_: object) -> Iterator[pl.DataFrame]:
        for start in range(0, rows, BATCH):
            drawn = batch(min(BATCH, rows - start))
            if members:
                homes = np.arange(start, start + len(drawn)) / members
                drawn = drawn.with_columns(h=pl.Series(homes.astype(np.int64)))
            yield drawn

    schema = {f"k{place}": pl.String() for place in range(keys)} | {"w": pl.Float64()}
    lazy = register_io_source(batches, schema=schema | ({"h": pl.Int64()} if members else {}))
    if path.suffix == ".csv":
        lazy.sink_csv(path)
    else:
        lazy.sink_parquet(path)


if __name__ == "__main__":
    name, *shape = sys.argv[1:]
    given = {field: float(value) for field, _, value in (each.partition("=") for each in shape)}
    whole = {
        field: int(given.pop(field)) for field in ("rows", "keys", "categories") if field in given
    }
    make(Path(name), **whole, **given)
