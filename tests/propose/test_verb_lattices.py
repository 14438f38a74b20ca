"""`Study.propose` on small random files, against all nodes; ties; rows in any order."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.compare.step_loss import measure_mean
from microsafe.datasets import survey
from microsafe.options.proposal import ProposalOptions
from microsafe.options.uses import Uses
from microsafe.propose.lattice import NodePlan
from microsafe.propose.plan_checks import strict_plan
from microsafe.propose.problem import pose
from microsafe.steps import Recode, Suppress

BY_HAND = ("caps", "utility", "spared", "scenarios", "households", "household limit", "strict")


def make_people(rng: np.random.Generator) -> pl.DataFrame:
    rows = int(rng.integers(60, 140))
    home = np.sort(rng.integers(0, rows // 2, rows))
    columns = {
        name: np.floor(size * rng.random(rows) ** 1.6).astype(int)
        for name, size in (("a", 6), ("b", 5), ("c", 28))
    }
    shared = rng.integers(0, 4, rows)[home]
    weight = rng.uniform(3, 40, rows).round(1)
    return pl.DataFrame({**columns, "d": shared, "home": home, "w": weight})


def ask(seed: int) -> tuple[ms.Study, ms.Policy, ProposalOptions, set[str]]:
    """A study, a policy and what a proposal may do; and which of the things above they have."""
    rng = np.random.default_rng(seed)
    has = {each for each in BY_HAND if rng.random() < 0.4}
    if has & {"household limit", "strict"} == {"household limit"}:
        has = has - {"scenarios"} | {"households"}
    else:
        has -= {"household limit"}
    if "strict" in has:
        has -= {"households"}
    home = "home" if "households" in has else None
    study = ms.study(
        make_people(rng), keys=["a", "b", "c", "d"], weight="w", estimator="cell", household=home
    )
    if "scenarios" in has:
        study = study.with_scenario("other", keys=["a", "c"], household=home)
    rules = {"record_risk": float(rng.choice([0.02, 0.05]))}
    if "household limit" in has:
        rules["household_risk"] = 0.1
    ladders: dict[str, list[int]] = {"a": [2, 4], "c": [7, 14], "d": []}
    wish = ProposalOptions(
        touched=float(rng.choice([0.1, 0.3])) if "caps" in has else 1.0,
        ladders=ladders if "spared" in has else {**ladders, "b": [2]},
        spare=("b",) if "spared" in has else (),
        utility=Uses(variables={"a": 3.0, "c": 0.5}) if "utility" in has else None,
        guarantee="strict" if "strict" in has else "own",
    )
    return study, ms.Policy(**rules), wish, has


SEEDS = range(900, 924)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_verb_finds_the_best_of_all_nodes(seed: int) -> None:
    study, policy, wish, _ = ask(seed)
    found = study.propose(
        policy=policy,
        ladders=wish.ladders,
        touched=wish.touched,
        spare=wish.spare,
        utility=wish.utility,
        guarantee=wish.guarantee,
    )
    posed = pose(study, policy, wish)
    lattice, best = posed.lattice, None
    for rungs in product(*(range(rung + 1) for rung in lattice.top)):
        plan: NodePlan = lattice.price(rungs)
        if wish.guarantee == "strict" and not plan.stuck:
            plan = strict_plan(lattice, rungs)
        within = posed.most is None or plan.touched <= posed.most
        if not plan.stuck and within and plan.beats(best):
            best = plan
    assert (found.best.plan if found.best else None) == best
    assert found.status == "proved"
    if found.best is not None:
        keys = [key for each in study.scenarios for key in each.keys]
        weights = wish.utility.variables if wish.utility else {}
        done, by_key = found.best.study, dict.fromkeys(keys, 1.0) | dict(weights)
        assert found.best.met
        lost = sum(by_key[key] * measure_mean(study, done, [key]) for key in by_key)
        assert found.best.plan.loss == pytest.approx(lost / sum(by_key.values()))


def test_random_files_have_all_that_can_be_asked() -> None:
    met = [ask(seed)[3] for seed in SEEDS]
    for each in BY_HAND:
        assert sum(each in has for has in met) >= 3, each


def test_ties_go_to_fewer_blanks_then_to_fewer_recoded_keys() -> None:
    """Two keys that tell the same: recode either, or blank either, at the same loss."""
    codes = [0] * 8 + [1] * 8 + [2] * 8 + [3] * 8
    people = pl.DataFrame({"a": codes, "b": codes, "w": [50.0] * 32})
    study = ms.study(people, keys=["a", "b"], weight="w", estimator="cell")
    pairs = {
        key: [Recode(variable=key, groups={"0": ("0", "1"), "2": ("2", "3")})] for key in ("a", "b")
    }
    found = study.propose(policy=ms.Policy(k=2), ladders=pairs, touched=1.0)
    assert found.best is not None
    assert (found.best.blanks, dict(found.best.recodes)) == (0, {})
    free = {"a": 0.0, "b": 1.0}  # nothing of a matters: blanks and recodes of it cost nothing
    found = study.propose(policy=ms.Policy(k=2), ladders=pairs, touched=1.0, utility=free)
    assert found.best is not None
    assert (found.best.blanks, dict(found.best.recodes)) == (0, {})
    lone = people.with_columns(a=pl.when(pl.int_range(pl.len()) == 0).then(1).otherwise("a"))
    study = ms.study(lone, keys=["a", "b"], weight="w", estimator="cell")
    found = study.propose(policy=ms.Policy(k=2), ladders=pairs, touched=1.0, utility=free)
    assert found.best is not None  # one record is alone: a recode of a, or a blank of a
    assert (found.best.plan.loss, found.best.blanks, list(found.best.recodes)) == (0.0, 0, ["a"])


def test_joint_blanks_are_a_quarter_cheaper_than_equal_shares() -> None:
    keys = ["region", "hsize", "age", "marital", "citizenship", "occupation"]
    study = ms.study(
        survey().frame, keys=keys, weight="weight", estimator="cell", household="household"
    )
    policy = ms.Policy(record_risk=0.03, household_risk=0.03)
    found = study.propose(policy=policy, ladders={key: [] for key in keys}, touched=1.0).best
    assert found is not None
    assert found.met
    (step,) = found.steps
    assert isinstance(step, Suppress)
    equal = study.suppress(
        above=step.above,
        household=step.household,
        cost=step.cost,
        spare=step.spare,
        by_value=True,
    )
    assert found.loss == pytest.approx(measure_mean(study, found.study, keys))
    assert found.loss <= 0.75 * measure_mean(study, equal, keys)
