"""Pictures of numeric variables for each audience."""

from __future__ import annotations

from matplotlib import rc_context

from microsafe.compare.number_pictures import NumberPicture, ReleasedShares
from microsafe.compare.number_plots import (
    PlotWords,
    draw_correlations,
    draw_distribution,
    draw_joint,
    draw_released,
    matrix_height,
)
from microsafe.compare.utility import CorrelationChange
from microsafe.report.figures import STYLE, new_figure, render
from microsafe.report.markup import Html
from microsafe.report.numbers import decimals, show_number
from microsafe.report.texts import say


def picture_number(picture: NumberPicture, *, identity: str) -> Html:
    """Draw both distributions, and the records by their value before and after."""
    with rc_context(STYLE | {"svg.hashsalt": identity}):
        figure = new_figure(2.9)
        left, right = figure.subplots(1, 2, width_ratios=(1.4, 1))
        draw_distribution(left, picture, _words())
        draw_joint(right, picture.name, picture.joint, _words())
        return render(figure, identity)


def picture_correlations(change: CorrelationChange, *, identity: str) -> Html:
    """Draw correlations before and after, and their difference."""
    with rc_context(STYLE | {"svg.hashsalt": identity}):
        figure = new_figure(0.8 * matrix_height(change))
        draw_correlations(figure.subplots(1, 3).tolist(), change, _words())
        return render(figure, identity)


def picture_released(name: str, released: ReleasedShares, *, identity: str) -> Html:
    """Draw the released values alone."""
    with rc_context(STYLE | {"svg.hashsalt": identity}):
        figure = new_figure(2.3)
        draw_released(figure.subplots(), name, released.axis, released.shares, _words())
        return render(figure, identity)


def _words() -> PlotWords:
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
