"""No step is a gain: random sequences of steps, and the cases where a loss could go astray."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.compare.cost import compare
from microsafe.engine.local import LocalEngine
from microsafe.io import Source
from microsafe.steps import (
    BottomCode,
    Drop,
    Microaggregate,
    Noise,
    Pram,
    RankSwap,
    Recode,
    Renumber,
    Round,
    Shuffle,
    Step,
    Suppress,
    Swap,
    TopCode,
)
from profiles import examples

SEQUENCE: dict[str, Step] = {
    "merge": Recode(variable="a", groups={"pq": ("p", "q")}),
    "merge again": Recode(variable="a", groups={"z": ("pq", "r")}),
    "groups": Recode(variable="b", groups={"1": ("1", "2"), "3": ("3", "4")}),
    "bins": Recode(variable="age", breaks=(10, 20, 40)),
    "bins of numbers": Recode(variable="income", breaks=(500, 1000, 2000)),
    "rename": Recode(variable="one", groups={"y": ("x",)}),
    "top": TopCode(variable="age", limit=40),
    "bottom": BottomCode(variable="age", limit=10),
    "top share": TopCode(variable="income", share=0.1),
    "bottom mean": BottomCode(variable="income", limit=400, replace="mean"),
    "round": Round(variable="age", base=5),
    "round number": Round(variable="income", base=100),
    "round at random": Round(variable="income", base=100, random=True, seed=1),
    "suppress": Suppress(k=3, spare=("b",)),
    "suppress one scenario": Suppress(above=0.3, scenarios=("other",)),
    "suppress linked": Suppress(k=2, linked={"age": ("income",)}),
    "pram": Pram(variable="a", keep=0.7, seed=1),
    "pram back": Pram(variable="a", keep=0.6, seed=2),
    "swap": Swap(household="home", areas=("area",), k=2, seed=1),
    "microaggregate": Microaggregate(variables=("income",)),
    "noise": Noise(variables=("income",), variance=0.5, seed=1),
    "rank swap": RankSwap(variables=("income", "few"), percent=20, seed=1),
    "shuffle": Shuffle(variables=("income",), given=("b",), seed=1),
    "renumber": Renumber(variable="b", seed=1),
    "drop key": Drop(variables=("b",), from_keys=True),
    "drop number": Drop(variables=("income",)),
}


def draw_file(seed: int, rows: int = 90) -> pl.DataFrame:
    """A file with gaps, a variable of one category, and what members of a household share."""
    rng = random.Random(seed)

    def with_gaps(value: Any) -> Any:
        return None if rng.random() < 0.1 else value

    return pl.DataFrame(
        {
            "a": [with_gaps(rng.choice("pqrs")) for _ in range(rows)],
            "b": [rng.randint(1, 6) for _ in range(rows)],
            "age": [with_gaps(rng.randint(0, 60)) for _ in range(rows)],
            "one": ["x"] * rows,
            "home": [at // 3 for at in range(rows)],
            "area": [1 + (at // 3 * 7 + seed) % 4 for at in range(rows)],
            "few": [rng.randint(1, 7) for _ in range(rows)],
            "income": [with_gaps(round(rng.lognormvariate(7, 1))) for _ in range(rows)],
            "weight": [rng.uniform(1, 5) for _ in range(rows)],
        }
    )


def open_file(frame: pl.DataFrame) -> ms.Study:
    roles = {"weight": "weight", "household": "home"}
    study = ms.study(frame, keys=["a", "b", "age", "area", "one"], **roles)
    return study.with_scenario("other", keys=["a", "area"], **roles)


def shares(study: ms.Study, to: int = 0) -> dict[str, float]:
    return {each.name: each.lost_share for each in study.compare(to).losses}


@pytest.mark.slow
@given(st.integers(0, 5), st.lists(st.sampled_from([*SEQUENCE]), min_size=1, max_size=6))
@example(0, ["pram", "merge"])
@example(0, ["suppress linked", "bottom mean"])  # categories first, then numbers
@examples(40)
def test_losses_never_fall_and_add_up(seed: int, names: list[str]) -> None:
    study, lost = open_file(draw_file(seed)), dict[str, float]()
    for name in names:
        try:
            done = study.apply(SEQUENCE[name])
        except (ms.UsageError, ms.InputError):  # such as dropping what is gone
            continue
        found = {each.variable: each.share_lost for each in study.preview(done).information}
        later, since = shares(done), shares(done, len(study.steps))
        for variable, share in found.items():
            assert 0 <= share <= 1
            before = lost.get(variable, 0.0)
            lost[variable] = before + share
            assert later.get(variable, 1.0) == pytest.approx(lost[variable], abs=1e-9)
            if share:  # what a step left as it was is not listed
                assert since.get(variable, 1 - before) == pytest.approx(share, abs=1e-9)
        unchanged = later.keys() - found.keys()
        assert all(later[each] == pytest.approx(lost.get(each, 0.0)) for each in unchanged)
        assert not any("no category agrees" in note for note in done.compare().notes)
        study = done


def test_rounding_and_microaggregation_lose_no_less_than_rounding() -> None:
    start = open_file(draw_file(1))
    rounded = start.round("income", base=100)
    both = rounded.microaggregate("income")
    assert shares(both)["income"] >= shares(rounded)["income"] > 0


def test_what_was_missing_is_not_lost() -> None:
    frame = pl.DataFrame({"x": [*"abcd", *[None] * 12], "y": ["p"] * 16})
    start = ms.study(frame, keys=["x", "y"])
    done = start.suppress(k=14, spare=["y"])
    assert done.engine.table()["x"].null_count() == 16
    assert shares(done) == {"x": 1.0, "y": 0.0}
    (loss, _) = done.compare().losses
    assert (loss.known, loss.blanks, loss.entropy) == (4, 4, 2.0)


def test_a_variable_of_one_category_has_nothing_to_lose() -> None:
    start = open_file(draw_file(1))
    for done in (start.recode("one", groups={"y": ["x"]}), start.drop("one", from_keys=True)):
        assert [each.share_lost for each in start.preview(done).information] == [0.0]
        assert shares(done)["one"] == 0.0


def test_linked_variables_lose_what_their_key_loses() -> None:
    start = open_file(draw_file(1))
    done = start.suppress(k=2, linked={"age": ["income"]})
    found = {each.variable: each.share_lost for each in start.preview(done).information}
    assert found["income"] == shares(done)["income"] > 0


def read_files(before: pl.DataFrame, after: pl.DataFrame, *keys: str) -> dict[str, float]:
    sides = []
    for frame in (before, after):
        schema = ms.study(frame, keys=()).schema
        sides.append(LocalEngine(Source(schema=schema, load=frame.select, columnar=True)))
    scenario = ms.study(before, keys=keys).scenarios
    return {each.name: each.lost_share for each in compare(*sides, scenario).losses}


def test_two_files_with_other_names_or_numbers_for_categories() -> None:
    rng = random.Random(1)
    codes = [rng.randint(1, 40) for _ in range(400)]
    other = dict(zip(range(1, 41), rng.sample(range(1, 41), 40), strict=True))
    before = pl.DataFrame({"key": codes, "code": codes, "income": [each * 10 for each in codes]})
    renamed = before.with_columns(pl.col("key", "code").replace_strict(other))
    assert read_files(before, renamed, "key") == {"key": 0.0, "code": 0.0}
    spelled = before.with_columns(pl.format("no. {}", pl.col("key", "code")).name.keep())
    assert read_files(before, spelled, "key") == {"key": 0.0, "code": 0.0}
    shortened = before.with_columns(pl.col("code") // 10, (pl.col("income") // 100) * 100)
    found = read_files(before, shortened, "key")
    assert found["code"] > 0.5  # groups with numbers of their own are categories
    assert 0 < found["income"] < 0.1  # rounded numbers are nearly what they were
