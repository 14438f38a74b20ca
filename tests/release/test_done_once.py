"""A release does nothing twice: what was measured, fitted or coded before is taken over."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.compare import propensity
from microsafe.draws import Draws
from microsafe.engine import coding
from microsafe.engine.record_order import sort_places
from microsafe.options.policy import Policy
from microsafe.report import html
from microsafe.risk.model import estimate, estimate_variance
from microsafe.risk.model.posterior import Posterior
from microsafe.studies import record_risk, telling_weights
from microsafe.sums import total

KEYS = ("region", "sex", "age")


def survey(rows: int = 600) -> pl.DataFrame:
    rng = np.random.default_rng(8)
    return pl.DataFrame(
        {
            "region": rng.choice(12, rows).astype(str),
            "sex": rng.integers(1, 3, rows),
            "age": rng.integers(0, 40, rows),
            "job": rng.choice(["a", "b", "c"], rows),
            "weight": np.round(1 + rng.gamma(2, 10, rows), 0),
        }
    )


def count_calls(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[Any]:
    """Have a function tell of its calls; return what it was called with."""
    calls: list[Any] = []
    real = getattr(module, name)

    def told(*given: Any, **options: Any) -> Any:
        calls.append(given)
        return real(*given, **options)

    monkeypatch.setattr(module, name, told)
    return calls


def test_a_release_measures_and_fits_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    survey().write_parquet(tmp_path / "in.parquet")
    study = ms.study(tmp_path / "in.parquet", keys=KEYS, weight="weight", estimator="model")
    study = study.drop("job").suppress(above=0.2)
    measured = count_calls(monkeypatch, record_risk, "measure")
    fitted = count_calls(monkeypatch, estimate, "fit_model")
    policy, keep = Policy(record_risk=0.2), dict.fromkeys(("weight", *KEYS), "needed")
    done = study.release(tmp_path / "out", policy=policy, keep=keep, shuffle=4)
    assert done.allowed
    assert len(fitted) == 1
    asked = [each for each in measured if each[1] == study.scenario()]
    assert len(asked) == 2  # before and after; read back, the cells are those that were written
    again = ms.study(
        tmp_path / "out" / "in-safe.parquet", keys=KEYS, weight="weight", estimator="cell"
    )
    assert done.after["main"].measured.cells.equals(again.engine.cells(again.scenario()))


def test_other_cells_are_measured_again() -> None:
    study = ms.study(survey(), keys=KEYS, weight="weight", estimator="cell")
    cells = study.engine.cells(study.scenario())
    assert cells.equals(
        ms.study(survey()[::-1], keys=KEYS, weight="weight", estimator="cell").risk().measured.cells
    )
    for frame in (survey().head(599), survey().with_columns(pl.col("weight") + 1)):
        assert not cells.equals(
            ms.study(frame, keys=KEYS, weight="weight", estimator="cell").risk().measured.cells
        )
    before = study.risk()
    other = ms.study(survey().head(599), keys=KEYS, weight="weight", estimator="cell")
    found = study._read_back(other).risk()
    assert found.expected == other.risk().expected != before.expected


def test_states_share_what_they_have_coded(monkeypatch: pytest.MonkeyPatch) -> None:
    study = ms.study(survey(), keys=KEYS, weight="weight", estimator="cell")
    after = study.suppress(k=3)
    coded = count_calls(monkeypatch, coding.Coder, "column")
    study.describe()
    once = len(coded)
    after.describe()
    assert len(coded) == once
    recoded = after.recode("job", groups={"x": ["a", "b"]})
    assert [each.distinct for each in recoded.describe() if each.name == "job"] == [2]


def test_a_state_that_has_read_nothing_knows_its_records(tmp_path: Path) -> None:
    survey().write_csv(tmp_path / "in.csv")
    study = ms.study(tmp_path / "in.csv", keys=KEYS)
    after = study.drop("job")
    study.describe()
    assert after.engine.rows() == 600


def test_both_reports_are_made_of_one_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from microsafe.plan import reports as reporting

    listed = count_calls(monkeypatch, reporting, "list_released")
    made = count_calls(monkeypatch, html, "_cover")
    study = ms.study(survey(), keys=KEYS, weight="weight", estimator="cell").suppress(k=3)
    keep = dict.fromkeys(survey().columns, "needed")
    policy = Policy(k=3, override={"estimator": "known"})
    assert study.release(tmp_path / "out", policy=policy, keep=keep).allowed
    assert (len(made), len(listed)) == (2, 1)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=30))
def test_places_are_those_of_a_full_sort(drawn: list[tuple[int, int]]) -> None:
    """Draws so few that many are equal."""
    homes, own = (np.array(each, np.int64) for each in zip(*drawn, strict=True))
    number = np.arange(len(own))
    first = number % 7
    for keys in ([own, number], [homes[first % len(homes)], first, own, number]):
        assert sort_places(keys).tolist() == np.lexsort(keys[::-1]).tolist()


@given(st.lists(st.floats(allow_nan=True, allow_infinity=False, width=64), max_size=40))
def test_totals_are_correctly_rounded(values: list[float]) -> None:
    try:
        wanted = math.fsum(values)
    except OverflowError:
        return
    assert total(np.array(values, np.float64)) == wanted or math.isnan(wanted)


def test_totals_of_many_numbers_of_all_sizes() -> None:
    rng = np.random.default_rng(5)
    for values in (rng.lognormal(0, 30, 200_000), rng.normal(size=70_000) * 1e-310, np.zeros(9)):
        assert total(values) == math.fsum(values.tolist())


def test_a_propensity_sample_is_that_of_all_records_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(propensity, "_AT_ONCE", 7_000)
    words = Draws(seed=0, step=0, variable="propensity").words(np.arange(25_000, dtype=np.uint64))
    wanted = np.sort(np.argsort(words[:, 0], kind="stable")[:10_000])
    assert propensity._sample(25_000).tolist() == wanted.tolist()
    assert propensity._sample(10_000).tolist() == list(range(10_000))


def test_variances_do_not_depend_on_how_many_are_taken_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(6)
    found = Posterior(f=np.ones(999), size=rng.gamma(1, 3, 999), odds=rng.lognormal(0, 2, 999))
    wanted = estimate_variance.population_variance(found)
    monkeypatch.setattr(estimate_variance, "_BLOCK", 10)
    assert estimate_variance.population_variance(found) == wanted


@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_keys_that_weights_give_away(gaps: float) -> None:
    rng = np.random.default_rng(2)
    frame = survey().with_columns(
        weight=pl.col("region").cast(pl.Int64) + 1.0,
        part=pl.col("region").cast(pl.Int64) // 4,
        one=pl.lit("same"),
    )
    hidden = pl.Series(rng.random(frame.height) < gaps)
    frame = frame.with_columns(
        pl.when(~hidden).then(pl.col(name)).alias(name) for name in ("region", "sex")
    )
    engine = ms.study(frame).engine
    keys = ["region", "sex", "age", "part", "one"]

    def differs(key: str) -> bool:
        known = frame.drop_nulls(key)
        by_weight = known.group_by("weight").agg(pl.col(key).n_unique())[key]
        return known[key].n_unique() < 2 or bool((by_weight > 1).any())

    found = telling_weights._find_given_away(engine, "weight", keys)
    assert found == [key for key in keys if not differs(key)] == ["region", "part"]
    assert found == [key for key in keys if telling_weights._gives_away(engine, "weight", key)]
