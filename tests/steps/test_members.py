"""Members that are kept of each household: who, with what weight, whatever the order of rows."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.errors import InputError, UsageError
from microsafe.steps import Members, Sample

KEYS = ["region", "sex", "age"]
SURVEY = ms.survey(4, households=150).frame.with_columns(
    pl.when(pl.int_range(pl.len()) % 23 != 0).then("household").alias("household"),
    pl.int_range(pl.len()).alias("place"),
)


def opened(frame: Any = SURVEY, **roles: str) -> ms.Study:
    given = {"weight": "weight", "household": "household"} | roles
    return ms.study(frame, keys=KEYS, **{name: value for name, value in given.items() if value})


def homes_of(frame: pl.DataFrame) -> list[list[dict[str, Any]]]:
    homes = defaultdict(list)
    for row in frame.iter_rows(named=True):
        number = row["household"]
        homes[("alone", row["place"]) if number is None else number].append(row)
    return list(homes.values())


def kept_of(study: ms.Study) -> dict[int, dict[str, Any]]:
    return {row["place"]: row for row in study.to_polars().iter_rows(named=True)}


@pytest.mark.parametrize("weight", ["weight", ""])
def test_one_person_stands_for_all_members(weight: str) -> None:
    frame = SURVEY if weight else SURVEY.drop("weight")
    made = opened(frame, weight=weight).members("one", seed=5)
    kept, homes = kept_of(made), homes_of(frame)
    for home in homes:
        (one,) = [row for row in home if row["place"] in kept]
        assert kept[one["place"]]["weight"] == len(home) * one.get("weight", 1.0)
    assert len(kept) == len(homes) == made.steps[-1].facts["kept"].households
    assert (made.scenario().household, made.scenario().weight) == (None, "weight")
    assert "household" not in made.schema
    assert made.engine.schema["weight"].role == ("weight" if not weight else None)


def test_the_two_oldest_stand_for_themselves() -> None:
    frame = SURVEY.with_columns(pl.when(pl.col("place") % 7 != 0).then("age").alias("age"))
    made = opened(frame).members("oldest", age="age", seed=5)
    kept = kept_of(made)
    assert [notice.id for notice in made.notices] == ["members-oldest"]
    for home in homes_of(frame):
        ages = [-1 if row["age"] is None else row["age"] for row in home]
        there = [age for age, row in zip(ages, home, strict=True) if row["place"] in kept]
        assert sorted(there, reverse=True) == sorted(ages, reverse=True)[:2]
        assert all(
            kept[row["place"]]["weight"] == row["weight"] for row in home if row["place"] in kept
        )
    rows = {row.name: row for row in made.intruders()}
    assert rows["family"].now.not_tried
    assert rows["rejoin"].now.expected is not None  # two of a household may still be put together


@pytest.mark.parametrize("options", [{"keep": "one"}, {"keep": "oldest", "age": "age"}])
def test_order_undo_plan_and_replay(options: dict[str, str], tmp_path: Path) -> None:
    start = opened()
    made = start.members(**options, seed=8)  # type: ignore[arg-type]
    other = opened(SURVEY.sample(fraction=1.0, shuffle=True, seed=2))
    assert kept_of(other.members(**options, seed=8)) == kept_of(made)  # type: ignore[arg-type]
    differs = kept_of(start.members(**options, seed=9)) != kept_of(made)  # type: ignore[arg-type]
    assert differs == (options["keep"] == "one")  # who is as old as another is left out by chance
    assert made.undo() is start
    assert made.risk().expected == made.rollback(1).risk().expected
    assert made.recode("age", breaks=range(0, 90, 10)).compare().records == made.engine.rows()


def test_of_a_sample_that_was_drawn_before() -> None:
    drawn = opened().sample(0.5, seed=1)
    made = drawn.members("one", seed=2)
    assert set(kept_of(made)) <= set(kept_of(drawn))
    assert kept_of(made) == kept_of(made.recode("hsize", breaks=(1, 3)).rollback(2))
    again = opened().members("one", seed=2).apply(Sample(fraction=0.5, seed=1))
    assert 0 < again.engine.rows() < 150
    assert again.recode("hsize", breaks=(1, 3)).compare().records == again.engine.rows()


def test_chances_are_even() -> None:
    frame = pl.DataFrame({"household": [1] * 4 + [2], "age": [1, 2, 3, 4, 5], "w": [1.0] * 5})
    study = ms.study(frame, keys=["age"], weight="w", household="household")
    found = [study.members("one", seed=seed).to_polars()["age"].to_list()[0] for seed in range(400)]
    assert all(70 <= found.count(age) <= 130 for age in range(1, 5))


BAD: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "one household": ({"household": "same"}, InputError, "'same' .* same in all records"),
    "nobody left out": ({"household": "place"}, InputError, "nobody would be left out.* Drop"),
    "text": ({"keep": "oldest", "age": "word"}, InputError, "word"),
    "no age": ({"keep": "oldest"}, UsageError, r"oldest are found \(age\)"),
    "age for one": ({"age": "age"}, UsageError, "by age"),
    "weight": ({"weight": "income"}, UsageError, "uses the weight 'weight'"),
    "key": ({"household": "region"}, UsageError, "'region' is a key"),
    "unknown": ({"household": "hosehold"}, KeyError, "Did you mean 'household'"),
    "word": ({"keep": "all"}, UsageError, "'one' person of each household or the 'oldest'"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_with_the_remedy(case: str) -> None:
    options, error, words = BAD[case]
    frame = SURVEY.with_columns(pl.lit(1).alias("same"), pl.lit("x").alias("word"))
    with pytest.raises(error, match=words):
        opened(frame).members(**{"keep": "one", "seed": 1} | options)  # type: ignore[arg-type]
    assert Members(keep="one", seed=1).household == "household"


def test_it_comes_before_other_steps() -> None:
    with pytest.raises(UsageError, match="before other steps"):
        opened().recode("age", breaks=range(0, 90, 10)).members("one", seed=1)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    SURVEY.write_csv(tmp_path / "survey.csv")
    file, out = str(tmp_path / "survey.csv"), tmp_path / "one.csv"
    roles = ["--keys", "region,sex,age", "--weight", "weight", "--household", "household"]
    given = ["apply", file, *roles, "-o", str(out)]
    assert main([*given, "--step", "members keep=one seed=3"]) == 0
    assert "one person of each of" in capsys.readouterr().out
    assert len(pl.read_csv(out)) == len(homes_of(SURVEY))
    out.unlink()
    assert main([*given, "--step", "members keep=one seed=3 household=place"]) == 3
    assert "Drop the number" in capsys.readouterr().err
    assert not out.exists()


PLAN = """
microsafe = 1
[input]
file = "survey.csv"
[scenario]
keys = ["region", "sex", "age"]
weight = "weight"
household = "household"
estimator = "model"
[policy]
record_risk = 0.2
intruders = { rejoin = 0.2 }
[[step]]
do = "members"
OPTIONS
why = "families are not studied"
[[step]]
do = "suppress"
above = 0.2
[[keep]]
variables = ["hsize", "education", "occupation", "citizenship", "income", "marital", "place"]
why = "nobody knows them"
[output]
file = "safe.csv"
shuffle = 1
"""


@pytest.mark.parametrize("options", ['keep = "one"', 'keep = "oldest"\nage = "age"'])
def test_a_plan_draws_a_seed_and_replays(
    options: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    SURVEY.write_csv(tmp_path / "survey.csv")
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.replace("OPTIONS", options))
    assert main(["protect", str(plan)]) == 0
    shown = capsys.readouterr().out
    assert "Re-joiner was not tried" in shown or "rejoin at most" in shown
    assert pl.read_csv(tmp_path / "safe.csv").columns[0] != "household"
    assert "members" in (tmp_path / "plan.seeds").read_text()
    assert main(["replay", str(plan), "--check"]) == 0
