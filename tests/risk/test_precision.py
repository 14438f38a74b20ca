"""Standard errors: leaving out every record in turn, and samples drawn again and again."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms

KEYS = ["region", "age", "sex"]


def expected_without(frame: pl.DataFrame, gone: np.ndarray, **scenario: Any) -> float:
    left = frame.filter(pl.Series(~gone))
    return ms.study(left, keys=KEYS, weight="w", estimator="cell", **scenario).risk().expected


def jackknife(frame: pl.DataFrame, units: np.ndarray, **scenario: Any) -> float:
    whole = expected_without(frame, np.zeros(len(frame), np.bool_), **scenario)
    falls = [
        whole - expected_without(frame, units == unit, **scenario) for unit in np.unique(units)
    ]
    n, people = len(falls), float(frame["w"].sum())
    return math.sqrt((1 - len(frame) / people) * n * np.var(falls, ddof=0) * n / (n - 1))


def small(seed: int) -> pl.DataFrame:
    """Couples: the members differ in sex, so that no two of a household share a cell."""
    rng = np.random.default_rng(seed)
    region = np.repeat(rng.integers(0, 3, 20), 2)
    return pl.DataFrame(
        {
            "region": region,
            "age": rng.integers(0, 4, 40),
            "sex": np.tile([0, 1], 20),
            "home": np.repeat(np.arange(20), 2),
            "w": 2.0 + region,
        }
    )


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("scenario", [{}, {"factor": 0.5}, {"attack": "ratio"}], ids=str)
def test_records_are_left_out_in_turn(seed: int, scenario: dict[str, Any]) -> None:
    frame = small(seed)
    found = (
        ms.study(frame, keys=KEYS, weight="w", estimator="cell", **scenario).risk().standard_errors
    )
    assert found is not None
    assert found.expected == pytest.approx(jackknife(frame, np.arange(40), **scenario), rel=1e-9)
    assert found.rate == found.expected / 40
    assert found.expected_households is None


@pytest.mark.parametrize("seed", [1, 2])
def test_so_are_households(seed: int) -> None:
    frame = small(seed)
    found = (
        ms.study(frame, keys=KEYS, weight="w", estimator="cell", household="home")
        .risk()
        .standard_errors
    )
    assert found is not None
    assert found.expected == pytest.approx(jackknife(frame, frame["home"].to_numpy()), rel=1e-9)
    assert found.rate == pytest.approx(found.expected / 40, rel=1e-9)  # all are couples


def test_a_census_has_none() -> None:
    frame = small(1)
    assert ms.study(frame, keys=KEYS).risk().standard_errors is None
    ones = frame.with_columns(w=pl.lit(1.0))
    assert ms.study(ones, keys=KEYS, weight="w", estimator="cell").risk().standard_errors is None
    assert (
        ms.study(frame[:1], keys=KEYS, weight="w", estimator="cell").risk().standard_errors is None
    )
    told = ms.study(frame, keys=KEYS).risk()
    assert told.summary()["standard_errors"] is None
    assert "standard error" not in repr(told)


def test_the_error_is_shown_and_in_the_summary() -> None:
    told = ms.study(small(1), keys=KEYS, weight="w", estimator="cell", household="home").risk()
    assert repr(told).count("standard error") == 2
    assert set(told.summary()["standard_errors"]) == {
        "expected", "rate", "household_expected", "household_rate", "expected_households"
    }  # fmt: skip


def population(rng: np.random.Generator) -> pl.DataFrame:
    size = rng.integers(1, 5, 6000)
    home = np.repeat(np.arange(6000), size)
    n = len(home)
    return pl.DataFrame(
        {
            "home": home,
            "region": np.repeat(rng.integers(0, 12, 6000), size),
            "age": np.minimum(rng.gamma(4, 10, n).astype(int), 90) // 5,
            "sex": rng.integers(0, 2, n),
            "w": np.full(n, 10.0),
        }
    )


@pytest.mark.parametrize("together", [False, True], ids=["records", "households"])
def test_samples_drawn_again_spread_as_told(*, together: bool) -> None:
    """The jackknife is cautious: not below the spread, and less than twice as large."""
    rng = np.random.default_rng(7)
    people = population(rng)
    figures, errors = [], []
    for _ in range(50):
        if together:
            drawn = np.isin(people["home"].to_numpy(), rng.permutation(6000)[:600])
        else:
            drawn = np.isin(
                np.arange(len(people)), rng.permutation(len(people))[: len(people) // 10]
            )
        household = "home" if together else None
        sample = people.filter(pl.Series(drawn))
        risk = ms.study(sample, keys=KEYS, weight="w", estimator="cell", household=household).risk()
        error = risk.standard_errors
        assert error is not None
        figures.append([risk.expected, risk.rate])
        errors.append([error.expected, error.rate])
        if risk.household is not None:
            home = risk.household
            figures[-1] += [home.expected, home.rate, home.expected_households]
            told = [error.household_expected, error.household_rate, error.expected_households]
            errors[-1] += [each or 0.0 for each in told]
    ratio = np.sqrt(np.mean(np.square(errors), axis=0)) / np.std(figures, axis=0, ddof=1)
    assert np.all(ratio > 0.85)
    assert np.all(ratio < 2.0)
