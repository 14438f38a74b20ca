"""Households under several scenarios or of two kinds, `strict` with households, perturbed keys.

Plans are compared with all combinations of recodes, each run and measured by its files.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.errors import UsageError
from microsafe.propose import solve as answering
from microsafe.propose.candidates import judge
from proposed import check_promises, losses_by_hand, make_file

LADDERS: dict[str, list[object]] = {"a": [3], "b": [], "c": [5, 10], "d": [], "e": []}
HOMES = {"record_risk": 0.05, "household_risk": 0.12}


def ask(seed: int, **given: object) -> ms.Study:
    frame = make_file(seed, rows=150)
    rng = np.random.default_rng(seed)
    block = rng.integers(0, 70, len(frame))
    frame = frame.with_columns(pl.Series("block", block), pl.Series("e", block % 3))
    return ms.study(frame, keys=["a", "b", "c", "d"], weight="w", **{"estimator": "cell", **given})  # type: ignore[arg-type]


def _ladders(study: ms.Study) -> dict[str, list[object]]:
    return {key: LADDERS[key] for each in study.scenarios for key in each.keys}


def check(study: ms.Study, rules: Mapping[str, object], folder: Path, **wish: object) -> None:
    for most in (0.4, 1.0):
        found = study.propose(
            policy=ms.Policy(**rules),  # type: ignore[arg-type]
            touched=most,
            ladders=_ladders(study),
            seconds=math.inf,
            **wish,  # type: ignore[arg-type]
        )
        assert found.status == "proved"
        check_promises(found, folder, most=2)
        losses = losses_by_hand(found, most, folder)
        best = found.best.loss if found.best else None
        assert best == (pytest.approx(min(losses), rel=1e-9) if losses else None)


@pytest.mark.slow
@pytest.mark.parametrize("record_risk", [{"main": 0.05, "other": 0.02}, {"other": 0.03}])
def test_each_scenario_keeps_its_own_limit(record_risk: dict[str, float], tmp_path: Path) -> None:
    study = ask(1).with_scenario("other", keys=["a", "c", "e"], factor=0.8)
    check(study, {"record_risk": record_risk}, tmp_path)
    policy = ms.Policy(record_risk=record_risk, rate=0.012)  # which a lower limit sees to
    found = study.propose(policy=policy, touched=1.0, ladders=_ladders(study))
    assert found.best is not None
    assert judge(found.best.posed, found.best.study).met


def test_households_have_one_limit_in_a_search(tmp_path: Path) -> None:
    study = ask(1, household="home")
    with pytest.raises(UsageError, match="one number"):
        check(study, {"household_risk": {"main": 0.1}}, tmp_path)
    with pytest.raises(UsageError, match="which is no scenario"):
        check(study, {"record_risk": {"mian": 0.1}}, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [HOMES, {"household_risk": 0.1}])
def test_a_household_limit_holds_under_each_scenario(
    rules: dict[str, float], tmp_path: Path
) -> None:
    study = ask(1, household="home", estimator="cell")
    study = study.with_scenario("other", keys=["a", "c", "e"], factor=0.8)
    check(study, rules, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [HOMES, {"household_risk": 0.1}])
def test_families_are_met_by_plans_that_were_run(rules: dict[str, float], tmp_path: Path) -> None:
    study = ask(1, household="home", estimator="model")
    found = study.propose(
        policy=ms.Policy(**rules),
        touched=1.0,
        ladders=_ladders(study),
        seconds=math.inf,
        keep=["home"],
    )
    assert found.best is not None
    assert {verdict.rule for verdict in found.best.verdicts} == {*rules}
    assert all(verdict.met for verdict in found.best.verdicts)
    least = min(losses_by_hand(found, 1.0, tmp_path))
    assert (found.bound or 0.0) * (1 - 0.01) <= least <= found.best.loss * (1 + 1e-9)


def test_equal_shares_of_a_limit_under_two_scenarios_lose_more() -> None:
    study = ask(2, household="home").with_scenario("other", keys=["a", "c", "e"])
    joint = study.suppress(above=0.05, household=0.12, by_value=True, joint=True)
    equal = study.suppress(above=0.05, household=0.12, by_value=True)
    assert joint.steps[-1].total < equal.steps[-1].total
    for each in joint.scenarios:
        found = joint.risk(each.name, limit=0.05)
        assert found.limit.unsafe == 0
        assert found.household.unsafe(0.12) == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 5])
@pytest.mark.parametrize("rules", [HOMES, {"record_risk": 0.05}])
def test_households_of_two_kinds(seed: int, rules: dict[str, float], tmp_path: Path) -> None:
    study = ask(seed, household="home").with_scenario(
        "other", keys=["a", "c", "e"], household="block"
    )
    check(study, rules, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 6])
@pytest.mark.parametrize("rules", [HOMES, {"k": 2}])
def test_strict_with_households(seed: int, rules: dict[str, float], tmp_path: Path) -> None:
    study = ask(seed, household="home")
    check(study, rules, tmp_path, guarantee="strict")
    own = study.propose(policy=ms.Policy(**rules), ladders=_ladders(study), touched=1)
    strict = study.propose(
        policy=ms.Policy(**rules), ladders=_ladders(study), touched=1, guarantee="strict"
    )
    assert own.best is not None
    assert strict.best is not None
    assert own.best.loss <= strict.best.loss


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 8])
@pytest.mark.parametrize("case", ["records", "households", "strict", "model", "k"])
def test_perturbed_keys(seed: int, case: str, tmp_path: Path) -> None:
    study = ask(
        seed,
        household="home" if case == "households" else None,
        estimator="model" if case == "model" else "cell",
    )
    study = study.pram("b", keep=0.8, seed=1).pram("a", keep=0.7, seed=2)
    rules = {"households": HOMES, "k": {"k": 2}}.get(case, {"record_risk": 0.05})
    check(study, rules, tmp_path, guarantee="strict" if case == "strict" else "own")


def test_perturbed_weights_leave_the_search_as_it_is(tmp_path: Path) -> None:
    study = ask(9)
    changed = study.noise("w", variance=0.05, seed=1)
    found, plain = (
        each.propose(policy=ms.Policy(record_risk=0.05), ladders=_ladders(study), touched=0.25)
        for each in (changed, study)
    )
    assert found.best is not None
    assert plain.best is not None
    assert found.best.plan == plain.best.plan
    check_promises(found, tmp_path)
    assert not found.best.posed.runs


@pytest.mark.parametrize("most", [0, 2])
def test_when_no_more_plans_may_be_run_the_gap_is_told(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = ask(3, household="home")
    policy = ms.Policy(record_risk=0.05)
    whole = study.propose(policy=policy, ladders=_ladders(study), touched=0.25, guarantee="strict")
    assert any("is run to know what it costs" in note for note in whole.notes)
    monkeypatch.setattr(answering, "MOST_RUNS", most)
    found = study.propose(policy=policy, ladders=_ladders(study), touched=0.25, guarantee="strict")
    assert whole.best is not None
    if not most:
        assert found.best is None
        assert found.status == "found"
    else:
        assert found.best is not None
        assert found.best.loss * (1 - found.gap) <= whole.best.loss <= found.best.loss


def test_the_nearest_of_plans_that_are_run_meets_the_rules() -> None:
    study = ask(3, household="home")
    policy = ms.Policy(record_risk=0.02)
    found = study.propose(policy=policy, ladders=_ladders(study), touched=0.0, guarantee="strict")
    assert found.best is None
    assert found.nearest is not None
    assert found.nearest.touched > 0
    assert "No plan keeps to 0 records with blanks" in found.words
    assert judge(found.nearest.posed, found.nearest.study).met


def test_a_household_limit_needs_households_in_each_scenario() -> None:
    study = ask(1, household="home").with_scenario("other", keys=["a"], household=None)
    with pytest.raises(UsageError, match="needs a scenario with households"):
        study.propose(policy=ms.Policy(household_risk=0.1))
    with pytest.raises(UsageError, match="all scenarios must name it"):
        study.suppress(above=0.1, household=0.1, joint=True)
