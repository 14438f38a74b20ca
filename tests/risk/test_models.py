"""Attack models, households, contributions: against their definitions, record by record."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.options.scenario import Attack


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    rng = np.random.default_rng(5)
    rows = 300
    columns: dict[str, object] = {k: rng.integers(1, 5, rows).astype(str) for k in "abc"}
    columns |= {"w": np.round(rng.uniform(1, 60, rows), 1), "hh": rng.integers(0, 120, rows)}
    frame = pl.DataFrame(columns)
    gap = pl.Series(rng.random(rows) < 0.05)
    return frame.with_columns(pl.when(~gap).then(pl.col("b")).alias("b"))


@pytest.mark.parametrize("factor", [1.0, 0.25])
@pytest.mark.parametrize("attack", ["all", "random", "ratio", "weight"])
def test_final_risk_of_each_attack_model(
    frame: pl.DataFrame, attack: Attack, factor: float
) -> None:
    base = ms.study(frame, keys=list("abc"), weight="w", estimator="cell").risk().records()
    chance = {
        "all": pl.lit(1.0),
        "random": pl.lit(1 / 300),
        "ratio": pl.col("f") / pl.col("F"),
        "weight": 1 / pl.Series(frame["w"]),
    }[attack]
    wanted = base.select(factor * chance * pl.col("risk")).to_series().to_numpy()
    risk = ms.study(
        frame,
        keys=list("abc"),
        weight="w",
        estimator="cell",
        household="hh",
        attack=attack,
        factor=factor,
    ).risk(limit=0.01)
    found = risk.records()
    np.testing.assert_allclose(found["risk"], wanted, rtol=1e-14)
    assert risk.expected == pytest.approx(math.fsum(wanted), rel=1e-14)
    assert risk.rate == pytest.approx(math.fsum(wanted) / 300, rel=1e-14)
    assert risk.max == pytest.approx(wanted.max(), rel=1e-14)
    assert risk.limit is not None
    assert risk.limit.unsafe == int((found["risk"] > 0.01).sum())
    assert risk.n_cells == len(frame.select("a", "b", "c").unique())
    assert found["f"].equals(base["f"])
    assert risk.cells()["records"].sum() == 300
    fewer = {key: each.without for each in risk.contributions() for key in [each.key]}
    without_a = ms.study(
        frame, keys=["b", "c"], weight="w", estimator="cell", attack=attack, factor=factor
    ).risk()
    assert fewer["a"] == pytest.approx(without_a.expected, rel=1e-14)


ERRORS = {"a": 0.1, "c": 0.25}


def test_errors_of_keys_lower_the_risk_of_records_that_show_them() -> None:
    frame = pl.DataFrame(
        {"a": ["x", "x", None, "y", None], "b": [1, 2, 1, None, 2], "c": [1, 1, None, 1, 2],
         "w": [3.0, 4.0, 5.0, 6.0, 7.0]}
    )  # fmt: skip
    plain = ms.study(frame, keys=["a", "b", "c"], weight="w", estimator="cell")
    wrong = ms.study(frame, keys=["a", "b", "c"], weight="w", estimator="cell", error=ERRORS)
    shown = [(0.9 if a else 1.0) * (0.75 if c else 1.0) for a, _, c, _ in frame.iter_rows()]
    np.testing.assert_allclose(
        wrong.risk().records()["risk"].to_numpy(),
        plain.risk().records()["risk"].to_numpy() * shown,
        rtol=1e-15,
    )
    without = {each.key: each.without for each in wrong.risk().contributions()}
    fewer = (
        ms.study(frame, keys=["b", "c"], weight="w", estimator="cell", error={"c": 0.25})
        .risk()
        .expected
    )
    assert without["a"] == fewer
    assert wrong.risk().title.endswith("chance of error a 0.1, c 0.25")
    assert wrong.uniques().dis.tolist() == plain.uniques().dis.tolist()


def test_protection_takes_keys_as_never_wrong() -> None:
    frame = ms.survey(1, households=200).frame
    keys = ["region", "hsize", "sex", "age"]
    given = {"keys": keys, "weight": "weight", "household": "household"}
    plain = ms.study(frame, **given)  # type: ignore[arg-type]
    wrong = ms.study(frame, **given, error={"age": 0.6, "sex": 0.5})  # type: ignore[arg-type]
    for limits in ({"above": 0.02}, {"household": 0.03}, {"above": 0.02, "household": 0.03}):
        safe = wrong.suppress(**limits)  # type: ignore[arg-type]
        assert safe.steps[-1].blanks == plain.suppress(**limits).steps[-1].blanks  # type: ignore[arg-type]
        risk = safe.risk()
        assert risk.household is not None
        assert risk.max <= limits.get("above", 1.0)
        assert risk.household.max <= limits.get("household", 1.0)


def test_errors_are_for_keys_and_below_one() -> None:
    for error in ({"z": 0.1}, {"a": 1.0}, {"a": -0.1}):
        with pytest.raises(ms.UsageError):
            ms.Scenario(keys=("a", "b"), error=error)
    study = ms.study(pl.DataFrame({"a": [1], "b": [1]}), keys=["a"], error={"a": 0.1})
    assert study.with_scenario("other", keys=["b"]).scenario("other").error == {}
    assert study.with_scenario("other", keys=["a", "b"]).scenario("other").error == {"a": 0.1}
    both = ms.study(pl.DataFrame({"a": [1], "b": [1]}), keys=["a", "b"], error={"a": 0.1})
    assert both.drop("a", from_keys=True).scenario().error == {}
    assert hash(both.scenario()) == hash(both.scenario())


def test_household_risk(frame: pl.DataFrame) -> None:
    risk = ms.study(frame, keys=list("abc"), weight="w", estimator="cell", household="hh").risk()
    assert risk.household is not None
    records = risk.records().with_columns(frame["hh"])
    wanted = records.group_by("hh").agg(
        one_minus=(1 - pl.col("risk")).product(),
        size=pl.len(),
        known=pl.col("household_risk").first(),
    )
    np.testing.assert_allclose(wanted["known"], 1 - wanted["one_minus"], rtol=1e-12)
    assert risk.household.expected == pytest.approx(records["household_risk"].sum(), rel=1e-13)
    assert risk.household.rate == pytest.approx(records["household_risk"].mean(), rel=1e-13)
    assert risk.household.expected_households == pytest.approx(wanted["known"].sum(), rel=1e-13)
    assert risk.household.unsafe(0.1) == int((wanted["known"] > 0.1).sum())


def test_a_certain_member_makes_the_household_certain() -> None:
    frame = pl.DataFrame({"a": ["x", "y", "y"], "hh": [1, 1, 2]})
    risk = ms.study(frame, keys=["a"], household="hh").risk()
    assert risk.records()["household_risk"].to_list() == [1.0, 1.0, 0.5]


def test_missing_household_ids_are_households_of_one() -> None:
    frame = pl.DataFrame({"a": ["x", "x", "y"], "w": [3.0, 4.0, 5.0], "hh": [None, None, 2]})
    risk = ms.study(frame, keys=["a"], weight="w", estimator="cell", household="hh").risk()
    assert risk.household is not None
    assert len(risk.household.risk) == 3
    records = risk.records()
    np.testing.assert_allclose(records["household_risk"], records["risk"], rtol=1e-15)
    assert any("2 records have no household identifier" in notice.text for notice in risk.notices)


def test_handbook_household() -> None:
    from microsafe.risk import hazard, household_risk

    risk = household_risk(np.array([hazard(np.array([0.02, 0.03, 0.03])).sum()]))
    assert risk[0] == pytest.approx(0.078, abs=5e-4)


def test_several_scenarios(frame: pl.DataFrame) -> None:
    study = ms.study(frame, keys=["a", "b"], weight="w", estimator="cell")
    both = study.with_scenario("register", keys=["a", "c"], attack="random")
    assert len(study.scenarios) == 1
    assert both.risk("register").scenario.weight == "w"
    alone = ms.study(frame, keys=["a", "c"], weight="w", estimator="cell", attack="random").risk()
    assert both.risk("register").expected == alone.expected
    assert both.risk().expected == study.risk().expected
    with pytest.raises(ms.UsageError, match="Did you mean 'register'"):
        both.risk("regster")
    with pytest.raises(ms.UsageError, match="already has"):
        both.with_scenario("main", keys=["a"])
    with pytest.raises(ms.UsageError, match="no scenario"):
        ms.study(frame).risk()


@pytest.mark.parametrize("attack", ["all", "ratio", "weight"])
def test_gapless_risk_is_that_of_alpha_zero(frame: pl.DataFrame, attack: Attack) -> None:
    options = {"keys": list("abc"), "weight": "w", "attack": attack}
    wild = ms.study(frame, **options).risk().measured
    none = ms.study(frame, **options, alpha=0.0).risk().measured
    np.testing.assert_allclose(wild.gapless, none.risk, rtol=1e-14)


def test_contributions_keep_the_approximation(frame: pl.DataFrame) -> None:
    risk = ms.study(
        frame.with_columns(one=pl.lit("1")), keys=["a", "one"], weight="w", estimator="cell"
    ).risk(approximation="series1")
    assert {each.key: each.fall for each in risk.contributions()}["one"] == 0.0


def test_a_weight_without_keys_is_refused(frame: pl.DataFrame) -> None:
    with pytest.raises(ms.UsageError, match="name its keys"):
        ms.study(frame, weight="w", estimator="cell")
    with pytest.raises(ms.UsageError):
        ms.study(frame, keys=[1])  # type: ignore[list-item]
    with pytest.raises(ms.UsageError):
        ms.Scenario(keys="abc")  # type: ignore[arg-type]
    with pytest.raises(ms.UsageError, match="at most 60"):
        ms.Scenario(keys=tuple(f"k{j}" for j in range(61)))
