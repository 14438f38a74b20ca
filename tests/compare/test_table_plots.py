"""Pictures of named tables and of models."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.compare import Coefficient, Comparison, ModelChange, TableChange
from microsafe.compare.table_plots import draw_changes, draw_coefficients, draw_shares


@pytest.fixture(scope="module")
def result() -> Comparison:
    hostile = "a$b$\n<x>"
    frame = ms.survey(1, households=400).frame.rename({"marital": hostile})
    frame = frame.with_columns(pl.col(hostile).cast(pl.String) + pl.lit("$\\alpha"))
    study = ms.study(frame, keys=["region", "sex", hostile], weight="weight", estimator="cell")
    done = study.suppress(k=4)
    return done.compare(
        tables=["region,sex", ["sex", hostile, "region"], ["region"]],
        models=["income ~ age + sex", f"sex ~ age + {hostile}", "sex ~ region"],
    )


def test_all_that_was_asked_for_is_drawn(result: Comparison) -> None:
    figure = result.plot_tables()
    pictures = [each for each in figure.axes if each.get_title(loc="left")]
    assert [each.get_title(loc="left") for each in pictures][0::2] == ["region × sex", "region"]
    assert len(figure.axes) == 5  # two of them say what colours mean
    forests = result.plot_models()
    assert len(forests.axes) == 3
    for each in (figure, forests):
        each.savefig(BytesIO(), format="svg")
    assert result.plot_models().axes[0].get_title(loc="left") == "income ~ age + sex, weighted"


def test_without_a_wish_one_way_tables_that_changed_are_drawn() -> None:
    study = ms.study(
        ms.survey(1, households=400).frame,
        keys=["region", "sex"],
        weight="weight",
        estimator="cell",
    )
    made = study.suppress(k=30).compare()
    names = [each.get_title(loc="left") for each in made.plot_tables().axes]
    assert names
    assert {*names} <= {"region", "sex"}
    assert study.compare().plot_tables().axes == []
    assert study.compare().plot_models().axes == []


def test_figures_of_cells_are_their_changes(result: Comparison) -> None:
    from matplotlib.figure import Figure

    (table, *_) = result.named_tables()
    assert table.grid is not None
    ax = Figure().subplots()
    draw_changes(ax, table)
    written = [each.get_text() for each in ax.texts]
    flat = 100 * np.array(table.grid.changes).ravel()
    assert [float(each) for each in written] == pytest.approx(flat, abs=0.0051)
    (cells,) = ax.collections
    assert np.asarray(cells.get_array()).ravel() == pytest.approx(flat)
    low, high = cells.get_clim()
    assert low == -high  # no change is the middle of the colours


def test_bars_and_marks_are_shares(result: Comparison) -> None:
    from matplotlib.figure import Figure

    table = result.named_tables()[-1]
    assert table.grid is not None
    ax = Figure().subplots()
    draw_shares(ax, table)
    assert [each.get_width() for each in ax.patches] == pytest.approx(
        [100 * row[0] for row in table.grid.before]
    )
    (marks,) = ax.collections
    ends = [each.vertices[0][0] for each in marks.get_paths()]
    assert ends == pytest.approx([100 * row[0] for row in table.grid.after])


def test_intervals_of_numbers_are_for_one_deviation() -> None:
    from matplotlib.figure import Figure

    def one(term: str, deviation: float | None) -> Coefficient:
        return Coefficient(
            term=term,
            estimate=(2.0, 3.0),
            interval=((1.0, 3.0), (2.0, 4.0)),
            overlap=0.5,
            deviation=deviation,
        )

    model = ModelChange(
        formula="y ~ x + g",
        kind="linear",
        outcome="y",
        weighted=False,
        records=(9, 9),
        coefficients=(one("(constant)", None), one("x", 10.0), one("g = b", None)),
        overlap=0.5,
    )
    ax = Figure().subplots()
    draw_coefficients(ax, model)
    before, after = (
        [path.vertices[:, 0].tolist() for path in each.get_paths()] for each in ax.collections
    )
    assert before == [[10, 30], [1, 3]]
    assert after == [[20, 40], [2, 4]]
    labels = [each.get_text() for each in ax.get_yticklabels()]
    assert labels == ["x, per s.d.", "g = b"]
    assert [each.get_text() for each in ax.texts] == ["overlap", "50 %", "50 %"]


def test_tables_of_two_states_that_are_the_same() -> None:
    study = ms.study(
        ms.survey(1, households=100).frame,
        keys=["region", "sex"],
        weight="weight",
        estimator="cell",
    )
    (table,) = study.compare(tables="region,sex").named_tables()
    assert isinstance(table, TableChange)
    assert table.largest == 0
    assert len(study.compare(tables="region,sex").plot_tables().axes) == 2
