"""Microaggregation, rank swapping and shuffling as steps: what they keep, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.engine import slices as batches
from microsafe.engine.local import LocalEngine, records
from microsafe.engine.record_access import Selection
from microsafe.errors import CancelledError, InputError, UsageError
from microsafe.io import Source
from microsafe.steps import Microaggregate, RankSwap, Shuffle, Step
from microsafe.steps.record_table import RecordTable

COUNT = 240
STEPS: dict[str, Step] = {
    "together": Microaggregate(variables=("income", "wealth"), k=4, strata=("region",)),
    "alone": Microaggregate(variables=("income", "wealth"), method="one", decimals=12),
    "weighted": Microaggregate(variables=("income",), weights=True, measure="median"),
    "in blocks": Microaggregate(variables=("wealth",), exact=False, standardise="range"),
    "identified": Microaggregate(variables=("income",), k=4, identifier="id"),
    "household": Microaggregate(variables=("rent",), together="household"),
    "swap": RankSwap(variables=("income", "wealth"), seed=11, identifier="id"),
    "swap in strata": RankSwap(variables=("wealth",), percent=20, strata=("region",), seed=11),
    "shuffle": Shuffle(
        variables=("income", "wealth"), given=("age", "region"), seed=11, identifier="id"
    ),
}
every = pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())


def people(count: int = COUNT) -> pl.DataFrame:
    """Income with ties and gaps, wealth without, rent of households."""
    random = np.random.default_rng(12)
    skill = random.normal(size=count)
    income = np.round(1000 * np.exp(skill), -1)
    household = np.arange(count) // 3
    return pl.DataFrame(
        {
            "id": random.permutation(10 * count)[:count],
            "household": household,
            "region": random.integers(1, 4, count),
            "age": np.clip(np.rint(40 + 12 * skill + 9 * random.normal(size=count)), 15, 90),
            "income": [None if place % 11 == 0 else each for place, each in enumerate(income)],
            "wealth": np.exp(2 * skill + random.normal(size=count)),
            "rent": np.round(400 * np.exp(random.normal(size=count))[household], 2),
            "weight": np.round(random.uniform(1, 9, count), 2),
        }
    )


def opened(frame: pl.DataFrame | None = None, **options: Any) -> ms.Study:
    options = {"keys": ["region"], "weight": "weight"} | options
    return ms.study(people() if frame is None else frame, **options)


def table(study: ms.Study) -> pl.DataFrame:
    engine: Any = study.engine
    return engine.table()


@every
@pytest.mark.parametrize("size", [1, 7, 100])
def test_batches_make_no_difference(step: Step, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = opened().apply(step)
    there = table(wanted)
    for module in (batches, records):
        monkeypatch.setattr(module, "BATCH", size)
    made = opened().apply(step)
    assert table(made).equals(there)
    assert made.steps == wanted.steps


@every
def test_what_is_missing_stays_missing_and_nothing_else_changes(step: Step) -> None:
    before, after = people(), table(opened().apply(step))
    for name in before.columns:
        assert after[name].is_null().equals(before[name].is_null())
        assert after[name].equals(before[name]) == (name not in step.targets), name


@pytest.mark.parametrize("name", ["swap", "shuffle", "identified"])
def test_with_an_identifier_the_order_of_rows_makes_no_difference(name: str) -> None:
    mixed = people().sample(fraction=1.0, shuffle=True, seed=3)
    one, other = (table(opened(frame).apply(STEPS[name])) for frame in (people(), mixed))
    assert one.sort("id").equals(other.sort("id"))


@pytest.mark.parametrize("name", ["swap", "swap in strata", "shuffle"])
def test_values_are_exchanged(name: str) -> None:
    step = STEPS[name]
    before, after = people(), table(opened().apply(step))
    for variable in step.targets:
        assert after[variable].sort().equals(before[variable].sort())
    again = table(opened().renumber("id", seed=1).rollback(0).apply(step))
    assert again.equals(after)
    later = table(opened().drop("rent").apply(step)).drop("age", "region", "household")
    assert not later.equals(after.select(later.columns))  # draws go by the number of the step


def test_another_seed_draws_otherwise() -> None:
    study = opened()
    for make in (
        lambda seed: study.rank_swap("wealth", seed=seed),
        lambda seed: study.shuffle("wealth", given="age", seed=seed),
    ):
        assert not table(make(1)).equals(table(make(2)))
        assert table(make(1)).equals(table(make(1)))


def test_values_stay_in_their_stratum() -> None:
    before = people()
    for made in (
        opened().rank_swap("wealth", strata="region", percent=50, seed=1),
        opened().microaggregate("wealth", strata="region"),
    ):
        after = table(made)
        for region in (1, 2, 3):
            old, new = (
                frame.filter(pl.col("region") == region)["wealth"] for frame in (before, after)
            )
            assert new.mean() == pytest.approx(old.mean(), rel=1e-12)
            assert not new.equals(old)


def test_microaggregation_shares_each_value_among_k() -> None:
    made = opened().microaggregate(["income", "wealth"], k=5, decimals=12)
    found = table(made).filter(pl.col("income").is_not_null())
    counts = found.group_by("income", "wealth").len()["len"]
    assert counts.min() >= 5  # type: ignore[operator]
    assert counts.max() <= 9  # type: ignore[operator]
    for name in ("income", "wealth"):
        assert table(made)[name].mean() == pytest.approx(people()[name].mean(), rel=1e-12)


def test_weighted_means_keep_weighted_totals() -> None:
    total = (pl.col("wealth") * pl.col("weight")).sum()
    before, after = (
        frame.select(total).item()
        for frame in (people(), table(opened().microaggregate("wealth", weights=True)))
    )
    assert after == pytest.approx(before, rel=1e-12)
    with pytest.raises(UsageError, match="no weight to average by"):
        opened(weight=None).microaggregate("wealth", weights=True)
    with pytest.raises(UsageError, match="both the weight and a stratum"):
        opened().microaggregate("wealth", weights=True, strata="weight")


def test_households_count_once() -> None:
    after = table(opened().microaggregate("rent", k=3, together="household", decimals=9))
    homes = after.unique("household")
    assert len(homes) == after["household"].n_unique() == COUNT // 3
    assert homes.group_by("rent").len()["len"].min() >= 3  # type: ignore[operator]
    old = people().unique("household")["rent"].mean()
    assert homes["rent"].mean() == pytest.approx(old, rel=1e-8)
    with pytest.raises(InputError, match="'wealth' differs between members in 80 households"):
        opened().microaggregate("wealth", together="household")
    with pytest.raises(InputError, match="'region' differs between members"):
        opened().microaggregate("rent", together="household", strata="region")


def test_a_record_without_a_household_is_one() -> None:
    frame = people().with_columns(
        pl.when(pl.int_range(pl.len()) >= 9).then("household").alias("household")
    )
    alone = frame.with_columns(pl.coalesce("household", -pl.int_range(pl.len()) - 1))
    one, other = (
        table(opened(each).microaggregate("rent", together="household")) for each in (frame, alone)
    )
    assert one["rent"].equals(other["rent"])


def test_small_strata() -> None:
    frame = people().with_columns(
        pl.when(pl.int_range(pl.len()) < 2).then(0).otherwise("region").alias("region")
    )
    study = opened(frame)
    with pytest.raises(InputError, match=r"Fewer than 3 .* in 1 of the strata of 'region'.*merge"):
        study.microaggregate("wealth", strata="region")
    after = table(study.microaggregate("wealth", strata="region", small="merge"))
    for low, high in ((0, 1), (2, 2), (3, 3)):
        old, new = (
            each.filter(pl.col("region").is_between(low, high))["wealth"] for each in (frame, after)
        )
        assert new.mean() == pytest.approx(old.mean(), rel=1e-12)


def test_the_last_stratum_joins_the_one_before() -> None:
    frame = people().with_columns(
        pl.when(pl.int_range(pl.len()) < 2).then(9).otherwise("region").alias("region")
    )
    after = table(opened(frame).microaggregate("wealth", strata="region", small="merge"))
    assert not after.filter(region=9)["wealth"].equals(frame.filter(region=9)["wealth"])
    assert after["wealth"].mean() == pytest.approx(frame["wealth"].mean(), rel=1e-12)


def test_decimals() -> None:
    study = opened()
    assert (
        table(study.microaggregate("rent"))["rent"]
        .round(2)
        .equals(table(study.microaggregate("rent"))["rent"])
    )
    whole = table(study.microaggregate("income"))["income"].drop_nulls()
    assert (whole == whole.round(0)).all()
    fine = table(study.microaggregate("income", decimals=3))["income"].drop_nulls()
    assert not (fine == fine.round(0)).all()
    assert (fine == fine.round(3)).all()


def about(values: list[Any], **known: Any) -> ms.Study:
    frame = pl.DataFrame({"x": values, "y": range(len(values))}, strict=False)
    kinds = {pl.String: "text", pl.Int64: "integer", pl.Float64: "number"}
    kind = kinds[frame["x"].dtype]  # type: ignore[index]
    schema = ms.Schema(
        source="x.csv",
        variables=(
            ms.Variable(name="x", **{"kind": kind, **known}),
            ms.Variable(name="y", kind="integer"),
        ),
    )
    engine = LocalEngine(
        Source(schema=schema, load=lambda names: frame.select(names), columnar=True)
    )
    return ms.Study(engine=engine).with_scenario("main", keys=["y"])


def test_whole_numbers_become_fractions_only_on_request() -> None:
    study = about([1, 2, 9, 20, -9, 22, 26], missing=(-9,), labels={-9: "refused", 1: "one"})
    made = study.microaggregate("x", k=3)
    assert made.schema["x"].kind == "integer"
    assert table(made)["x"].to_list() == [4, 4, 4, 23, -9, 23, 23]
    made = study.microaggregate("x", k=3, decimals=1)
    assert made.schema["x"].kind == "number"
    assert made.schema["x"].missing == (-9.0,)
    assert made.schema["x"].labels == {-9.0: "refused"}  # an average is not what a label says
    assert table(made)["x"].to_list() == [4.0, 4.0, 4.0, 22.7, -9.0, 22.7, 22.7]
    assert study.rank_swap("x", seed=1).schema == study.schema


def test_numbers_in_text_stay_text() -> None:
    made = about(["1", "2.5", "", "10", "11.5", "x"], missing=("x",))
    assert table(made.microaggregate("x", k=2))["x"].to_list() == [
        "1.8",
        "1.8",
        None,
        "10.8",
        "10.8",
        "x",
    ]


def test_averages_that_would_be_missing_codes() -> None:
    study = about([98.0, 99.5, 100.0, 200.0, 201.0, 203.0], missing=(99.0,))
    with pytest.raises(InputError, match="'x' would become one of its missing codes"):
        study.microaggregate("x", k=2, method="one", decimals=0)
    text = about(["98", "100", "99", "200", "202"], missing=("99",))
    with pytest.raises(InputError, match="'x' would become one of its missing codes"):
        text.microaggregate("x", k=2)
    assert table(text.rank_swap("x", seed=1))["x"][2] == "99"


def test_a_field_of_fixed_width() -> None:
    values = [100.5, 101.0, 102.0, 200.0, 201.0, 203.0]
    study = about(values, width=5)
    assert table(study.microaggregate("x"))["x"].to_list()[-1] == 201.3
    with pytest.raises(InputError, match=r"room for 5 characters .* 2 decimals. Ask for at most 1"):
        study.microaggregate("x", decimals=2)
    about(values, width=5, format="F5.1").microaggregate("x", decimals=2)  # only shows so many


def test_a_large_stratum_can_be_left_in_the_middle() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"key": ["a"] * 3000, "x": rng.normal(size=3000)}).with_columns(
        y=-pl.col("x")
    )
    seen: list[float] = []

    def progress(stage: str, fraction: float) -> None:
        if stage == "microaggregation":
            seen.append(fraction)
            if fraction > 0.5:
                raise CancelledError

    study = ms.study(frame, keys=["key"])
    with pytest.raises(CancelledError):
        study.apply(Microaggregate(variables=("x", "y"), k=3), progress=progress)
    assert len(seen) > 5
    assert seen == sorted(seen)
    assert seen[-1] < 0.6


def test_records_that_find_no_company_are_counted() -> None:
    frame = people().with_columns(
        pl.when(pl.int_range(pl.len()) > 1).then("wealth").alias("wealth"), z=pl.col("rent")
    )
    made = opened(frame).microaggregate(["wealth", "z"], k=3)
    assert made.steps[-1].facts["left"] == 2
    assert any("2 records have values of wealth, z that were left" in str(n) for n in made.notices)
    assert ("Records with values left as they were", "2") in made.steps[-1].step.results(
        made.steps[-1]
    )


def test_alone_is_not_together() -> None:
    made = opened().microaggregate(["income", "wealth"], method="one")
    assert any(each.id == "microaggregated-alone" for each in made.notices)
    assert not any(
        each.id == "microaggregated-alone"
        for each in opened().microaggregate("income", method="one").notices
    )


def test_what_shuffling_leaves_out_is_said() -> None:
    frame = people().with_columns((2 * pl.col("age")).alias("double"))
    made = opened(frame).shuffle("wealth", given=["age", "double"], seed=1)
    (name,) = made.steps[-1].facts["redundant"]  # type: ignore[misc]
    assert name in ("age", "double")
    assert any(str(each).startswith(f"{name} follows from") for each in made.notices)
    assert ("Follows from others, left out", name) in made.steps[-1].step.results(made.steps[-1])


def test_shuffling_keeps_apart_categories_and_numbers() -> None:
    frame = people().with_columns(
        pl.col("age").cast(pl.String), pl.format("R{}", "region").alias("region")
    )
    made = opened(frame).shuffle("wealth", given=["age", "region"], seed=1)
    pairs = made.steps[-1].facts["correlations"]
    assert list(pairs) == ["wealth, age"]  # type: ignore[call-overload]
    many = pl.concat([frame] * 3).with_columns(
        pl.format("P{}", pl.int_range(pl.len()) % 501).alias("place")
    )
    with pytest.raises(InputError, match="'place' has 501 categories"):
        opened(many).shuffle("wealth", given="place", seed=1)


def test_gaps_in_what_is_given() -> None:
    frame = people().with_columns(
        pl.when(pl.col("age") > 30).then("age").alias("age"),
        pl.when(pl.col("region") > 1).then("region").alias("region"),
    )
    made = table(opened(frame).shuffle("income", given=["age", "region"], seed=1))
    assert made["income"].sort().equals(frame["income"].sort())


@every
def test_preview_and_words(step: Step) -> None:
    study = opened()
    done = study.apply(step)
    found = study.preview(step)
    assert {each.variable for each in found.information} == {*step.targets}
    assert all(0 < each.share_lost < 1 for each in found.information)
    assert all(each in done.steps[-1].words for each in step.targets)


def test_loss_where_there_are_no_numbers_any_more() -> None:
    study = opened()
    done = study.microaggregate("wealth", k=5)
    dropped = study.preview(done.drop("wealth")).information
    assert {each.share_lost for each in dropped} == {1.0}
    named = done.recode("wealth", breaks=[0, 1], names=["poor", "rich"])
    assert study.preview(named).information[0].share_lost > 0.5


def test_strata_are_numbered_in_the_order_of_categories() -> None:
    frame = pl.DataFrame(
        {"a": [2, 1, None, 2, 1], "b": ["y", "x", "x", "x", "y"], "c": [1.0, 2.0, 3.0, 4.0, 5.0]}
    )
    selection = Selection(forms={"a": "code", "b": "code", "c": "number"})
    found = RecordTable.read(ms.study(frame).engine, selection, lambda *_: None)
    assert found.number_strata(["a", "b"]).tolist() == [4, 1, 0, 3, 2]
    assert found.number_strata([]).tolist() == [0] * 5


def test_loss_is_what_the_report_says() -> None:
    study = opened()
    done = study.microaggregate("wealth", k=5)
    (found,) = study.preview(done).information
    assert found.share_lost == pytest.approx(done.steps[-1].facts["variance_lost"], rel=1e-9)


def test_gaps_in_a_stratum_that_leave_nothing() -> None:
    frame = people().with_columns(pl.when(pl.col("region") > 1).then("wealth").alias("wealth"))
    for made in (
        opened(frame).microaggregate("wealth", strata="region"),
        opened(frame).microaggregate("wealth", strata="region", method="one", small="merge"),
        opened(frame).rank_swap("wealth", strata="region", seed=1),
    ):
        assert table(made)["wealth"].is_null().equals(frame["wealth"].is_null())
        assert not table(made)["wealth"].equals(frame["wealth"])
