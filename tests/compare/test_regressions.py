"""Regressions before and after: against slow and obvious fits."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.compare import compare
from microsafe.compare.regression import Column, compare_models
from microsafe.compare.regression_fit import (
    DesignMatrix,
    FitError,
    Regressor,
    fit_linear,
    fit_logistic,
)
from microsafe.errors import InputError

ROWS = 400


def newton(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Log odds and robust errors, one record at a time, in as many rounds as it takes."""
    beta = np.zeros(x.shape[1])
    for _ in range(60):
        slope, curve = np.zeros(len(beta)), np.zeros((len(beta), len(beta)))
        for row, one, weight in zip(x, y, w, strict=True):
            chance = 1 / (1 + math.exp(-float(row @ beta)))
            slope += weight * (one - chance) * row
            curve += weight * chance * (1 - chance) * np.outer(row, row)
        beta = beta + np.linalg.solve(curve, slope)
    middle = np.zeros_like(curve)
    for row, one, weight in zip(x, y, w, strict=True):
        score = weight * (one - 1 / (1 + math.exp(-float(row @ beta)))) * row
        middle += np.outer(score, score)
    inverse = np.linalg.inv(curve)
    spread = inverse @ middle @ inverse * len(y) / (len(y) - len(beta))
    return beta, np.sqrt(np.diag(spread))


def some(seed: int) -> tuple[DesignMatrix, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    number = 1000 + 30 * rng.normal(size=ROWS)
    codes = rng.integers(1, 4, ROWS).astype(float)
    design = DesignMatrix(
        rows=ROWS,
        terms=[Regressor(values=number), Regressor(values=codes, levels=np.array([1, 3]))],
    )
    x = np.stack([np.ones(ROWS), number, codes == 1, codes == 3], axis=1)
    return design, x, 1 + 9 * rng.random(ROWS), rng.random(ROWS)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weighted", [False, True])
def test_logistic_is_the_maximum_of_the_likelihood(seed: int, weighted: bool) -> None:
    design, x, w, draw = some(seed)
    w = w if weighted else np.ones(ROWS)
    y = (draw < 1 / (1 + np.exp(-(x @ [-20, 0.02, 0.7, -1])))).astype(float)
    found = fit_logistic(design, y, w)
    # Newton's method by hand needs columns of one size.
    scaled = x.copy()
    scaled[:, 1] = (x[:, 1] - 1000) / 30
    beta, errors = newton(scaled, y, w)
    assert found.estimates[1:] == pytest.approx(beta[1:] / [30, 1, 1], rel=1e-8)
    assert found.estimates[0] == pytest.approx(beta[0] - beta[1] * 1000 / 30, rel=1e-8)
    assert found.errors[1:] == pytest.approx(errors[1:] / [30, 1, 1], rel=1e-7)
    assert fit_logistic(design, y, 7 * w).errors == pytest.approx(found.errors)


@pytest.mark.parametrize("weighted", [False, True])
def test_linear_with_numbers_far_from_zero(weighted: bool) -> None:
    design, x, w, draw = some(9)
    w = w if weighted else np.ones(ROWS)
    y = 1e6 + 3 * x[:, 1] - 2 * x[:, 2] + draw
    found = fit_linear(design, y, w)
    root = np.sqrt(w)[:, None]
    expected = np.linalg.lstsq(x * root, y * root[:, 0], rcond=None)[0]
    assert found.estimates == pytest.approx(expected, rel=1e-7)
    rest = (y - x @ expected) * w
    inverse = np.linalg.inv((x * w[:, None]).T @ x)
    spread = inverse @ (x * rest[:, None] ** 2).T @ x @ inverse * ROWS / (ROWS - 4)
    assert found.errors == pytest.approx(np.sqrt(np.diag(spread)), rel=1e-4)


@given(st.integers(0, 10**6), st.integers(1, 400))
def test_blocks_and_determined_columns(seed: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    one, two = rng.normal(size=rows), rng.integers(1, 3, rows).astype(float)
    terms = [
        Regressor(values=one),
        Regressor(values=two, levels=np.array([1, 2])),  # both with the constant: one too many
        Regressor(values=5 - 3 * one),
    ]
    try:
        found = fit_linear(
            DesignMatrix(rows=rows, terms=terms), rng.normal(size=rows), np.ones(rows)
        )
    except FitError:
        assert rows < 5
        return
    assert np.isnan(found.estimates[-1])
    assert np.isnan(found.estimates).sum() == (2 if len({*two}) == 2 else 3)


def test_the_order_of_terms_does_not_change_the_fit() -> None:
    rng = np.random.default_rng(3)
    before = {name: Column(data=rng.normal(size=ROWS)) for name in "xy"}
    before["g"] = Column(data=rng.integers(0, 3, ROWS).astype(float), categories=("a", "b"))
    before["z"] = Column(data=rng.integers(0, 2, ROWS).astype(float))
    after = before | {"x": Column(data=before["x"].data + rng.normal(size=ROWS))}
    for outcome in "yz":
        one = compare_models(f"{outcome} ~ x + g", before, after, None)
        other = compare_models(f"{outcome} ~ g + x", before, after, None)
        assert one.kind == ("linear" if outcome == "y" else "logistic")
        assert one.overlap == pytest.approx(other.overlap)
        assert one.records == (int((before["g"].data > 0).sum()),) * 2


def odds(before: dict[str, Any], after: dict[str, Any], formula: str) -> Any:
    sides = [
        {
            name: each if isinstance(each, Column) else Column(data=np.asarray(each, float))
            for name, each in side.items()
        }
        for side in (before, after)
    ]
    return compare_models(formula, sides[0], sides[1], None)


def test_separation_is_told() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=ROWS)
    mixed = x + 2 * rng.normal(size=ROWS) > 0
    flag = x > 1
    for y, terms, why in ((x > 0.3, "x", "x"), (mixed | flag, "x + flag", "flag")):
        told = f"by {why!r} the outcome of some records is told without error"
        bad = {"y": y, "x": x, "flag": flag}
        good = bad | {"y": mixed, "flag": rng.random(ROWS) < 0.5}
        with pytest.raises(InputError, match=told):
            odds(bad, good, f"y ~ {terms}")
        found = odds(good, bad, f"y ~ {terms}")
        assert found.problem.startswith(f"cannot be fitted any more: {told}")
        assert (found.coefficients, found.overlap) == ((), 0.0)
    with pytest.raises(InputError, match="same outcome"):
        odds({"y": np.ones(9), "x": x[:9]}, {"y": np.arange(9) % 2, "x": x[:9]}, "y ~ x")


def test_a_category_with_one_outcome_is_left_out_with_its_records() -> None:
    rng = np.random.default_rng(4)
    code = rng.integers(1, 5, ROWS).astype(float)
    x = rng.normal(size=ROWS)
    y = (rng.random(ROWS) < 0.5) & (code != 1)
    g = Column(data=code, categories=("a", "b", "c", "d"))
    before = {"y": y, "x": x, "g": g}
    found = odds(before, before, "y ~ x + g")
    assert found.left_out == ("g = a",)
    assert [each.term for each in found.coefficients] == ["(constant)", "x", "g = c", "g = d"]
    rest = code > 1
    less = {
        "y": y[rest],
        "x": x[rest],
        "g": Column(data=code[rest], categories=g.categories),
    }
    assert odds(less, less, "y ~ x + g").coefficients == found.coefficients
    assert found.records == (int(rest.sum()),) * 2
    blank = Column(data=np.where((code == 3) & y, 0.0, code), categories=g.categories)
    lost = odds(before, before | {"g": blank}, "y ~ x + g")
    assert (lost.left_out, lost.lost) == (("g = a",), ("g = c",))
    assert lost.overlap == pytest.approx(sum(each.overlap for each in lost.coefficients) / 4)


def test_the_outcome_chooses_the_model() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=ROWS)
    code = rng.integers(1, 4, ROWS).astype(float)
    work = Column(data=code, categories=("1 yes", "2 no", "3 soon"), texts=("1", "2", "3"))
    two = Column(data=np.minimum(code, 2), categories=("no", "yes"))
    both = {"x": x, "work": work, "two": two, "number": 3 + 4 * (code > 2)}
    for formula, outcome in (
        ("work = 2 ~ x", "work = 2 no"),
        ("work = no ~ x", "work = 2 no"),
        ("work = 2 no ~ x", "work = 2 no"),
        ("two ~ x", "two = yes"),
        ("two = no ~ x", "two = no"),
        ("number ~ x", "number = 7"),
    ):
        found = odds(both, both, formula)
        assert (found.kind, found.outcome) == ("logistic", outcome)
    for formula, words in (
        ("work ~ x", "Write 'work = CATEGORY ~ x'"),
        ("work = maybe ~ x", "no category 'maybe'"),
    ):
        with pytest.raises(InputError, match=words):
            odds(both, both, formula)
    yes, no = (odds(both, both, f"two = {each} ~ x").coefficients[1] for each in ("yes", "no"))
    assert yes.estimate[0] == pytest.approx(-no.estimate[0])


def survey() -> ms.Study:
    frame = ms.survey(3, households=400).frame.with_columns(
        employed=pl.when(pl.col("income") > 0).then(pl.lit("yes")).otherwise(pl.lit("no"))
    )
    return ms.study(
        frame,
        keys=["region", "age", "sex"],
        weight="weight",
        estimator="cell",
        household="household",
    )


def test_recoded_terms_are_compared_by_released_categories() -> None:
    study = survey()
    done = study.recode("age", breaks=(25, 45, 65)).recode("region", keep=3).suppress(k=4)
    found = done.compare(models=["income ~ age + sex", "employed ~ age + region"]).utility
    assert found is not None
    assert [each.kind for each in found.models] == ["linear", "linear", "logistic", "logistic"]
    terms = [each.term for each in found.models[0].coefficients]
    assert terms == ["(constant)", "age = 25-44", "age = 45-64", "age = 65+", "sex = 2"]
    made = study.recode("age", breaks=(25, 45, 65)).compare(models=["income ~ age + sex"]).utility
    assert made is not None
    assert made.models[1].overlap == 1.0
    assert [each.estimate[0] for each in made.models[1].coefficients] == [
        each.estimate[0] for each in found.models[1].coefficients
    ]


def test_a_model_of_what_was_dropped() -> None:
    study = survey()
    found = study.drop("income").compare(models=["income ~ age", "sex ~ income"]).utility
    assert found is not None
    for each in found.models:
        assert each.problem == "cannot be fitted any more: 'income' was dropped"
        assert each.records[1] == 0
    json.dumps(study.drop("income").compare(models=["income ~ age"]).summary(), allow_nan=False)


def test_exchanged_categories_are_taken_for_what_they_were() -> None:
    study = survey()
    done = study.pram("sex", keep=0.8, seed=1)
    found = done.compare(models=["income ~ sex"]).utility
    assert found is not None
    (first, _) = found.models
    assert [each.term for each in first.coefficients] == ["(constant)", "sex = 2"]
    assert first.overlap < 1


def test_the_order_of_records_does_not_show() -> None:
    study = survey()
    frames = [each.engine.table() for each in (study, study.suppress(k=3))]  # type: ignore[attr-defined]
    models = ["income ~ age + sex", "employed ~ age + sex + region"]
    made = []
    for order in (pl.int_range(len(frames[0]), eager=True), pl.Series(range(len(frames[0]))[::-1])):
        before, after = (
            ms.study(each[order], keys=["sex"], weight="weight", estimator="cell")
            for each in frames
        )
        found = compare(before.engine, after.engine, before.scenarios, models=models)
        made.append(found.utility)
    assert made[0] is not None
    assert made[1] is not None
    assert made[0].models == made[1].models


def test_what_is_estimated_without_error_overlaps_or_does_not() -> None:
    rng = np.random.default_rng(8)
    g = Column(data=rng.integers(1, 3, ROWS).astype(float), categories=("a", "b"))
    x = rng.integers(0, 9, ROWS).astype(float)
    y = np.where(g.data == 1, 7.3, 1000 * rng.random(ROWS))
    before = {"y": y, "g": g, "x": x}
    (constant, other) = odds(before, before, "y ~ g").coefficients
    assert constant.interval == ((7.3, 7.3), (7.3, 7.3))
    assert (constant.overlap, other.overlap) == (1.0, pytest.approx(1.0))
    moved = before | {"y": y + rng.normal(size=ROWS)}
    (constant, other) = odds(before, moved, "y ~ g").coefficients
    assert constant.overlap == 0.0
    assert other.overlap > 0.9
    exact = {"y": 3 * x + 1, "x": x, "g": g}
    assert [each.overlap for each in odds(exact, exact, "y ~ x").coefficients] == [1.0, 1.0]
    assert odds(exact, exact, "y ~ x").coefficients[1].estimate == (3.0, 3.0)


@given(st.data())
def test_whatever_comes_is_fitted_or_refused_in_words(data: Any) -> None:
    rows = data.draw(st.integers(1, 12))

    def numbers() -> Any:
        values = st.sampled_from([0.0, 1.0, 2.0, 1e6, np.nan])
        return np.array(data.draw(st.lists(values, min_size=rows, max_size=rows)))

    def codes() -> Any:
        values = data.draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows))
        return Column(data=np.array(values, float), categories=("a", "b", "c"))

    sides = [{"y": numbers(), "x": numbers(), "g": codes(), "h": codes()} for _ in range(2)]
    formula = data.draw(st.sampled_from(["y ~ x", "y ~ x + g", "h = b ~ x + g", "h = a ~ g"]))
    weight = data.draw(st.sampled_from([None, np.arange(rows) % 3.0, np.full(rows, np.nan)]))
    columns = [
        {name: each if name in "gh" else Column(data=each) for name, each in side.items()}
        for side in sides
    ]
    try:
        found = compare_models(formula, columns[0], columns[1], weight)
    except InputError as error:
        assert "cannot be fitted" in str(error)  # noqa: PT017
        return
    assert math.isfinite(found.overlap)
    assert bool(found.problem) <= (found.overlap == 0)
    for each in found.coefficients:
        assert np.isfinite([*each.estimate, *each.interval[0], *each.interval[1]]).all()
