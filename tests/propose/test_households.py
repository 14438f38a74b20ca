"""Plans with a limit for households, against brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from lattices import all_nodes, random_case
from microsafe.cells import Cells, Membership
from microsafe.errors import UsageError
from microsafe.propose.household_lattice import HouseholdLattice, HouseholdRule, HouseholdView
from microsafe.propose.lattice import NodePlan, PlanProblem
from microsafe.propose.plan_checks import released_cells, settle_by
from microsafe.propose.search import PlanSearch
from microsafe.risk import hazard, household_risk, individual_risk
from microsafe.sums import Floats


def make_rule(problem: PlanProblem, seed: int, views: int = 1) -> HouseholdRule:
    """Households of one to three records; keys that happen to be shared are shared."""
    rng = np.random.default_rng(seed)
    cells = problem.cells
    records = rng.permutation(np.repeat(np.arange(len(cells)), cells.count))
    home = np.repeat(np.arange(len(records)), rng.integers(1, 4, len(records)))[: len(records)]
    # Neighbours in the order of the first key live together, so that it is nearly constant.
    records = records[np.argsort(cells.codes[0][records], kind="stable")]
    pairs, count = np.unique(np.stack([home, records]), axis=1, return_counts=True)
    same = all(len(set(cells.codes[0][records[home == h]])) == 1 for h in np.unique(home))
    every = (1 << len(cells.keys)) - 1
    others = rng.integers(1, every + 1, views - 1).tolist()
    return HouseholdRule(
        membership=Membership(household=pairs[0], cell=pairs[1], records=count),
        views=(
            HouseholdView(keys=every),
            *(HouseholdView(keys=some, factor=float(rng.choice([0.5, 1.0]))) for some in others),
        ),
        limit=[0.05, 0.2, None][seed % 3],
        shared=1 if same or seed % 2 else 0,
    )


def joint_by_hand(lattice: HouseholdLattice, rungs: tuple[int, ...]) -> float:
    """Try all ways to blank of all members of each household."""
    problem, rule = lattice.problem, lattice.rule
    cells: Cells = lattice.tables.cells_at(rungs)
    cell_of = lattice.tables.parents(lattice.bottom, rungs)
    keys = range(len(cells.keys))
    total = 0.0

    def frequencies(row: int, seen: list[int]) -> tuple[float, float]:
        same = np.ones(len(cells), bool)
        for j in seen:
            if cells.codes[j][row]:
                same &= (cells.codes[j] == cells.codes[j][row]) | (cells.codes[j] == 0)
        return float(cells.count[same].sum()), float(cells.weight[same].sum())

    def look(row: int, mask: int) -> tuple[bool, Floats]:
        for demand in problem.demands:
            asked = [j for j in keys if demand.keys >> j & 1]
            gone = any(mask >> j & 1 or not cells.codes[j][row] for j in asked)
            if demand.whole and gone:
                continue
            f, F = frequencies(row, [j for j in asked if not mask >> j & 1])
            if demand.criterion.unsafe(np.array([f]), np.array([F]))[0]:
                return False, np.zeros(len(rule.views))
        risks = []
        for view in rule.views:
            f, F = frequencies(row, [j for j in keys if view.keys >> j & 1 and not mask >> j & 1])
            risks.append(view.factor * individual_risk(np.array([f]), np.array([F]))[0])
        return True, hazard(np.array(risks))

    seen: dict[tuple[int, int], tuple[bool, Floats]] = {}
    prices = lattice.prices(rungs, np.arange(len(cells)))
    for home in range(lattice.homes):
        rows = cell_of[lattice.members.row[lattice.members.household == home]].tolist()
        masks = [mask for mask in range(1 << len(keys)) if not mask & problem.spared]
        best = np.inf
        for ways in product(masks, repeat=len(rows)):
            if len({way & rule.shared for way in ways}) > 1:
                continue
            found = []
            for way, row in zip(ways, rows, strict=True):
                if (row, way) not in seen:
                    seen[row, way] = look(row, way)
                found.append(seen[row, way])
            risk = household_risk(np.sum([each[1] for each in found], axis=0)).max()
            if all(safe for safe, _ in found) and (rule.limit is None or risk <= rule.limit):
                cost = sum(
                    prices[j, row]
                    for way, row in zip(ways, rows, strict=True)
                    for j in keys
                    if way >> j & 1 and cells.codes[j][row]
                )
                best = min(best, cost)
        total += best
    return total / cells.records


def small_case(seed: int) -> PlanProblem:
    return random_case(seed, gaps=0.1 if seed % 4 == 0 else 0.0, rows=24).problem


@pytest.mark.parametrize("views", [1, 2, 3])
@pytest.mark.parametrize("seed", range(500, 512))
def test_a_node_costs_the_cheapest_joint_blanks(seed: int, views: int) -> None:
    problem = small_case(seed)
    lattice = HouseholdLattice(problem, make_rule(problem, seed, views))
    for rungs in (lattice.bottom, lattice.top):
        plan = lattice.price(rungs)
        truth = joint_by_hand(lattice, rungs)
        assert plan.loss == pytest.approx(plan.recoded + truth)
        assert (plan.stuck > 0) == np.isinf(truth)


@pytest.mark.parametrize("views", [1, 2])
@pytest.mark.parametrize("block", range(6))
def test_search_with_households_equals_all_nodes(block: int, views: int) -> None:
    for seed in range(600 + 10 * block, 610 + 10 * block):
        case = random_case(seed, gaps=0.08 if seed % 4 == 0 else 0.0)
        lattice = HouseholdLattice(case.problem, make_rule(case.problem, seed, views))
        best: NodePlan | None = None
        for rungs in all_nodes(case.problem):
            plan = lattice.price(rungs)
            assert lattice.count_touched(rungs) <= plan.touched
            within = case.most is None or plan.touched <= case.most
            if not plan.stuck and within and plan.beats(best):
                best = plan
        fresh = HouseholdLattice(case.problem, lattice.rule)
        found = PlanSearch(fresh).run(case.most)
        assert found.plan == best, seed
        assert found.proved


@pytest.mark.parametrize("seed", range(700, 715))
def test_no_node_of_a_box_is_below_its_bound_with_households(seed: int) -> None:
    problem = small_case(seed)
    lattice = HouseholdLattice(problem, make_rule(problem, seed, 1 + seed % 3))
    rng = np.random.default_rng(seed)
    for _ in range(4):
        corners = np.sort([rng.integers(0, np.array(lattice.top) + 1) for _ in range(2)], axis=0)
        low, high = (tuple(corner.tolist()) for corner in corners)
        found = lattice.bound(low, high, enough=np.inf, most=None)
        inside = [
            lattice.price(node)
            for node in all_nodes(problem)
            if all(a <= b <= c for a, b, c in zip(low, node, high, strict=True))
        ]
        assert found.loss <= min(plan.loss for plan in inside) * (1 + 1e-12)
        assert found.touched <= min(plan.touched for plan in inside)


def test_rules_on_the_released_file_are_left_to_who_runs_the_plan() -> None:
    problem = small_case(700)
    lattice = HouseholdLattice(problem, make_rule(problem, 700))
    with pytest.raises(UsageError, match="by running the plan"):
        released_cells(lattice, lattice.bottom)
    settle = settle_by(lattice, guarantee="strict")
    assert settle is not None
    with pytest.raises(UsageError, match="the guarantee is 'own'"):
        settle(lattice.price(lattice.top))


@pytest.mark.parametrize("seed", range(720, 726))
def test_any_rule_can_be_asked_of_plans_with_households(seed: int) -> None:
    problem = small_case(seed)
    lattice = HouseholdLattice(problem, make_rule(problem, seed))
    plans = [lattice.price(rungs) for rungs in all_nodes(problem)]
    able = [plan for plan in plans if not plan.stuck and sum(plan.rungs) % 2]
    settle = settle_by(lattice, checks=[lambda plan: bool(sum(plan.rungs) % 2)])
    found = PlanSearch(lattice, settle=settle).run()
    losses = [plan.loss for plan in able]
    assert (found.plan.loss if found.plan else None) == (min(losses) if losses else None)
