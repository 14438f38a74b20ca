"""A plan that is run by the steps gives the blanks, the loss and the safety that it promised."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.compare.step_loss import measure_mean
from microsafe.datasets import survey
from microsafe.errors import UsageError
from microsafe.options.scenario import Scenario
from microsafe.propose.household_lattice import HouseholdLattice, HouseholdRule, HouseholdView
from microsafe.propose.ladders.ladder import Ladder
from microsafe.propose.lattice import Lattice, PlanProblem, loss_rates
from microsafe.propose.plan_checks import strict_plan
from microsafe.steps.suppress.criterion import KeySetDemand, SafetyCriterion

KEYS = ("region", "hsize", "age", "marital", "occupation")
NODES = [(0, 0, 0, 0, 0), (1, 0, 1, 0, 1), (1, 1, 2, 1, 0)]
LIMIT = 0.02


def steps(key: str, value: np.ndarray) -> list[np.ndarray]:
    if key == "age":
        return [value, value // 5, value // 10]
    if key == "hsize":
        return [value, np.minimum(value, 4)]
    return [value, value // 3]


def make_problem(frame: pl.DataFrame) -> PlanProblem:
    study = ms.study(frame, keys=list(KEYS), weight="weight", estimator="cell")
    cells = study.engine.cells(Scenario(keys=KEYS, weight="weight", estimator="cell"))
    ladders = []
    for key, texts in zip(KEYS, cells.categories, strict=True):
        rungs = steps(key, np.array([int(float(text)) for text in texts]))
        groups = [np.unique(each, return_inverse=True)[1] + 1 for each in rungs]
        ladders.append(Ladder(key=key, rungs=tuple(np.append(0, each) for each in groups)))
    demand = KeySetDemand(keys=31, criterion=SafetyCriterion(above=LIMIT))
    rates = loss_rates(cells, {"age": 2.0, "region": 0.5})
    return PlanProblem(cells=cells, ladders=tuple(ladders), demands=(demand,), rates=rates)


def recode(frame: pl.DataFrame, rungs: tuple[int, ...]) -> pl.DataFrame:
    """Return the file as recodes leave it."""
    for key, rung in zip(KEYS, rungs, strict=True):
        values = frame[key].drop_nulls().unique().sort().to_numpy()
        new = dict(zip(values.tolist(), steps(key, values)[rung].tolist(), strict=True))
        frame = frame.with_columns(pl.col(key).replace_strict(new, default=None))
    return frame


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    return survey(households=600).frame


@pytest.mark.parametrize("guarantee", ["own", "strict"])
def test_steps_take_the_blanks_that_were_promised(frame: pl.DataFrame, guarantee: str) -> None:
    problem = make_problem(frame)
    lattice = Lattice(problem)
    for rungs in NODES:
        plan = lattice.price(rungs) if guarantee == "own" else strict_plan(lattice, rungs)
        study = ms.study(recode(frame, rungs), keys=list(KEYS), weight="weight", estimator="cell")
        done = study.suppress(
            above=LIMIT,
            guarantee=guarantee,  # type: ignore[arg-type]
            cost=dict(zip(KEYS, problem.rates, strict=True)),
            by_value=True,
        )
        assert tuple(done.steps[-1].blanks.values()) == plan.blanks
        assert done.steps[-1].records == plan.touched
        assert done.risk(limit=LIMIT).limit.unsafe == 0


@pytest.mark.parametrize("at_home", [0.02, 0.1, None])
def test_joint_blanks_are_those_that_were_promised(
    frame: pl.DataFrame, at_home: float | None
) -> None:
    problem = make_problem(frame)
    scenario = Scenario(keys=KEYS, weight="weight", estimator="cell", household="household")
    engine = ms.study(
        frame, keys=list(KEYS), weight="weight", estimator="cell", household="household"
    ).engine
    rule = HouseholdRule(
        membership=engine.membership(scenario),
        views=(HouseholdView(keys=31),),
        limit=at_home,
        shared=0b11,
    )
    spared = 0 if at_home is None else 2
    problem = PlanProblem(
        cells=problem.cells,
        ladders=problem.ladders,
        demands=problem.demands,
        rates=problem.rates,
        spared=spared,
    )
    lattice = HouseholdLattice(problem, rule)
    for rungs in NODES:
        plan = lattice.price(rungs)
        made = recode(frame, rungs)
        study = ms.study(
            made, keys=list(KEYS), weight="weight", estimator="cell", household="household"
        )
        # Once it is recoded, nothing tells that it is the size of the household.
        spare = [key for j, key in enumerate(KEYS) if spared >> j & 1]
        done = study.suppress(
            above=LIMIT,
            household=at_home,
            joint=True,
            spare=spare,
            cost=dict(zip(KEYS, problem.rates, strict=True)),
            by_value=True,
        )
        assert tuple(done.steps[-1].blanks.values()) == plan.blanks
        assert done.steps[-1].records == plan.touched
        assert done.risk(limit=LIMIT).limit.unsafe == 0
        if at_home is not None:
            assert done.risk().household.unsafe(at_home) == 0


def test_joint_blanks_and_costs_by_value_are_refused_where_they_mean_nothing(
    frame: pl.DataFrame,
) -> None:
    study = ms.study(frame, keys=list(KEYS), weight="weight", estimator="cell")
    with pytest.raises(UsageError, match="Joint blanks need one household variable"):
        study.suppress(above=LIMIT, joint=True)
    with pytest.raises(UsageError, match="Joint blanks need the guarantee 'own'"):
        study.suppress(above=LIMIT, joint=True, guarantee="strict")
    with pytest.raises(UsageError, match="Costs by value need the guarantee"):
        study.suppress(above=LIMIT, by_value=True, guarantee="shared")
    with pytest.raises(UsageError, match="The cost of a bit must be"):
        study.suppress(above=LIMIT, by_value=True, cost={"age": -1.0})


@pytest.mark.parametrize("at_home", [None, 0.1])
def test_joint_blanks_by_the_model_keep_both_limits(
    frame: pl.DataFrame, at_home: float | None
) -> None:
    study = ms.study(
        frame, keys=list(KEYS), weight="weight", household="household", estimator="model"
    )
    done = study.suppress(above=LIMIT, household=at_home, joint=True, by_value=True)
    found = done.risk(limit=LIMIT, one_estimator=True)
    assert found.limit.unsafe == 0
    if at_home is not None:
        assert found.household.unsafe(at_home) == 0


def test_a_key_that_does_not_matter_is_blanked_for_nothing(frame: pl.DataFrame) -> None:
    study = ms.study(frame, keys=list(KEYS), weight="weight", estimator="cell")
    done = study.suppress(above=LIMIT, by_value=True, cost={"age": 0.0})
    blanks = done.steps[-1].blanks
    assert max(blanks, key=lambda key: blanks[key]) == "age"
    with pytest.raises(UsageError, match="The cost of a blank must be a finite number above 0"):
        study.suppress(above=LIMIT, cost={"age": 0.0})
    cells = study.engine.cells(Scenario(keys=KEYS, weight="weight", estimator="cell"))
    assert loss_rates(cells, {"age": 0.0})[2] == 0.0
    with pytest.raises(UsageError, match="Utility weights"):
        loss_rates(cells, dict.fromkeys(KEYS, 0.0))


@pytest.mark.slow
@pytest.mark.parametrize("guarantee", ["own", "strict", "view"])
@pytest.mark.parametrize("household", [None, 0.2])
def test_every_plan_by_the_model_is_what_was_said(
    frame: pl.DataFrame, guarantee: str, household: float | None
) -> None:
    rules = {"record_risk": 0.05, **({} if household is None else {"household_risk": household})}
    study = ms.study(
        frame,
        keys=["region", "age", "marital"],
        weight="weight",
        household="household" if household else None,
        estimator="model",
    )
    found = study.propose(
        policy=ms.Policy(**rules),
        ladders={"age": [5, 10, 20]},
        guarantee=guarantee,  # type: ignore[arg-type]
        touched=0.3,
        seconds=math.inf,
    )
    assert found.best is not None
    bound = found.bound
    assert bound is not None
    for plan in found.candidates:
        made = plan.study
        taken = made.steps[len(plan.recodes) :]
        for key, many in plan.blanks_by_key.items():
            assert many == sum(step.blanks.get(key, 0) for step in taken)
        assert plan.touched == sum(step.records for step in taken)
        lost = measure_mean(study, made, study.scenarios[0].keys)
        assert plan.loss == pytest.approx(lost, rel=1e-9)
        assert all(verdict.met for verdict in plan.verdicts)
    assert found.best.loss >= bound * (1 - 1e-9)
