"""The picture that a limit is chosen from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from microsafe.display import show_number, show_odds, show_percent, show_risk
from microsafe.risk.record.limit import Curve, Limit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SAFE, _UNSAFE, _INK, _GRID, _QUIET = "#8fa9bf", "#b4442c", "#26323d", "#e3e7ea", "#6b7780"
_BINS = 48
_NEAR = 100.0  # a limit further off than this factor is not worth widening the axis for


def draw(
    curve: Curve, limit: Limit | None, *, ax: Axes | None, cumulative: bool, of: str = "records"
) -> Axes:
    """Draw a histogram of the risks, or how many lie above each, on a log axis.

    Args:
        curve: Of the records or households.
        limit: Where the line is, and what it means; no line if None.
        ax: Where to draw; a new figure if None.
        cumulative: Whether to draw how many lie above each risk.
        of: What is counted: `"records"` or `"households"`.
    """
    if ax is None:
        from matplotlib import pyplot

        _, ax = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    low, high = _range(curve, limit)
    if cumulative:
        _exceedance(ax, curve, low)
        ax.set_ylabel(f"{of} with a higher risk")
    else:
        _histogram(ax, curve, limit, low, high)
        ax.set_ylabel(of)
    _axes(ax, low, high, cumulative=cumulative)
    if limit is not None:
        ax.set_ylim(top=1.35 * ax.dataLim.y1)  # room for the words beside the line
        _line(ax, limit, low, high, of)
    return ax


def _range(curve: Curve, limit: Limit | None) -> tuple[float, float]:
    """Ends of the risk axis: all risks, and the limit unless it is far off."""
    low, high = float(curve.risk[0]), float(curve.risk[-1])
    if limit is not None and low / _NEAR < limit.limit < high * _NEAR:
        low, high = min(low, limit.limit), max(high, limit.limit)
    margin = max((high / low) ** 0.04, 1.12)
    return low / margin, high * margin


def _histogram(ax: Axes, curve: Curve, limit: Limit | None, low: float, high: float) -> None:
    edges = np.geomspace(low, high, _BINS + 1)
    if limit is not None and low < limit.limit < high:
        # An edge at the limit, so that every bar is on one side of it.
        edges[np.argmin(np.abs(np.log(edges / limit.limit)))] = np.nextafter(limit.limit, np.inf)
    edges[0], edges[-1] = min(edges[0], curve.risk[0]), max(edges[-1], curve.risk[-1])
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


def _exceedance(ax: Axes, curve: Curve, low: float) -> None:
    risk = np.concatenate([[low], curve.risk])
    above = np.concatenate([[curve.records], curve.records - curve.up_to])
    ax.step(risk, above, where="post", color=_INK, linewidth=1.4)
    ax.fill_between(risk, above, step="post", color=_SAFE, alpha=0.4, linewidth=0)


def _axes(ax: Axes, low: float, high: float, *, cumulative: bool) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

    ax.set_xscale("log")
    ax.set_xlim(low, high)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("risk of re-identification")
    odds = ax.secondary_xaxis("top")
    odds.tick_params(colors=_QUIET, labelsize=8, which="both")
    short = high / low < 200  # too few powers of ten to read the axis by
    for axis, text in (
        (ax.xaxis, lambda risk: show_number(risk, 3)),
        (odds.xaxis, show_odds),
    ):
        axis.set_major_formatter(FuncFormatter(lambda risk, _, text=text: text(risk)))
        minor = FuncFormatter(lambda risk, _, text=text: text(risk) if _two_or_five(risk) else "")
        axis.set_minor_formatter(minor if short else NullFormatter())
    ax.yaxis.set_major_locator(MaxNLocator(nbins=7, integer=True))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda count, _: f"{count:,.0f}"))
    ax.grid(axis="both" if cumulative else "y", color=_GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _two_or_five(risk: float) -> bool:
    leading: float = risk / 10.0 ** math.floor(math.log10(risk))
    return min(abs(leading - 2), abs(leading - 5)) < 1e-6


def _line(ax: Axes, limit: Limit, low: float, high: float, of: str) -> None:
    place = min(max(limit.limit, low), high)
    side = {low: " (left of the plot)", high: " (right of the plot)"}.get(place, "")
    ax.axvline(place, color=_INK, linewidth=1.4, linestyle=":" if side else "-")
    left = math.log(place / low) > 0.55 * math.log(high / low)
    text = (
        f"limit {show_risk(limit.limit)}{side}\n"
        f"{of} above: {limit.unsafe:,} ({show_percent(limit.unsafe / limit.records)})\n"
        f"{of} within: {limit.records - limit.unsafe:,}\n"
        f"expected once protected: at most {show_number(limit.expected_bound)}"
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
