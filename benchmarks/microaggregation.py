"""Time microaggregation, rank swapping and shuffling of numbers, in CPU seconds of this process.

    uv run python benchmarks/microaggregation.py            all of it, about a minute
    uv run python benchmarks/microaggregation.py --quick    without exact groups of 100,000

Variables are lognormal, with a correlation of 0.5 between their logarithms. What is beside a time
is what was aimed at. Reference files of other programs are taken if they are beside the checkout.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import polars as pl

import microsafe as ms
from microsafe.draws import Draws
from microsafe.steps.microaggregate.kernel import Microaggregation, standardise
from microsafe.steps.microaggregate.mdav import find_groups, find_groups_in_blocks
from microsafe.steps.shuffle.kernel import (
    ModelColumn,
    deal_out,
    draw_scores,
    fit_model,
    rank_column,
)

T = TypeVar("T")
REFERENCE = Path(__file__).parents[2] / "shared" / "peers" / "perturb"


def lognormal(variables: int, records: int) -> np.ndarray:
    factor = np.linalg.cholesky(0.5 * np.eye(variables) + 0.5)
    return np.exp(factor @ np.random.default_rng(1).normal(size=(variables, records)))


def report(what: str, aim: float | None, act: Callable[[], T], *, times: int = 3) -> T:
    """Do something some times; print the least CPU seconds beside what was aimed at."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        result = act()
        spent.append(time.process_time() - start)
    aimed = "" if aim is None else f"   (aim {aim:g})"
    print(f"{what:<58} {min(spent):7.2f} s{aimed}", flush=True)
    return result


def lost(values: np.ndarray, groups: np.ndarray) -> float:
    count = np.bincount(groups)
    means = np.array([np.bincount(groups, each) / count for each in values])
    return float(((values - means[:, groups]) ** 2).mean())  # variables are standardised


def microaggregate(quick: bool) -> None:
    few, many = (standardise(lognormal(5, size), "sd") for size in (10_000, 100_000))
    report("MDAV, 10,000 records x 5, k = 3, exact", 0.6, lambda: find_groups(few, 3))
    blocks = report(
        "MDAV, 100,000 records x 5, k = 3, in blocks", 3, lambda: find_groups_in_blocks(many, 3)
    )
    if not quick:
        exact = report(
            "MDAV, 100,000 records x 5, k = 3, exact", None, lambda: find_groups(many, 3), times=1
        )
        ratio = lost(many, blocks) / lost(many, exact)
        print(f"  loss in blocks over the exact one: {ratio:.3f}   (aim 1.15)")
    one = lognormal(1, 1_000_000)
    for k in (3, 10):
        how = Microaggregation(k=k, method="one")
        aim = 1.5 if k == 3 else None
        report(f"each alone, 1,000,000 records, k = {k}", aim, lambda how=how: how.aggregate(one))


def compare_blocks() -> None:
    """Loss of groups in blocks over that of exact ones, on files drawn from real ones."""
    for path in (REFERENCE / f"{name}.csv" for name in ("tarragona", "census", "eia")):
        if not path.exists():
            print(f"  {path.name} is not here.")
            continue
        values = standardise(np.loadtxt(path, delimiter=",", skiprows=1).T, "sd")
        random = np.random.default_rng(2)
        drawn = values[:, random.integers(0, values.shape[1], 25_000)]
        spread = 0.1 * np.minimum(1.0, np.abs(drawn) + 0.1)
        drawn = drawn + spread * random.normal(size=drawn.shape)
        ratio = lost(drawn, find_groups_in_blocks(drawn, 3)) / lost(drawn, find_groups(drawn, 3))
        print(f"  25,000 x {len(values)} drawn from {path.stem}: loss in blocks {ratio:.3f}")


def exchange() -> None:
    count = 1_000_000
    numbers = np.arange(count, dtype=np.uint64)
    income, age, rent, wealth = lognormal(4, count)
    region = (10 * np.random.default_rng(3).random(count)).astype(np.int64)
    draws = Draws(seed=1, step=1, variable="income")

    study = ms.study(pl.DataFrame({"income": income}))
    swap = partial(study.rank_swap, "income", seed=1)
    report("the step rank_swap, 1,000,000 records", 1.2, swap)

    def shuffle() -> np.ndarray:
        given = [rank_column(age), rank_column(rent), rank_column(wealth)]
        given.append(ModelColumn(values=region, categories=10))
        words = draws.words(numbers)
        model = fit_model([rank_column(income)], given, np.ones(count))
        (scores,) = draw_scores(model, given, [words[:, 0]])
        return deal_out(income, scores, words[:, 1])

    report("shuffling, 1,000,000 records given 4 variables", 5, shuffle)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    microaggregate(quick)
    if not quick:
        compare_blocks()
    exchange()
