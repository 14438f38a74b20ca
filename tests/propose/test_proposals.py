"""Proposals: what they promise is what their plans do, and what cannot be met is said."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.datasets import survey
from microsafe.errors import CancelledError, UsageError
from microsafe.propose.proposal import Proposal

KEYS = ("region", "hsize", "age", "marital")


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    return survey(households=300).frame


def read_keys(study: ms.Study, keys: tuple[str, ...], folder: Path) -> pl.DataFrame:
    study.write(folder / "file.csv", keep={each.name: "test" for each in study.schema})
    return pl.read_csv(folder / "file.csv", infer_schema=False).select(keys)


def measure_loss(
    start: ms.Study, done: ms.Study, weights: dict[str, float], folder: Path
) -> tuple[float, int, int]:
    """Return loss, blanks and records touched, by the files before, after recodes, and after."""
    keys = tuple(dict.fromkeys(key for each in start.scenarios for key in each.keys))
    recoded = done.undo() if any(taken.blanks for taken in done.steps) else done
    files = [read_keys(each, keys, folder) for each in (start, recoded, done)]
    total, blanks = 0.0, np.zeros(len(files[0]), np.int64)
    for key in keys:
        old, group, new = (each[key] for each in files)
        table = pl.DataFrame({"old": old, "group": group, "new": new}).with_row_index("at")
        blanks += (table["group"].is_not_null() & table["new"].is_null()).to_numpy()
        shown = table.filter(pl.col("old").is_not_null()).with_columns(
            pl.len().over("old").alias("x"), pl.len().over("group").alias("g")
        )
        n = len(shown)
        known = pl.when(pl.col("new").is_null()).then(n).otherwise("g")
        bits = shown.select((known / pl.col("x")).log(2).sum()).item()
        entropy = shown.select((pl.lit(n) / pl.col("x")).log(2).sum()).item()
        total += weights.get(key, 1.0) * (bits / entropy if entropy else 0.0)
    mean = total / sum(weights.get(key, 1.0) for key in keys)
    return mean, int(blanks.sum()), int((blanks > 0).sum())


def check_promises(
    found: Proposal, folder: Path, weights: dict[str, float] | None = None, most: int = 3
) -> None:
    for each in found.candidates[:most]:
        loss, blanks, touched = measure_loss(each.posed.start, each.study, weights or {}, folder)
        assert loss == pytest.approx(each.loss, rel=1e-9)
        assert (blanks, touched) == (each.blanks, each.touched)
        assert each.met
        assert all(taken.stuck == 0 for taken in each.study.steps)


def test_rules_that_no_blank_is_asked_for_are_met_by_recodes(
    frame: pl.DataFrame, tmp_path: Path
) -> None:
    study = ms.study(frame, keys=KEYS, weight="weight", household="household")
    for rules in ({"tau2": 3.0}, {"expected_households": 4.0}):
        found = study.propose(policy=ms.Policy(**rules))
        assert found.best is not None
        assert found.best.blanks == 0
        assert any("only recodes" in note for note in found.notes)
        check_promises(found, tmp_path)


POLICIES = {
    "record risk": {"record_risk": 0.02},
    "k": {"k": 3},
    "rate": {"rate": 0.002},
    "expected": {"record_risk": 0.05, "expected": 4.0},
    "both": {"record_risk": 0.02, "household_risk": 0.06},
    "household": {"household_risk": 0.05},
    "tau": {"record_risk": 0.05, "tau1_share": 0.0001},
}


@pytest.mark.parametrize("estimator", ["cell", "model"])
@pytest.mark.parametrize("policy", POLICIES)
def test_plans_keep_what_they_promise(
    frame: pl.DataFrame, tmp_path: Path, policy: str, estimator: str
) -> None:
    rules = POLICIES[policy]
    household = "household" if "household_risk" in rules or policy == "k" else None
    study = ms.study(
        frame,
        keys=KEYS,
        weight="weight",
        household=household,
        estimator=estimator,  # type: ignore[arg-type]
    )
    found = study.propose(policy=ms.Policy(**rules), touched=0.2)
    assert found.status == "proved"
    assert found.best is not None
    assert found.best.touched <= 0.2 * found.records
    check_promises(found, tmp_path)


def make_file(seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    rows = 250
    columns: dict[str, object] = {}
    for name, size in (("a", 6), ("b", 4), ("c", 30)):
        value = np.floor(size * rng.random(rows) ** 1.5).astype(int)
        shown = rng.random(rows) > 0.03
        columns[name] = [int(v) if s else None for v, s in zip(value, shown, strict=True)]
    columns["home"] = np.sort(rng.integers(0, 110, rows)).tolist()
    shared = rng.integers(0, 3, 110)
    columns["d"] = shared[columns["home"]].tolist()
    columns["w"] = rng.uniform(3, 40, rows).round(1).tolist()
    return pl.DataFrame(columns)


@pytest.mark.parametrize("seed", range(6))
def test_random_files_get_what_they_were_promised(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(100 + seed)
    home = "home" if seed % 2 else None
    study = ms.study(make_file(seed), keys=["a", "b", "c", "d"], weight="w", household=home)
    if seed % 3 == 0:
        study = study.with_scenario("other", keys=["a", "c"], household=home)
    weights = {"a": float(rng.choice([0.5, 3.0])), "c": 2.0}
    rules = {"record_risk": 0.03, **({"household_risk": 0.08} if seed in (1, 5) else {})}
    found = study.propose(
        policy=ms.Policy(**rules),
        touched=0.4,
        ladders={"c": [5, 10], "b": []},
        spare=["b"] if seed == 2 else [],
        utility=weights,
    )
    assert found.best is not None
    assert "b" not in found.best.recodes
    check_promises(found, tmp_path, weights)


@pytest.mark.parametrize("household", [None, "home"])
@pytest.mark.parametrize("most", [0.1, 0.3])
def test_no_combination_of_recodes_does_better(
    household: str | None, most: float, tmp_path: Path
) -> None:
    study = ms.study(make_file(9), keys=["a", "b", "c"], weight="w", household=household)
    found = study.propose(policy=ms.Policy(record_risk=0.03), touched=most, ladders={"c": [5, 10]})
    assert found.best is not None
    posed = found.best.posed
    assert posed.suppress is not None
    losses = []
    for steps in product(*(ladder.steps for ladder in posed.lattice.problem.ladders)):
        done = study
        for step in filter(None, steps):
            done = done.apply(step)
        done = done.apply(posed.suppress)
        loss, _, touched = measure_loss(study, done, {}, tmp_path)
        if touched <= most * found.records and not done.steps[-1].stuck:
            losses.append(loss)
    assert len(losses) < 100
    assert found.best.loss == pytest.approx(min(losses), rel=1e-9)


def test_strict_blanks_are_those_of_the_step(frame: pl.DataFrame, tmp_path: Path) -> None:
    study = ms.study(frame, keys=KEYS, weight="weight")
    policy = ms.Policy(record_risk=0.02)
    found = study.propose(policy=policy, touched=0.2, guarantee="strict")
    assert found.best is not None
    check_promises(found, tmp_path)
    own = study.propose(policy=policy, touched=0.2)
    assert own.best is not None
    assert own.best.loss <= found.best.loss


def test_frontier_falls_as_more_records_may_lose_a_value(frame: pl.DataFrame) -> None:
    study = ms.study(frame, keys=KEYS, weight="weight")
    found = study.propose(policy=ms.Policy(record_risk=0.02), touched=0.1)
    plans = [each.candidate for each in found.points if each.candidate]
    assert len(plans) > 3
    assert [each.loss for each in plans] == sorted(each.loss for each in plans)
    assert [-each.touched for each in plans] == sorted(-each.touched for each in plans)
    assert found.best in plans
    assert found.candidates[0] is found.best
    assert "blanks, losing" in found.words
    assert "Frontier" in repr(found)
    summary = found.summary()
    assert {"loss", "expected", "blanks", "steps"} <= set(summary["frontier"][0])
    assert summary["met"]["record_risk"]["met"] is True
    axes = found.plot()
    assert axes.get_xlabel() == "records that lose a value, %"


def test_what_cannot_be_met_is_said_with_the_nearest(frame: pl.DataFrame) -> None:
    study = ms.study(frame, keys=KEYS, weight="weight")
    found = study.propose(policy=ms.Policy(record_risk=0.003), touched=0.0)
    assert found.best is None
    assert found.status == "proved"
    assert found.nearest is not None
    assert found.nearest.touched > 0
    assert "No plan keeps to 0 records with blanks" in found.words
    assert found.nearest.met
    none = study.propose(policy=ms.Policy(k=3000), touched=1.0)
    assert none.best is None
    assert none.nearest is None or none.nearest.plan.stuck == 0
    assert "No plan" in none.words


def test_search_stops_in_time_and_tells_the_gap(frame: pl.DataFrame) -> None:
    study = ms.study(frame, keys=KEYS, weight="weight")
    found = study.propose(policy=ms.Policy(record_risk=0.02), touched=0.2, seconds=1e-6)
    assert found.status == "found"
    assert 0 < found.gap <= 1


def test_a_callback_that_raises_ends_it(frame: pl.DataFrame) -> None:
    def stop(stage: str, fraction: float) -> None:
        if "cheapest" in stage:
            raise CancelledError("stop")

    study = ms.study(frame, keys=KEYS, weight="weight")
    with pytest.raises(CancelledError):
        study.propose(policy=ms.Policy(record_risk=0.02), progress=stop)


def test_what_can_be_counted_is_left_alone(frame: pl.DataFrame) -> None:
    study = ms.study(frame, keys=KEYS, weight="weight", household="household")
    found = study.propose(policy=ms.Policy(record_risk=0.05), touched=0.3)
    assert found.best is not None
    assert "hsize" not in found.best.recodes
    assert found.best.blanks_by_key["hsize"] == 0
    assert any("hsize can be counted" in note for note in found.notes)


def test_what_cannot_be_proposed_is_refused(frame: pl.DataFrame) -> None:
    study = ms.study(frame, keys=KEYS, weight="weight")
    risk = ms.Policy(record_risk=0.02)
    with pytest.raises(UsageError, match="asks for nothing that recodes and blanks"):
        study.propose(policy=ms.Policy())
    with pytest.raises(UsageError, match="suppressed already"):
        study.suppress(above=0.02).propose(policy=risk)
    with pytest.raises(UsageError, match="needs a scenario with households"):
        study.propose(policy=ms.Policy(household_risk=0.1))
    with pytest.raises(UsageError, match=r"'agee' is not a key\. Did you mean"):
        study.propose(policy=risk, spare=["agee"])
    with pytest.raises(UsageError, match="from 0 to 1"):
        study.propose(policy=risk, touched=5)
    with pytest.raises(UsageError, match="'own' or 'strict' only"):
        study.propose(policy=risk, guarantee="shared")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="seconds"):
        study.propose(policy=risk, seconds=0)
    homes = ms.study(frame, keys=KEYS, weight="weight", household="household")
    with pytest.raises(UsageError, match="needs the guarantee 'own'"):
        homes.propose(policy=risk, guarantee="strict")
    with pytest.raises(UsageError, match="under one scenario only"):
        homes.with_scenario("b", keys=["age"]).propose(policy=ms.Policy(household_risk=0.1))
    with pytest.raises(UsageError, match="perturbed"):
        study.pram("marital", keep=0.8, seed=1).propose(policy=risk)
