"""Pictures of a report, the same bytes for the same figures: how they are drawn and rendered."""

from __future__ import annotations

import math
import re
from io import BytesIO, StringIO
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

from microsafe.compare.frontier_plot import FrontierWords, draw_frontier
from microsafe.compare.number_changes import CorrelationChange
from microsafe.compare.number_plot_data import NumberPicture, ReleasedShares
from microsafe.compare.number_plots import (
    PlotWords,
    draw_correlations,
    draw_distribution,
    draw_joint,
    draw_released,
    matrix_height,
)
from microsafe.compare.regression import ModelChange
from microsafe.compare.table_plots import (
    TableWords,
    draw_changes,
    draw_coefficients,
    draw_shares,
    model_height,
    table_height,
)
from microsafe.compare.tables import TableChange
from microsafe.report.document import Picture
from microsafe.report.proposed_plan import ProposedPlan
from microsafe.report.shown_numbers import (
    count,
    decimals,
    show_change,
    show_number,
    show_odds,
    show_percent,
    show_risk,
)
from microsafe.report.texts import mark, say
from microsafe.report.units import say_unit
from microsafe.risk import Curve, Limit, Risk
from microsafe.sums import Floats

_SAFE, _UNSAFE, _INK, _GRID, _GREY = "#8fa9bf", "#b4442c", "#1f2a33", "#e3e7ea", "#55636e"
_BINS = 56
_DPI = 160  # of images
_BEFORE = mark(("before: largest risk {risk}", "before: {unsafe} of {all} records above the limit"))
_AFTER = mark(("after: largest risk {risk}", "after: {unsafe} of {all} records above the limit"))
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text, to be read aloud and searched
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same measures everywhere
    "font.size": 8.5,
    "text.color": _INK,
    "axes.edgecolor": _GREY,
    "axes.labelcolor": _INK,
    "xtick.color": _GREY,
    "ytick.color": _GREY,
    "text.parse_math": False,
}


def plot_risks(before: Risk, after: Risk) -> Figure:
    """Draw both histograms of the records' risks, one above the other on one axis.

    Args:
        before: As read.
        after: As protected.
    """
    figure = new_figure(4.5)
    upper, lower = figure.subplots(2, 1, sharex=True, sharey=True)
    edges = _edges([before.curve, after.curve], before.limit or after.limit)
    for ax, risk, when in ((upper, before, _BEFORE), (lower, after, _AFTER)):
        _histogram(ax, risk.curve, risk.limit or before.limit, edges)
        # Above the bars, so that it never lies on them.
        ax.set_title(_caption(risk, when), loc="left", fontsize=9, color=_INK)
    _axes(upper, lower, edges, after.unit)
    return figure


def _caption(risk: Risk, when: tuple[str, str]) -> str:
    limit = risk.limit
    if limit is None:
        return say(when[0], risk=show_risk(risk.max))
    return say_unit(risk.unit, when[1], unsafe=count(limit.unsafe), all=count(limit.records))


def _edges(curves: list[Curve], limit: Limit | None) -> Floats:
    lows = [float(curve.risk[curve.risk > 0][0]) for curve in curves if curve.risk[-1] > 0]
    low = math.log10(min(lows, default=1e-6))
    high = math.log10(max([float(curve.risk[-1]) for curve in curves if curve.risk[-1] > 0] or [1]))
    margin = max(0.03 * (high - low), 0.05)
    edges: Floats = np.logspace(low - margin, high + margin, _BINS + 1)
    if limit is not None and edges[0] < limit.limit < edges[-1]:
        # An edge at the limit, so that every bar is on one side of it.
        edges[np.argmin(np.abs(np.log(edges / limit.limit)))] = np.nextafter(limit.limit, np.inf)
    return edges


def _histogram(ax: Axes, curve: Curve, limit: Limit | None, edges: Floats) -> None:
    risk = np.maximum(curve.risk, edges[0])  # risks of zero belong to the first bar
    heights, _ = np.histogram(risk, edges, weights=curve.count.astype(np.float64))
    above = edges[:-1] > (np.inf if limit is None else limit.limit)
    for part, colour in ((~above, _SAFE), (above, _UNSAFE)):
        ax.bar(
            edges[:-1][part], heights[part], np.diff(edges)[part],
            align="edge", color=colour, edgecolor="white", linewidth=0.4,
        )  # fmt: skip
    if limit is not None and edges[0] < limit.limit < edges[-1]:
        ax.axvline(limit.limit, color=_INK, linewidth=1.1)
        ax.annotate(
            say("limit {risk}", risk=show_risk(limit.limit)), (limit.limit, 1.0),
            xycoords=("data", "axes fraction"), xytext=(4, -2), textcoords="offset points",
            va="top", fontsize=8.5, color=_INK,
        )  # fmt: skip


def _axes(upper: Axes, lower: Axes, edges: Floats, unit: str) -> None:
    lower.set_xscale("log")
    lower.set_xlim(edges[0], edges[-1])
    lower.set_ylim(bottom=0, top=1.22 * max(upper.dataLim.y1, lower.dataLim.y1))
    if math.log10(edges[-1] / edges[0]) < 1.2:
        lower.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    lower.xaxis.set_minor_locator(NullLocator())
    lower.xaxis.set_major_formatter(FuncFormatter(lambda risk, _: show_number(risk, 3)))
    lower.set_xlabel(say_unit(unit, "risk of re-identification of a record"))
    ticks = [tick for tick in lower.get_xticks() if edges[0] <= tick <= edges[-1]]
    odds = upper.secondary_xaxis("top")
    odds.xaxis.set_major_locator(FixedLocator(ticks))
    odds.xaxis.set_minor_locator(NullLocator())
    odds.xaxis.set_major_formatter(FuncFormatter(lambda risk, _: show_odds(risk)))
    odds.xaxis.set_minor_formatter(NullFormatter())
    odds.tick_params(length=0)
    for ax in (upper, lower):
        ax.set_ylabel(say_unit(unit, "records"))
        ax.yaxis.set_major_formatter(FuncFormatter(lambda height, _: count(round(height))))
        ax.grid(axis="y", color=_GRID, linewidth=0.8)
        ax.set_axisbelow(True)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    for spine in odds.spines.values():
        spine.set_visible(False)


def new_figure(height: float) -> Figure:
    """Return a figure as wide as the page and so many inches high."""
    figure = Figure(figsize=(7.2, height), dpi=_DPI, layout="constrained")
    FigureCanvasSVG(figure)
    return figure


def draw_png(picture: Picture) -> bytes:
    """Return a picture as an image."""
    with rc_context(_STYLE):
        figure = picture.draw()
        file = BytesIO()
        FigureCanvasAgg(figure)
        figure.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()


def draw_svg(picture: Picture) -> str:
    """Return a picture as an element of a page: no prologue, no metadata, ids of its own."""
    identity, file = picture.identity, StringIO()
    with rc_context(_STYLE | {"svg.hashsalt": identity}):
        figure = picture.draw()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    text = file.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r' (?:xmlns:xlink|xmlns|version)="[^"]*"', "", text)
    text = text.replace("xlink:href=", "href=")
    text = re.sub(r'\bid="', f'id="{identity}-', text)
    text = re.sub(r'href="#', f'href="#{identity}-', text)
    text = text.replace("url(#", f"url(#{identity}-")
    text = re.sub(
        r'<svg[^<>]*?viewBox="([^"<]*)"[^>]*>', r'<svg viewBox="\1" aria-hidden="true">', text
    )
    return re.sub(r"\n\s*", "\n", text).strip()


def plot_number(picture: NumberPicture) -> Figure:
    """Draw both distributions, and the records by their value before and after."""
    figure = new_figure(2.9)
    left, right = figure.subplots(1, 2, width_ratios=(1.4, 1))
    draw_distribution(left, picture, _plot_words())
    draw_joint(right, picture.name, picture.joint, _plot_words())
    return figure


def plot_correlations(change: CorrelationChange) -> Figure:
    """Draw correlations before and after, and their difference."""
    figure = new_figure(0.8 * matrix_height(change))
    draw_correlations(figure.subplots(1, 3).tolist(), change, _plot_words())
    return figure


def plot_released(name: str, released: ReleasedShares) -> Figure:
    """Draw the released values alone."""
    figure = new_figure(2.3)
    draw_released(figure.subplots(), name, released.axis, released.shares, _plot_words())
    return figure


def _plot_words() -> PlotWords:
    return PlotWords(
        before=say("before"),
        after=say("after"),
        difference=say("after minus before"),
        records=say("records"),
        share=say("records, %"),
        weighted_share=say("weight, %"),
        of_before=say("{name} before"),
        of_after=say("{name} after"),
        number=lambda value: show_number(value, 3),
        decimals=decimals,
    )


def plot_table(change: TableChange) -> Figure:
    """Draw how each cell of a table changed; of a single variable, its shares before and after."""
    figure = new_figure(table_height(change))
    draw = draw_shares if len(change.names) == 1 else draw_changes
    draw(figure.subplots(), change, _table_words())
    return figure


def plot_model(change: ModelChange) -> Figure:
    """Draw coefficients with their confidence intervals before and after."""
    figure = new_figure(model_height(change))
    draw_coefficients(figure.subplots(), change, _table_words())
    return figure


def plot_frontier(found: ProposedPlan) -> Figure:
    """Draw what each plan that could have been taken loses, by how many records lose a value."""
    taken, figure = found.taken, new_figure(3.2)
    by_uses = taken is not None and taken.loss_by_uses is not None
    draw_frontier(
        [(each.touched / found.records, each.drawn) for each in found.frontier],
        taken=None if taken is None else (taken.touched / found.records, taken.drawn),
        cap=None if found.cap is None else found.cap / found.records,
        words=FrontierWords(
            touched=say("records that lose a value, %"),
            loss=say("loss by uses, %") if by_uses else say("loss, % of what the keys tell"),
            taken=say("chosen"),
        ),
        ax=figure.subplots(),
    )
    return figure


def _table_words() -> TableWords:
    return TableWords(
        before=say("before"),
        after=say("after"),
        share=say("records, %"),
        weighted_share=say("weight, %"),
        change=say("change of the share\nof records, percentage points"),
        weighted_change=say("change of the share\nof weight, percentage points"),
        coefficient=say("{outcome}: coefficient and 95 % confidence interval"),
        log_odds=say("{outcome}: log odds and 95 % confidence interval"),
        weighted=say("{formula}, weighted"),
        per_deviation=say("{term}, per s.d."),
        overlap=say("overlap"),
        percent=lambda share: show_percent(share, 0),
        decimals=decimals,
        signed=show_change,
    )
