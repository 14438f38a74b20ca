"""The least that the bare engine must do: group by keys, count and weigh, holding no records."""

from __future__ import annotations

import sys

import polars as pl

path, keys = sys.argv[1], [f"k{place}" for place in range(int(sys.argv[2]))]
cells = pl.scan_parquet(path).group_by(keys).agg(pl.len().alias("n"), pl.col("w").sum().alias("N"))
print(cells.collect(engine="streaming")["n"].max())
