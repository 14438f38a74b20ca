"""The picture that a limit is chosen from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from microsafe.risk.limit import Curve, Limit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SAFE, _UNSAFE, _INK, _GRID = "#8fa9bf", "#b4442c", "#26323d", "#e3e7ea"
_BINS = 48


def draw(curve: Curve, limit: Limit | None, *, ax: Axes | None, cumulative: bool) -> Axes:
    """Draw a histogram of the risks, or how many records lie above each, on a log axis."""
    if ax is None:
        from matplotlib import pyplot

        _, ax = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    if cumulative:
        _exceedance(ax, curve)
    else:
        _histogram(ax, curve, limit)
    _axes(ax, curve, cumulative=cumulative)
    if limit is not None:
        ax.set_ylim(top=1.3 * ax.dataLim.y1)  # room for the words beside the line
        _line(ax, limit)
    return ax


def _edges(curve: Curve) -> tuple[float, float]:
    low, high = math.log10(curve.risk[0]), math.log10(curve.risk[-1])
    margin = max(0.04 * (high - low), 0.05)
    return 10 ** (low - margin), 10 ** (high + margin)


def _histogram(ax: Axes, curve: Curve, limit: Limit | None) -> None:
    low, high = _edges(curve)
    edges = np.geomspace(low, high, _BINS + 1)
    if limit is not None and low < limit.limit < high:
        # An edge at the limit, so that every bar is on one side of it.
        edges[np.argmin(np.abs(np.log(edges / limit.limit)))] = np.nextafter(limit.limit, np.inf)
    heights, _ = np.histogram(curve.risk, edges, weights=curve.count.astype(np.float64))
    above = edges[:-1] > (np.inf if limit is None else limit.limit)
    for part, colour, hatch in ((~above, _SAFE, None), (above, _UNSAFE, "////")):
        ax.bar(
            edges[:-1][part],
            heights[part],
            np.diff(edges)[part],
            align="edge",
            color=colour,
            hatch=hatch,
            edgecolor="white",
            linewidth=0.4,
        )
    ax.set_ylabel("records")


def _exceedance(ax: Axes, curve: Curve) -> None:
    above = curve.records - curve.up_to
    ax.step(curve.risk, above, where="post", color=_INK, linewidth=1.4)
    ax.fill_between(curve.risk, above, step="post", color=_SAFE, alpha=0.4, linewidth=0)
    ax.set_ylabel("records with a higher risk")


def _axes(ax: Axes, curve: Curve, *, cumulative: bool) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    ax.set_xscale("log")
    ax.set_xlim(*_edges(curve))
    ax.set_ylim(bottom=0)
    ax.set_xlabel("risk of re-identification")
    ax.xaxis.set_major_formatter(FuncFormatter(lambda risk, _: f"{risk:.12g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.yaxis.set_major_formatter(FuncFormatter(lambda count, _: f"{count:,.0f}"))
    if math.log10(curve.risk[-1] / curve.risk[0]) < 1:
        ax.xaxis.set_minor_formatter(FuncFormatter(lambda risk, _: f"{risk:.3g}"))
    odds = ax.secondary_xaxis("top")
    odds.xaxis.set_major_formatter(FuncFormatter(lambda risk, _: f"1 in {1 / risk:,.0f}"))
    odds.xaxis.set_minor_formatter(NullFormatter())
    odds.tick_params(colors="#6b7780", labelsize=8)
    ax.grid(axis="both" if cumulative else "y", color=_GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _line(ax: Axes, limit: Limit) -> None:
    low, high = ax.get_xlim()
    place = min(max(limit.limit, low), high)
    ax.axvline(place, color=_INK, linewidth=1.4)
    left = math.log(place / low) > 0.6 * math.log(high / low)
    safe = limit.records - limit.unsafe
    text = (
        f"limit {limit.limit:.4g}\n"
        f"{limit.unsafe:,} records above ({limit.unsafe / limit.records:.1%})\n"
        f"{safe:,} within\n"
        f"protected: at most {limit.expected_bound:,.3g} expected"
    )
    ax.annotate(
        text,
        (place, 0.97),
        xycoords=("data", "axes fraction"),
        xytext=(-8 if left else 8, 0),
        textcoords="offset points",
        ha="right" if left else "left",
        va="top",
        fontsize=9,
        color=_INK,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 3},
    )
