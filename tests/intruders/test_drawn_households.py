"""Families of very large files, which are looked at in households that are drawn."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.intruders import IntruderResult
from microsafe.intruders.base import find_sum_error
from microsafe.studies import families

KEYS = ("region", "sex", "age", "status")
HOUSEHOLDS, DRAWN = 3000, 1000


@pytest.fixture
def frame() -> pl.DataFrame:
    """Households of one to four with weights of their own."""
    rng = np.random.default_rng(28)
    home = np.repeat(np.arange(HOUSEHOLDS), rng.integers(1, 5, HOUSEHOLDS))
    count = len(home)
    return pl.DataFrame(
        {
            "h": pl.Series(home).cast(pl.String),
            "w": rng.integers(10, 14, HOUSEHOLDS)[home],
            "region": rng.integers(1, 5, HOUSEHOLDS)[home],
            "sex": rng.integers(1, 3, count),
            "age": rng.integers(1, 7, count),
            "status": rng.integers(1, 4, count),
        }
    )


@pytest.fixture
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the file for one that is too large to look at every household."""
    monkeypatch.setattr(families, "_ALL_MEASURED", 2000)
    monkeypatch.setattr(families, "_DRAWN", DRAWN)


def survey(frame: pl.DataFrame) -> ms.Study:
    return ms.study(frame, keys=KEYS, weight="w", household="h", estimator="model")


def play(data: ms.Study, name: str, **options: ms.Policy) -> IntruderResult:
    return next(row.now for row in data.intruders(**options) if row.name == name)


@pytest.mark.usefixtures("_large")
def test_sums_are_scaled_up_and_come_with_a_standard_error(
    frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = play(survey(frame), "family", policy=ms.Policy(household_risk=0.5))
    monkeypatch.undo()
    every = play(survey(frame), "family", policy=ms.Policy(household_risk=0.5))
    assert every.share == 1.0
    assert every.standard_error is None
    assert found.share == DRAWN / HOUSEHOLDS
    assert found.units == every.units == HOUSEHOLDS
    assert found.standard_error is not None
    assert every.expected is not None
    assert found.expected == pytest.approx(every.expected, abs=3 * found.standard_error)
    assert 0 < found.standard_error < 0.1 * every.expected
    assert found.above == pytest.approx(every.above, rel=0.2)
    assert found.certain == pytest.approx(every.certain, rel=0.2)
    assert found.figures["expected_households"] == found.expected
    rates = (each.figures["household_rate"] for each in (found, every))
    assert next(rates) == pytest.approx(next(rates), rel=0.1)
    assert "1,000 of 3,000 households" in found.notices[0].text


@pytest.mark.usefixtures("_large")
def test_the_row_says_so(frame: pl.DataFrame) -> None:
    table = survey(frame).intruders()
    assert "(by 33.3 % of the file)" in repr(table)
    row = next(row.summary() for row in table if row.name == "family")
    assert row["share"] == DRAWN / HOUSEHOLDS
    assert row["standard_error"] > 0
    assert "share" not in next(row.summary() for row in table if row.name == "keys")


@pytest.mark.usefixtures("_large")
def test_the_same_households_are_drawn_whatever_the_order(frame: pl.DataFrame) -> None:
    found = play(survey(frame), "family")
    turned = play(survey(frame.reverse()), "family")
    assert found.expected == pytest.approx(turned.expected, rel=1e-9)
    assert found.largest == pytest.approx(turned.largest, rel=1e-9)


@pytest.mark.usefixtures("_large")
def test_who_measured_risk_has_every_household(frame: pl.DataFrame) -> None:
    data = survey(frame)
    risk = data.risk()
    assert risk.household is not None
    from microsafe.studies.intruder_table import play_intruders

    table = play_intruders(data, ["main"], policy=ms.Policy(), now={"main": risk})
    found = next(row.now for row in table if row.name == "family")
    assert found.share == 1.0
    assert found.expected == pytest.approx(risk.household.expected_households)
    assert found.largest == risk.household.max


@pytest.mark.usefixtures("_large")
def test_who_joins_members_looks_at_all_records(
    frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = frame.with_columns(rooms=pl.col("h").cast(pl.Int64) % 300)
    found = play(survey(frame).drop("h"), "rejoin")
    monkeypatch.undo()
    every = play(survey(frame).drop("h"), "rejoin")
    assert found.figures == every.figures
    assert 0 < found.figures["rejoin"] < 1
    assert found.units == every.units == len(frame)
    assert found.standard_error is not None
    assert found.expected == pytest.approx(every.expected, abs=3 * found.standard_error)


def test_error_of_a_sum() -> None:
    values = np.array([0.1, 0.4, 0.7, 0.2])
    variance = (1 - 0.25) * 16**2 * values.var(ddof=1) / 4
    assert find_sum_error(values, 0.25) == pytest.approx(variance**0.5)
    assert find_sum_error(values, 1.0) is None
