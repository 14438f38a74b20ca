"""Make the picture of docs/methods/record-swapping.md: who moved, and what areas keep.

uv run python docs/pictures/make_swap.py
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from matplotlib import pyplot

import microsafe as ms

HERE = Path(__file__).parent
OLD, NEW, GRID = "#8fa9bf", "#2f5d86", "#e3e7ea"
BANDS = (1, 2, 3, 5, 10, 20, 40, 1000)


def main() -> None:
    """Draw records by region, and shares that moved by how rare a member is."""
    study = ms.study(
        ms.survey().frame, keys=["region", "sex", "age", "marital"], household="household"
    ).recode("age", breaks=range(0, 90, 10))
    done = study.swap("household", "region", k=2, seed=20260101)
    before, after = (table(each) for each in (study, done))
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    counts = [each["region"].value_counts().sort("region") for each in (before, after)]
    place = np.arange(counts[0].height)
    left.bar(place - 0.2, counts[0]["count"], 0.4, color=OLD, label="before")
    left.bar(place + 0.2, counts[1]["count"], 0.4, color=NEW, label="after")
    left.set_xticks(place, counts[0]["region"].cast(str).to_list())
    left.set_xlabel("region")
    left.set_ylabel("records")
    left.set_title("every region keeps its records", fontsize=9, loc="left")
    left.legend(frameon=False)
    homes = (
        before.with_columns(
            moved=before["region"] != after["region"],
            alike=pl.len().over("region", "sex", "age", "marital"),
        )
        .group_by("household")
        .agg(pl.col("moved").first(), pl.col("alike").min())
    )
    bands = list(pairwise(BANDS))
    shares = [
        homes.filter(pl.col("alike").is_between(low, high - 1))["moved"].mean()
        for low, high in bands
    ]
    names = [str(low) if high - low == 1 else f"{low}–{high - 1}" for low, high in bands]
    names[-1] = f"{BANDS[-2]}+"
    right.bar(names, [100 * float(each or 0) for each in shares], 0.6, color=NEW)  # type: ignore[arg-type]
    right.set_xlabel("records like the rarest member, in the region")
    right.set_ylabel("households that moved, %")
    right.set_title("those who stand out move", fontsize=9, loc="left")
    for axes in (left, right):
        axes.grid(axis="y", color=GRID)
        axes.set_axisbelow(True)
    figure.savefig(HERE / "record-swapping.png", dpi=144)


def table(study: ms.Study) -> pl.DataFrame:
    """All records as they are released."""
    engine: Any = study.engine
    return engine.table()


if __name__ == "__main__":
    main()
