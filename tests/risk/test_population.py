"""Known population counts: F by counting people one by one, the check, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms

KEYS = ["region", "age", "sex"]


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    rng = np.random.default_rng(4)
    n = 3000
    return pl.DataFrame(
        {
            "region": rng.integers(1, 6, n),
            "age": rng.integers(0, 30, n),
            "sex": rng.choice(["f", "m"], n),
        }
    )


@pytest.fixture(scope="module")
def sample(people: pl.DataFrame) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    drawn = people[np.sort(rng.permutation(len(people))[:300])].with_columns(w=pl.lit(10.0))
    gap = pl.Series(rng.random(300) < 0.1)
    return drawn.with_columns(age=pl.when(gap).then(None).otherwise(pl.col("age")))


def count(people: pl.DataFrame, record: dict[str, Any]) -> int:
    """People who agree with what a record shows."""
    for key in KEYS:
        if record[key] is not None:
            people = people.filter(pl.col(key) == record[key])
    return len(people)


def counts_of(people: pl.DataFrame) -> pl.DataFrame:
    return people.group_by(KEYS).len("people").sort(KEYS)


@pytest.mark.parametrize("register", [True, False])
@pytest.mark.parametrize("missing", ["wildcard", "category"])
def test_as_f_the_risk_is_one_over_the_people_who_agree(
    people: pl.DataFrame, sample: pl.DataFrame, missing: Any, *, register: bool
) -> None:
    given: dict[str, Any] = {"population": people}
    if not register:
        given = {"population": counts_of(people), "population_count": "people"}
    study = ms.study(sample, keys=KEYS, weight="w", missing=missing)
    risk = study.risk(**given, population_use="F")
    wanted = [count(people, record) for record in sample.to_dicts()]
    assert risk.records()["F"].to_list() == wanted
    np.testing.assert_array_equal(risk.records()["risk"].to_numpy(), 1 / np.array(wanted))
    assert risk.standard_errors is None
    assert risk.title.endswith("F from the data frame")
    without = {each.key: each.without for each in risk.contributions()}
    fewer = ms.study(sample, keys=["age", "sex"], weight="w", missing=missing)
    assert without["region"] == fewer.risk(**given, population_use="F").expected


def test_attack_models_and_errors_multiply_it(people: pl.DataFrame, sample: pl.DataFrame) -> None:
    whole = sample.drop_nulls()
    for scenario in ({"attack": "ratio"}, {"attack": "weight"}, {"factor": 0.5}):
        study = ms.study(whole, keys=KEYS, weight="w", **scenario)  # type: ignore[arg-type]
        records = study.risk(population=people, population_use="F").records()
        chance = {
            "ratio": records["f"] / records["F"],
            "weight": pl.Series([0.1] * len(whole)),
            "all": pl.Series([0.5] * len(whole)),
        }[study.scenario().attack]
        np.testing.assert_allclose(records["risk"], chance / records["F"], rtol=1e-14)


def test_as_a_check_it_stands_beside_the_estimate(
    people: pl.DataFrame, sample: pl.DataFrame
) -> None:
    study = ms.study(sample, keys=KEYS, weight="w")
    plain, checked = study.risk(), study.risk(population=people)
    known = study.risk(population=people, population_use="F")
    assert checked.expected == plain.expected
    found = checked.population
    assert found is not None
    assert found.people == 3000
    assert found.estimated_people == pytest.approx(3000)
    assert (found.expected, found.estimated) == (known.expected, plain.expected)
    assert found.ratio == known.expected / plain.expected
    f, F = known.measured.f, known.measured.F
    assert found.population_uniques == known.measured.count((f == 1) & (F == 1))
    off = (plain.measured.F > 2 * F) | (2 * plain.measured.F < F)
    assert found.differing == plain.measured.count(off)
    assert found.contradicted == 0
    assert checked.summary()["population"]["ratio"] == found.ratio
    assert plain.summary()["population"] is None
    assert "expected by known counts" in repr(checked)


def test_notices_where_they_disagree(people: pl.DataFrame, sample: pl.DataFrame) -> None:
    study = ms.study(sample.with_columns(w=pl.lit(40.0)), keys=KEYS, weight="w")
    told = {notice.id for notice in study.risk(population=people).notices}
    assert {"population-size", "population-differs"} <= told
    small = people.filter(pl.col("age") > 3)
    told = {notice.id for notice in study.risk(population=small).notices}
    assert "population-contradicted" in told
    assert "population-differs" not in told


def test_what_the_sample_contradicts_is_refused(
    people: pl.DataFrame, sample: pl.DataFrame, tmp_path: Path
) -> None:
    path = tmp_path / "register.csv"
    people.filter(pl.col("age") > 3).write_csv(path)
    study = ms.study(sample, keys=KEYS, weight="w")
    with pytest.raises(ms.InputError, match=r"register.csv has fewer people .* records\."):
        study.risk(population=path, population_use="F")


def test_a_study_of_the_population_can_be_recoded_likewise(
    people: pl.DataFrame, sample: pl.DataFrame
) -> None:
    breaks = [0, 10, 20]
    study = ms.study(sample, keys=KEYS, weight="w").recode("age", breaks=breaks)
    register = ms.study(people, keys=KEYS).recode("age", breaks=breaks)
    risk = study.risk(population=register, population_use="F")
    assert risk.population is not None
    assert risk.population.contradicted == 0
    assert risk.measured.F.sum() > 0


@pytest.mark.parametrize(
    "broken",
    [
        {"population_count": "people"},
        {"population_use": "F"},
        {"population": pl.DataFrame({"region": [1]})},
        {"population": pl.DataFrame({"region": [1], "age": [None], "sex": ["f"]})},
        {"population": pl.DataFrame({"region": [1], "age": [1], "sex": ["f"], "n": ["x"]}),
         "population_count": "n"},
        {"population": pl.DataFrame({"region": [1], "age": [1], "sex": ["f"], "n": [-1]}),
         "population_count": "n"},
        {"population": pl.DataFrame({"region": [1], "age": [1], "sex": ["f"]}),
         "population_count": "sex"},
        {"population": pl.DataFrame({"region": [1], "age": [1], "sex": ["f"]}),
         "population_use": "f"},
    ],
    ids=str,
)  # fmt: skip
def test_refuses_counts_that_mean_nothing(sample: pl.DataFrame, broken: dict[str, Any]) -> None:
    with pytest.raises((ms.UsageError, ms.InputError)):
        ms.study(sample, keys=KEYS, weight="w").risk(**broken)
