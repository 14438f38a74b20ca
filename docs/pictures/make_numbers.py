"""Make the pictures of docs/methods/noise.md, tails.md and numeric-risk.md.

    uv run python docs/pictures/make_numbers.py

All show the income of the survey of `microsafe demo`, before and after a step.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes

import microsafe as ms

HERE = Path(__file__).parent
INK, GRID, BEFORE, AFTER, OTHER = "#26323d", "#e3e7ea", "#6b7780", "#b4442c", "#2f5d86"
SOME = 200  # points of a scatter


def opened() -> ms.Study:
    """The survey of the demo."""
    frame = ms.survey(1).frame
    return ms.study(frame, keys=["region", "sex"], weight="weight", household="household")


def incomes(study: ms.Study) -> np.ndarray:
    """The incomes of a study, as they now are."""
    return np.array(study.engine.table()["income"])  # type: ignore[attr-defined]


def tidy(ax: Axes, title: str, x: str, y: str) -> None:
    """Give axes the look of the other pictures."""
    ax.set_title(title, loc="left", fontsize=10, color=INK)
    ax.set_xlabel(x, fontsize=9)
    ax.set_ylabel(y, fontsize=9)
    ax.grid(color=GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    ax.tick_params(labelsize=8)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def save(figure: pyplot.Figure, name: str) -> None:
    """Write a picture."""
    figure.savefig(HERE / name, dpi=144)
    pyplot.close(figure)


def draw_noise(study: ms.Study) -> None:
    """Values before and after, and their distribution."""
    x = incomes(study)
    paid = np.flatnonzero(x > 0)
    figure, axes = pyplot.subplots(1, 3, figsize=(10, 3.4), layout="constrained")
    for ax, kind, colour in zip(axes, ("additive", "multiplicative"), (OTHER, AFTER), strict=False):
        z = incomes(study.noise("income", kind=kind, variance=0.1, seed=1))  # type: ignore[arg-type]
        shown = paid[z[paid] > 0][:: max(1, len(paid) // SOME)]
        ax.loglog(x[shown], z[shown], ".", color=colour, markersize=3, alpha=0.6)
        ends = [x[paid].min(), x.max()]
        ax.loglog(ends, ends, color=INK, linewidth=0.8)
        tidy(ax, f"{kind}, variance 0.1", "income before", "after")
        bins = np.geomspace(30, 30_000, 60)
        middle = np.sqrt(bins[1:] * bins[:-1])
        height = np.histogram(z[paid], bins)[0]
        axes[2].semilogx(middle, height, color=colour, label=kind)
    axes[2].fill_between(
        middle, np.histogram(x[paid], bins)[0], color=BEFORE, alpha=0.3, label="before", step="mid"
    )
    tidy(axes[2], "distribution", "income", "records")
    axes[2].legend(frameon=False, fontsize=8)
    save(figure, "noise.png")


def draw_tails(study: ms.Study) -> None:
    """The largest incomes before and after top coding by share."""
    x = incomes(study)
    order = np.argsort(x)[::-1][:300]
    figure, ax = pyplot.subplots(figsize=(7, 3.4), layout="constrained")
    ax.plot(np.arange(1, 301), x[order], color=BEFORE, label="before")
    for replace, colour in (("mean", AFTER), ("limit", OTHER)):
        z = incomes(study.top_code("income", share=0.02, replace=replace))  # type: ignore[arg-type]
        ax.plot(np.arange(1, 301), z[order], color=colour, label=f"after, replace = {replace}")
    tidy(ax, "top coding of 2 % of the population", "record, the largest income first", "income")
    ax.set_ylim(0)
    ax.legend(frameon=False, fontsize=8)
    save(figure, "tails.png")


def draw_risk(study: ms.Study) -> None:
    """Linked records by variance of the noise."""
    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.4), layout="constrained", sharey=True)
    variances = (0.0001, 0.001, 0.01, 0.03, 0.1, 0.3, 1.0)
    for kind, colour in (("additive", OTHER), ("multiplicative", AFTER)):
        found = [
            study.noise("income", kind=kind, variance=each, seed=1).numeric_risk().linkage  # type: ignore[arg-type]
            for each in variances
        ]
        for ax, rates in (
            (axes[0], [each.all.rate for each in found]),
            (axes[1], [each.outer.rate for each in found]),
        ):
            ax.semilogx(variances, [100 * each for each in rates], "o-", color=colour, label=kind)
    tidy(axes[0], "all records", "variance of the noise", "linked, per cent")
    tidy(axes[1], "outer 1 %", "variance of the noise", "")
    axes[1].legend(frameon=False, fontsize=8)
    axes[0].set_ylim(0)
    save(figure, "numeric-risk.png")


def main() -> None:
    """Draw all of them."""
    mpl.rcParams["svg.fonttype"] = "none"
    study = opened()
    draw_noise(study)
    draw_tails(study)
    draw_risk(study)


if __name__ == "__main__":
    main()
