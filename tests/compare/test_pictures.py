"""Bins, grids and correlation matrices of pictures, against counting one by one."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.compare import compare
from microsafe.compare.number_changes import compare_correlations, describe_change
from microsafe.compare.number_plot_data import LEAST, Axis, NumberPicture, picture_number
from microsafe.errors import UsageError
from microsafe.steps import Sample

RANDOM = np.random.default_rng(20261117)
ROWS = 900
INCOME = np.exp(RANDOM.normal(10, 0.9, ROWS))
STATES = {
    "log": INCOME,
    "zeros": np.where(RANDOM.random(ROWS) < 0.2, 0.0, INCOME),
    "losses": RANDOM.standard_t(1.5, ROWS) * 1e4,
    "below": -np.where(RANDOM.random(ROWS) < 0.2, 0.0, INCOME),
    "linear": RANDOM.normal(50, 10, ROWS),
    "whole": RANDOM.integers(0, 90, ROWS).astype(float),
    "tiny": np.exp(RANDOM.normal(-20, 0.9, ROWS)),
    "huge": np.exp(RANDOM.normal(0, 60, ROWS)),
    "heaped": np.where(RANDOM.random(ROWS) < 0.9, 0.0, 1.5),
}
SCALES = {"zeros": "symlog", "losses": "symlog", "below": "symlog", "tiny": "log", "huge": "log"}


def _pair(kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A variable with noise, missing values in both states and weights."""
    random = np.random.default_rng(len(kind))
    x = STATES[kind].copy()
    z = x * np.exp(random.normal(0, 0.2, ROWS))
    x[random.random(ROWS) < 0.05] = np.nan
    z[random.random(ROWS) < 0.05] = np.nan
    return x, z, random.integers(1, 90, ROWS).astype(float)


def _picture(kind: str, *, weighted: bool = True) -> NumberPicture:
    x, z, w = _pair(kind)
    made = picture_number(kind, x, z, w if weighted else None)
    assert made is not None
    return made


def _bin(axis: Axis, value: float) -> int:
    """The bin of one value: open at both ends."""
    return sum(value >= edge for edge in axis.edges[1:-1])


@pytest.mark.parametrize("kind", STATES)
@pytest.mark.parametrize("weighted", [True, False])
def test_shares_and_counts_equal_counting_one_by_one(kind: str, weighted: bool) -> None:
    x, z, w = _pair(kind)
    made = _picture(kind, weighted=weighted)
    for values, shares in ((x, made.before), (z, made.after)):
        sums = [0.0] * made.axis.bins
        for value, weight in zip(values, w, strict=True):
            if value == value:
                sums[_bin(made.axis, value)] += weight if weighted else 1
        assert shares == pytest.approx([each / sum(sums) for each in sums], rel=1e-12)
    joint = made.joint
    counts = [[0] * joint.axis.bins for _ in range(joint.axis.bins)]
    for old, new in zip(x, z, strict=True):
        if old == old and new == new:
            counts[_bin(joint.axis, old)][_bin(joint.axis, new)] += 1
    assert joint.counts == tuple(map(tuple, counts))


@pytest.mark.parametrize("kind", STATES)
def test_an_axis_tells_no_value_of_a_record(kind: str) -> None:
    x, z, _ = _pair(kind)
    made = _picture(kind)
    assert made.axis.scale == SCALES.get(kind, "log" if kind == "log" else "linear")
    assert made.released is not None
    for axis, states in (
        (made.axis, (x, z)),
        (made.joint.axis, (x, z)),
        (made.released.axis, (z,)),
    ):
        assert 2 <= axis.bins <= 40
        assert all(low < high for low, high in pairwise(axis.edges))
        for state in states:
            places = [_bin(axis, value) for value in state if value == value]
            for outer in (0, axis.bins - 1):
                assert not 0 < places.count(outer) < LEAST
        known = {value for state in states for value in state if value == value}
        if kind not in ("whole", "heaped"):
            assert not known & set(axis.edges) - {0.0}
        # No bin is narrow because a value lies near its end: an edge is known without the data.
        assert all(float(f"{edge:.12g}") == edge for edge in axis.edges)


@pytest.mark.parametrize("kind", STATES)
def test_ticks_are_few_round_numbers_in_their_place(kind: str) -> None:
    for axis in (_picture(kind).axis, _picture(kind).joint.axis):
        assert 2 <= len(axis.ticks) <= 9
        assert [each.value for each in axis.ticks] == sorted(each.value for each in axis.ticks)
        for tick in axis.ticks:
            assert float(f"{tick.value:.2g}") == pytest.approx(tick.value)
            assert 0 <= tick.at <= axis.bins
            assert axis.edges[max(int(np.floor(tick.at - 1e-9)), 0)] <= tick.value * (1 + 1e-9)
            assert tick.value <= axis.edges[int(np.ceil(tick.at - 1e-9))] + 1e-9 * abs(tick.value)


def test_bins_of_single_values_have_their_number_in_the_middle() -> None:
    x = np.repeat(np.arange(1.0, 7.0), 30)
    made = picture_number("x", x, x[::-1].copy(), None)
    assert made is not None
    assert made.axis.edges == (1, 2, 3, 4, 5, 6, 7)
    assert [(each.at, each.value) for each in made.axis.ticks] == [
        (at + 0.5, at + 1) for at in range(6)
    ]


def test_a_far_value_stays_unseen() -> None:
    x, z, _ = _pair("linear")
    far = x.copy()
    far[10], far[11] = 1e9, -1e9
    plain, wide = picture_number("x", x, z, None), picture_number("x", far, z, None)
    assert plain is not None
    assert wide is not None
    assert set(wide.axis.edges) <= set(plain.axis.edges)
    assert sum(wide.before) == pytest.approx(1)


def test_the_public_bins_depend_on_released_values_only() -> None:
    x, z, w = _pair("log")
    one, other = picture_number("x", x, z, w), picture_number("x", x**2, z, None)
    assert one is not None
    assert other is not None
    assert one.released == other.released
    assert one.axis != other.axis


def test_the_order_of_records_does_not_matter() -> None:
    x, z, w = _pair("zeros")
    order = np.random.default_rng(1).permutation(ROWS)
    assert picture_number("x", x, z, w) == picture_number("x", x[order], z[order], w[order])


@pytest.mark.parametrize(
    "values", [[], [1.0], [1.0, 2.0, 3.0], [7.0] * 20, [np.nan] * 20, [1.0] * 19 + [2.0]]
)
def test_nothing_is_drawn_of_too_little(values: list[float]) -> None:
    one = np.array(values, dtype=np.float64)
    assert picture_number("x", one, one, None) is None


def test_a_top_coded_tail_is_shown_as_it_was() -> None:
    x = np.sort(STATES["linear"])
    z = np.minimum(x, x[-90])
    made = picture_number("x", x, z, None)
    assert made is not None
    assert made.after[-1] == 0
    assert made.before[-1] > 0


def test_matrices_hold_the_variables_that_changed_most() -> None:
    random = np.random.default_rng(3)
    base = random.normal(size=(20, 300))
    moved = base.copy()
    moved[4] += random.normal(size=300)
    moved[17] += random.normal(size=300)
    names = [f"v{at}" for at in range(20)]
    found = compare_correlations(names, list(base), list(moved), None)
    assert found is not None
    assert len(found.names) == 16
    assert {"v4", "v17"} <= set(found.names)
    assert list(found.names) == [each for each in names if each in found.names]
    shown = [names.index(each) for each in found.names]
    for told, columns in ((found.before, base), (found.after, moved)):
        assert np.allclose(told, np.corrcoef(columns[shown]), atol=1e-12)


def _noisy(keys: Sequence[str] = ("region", "sex")) -> ms.Study:
    study = ms.study(
        ms.survey(1, households=300).frame, keys=list(keys), weight="weight", estimator="cell"
    )
    return study.noise("income", variance=0.1, seed=4)


def test_a_comparison_has_the_pictures_of_what_was_changed() -> None:
    found = _noisy().compare()
    assert found.utility is not None
    (made,) = found.utility.pictures
    assert (made.name, made.weighted) == ("income", True)
    assert sum(made.before) == pytest.approx(1)
    assert "pictures" not in found.summary()["utility"]
    figure = found.plot_numbers()
    left, right, scale = figure.axes
    assert [each.get_text() for each in left.get_legend().get_texts()] == ["before", "after"]
    assert right.get_xlabel() == "income before"
    assert scale.get_ylabel() == "records"
    assert _noisy().undo().compare().plot_numbers().axes == []


def test_three_numbers_have_matrices_and_hostile_names_are_text() -> None:
    random = np.random.default_rng(2)
    names = ["a" * 40, "$\\frac{b$_x", "c\n\x1bd"]
    frame = pl.DataFrame({name: random.normal(size=400) for name in names})
    study = ms.study(frame, keys=[])
    found = study.noise(names[0], kind="additive", variance=0.5, seed=1).compare()
    with matplotlib.rc_context({"text.parse_math": True}):
        figure = found.plot_numbers()
        figure.savefig(BytesIO(), format="svg")
    before, after, gap = (ax for ax in figure.axes if ax.get_title("left"))
    titles = [ax.get_title("left") for ax in (before, after, gap)]
    assert titles == ["before", "after", "after minus before"]
    shown = [each.get_text() for each in gap.texts]
    assert len(shown) == 3
    assert "-0.000" not in shown
    labels = {each.get_text() for each in (*before.get_xticklabels(), *before.get_yticklabels())}
    assert labels == {"a" * 15 + "...", names[1], "c??d"}


def test_a_preview_tells_how_numbers_change() -> None:
    after = _noisy()
    start = after.undo()
    found = start.preview(after)
    utility = after.compare().utility
    assert utility is not None
    (one,), (other,) = found.numbers, utility.numbers
    assert one.name == "income"
    for name in ("sse", "il1s", "rank_correlation"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-9)
    assert found.correlations is not None
    assert found.correlations.largest == pytest.approx(utility.correlations[1].largest, rel=1e-9)
    text = repr(found)
    assert "weighted mean of income" in text
    assert "rank correlation" in text
    assert "largest change of a correlation" in text
    assert found.summary()["numbers"][0]["name"] == "income"
    assert start.preview(start.recode("region", breaks=(5,))).numbers == ()
    assert start.preview(Sample(fraction=0.5, seed=1, weight="weight")).numbers == ()


def test_a_preview_marks_counts_of_perturbed_keys() -> None:
    start = _noisy().undo()
    found = start.preview(start.pram("region", keep=0.8, seed=1))
    assert found.after.perturbed_by == "PRAM of region"
    assert found.after.sample_uniques == found.before.sample_uniques
    assert "before PRAM of region; not meaningful after it" in repr(found)
    assert found.summary()["after"]["perturbed_by"] == "PRAM of region"
    assert found.summary()["before"]["perturbed_by"] == ""
    done = start.pram("region", keep=0.8, seed=1)
    assert "before PRAM of region; not meaningful" in repr(
        done.preview(done.recode("region", breaks=(5,)))
    )
    assert "figures are those before PRAM of region" in repr(done.suggest(most=2))
    assert "before" not in repr(start.suggest(most=2))


def test_rank_correlation_is_that_of_ranks() -> None:
    x, z = np.array([1.0, 2, 2, 4, 5]), np.array([3.0, 1, 4, 4, 9])
    found = describe_change("x", x, z, None)
    assert found is not None
    ranks = np.corrcoef([1, 2.5, 2.5, 4, 5], [2, 1, 3.5, 3.5, 5])[0, 1]
    assert found.rank_correlation == pytest.approx(ranks, rel=1e-12)


def test_numbers_that_a_file_spells_out_are_compared(tmp_path: Path) -> None:
    after = _noisy()
    start = after.undo()
    paths = []
    for name, study in (("before.csv", start), ("after.csv", after)):
        table = study.engine.table().with_columns(code=pl.Series(_codes(study)))  # type: ignore[attr-defined]
        table.write_csv(tmp_path / name)
        paths.append(tmp_path / name)
    one, other = (
        ms.study(path, keys=["region", "sex"], weight="weight", estimator="cell") for path in paths
    )
    found = compare(one.engine, other.engine, one.scenarios).utility
    assert found is not None
    assert [each.name for each in found.numbers] == ["income"]
    expected = after.compare().utility
    assert expected is not None
    assert found.numbers[0].sse == pytest.approx(expected.numbers[0].sse, rel=1e-9)


def _codes(study: ms.Study) -> list[str]:
    """Codes with leading zeros, other ones if the study has steps: no numbers."""
    return [f"{(at * 7 + len(study.steps)) % 990:05}" for at in range(study.engine.rows())]


def test_what_was_recoded_afterwards_is_no_number_any_more() -> None:
    swapped = _noisy().undo().rank_swap("education", seed=2)
    found = swapped.compare().utility
    assert found is not None
    assert [each.name for each in found.pictures] == ["education"]
    assert swapped.recode("education", keep=1).compare().utility is None


def test_records_without_an_order_are_not_compared_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    after = _noisy()
    start = after.undo()

    def refuse(*_: object, **__: object) -> None:
        raise UsageError("This file has no order, so its records have no numbers.")

    monkeypatch.setattr("microsafe.compare.record_columns.Selection", refuse)
    found = after.compare()
    assert found.utility is None
    assert found.notes[-1].startswith("The records have no order: numbers are not compared")
    with pytest.raises(UsageError, match="has no order"):
        after.compare(models=["income ~ age"])
    assert start.preview(after).numbers == ()
