"""Plots of numeric variables before and after: distributions, joint counts, correlations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from microsafe.compare.number_changes import CorrelationChange
from microsafe.compare.number_plot_data import Axis, JointCounts, NumberPicture
from microsafe.display import show_number
from microsafe.sums import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis as DrawnAxis
    from matplotlib.figure import Figure, SubFigure

_BEFORE, _AFTER, _INK, _GRID, _QUIET = "#b9c8d5", "#1f5f8b", "#26323d", "#e3e7ea", "#6b7780"
_COUNTS, _CORRELATIONS, _DIFFERENCES = "Blues", "RdBu", "PuOr"
_MOST_WRITTEN = 8  # variables of a matrix whose figures can still be read
_PALE = 0.1  # largest change up to which colours of differences stay pale
_SPIKE = 3.0  # times as high as the next bar
_LONGEST = 18  # characters of a name


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotWords:
    """What is written in the pictures; a report has its own in its language."""

    before: str = "before"
    after: str = "after"
    difference: str = "after minus before"
    records: str = "records"
    share: str = "records, %"
    weighted_share: str = "weight, %"
    of_before: str = "{name} before"
    of_after: str = "{name} after"
    number: Callable[[float], str] = lambda value: show_number(value, 3)
    decimals: Callable[..., str] = lambda value, digits: f"{value:.{digits}f}"

    def show_decimals(self, value: float, digits: int) -> str:
        """Return a number with so many decimals, and no zero with a sign."""
        return self.decimals(round(value, digits) + 0.0, digits)


ENGLISH = PlotWords()


def draw_distribution(ax: Axes, picture: NumberPicture, words: PlotWords = ENGLISH) -> None:
    """Draw both distributions in their common bins: an area before, a line after."""
    edges = np.arange(picture.axis.bins + 1)
    before, after = (100 * np.array(each) for each in (picture.before, picture.after))
    ax.stairs(before, edges, fill=True, color=_BEFORE, label=words.before)
    ax.stairs(after, edges, color=_AFTER, linewidth=1.4, label=words.after)
    ax.legend(frameon=False, loc="best", handlelength=1.4)
    _finish_shares(ax, picture.axis, words)
    _cut_spike(ax, before, after, words)
    ax.set_ylabel(words.weighted_share if picture.weighted else words.share)
    ax.set_xlabel(clean_name(picture.name), parse_math=False)


def draw_released(
    ax: Axes, name: str, axis: Axis, shares: Sequence[float], words: PlotWords
) -> None:
    """Draw the distribution of the released values alone."""
    ax.stairs(100 * np.array(shares), np.arange(axis.bins + 1), fill=True, color=_BEFORE)
    _finish_shares(ax, axis, words)
    _cut_spike(ax, 100 * np.array(shares), None, words)
    ax.set_ylabel(words.share)
    ax.set_xlabel(clean_name(name), parse_math=False)


def _finish_shares(ax: Axes, axis: Axis, words: PlotWords) -> None:
    _label(ax.xaxis, axis, words)
    ax.set_xlim(0, axis.bins)
    ax.set_ylim(bottom=0, top=1.08 * ax.dataLim.y1)
    ax.grid(axis="y", color=_GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _cut_spike(ax: Axes, before: Floats, after: Floats | None, words: PlotWords) -> None:
    """Cut a bar, of zeros most often, that would leave nothing to be seen of the others."""
    highest = before if after is None else np.maximum(before, after)
    spike = int(np.argmax(highest))
    rest = float(np.delete(highest, spike).max())
    if highest[spike] < _SPIKE * rest:
        return
    ax.set_ylim(top=1.6 * rest)
    told = [
        f"{words.show_decimals(float(each[spike]), 1)} %"
        for each in (before, after)
        if each is not None
    ]
    left = spike < len(highest) / 2
    ax.annotate(
        " → ".join(told), (spike + left, 1.0), xycoords=("data", "axes fraction"),
        xytext=(4 if left else -4, -2), textcoords="offset points", va="top",
        ha="left" if left else "right", fontsize="small", color=_INK,
    )  # fmt: skip


def _label(drawn: DrawnAxis, axis: Axis, words: PlotWords) -> None:
    drawn.set_ticks(
        [tick.at for tick in axis.ticks], [words.number(tick.value) for tick in axis.ticks]
    )


def draw_joint(ax: Axes, name: str, joint: JointCounts, words: PlotWords = ENGLISH) -> None:
    """Draw how many records went from each bin to each; those on the diagonal stayed in theirs."""
    from matplotlib.collections import PatchCollection
    from matplotlib.colors import LogNorm
    from matplotlib.patches import Rectangle

    counts = np.array(joint.counts)
    rows, columns = np.nonzero(counts)
    cells = PatchCollection(
        [Rectangle((x, y), 1, 1) for x, y in zip(rows.tolist(), columns.tolist(), strict=True)],
        cmap=_COUNTS,
        norm=LogNorm(0.4, max(int(counts.max()), 10)),  # a single record can still be seen
        edgecolor="face",
        linewidth=0.2,
    )
    cells.set_array(counts[rows, columns])
    ax.add_collection(cells)
    ax.axline((0, 0), slope=1, color=_QUIET, linewidth=0.7, linestyle=":")
    ax.set_xlim(0, joint.axis.bins)
    ax.set_ylim(0, joint.axis.bins)
    ax.set_aspect("equal")
    for drawn, label in ((ax.xaxis, words.of_before), (ax.yaxis, words.of_after)):
        _label(drawn, joint.axis, words)
        drawn.set_label_text(label.format(name=clean_name(name)), parse_math=False)
    ax.tick_params(axis="x", rotation=45 if len(joint.axis.ticks) > 4 else 0)
    _scale(ax, cells, counts.max(), words)


def _scale(ax: Axes, cells: Any, most: int, words: PlotWords) -> None:
    """Say what the colours mean."""
    ticks = [10**power for power in range(len(str(most)))]
    figure = ax.get_figure()
    assert figure is not None  # noqa: S101
    bar = figure.colorbar(cells, ax=ax, ticks=ticks, fraction=0.046, pad=0.03, aspect=28)
    bar.ax.set_yticks(ticks, [words.number(tick) for tick in ticks])
    bar.ax.minorticks_off()
    bar.ax.set_ylim(bottom=1)
    bar.set_label(words.records)
    bar.outline.set_visible(False)


def draw_correlations(
    axes: Sequence[Axes], change: CorrelationChange, words: PlotWords = ENGLISH
) -> None:
    """Draw correlations before and after, and their difference, one matrix beside the other."""
    names = [clean_name(name) for name in change.names]
    size = len(names) - 1
    before, after = np.array(change.before), np.array(change.after)
    gap = after - before
    widest = max(float(np.abs(gap).max()), _PALE)
    for place, (ax, title, values, colours, most) in enumerate(
        zip(
            axes,
            (words.before, words.after, words.difference),
            (before, after, gap),
            (_CORRELATIONS, _CORRELATIONS, _DIFFERENCES),
            (1.0, 1.0, widest),
            strict=True,
        )
    ):
        _matrix(ax, values, colours, most, partial(words.show_decimals, digits=2 + (place == 2)))
        ax.set_xticks(
            np.arange(size) + 0.5,
            names[:-1],
            rotation=45,
            ha="right",
            rotation_mode="anchor",
            parse_math=False,
        )
        ax.set_yticks(
            np.arange(size) + 0.5, names[1:] if place == 0 else [""] * size, parse_math=False
        )
        ax.set_title(title, loc="left", fontsize="medium", color=_INK)


def _matrix(
    ax: Axes, values: Floats, colours: str, most: float, show: Callable[[float], str]
) -> None:
    """The part of a matrix below its diagonal."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    size = len(values) - 1
    for row in range(1, size + 1):
        for column in range(row):
            value = float(values[row, column])
            shade = colormaps[colours](0.5 + 0.5 * value / most)
            ax.add_patch(Rectangle((column, row - 1), 1, 1, facecolor=shade, edgecolor="white"))
            if size < _MOST_WRITTEN:
                ax.text(
                    column + 0.5, row - 0.5, show(value), ha="center", va="center",
                    fontsize="x-small", color="white" if abs(value) > 0.65 * most else _INK,
                )  # fmt: skip
    ax.set_xlim(0, size)
    ax.set_ylim(size, 0)
    ax.set_aspect("equal")
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def find_matrices(changes: Sequence[CorrelationChange]) -> CorrelationChange | None:
    """Return the correlations to be drawn, by weight if there is one; None if one pair is all."""
    return next((change for change in reversed(changes) if len(change.names) > 2), None)


def matrix_height(change: CorrelationChange | None) -> float:
    """Return how many inches matrices need beside each other on a page."""
    return 0.0 if change is None else min(1.3 + 0.42 * len(change.names), 4.4)


Part = tuple[float, "Callable[[SubFigure], None]"]  # inches of a row, and who draws it


def stack_parts(parts: Sequence[Part]) -> Figure:
    """Return a figure with one row below the other."""
    from matplotlib.figure import Figure

    heights = [height for height, _ in parts]
    figure = Figure(figsize=(10, sum(heights) or 1), layout="constrained")
    if parts:
        made = figure.subfigures(len(parts), 1, squeeze=False, height_ratios=heights)[:, 0].tolist()
        for place, (_, draw) in zip(made, parts, strict=True):
            draw(place)
    return figure


def number_parts(
    pictures: Sequence[NumberPicture], changes: Sequence[CorrelationChange]
) -> list[Part]:
    """Return a row for each variable, then one of correlations, by weight if there is one."""
    parts: list[Part] = [(3.6, partial(_draw_number, picture)) for picture in pictures]
    change = find_matrices(changes)
    if change is not None:
        parts.append((matrix_height(change), partial(_draw_matrices, change)))
    return parts


def _draw_number(picture: NumberPicture, part: SubFigure) -> None:
    left, right = part.subplots(1, 2, width_ratios=(1.45, 1))
    draw_distribution(left, picture)
    draw_joint(right, picture.name, picture.joint)


def _draw_matrices(change: CorrelationChange, part: SubFigure) -> None:
    draw_correlations(part.subplots(1, 3), change)
    title = "weighted correlations" if change.weighted else "correlations"
    part.suptitle(title, x=0.01, ha="left", fontsize="medium", color=_INK)


def clean_name(name: str) -> str:
    """Return a name that fits beside an axis, without what cannot be printed.

    A dollar sign in it is a dollar sign: no text that has a name is read as mathematics.
    """
    shown = "".join(each if each.isprintable() else "?" for each in name)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 3] + "..."
