"""The picture of a frontier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from microsafe.propose.proposal import Proposal

_LINE, _MARK, _INK, _GRID = "#8fa9bf", "#b3541e", "#26323d", "#e3e7ea"


def draw_frontier(result: Proposal, ax: Axes | None) -> Axes:
    """Draw loss by share of records that lose a value; the plan that is proposed is marked."""
    points = [
        (100 * each.candidate.touched / result.records, 100 * each.candidate.loss)
        for each in result.points
        if each.candidate is not None
    ]
    best = result.best
    chosen = None if best is None else (100 * best.touched / result.records, 100 * best.loss)
    cap = None if result.cap is None else 100 * result.cap / result.records
    return draw_points(points, chosen, cap, ax)


def draw_points(
    points: Sequence[tuple[float, float]],
    chosen: tuple[float, float] | None,
    cap: float | None,
    ax: Axes | None,
) -> Axes:
    """Draw a frontier.

    Args:
        points: Records that lose a value and loss, both in percent.
        chosen: The point of the plan that is taken, if there is one.
        cap: Records that may lose a value, in percent, if not any number may.
        ax: Where to draw; a new figure if None.
    """
    if ax is None:
        from matplotlib import pyplot

        _, ax = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    found = sorted(points)
    ax.plot([x for x, _ in found], [y for _, y in found], color=_LINE, marker="o", linewidth=1.5)
    if cap is not None:
        ax.axvline(cap, color=_GRID, linestyle="--")
    if chosen is not None:
        ax.plot(*([each] for each in chosen), color=_MARK, marker="o", markersize=9)
        ax.annotate(
            "taken", chosen, xytext=(6, 6), textcoords="offset points", fontsize=9, color=_INK
        )
    ax.set_xlabel("records that lose a value, %")
    ax.set_ylabel("loss, % of what the keys tell")
    ax.set_ylim(bottom=0)
    ax.grid(color=_GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax
