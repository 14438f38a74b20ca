"""The bare engine at the same task: read, group, join back. Run as a process of its own."""

from __future__ import annotations

import sys

import polars as pl

path, keys = sys.argv[1], [f"k{place}" for place in range(int(sys.argv[2]))]
frame = pl.read_parquet(path, columns=[*keys, "w"])
cells = frame.group_by(keys).agg(pl.len().alias("n"), pl.col("w").sum().alias("N"))
joined = frame.join(cells, on=keys, how="left", nulls_equal=True)
if len(sys.argv) > 3:
    joined.select("n", "N").write_parquet(sys.argv[3], compression="snappy")
print(joined["n"].max())
