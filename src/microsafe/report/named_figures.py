"""Pictures of tables and models that somebody named, in the language of the report."""

from __future__ import annotations

from matplotlib import rc_context

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
from microsafe.report.figures import STYLE, new_figure, render
from microsafe.report.markup import Html
from microsafe.report.numbers import decimals, show_change, show_percent
from microsafe.report.texts import say


def picture_table(change: TableChange, *, identity: str) -> Html:
    """Draw how each cell of a table changed; of a single variable, its shares before and after."""
    with rc_context(STYLE | {"svg.hashsalt": identity}):
        figure = new_figure(table_height(change))
        draw = draw_shares if len(change.names) == 1 else draw_changes
        draw(figure.subplots(), change, _words())
        return render(figure, identity)


def picture_model(change: ModelChange, *, identity: str) -> Html:
    """Draw coefficients with their confidence intervals before and after."""
    with rc_context(STYLE | {"svg.hashsalt": identity}):
        figure = new_figure(model_height(change))
        draw_coefficients(figure.subplots(), change, _words())
        return render(figure, identity)


def _words() -> TableWords:
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
