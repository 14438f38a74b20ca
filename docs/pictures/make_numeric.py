"""Make the pictures of microaggregation, rank swapping and shuffling: values before and after.

uv run python docs/pictures/make_numeric.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import microsafe as ms

HERE = Path(__file__).parent
BEFORE, AFTER, INK, GRID, QUIET = "#2f5d86", "#b4442c", "#26323d", "#e3e7ea", "#9aa5ad"


def enterprises(count: int = 180) -> pl.DataFrame:
    """Made-up enterprises: staff, turnover in thousands, and the sector."""
    random = np.random.default_rng(5)
    staff = np.maximum(1, np.rint(np.exp(2.6 + random.normal(size=count))))
    turnover = np.round(90 * staff**0.9 * np.exp(0.5 * random.normal(size=count)))
    return pl.DataFrame(
        {"sector": random.integers(1, 4, count), "staff": staff, "turnover": turnover}
    )


def main() -> None:
    """Draw all three."""
    frame = enterprises()
    study = ms.study(frame, keys=["sector"])
    draw_groups(frame, table(study.microaggregate(["staff", "turnover"], k=5, decimals=1)))
    draw_ranks(frame, table(study.rank_swap("turnover", percent=10, seed=4)))
    draw_scatter(frame, table(study.shuffle("turnover", given=["staff"], seed=4)))


def table(study: ms.Study) -> pl.DataFrame:
    """The records of a study."""
    found: pl.DataFrame = study.engine.table()  # type: ignore[attr-defined]
    return found


def panels(*titles: str) -> tuple[Figure, list[Axes]]:
    """A row of pictures of the same size."""
    figure, axes = pyplot.subplots(1, len(titles), figsize=(8, 3.6), layout="constrained")
    for ax, title in zip(axes, titles, strict=True):
        ax.set_title(title, loc="left", fontsize=10, color=INK)
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(color=GRID, linewidth=0.6)
        ax.tick_params(labelsize=8)
    return figure, list(axes)


def scatter(ax: Axes, frame: pl.DataFrame, colour: str, size: float = 14) -> None:
    """Staff and turnover on logarithmic axes."""
    ax.scatter(frame["staff"], frame["turnover"], s=size, color=colour, alpha=0.75, linewidths=0)
    ax.set(xscale="log", yscale="log", xlabel="staff", ylabel="turnover")


def save(figure: Figure, name: str) -> None:
    """Write a picture."""
    figure.savefig(HERE / f"{name}.png", dpi=144)
    pyplot.close(figure)


def draw_groups(before: pl.DataFrame, after: pl.DataFrame) -> None:
    """Each record beside the mean of its group."""
    figure, (left, right) = panels("before: each enterprise", "after: means of five or more")
    scatter(left, before, BEFORE)
    right.plot(
        [before["staff"], after["staff"]], [before["turnover"], after["turnover"]],
        color=QUIET, linewidth=0.6,
    )  # fmt: skip
    scatter(right, after, AFTER, 20)
    right.set(xlim=left.get_xlim(), ylim=left.get_ylim())
    save(figure, "microaggregation")


def draw_ranks(before: pl.DataFrame, after: pl.DataFrame) -> None:
    """Values before and after, and the two distributions, which are the same."""
    figure, (left, right) = panels("turnover after, by turnover before", "both distributions")
    left.scatter(before["turnover"], after["turnover"], s=14, color=AFTER, alpha=0.75, linewidths=0)
    left.set(xscale="log", yscale="log", xlabel="before", ylabel="after")
    ends = [before["turnover"].min(), before["turnover"].max()]
    left.plot(ends, ends, color=QUIET, linewidth=0.8)
    share = np.arange(1, len(before) + 1) / len(before)
    right.step(before["turnover"].sort(), share, color=BEFORE, linewidth=3, label="before")
    right.step(after["turnover"].sort(), share, color=AFTER, linewidth=1, label="after")
    right.set(xscale="log", xlabel="turnover", ylabel="share of enterprises")
    right.legend(frameon=False, fontsize=9)
    save(figure, "rank-swapping")


def draw_scatter(before: pl.DataFrame, after: pl.DataFrame) -> None:
    """The relation with what was given, before and after."""
    figure, (left, right) = panels("before", "after: turnover dealt out anew, given staff")
    scatter(left, before, BEFORE)
    scatter(right, after, AFTER)
    right.set(xlim=left.get_xlim(), ylim=left.get_ylim())
    save(figure, "shuffling")


if __name__ == "__main__":
    main()
