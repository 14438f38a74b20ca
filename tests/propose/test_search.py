"""The cheapest plan, against all nodes of small lattices."""

from __future__ import annotations

import numpy as np
import pytest

from lattices import Case, all_nodes, price_by_hand, random_case
from microsafe.errors import CancelledError
from microsafe.propose.bounds import Bounds
from microsafe.propose.lattice import Lattice, NodePlan
from microsafe.propose.search import PlanSearch, find_nearest, start_path


def exhaustive(case: Case) -> NodePlan | None:
    lattice = Lattice(case.problem)
    best: NodePlan | None = None
    for rungs in all_nodes(case.problem):
        plan = lattice.price(rungs)
        if not plan.stuck and (case.most is None or plan.touched <= case.most) and plan.beats(best):
            best = plan
    return best


@pytest.mark.parametrize("block", range(10))
def test_search_equals_all_nodes_of_random_lattices(block: int) -> None:
    for seed in range(100 + 20 * block, 120 + 20 * block):
        case = random_case(seed, gaps=0.08 if seed % 4 == 0 else 0.0)
        lattice = Lattice(case.problem)
        start = start_path(lattice) if seed % 2 else []
        found = PlanSearch(Bounds(lattice), most=case.most).run(start=start)
        assert found.plan == exhaustive(case), seed
        assert found.proved
        assert found.gap == 0.0


@pytest.mark.parametrize("seed", range(6))
def test_what_is_proved_best_is_so_by_brute_force(seed: int) -> None:
    case = random_case(seed, rows=18)
    found = PlanSearch(Bounds(Lattice(case.problem)), most=case.most).run().plan
    best: NodePlan | None = None
    for rungs in all_nodes(case.problem):
        plan = price_by_hand(case.problem, rungs)
        if not plan.stuck and (case.most is None or plan.touched <= case.most) and plan.beats(best):
            best = plan
    assert (found is None) == (best is None)
    if found is not None and best is not None:
        assert found.rungs == best.rungs
        assert found.loss == pytest.approx(best.loss)


@pytest.mark.parametrize("seed", range(20))
def test_no_node_of_a_box_is_below_its_bound(seed: int) -> None:
    case = random_case(seed, gaps=0.1 if seed % 2 else 0.0)
    lattice = Lattice(case.problem)
    bounds, rng = Bounds(lattice), np.random.default_rng(seed)
    for _ in range(5):
        corners = np.sort([rng.integers(0, np.array(lattice.top) + 1) for _ in range(2)], axis=0)
        low, high = (tuple(corner.tolist()) for corner in corners)
        found = bounds.bound(low, high, enough=np.inf, most=None)
        inside = [
            lattice.price(node)
            for node in all_nodes(case.problem)
            if all(a <= b <= c for a, b, c in zip(low, node, high, strict=True))
        ]
        assert found.loss <= min(plan.loss for plan in inside) * (1 + 1e-12)
        assert found.touched <= min(plan.touched for plan in inside)
        if low == high and found.sharp:
            assert found.loss == inside[0].loss


def test_a_search_that_is_stopped_says_how_far_it_is_from_the_best() -> None:
    case = random_case(7, rows=60)
    lattice = Lattice(case.problem)
    search = PlanSearch(Bounds(lattice), most=case.most)
    early = search.run(start=start_path(lattice), boxes=2)
    late = search.run()
    assert early.plan is not None
    assert late.plan is not None
    assert late.proved
    assert early.bound <= late.plan.loss <= early.plan.loss
    assert 0.0 <= early.gap <= 1.0


def test_what_was_found_survives_a_cancelled_search() -> None:
    case = random_case(7, rows=60)
    search = PlanSearch(Bounds(Lattice(case.problem)))
    calls = []

    def cancel(stage: str, fraction: float) -> None:
        calls.append(fraction)
        if len(calls) == 3:
            raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        search.run(progress=cancel)
    early = search.found
    assert early.plan is not None
    assert not early.proved
    assert search.run().proved


@pytest.mark.parametrize("seed", range(40, 60))
def test_the_nearest_plan_touches_as_few_as_any(seed: int) -> None:
    problem = random_case(seed).problem
    lattice = Lattice(problem)
    plans = [lattice.price(rungs) for rungs in all_nodes(problem)]
    found = find_nearest(Bounds(lattice)).plan
    able = [plan for plan in plans if not plan.stuck]
    assert (found is None) == (not able)
    if found is not None:
        assert found.touched == min(plan.touched for plan in able)
        same = [plan.loss for plan in able if plan.touched == found.touched]
        assert found.loss == pytest.approx(min(same))
