"""Nodes whose risk is by a model of the population, which is not fitted anew."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from lattices import all_nodes
from microsafe.propose.ladders.ladder import Ladder
from microsafe.propose.lattice import Lattice, NodePlan, PlanProblem, loss_rates
from microsafe.propose.search import PlanSearch
from microsafe.steps.suppress.criterion import KeySetDemand, SafetyCriterion

KEYS = ("a", "b", "c")
LIMIT = 0.15
GROUPS = {
    "a": ("a0", "a1", "a1", "a3"),
    "b": ("b0", "b1", "b1"),
    "c": ("c0", "c0", "c2", "c2", "c2"),
}


@pytest.fixture(scope="module", params=[0.0, 0.04])
def study(request: pytest.FixtureRequest) -> ms.Study:
    rng = np.random.default_rng(3)
    kind = rng.integers(0, 2, 150)
    columns = {}
    for name, groups in GROUPS.items():
        value = np.minimum(rng.poisson(0.6 + kind), len(groups) - 1)
        shown = rng.random(150) >= request.param
        columns[name] = [
            f"{name}{v}" if s else None for v, s in zip(value.tolist(), shown, strict=True)
        ]
    columns["w"] = rng.uniform(2, 9, 150).round(2).tolist()
    return ms.study(pl.DataFrame(columns), keys=KEYS, weight="w", estimator="model")


def ask(study: ms.Study) -> PlanProblem:
    scenario = study.scenarios[0]
    cells = study.engine.cells(scenario)
    ladders = []
    for key, texts in zip(KEYS, cells.categories, strict=True):
        new = [GROUPS[key][int(text[1])] for text in texts]
        groups = np.unique(new, return_inverse=True)[1] + 1
        rungs = np.arange(len(texts) + 1), np.append(0, groups)
        ladders.append(Ladder(key=key, rungs=rungs))
    return PlanProblem(
        cells=cells,
        ladders=tuple(ladders),
        demands=(KeySetDemand(keys=7, criterion=SafetyCriterion(above=LIMIT)),),
        rates=loss_rates(cells),
        references=(study._reference(scenario),),
    )


def test_nodes_take_the_blanks_that_steps_take_by_the_model(study: ms.Study) -> None:
    problem = ask(study)
    lattice = Lattice(problem)
    for rungs in all_nodes(problem):
        plan, made = lattice.price(rungs), study
        for key, rung in zip(KEYS, rungs, strict=True):
            if rung:
                old = range(len(GROUPS[key]))
                groups = {
                    new: [f"{key}{v}" for v in old if GROUPS[key][v] == new] for new in GROUPS[key]
                }
                made = made.recode(key, groups=groups)
        costs = dict(zip(KEYS, problem.rates, strict=True))
        done = made.suppress(above=LIMIT, cost=costs, by_value=True)
        assert tuple(done.steps[-1].blanks.values()) == plan.blanks
        assert done.steps[-1].stuck == plan.stuck


@pytest.mark.parametrize("most", [None, 20, 3])
def test_search_by_the_model_equals_all_nodes(study: ms.Study, most: int | None) -> None:
    problem = ask(study)
    lattice = Lattice(problem)
    best: NodePlan | None = None
    for rungs in all_nodes(problem):
        plan = lattice.price(rungs)
        if not plan.stuck and (most is None or plan.touched <= most) and plan.beats(best):
            best = plan
    fresh = Lattice(problem)
    found = PlanSearch(fresh).run(most)
    assert found.plan == best
    assert found.proved


def test_no_node_of_a_box_is_below_its_bound_by_the_model(study: ms.Study) -> None:
    problem = ask(study)
    lattice = Lattice(problem)
    # When a key goes, more people show the rest: with gaps a bound holds to about one per cent.
    slack = 1e-12 if problem.cells.complete else 0.01
    for low, high in product(all_nodes(problem), repeat=2):
        inside = [
            lattice.price(node)
            for node in all_nodes(problem)
            if all(a <= b <= c for a, b, c in zip(low, node, high, strict=True))
        ]
        if inside:
            found = lattice.bound(low, high, enough=np.inf, most=None)
            assert found.loss <= min(plan.loss for plan in inside) * (1 + slack)
            assert found.touched <= min(plan.touched for plan in inside) * (1 + slack)
