"""What nodes cost, against brute force over all sets of blanks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lattices import all_nodes, price_by_hand, random_case
from microsafe.cells import Cells
from microsafe.errors import UsageError
from microsafe.propose import node_tables
from microsafe.propose.ladders.ladder import Ladder
from microsafe.propose.lattice import Lattice, PlanProblem, loss_rates
from microsafe.steps.suppress.criterion import KeySetDemand, SafetyCriterion
from microsafe.steps.suppress.own_guarantee import blank_own
from microsafe.sums import Exact


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("gaps", [0.0, 0.1])
def test_every_node_costs_what_brute_force_finds(seed: int, gaps: float) -> None:
    problem = random_case(seed, gaps=gaps, rows=25).problem
    lattice = Lattice(problem)
    nodes = all_nodes(problem)
    for rungs in nodes[:: max(1, len(nodes) // 6)]:
        plan, truth = lattice.price(rungs), price_by_hand(problem, rungs)
        assert plan.recoded == pytest.approx(truth.recoded, abs=1e-12)
        assert plan.loss == pytest.approx(truth.loss, abs=1e-12)
        assert (plan.stuck, plan.touched) == (truth.stuck, truth.touched)
        assert plan.blanks == truth.blanks


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("gaps", [0.0, 0.1])
def test_suppression_at_the_same_prices_takes_the_same_blanks(seed: int, gaps: float) -> None:
    problem = random_case(seed, gaps=gaps).problem
    lattice = Lattice(problem)
    for rungs in all_nodes(problem)[::3]:
        cells = lattice.tables.cells_at(rungs)
        rows = np.arange(len(cells))
        blanks = blank_own(
            cells,
            problem.demands,
            costs=[1.0] * len(cells.keys),
            prices=lattice.prices(rungs, rows),
            spared=problem.spared,
        )
        found = lattice.own(rungs)
        assert blanks.cell.tolist() == found.rows[found.keys > 0].tolist()
        assert blanks.keys.tolist() == found.keys[found.keys > 0].tolist()
        assert blanks.stuck.tolist() == found.rows[found.keys == 0].tolist()


@pytest.mark.parametrize("limits", [{"_WORD": 1}, {"_WORD": 60}, {"_DENSE": 0}])
def test_codes_of_any_length_are_packed(
    limits: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(4):
        problem = random_case(seed, gaps=0.1, rows=25).problem
        nodes = all_nodes(problem)[::5]
        usual = [Lattice(problem).price(rungs) for rungs in nodes]
        with monkeypatch.context() as patched:
            for name, limit in limits.items():
                patched.setattr(node_tables, name, limit)
            assert [Lattice(problem).price(rungs) for rungs in nodes] == usual


def test_all_blank_loses_everything_and_a_recode_what_its_groups_no_longer_tell() -> None:
    cells = Cells(
        keys=("a",),
        categories=(["x", "y", "z"],),
        codes=(np.array([1, 2, 3], np.uint32),),
        count=np.array([1, 1, 2]),
        weights=Exact.split(np.array([1.0, 1.0, 2.0])),
    )
    ladder = Ladder(key="a", rungs=(np.arange(4), np.array([0, 1, 1, 2])))
    rates = loss_rates(cells)
    assert rates == (pytest.approx(1 / 1.5),)

    def price(k: int) -> list[float]:
        demand = KeySetDemand(keys=1, criterion=SafetyCriterion(k=k))
        problem = PlanProblem(cells=cells, ladders=(ladder,), demands=(demand,), rates=rates)
        return [Lattice(problem).price((rung,)).loss for rung in (0, 1)]

    assert price(4) == [pytest.approx(1.0), pytest.approx(1.0)]
    # x and y lose two bits of 1.5 by blanks, or one bit each by the recode.
    assert price(2) == [pytest.approx(2 * 2 / 4 / 1.5), pytest.approx(2 * 1 / 4 / 1.5)]


def test_a_rung_that_cuts_across_the_one_below_is_refused() -> None:
    problems = (random_case(seed).problem for seed in range(20))
    problem = next(each for each in problems if len(each.ladders[0].rungs[0]) == 6)
    code = np.arange(len(problem.ladders[0].rungs[0]))
    halves, thirds = (code + 1) // 2, (code + 2) // 3
    for rungs in ((code, halves, thirds), (code, code, np.maximum(code - 1, 0))):
        with pytest.raises(UsageError, match="Rung 2 of 'k0'"):
            replace(problem, ladders=(Ladder(key="k0", rungs=rungs), *problem.ladders[1:]))
    with pytest.raises(UsageError, match="one ladder"):
        replace(problem, ladders=problem.ladders[1:])
