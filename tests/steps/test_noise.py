"""Noise, random rounding and tails by share as steps: what they promise, and what they refuse."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.engine import slices as batches
from microsafe.engine.local import LocalEngine, records
from microsafe.errors import InputError, UsageError
from microsafe.io import Source
from microsafe.plan.read import read_plan
from microsafe.steps import BottomCode, Noise, Round, Step, TopCode

KINDS = ("multiplicative", "additive", "correlated", "restored")


def people(rows: int = 4_000, seed: int = 5) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    wage = np.round(np.exp(rng.normal(7, 0.7, rows)), 2)
    return pl.DataFrame(
        {
            "id": rng.permutation(rows) + 10,
            "region": rng.choice(["n", "s", "e"], rows, p=[0.5, 0.3, 0.2]),
            "wage": wage,
            "rent": np.where(rng.random(rows) < 0.3, 0.0, np.round(wage * 0.3, 1)),
            "age": rng.integers(18, 90, rows),
            "w": np.round(1 + rng.gamma(3, 20, rows), 2),
        }
    )


PEOPLE = people()


def opened(frame: pl.DataFrame = PEOPLE, **about: Any) -> ms.Study:
    """The data, with something known of `wage`."""
    study = ms.study(
        frame, keys=["region"], weight="w" if "w" in frame.columns else None, estimator="cell"
    )
    if not about:
        return study
    schema = replace(
        study.schema,
        variables=tuple(replace(v, **about) if v.name == "wage" else v for v in study.schema),
    )
    engine = LocalEngine(
        Source(schema=schema, load=lambda names: frame.select(names), columnar=True)
    )
    return ms.Study(engine=engine, scenarios=study.scenarios)


def column(study: ms.Study, name: str = "wage") -> np.ndarray:
    return study.engine.table()[name].to_numpy()  # type: ignore[attr-defined]


STEPS: dict[str, Step] = {
    **{kind: Noise(variables=("wage", "rent"), kind=kind, seed=3) for kind in KINDS},
    "strata": Noise(variables=("wage",), kind="additive", strata=("region",), seed=3),
    "bounds": Noise(variables=("wage",), kind="additive", lowest=500.0, seed=3),
    "round": Round(variable="wage", base=100, random=True, seed=3),
    "top": TopCode(variable="wage", share=0.02, strata=("region",)),
    "bottom": BottomCode(variable="wage", share=0.02, replace="median"),
}
every = pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())


@every
def test_the_same_for_any_size_of_batches(step: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = opened().apply(step)
    table = expected.engine.table()  # type: ignore[attr-defined]
    for size in (8 * 7, 1 << 10):
        monkeypatch.setattr(batches, "BATCH", size)
        monkeypatch.setattr(records, "BATCH", size)
        found = opened().apply(step)
        assert found.engine.table().equals(table)  # type: ignore[attr-defined]
        assert found.steps == expected.steps


@every
def test_another_seed_changes_and_the_same_does_not(step: Step) -> None:
    once = opened().apply(step).engine.table()  # type: ignore[attr-defined]
    assert once.equals(opened().apply(step).engine.table())  # type: ignore[attr-defined]
    if isinstance(step, Noise | Round):
        other = opened().apply(replace(step, seed=4)).engine.table()  # type: ignore[attr-defined]
        assert not other.equals(once)


@pytest.mark.parametrize("name", ["correlated", "strata", "round"])
def test_with_an_identifier_the_order_does_not_matter(name: str) -> None:
    step = replace(STEPS[name], identifier="id")  # type: ignore[call-arg]
    mixed = PEOPLE.sample(fraction=1.0, shuffle=True, seed=1)
    once, again = (opened(each).apply(step).engine.table() for each in (PEOPLE, mixed))  # type: ignore[attr-defined]
    assert once.sort("id").equals(again.sort("id"))
    plain = opened().apply(STEPS[name]).engine.table()  # type: ignore[attr-defined]
    assert not plain.equals(once)


@every
def test_missing_stays_missing_and_all_else_as_it_was(step: Step) -> None:
    gaps = PEOPLE.with_columns(
        pl.when(pl.int_range(pl.len()) % 11 != 0).then("wage").alias("wage"),
        pl.when(pl.int_range(pl.len()) % 13 != 0).then("region").alias("region"),
    )
    before = opened(gaps)
    after = before.apply(step).engine.table()  # type: ignore[attr-defined]
    assert (after["wage"].is_null() == gaps["wage"].is_null()).all()
    left = [name for name in gaps.columns if name not in step.targets]
    assert after.select(left).equals(gaps.select(left))
    assert not after["wage"].equals(gaps["wage"])


@every
def test_round_trips_as_a_plan(step: Step, tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    study = ms.study(tmp_path / "people.csv", keys=["region"], weight="w", estimator="cell").apply(
        step
    )
    plan = study.plan(
        "safe.csv", keep={"age": "test", "id": "test", "rent": "test", "wage": "test"}
    )
    from microsafe.plan.model import plan_text

    path = tmp_path / "plan.toml"
    path.write_text(plan_text(plan))
    assert read_plan(path).steps == (step,)


def test_zeros_stay_and_values_keep_their_digits() -> None:
    done = opened().noise(["wage", "rent"], kind="additive", seed=1)
    rent = column(done, "rent")
    assert ((rent == 0) >= (PEOPLE["rent"] == 0).to_numpy()).all()
    assert np.array_equal(np.round(rent, 1), rent)
    assert np.array_equal(np.round(column(done), 2), column(done))
    assert not np.array_equal(np.round(column(done), 1), column(done))
    all_of_them = opened().noise("rent", kind="additive", zeros="perturb", seed=1)
    assert (column(all_of_them, "rent") == 0).mean() < 0.01
    whole = opened().noise("age", kind="additive", seed=1)
    assert whole.schema["age"].kind == "integer"
    finer = opened().noise("age", kind="additive", decimals=1, seed=1)
    assert finer.schema["age"].kind == "number"


@pytest.mark.parametrize("kind", KINDS)
def test_moments(kind: Any) -> None:
    rows = 40_000
    frame = people(rows).drop("w")
    done = opened(frame).noise(["wage", "rent"], kind=kind, variance=0.2, seed=9, decimals=4)
    x, y = frame["wage"].to_numpy(), frame["rent"].to_numpy()
    z, v = column(done), column(done, "rent")
    noise = z - x
    scale = math.sqrt(0.2) * (x if kind == "multiplicative" else np.full(rows, x.std(ddof=1)))
    if kind == "restored":
        assert z.mean() == pytest.approx(x.mean(), rel=0.01)
        assert z.std() == pytest.approx(x.std(), rel=0.02)
        paid = y > 0
        assert np.cov(z[paid], v[paid]) == pytest.approx(np.cov(x[paid], y[paid]), rel=0.05)
        return
    assert abs(noise.mean()) < 4 * math.sqrt((scale**2).mean() / rows)
    assert noise.var() == pytest.approx((scale**2).mean(), rel=0.1)
    paid = y > 0
    r = np.corrcoef(noise[paid], (v - y)[paid])[0, 1]
    own = np.corrcoef(x[paid], y[paid])[0, 1]
    assert r == pytest.approx(own if kind == "correlated" else 0.0, abs=4 / math.sqrt(rows / 2))


def test_bounds_are_kept_and_counted() -> None:
    step = STEPS["bounds"]
    frame = PEOPLE.filter(pl.col("wage") >= 500)
    done = opened(frame).apply(step)
    assert column(done).min() >= 500
    free = opened(frame).apply(replace(step, lowest=None))  # type: ignore[call-arg]
    below = int((column(free) < 500).sum())
    taken = done.steps[-1]
    assert abs(taken.facts["mirrored"]["wage"] - below) <= 2  # type: ignore[index]  # rounding
    assert ("Values mirrored at a bound", f"{taken.facts['mirrored']['wage']}") in step.results(  # type: ignore[index]
        taken
    )


def test_no_value_becomes_a_missing_code() -> None:
    frame = PEOPLE.with_columns(pl.col("wage").round(0).cast(pl.Int64).clip(990, 1010))
    step = Noise(variables=("wage",), kind="additive", seed=1)
    free = column(opened(frame).apply(step)).tolist()
    assert 999 in free
    for about in ({"missing": (999,)}, {"missing_ranges": ((998.0, 1001.0),)}):
        kept = frame.with_columns(pl.when(~pl.col("wage").is_between(998, 1001)).then("wage"))
        done = opened(kept, **about)
        found = done.apply(step).engine.table()["wage"]  # type: ignore[attr-defined]
        assert found.null_count() == kept["wage"].null_count()
        assert 999 not in found.to_list()
    with pytest.raises(InputError, match=r"one of its missing codes\. Choose another base"):
        opened(frame, missing=(1000,)).round("wage", 100, random=True, seed=1)


def test_labels_stay_with_missing_codes() -> None:
    frame = PEOPLE.with_columns(pl.col("wage").round(0).cast(pl.Int64))
    study = opened(frame, labels={5: "five", 99: "refused"}, missing=(99,))
    done = study.noise("wage", seed=1)
    assert done.schema["wage"].labels == {99: "refused"}


def test_the_outer_one_per_cent_is_told() -> None:
    weak = opened().noise("wage", kind="additive", variance=0.0001, seed=1)
    assert weak.steps[-1].facts["outer_linked"] > 0.5  # type: ignore[operator]
    assert any(each.id == "noise-outer" for each in weak.notices)
    assert "of the outer 1 % linked" in weak.steps[-1].words
    strong = opened().noise("wage", variance=0.3, seed=1)
    assert strong.steps[-1].facts["outer_linked"] < 0.1  # type: ignore[operator]
    assert not any(each.id == "noise-outer" for each in strong.notices)


def test_strata_of_one_value_are_counted() -> None:
    frame = PEOPLE.with_columns(
        pl.when(pl.col("region") == "n").then(7.5).otherwise("wage").alias("wage")
    )
    done = opened(frame).noise("wage", kind="additive", strata=["region"], seed=1)
    same = int((frame["region"] == "n").sum())
    assert done.steps[-1].facts["still"] == {"wage": same}
    (notice,) = [each for each in done.notices if each.id == "noise-still"]
    assert f"{same:,} values got no noise" in notice.text


def test_random_rounding() -> None:
    done = opened().apply(STEPS["round"])
    z, x = column(done), PEOPLE["wage"].to_numpy()
    assert (z % 100 == 0).all()
    assert (np.abs(z - x) < 100).all()
    assert abs((z - x).mean()) < 4 * 50 / math.sqrt(len(x))
    assert done.steps[-1].words == "round wage to multiples of 100 at random"
    plain = Round(variable="wage", base=100, seed=4)
    assert plain == Round(variable="wage", base=100)
    with pytest.raises(UsageError, match="seed of random rounding"):
        Round(variable="wage", base=100, random=True)


def test_tails_by_share_keep_weighted_totals() -> None:
    done = opened().top_code("wage", share=0.02, strata=["region"])
    w, x, z = (PEOPLE[n].to_numpy() for n in ("w", "wage", "wage"))
    z = column(done)
    for region in "nse":
        here = (PEOPLE["region"] == region).to_numpy()
        coded = here & (z != x)
        assert len(set(z[coded].tolist())) == 1
        share = w[here & (x >= x[coded].min())].sum() / w[here].sum()
        assert 0.02 <= share < 0.03
        assert (w * z)[here].sum() == pytest.approx((w * x)[here].sum(), rel=1e-5)
    taken = done.steps[-1]
    assert taken.step.results(taken)[0] == ("Records coded", f"{taken.facts['coded']:,}")
    assert "top-code wage 2.0 % of the population by region, replaced by the mean" in taken.words
    step = taken.step
    assert isinstance(step, TopCode)
    assert (step.replace, step.least) == ("mean", 3)
    by_limit = opened().bottom_code("wage", 400, replace="median")
    assert len(set(column(by_limit)[PEOPLE["wage"].to_numpy() <= 400].tolist())) == 1


def test_a_key_can_be_coded_by_share() -> None:
    study = ms.study(PEOPLE, keys=["region", "age"], weight="w", estimator="cell")
    done = study.top_code("age", share=0.1)
    assert len(done.engine.categories("age")) < len(study.engine.categories("age"))
    assert done.risk().expected < study.risk().expected
    with pytest.raises(UsageError, match="Round it without chance"):
        study.round("age", 10, random=True, seed=1)


BAD: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "text": ({"variables": ("region",)}, UsageError, "is a key of scenario"),
    "key": ({"variables": ("region",), "kind": "additive"}, UsageError, "Band it by recode"),
    "none": ({"variables": ()}, UsageError, "Name at least one variable"),
    "twice": ({"variables": ("wage", "wage")}, UsageError, "named twice"),
    "variance": ({"variables": ("wage",), "variance": 0.0}, UsageError, "above 0 and at most 10"),
    "large": ({"variables": ("wage",), "variance": 11.0}, UsageError, "above 0 and at most 10"),
    "bounds": ({"variables": ("wage",), "lowest": 1.0, "highest": 1.0}, UsageError, "below the"),
    "decimals": ({"variables": ("wage",), "decimals": -1}, UsageError, "whole number from 0"),
    "seed": ({"variables": ("wage",), "seed": -1}, UsageError, "whole number, 0 or above"),
    "stratum": ({"variables": ("wage",), "strata": ("wage",)}, UsageError, "both a stratum"),
    "unknown": ({"variables": ("wages",)}, InputError, "Did you mean 'wage'"),
    "identifier": ({"variables": ("wage",), "identifier": "age"}, InputError, "same value in sev"),
}


@pytest.mark.parametrize(("options", "error", "words"), BAD.values(), ids=BAD.keys())
def test_bad_options(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        opened().noise(**({"seed": 1} | options))


def test_data_that_no_noise_suits() -> None:
    rows = pl.int_range(pl.len())
    for change, kind, words in (
        (pl.lit("a").alias("wage"), "additive", "holds text instead of a number"),
        (pl.when(rows == 3).then(np.inf).otherwise("wage").alias("wage"), "additive", "infinite"),
        (pl.lit(5.0).alias("wage"), "additive", "same value in every record"),
        (pl.lit(None, pl.Float64).alias("wage"), "additive", "missing in all records"),
        ((pl.col("wage") - 500).alias("wage"), "multiplicative", 'Use kind = "additive"'),
        (pl.when(rows == 0).then(5.0).otherwise(0.0).alias("wage"), "additive", "besides 0"),
    ):
        with pytest.raises(InputError, match=words):
            opened(PEOPLE.with_columns(change)).noise("wage", kind=kind, seed=1)
    with pytest.raises(InputError, match="same value in every record"):
        opened(PEOPLE.head(1)).noise("wage", seed=1)
    for step in (STEPS["top"], STEPS["round"]):
        with pytest.raises((InputError, UsageError), match="text"):
            opened(PEOPLE.with_columns(pl.lit("a").alias("wage"))).apply(step)


def test_too_few_records_to_code() -> None:
    with pytest.raises(InputError, match=r"Only \d records of 'wage'.* Raise the share\."):
        opened().top_code("wage", share=0.0001)
    with pytest.raises(InputError, match=r"in \d of 3 strata.* or take larger strata\."):
        opened(PEOPLE.head(200)).top_code("wage", share=0.02, strata=["region"])
    with pytest.raises(InputError, match=r"Only 0 records.* Choose another limit\."):
        opened().top_code("wage", 1e9, replace="mean")
    for options, words in (
        ({}, "give one"),
        ({"limit": 1, "share": 0.1}, "give one"),
        ({"share": 0.0}, "above 0, below 0.5"),
        ({"share": 0.1, "code": 5}, "A code or a label"),
        ({"share": 0.1, "least": 1}, "At least 2"),
        ({"limit": 5, "least": 3}, "'least' belongs"),
    ):
        with pytest.raises(UsageError, match=words):
            opened().top_code("wage", **options)  # type: ignore[arg-type]


def test_decimals_that_a_field_of_fixed_width_cannot_hold() -> None:
    whole = PEOPLE.with_columns(pl.col("wage").round(0).clip(0, 9999))
    study = opened(whole, width=4, decimals=0)
    with pytest.raises(InputError, match=r"room for 4 characters, too few.* fewer decimals"):
        study.noise("wage", decimals=2, seed=1)
    assert column(study.noise("wage", seed=1)).max() <= 9999
    assert column(study.noise("wage", seed=1, kind="additive")).min() >= -999
    with pytest.raises(InputError, match="room for 4 characters"):
        study.round("wage", 0.5, random=True, seed=1)
    # A width of display is none: formats such as SPSS's say so.
    opened(whole, width=4, decimals=0, format="F4.0").noise("wage", decimals=2, seed=1)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ('do = "noise"\nvariables = ["loss"]', 'Use kind = "additive"'),
        ('do = "noise"\nvariables = ["note"]\nkind = "additive"', "holds text"),
        ('do = "top_code"\nvariable = "wage"\nshare = "0.01 %"', "Raise the share"),
    ],
)
def test_bad_data_in_a_plan_is_exit_3_and_nothing_written(
    step: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    PEOPLE.with_columns((pl.col("wage") - 900).alias("loss"), pl.lit("x").alias("note")).write_csv(
        tmp_path / "people.csv"
    )
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'microsafe = 1\n[input]\nfile = "people.csv"\n[scenario]\nkeys = ["region"]\nweight = "w"\n'
        f"[[step]]\n{step}\n"
        '[[keep]]\nvariables = ["age", "id", "rent", "wage", "loss", "note"]\nwhy = "test"\n'
        '[output]\nfile = "safe.csv"\nkeep_order = "test"\n'
    )
    assert main(["protect", str(plan)]) == 3
    assert words in capsys.readouterr().err
    assert not (tmp_path / "safe.csv").exists()


@pytest.mark.slow
def test_seeds_of_rounding_are_drawn_only_where_chance_is(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    plan = tmp_path / "plan.toml"
    text = (
        'microsafe = 1\n[input]\nfile = "people.csv"\n[scenario]\nkeys = ["region"]\nweight = "w"\n'
        '[[step]]\ndo = "round"\nvariable = "wage"\nbase = 10\nRANDOM'
        '[[keep]]\nvariables = ["age", "id", "rent", "wage"]\nwhy = "test"\n'
        '[output]\nfile = "safe.csv"\nkeep_order = "test"\n'
    )
    plan.write_text(text.replace("RANDOM", ""))
    assert main(["protect", str(plan)]) in (0, 1)
    assert not plan.with_suffix(".seeds").exists()
    plan.write_text(text.replace("RANDOM", "random = true\n"))
    assert main(["protect", str(plan)]) in (0, 1)
    assert plan.with_suffix(".seeds").exists()
    assert main(["replay", str(plan), "--check"]) == 0
