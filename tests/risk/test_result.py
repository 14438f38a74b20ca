"""What people see: summary, notebook, frames, picture, notices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import microsafe as ms

KEYS = ["region", "hsize", "sex", "age"]


@pytest.fixture(scope="module")
def survey() -> pl.DataFrame:
    return ms.survey(1, households=600).frame


@pytest.fixture(scope="module")
def risk(survey: pl.DataFrame) -> ms.Risk:
    return ms.study(
        survey, keys=KEYS, weight="weight", estimator="cell", household="household"
    ).risk(limit=0.01)


def test_summary_for_terminals(risk: ms.Risk) -> None:
    text = repr(risk)
    for word in ("records", "sample uniques", "largest risk", "records above it", "household"):
        assert word in text
    assert max(len(line) for line in text.splitlines()) < 100


def test_records_that_violate_k_are_those_with_fewer_alike(survey: pl.DataFrame) -> None:
    risk = ms.study(survey, keys=KEYS, weight="weight", estimator="cell").risk()
    alike = survey.select(pl.len().over(KEYS)).to_series().to_numpy()
    assert survey.select(KEYS).null_count().sum_horizontal().item() == 0
    counted = {k: int((alike < k).sum()) for k in (2, 3, 5)}
    assert risk.violations == counted
    assert risk.violations[2] == risk.sample_uniques
    assert risk.summary()["violate_k"] == {str(k): many for k, many in counted.items()}


def test_the_household_chain_from_limit_to_suppression_to_risk(survey: pl.DataFrame) -> None:
    study = ms.study(survey, keys=KEYS, weight="weight", estimator="cell", household="household")
    for target in ({"household_rate": 0.02}, {"expected_households": 9.0}):
        found = study.limit(**target)  # type: ignore[arg-type]
        assert isinstance(found, ms.HouseholdLimit)
        after = study.suppress(household=found.limit).risk(household_limit=found.limit)
        assert after.household is not None
        assert after.household_limit is not None
        assert after.household_limit.unsafe == 0
        assert after.household.rate <= found.rate_bound
        assert after.household.expected_households <= found.households_bound
    told = study.risk(household_limit=0.05)
    assert told.summary()["household_limit"]["unsafe"] == told.household.unsafe(0.05)  # type: ignore[union-attr]
    assert told.summary()["limit"] is None
    assert "limit for each of 2 members" in repr(told)
    assert told.plot(households=True).get_ylabel() == "households"
    assert told.plot(households=True, cumulative=True).get_ylabel().startswith("households")


def test_households_must_be_named_for_a_limit_on_them(survey: pl.DataFrame) -> None:
    study = ms.study(survey, keys=KEYS, weight="weight", estimator="cell")
    with pytest.raises(ms.UsageError, match="household"):
        study.limit(household_rate=0.01)
    with pytest.raises(ms.UsageError, match="household"):
        study.risk(household_limit=0.01)
    with pytest.raises(ms.UsageError, match="household"):
        study.risk().plot(households=True)
    named = ms.study(survey, keys=KEYS, weight="weight", estimator="cell", household="household")
    with pytest.raises(ms.UsageError, match="one target"):
        named.limit(rate=0.01, household_rate=0.01)


def test_names_are_escaped_in_notebooks() -> None:
    frame = pl.DataFrame({"<script>alert(1)</script>": ["a", "b"]})
    html = ms.study(frame, keys=frame.columns).risk()._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_frames_come_back_in_kind(survey: pl.DataFrame, kind: str) -> None:
    given: Any = {
        "pandas": survey.to_pandas,
        "polars": lambda: survey,
        "pyarrow": survey.to_arrow,
    }[kind]()
    wanted = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table}[kind]
    found = ms.study(given, keys=KEYS, weight="weight", estimator="cell").risk()
    for frame in (found.records(), found.cells(), found.top(3)):
        assert isinstance(frame, wanted)
    direct = ms.study(survey, keys=KEYS, weight="weight", estimator="cell").risk()
    assert found.expected == direct.expected


def test_top_cells_fall(risk: ms.Risk) -> None:
    top = risk.top(5)
    assert top.columns == [*KEYS, "records", "f", "F", "risk"]
    assert top["risk"].to_list() == sorted(risk.cells()["risk"].to_list(), reverse=True)[:5]
    assert len(risk.top()) == 10
    with pytest.raises(ms.UsageError):
        risk.top(0)


def test_the_title_names_what_is_not_usual(survey: pl.DataFrame) -> None:
    found = ms.study(survey, keys=KEYS, weight="weight", estimator="cell", alpha=0.5).risk(
        approximation="series2"
    )
    assert found.title == (
        f"Risk of the data frame by {', '.join(KEYS)}, weight weight, alpha 0.5, "
        "approximation series2"
    )


def test_contributions_are_what_remeasuring_gives(survey: pl.DataFrame, risk: ms.Risk) -> None:
    found = {each.key: each for each in risk.contributions()}
    assert set(found) == set(KEYS)
    for key in KEYS:
        others = [other for other in KEYS if other != key]
        again = ms.study(survey, keys=others, weight="weight", estimator="cell").risk()
        assert found[key].without == pytest.approx(again.expected, rel=1e-13)
        assert found[key].fall == pytest.approx(risk.expected - again.expected, rel=1e-12)


@pytest.mark.parametrize("cumulative", [False, True])
@pytest.mark.parametrize("limit", [None, 0.0, 1e-9, 0.01, 1.0])
def test_plot(risk: ms.Risk, limit: float | None, cumulative: bool) -> None:
    ax = risk.plot(limit=limit, cumulative=cumulative)
    assert ax.get_xscale() == "log"
    words = " ".join(text.get_text() for text in ax.texts)
    shown = risk.curve.at(0.01 if limit is None else limit)
    assert f"records above: {shown.unsafe:,}" in words
    if not cumulative:
        assert sum(patch.get_height() for patch in ax.patches) == risk.n
        red = sum(patch.get_height() for patch in ax.patches if patch.get_hatch())
        assert red == shown.unsafe
    import matplotlib.pyplot as plt

    plt.close(ax.figure)


def test_plot_of_equal_risks() -> None:
    import matplotlib.pyplot as plt

    ax = ms.study(pl.DataFrame({"a": ["x", "y"]}), keys=["a"]).risk().plot()
    assert ax.get_xlim()[0] < 1 < ax.get_xlim()[1]
    plt.close(ax.figure)


def notices(frame: pl.DataFrame, **options: Any) -> str:
    limit = options.pop("limit", None)
    study = ms.study(frame, **{"estimator": "cell", **options})
    return "\n".join(n.text for n in study.risk(limit=limit).notices)


def test_notice_without_weights() -> None:
    frame = pl.DataFrame({"a": ["x", "y"], "w": [1.0, 1.0]})
    assert "There is no sampling weight" in notices(frame, keys=["a"])
    assert "All weights are 1" in notices(frame, keys=["a"], weight="w")


def test_notice_of_unique_records_with_enormous_weights() -> None:
    frame = pl.DataFrame({"a": [*("x" * 9), "y"], "w": [*([10.0] * 9), 5000.0]})
    assert "1 sample unique has more than 10 times the median weight." in notices(
        frame, keys=["a"], weight="w"
    )
    assert not notices(frame.head(9), keys=["a"], weight="w")


def test_notice_of_safety_owed_to_missing_values() -> None:
    frame = pl.DataFrame(
        {"a": ["x", "y", "z", None], "b": ["1", "1", "1", "1"], "w": [4.0, 5.0, 6.0, 900.0]}
    )
    options = {"keys": ["a", "b"], "weight": "w"}
    assert (
        "3 records are within the limit only because other records have missing keys."
        in notices(frame, limit=0.01, **options)
    )
    assert "3 records have less than half the risk that they would have" in notices(
        frame, **options
    )
    assert "2 records are within the limit" in notices(frame, limit=0.38, **options)
    assert "missing" not in notices(frame, missing="category", limit=0.01, **options)


def test_notice_of_keys_that_are_almost_identifiers() -> None:
    frame = pl.DataFrame({"a": [str(i) for i in range(30)], "b": ["x"] * 30, "w": [9.0] * 30})
    assert "Key 'a' has 30 categories in 30 records" in notices(frame, keys=["a", "b"], weight="w")


def test_notice_of_household_size(survey: pl.DataFrame) -> None:
    options = {"weight": "weight", "household": "household"}
    assert "No key holds the size" in notices(survey, keys=["region", "age"], **options)
    assert "No key holds the size" not in notices(survey, keys=["region", "hsize"], **options)


def test_clip_weights_are_refused_or_clipped() -> None:
    frame = pl.DataFrame({"a": ["x", "y"], "w": [0.5, 3.0]})
    with pytest.raises(ms.InputError, match="'w' of the data frame is below 1 in 1 record"):
        ms.study(frame, keys=["a"], weight="w", estimator="cell").risk()
    clipped = ms.study(frame, keys=["a"], weight="w", estimator="cell", clip_weights=True).risk()
    assert clipped.records()["F"].to_list() == [1.0, 3.0]
    assert any("1 weight below 1 was raised to 1." in notice.text for notice in clipped.notices)


def test_unweighted_risk_is_one_over_f() -> None:
    risk = ms.study(pl.DataFrame({"a": list("xxxyz")}), keys=["a"]).risk()
    np.testing.assert_allclose(risk.records()["risk"], [1 / 3] * 3 + [1, 1], rtol=1e-15)


def test_progress_is_told_and_can_stop(survey: pl.DataFrame) -> None:
    told: list[tuple[str, float]] = []
    study = ms.study(survey, keys=[*KEYS, "citizenship"], weight="weight", estimator="cell")
    study.risk(progress=lambda stage, fraction: told.append((stage, fraction)))
    assert {"reading", "counting cells", "counting with missing keys"} <= {s for s, _ in told}
    assert all(0 <= fraction <= 1 for _, fraction in told)

    def stop(stage: str, fraction: float) -> None:
        raise ms.CancelledError(stage)

    with pytest.raises(ms.CancelledError):
        ms.study(survey, keys=KEYS, weight="weight", estimator="cell").risk(progress=stop)


@pytest.mark.parametrize("name", ["series", "sdcmicro"])
def test_a_formula_is_told_beside_the_exact_risk(name: str) -> None:
    frame = ms.survey(1, households=200).frame
    study = ms.study(frame, keys=["region", "sex"], weight="weight", estimator="cell")
    exact = study.risk(one_estimator=True)
    options = {"accuracy": 1e-2} if name == "series" else {}
    found = study.risk(approximation=name, one_estimator=True, **options)  # type: ignore[arg-type]
    assert found.exact is not None
    assert found.exact.expected == exact.expected
    off = np.abs(found.measured.risk - exact.measured.risk).max()
    assert found.largest_error == off > 0
    told = found.summary()["exact"]
    assert (told["expected"], told["max"], told["largest_error"]) == (
        exact.expected,
        exact.max,
        off,
    )
    assert "expected by the exact risk" in repr(found)
    assert "exact" not in exact.summary()
    assert exact.largest_error is None
    if name == "series":
        assert (told["accuracy"], told["orders"]) == (1e-2, list(found.orders or ()))
        assert "powers of the series for 0.01" in repr(found)
    else:
        assert told["orders"] is found.orders is None
