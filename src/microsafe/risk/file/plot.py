"""Plots of file risk: records by model, the search, convergence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from microsafe.risk.file.model_estimates import ModelEstimate
from microsafe.risk.model.terms import Addition
from microsafe.sums import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK, _GRID, _QUIET = "#26323d", "#e3e7ea", "#6b7780"
_LINES = (("#1f5f8b", "-"), ("#b4442c", "--"), ("#5b7f3a", "-."), ("#8a5fa3", ":"))


def draw(
    keys: Sequence[str],
    count: Floats,
    opinions: Sequence[ModelEstimate],
    *,
    steps: Sequence[Addition],
    distances: Sequence[float],
) -> Figure:
    """Draw all that there is to see of the file's risk.

    Args:
        keys: Names of the keys.
        count: Records of each cell.
        opinions: What each model says.
        steps: Of the search for interactions; none if they were given.
        distances: From the margins, round by round; none without a log-linear model.
    """
    from matplotlib.figure import Figure

    panels = 1 + bool(steps) + bool(distances)
    figure = Figure(figsize=(1.2 + 4.4 * panels, 4.2), layout="constrained")
    places = iter(figure.subplots(1, panels, squeeze=False)[0])
    _models(next(places), count, opinions)
    if steps:
        _search(next(places), keys, steps)
    if distances:
        _convergence(next(places), distances)
    return figure


def _models(ax: Axes, count: Floats, opinions: Sequence[ModelEstimate]) -> None:
    """Records above each risk, one line for each model."""
    ax.set_title("Record risk by model", loc="left", color=_INK, fontsize=11)
    known = [(opinion.model, opinion.risk) for opinion in opinions if opinion.risk is not None]
    for (model, values), (colour, style) in zip(known, _LINES, strict=False):
        order = np.argsort(-values, kind="stable")
        records = np.cumsum(count[order])
        ax.plot(values[order], records, color=colour, linestyle=style, label=model)
    if known:
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.legend(frameon=False, fontsize=9)
    else:
        ax.text(0.5, 0.5, "This model says nothing of records.", ha="center", color=_QUIET)
    _plain(ax, "risk of re-identification", "records at or above it")


def _search(ax: Axes, keys: Sequence[str], steps: Sequence[Addition]) -> None:
    """What each interaction gained, in BIC."""
    ax.set_title("Search for interactions", loc="left", color=_INK, fontsize=11)
    gains = [2.0 * step.gain for step in steps]
    colours = [_LINES[1][0] if step.shrunken else _LINES[0][0] for step in steps]
    ax.bar(range(len(gains)), gains, color=colours)
    ax.set_yscale("symlog", linthresh=10)
    names = [" × ".join(keys[key] for key in step.term) for step in steps]
    ax.set_xticks(range(len(names)), names, rotation=50, ha="right", fontsize=8)
    _plain(ax, "", "gain in BIC (red: shrunken)")


def _convergence(ax: Axes, distances: Sequence[float]) -> None:
    """Distance from the margins, round by round."""
    ax.set_title("Convergence of the fit", loc="left", color=_INK, fontsize=11)
    shown = np.maximum(distances, 1e-16)
    ax.semilogy(range(1, len(shown) + 1), shown, marker="o", markersize=3, color=_LINES[0][0])
    _plain(ax, "round", "largest relative distance from a margin")


def _plain(ax: Axes, x: str, y: str) -> None:
    ax.set_xlabel(x, color=_INK)
    ax.set_ylabel(y, color=_INK)
    ax.grid(color=_GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(_QUIET)
    ax.tick_params(colors=_INK, which="both")
