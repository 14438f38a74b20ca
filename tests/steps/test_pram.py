"""PRAM as a step: what it does to records, and what is known of their risk afterwards."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
import oracle
from microsafe.engine import memory
from microsafe.engine import slices as batches
from microsafe.engine.local import engine as local
from microsafe.engine.local import records as local_records
from microsafe.errors import InputError, UsageError
from microsafe.options.release import Output
from microsafe.options.scenario import Scenario
from microsafe.plan.model import Input, Plan, plan_text
from microsafe.plan.read import read_plan
from microsafe.steps import Pram
from microsafe.steps.pram.kernel import banded_matrix, invariant_matrix

KEYS = ["region", "sex", "education"]
FRAME = ms.survey(3, households=120).frame.with_columns(
    pl.when(pl.int_range(pl.len()) % 11 != 0).then("region").alias("region"),
    (2 * pl.int_range(pl.len()) + 5).alias("id"),
)
SCENARIO: dict[str, Any] = {
    "keys": KEYS,
    "weight": "weight",
    "household": "household",
    "estimator": "cell",
}


def opened(frame: pl.DataFrame = FRAME, **changes: Any) -> ms.Study:
    return ms.study(frame, **(SCENARIO | changes))


def table(study: ms.Study) -> pl.DataFrame:
    engine: Any = study.engine
    return engine.table()


def shares_of(frame: pl.DataFrame, name: str) -> tuple[list[Any], np.ndarray]:
    found = frame.drop_nulls(name).group_by(name).agg(pl.col("weight").sum()).sort(name)
    weights = found["weight"].to_numpy()
    return found[name].to_list(), weights / weights.sum()


# What it does


def test_only_the_variable_changes_and_missing_stays_missing() -> None:
    start = opened()
    done = start.pram("region", keep=0.7, seed=1)
    before, after = table(start), table(done)
    assert after.drop("region").equals(before.drop("region"))
    assert after.columns == before.columns
    assert after["region"].is_null().equals(before["region"].is_null())
    assert set(after["region"].drop_nulls()) <= set(before["region"].drop_nulls())
    changed = (after["region"] != before["region"]).sum()
    facts = done.steps[0].facts
    assert facts["values"] - facts["kept"] == changed > 0  # type: ignore[operator]
    assert done.schema == start.schema
    assert done.undo() is start
    assert done.undo()._perturbation is None


def test_the_draw_is_documented() -> None:
    """A record takes the first category whose cumulated chance is above its uniform number."""
    from microsafe.draws import Draws

    start = opened()
    done = start.round("income", 10).pram("region", keep=0.7, seed=9)
    codes, shares = shares_of(FRAME, "region")
    cumulated = np.cumsum(invariant_matrix(shares, 0.7), axis=1)
    numbers = np.arange(FRAME.height, dtype=np.uint64)
    uniforms = Draws(seed=9, step=2, variable="region").uniforms(numbers)
    expected = [
        None if x is None else codes[int(np.argmax(u < cumulated[codes.index(x)]))]
        for x, u in zip(FRAME["region"], uniforms, strict=True)
    ]
    assert table(done)["region"].to_list() == expected


@pytest.mark.parametrize("size", [8, 64])
def test_batches_do_not_matter(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    step = Pram(variable="region", keep=0.6, strata=("sex",), above=0.001, seed=3)
    whole = table(opened().apply(step))
    for module in (batches, local, local_records, memory):
        if hasattr(module, "BATCH"):
            monkeypatch.setattr(module, "BATCH", size)
    assert table(opened().apply(step)).equals(whole)


def test_an_identifier_makes_the_order_not_matter() -> None:
    step = Pram(variable="region", keep=0.6, identifier="id", seed=3)
    shuffled = FRAME.sample(fraction=1.0, shuffle=True, seed=5)
    one, other = (table(opened(f).apply(step)).sort("id") for f in (FRAME, shuffled))
    assert one.equals(other)
    assert not one.equals(table(opened().apply(replace(step, seed=4))))
    with pytest.raises(InputError, match="same value in several records"):
        opened().apply(replace(step, identifier="sex"))


def test_strata_exchange_among_themselves() -> None:
    done = opened().pram("education", keep=0.4, strata=["sex", "region"], seed=3)
    before, after = FRAME, table(done)
    for key in before.select("sex", "region").unique().iter_rows():
        here = [pl.col(n).eq_missing(v) for n, v in zip(("sex", "region"), key, strict=True)]
        old, new = (set(f.filter(here)["education"].drop_nulls()) for f in (before, after))
        assert new <= old
    single = done.steps[0].facts["single"]
    assert isinstance(single, int)
    assert any("stay as they are" in n.text for n in done.notices) == (single > 0)


def test_groups_and_bands() -> None:
    groups = [[1, 2], [3, 4, 5]]
    after = table(opened().pram("region", keep=0.5, within=groups, seed=1))
    pairs = set(zip(FRAME["region"].to_list(), after["region"].to_list(), strict=True))
    allowed = [{1, 2}, {3, 4, 5}]
    assert all(x == z or any({x, z} <= group for group in allowed) for x, z in pairs)
    assert any(x != z for x, z in pairs)
    moved = table(opened().pram("region", band=2, change=0.8, seed=1))
    known = zip(FRAME["region"].drop_nulls(), moved["region"].drop_nulls(), strict=True)
    assert {abs(x - z) for x, z in known} == {0, 1, 2}


def test_a_household_draws_once() -> None:
    frame = ms.survey(3, households=120).frame
    done = opened(frame).pram("region", keep=0.5, together="household", seed=1)
    after = table(done)
    assert after.group_by("household").agg(pl.col("region").n_unique())["region"].max() == 1
    assert (after["region"] != frame["region"]).any()
    assert not any("drew alone" in notice.text for notice in done.notices)
    alone = opened(frame).pram("region", keep=0.5, seed=1)
    assert any("drew alone" in notice.text for notice in alone.notices)
    texts = frame.with_columns(pl.format("h{}", "household").alias("household"))
    named = table(opened(texts).pram("region", keep=0.5, together="household", seed=1))
    assert named.group_by("household").agg(pl.col("region").n_unique())["region"].max() == 1
    chosen = opened(frame).pram("region", keep=0.5, together="household", seed=1, above=0.01)
    after = table(chosen)
    assert after.group_by("household").agg(pl.col("region").n_unique())["region"].max() == 1
    assert (
        0 < (after["region"] != frame["region"]).sum() < (named["region"] != texts["region"]).sum()
    )


def test_only_records_above_a_limit() -> None:
    start = opened()
    limit = 0.01
    risk = start.risk().records()["risk"]
    done = start.pram("region", keep=0.5, above=limit, seed=1)
    changed = table(done)["region"] != FRAME["region"]
    assert changed.any()
    assert not (changed & (risk <= limit)).any()
    assert any("only where the risk is high" in notice.text for notice in done.notices)


def test_an_identity_changes_nothing() -> None:
    start = opened()
    same = {str(code): {str(code): 1.0} for code in FRAME["region"].drop_nulls().unique()}
    done = start.pram("region", matrix=same, seed=1)
    assert table(done).equals(table(start))
    one, other = start.risk(limit=0.01), done.risk(limit=0.01)
    assert one.records().equals(other.records())
    assert one.expected == other.expected
    assert one.household is not None
    assert other.household is not None
    assert one.household.risk.tobytes() == other.household.risk.tobytes()
    assert one.standard_errors == other.standard_errors
    assert other.perturbed is not None
    assert other.perturbed.informed_gain == 1.0


def test_what_it_adds_to_standard_errors() -> None:
    done = opened().pram("sex", keep=0.7, seed=1)
    codes, shares = shares_of(FRAME, "sex")
    matrix = invariant_matrix(shares, 0.7)
    weights = [FRAME.filter(pl.col("sex") == c)["weight"].to_numpy() for c in codes]
    squares = np.array([np.sum(w**2) for w in weights])
    added = np.sqrt(squares @ (matrix * (1 - matrix))) / [w.sum() for w in weights]
    found = done.steps[0].facts["added_error"]
    assert isinstance(found, dict)
    assert list(found.values()) == pytest.approx(added.tolist(), rel=1e-12)
    # Members draw together, so that their weights add up before they are squared.
    frame = ms.survey(3, households=120).frame
    home = frame.group_by("household", "region").agg(pl.col("weight").sum())
    done = opened(frame).pram("region", keep=0.7, together="household", seed=1)
    codes, shares = shares_of(frame, "region")
    matrix = invariant_matrix(shares, 0.7)
    weights = [home.filter(pl.col("region") == c)["weight"].to_numpy() for c in codes]
    squares = np.array([np.sum(w**2) for w in weights])
    added = np.sqrt(squares @ (matrix * (1 - matrix))) / [w.sum() for w in weights]
    found = done.steps[0].facts["added_error"]
    assert isinstance(found, dict)
    assert list(found.values()) == pytest.approx(added.tolist(), rel=1e-12)


# What is known of risk


def by_record(
    study: ms.Study, kept: dict[str, list[float]], keys: list[str], frame: pl.DataFrame
) -> list[float]:
    """rho of every record by all pairs and all sets of keys; `frame` has the true values."""
    weights = frame["weight"].to_list()
    result = [0.0] * frame.height
    for size in range(len(kept) + 1):
        for left in combinations(kept, size):
            seen = [key for key in keys if key not in left]
            rows = list(frame.select(seen).iter_rows())
            f, F = oracle.frequencies(rows, weights)
            for i in range(frame.height):
                chance = 1.0
                for key, chances in kept.items():
                    if key not in left and frame[key][i] is not None:
                        chance *= chances[i]
                result[i] = max(result[i], chance * float(oracle.risk(f[i], F[i])))
    return result


SMALL = FRAME.head(90)


def test_risk_of_strata_bands_and_chosen_records() -> None:
    start = opened(SMALL)
    limit = 0.005
    risky = (start.risk().records()["risk"] > limit).to_list()
    done = start.pram("education", keep=0.6, strata="sex", above=limit, seed=1)
    done = done.pram("region", band=1, change=0.5, seed=2)
    kept: dict[str, list[float]] = {"education": [1.0] * SMALL.height}
    for sex in (1, 2):
        chosen = SMALL.filter(pl.Series(risky) & (pl.col("sex") == sex))
        codes, shares = shares_of(chosen, "education")
        matrix = invariant_matrix(shares, 0.6)
        for i, row in enumerate(SMALL.iter_rows(named=True)):
            if risky[i] and row["sex"] == sex and row["education"] is not None:
                place = codes.index(row["education"])
                kept["education"][i] = matrix[place, place]
    codes, shares = shares_of(SMALL, "region")
    diagonal = banded_matrix(shares, 0.5, 1).diagonal()
    kept["region"] = [1.0 if r is None else diagonal[codes.index(r)] for r in SMALL["region"]]
    found = done.risk().records()["risk"].to_list()
    assert found == pytest.approx(by_record(done, kept, KEYS, SMALL), rel=1e-9)


def test_risk_after_two_steps_and_a_recode() -> None:
    """Matrices multiply, and a recode adds up what becomes one category."""
    done = opened(SMALL).pram("region", keep=0.5, seed=1)
    released = SMALL.with_columns(table(done)["region"])
    done = done.pram("region", keep=0.7, strata="sex", seed=2)
    codes, shares = shares_of(SMALL, "region")
    first = invariant_matrix(shares, 0.5)
    low = np.array([code <= 6 for code in codes])
    kept = []
    for row in SMALL.iter_rows(named=True):
        if row["region"] is None:
            kept.append(1.0)
            continue
        same = released.filter(pl.col("sex") == row["sex"])
        there, part = shares_of(same, "region")
        full = np.zeros(len(codes))
        full[[codes.index(code) for code in there]] = part
        chances = first[codes.index(row["region"])] @ invariant_matrix(full, 0.7)
        kept.append(float(chances[low == (row["region"] <= 6)].sum()))
    groups = {"low": [(1, 6)], "high": [(7, None)]}
    done = done.recode("region", groups=groups)
    truth = SMALL.with_columns(
        pl.when(pl.col("region") <= 6)
        .then(pl.lit("low"))
        .when(pl.col("region") > 6)
        .then(pl.lit("high"))
        .alias("region")
    )
    found = done.risk().records()["risk"].to_list()
    assert found == pytest.approx(by_record(done, {"region": kept}, KEYS, truth), rel=1e-9)
    assert set(table(done)["region"].drop_nulls()) == {"low", "high"}
    assert done._truth.engine.table()["region"].equals(truth["region"])  # type: ignore[attr-defined]


@pytest.mark.parametrize("guarantee", ["own", "strict"])
@pytest.mark.parametrize("estimator", ["cell", "model"])
def test_suppression_after_it(guarantee: Any, estimator: Any) -> None:
    frame = ms.survey(3, households=400).frame
    start = opened(frame, estimator=estimator, household=None)
    limit = 0.01
    noisy = start.pram("region", keep=0.6, seed=1).pram("sex", keep=0.8, seed=2)
    done = noisy.suppress(above=limit, guarantee=guarantee)
    risk = done.risk(limit=limit)
    assert risk.limit is not None
    assert risk.limit.unsafe == 0
    assert done.steps[-1].stuck == 0
    plain = start.suppress(above=limit, guarantee=guarantee)
    assert 0 < done.steps[-1].total < plain.steps[-1].total
    # What is blank in the truth is blank in the file, and nothing else.
    truth, shown = done._truth.engine, table(done)
    for key in KEYS:
        assert truth.table()[key].is_null().equals(shown[key].is_null())  # type: ignore[attr-defined]
        rest = shown[key].is_not_null()
        assert shown[key].filter(rest).equals(table(noisy)[key].filter(rest))
    assert done.compare().blanks == done.steps[-1].total


def test_suppression_by_brute_force() -> None:
    limit = 0.004
    start = opened(SMALL, household=None)
    noisy = start.pram("region", keep=0.6, seed=1)
    done = noisy.suppress(above=limit)
    truth = done._truth.engine.table()  # type: ignore[attr-defined]
    codes, shares = shares_of(SMALL, "region")
    diagonal = invariant_matrix(shares, 0.6).diagonal()
    kept = {"region": [1.0 if r is None else diagonal[codes.index(r)] for r in SMALL["region"]]}
    assert max(by_record(done, kept, KEYS, truth)) <= limit * (1 + 1e-12)
    with pytest.raises(UsageError, match="'shared' cannot follow PRAM of region"):
        noisy.suppress(above=limit, guarantee="shared")
    households = opened(SMALL).pram("region", keep=0.6, seed=1).suppress(above=1, household=0.02)
    risk = households.risk()
    assert risk.household is not None
    assert risk.household.max <= 0.02


def test_figures_beside_the_risk() -> None:
    start = opened(SMALL, household=None)
    done = start.pram("region", keep=0.6, seed=1).pram("sex", keep=0.7, seed=4)
    risk, plain = done.risk(), start.risk()
    found = risk.perturbed
    assert found is not None
    assert found.words == "PRAM of region, sex"
    assert found.expected_before == plain.expected
    after = table(done)
    stayed = pl.Series([True] * SMALL.height)
    for key in ("region", "sex"):
        stayed &= after[key].eq_missing(SMALL[key])
    alone = plain.records()["risk"]
    assert found.kept_realised == pytest.approx(alone.filter(stayed).sum(), rel=1e-12)
    known = set(SMALL.drop_nulls(KEYS).select(KEYS).iter_rows())
    new = [row for row in after.drop_nulls(KEYS).select(KEYS).iter_rows() if row not in known]
    assert (found.new_records, found.new_combinations) == (len(new), len(set(new)))
    assert risk.sample_uniques == plain.sample_uniques
    assert "before PRAM of region, sex; not meaningful after it" in repr(risk)
    assert risk.summary()["perturbed"]["words"] == found.words


def test_the_gain_of_an_informed_intruder() -> None:
    """By enumeration: for every released combination the most probable person."""
    frame = SMALL.drop_nulls(KEYS)
    done = opened(frame).pram("region", keep=0.6, seed=1).pram("sex", keep=0.7, seed=4)
    matrices = {}
    for key, keep in (("region", 0.6), ("sex", 0.7)):
        codes, shares = shares_of(frame, key)
        matrices[key] = (codes, invariant_matrix(shares, keep))
    rows = list(frame.select(KEYS).iter_rows())
    hits = 0.0
    for education in set(frame["education"]):
        people = [row for row in rows if row[2] == education]
        for region in matrices["region"][0]:
            for sex in matrices["sex"][0]:
                chances = []
                for one, two, _ in people:
                    chance = 1.0
                    for key, x, z in (("region", one, region), ("sex", two, sex)):
                        codes, matrix = matrices[key]
                        chance *= matrix[codes.index(x), codes.index(z)]
                    chances.append(chance)
                hits += max(chances)
    exact = 0.0
    for region, sex, education in rows:
        chance = 1.0
        for key, x in (("region", region), ("sex", sex)):
            codes, matrix = matrices[key]
            chance *= matrix[codes.index(x), codes.index(x)]
        exact += chance / rows.count((region, sex, education))
    found = done.risk().perturbed
    assert found is not None
    assert found.informed_gain == pytest.approx(hits / exact, rel=1e-12)


def test_counts_are_those_before_it() -> None:
    start = opened()
    done = start.pram("region", keep=0.5, seed=1)
    for measure in (
        lambda s: s.uniques(),
        lambda s: s.combinations(k=3),
        lambda s: s.tabulation(),
        lambda s: s.diversity("income"),
        lambda s: s.file_risk(),
    ):
        one, other = measure(start), measure(done)
        assert other.perturbed_by == "PRAM of region"
        assert "not meaningful" in repr(other)
        assert "not meaningful" in other._repr_html_()
        told = other.summary()
        if "notices" in told:
            assert "not meaningful" in told["notices"].pop()
        assert told == one.summary() | {"perturbed_by": "PRAM of region"}
    assert done.file_risk().tau2 == start.file_risk().tau2
    other_keys = done.with_scenario("others", keys=["sex", "age"])
    assert other_keys.uniques("others").perturbed_by == ""
    assert other_keys.risk("others").perturbed is None


def test_contributions_and_gaps() -> None:
    done = opened().pram("region", keep=0.5, seed=1)
    risk = done.risk()
    fewer = {each.key: each.without for each in risk.contributions()}
    alone = opened(keys=["sex", "education"]).risk()
    assert fewer["region"] == pytest.approx(alone.expected, rel=1e-12)
    assert set(risk.gaps) == {"wildcard", "category", "expected"}
    assert risk.gaps["wildcard"].expected == risk.expected


def test_what_it_costs() -> None:
    start = opened()
    step = Pram(variable="sex", keep=0.7, seed=1)
    (found,) = start.preview(step).information
    both = pl.DataFrame({"x": FRAME["sex"], "z": table(start.apply(step))["sex"]})

    def bits(*names: str) -> float:
        share = both.group_by(names).len()["len"].to_numpy() / both.height
        return float(-(share * np.log2(share)).sum())

    assert found.bits_after == pytest.approx(bits("x") + bits("z") - bits("x", "z"), abs=1e-12)
    assert 0 < found.share_lost < 1


# What is refused

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"keep": 0.0}, "keep of 'region' must be above 0"),
    ({"keep": 1.0}, "keep of 'region' must be above 0"),
    ({"keep": 0.5, "band": 1, "change": 0.5}, "one of keep, matrix and band"),
    ({"band": 1}, "band and change of 'region' go together"),
    ({"band": 0, "change": 0.5}, "band of 'region' must be at least 1"),
    ({"band": 1, "change": 1.5}, "change of 'region' must be"),
    ({"above": 1.0}, "must be between 0 and 1"),
    ({"within": [["1"], ["1", "2"]]}, "in two groups"),
    ({"within": [["1"]], "band": 1, "change": 0.5}, "go with keep only"),
    ({"strata": "region"}, "other than 'region'"),
    ({"strata": "nothing"}, "has no variable 'nothing'"),
    ({"together": "region"}, "cannot be the household"),
    ({"within": [["1", "77"]]}, "No record has the category '77'"),
    ({"matrix": {"1": {"1": 1.0}}}, "has no row for 11 of its 12 categories"),
    ({"together": "sex"}, "'region' differs between members"),
]


@pytest.mark.parametrize(("options", "words"), WRONG, ids=str)
def test_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises((UsageError, InputError), match=words):
        opened().pram("region", seed=1, **options)


def test_refused_by_the_data() -> None:
    sexes = {"1": {"1": 0.5, "2": 0.4}, "2": {"2": 1.0}}
    with pytest.raises(UsageError, match="do not sum to 1"):
        opened().pram("sex", seed=1, matrix=sexes)
    with pytest.raises(UsageError, match="chances below 0"):
        opened().pram("sex", seed=1, matrix={"1": {"1": 1.5, "2": -0.5}, "2": {"2": 1.0}})
    least = pl.DataFrame({"x": ["a"] * 6 + ["b"] * 4, "y": range(10)})
    with pytest.raises(InputError, match=r"must be at least 0\.4"):
        ms.study(least, keys=["x"]).pram("x", keep=0.1, seed=1)
    for values, words in (([None] * 5, "missing in every record"), (["a"] * 5, "one category")):
        frame = pl.DataFrame({"x": values, "y": range(5)}, schema={"x": pl.String, "y": pl.Int64})
        with pytest.raises(InputError, match=words):
            ms.study(frame, keys=["y"]).pram("x", seed=1)
    with pytest.raises(InputError, match="categories"):
        ms.study(pl.DataFrame({"x": range(3000)}), keys=["x"]).pram("x", seed=1)
    with pytest.raises(UsageError, match="is the weight"):
        opened().pram("weight", seed=1)
    with pytest.raises(UsageError, match="needs a scenario"):
        ms.study(FRAME).pram("region", above=0.1, seed=1)
    done = opened().pram("region", seed=1)
    with pytest.raises(UsageError, match="was perturbed itself"):
        done.pram("sex", strata="region", seed=1)
    with pytest.raises(UsageError, match="cannot follow"):
        done.renumber("region", seed=1)


def test_what_is_dropped_is_forgotten() -> None:
    done = opened().pram("region", keep=0.5, seed=1).drop("region", from_keys=True)
    assert done.risk().perturbed is None
    assert done.risk().expected == opened(keys=["sex", "education"]).risk().expected
    assert "region" not in done.schema


def test_records_are_not_told_apart_by_what_was_perturbed() -> None:
    risk = opened().pram("region", seed=1).risk()
    assert risk.records(id="id").columns[0] == "id"
    with pytest.raises(UsageError, match="was perturbed and does not tell records apart"):
        risk.records(id="region")


@pytest.mark.parametrize(
    "options",
    [
        {"matrix": {"1": {"1": 0.9, "2": 0.1}, "2": {"2": 1.0}}},
        {"within": (("1", "2"), ("3", "4")), "keep": 0.75},
        {"band": 2, "change": 0.5, "strata": ("sex",), "above": 0.01, "together": "household"},
        {"identifier": "id", "why": "a reason"},
    ],
    ids=str,
)
def test_through_a_plan(options: dict[str, Any], tmp_path: Path) -> None:
    step = Pram(variable="region", seed=7, **options)
    plan = Plan(
        input=Input(file="a.csv"),
        scenarios=(Scenario(keys=("region",)),),
        steps=(step,),
        output=Output(file="b.csv", shuffle=1),
    )
    path = tmp_path / "plan.toml"
    path.write_text(plan_text(plan))
    assert read_plan(path).steps == (step,)


def test_codes_may_be_numbers() -> None:
    texts = {"1": {"1": 0.9, "2": 0.1}, "2": {"2": 1.0}}
    numbers = {1: {1: 0.9, 2: 0.1}, 2: {2: 1}}
    one, other = (opened().pram("sex", matrix=each, seed=1) for each in (texts, numbers))
    assert one.steps == other.steps
    assert one.steps[0].facts["keeps_margin"] is False
    assert set(one.steps[0].facts["transitions"]["2"]) == {"2"}  # type: ignore[index]


@pytest.mark.parametrize(
    ("fields", "hidden"),
    [
        ({"keep": 0.9}, False),
        ({}, True),
        ({"band": 1, "change": 0.2}, True),
        ({"matrix": {"1": {"1": 0.9, "2": 0.1}, "2": {"1": 0.1, "2": 0.9}}}, True),
        ({"keep": 0.9, "strata": ("sex",)}, True),
        ({"keep": 0.9, "within": (("1", "2"),)}, True),
        ({"keep": 0.9, "above": 0.1}, True),
    ],
)
def test_a_loss_that_tells_chances_is_not_published(fields: dict[str, Any], hidden: bool) -> None:
    assert Pram(variable="region", seed=1, **fields).hides_spread is hidden
