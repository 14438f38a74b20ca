"""Utility of numeric variables: each figure by its definition."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.compare import numeric_utility as numbers
from microsafe.compare.number_changes import QUANTILES, compare_correlations, describe_change
from microsafe.compare.propensity import measure_propensity
from microsafe.compare.regression import Column, compare_models, overlap, read_formula
from microsafe.datasets import survey
from microsafe.engine import state_pairs as pairs
from microsafe.errors import InputError, UsageError

RNG = np.random.default_rng(7)
ROWS = 3_000


def some() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x = np.exp(RNG.normal(size=ROWS))
    return x, x + 0.3 * RNG.normal(size=ROWS), 1 + 9 * RNG.random(ROWS)


def test_a_variable_before_and_after() -> None:
    x, z, w = some()
    found = describe_change("x", x, z, w)
    assert found is not None
    s = x.std(ddof=1)
    assert found.sse == pytest.approx(((x - z) ** 2).sum() / ((x - x.mean()) ** 2).sum())
    assert found.moved == pytest.approx(np.abs(x - z).mean() / s)
    assert found.il1s == pytest.approx(np.abs(x - z).mean() / (math.sqrt(2) * s))
    assert found.unexplained == pytest.approx(1 - np.corrcoef(x, z)[0, 1] ** 2)
    assert found.plain[0].mean == pytest.approx(x.mean())
    assert found.plain[1].deviation == pytest.approx(z.std(ddof=1))
    assert found.plain[0].quantiles == tuple(
        np.quantile(x, q, method="inverted_cdf") for q in QUANTILES
    )
    assert found.weighted is not None
    assert found.weighted[1].mean == pytest.approx(np.average(z, weights=w))
    for q, value in zip(QUANTILES, found.weighted[0].quantiles, strict=True):
        assert w[x <= value].sum() >= q * w.sum() * (1 - 1e-9)
        assert w[x < value].sum() < q * w.sum()


def test_missing_values_take_no_part() -> None:
    x, z = np.array([1.0, 2, np.nan, 5]), np.array([1.0, np.nan, 3, 6])
    found = describe_change("x", x, z, None)
    assert found is not None
    assert found.records == 2
    assert found.plain[0].mean == pytest.approx(8 / 3)
    assert describe_change("x", np.full(2, np.nan), np.ones(2), None) is None
    same = describe_change("x", np.ones(3), np.ones(3), None)
    assert same is not None
    assert math.isnan(same.sse)


def test_a_change_of_unit_changes_nothing() -> None:
    x, z, w = some()
    one, other = describe_change("x", x, z, w), describe_change("x", 1000 * x, 1000 * z, w)
    assert one is not None
    assert other is not None
    for name in ("sse", "il1s", "moved", "unexplained"):
        assert getattr(one, name) == pytest.approx(getattr(other, name))


def test_correlations() -> None:
    x, z, w = some()
    y = x + RNG.normal(size=ROWS)
    u = RNG.normal(size=ROWS)
    before, after = [x, y, u], [z, y, u]
    plain = compare_correlations("xyu", before, after, None)
    weighted = compare_correlations("xyu", before, after, w)
    assert plain is not None
    assert weighted is not None
    old, new = np.corrcoef(before), np.corrcoef(after)
    gaps = np.abs(old - new)[np.triu_indices(3, 1)]
    assert (plain.pairs, plain.where) == (3, ("x", "y"))
    assert plain.largest == pytest.approx(gaps.max())
    assert plain.mean == pytest.approx(gaps.mean())
    values, others = np.linalg.eigvalsh(old), np.linalg.eigvalsh(new)
    assert plain.eigenvalues == pytest.approx((np.abs(values - others) / values).sum())
    cov = [np.cov(np.array(side), aweights=w) for side in (before, after)]
    r = [c[0, 1] / math.sqrt(c[0, 0] * c[1, 1]) for c in cov]
    assert weighted.largest == pytest.approx(abs(r[0] - r[1]))
    assert compare_correlations("x", [x], [z], None) is None
    assert compare_correlations("xc", [x, np.ones(ROWS)], [z, np.ones(ROWS)], None) is None


def columns(**given: Any) -> dict[str, Column]:
    return {name: Column(data=np.asarray(each, float)) for name, each in given.items()}


def test_regression_is_least_squares() -> None:
    x, z, w = some()
    sex = RNG.integers(1, 3, ROWS).astype(float)
    y = 3 + 2 * x - sex + RNG.normal(size=ROWS)
    before = columns(y=y, x=x) | {"sex": Column(data=sex, categories=("f", "m"))}
    after = before | columns(x=z)
    for weight in (None, w):
        found = compare_models("y ~ x + sex", before, after, weight)
        u = np.sqrt(np.ones(ROWS) if weight is None else weight)
        design = np.stack([np.ones(ROWS), x, sex == 2], axis=1)
        expected = np.linalg.lstsq(design * u[:, None], y * u, rcond=None)[0]
        terms = [each.term for each in found.coefficients]
        assert terms == ["(constant)", "x", "sex = m"]
        assert [each.estimate[0] for each in found.coefficients] == pytest.approx(expected)
        assert found.coefficients[1].estimate[1] < found.coefficients[1].estimate[0]
        assert found.overlap == pytest.approx(
            np.mean([each.overlap for each in found.coefficients])
        )
    plain = compare_models("y ~ x + sex", before, before, None)
    assert plain.overlap == pytest.approx(1.0)
    rest = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    inverse = np.linalg.inv(design.T @ design)
    robust = inverse @ (design.T * rest**2) @ design @ inverse * ROWS / (ROWS - 3)
    low, high = plain.coefficients[1].interval[0]
    assert (high - low) / 2 / 1.959963984540054 == pytest.approx(math.sqrt(robust[1, 1]))


def test_a_term_that_others_determine_is_left_out() -> None:
    x = RNG.normal(size=50)
    both = columns(y=x + RNG.normal(size=50), x=x, twice=2 * x)
    found = compare_models("y ~ x + twice", both, both, None)
    assert [each.term for each in found.coefficients] == ["(constant)", "x"]


def test_overlap_of_intervals() -> None:
    assert overlap((0, 2), (0, 2)) == 1
    assert overlap((0, 2), (1, 3)) == 0.5
    assert overlap((0, 2), (0, 4)) == 0.75
    assert overlap((0, 1), (3, 4)) == -2
    assert overlap((1, 1), (1, 1)) == 1


def test_formulas() -> None:
    assert read_formula("income ~ age + sex").names == ("income", "age", "sex")
    assert read_formula("my income~age").names == ("my income", "age")
    odds = read_formula("work= not yet ~ age")
    assert (odds.names, odds.category) == (("work", "age"), "not yet")
    for bad in ("income", "income ~", "~ age", "y ~ a + a", "y ~ y", "y = ~ a", "= b ~ a"):
        with pytest.raises(UsageError, match="is no formula"):
            read_formula(bad)


def test_propensity_by_keys_is_that_of_their_records() -> None:
    frame = survey(households=400).frame
    start = ms.study(
        frame, keys=["region", "sex", "age", "marital"], weight="weight", estimator="cell"
    )
    assert start.recode("marital", groups={"x": ["1", "2"]}).compare().propensity is None
    done = start.suppress(above=0.02)
    found = done.compare().propensity
    assert found is not None
    assert found.variables == ("region", "sex", "marital")
    assert found.ratio > 0
    sides = [
        [
            Column(data=_codes(state, name), categories=_categories(start, name))
            for name in found.variables
        ]
        for state in (start, done)
    ]
    again = measure_propensity(found.variables, *sides)
    assert again is not None
    assert found.pmse == pytest.approx(again.pmse, rel=1e-9)
    mixed = ms.study(
        frame.sample(fraction=1.0, shuffle=True, seed=3),
        keys=start.scenarios[0].keys,
        weight="weight",
        estimator="cell",
    )
    assert mixed.suppress(above=0.02).compare().propensity == found


def _categories(study: ms.Study, name: str) -> tuple[str, ...]:
    return tuple(study.engine.categories(name))


def _codes(study: ms.Study, name: str) -> np.ndarray:
    places = {each: place for place, each in enumerate(_categories(study, name), 1)}
    shown = study.engine.table()[name].cast(pl.String)  # type: ignore[attr-defined]
    return np.array([places.get(each, 0) for each in shown], dtype=np.float64)


def test_propensity_of_the_same_and_of_independent_files() -> None:
    def file(shift: float = 0.0) -> list[Column]:
        return [
            Column(data=RNG.normal(shift, 1, ROWS)),
            Column(data=RNG.normal(size=ROWS)),
            Column(data=RNG.integers(1, 4, ROWS).astype(float), categories=("a", "b", "c")),
        ]

    one = file()
    same = measure_propensity("xyz", one, one)
    assert same is not None
    assert same.pmse == pytest.approx(0.0, abs=1e-12)
    assert same.two_way
    assert same.terms == 1 + 2 + 2 + 2 + 1 + 4  # constant, numbers, categories, squares, products
    ratios = []
    for _ in range(12):
        found = measure_propensity("xyz", file(), file())
        assert found is not None
        ratios.append(found.ratio)
    assert np.mean(ratios) == pytest.approx(1.0, abs=4 * math.sqrt(2 / 11 / 12))
    other = measure_propensity("xyz", one, file(0.5))
    assert other is not None
    assert other.ratio > 10


def protected() -> ms.Study:
    frame = ms.survey(1, households=300).frame
    frame = frame.with_columns((pl.col("income") * 0.3 + pl.int_range(pl.len()) % 97).alias("rent"))
    study = ms.study(
        frame, keys=["region", "sex"], weight="weight", estimator="cell", household="household"
    )
    return study.noise("income", kind="additive", seed=1)


def test_in_a_comparison() -> None:
    study = protected()
    result = study.compare(models=["income ~ rent + sex"])
    found = result.utility
    assert found is not None
    assert [each.name for each in found.numbers] == ["income"]
    assert [each.weighted for each in found.correlations] == [False, True]
    assert [each.weighted for each in found.models] == [False, True]
    assert found.propensity is not None
    assert found.propensity.variables == ("age", "income", "rent", "region", "sex")
    (loss,) = [each for each in result.losses if each.name == "income"]
    assert loss.lost_share == pytest.approx(found.numbers[0].unexplained)
    text = repr(result)
    for words in ("SSE/SST", "change of quantiles", "eigenvalue distance", "propensity (pMSE)"):
        assert words in text
    assert "income ~ rent + sex (linear, weighted; income; 700 records)" in text
    summary = result.summary()["utility"]
    json.dumps(summary, allow_nan=False)
    assert summary["il1s"] == pytest.approx(found.numbers[0].il1s)


def test_nothing_to_say_where_no_number_changed() -> None:
    study = protected().undo()
    assert study.recode("region", breaks=(5,)).suppress(k=3).compare().utility is None
    asked = study.compare(models=["income ~ sex"]).utility
    assert asked is not None
    assert asked.models[0].overlap == pytest.approx(1.0)
    assert asked.propensity is None


def test_models_that_cannot_be_compared() -> None:
    study = protected()
    for models, error, words in (
        (["income"], UsageError, "is no formula"),
        (["income ~ nothing"], InputError, "has no variable 'nothing'"),
    ):
        with pytest.raises(error, match=words):
            study.compare(models=models)
    three = study.recode("region", groups={"a": ("1",), "b": ("2", "3")}, other="c")
    for models, words in (
        (["region ~ age"], "Write 'region = CATEGORY ~ age'"),
        (["region = d ~ age"], "has no category 'd' among those that are released"),
    ):
        with pytest.raises(InputError, match=words):
            three.compare(models=models)


def test_without_room_there_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "_MOST_RECORDS", 10)
    result = protected().compare()
    assert result.utility is None
    assert "There is no room to compare numbers record by record." in result.notes
    monkeypatch.undo()

    def refuse(*_: object) -> None:
        raise InputError("no room")

    study = protected()
    monkeypatch.setattr(type(study.engine), "afford", refuse)
    assert study.compare().utility is None


def test_labels_are_looked_up_once_however_many_numbers_are_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []
    label = pairs._label_categories
    monkeypatch.setattr(pairs, "_label_categories", lambda *a: asked.append(1) or label(*a))
    study = protected()
    changed = study.engine.table()["income"].n_unique()  # type: ignore[attr-defined]
    study.compare()
    assert len(asked) < 20 < changed
