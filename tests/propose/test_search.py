"""The cheapest plan, against all nodes of small lattices."""

from __future__ import annotations

import numpy as np
import pytest

from lattices import Case, all_nodes, price_by_hand, random_case
from microsafe.errors import CancelledError
from microsafe.propose.lattice import Lattice, NodePlan
from microsafe.propose.search import PlanSearch


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
        found = PlanSearch(lattice).run(case.most)
        assert found.plan == exhaustive(case), seed
        assert found.proved
        assert found.gap == 0.0


@pytest.mark.parametrize("seed", range(6))
def test_what_is_proved_best_is_so_by_brute_force(seed: int) -> None:
    case = random_case(seed, rows=18)
    found = PlanSearch(Lattice(case.problem)).run(case.most).plan
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
    rng = np.random.default_rng(seed)
    for _ in range(5):
        corners = np.sort([rng.integers(0, np.array(lattice.top) + 1) for _ in range(2)], axis=0)
        low, high = (tuple(corner.tolist()) for corner in corners)
        found = lattice.bound(low, high, enough=np.inf, most=None)
        inside = [
            lattice.price(node)
            for node in all_nodes(case.problem)
            if all(a <= b <= c for a, b, c in zip(low, node, high, strict=True))
        ]
        assert found.loss <= min(plan.loss for plan in inside) * (1 + 1e-12)
        assert found.touched <= min(plan.touched for plan in inside)
        if low == high and found.sharp:
            assert found.loss == inside[0].loss


def stop_after(lattice: Lattice, tables: int) -> None:
    """Raise once so many tables were asked for; from then on no more."""
    left = iter(range(tables))

    def tick() -> None:
        if next(left, None) is None:
            lattice.tables.tick = lambda: None
            raise CancelledError("stopped")

    lattice.tables.tick = tick


@pytest.mark.parametrize("tables", [8, 12, 20])
def test_a_search_that_is_stopped_says_how_far_it_is_from_the_best(tables: int) -> None:
    case = random_case(7, rows=60)
    lattice = Lattice(case.problem)
    search = PlanSearch(lattice)
    stop_after(lattice, tables)
    with pytest.raises(CancelledError):
        search.run()
    early = search.found(None)
    late = search.run()
    assert early.plan is not None
    assert late.plan == PlanSearch(Lattice(case.problem)).run().plan
    assert late.plan is not None
    assert late.proved
    assert early.bound <= late.plan.loss <= early.plan.loss
    assert 0.0 <= early.gap <= 1.0


@pytest.mark.parametrize("seed", range(40, 60))
def test_the_nearest_plan_touches_as_few_as_any(seed: int) -> None:
    problem = random_case(seed).problem
    lattice = Lattice(problem)
    plans = [lattice.price(rungs) for rungs in all_nodes(problem)]
    able = [plan for plan in plans if not plan.stuck]
    search = PlanSearch(Lattice(problem))
    fewest = min((plan.touched for plan in able), default=0)
    assert search.run(fewest - 1).plan is None
    near = search.archive.nearest()
    assert (near is None) == (not able)
    if near is not None:
        found = search.run(near.touched).plan
        assert found == search.archive.nearest()
        assert found is not None
        assert found.touched == fewest
        same = [plan.loss for plan in able if plan.touched == fewest]
        assert found.loss == pytest.approx(min(same))


@pytest.mark.parametrize("seed", range(300, 312))
def test_a_looser_cap_is_never_worse(seed: int) -> None:
    problem = random_case(seed, gaps=0.05 * (seed % 2)).problem
    n = problem.cells.records
    caps = [*(round(share * n) for share in (0.0, 0.05, 0.1, 0.3, 0.5)), None]
    search = PlanSearch(Lattice(problem))
    for cap in caps if seed % 3 else caps[::-1]:
        assert search.run(cap).plan == PlanSearch(Lattice(problem)).run(cap).plan
    found = [search.found(cap) for cap in caps]
    assert all(each.proved for each in found)
    losses = [each.plan.loss for each in found if each.plan]
    assert losses == sorted(losses, reverse=True)
    frontier = search.archive.frontier()
    assert [plan.loss for plan in frontier] == sorted(plan.loss for plan in frontier)
    assert {each.plan.loss for each in found if each.plan} <= {plan.loss for plan in frontier}
