"""Pictures of the file's risk: records by model, the search, the convergence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microsafe.risk.file.estimate import FileRisk

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK, _GRID, _QUIET = "#26323d", "#e3e7ea", "#6b7780"
_LINES = (("#1f5f8b", "-"), ("#b4442c", "--"), ("#5b7f3a", "-."), ("#8a5fa3", ":"))


def draw(risk: FileRisk) -> Figure:
    """Draw all that there is to see of a result."""
    from matplotlib.figure import Figure

    searched = len(risk.steps) > 1
    panels = 1 + searched + bool(risk.steps)
    figure = Figure(figsize=(1.2 + 4.4 * panels, 4.2), layout="constrained")
    places = iter(figure.subplots(1, panels, squeeze=False)[0])
    _models(next(places), risk)
    if searched:
        _search(next(places), risk)
    if risk.steps:
        _convergence(next(places), risk)
    return figure


def _models(ax: Axes, risk: FileRisk) -> None:
    """Records above each risk, one line for each model."""
    ax.set_title("Record risk by model", loc="left", color=_INK, fontsize=11)
    said = [(each.model, each.risk) for each in (risk.opinion, *risk.opinions)]
    known = [(model, values) for model, values in said if values is not None]
    for (model, values), (colour, style) in zip(known, _LINES, strict=False):
        order = np.argsort(-values, kind="stable")
        records = np.cumsum(risk.table.f[order])
        ax.plot(values[order], records, color=colour, linestyle=style, label=model)
    if known:
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.legend(frameon=False, fontsize=9)
    else:
        ax.text(0.5, 0.5, "This model says nothing of records.", ha="center", color=_QUIET)
    _plain(ax, "risk of re-identification", "records at or above it")


def _search(ax: Axes, risk: FileRisk) -> None:
    """B2 in standard errors, step by step."""
    ax.set_title("Search for interactions", loc="left", color=_INK, fontsize=11)
    taus = [step.fit.cell if risk.by_cell else step.fit.file for step in risk.steps]
    bias = [each.B2.standardised or 0.0 for each in taus]
    ax.axhspan(-2, 2, color=_GRID, zorder=0)
    ax.set_yscale("symlog", linthresh=2)
    ax.plot(range(len(bias)), bias, marker="o", markersize=4, color=_LINES[0][0])
    names = ["main effects"] + [
        " × ".join(risk.table.keys[key] for key in step.added) if step.added else ""
        for step in risk.steps[1:]
    ]
    ax.set_xticks(range(len(names)), names, rotation=50, ha="right", fontsize=8)
    _plain(ax, "", "B2, standard errors (0: no bias)")


def _convergence(ax: Axes, risk: FileRisk) -> None:
    """Distance from the margins, round by round."""
    ax.set_title("Convergence of the fit", loc="left", color=_INK, fontsize=11)
    distances = risk.steps[-1].fit.distances
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
