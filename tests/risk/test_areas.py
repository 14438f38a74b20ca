"""Small areas: coefficients of variation and merges, by brute force."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.cli import main
from microsafe.errors import InputError, UsageError
from profiles import examples

Capture = pytest.CaptureFixture[str]


def make_people(seed: int, count: int = 60, *, gaps: bool = False) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "home": rng.integers(0, count // 2, count),
            "region": rng.choice(list("abcdef"), count, p=[0.4, 0.3, 0.1, 0.1, 0.05, 0.05]),
            "age": rng.integers(1, 5, count),
            "w": rng.uniform(1, 30, count).round(2),
        }
    )
    frame = frame.with_columns(pl.col("region").replace({c: c.upper() for c in "ab"}).alias("up"))
    if gaps:
        gone = pl.Series(rng.random(count) < 0.2)
        frame = frame.with_columns(
            pl.when(gone).then(None).otherwise(name).alias(name) for name in ("age", "home")
        )
    return frame


def vary(frame: pl.DataFrame, cluster: str | None, inside: pl.Expr) -> float:
    """The coefficient of variation of a number of people, from its definition."""
    if cluster is None:
        z = frame.select(pl.when(inside).then("w").otherwise(0.0)).to_series().to_numpy()
    else:
        homes: dict[object, float] = {}
        part = frame.with_columns(inside.fill_null(False).alias("in"))
        for place, row in enumerate(part.iter_rows(named=True)):
            home = ("alone", place) if row[cluster] is None else row[cluster]
            homes[home] = homes.get(home, 0.0) + row["w"] * row["in"]
        z = np.array(list(homes.values()))
    z = np.nan_to_num(z)
    m = len(z)
    return float(np.sqrt(m / (m - 1) * ((z - z.mean()) ** 2).sum()) / z.sum())


@given(st.integers(0, 10**6), st.booleans(), st.booleans())
@examples(40)
def test_variation_is_that_of_the_definition(seed: int, homes: bool, gaps: bool) -> None:
    frame = make_people(seed, gaps=gaps)
    cluster = "home" if homes else None
    study = ms.study(frame, keys=["age"], weight="w", household=cluster, estimator="cell")
    found = study.areas("region", limit=0.4)
    assert [table.keys for table in found.tables] == [("region",), ("age",), ("region", "age")]
    seen = 0
    for table in found.tables:
        for cell in table.cells:
            inside = pl.all_horizontal(
                pl.col(key).cast(pl.String) == value
                for key, value in zip(table.keys, cell.categories, strict=True)
            )
            here = frame.filter(inside)
            assert (cell.records, cell.people) == (len(here), pytest.approx(here["w"].sum()))
            assert cell.variation == pytest.approx(vary(frame, cluster, inside))
            seen += 1
    assert seen == found.table().height
    assert found.clusters == (
        frame["home"].n_unique() - gaps + frame["home"].null_count() if homes else len(frame)
    )


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([0.25, 0.35, 0.5]))
@examples(30)
def test_what_is_merged_is_below_the_limit(seed: int, homes: bool, limit: float) -> None:
    frame = make_people(seed)
    study = ms.study(
        frame, keys=["age"], weight="w", household="home" if homes else None, estimator="cell"
    )
    for table in study.areas("region", limit=limit).tables:
        order = sorted({cell.categories[0] for cell in table.cells})
        for group in table.merged:  # neighbours
            first = order.index(group[0])
            assert list(group) == order[first : first + len(group)]
        if not table.supported:
            assert not table.merged
            continue
        if not table.merged:
            assert not table.above
            continue
        into = {old: new for new, group in table.groups.items() for old in group}
        merged = frame.with_columns(
            pl.col(table.keys[0]).cast(pl.String).replace(into).alias(table.keys[0])
        )
        again = ms.study(
            merged,
            keys=["age"],
            weight="w",
            household="home" if homes else None,
            estimator="cell",
        ).areas("region", limit=limit)
        assert not again.find_table(*table.keys).above


def test_areas_are_merged_within_their_parent() -> None:
    frame = pl.DataFrame(
        {
            "area": list("aaaaaaaaaaaa") + list("b") + list("c") + list("dddddddddddd"),
            "land": ["n"] * 13 + ["s"] * 13,
            "w": [2.0] * 26,
        }
    )
    study = ms.study(frame, keys=["area"], weight="w", estimator="cell")
    found = study.areas("area", parent="land", limit=0.5)
    assert found.find_table().merged == (("a", "b"), ("c", "d"))
    assert study.areas("area", limit=0.8).find_table().merged == (("b", "c"),)


def test_a_recode_of_the_groups_settles_it() -> None:
    study = ms.study(make_people(3, 200), keys=["region"], weight="w", estimator="cell")
    table = study.areas("region", limit=0.3).find_table()
    assert table.merged
    coarse = study.recode("region", groups=table.groups)
    assert not coarse.areas("region", limit=0.3).find_table().above


def test_bad_input() -> None:
    frame = make_people(1).with_columns(
        one=pl.lit("x"), none=pl.lit(None, pl.String), odd=pl.int_range(pl.len()) % 2
    )
    study = ms.study(frame, keys=["age"], weight="w", estimator="cell")
    with pytest.raises(InputError, match="'none' of the data frame has no value in any record"):
        study.areas("none")
    with pytest.raises(InputError, match="'one' of the data frame has one category only"):
        study.areas("one")
    with pytest.raises(InputError, match="lie in several of 'odd', so it is not broader"):
        study.areas("region", parent="odd")
    with pytest.raises(InputError, match="one record or household only"):
        ms.study(frame.head(1), keys=["age"], weight="w", estimator="cell").areas("region")
    many = pl.DataFrame({"id": range(2500), "age": [1, 2] * 1250, "w": [2.0] * 2500})
    with pytest.raises(InputError, match="'id' of the data frame has 2,500 categories"):
        ms.study(many, keys=["age"], weight="w", estimator="cell").areas("id")
    with pytest.raises(UsageError, match="Name the weight"):
        ms.study(frame, keys=["age"]).areas("region")
    with pytest.raises(UsageError, match="above 0 and at most 1"):
        study.areas("region", limit=0)
    with pytest.raises(UsageError, match="cannot be both"):
        study.areas("w")
    with pytest.raises(InputError, match="Did you mean 'region'"):
        study.areas("regon")
    with pytest.raises(UsageError, match="no table of home"):
        study.areas("region").find_table("home")


def test_on_the_command_line(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "people.csv"
    make_people(2, 300).write_csv(path)
    given = ["tabulate", str(path), "--areas", "region", "--weight", "w", "--household", "home"]
    assert main([*given, "--keys", "age", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    study = ms.study(path, keys=["age"], weight="w", household="home", estimator="cell")
    assert {k: v for k, v in told.items() if k != "notices"} == study.areas("region").summary()
    assert main([*given, "--variation", "0.15"]) == 0
    out = capsys.readouterr().out
    assert "limit of the coefficient of variation  15.0 %" in out
    assert "region" in out
    assert main([*given, "--records", str(tmp_path / "r.csv")]) == 2
    assert "Leave out --records or --areas" in capsys.readouterr().err
    assert main(["tabulate", str(path), "--keys", "age", "--parent", "up"]) == 2
    assert "--areas NAME" in capsys.readouterr().err
    assert main(["tabulate", str(path), "--areas", "regon", "--weight", "w"]) == 3
    assert "Did you mean 'region'" in capsys.readouterr().err
