"""Plans under `strict`, and rules that no bound may rest on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from lattices import Case, all_nodes, random_case
from microsafe.options.scenario import Scenario
from microsafe.propose.lattice import Lattice, NodePlan
from microsafe.propose.plan_checks import (
    expected_at_most,
    own_blanks,
    released_cells,
    settle_by,
    strict_blanks,
    strict_plan,
)
from microsafe.propose.search import PlanSearch
from microsafe.risk import measure


def best_of(
    case: Case, make: Callable[[NodePlan], NodePlan | None], lattice: Lattice
) -> NodePlan | None:
    best: NodePlan | None = None
    for rungs in all_nodes(case.problem):
        plan = lattice.price(rungs)
        settled = None if plan.stuck else make(plan)
        if settled is None or settled.stuck:
            continue
        if (case.most is None or settled.touched <= case.most) and settled.beats(best):
            best = settled
    return best


@pytest.mark.parametrize("seed", range(800, 830))
def test_strict_plans_are_found_though_only_own_bounds_them(seed: int) -> None:
    case = random_case(seed, gaps=0.06 * (seed % 2))
    lattice = Lattice(case.problem)
    best = best_of(case, lambda plan: strict_plan(lattice, plan.rungs), lattice)
    fresh = Lattice(case.problem)
    found = PlanSearch(fresh, settle=settle_by(fresh, guarantee="strict")).run(case.most)
    assert found.plan == best
    assert found.proved
    if best is not None:
        assert lattice.price(best.rungs).loss <= best.loss * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(830, 850))
def test_a_rule_without_order_leaves_no_plan_out(seed: int) -> None:
    case = random_case(seed)
    lattice = Lattice(case.problem)
    rng = np.random.default_rng(seed)
    allowed = {rungs: bool(rng.random() < 0.3) for rungs in all_nodes(case.problem)}
    best = best_of(case, lambda plan: plan if allowed[plan.rungs] else None, lattice)
    fresh = Lattice(case.problem)
    settle = settle_by(fresh, checks=[lambda plan: allowed[plan.rungs]])
    found = PlanSearch(fresh, settle=settle).run(case.most)
    assert found.plan == best
    assert found.proved


@pytest.mark.parametrize("seed", range(6))
def test_expected_reidentifications_are_those_of_the_released_file(seed: int) -> None:
    case = random_case(seed, gaps=0.05)
    lattice = Lattice(case.problem)
    scenario = Scenario(keys=case.problem.cells.keys)
    losses = []
    for share in (1.0, 0.5, 0.2):
        truth: dict[tuple[int, ...], float] = {}
        for rungs in all_nodes(case.problem):
            released = released_cells(lattice, rungs)
            assert released.records == case.problem.cells.records
            truth[rungs] = measure(released, scenario).expected
        most = share * max(truth.values())
        best = best_of(case, lambda p: p if truth[p.rungs] <= most else None, lattice)  # noqa: B023
        checks = [expected_at_most(lattice, scenario, most)]
        search = PlanSearch(lattice, settle=settle_by(lattice, checks=checks))
        assert search.run(case.most).plan == best
        losses.append(np.inf if best is None else best.loss)
    assert losses == sorted(losses)


@pytest.mark.parametrize("seed", range(5))
def test_blanks_of_plans_are_counted_as_promised(seed: int) -> None:
    lattice = Lattice(random_case(seed, gaps=0.05).problem)
    for find, plan in (
        (own_blanks, lattice.price(lattice.bottom)),
        (strict_blanks, strict_plan(lattice, lattice.bottom)),
    ):
        blanks = find(lattice, lattice.bottom)
        lost = [
            int(blanks.count[(blanks.keys >> j & 1) == 1].sum()) for j in range(len(plan.rungs))
        ]
        assert tuple(lost) == plan.blanks
        assert blanks.records + (plan.stuck if find is own_blanks else 0) == plan.touched
