"""Weights that are released changed: the file shows them, risk is measured with the true ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.steps.released_weights import WeightTotals

ROWS = 1200
STEPS: dict[str, Callable[[ms.Study], ms.Study]] = {
    "round": lambda s: s.round("w", base=5),
    "random": lambda s: s.round("w", base=5, random=True, seed=4),
    "microaggregate": lambda s: s.microaggregate("w", k=200, strata="area"),
    "noise": lambda s: s.noise("w", strata="area", variance=0.2, seed=5),
    "additive": lambda s: s.noise("w", kind="additive", seed=5),
    "twice": lambda s: s.noise("w", seed=5).round("w", base=2),
}


def frame() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    home = np.arange(ROWS) // 2
    return pl.DataFrame(
        {
            "home": home,
            "area": (home % 8).astype(str),
            "age": rng.integers(18, 60, ROWS),
            "sex": rng.choice(["f", "m"], ROWS),
            "w": 10.5 + 7 * (home % 8) + 0.25 * (home % 5),
        }
    )


def opened(household: str | None = None, **options: object) -> ms.Study:
    named: dict[str, Any] = {"estimator": "cell"} | options
    found = ms.study(frame(), keys=["area", "age", "sex"], weight="w", household=household, **named)
    return found.recode("area", groups={"x": ["0", "1", "2", "3"]}, other="y")


def table(study: ms.Study) -> pl.DataFrame:
    return study.engine.table()  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("name", STEPS)
def test_all_figures_are_those_of_the_true_weights(name: str) -> None:
    for options in ({}, {"attack": "weight"}, {"estimator": "model"}):
        start = opened("home", **options)
        made = STEPS[name](start)
        one, other = start.risk(), made.risk()
        assert one.summary()["risk"] == other.summary()["risk"]
        assert one.household is not None
        assert other.household is not None
        assert one.household.expected == other.household.expected
        assert start.limit(expected=5) == made.limit(expected=5)
    start, made = opened(), STEPS[name](opened())
    assert start.file_risk().tau2 == made.file_risk().tau2
    assert start.uniques().summary() == made.uniques().summary()
    assert start.suggest()[0].after == made.suggest()[0].after
    before, after = start.suppress(above=0.02), made.suppress(above=0.02)
    assert before.steps[-1].blanks == after.steps[-1].blanks
    assert sum(before.steps[-1].blanks.values())
    assert before.risk().expected == after.risk().expected
    assert before.tau() == after.tau()
    assert made.compare().summary()["touched"] == start.compare().summary()["touched"]


@pytest.mark.parametrize("name", STEPS)
def test_the_file_has_the_changed_weights_and_no_others(name: str, tmp_path: Path) -> None:
    start = opened()
    made = STEPS[name](start).suppress(above=0.02)
    made.write(tmp_path / "safe.csv")
    written = pl.read_csv(tmp_path / "safe.csv")
    assert written.columns == frame().columns
    assert (written["w"] != frame()["w"]).mean() > 0.5
    assert np.allclose(written["w"], table(made)["w"], rtol=0, atol=1e-9)
    assert made.undo().undo().schema.names == start.schema.names
    (notice,) = [each for each in made.risk().notices if each.id.startswith("weight-changed")]
    assert "risk was measured with the weights as they were" in notice.text


@pytest.mark.parametrize("name", STEPS)
def test_members_of_a_household_keep_one_weight(name: str) -> None:
    made = table(STEPS[name](opened("home")))
    assert made.group_by("home").agg(pl.col("w").n_unique())["w"].max() == 1


def test_sums_of_weights() -> None:
    old = frame()["w"].sum()
    for made in (STEPS["noise"](opened()), STEPS["microaggregate"](opened())):
        sums = table(made).group_by("area").agg(pl.col("w").sum()).sort("area")["w"].to_list()
        true = table(opened()).group_by("area").agg(pl.col("w").sum()).sort("area")["w"].to_list()
        assert sums == pytest.approx(true, rel=1e-8)
        told = made.steps[-1].facts["weight"]
        assert isinstance(told, WeightTotals)
        assert told.largest is not None
        assert told.largest < 1e-7
    assert table(STEPS["noise"](opened()))["w"].sum() == pytest.approx(old, rel=1e-12)
    rounded = STEPS["random"](opened())
    told = rounded.steps[-1].facts["weight"]
    assert isinstance(told, WeightTotals)
    assert told.before == pytest.approx(old, rel=1e-12)
    assert told.after == table(rounded)["w"].sum()
    assert told.change == pytest.approx(told.after / old - 1)
    drawn = [table(opened().round("w", base=5, random=True, seed=s))["w"].sum() for s in range(40)]
    error = 5 / 2 * np.sqrt(ROWS) / np.sqrt(40)
    assert abs(np.mean(drawn) - old) < 4 * error


def test_what_other_weights_do_to_means_is_said() -> None:
    old = frame().drop("home").with_columns(age=pl.col("age") + 0.5)  # a number, no category
    study = ms.study(old, keys=["area", "sex"], weight="w", estimator="cell")
    made = study.noise("w", variance=0.2, seed=5)
    new = table(made)
    parts = [pl.lit(value=True)]
    parts += [pl.col(name) == each for name in ("area", "sex") for each in old[name].unique()]
    shifts = []
    for part in parts:
        sides = [each.filter(part) for each in (old, new)]
        totals = [(each["age"] * each["w"]).sum() for each in sides]
        means = [sum_ / each["w"].sum() for sum_, each in zip(totals, sides, strict=True)]
        shifts.append([abs(each[1] / each[0] - 1) for each in (means, totals)])
    mean, total = (f"{100 * max(each):.3f} %" for each in zip(*shifts, strict=True))
    (note,) = [each for each in made.compare().notes if "released changed" in each]
    assert note.endswith(f"change a mean by {mean} at most, a total by {total}.")
    assert not any("released changed" in each for each in study.compare().notes)


def test_noise_on_weights_keeps_them_weights() -> None:
    low = frame().with_columns(w=pl.when(pl.col("age") < 30).then(1.0).otherwise(3.0))
    study = ms.study(low, keys=["area", "sex"], weight="w", estimator="cell")
    made = table(study.noise("w", kind="additive", variance=9.0, strata="area", seed=1))
    assert made["w"].min() == 1
    assert made["w"].sum() == low["w"].sum()
    clipped = low.with_columns(w=pl.col("w") / 4)
    study = ms.study(clipped, keys=["area", "sex"], weight="w", estimator="cell", clip_weights=True)
    made = table(study.noise("w", variance=0.5, decimals=3, seed=1))
    assert made["w"].min() > 0
    assert made["w"].sum() == pytest.approx(clipped["w"].sum(), abs=1e-9)


def test_rows_in_another_order_give_the_same() -> None:
    data = frame().with_row_index("id", 1)
    mixed = data.sample(fraction=1, shuffle=True, seed=2)
    options = {"keys": ["age", "sex"], "weight": "w"}
    for take in (
        lambda s: s.noise("w", strata="area", identifier="id", seed=5),
        lambda s: s.round("w", base=5, random=True, identifier="id", seed=5),
    ):
        one, other = (table(take(ms.study(each, **options))).sort("id") for each in (data, mixed))
        assert one["w"].equals(other["w"])


def test_with_keys_that_were_perturbed() -> None:
    plain = opened().pram("sex", seed=3)
    for name in ("round", "noise"):
        after, before = STEPS[name](plain), STEPS[name](opened()).pram("sex", seed=3)
        assert after.risk().expected == plain.risk().expected
        assert {each.id for each in after.risk().notices} >= {"perturbed-keys"}
        assert table(after)["sex"].equals(table(plain)["sex"])
        assert table(before)["w"].equals(table(STEPS[name](opened()))["w"])
        assert before.schema.names == plain.schema.names
    with pytest.raises(ms.UsageError, match=r"'sex' was perturbed before .*Name other strata"):
        plain.microaggregate("w", strata="sex")


def test_what_is_refused() -> None:
    start = opened()
    with pytest.raises(ms.InputError, match=r"fall below 1.*Round to a smaller base"):
        start.round("w", base=200)
    with pytest.raises(ms.UsageError, match="in a step of its own"):
        start.noise(["w", "home"], seed=1)
    with pytest.raises(ms.UsageError, match="has no highest value"):
        start.noise("w", highest=100, seed=1)
    with pytest.raises(ms.UsageError, match="cannot be averaged by itself"):
        start.microaggregate("w", weights=True)
    both = ms.study(frame(), keys=["w", "sex"]).with_scenario(
        "b", keys=["area"], weight="w", estimator="cell"
    )
    with pytest.raises(ms.UsageError, match="scenario 'main' names it as well"):
        both.round("w", base=5)
    for step in (
        lambda: start.recode("w", breaks=[20.0]),
        lambda: start.top_code("w", limit=20),
        lambda: start.rank_swap("w", seed=1),
        lambda: start.shuffle("w", given="sex", seed=1),
        lambda: start.pram("w", seed=1),
    ):
        with pytest.raises(ms.UsageError, match="weight"):
            step()
    with pytest.raises(ms.UsageError, match="does not tell records apart"):
        STEPS["round"](start).risk().records(id="w")
