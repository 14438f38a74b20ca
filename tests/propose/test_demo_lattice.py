"""Six keys of the demo with four rungs each: the plan that is proved best is the best of all."""

from __future__ import annotations

import numpy as np
import pytest

import microsafe as ms
from lattices import all_nodes
from microsafe.cells import Cells
from microsafe.datasets import survey
from microsafe.options.scenario import Scenario
from microsafe.propose.ladders.ladder import Ladder
from microsafe.propose.lattice import Lattice, NodePlan, PlanProblem, loss_rates
from microsafe.propose.search import PlanSearch
from microsafe.steps.suppress.criterion import KeySetDemand, SafetyCriterion

KEYS = ("region", "hsize", "age", "marital", "citizenship", "occupation")


def rungs(key: str, value: np.ndarray) -> list[np.ndarray]:
    if key == "age":
        return [value, value // 5, value // 10, value // 20]
    if key == "region":
        return [value, (value - 1) // 2, (value - 1) // 4, (value - 1) // 12]
    if key == "marital":
        pair = np.where(value == 3, 2, value)
        return [value, pair, np.where(value == 5, 4, pair), np.minimum(value, 2)]
    if key == "occupation":
        tens = np.where(value == 10, 9, value)
        return [value, tens, np.where(value == 0, 0, 1 + (tens - 1) // 3), (value > 0) * 1]
    most = (5, 4, 3) if key == "hsize" else (6, 4, 2)
    return [value, *(np.minimum(value, each) for each in most)]


def ask(limit: float) -> PlanProblem:
    scenario = Scenario(keys=KEYS, weight="weight", estimator="cell")
    study = ms.study(survey().frame, keys=list(KEYS), weight="weight", estimator="cell")
    cells: Cells = study.engine.cells(scenario)
    ladders = []
    for key, texts in zip(KEYS, cells.categories, strict=True):
        values = np.array([int(float(text)) for text in texts])
        groups = [np.unique(each, return_inverse=True)[1] + 1 for each in rungs(key, values)]
        ladders.append(Ladder(key=key, rungs=tuple(np.append(0, each) for each in groups)))
    demand = KeySetDemand(keys=63, criterion=SafetyCriterion(above=limit))
    return PlanProblem(
        cells=cells, ladders=tuple(ladders), demands=(demand,), rates=loss_rates(cells)
    )


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0.01, 0.03])
def test_few_nodes_of_the_demo_are_looked_at(limit: float) -> None:
    problem = ask(limit)
    for cap in (None, 0.05, 0.01):
        lattice = Lattice(problem)
        most = None if cap is None else int(cap * lattice.records)
        found = PlanSearch(lattice).run(most)
        assert found.proved
        assert found.nodes == 4096
        assert found.priced + found.bounded <= 400


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0.01, pytest.param(0.03, marks=pytest.mark.nightly)])
def test_the_best_plan_of_the_demo_is_the_best_of_all_nodes(limit: float) -> None:
    problem = ask(limit)
    whole = Lattice(problem)
    for node in all_nodes(problem):
        whole.price(node)
    for cap in (None, 0.05, 0.01):
        lattice = Lattice(problem)
        most = None if cap is None else int(cap * lattice.records)
        best: NodePlan | None = None
        for plan in whole.plans.values():
            if (most is None or plan.touched <= most) and not plan.stuck and plan.beats(best):
                best = plan
        found = PlanSearch(lattice).run(most)
        assert found.plan == best
