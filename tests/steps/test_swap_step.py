"""Record swapping as a step: what households keep, what is refused, and what is known of risk."""

from __future__ import annotations

from collections import Counter
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
from microsafe.plan.model import Input, Plan, plan_text
from microsafe.plan.read import read_plan
from microsafe.risk import individual_risk
from microsafe.steps import Swap
from microsafe.steps.perturbation import find_subject
from microsafe.steps.pram.kernel import invariant_matrix
from microsafe.steps.swap.kernel import MatchCounts, class_households, find_eligible

KEYS = ["region", "town", "sex", "education"]
AREAS = ("region", "town")
FRAME = ms.survey(3, households=300).frame.with_columns(
    (pl.col("region") % 4 + 1).alias("region"),
    (pl.col("region") % 4 * 10 + pl.col("household") % 3 + 11).alias("town"),
    pl.col("household").alias("home_weight") % 4 + 10,
)
STEP = Swap(household="household", areas=AREAS, risk_keys=("sex", "education"), k=2, seed=7)


def opened(frame: pl.DataFrame = FRAME, **changes: Any) -> ms.Study:
    base: dict[str, Any] = {"keys": KEYS, "weight": "weight", "household": "household"}
    return ms.study(frame, **(base | changes))


def table(study: ms.Study) -> pl.DataFrame:
    engine: Any = study.engine
    return engine.table()


def facts_of(study: ms.Study) -> dict[str, Any]:
    return dict(study.steps[-1].facts)


# What it does


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("profile", [(), (("home_weight",),), (("home_weight",), ())])
def test_what_every_swap_keeps(seed: int, profile: Any) -> None:
    start = opened()
    done = start.apply(replace(STEP, seed=seed, profile=profile, rate=0.3))
    before, after = table(start), table(done)
    assert after.columns == before.columns
    assert after.drop(AREAS).equals(before.drop(AREAS))
    assert done.schema == start.schema
    assert after.group_by("household").agg(pl.col(AREAS).n_unique()).select(AREAS).max().row(0) == (
        1,
        1,
    )
    kept = ["hsize", *(profile[0] if profile and profile[-1] else ())]
    for area in AREAS:
        for columns in ([area], [area, *kept]):
            one, other = (Counter(f.select(columns).iter_rows()) for f in (before, after))
            assert one == other
    facts = facts_of(done)
    moved = before.filter(before["town"] != after["town"])["household"].n_unique()
    assert moved == sum(facts["swapped"].values())
    assert moved + facts["lacking"] >= 0.3 * facts["households"]
    assert facts["households"] == 300
    assert facts["left"] == 0
    assert done.undo() is start


def test_those_who_stand_out_move() -> None:
    done = opened().apply(replace(STEP, rate=0))
    after = table(done)
    for area in AREAS:
        rare = FRAME.filter(pl.len().over(area, "sex", "education") < 2)["household"].unique()
        both = FRAME.select("household", old=area).with_columns(new=after[area]).unique()
        stays = both.filter(
            pl.col("household").is_in(rare.implode()) & (pl.col("old") == pl.col("new"))
        )
        assert stays.height == facts_of(done)["stuck"][area]
    assert facts_of(done)["swapped"]["region"] > 0


def test_a_limit_on_risk_instead() -> None:
    done = opened().apply(replace(STEP, k=None, above=0.008, rate=0))
    after, rare = table(done), []
    found = FRAME.with_columns(
        f=pl.len().over("town", "sex", "education"),
        F=pl.col("weight").sum().over("town", "sex", "education"),
    )
    risk = individual_risk(found["f"].to_numpy(), found["F"].to_numpy())
    rare = FRAME.filter(pl.Series(risk > 0.008))["household"].unique()
    both = FRAME.select("household", old="town").with_columns(new=after["town"]).unique()
    stays = both.filter(
        pl.col("household").is_in(rare.implode()) & (pl.col("old") == pl.col("new"))
    )
    assert stays.height == facts_of(done)["stuck"]["town"]
    assert sum(facts_of(done)["swapped"].values()) >= len(rare) - stays.height > 0


@pytest.mark.parametrize("size", [8, 64])
def test_batches_do_not_matter(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = table(opened().apply(STEP))
    for module in (batches, local, local_records, memory):
        if hasattr(module, "BATCH"):
            monkeypatch.setattr(module, "BATCH", size)
    assert table(opened().apply(STEP)).equals(whole)


def test_the_order_of_records_does_not_matter() -> None:
    for frame in (FRAME, FRAME.with_columns(pl.format("h{}", "household").alias("household"))):
        numbered = frame.with_row_index("id")
        shuffled = numbered.sample(fraction=1.0, shuffle=True, seed=5)
        one, other = (table(opened(f).apply(STEP)).sort("id") for f in (numbered, shuffled))
        assert one.equals(other)
        assert not one.equals(table(opened(numbered).apply(replace(STEP, seed=8))))


def test_missing_areas_stay_missing() -> None:
    gone = pl.col("household") % 7 == 0
    member = pl.int_range(pl.len()).over("household") == 1
    frame = FRAME.with_columns(
        pl.when(~gone).then("town").alias("town"), pl.when(~member).then("region").alias("region")
    )
    done = opened(frame).apply(replace(STEP, rate=0.4))
    after = table(done)
    for area in AREAS:
        assert after[area].is_null().equals(frame[area].is_null())
    assert after.filter(gone).equals(frame.filter(gone))  # left where they are
    assert facts_of(done)["left"] == frame.filter(gone)["household"].n_unique()
    assert (after.drop_nulls(AREAS)["town"] != frame.drop_nulls(AREAS)["town"]).any()
    shown = after.drop_nulls(AREAS).select(AREAS).unique()
    assert shown["town"].is_unique().all()  # still nested
    assert done.risk().expected <= opened(frame).risk().expected


def test_what_is_carried_along() -> None:
    frame = FRAME.with_columns(weight=pl.col("town") % 10 * 3.5 + pl.col("household") % 5 + 1)
    start = opened(frame)
    done = start.apply(replace(STEP, rate=0.4))
    (told,) = (each for each in done.notices if each.id == "swap-weights")
    totals = [f.group_by("town").agg(pl.col("weight").sum()).sort("town") for f in
              (frame, table(done))]  # fmt: skip
    change = (totals[1]["weight"] / totals[0]["weight"] - 1).abs().max()
    assert facts_of(done)["totals"]["town"] == pytest.approx(change, rel=1e-12)
    assert f"town {change:.1%}".replace("%", " %") in told.text
    carried = start.apply(replace(STEP, rate=0.4, carry=("weight",)))
    assert not any(each.id == "swap-weights" for each in carried.notices)
    after = table(carried)
    assert (after["weight"] != frame["weight"]).any()
    for area in AREAS:
        one, other = (
            f.group_by(area).agg(pl.col("weight").sum()).sort(area) for f in (frame, after)
        )
        assert one["weight"].to_list() == pytest.approx(other["weight"].to_list(), rel=1e-12)
    # Risk goes by the weights before.
    assert carried.risk().expected == done.risk().expected


# What is refused


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"areas": ()}, "the areas, or declare"),
        ({"areas": ("town", "town")}, "named twice"),
        ({"carry": ("town",)}, "named twice"),
        ({"profile": (("town",),)}, "cannot be moved and be part of the profile"),
        ({"rate": 1.1}, "from 0 to 1"),
        ({"rate": -0.1}, "from 0 to 1"),
        ({"k": 0}, "1 or more"),
        ({"above": 0.1}, "one of k and above"),
        ({"k": None, "above": 1.5}, "between 0 and 1"),
        ({"seed": -1}, "seed of record swapping"),
    ],
)
def test_parameters(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        replace(STEP, **changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"areas": ("town", "region")}, "4 areas of 'region' lie in more than one of 'town'"),
        ({"areas": ("age",)}, "'age' differs between members in .* that all members share"),
        ({"carry": ("income",)}, "'income' differs between members"),
        ({"profile": (("age",),)}, "'age' differs between members"),
        ({"areas": ("country",)}, "fewer than two areas of 'country'.* Leave it out"),
        ({"household": "gaps"}, "records have no household 'gaps'.* number of its own"),
        ({"risk_keys": ("nobody",)}, "nobody"),
        ({"areas": ("nowhere",)}, "nowhere"),
    ],
)
def test_data_that_do_not_suit(changes: dict[str, Any], words: str) -> None:
    frame = FRAME.with_columns(
        country=pl.lit(1),
        gaps=pl.when(pl.col("household") != 5).then("household"),
    )
    with pytest.raises((InputError, UsageError), match=words):
        opened(frame).apply(replace(STEP, **changes))


def test_other_steps_before_and_after() -> None:
    done = opened().apply(STEP)
    with pytest.raises(UsageError, match=r"perturbed itself \(swapping of region\)"):
        done.apply(STEP)
    with pytest.raises(UsageError, match="perturbed itself"):
        done.pram("education", keep=0.8, strata="region", seed=1)
    with pytest.raises(UsageError, match=r"perturbed itself \(PRAM of town\)"):
        opened().pram("town", keep=0.8, seed=1).apply(STEP)
    with pytest.raises(UsageError, match="by no variable"):
        opened(keys=AREAS).apply(replace(STEP, risk_keys=()))
    with pytest.raises(UsageError, match="household of scenario"):
        opened().apply(replace(STEP, household="hsize", carry=("household",)))


# What is known of risk


def classes_of(frame: pl.DataFrame, k: int) -> np.ndarray:
    """Class of the household of every record, by the kernel's own rule on plain arrays."""
    homes, household = np.unique(frame["household"].to_numpy(), return_inverse=True)
    first = np.unique(household, return_index=True)[1]
    areas = [frame[area].to_numpy()[first] for area in AREAS]
    combination = frame["sex"].to_numpy() * 100 + frame["education"].fill_null(99).to_numpy()
    crowds = MatchCounts.of(areas, household, combination)
    eligible = find_eligible(areas[-1], [np.bincount(household)])
    assert len(homes) == len(eligible)
    return class_households(crowds.below(k), crowds, eligible)[household]


def kept_by_record(frame: pl.DataFrame, after: pl.DataFrame, k: int) -> dict[str, np.ndarray]:
    classes = classes_of(frame, k)
    kept = {}
    for area in AREAS:
        stayed = (frame[area] == after[area]).to_numpy()
        share = {each: stayed[classes == each].mean() for each in np.unique(classes)}
        kept[area] = np.array([share[each] for each in classes])
    return kept


def by_all_sets(frame: pl.DataFrame, kept: dict[str, np.ndarray], others: int = 1) -> list[float]:
    """rho by all pairs and all sets of keys: areas moved together, so the smaller chance counts."""
    result = [0.0] * frame.height
    for size in range(len(kept) + others):
        for left in combinations(kept, size):
            seen = [key for key in KEYS if key not in left]
            f, F = oracle.frequencies(
                list(frame.select(seen).iter_rows()), frame["weight"].to_list()
            )
            for i in range(frame.height):
                chance = min((kept[key][i] for key in kept if key not in left), default=1.0)
                result[i] = max(result[i], chance * float(oracle.risk(f[i], F[i])))
    return result


SMALL = FRAME.head(260)


@pytest.mark.slow
def test_risk_by_all_sets_of_keys() -> None:
    step = replace(STEP, k=2, rate=0.3)
    done = opened(SMALL, estimator="cell").apply(step)
    kept = kept_by_record(SMALL, table(done), 2)
    assert len({*kept["town"].tolist()}) > 1
    assert np.all(kept["town"] <= kept["region"])
    found = done.risk().records()["risk"].to_list()
    assert found == pytest.approx(by_all_sets(SMALL, kept), rel=1e-9)
    risk = done.risk().perturbed
    assert risk is not None
    assert risk.words == "swapping of region, town"
    assert risk.informed_gain is None
    assert any(each.id == "swap-targeted" for each in done.notices)


def test_no_swap_changes_no_risk() -> None:
    start = opened()
    done = start.apply(replace(STEP, k=1, rate=0))
    assert table(done).equals(table(start))
    one, other = start.risk(limit=0.01), done.risk(limit=0.01)
    assert one.records()["risk"].equals(other.records()["risk"])
    assert one.expected == other.expected


@pytest.mark.slow
def test_a_recode_adds_up_what_becomes_one_area() -> None:
    done = opened(SMALL, estimator="cell").apply(replace(STEP, k=2, rate=0.3))
    kept = kept_by_record(SMALL, table(done), 2)
    groups = {"1": [1, 2], "2": [3, 4]}
    done = done.recode("region", groups=groups)
    truth = SMALL.with_columns((pl.col("region") > 2).cast(pl.Int64) + 1)
    shares = {r: (SMALL["region"] == r).mean() for r in (1, 2, 3, 4)}
    other = {1: 2, 2: 1, 3: 4, 4: 3}
    changed = 1 - kept["region"]
    back = [shares[other[r]] / (1 - shares[r]) for r in SMALL["region"]]  # type: ignore[operator]
    kept["region"] = kept["region"] + changed * np.array(back)
    assert set(table(done)["region"]) == {"1", "2"} or set(table(done)["region"]) == {1, 2}
    found = done.risk().records()["risk"].to_list()
    assert found == pytest.approx(by_all_sets(truth, kept), rel=1e-9)


def test_pram_of_another_key_and_of_an_area() -> None:
    """Chances of different steps multiply; a second step on an area is one more link."""
    done = opened(SMALL).apply(replace(STEP, k=2, rate=0.3))
    swapped = kept_by_record(SMALL, table(done), 2)
    done = done.pram("sex", keep=0.7, seed=3)
    subject = find_subject(done.engine, done._perturbation, done.scenario())
    assert subject.kept is not None
    assert subject.kept.together == (AREAS,)
    both = subject.kept.chance(("town", "sex"))
    assert (
        both.tolist() == (subject.kept.chance(("town",)) * subject.kept.chance(("sex",))).tolist()
    )
    assert done.risk().expected < opened(SMALL).apply(replace(STEP, k=2, rate=0.3)).risk().expected
    released = table(done).group_by("region").agg(pl.col("weight").sum()).sort("region")
    matrix = invariant_matrix(released["weight"].to_numpy() / released["weight"].sum(), 0.5)
    shares = np.array([(SMALL["region"] == r).mean() for r in (1, 2, 3, 4)], np.float64)
    place = SMALL["region"].to_numpy() - 1
    away = shares / (1 - shares[place, None])
    away[np.arange(len(place)), place] = 0.0
    row = (1 - swapped["region"])[:, None] * away
    row[np.arange(len(place)), place] = swapped["region"]
    more = done.pram("region", keep=0.5, seed=4)
    subject = find_subject(more.engine, more._perturbation, more.scenario())
    assert subject.kept is not None
    engine: Any = subject.engine
    found = engine.records(subject.scenario, {"kept": subject.kept.chances["region"]}, {})["kept"]
    expected = np.sum(row * matrix[:, place].T, axis=1)
    assert found.to_list() == pytest.approx(expected.tolist(), rel=1e-12)


def test_suppression_after_it() -> None:
    limit = 0.01
    done = opened().apply(replace(STEP, rate=0.1)).suppress(above=limit)
    found = done.risk(limit=limit).limit
    assert found is not None
    assert found.unsafe == 0
    plain = opened().suppress(above=limit)
    assert 0 < done.steps[-1].total < plain.steps[-1].total


def test_classes_are_no_smaller_than_twenty() -> None:
    classes = classes_of(FRAME, 2)
    frame = FRAME.select("household").with_columns(found=classes)
    sizes = frame.filter(pl.col("found") > 0).group_by("found").agg(pl.col("household").n_unique())
    assert sizes["household"].min() >= 20  # type: ignore[operator]
    assert sizes.height > 2


# Plans


def test_plan_and_lock(tmp_path: Path) -> None:
    step = replace(STEP, profile=(("hsize", "home_weight"), ("hsize",)), rate=0.1, why="as agreed")
    FRAME.write_csv(tmp_path / "in.csv")
    study = opened()
    plan = Plan(
        input=Input(file="in.csv"),
        scenarios=study.scenarios,
        steps=(step,),
        output=Output(file="out.csv", shuffle=1),
    )
    path = tmp_path / "plan.toml"
    path.write_text(plan_text(plan))
    assert read_plan(path).steps == (step,)
    done = study.apply(step)
    assert table(study.apply(read_plan(path).steps[0])).equals(table(done))
    words = dict(step.parameters_in_words())
    assert words["Seed"] == "kept secret"
    assert words["Partners agree on"] == "hsize, home_weight; hsize"
