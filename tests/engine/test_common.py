"""What every engine must do, and do alike: each test runs on the embedded engine and on Spark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
import oracle
from microsafe.cells import Cells
from microsafe.engine import Engine
from microsafe.engine.contract import NO_RECORDS
from microsafe.engine.local import LocalEngine
from microsafe.engine.sampling import Sampling
from microsafe.intruders import IntruderRow
from microsafe.io import Source
from microsafe.options.scenario import Scenario
from microsafe.propose.ladders.key_ladders import build_ladders
from microsafe.steps import (
    STEPS,
    BottomCode,
    Drop,
    Members,
    Microaggregate,
    Noise,
    Pram,
    RankSwap,
    Recode,
    Renumber,
    Round,
    Sample,
    Shuffle,
    Step,
    Suppress,
    Swap,
    TopCode,
)

# PySpark warns of versions of pandas that it has not been tried with; pandas is not used.
pytestmark = pytest.mark.filterwarnings("ignore:PySpark:FutureWarning", "ignore::ResourceWarning")

SURVEY = ms.survey(1, households=60)
KEYS = ("region", "hsize", "sex", "age", "education")
BASE: dict[str, Any] = {
    "keys": KEYS,
    "weight": "weight",
    "household": "household",
    "estimator": "cell",
}
Open = Callable[..., ms.Study]


def with_gaps(frame: pl.DataFrame) -> pl.DataFrame:
    """The survey with gaps in keys, and some people who belong to no household."""
    rows = pl.int_range(pl.len())
    return frame.with_columns(
        pl.when(rows % 9 != 0).then("age").alias("age"),
        pl.when(rows % 13 != 0).then("region").alias("region"),
        pl.when(rows % 17 != 0).then("household").alias("household"),
    )


FRAME = with_gaps(SURVEY.frame)
WHOLE = FRAME.with_columns(SURVEY.frame["household"])  # everybody belongs to a household


def embedded(frame: pl.DataFrame = FRAME, **changes: Any) -> ms.Study:
    engine = LocalEngine(Source(schema=SURVEY.schema, load=frame.select, columnar=True))
    return ms.Study(engine=engine).with_scenario("main", **(BASE | changes))


@pytest.fixture(params=["local", "spark"])
def opened(request: pytest.FixtureRequest) -> Open:
    """Opens the survey on the engine whose turn it is."""
    if request.param == "local":
        return embedded
    spark = request.getfixturevalue("spark")
    from microsafe.engine.spark import SparkEngine
    from microsafe.engine.spark.source import hand_over

    def in_spark(frame: pl.DataFrame = FRAME, **changes: Any) -> ms.Study:
        load = Source(schema=SURVEY.schema, load=lambda n: frame.select(n), columnar=True)
        source = hand_over(spark, load)
        engine = SparkEngine(replace(source, frame=source.frame.repartition(3)))
        return ms.Study(engine=engine).with_scenario("main", **(BASE | changes))

    return in_spark


def test_options_open_further_data_under_the_same_limits(opened: Open, tmp_path: Path) -> None:
    study = opened()
    study.write(tmp_path / "safe.parquet")
    again = ms.study(tmp_path / "safe.parquet", **study.engine.options)
    assert type(again.engine) is type(study.engine)
    assert set(again.engine.options) == set(study.engine.options)
    assert again.engine.rows() == study.engine.rows()


def released(study: ms.Study) -> pl.DataFrame:
    """The records as they would be written, in input order."""
    if isinstance(study.engine, LocalEngine):
        return study.engine.table()
    return pl.DataFrame(pl.from_arrow(study.engine.frame(ordered=True).toArrow()))  # type: ignore[attr-defined]


def same_frames(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Equal values under equal names; how wide a number is stored is the engine's affair."""
    wide = [pl.col(pl.Int32).cast(pl.Int64), pl.col(pl.UInt32).cast(pl.Int64)]
    return one.with_columns(wide[0]).equals(other.with_columns(wide[0]))


def by_record(study: ms.Study, found: Any) -> list[tuple[Any, ...]]:
    """All variables of every record and the figures behind them, whatever their order."""
    if isinstance(found, pl.DataFrame):
        frame = study.engine.table().hstack(found)  # type: ignore[attr-defined]
    else:
        frame = pl.DataFrame(pl.from_arrow(found.toArrow()))
    return frame.sort(study.schema.names).rows()


def cells_of(study: ms.Study, **changes: Any) -> tuple[Any, ...]:
    return told(study.engine.cells(replace(study.scenario(), **changes)))


def each_of(study: ms.Study) -> list[Any]:
    """Cells of every key alone, with a weight and without, and of two keys, some being blank."""
    scenarios = [
        Scenario(keys=keys, weight=weight, estimator="cell")
        for weight in ("weight", None)
        for keys in (*((key,) for key in (*KEYS, "income")), ("sex", "age"))
    ]
    return [told(each) for each in blanked(study).cells_each(scenarios)]


def told(cells: Cells) -> tuple[Any, ...]:
    return (
        cells.keys,
        [list(each) for each in cells.categories],
        [code.tolist() for code in cells.codes],
        cells.count.tolist(),
        cells.weight.tolist(),
    )


def homes_of(study: ms.Study) -> tuple[Any, ...]:
    scenario = study.scenario()
    values = 1.0 / (2.0 + study.engine.cells(scenario).count)
    found = study.engine.households(scenario, values)
    total = sorted(zip(found.total.tolist(), found.size.tolist(), strict=True))
    return total, found.unassigned, found.size_key


def lowest_of(study: ms.Study) -> list[float]:
    scenario = study.scenario()
    found = study.engine.households(scenario, np.ones(len(study.engine.cells(scenario))))
    return study.engine.find_lowest(
        scenario, np.where(found.total > 2, 1 / found.total, np.inf), homes=scenario
    ).tolist()


def members_of(study: ms.Study) -> list[list[tuple[int, int]]]:
    """Cells and members by household, whatever the numbers of the households."""
    found = study.engine.membership(study.scenario())
    homes: dict[int, list[tuple[int, int]]] = {}
    for home, cell, records in zip(found.household, found.cell, found.records, strict=True):
        homes.setdefault(int(home), []).append((int(cell), int(records)))
    return sorted(sorted(each) for each in homes.values())


def blanked(study: ms.Study) -> Engine:
    """Two of the first three records of some cells lose keys, and a variable goes with one."""
    scenario = study.scenario()
    few = replace(scenario, keys=("sex", "region"))
    cells = study.engine.cells(few)
    large = np.flatnonzero(cells.count >= 3)[:4]
    cell = np.repeat(large, 2)
    return study.engine.blank_keys(
        few,
        cell,
        np.tile(np.array([1, 3], np.int64), len(large)),
        np.tile(np.array([2, 1], np.int64), len(large)),
        linked={"region": ("income",)},
    )


def sampled(study: ms.Study) -> tuple[Any, ...]:
    """A sample of households and of records, with what was drawn and the numbers of some."""
    made = []
    for household in ("household", None):
        weight = replace(study.schema["weight"], kind="number")
        draw = Sampling(fraction=0.3, seed=11, household=household, weight=weight)
        engine, drawn = study.engine.draw_sample(draw)
        some = engine.find_records(study.scenario(), np.arange(4), most=3)
        made.append((drawn, engine.rows(), some, released(replace(study, engine=engine)).rows()))
    return tuple(made)


def paired(study: ms.Study) -> tuple[Any, ...]:
    """What changed, and how many records say what before and after."""
    after = study.round("age", 10).suppress(k=2, linked={"region": ("income",)})
    found = study.engine.pair_with(after.engine, study.scenario())
    groups = found.group_records(("sex",), ("age", "marital"), ("income",))
    sums = groups.sums("income")
    assert sums is not None
    rows = zip(
        *(each for pair in groups.pairs for each in (pair.before, pair.after)),
        groups.count,
        groups.weight.round(6),
        *(side.total.round(3) for side in sums),
        *(side.count for side in sums),
        strict=True,
    )
    told = (found.find_altered(KEYS), found.find_numeric(KEYS), found.old, found.new)
    return *told, sorted(tuple(map(float, row)) for row in rows)


VERBS: Mapping[str, Callable[[ms.Study], Any]] = {
    "schema": lambda s: s.engine.schema,
    "rows": lambda s: s.engine.rows(),
    "describe": lambda s: s.describe(),
    "cells": cells_of,
    "cells_each": each_of,
    "risk_cells": lambda s: s.engine.risk_cells(s.scenario()).count.tolist(),
    "convert_table": lambda s: s.engine.convert_table(FRAME).rows(),
    "pair_with": lambda s: paired(s),
    "weight_facts": lambda s: s.engine.weight_facts(s.scenario()),
    "households": homes_of,
    "membership": members_of,
    "find_lowest": lowest_of,
    "find_constant_keys": lambda s: s.engine.find_constant_keys(s.scenario()),
    "values": lambda s: [s.engine.values(name).to_list() for name in s.schema.names],
    "records": lambda s: by_record(s, s.risk().records()),
    "record_batches": lambda s: by_record(s, next(s.risk().record_batches())),
    "find_records": lambda s: s.engine.find_records(s.scenario(), np.arange(3, 9), most=5),
    "blank_keys": lambda s: released(replace(s, engine=blanked(s))).rows(),
    "count_blanks": lambda s: blanked(s).count_blanks(),
    "count_changed_records": lambda s: blanked(s).count_changed_records(s.engine),
    "transform_variable": lambda s: cells_of(s.round("age", 10)),
    "allow_blank_keys": lambda s: s.engine.allow_blank_keys().rows(),
    "draw_sample": lambda s: sampled(s),
    "drop_variables": lambda s: s.engine.drop_variables(("income", "marital")).schema.names,
}


# Told by tests of their own: how data come in and go out, and what is refused, is each engine's;
# values by record are in test_gate.py, traits below, frames in tests/notebook and test_spark.py.
ELSEWHERE = {"gaps", "notices", "options", "afford", "check_output", "write", "write_figures"}
ELSEWHERE |= {"blank_records"}  # where records are; see tests/steps/test_person_suppression.py
ELSEWHERE |= {"traits", "categories", "columns", "map_records", "reduce_records"}
ELSEWHERE |= {"map_groups", "map_blocks", "replace_columns", "copy_variable", "replace_variable"}
ELSEWHERE |= {"frame", "table", "declarations", "redefine_variables", "keep_records"}


def test_no_verb_is_left_out() -> None:
    members = {*vars(Engine), *Engine.__annotations__}
    assert {name for name in members if not name.startswith("_")} == {*VERBS, *ELSEWHERE}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_answers_alike(opened: Open, verb: str) -> None:
    assert VERBS[verb](opened()) == VERBS[verb](embedded())


@pytest.mark.parametrize(
    "verb", ["households", "membership", "find_lowest", "find_constant_keys", "records"]
)
def test_households_that_stay_in_spark(
    opened: Open, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    study = opened()
    if not isinstance(study.engine, LocalEngine):
        monkeypatch.setattr("microsafe.engine.spark.engine.FEW_RECORDS", 0)
    assert VERBS[verb](study) == VERBS[verb](embedded())


def told_alike(study: ms.Study, risk: ms.Risk) -> dict[str, Any]:
    """Figures and notices that every engine has: of households those by the published formula."""
    told, apart = risk.summary(), "households by joint keys" in study.engine.gaps
    if risk.household is None or risk.scenario.estimator != "model":
        return told
    assert ("family-records" in {each.id for each in risk.notices}) == apart
    assert ("household_published" in told) != apart
    told["household"] = told.pop("household_published", told["household"])
    told["standard_errors"] = {name: told["standard_errors"][name] for name in ("expected", "rate")}
    of_joint_keys = ("family-", "household-limit")  # whose risk is by the joint keys
    told["notices"] = [n.text for n in risk.notices if not n.id.startswith(of_joint_keys)]
    return told


@pytest.mark.parametrize(
    "changes",
    [
        {"missing": "wildcard", "alpha": 0.25},
        {"missing": "category"},
        {"missing": "expected"},
        {"attack": "random"},
        {"attack": "ratio"},
        {"attack": "weight"},
        {"factor": 0.5, "clip_weights": True},
        {"weight": None, "household": None},
        {"keys": ("citizenship", "occupation")},
        {"estimator": "model"},
        {"estimator": "model", "missing": "category", "household": None},
        {"estimator": "model", "missing": {"education": "category"}, "household": None},
    ],
    ids=str,
)
def test_every_rule_measures_alike(opened: Open, changes: dict[str, Any]) -> None:
    one, other = opened(**changes), embedded(**changes)
    found, expected = (study.risk(limit=0.01) for study in (one, other))
    assert told_alike(one, found) == told_alike(other, expected)
    assert found.cells().equals(expected.cells())


@pytest.mark.parametrize("category", [False, True])
def test_frequencies_are_those_of_all_pairs(opened: Open, category: bool) -> None:
    frame = FRAME.head(60)
    study = opened(frame, missing="category" if category else "wildcard")
    keys = frame.select(KEYS).with_columns(
        pl.when(pl.col("education") != 98).then("education").alias("education")
    )
    f, F = oracle.frequencies(keys.rows(), frame["weight"].to_list(), category=category)
    found = [row[-4:-2] for row in by_record(study, study.risk(one_estimator=True).records())]
    np.testing.assert_allclose(sorted(found), sorted(zip(f, F, strict=True)), rtol=1e-15)


def refused(study: ms.Study) -> str:
    with pytest.raises(ms.InputError) as caught:
        study.risk()
    return str(caught.value)


def test_clip_weights_are_raised_or_refused_alike(opened: Open) -> None:
    low = FRAME.with_columns(pl.col("weight") / 100)
    one, other = (each(low, clip_weights=True).risk() for each in (opened, embedded))
    assert one.summary() == other.summary()
    assert "raised to 1" in one.notices[0].text
    for spoilt in (
        pl.lit(None),
        pl.lit(0.0),
        -pl.col("weight"),
        pl.lit(float("inf")),
        pl.lit(2e15),
    ):
        rows = pl.int_range(pl.len())
        wrong = pl.when(rows % 50 == 3).then(spoilt).otherwise("weight").cast(pl.Float64)
        frame = FRAME.with_columns(wrong.alias("weight"))
        assert refused(opened(frame)) == refused(embedded(frame))


CASES: dict[str, Step] = {
    "groups": Recode(variable="region", groups={"1": ("1", "2", ("3", "5")), "9": (("9", ""),)}),
    "other": Recode(variable="region", groups={"7": ("7",)}, other="99"),
    "breaks": Recode(variable="age", breaks=(15, 30, 65)),
    "keep": Recode(variable="age", keep=1),
    "freed": Recode(variable="education", groups={"0": ("0", "98")}),
    "top": TopCode(variable="income", limit=2000, label="2,000 and more"),
    "bottom": BottomCode(variable="age", limit=15, code="up to 15"),
    "top share": TopCode(variable="age", share=0.05, strata=("sex",)),
    "bottom mean": BottomCode(variable="income", limit=500, replace="mean"),
    "round": Round(variable="income", base=250),
    "round at random": Round(variable="income", base=250, random=True, seed=7),
    "noise": Noise(variables=("income", "citizenship"), kind="restored", strata=("sex",), seed=7),
    "weight round": Round(variable="weight", base=25),
    "weight at random": Round(variable="weight", base=25, random=True, seed=7),
    "weight noise": Noise(variables=("weight",), strata=("sex",), seed=7),
    "weight averages": Microaggregate(variables=("weight",), k=40, strata=("sex",)),
    "drop": Drop(variables=("education",), from_keys=True),
    "renumber": Renumber(variable="household", seed=7),
    "pram": Pram(variable="region", keep=0.8, strata=("sex",), seed=7),
    "pram above": Pram(variable="education", band=1, change=0.5, seed=7, above=0.01),
    "pram of households": Pram(variable="hsize", keep=0.6, seed=7, together="household"),
    "own": Suppress(above=0.02, linked={"region": ("marital",)}),
    "strict": Suppress(k=2, guarantee="strict", spare=("sex",)),
    "shared": Suppress(k=3, guarantee="shared"),
    "view": Suppress(k=3, guarantee="view"),
    "household": Suppress(above=0.02, household=0.05, cost={"age": 2.0}),
    "by value": Suppress(above=0.02, by_value=True),
    "joint": Suppress(above=0.02, household=0.05, joint=True, by_value=True),
    "up to": Suppress(k=3, up_to=2, people=False),
    "microaggregate": Microaggregate(variables=("income", "occupation"), k=4, strata=("sex",)),
    "each alone": Microaggregate(variables=("income",), method="one", measure="median", decimals=1),
    "rank swap": RankSwap(variables=("income", "occupation"), strata=("sex",), seed=7),
    "shuffle": Shuffle(variables=("income",), given=("age", "sex"), seed=7),
    "swap": Swap(household="household", areas=("region",), carry=("hsize",), rate=0.2, seed=7),
    "sample": Sample(fraction=0.4, seed=3),
    "sample of households": Sample(fraction=0.4, seed=3, household="household"),
    "members": Members(keep="one", seed=3),
    "oldest members": Members(keep="oldest", age="age", seed=3),
}


def test_every_kind_of_step_is_there() -> None:
    assert {type(step) for step in CASES.values()} == set(STEPS.values())


# They ask an engine for what others ask too: what differs are kernels, with tests of their own.
ALIKE = {
    "keep", "bottom", "weight round", "weight at random", "weight noise", "strict", "view",
    "by value", "each alone", "top share", "up to",
}  # fmt: skip


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(step, id=name, marks=pytest.mark.nightly if name in ALIKE else ())
        for name, step in CASES.items()
    ],
)
def test_every_step_releases_the_same_file(opened: Open, step: Step) -> None:
    frame = WHOLE if isinstance(step, Swap) else FRAME
    start = opened(frame)
    one, other = start.apply(step), embedded(frame).apply(step)
    assert one.schema == other.schema
    assert one.steps == other.steps
    assert same_frames(released(one), released(other))
    assert one.risk(limit=0.01).summary() == other.risk(limit=0.01).summary()
    assert same_frames(released(start), frame)  # what was there is there


def test_steps_on_top_of_steps(opened: Open) -> None:
    def protected(study: ms.Study) -> ms.Study:
        first = study.recode("age", breaks=(15, 30, 65)).suppress(k=2)
        second = first.recode("region", groups={"1": (("1", "6"),), "2": (("7", "12"),)})
        return second.drop("occupation").suppress(above=0.02).renumber("region", seed=3)

    one, other = protected(opened()), protected(embedded())
    assert one.steps == other.steps
    assert cells_of(one) == cells_of(other)
    assert same_frames(released(one), released(other))
    assert one.engine.count_blanks() == other.engine.count_blanks()
    assert same_frames(released(one.rollback(2)), released(other.rollback(2)))


def test_what_weights_tell(opened: Open) -> None:
    def protected(study: ms.Study) -> ms.Study:
        return study.recode("region", groups={"1": (("1", "6"),), "2": (("7", "12"),)})

    frame = FRAME.with_columns(weight=50 + 10.0 * pl.col("region").fill_null(1).cast(pl.Float64))
    one, other = protected(opened(frame)), protected(embedded(frame))
    for step in (None, CASES["weight round"], CASES["weight noise"]):
        if step is not None:
            one, other = one.apply(step), other.apply(step)
        told = [each for each in one.risk().notices if each.id.startswith("weight-")]
        assert told == [each for each in other.risk().notices if each.id.startswith("weight-")]
        assert told
        assert same_frames(released(one), released(other))


def test_steps_on_top_of_perturbed_keys(opened: Open) -> None:
    def protected(study: ms.Study) -> ms.Study:
        noisy = study.recode("age", breaks=(15, 30, 65)).pram("region", keep=0.7, seed=3)
        noisy = noisy.suppress(above=0.01).pram("sex", keep=0.8, strata="age", seed=4)
        return noisy.recode("region", groups={"1": (("1", "6"),), "2": (("7", "12"),)})

    one, other = protected(opened()), protected(embedded())
    assert one.steps == other.steps
    assert same_frames(released(one), released(other))
    assert one.engine.count_blanks() == other.engine.count_blanks()
    assert one.risk(limit=0.01).summary() == other.risk(limit=0.01).summary()
    frame: Any = one.risk().records()
    assert not any("\x1f" in name for name in frame.columns)
    assert "region" not in frame.columns  # it would be the true one


def test_a_sample_is_protected_and_compared_alike(opened: Open) -> None:
    def protected(study: ms.Study) -> ms.Study:
        drawn = study.sample(0.5, seed=8)
        return drawn.recode("age", breaks=(15, 30, 65)).suppress(k=2, spare=("sex", "region"))

    one, other = protected(opened()), protected(embedded())
    assert one.steps == other.steps
    assert same_frames(released(one), released(other))
    assert one.compare().summary() == approximately(other.compare().summary())


def approximately(value: Any) -> Any:
    """Figures to be compared up to the last digits: sums of products are rounded in any order."""
    if isinstance(value, dict):
        return {name: approximately(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [approximately(each) for each in value]
    return pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value


def test_the_cost_is_the_same(opened: Open) -> None:
    def protected(study: ms.Study) -> ms.Study:
        wide = study.recode("age", breaks=(15, 30, 65)).round("income", 100)
        return wide.drop("occupation").suppress(above=0.02, linked={"region": ("citizenship",)})

    one, other = protected(opened()), protected(embedded())
    assert one.compare().summary() == approximately(other.compare().summary())
    tables = ("marital,age", "hsize", "region,sex,marital")
    found = [
        study.compare(to=2, by=("marital",), tables=tables).summary() for study in (one, other)
    ]
    assert found[0] == approximately(found[1])
    uses = ms.Uses(
        variables={"income": 2, "occupation": 1},
        tables=(ms.TableUse(of=("region", "age", "marital")), ms.TableUse(of=("age", "income"))),
    )
    by_uses = [study.compare(uses=uses).summary()["uses"] for study in (one, other)]
    assert by_uses[0] == approximately(by_uses[1])


def test_a_second_scenario_is_met_too(opened: Open) -> None:
    def protected(study: ms.Study) -> ms.Study:
        both = study.with_scenario("neighbour", keys=("region", "marital", "citizenship"))
        return both.suppress(above={"main": 0.02, "neighbour": 0.01})

    one, other = protected(opened()), protected(embedded())
    assert one.steps == other.steps
    assert same_frames(released(one), released(other))
    found = [study.combinations(k=2).summary() for study in (opened(), embedded())]
    assert found[0] == found[1]


@pytest.mark.parametrize("homes", [("household", "income"), ("income", "household")])
def test_scenarios_with_different_households_are_met_alike(
    opened: Open, homes: tuple[str, str]
) -> None:
    """`income` stands for a second kind of household; many belong to none."""

    def protected(study: ms.Study) -> ms.Study:
        keys = ("marital", "region", "citizenship")
        both = study.with_scenario("neighbour", keys=keys, household=homes[1], attack="weight")
        return both.suppress(household=0.2)

    frame = FRAME.with_columns(
        pl.when(pl.int_range(pl.len()) % 5 > 1).then(pl.int_range(pl.len()) // 7).alias("income")
    )
    one, other = (protected(each(frame, household=homes[0])) for each in (opened, embedded))
    assert one.steps == other.steps
    assert same_frames(released(one), released(other))
    for name in ("main", "neighbour"):
        assert other.risk(name).household.unsafe(0.2) == 0  # type: ignore[union-attr]


MEASURES: Mapping[str, Callable[[ms.Study], Any]] = {
    "risk": lambda s: s.risk(limit=0.01),
    "file_risk": lambda s: s.file_risk(interactions=["sex*age"], opinions=("pitman",)),
    "uniques": lambda s: s.uniques(max_size=3),
    "tabulation": lambda s: s.tabulation(dimensions=(1, 2), min_weight=500),
    "diversity": lambda s: s.diversity(("marital", "income"), ordered=("income",), t=0.1),
    "combinations": lambda s: s.combinations(k=2, max_size=3),
}


def test_small_areas_are_the_same_or_refused(opened: Open) -> None:
    study = opened()
    if NO_RECORDS in study.engine.gaps:
        with pytest.raises(ms.MicrosafeError, match="Values of records"):
            study.areas("region")
        return
    assert study.areas("region").summary() == embedded().areas("region").summary()


def all_of(study: ms.Study, found: Any) -> dict[str, Any]:
    """All that a result says: figures, notices, tables and records."""
    table = getattr(found, "table", None)  # that of a file's risk is no frame
    return {
        "summary": found.summary(),
        "notices": getattr(found, "notices", ()),
        "table": table().rows() if callable(table) else None,
        "records": by_record(study, found.records()),
    }


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_says_the_same(opened: Open, measure: str) -> None:
    one, other = (all_of(study, MEASURES[measure](study)) for study in (opened(), embedded()))
    assert one == other


@pytest.mark.parametrize("guarantee", ["own", "shared"])
def test_what_blanks_hide_is_known_alike(opened: Open, guarantee: str) -> None:
    few = ("region", "sex", "age", "education")
    found = []
    for study in (opened(keys=few), embedded(keys=few)):
        done = study.suppress(k=3, guarantee=guarantee).recode("age", breaks=(15, 30, 65))  # type: ignore[arg-type]
        weighed = done.with_scenario("weighed", keys=few, missing="expected")
        risk = weighed.risk("weighed", limit=0.01)
        found.append(risk.summary() | {"cells": risk.cells().rows()})
        found[-1]["without"] = [each.without for each in risk.contributions()]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "guarantee", ["strict", "view", pytest.param("own", marks=pytest.mark.nightly)]
)
def test_protection_by_the_model_is_alike(opened: Open, guarantee: str) -> None:
    found = []
    for study in (opened(estimator="model"), embedded(estimator="model")):
        recoded = study.recode("age", breaks=(0, 15, 30, 65))
        done = recoded.suppress(above=0.05, guarantee=guarantee)  # type: ignore[arg-type]
        after = done.risk(limit=0.05)
        assert after.limit is not None
        assert after.limit.unsafe == 0
        told = told_alike(done, after) | {"cells": after.cells().rows(), "tau": done.tau()}
        found.append(told | {"blanks": dict(done.steps[-1].blanks)})
    assert found[0] == found[1]


@pytest.mark.parametrize("guarantee", ["own", "view"])
def test_intruders_find_the_same_in_cells(opened: Open, guarantee: str) -> None:
    found, apart = [], []
    by_record = {"family", "guesser", "inference", "numbers", "rejoin"}
    for study in (opened(estimator="model"), embedded(estimator="model")):
        recoded = study.recode("age", breaks=(0, 15, 30, 65))
        done = recoded.suppress(above=0.05, guarantee=guarantee)  # type: ignore[arg-type]
        rows = {row.name: row for row in done.intruders()}
        apart.append({row.name for row in rows.values() if "Spark" in row.not_tried})
        tried = ("keys", "participant", "method")
        found.append({name: (rows[name].not_tried, figures_of(rows[name])) for name in tried})
    assert found[0] == found[1]
    assert not any(not_tried for not_tried, _ in found[0].values())
    assert apart == [by_record if NO_RECORDS in opened().engine.gaps else set(), set()]


def figures_of(row: IntruderRow) -> list[Any]:
    """What was found in the file as it is, and before."""
    sides = [side for side in (row.now, row.before) if side is not None]
    return [(s.units, s.expected, s.largest, s.above, s.certain, s.found) for s in sides]


def test_records_are_told_by_identifiers(opened: Open) -> None:
    found = []
    for study in (opened().suppress(k=2), embedded().suppress(k=2)):
        risk = study.risk()
        for frame in (risk.records(id=["income", "region"]), next(risk.record_batches(id="age"))):
            here = frame if isinstance(frame, pl.DataFrame) else pl.from_arrow(frame.toArrow())
            found.append(pl.DataFrame(here).rename({"F_population": "F"}, strict=False))
        with pytest.raises(ms.InputError, match="'incme'"):
            risk.records(id=["region", "incme"])
        with pytest.raises(ms.InputError, match="'incme'"):
            risk.record_batches(id="incme")
    for one, other in zip(found[:2], found[2:], strict=True):
        assert one.columns == other.columns
        assert one.sort(one.columns).rows() == other.sort(other.columns).rows()
    figures = ["f", "F", "risk", "risk_model", "household_risk"]
    assert found[2].columns == ["income", "region", *figures]
    assert found[2]["region"].to_list() == released(study)["region"].to_list()


def test_an_identifier_with_the_name_of_a_figure(opened: Open) -> None:
    frame = pl.DataFrame({"risk": [7, 8, 9], "a": ["x", "x", "y"]})
    study = ms.study(frame, keys=["a"])
    if not isinstance(opened().engine, LocalEngine):
        from pyspark.sql import SparkSession

        there = SparkSession.active().createDataFrame(frame.to_arrow())
        study = ms.study(there, keys=["a"], engine="spark")
    found = study.risk().records(id="risk")
    first, *_, last = found.columns
    assert (first, last) == ("variable_risk", "risk")


def test_previews_and_suggestions(opened: Open) -> None:
    few = ("region", "sex", "education")
    one, other = opened(keys=few, household=None), embedded(keys=few, household=None)
    step = TopCode(variable="income", limit=2000)
    assert repr(one.preview(step)) == repr(other.preview(step))
    assert repr(one.suggest(most=3)) == repr(other.suggest(most=3))


@pytest.mark.parametrize("blanks", [False, True])
def test_ladders_are_the_same(opened: Open, blanks: bool) -> None:
    study, beside = (each().suppress(k=2) if blanks else each() for each in (opened, embedded))
    ladders = build_ladders(study.engine, study.scenarios)
    expected = build_ladders(beside.engine, beside.scenarios)
    cells = study.engine.cells(study.scenario())
    for key, categories in zip(cells.keys, cells.categories, strict=True):
        assert ladders[key].steps == expected[key].steps
        assert len(ladders[key].rungs[0]) == len(categories) + 1


def test_a_variable_that_is_always_missing_is_no_key(opened: Open) -> None:
    frame = FRAME.with_columns(pl.lit(None, pl.Int32).alias("age"))
    with pytest.raises(ms.InputError, match="'age' is missing in every record"):
        opened(frame).risk()


def test_no_records(opened: Open) -> None:
    with pytest.raises(ms.InputError, match="has no records"):
        opened(FRAME.clear()).risk()


def test_scenarios_do_not_share_cells_by_mistake(opened: Open) -> None:
    study = opened()
    scenario = Scenario(keys=("sex",), weight="weight", estimator="cell")
    before = study.engine.cells(scenario).count.tolist()
    study.suppress(k=2)
    assert study.engine.cells(scenario).count.tolist() == before


def test_scenarios_do_not_share_households_by_mistake(opened: Open) -> None:
    """Households without a number are known by their cells, and weights may split those."""
    found = []
    for study in (opened(), embedded()):
        both = study.with_scenario("weights", keys=KEYS, attack="weight")
        first, _ = both.risk("main"), both.risk("weights")
        found.append(by_record(both, first.records()))
    assert found[0] == found[1]


def test_traits_are_counts_of_shapes(opened: Open) -> None:
    found = {each.name: each for each in opened().engine.traits()}
    here = {each.name: each for each in embedded().engine.traits()}
    for name, each in found.items():
        assert each == replace(here[name], falls=each.falls)
    assert found["income"].shapes["whole"] == found["income"].looked == found["income"].distinct
    assert found["age"].missing == FRAME["age"].null_count()
    assert here["household"].falls == 0
    assert here["age"].falls > 50  # type: ignore[operator]
