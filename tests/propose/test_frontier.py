"""The frontier: each point is what a search for it alone finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from lattices import random_case
from microsafe.propose.bounds import Bounds
from microsafe.propose.lattice import Lattice
from microsafe.propose.node_tables import Rungs
from microsafe.propose.search import Found, PlanSearch, start_path
from microsafe.propose.solve import find_frontier


def search_in(bounds: Bounds) -> Callable[[int | None, Sequence[Rungs]], Found]:
    return lambda cap, nodes: PlanSearch(bounds, most=cap).run(start=nodes)


@pytest.mark.parametrize("seed", range(300, 312))
def test_each_point_is_the_best_plan_for_its_cap(seed: int) -> None:
    problem = random_case(seed, gaps=0.05 * (seed % 2)).problem
    n = problem.cells.records
    caps = [None, *(round(share * n) for share in (0.5, 0.3, 0.2, 0.1, 0.05, 0.0))]
    lattice = Lattice(problem)
    points = find_frontier(search_in(Bounds(lattice)), caps, start=start_path(lattice))
    assert [point.most for point in points] == list(dict.fromkeys(caps))
    for point in points:
        alone = PlanSearch(Bounds(Lattice(problem)), most=point.most).run()
        assert point.found.proved
        assert point.found.plan == alone.plan
    losses = [point.found.plan.loss for point in points if point.found.plan is not None]
    assert losses == sorted(losses)


def test_a_frontier_prices_no_node_twice() -> None:
    problem = random_case(301).problem
    lattice = Lattice(problem)
    points = find_frontier(search_in(Bounds(lattice)), [None, 20, 10, 5, 2])
    assert points[-1].found.priced <= points[-1].found.nodes
