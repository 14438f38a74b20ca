"""Make the picture of docs/methods/model-risk.md: predicted against true risk, by estimator.

    uv run python docs/pictures/make_calibration.py

It needs the samples of known populations that `benchmarks/validation.py --calibration` reads.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullFormatter

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "benchmarks"))

from calibration import ENOUGH, Judged, judge  # noqa: E402
from validation import truth_cases  # noqa: E402

EDGES = np.geomspace(0.001, 1.0, 16)  # five bins to a factor of ten
LOOK = {"cell": ("#b4442c", "s"), "model": ("#2f5d86", "o")}
INK, GRID, QUIET = "#26323d", "#e3e7ea", "#6b7780"


def main() -> None:
    """Judge both estimators on all files, and draw them."""
    samples = [*truth_cases(), *truth_cases("more.csv")]
    if not samples:
        sys.exit("The samples of known populations are not here.")
    judged = [judge(sample) for sample in samples]
    figure, ax = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    draw_axes(ax)
    for estimator in LOOK:
        draw_estimator(ax, estimator, list(find_means(estimator, judged)))
    ax.text(0.0045, 0.0027, "true as predicted", color=QUIET, fontsize=9, rotation=28)
    ax.legend(loc="lower right", frameon=False)
    figure.savefig(HERE / "calibration.png", dpi=144)


def find_means(estimator: str, judged: Sequence[Judged]) -> Iterator[tuple[float, float]]:
    """Mean predicted and mean true risk of the records in each bin of predicted risk."""
    predicted = np.concatenate([x.cell if estimator == "cell" else x.model.risk for x in judged])
    true = np.concatenate([1.0 / x.people for x in judged])
    records = np.concatenate([x.f for x in judged])
    place = np.digitize(predicted, EDGES)
    for bin_ in range(1, len(EDGES) + 1):
        here = place == bin_
        count = records[here].sum()
        if count >= ENOUGH:
            yield (
                float(records[here] @ predicted[here] / count),
                float(records[here] @ true[here] / count),
            )


def draw_estimator(ax: Axes, estimator: str, means: Sequence[tuple[float, float]]) -> None:
    """Join the means of one estimator."""
    colour, marker = LOOK[estimator]
    said, true = zip(*means, strict=True)
    ax.plot(said, true, color=colour, marker=marker, markersize=5, linewidth=1.2, label=estimator)


def draw_axes(ax: Axes) -> None:
    """Draw log axes and the diagonal."""
    ax.set(xscale="log", yscale="log", xlim=(0.001, 1.1), ylim=(0.001, 1.1))
    ax.set_xlabel("predicted risk")
    ax.set_ylabel("true risk: mean of 1/F")
    ax.plot([0.001, 1.1], [0.001, 1.1], color=QUIET, linewidth=0.9, linestyle="--")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda risk, _: f"{risk:g}"))
        axis.set_minor_formatter(NullFormatter())
    ax.grid(color=GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    ax.tick_params(colors=INK)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


if __name__ == "__main__":
    main()
