"""Small random lattices, and what their nodes cost by brute force."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from microsafe.cells import Cells
from microsafe.propose.ladders.ladder import Ladder
from microsafe.propose.lattice import NodePlan, PlanProblem, loss_rates
from microsafe.steps.suppress.criterion import KeySetDemand, SafetyCriterion
from microsafe.sums import Exact


def make_cells(rng: np.random.Generator, sizes: list[int], rows: int, *, gaps: float) -> Cells:
    columns = [np.ceil(size * rng.random(rows) ** 1.5).astype(np.int64) for size in sizes]
    columns = [np.where(rng.random(rows) < gaps, 0, np.maximum(code, 1)) for code in columns]
    weight = np.round(1 + 30 * rng.random(rows), 1)
    distinct, group = np.unique(np.stack(columns), axis=1, return_inverse=True)
    return Cells(
        keys=tuple(f"k{j}" for j in range(len(sizes))),
        categories=tuple([str(c) for c in range(size)] for size in sizes),
        codes=tuple(code.astype(np.uint32) for code in distinct),
        count=np.bincount(group.reshape(-1)).astype(np.int64),
        weights=Exact.split(np.bincount(group.reshape(-1), weight)),
    )


def make_ladder(rng: np.random.Generator, key: str, size: int, rungs: int) -> Ladder:
    """Each rung joins two groups of the one below, so far as there are two."""
    made = [np.arange(size + 1)]
    for _ in range(rungs - 1):
        groups = int(made[-1].max())
        if groups == 1:
            break
        merged = np.concatenate([[0], 1 + rng.integers(0, max(groups - 1, 1), groups)])
        _, merged = np.unique(merged, return_inverse=True)
        made.append(merged[made[-1]])
    return Ladder(key=key, rungs=tuple(made))


@dataclass(frozen=True)
class Case:
    """A problem, and the most records that may lose a value."""

    problem: PlanProblem
    most: int | None


def random_case(seed: int, *, gaps: float = 0.0, rows: int | None = None) -> Case:
    rng = np.random.default_rng(seed)
    keys = int(rng.integers(2, 5))
    sizes = rng.integers(2, 6, keys).tolist()
    cells = make_cells(rng, sizes, rows or int(rng.integers(15, 60)), gaps=gaps)
    ladders = tuple(
        make_ladder(rng, key, size, int(rng.integers(1, 4)))
        for key, size in zip(cells.keys, sizes, strict=True)
    )
    criteria = [
        SafetyCriterion(above=float(rng.choice([0.02, 0.05, 0.1]))),
        SafetyCriterion(k=int(rng.integers(2, 6))),
        SafetyCriterion(above=0.08, k=2, factor=0.7),
        SafetyCriterion(people=40.0),
    ]
    every = (1 << keys) - 1
    demands = [KeySetDemand(keys=every, criterion=criteria[rng.integers(4)])]
    if rng.random() < 0.4:  # a second scenario
        some = int(rng.integers(1, every + 1))
        demands.append(
            KeySetDemand(
                keys=some, criterion=criteria[rng.integers(4)], whole=bool(rng.random() < 0.3)
            )
        )
    weights = {key: float(rng.choice([0.5, 1.0, 3.0])) for key in cells.keys}
    spared = 1 << int(rng.integers(keys)) if rng.random() < 0.3 else 0
    problem = PlanProblem(
        cells=cells,
        ladders=ladders,
        demands=tuple(demands),
        rates=loss_rates(cells, weights if rng.random() < 0.5 else None),
        spared=spared,
    )
    share = rng.choice([0.02, 0.1, 0.3, 1.0])
    return Case(problem=problem, most=None if share == 1.0 else int(share * cells.records))


def all_nodes(problem: PlanProblem) -> list[tuple[int, ...]]:
    return list(product(*(range(len(ladder.rungs)) for ladder in problem.ladders)))


def price_by_hand(problem: PlanProblem, rungs: tuple[int, ...]) -> NodePlan:
    """Try every set of blanks of every cell, each compared with every other."""
    cells, keys = problem.cells, range(len(problem.ladders))
    n = cells.records
    rows = list(zip(*(code.tolist() for code in cells.codes), strict=True))
    new = [tuple(int(problem.ladders[j].rungs[rungs[j]][row[j]]) for j in keys) for row in rows]
    counts, weights = cells.count.tolist(), cells.weight.tolist()

    def bits(j: int, values: list[tuple[int, ...]], i: int) -> float:
        shown = sum(c for c, row in zip(counts, values, strict=True) if row[j])
        same = sum(c for c, row in zip(counts, values, strict=True) if row[j] == values[i][j])
        return -math.log2(same / shown)

    def safe(i: int, blank: tuple[int, ...]) -> bool:
        for demand in problem.demands:
            asked = [j for j in keys if demand.keys >> j & 1]
            if demand.whole and any(j in blank or not new[i][j] for j in asked):
                continue
            seen = [j for j in asked if j not in blank and new[i][j]]
            alike = [e for e, row in enumerate(new) if all(row[j] in (0, new[i][j]) for j in seen)]
            f, F = sum(counts[e] for e in alike), sum(weights[e] for e in alike)
            if demand.criterion.unsafe(np.array([float(f)]), np.array([F]))[0]:
                return False
        return True

    recoded = loss = 0.0
    blanks, touched, stuck = [0] * len(keys), 0, 0
    for i, count in enumerate(counts):
        for j in keys:
            if rows[i][j]:
                gone = bits(j, rows, i) - bits(j, new, i)
                recoded += problem.rates[j] * gone * count / n
        able = [j for j in keys if new[i][j] and not problem.spared >> j & 1]
        ways = [
            (sum(problem.rates[j] * bits(j, new, i) for j in way), len(way), way)
            for size in range(len(able) + 1)
            for way in combinations(able, size)
            if safe(i, way)
        ]
        if not ways:
            stuck, touched, loss = stuck + count, touched + count, math.inf
            continue
        least = min(ways)[0]
        cost, _, way = min((round(c - least, 12), size, way) for c, size, way in ways)
        touched += count * bool(way)
        loss += (least + cost) * count / n
        for j in way:
            blanks[j] += count
    return NodePlan(
        rungs=rungs,
        loss=recoded + loss,
        recoded=recoded,
        blanks=tuple(blanks),
        touched=touched,
        stuck=stuck,
    )
