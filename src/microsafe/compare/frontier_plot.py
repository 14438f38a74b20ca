"""The picture of a frontier: what plans lose by how many records they touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINE, _MARK, _INK, _GRID = "#8fa9bf", "#b4442c", "#26323d", "#e3e7ea"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierWords:
    """What stands in the picture, in the language of the reader."""

    touched: str = "records that lose a value, %"
    loss: str = "loss, % of what the keys tell"
    taken: str = "proposed"


def draw_frontier(
    points: Sequence[tuple[float, float]],
    *,
    taken: tuple[float, float] | None = None,
    cap: float | None = None,
    words: FrontierWords | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a frontier.

    Args:
        points: Records that lose a value and loss, both as shares.
        taken: The point of the plan that is proposed, if there is one.
        cap: Records that may lose a value, if not any number may.
        words: What stands in the picture.
        ax: Where to draw; a new figure if None.
    """
    words = words or FrontierWords()
    if ax is None:
        from matplotlib import pyplot

        _, ax = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    found = sorted((100 * x, 100 * y) for x, y in points)
    ax.plot([x for x, _ in found], [y for _, y in found], color=_LINE, marker="o", linewidth=1.5)
    if cap is not None:
        ax.axvline(100 * cap, color=_INK, linestyle="--", linewidth=0.8)
    if taken is not None:
        at = 100 * taken[0], 100 * taken[1]
        ax.plot([at[0]], [at[1]], color=_MARK, marker="o", markersize=8)
        ax.annotate(words.taken, at, xytext=(6, 6), textcoords="offset points", color=_INK)
    ax.set_xlabel(words.touched)
    ax.set_ylabel(words.loss)
    ax.set_xlim(left=0)
    ax.set_ylim(bottom=0)
    ax.grid(color=_GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax
