"""Time the search for the cheapest plan, in CPU seconds of this process after cells are counted.

    uv run python benchmarks/propose.py            all of it, a few minutes
    uv run python benchmarks/propose.py --quick    a tenth of the records
    uv run python benchmarks/propose.py demo large frontier wide homes growth adult argus

The file is the demo's survey, and one like it with a million records whose keys are complete.
What is beside a figure is what was aimed at.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import polars as pl

import microsafe as ms
from microsafe.cells import Cells, Membership
from microsafe.datasets import survey
from microsafe.propose.bounds import Bounds
from microsafe.propose.frontier import find_frontier
from microsafe.propose.households import HomeBounds, HomeLattice, HouseholdRule
from microsafe.propose.ladders import Ladder
from microsafe.propose.nodes import Lattice, PlanProblem, loss_rates
from microsafe.propose.search import Found, PlanSearch, start_path
from microsafe.propose.settling import settle_by
from microsafe.risk import member_limit
from microsafe.scenario import Scenario
from microsafe.steps.suppression import Criterion, Demand, blank_own

KEYS = ("region", "hsize", "age", "marital", "citizenship", "occupation")
MORE = ("sex", "education")
USUAL = {"occupation": 0, "citizenship": 1, "education": 3}  # where the survey has gaps
CAPS = (None, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 0.005, 0.001)
HOUSEHOLDS = 420_000
SAMPLES = Path(__file__).parents[2] / "shared" / "peers" / "truth" / "samples"


def steps(key: str, value: np.ndarray) -> list[np.ndarray]:
    """Four rungs of a key of the survey, two of sex."""
    if key == "age":
        return [value, value // 5, value // 10, value // 20]
    if key == "region":
        return [value, (value - 1) // 2, (value - 1) // 4, (value - 1) // 12]
    if key == "hsize":
        return [value, *(np.minimum(value, most) for most in (5, 4, 3))]
    if key == "marital":
        pair = np.where(value == 3, 2, value)
        return [value, pair, np.where(value == 5, 4, pair), np.minimum(value, 2)]
    if key == "citizenship":
        return [value, *(np.minimum(value, most) for most in (6, 4, 2))]
    if key == "occupation":
        tens = np.where(value == 10, 9, value)
        return [value, tens, np.where(value == 0, 0, 1 + (tens - 1) // 3), (value > 0) * 1]
    if key == "education":
        return [value, np.minimum(value, 7), value // 3, value // 6]
    return [value, np.zeros_like(value)]


def ladder(key: str, categories: Sequence[str], rungs: int | None = None) -> Ladder:
    groups = [
        np.unique(each, return_inverse=True)[1] + 1
        for each in steps(key, np.array([int(float(text)) for text in categories]))
    ]
    return Ladder(key=key, rungs=tuple(np.concatenate([[0], each]) for each in groups[:rungs]))


@cache
def frame(households: int, *, complete: bool) -> pl.DataFrame:
    made = survey(households=households).frame
    known = pl.when(pl.col("education") < 98).then(pl.col("education"))
    made = made.with_columns(known.alias("education"))
    gaps = [pl.col(name).fill_null(value) for name, value in USUAL.items() if complete]
    return made.with_columns(gaps)


@cache
def cells_of(households: int, keys: tuple[str, ...], *, complete: bool) -> Cells:
    study = ms.study(frame(households, complete=complete), keys=list(keys), weight="weight")
    return study.engine.cells(Scenario(keys=keys, weight="weight"))


def problem(
    cells: Cells, limit: float, *, rungs: int | None = None, spared: int = 0
) -> PlanProblem:
    every = (1 << len(cells.keys)) - 1
    pairs = zip(cells.keys, cells.categories, strict=True)
    return PlanProblem(
        cells=cells,
        ladders=tuple(ladder(key, texts, rungs) for key, texts in pairs),
        demands=(Demand(keys=every, criterion=Criterion(above=limit)),),
        rates=loss_rates(cells),
        spared=spared,
    )


def timed(act: Callable[[], Found]) -> tuple[Found, float]:
    start = time.process_time()
    return act(), time.process_time() - start


def search(asked: PlanProblem, cap: float | None) -> tuple[Found, float]:
    def act() -> Found:
        lattice = Lattice(asked)
        most = None if cap is None else int(cap * lattice.records)
        return PlanSearch(Bounds(lattice), most=most).run(start=start_path(lattice))

    return timed(act)


def tell(what: str, found: Found, seconds: float, aim: str) -> None:
    proof = "proved best" if found.proved else f"gap at most {found.gap:.1%}"
    plan = "no plan" if found.plan is None else f"loss {found.plan.loss:6.2%}, touched {found.plan.touched:8,}, rungs {found.plan.rungs}"  # fmt: skip  # noqa: E501
    count = f"{found.priced:3} priced {found.bounded:3} bounded of {found.nodes:,}"
    print(f"  {what:28} {seconds:6.2f} s ({aim})  {proof}  {count}  {plan}", flush=True)


def peak() -> str:
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB"


def demo(_: int) -> None:
    print("demo, six keys of four rungs, gaps as they are: at most 400 nodes priced or bounded")
    cells = cells_of(2500, KEYS, complete=False)
    for limit in (0.01, 0.03):
        for cap in (None, 0.05, 0.01):
            found, seconds = search(problem(cells, limit), cap)
            tell(f"limit {limit}, cap {cap}", found, seconds, "no aim")


def large(households: int) -> None:
    cells = cells_of(households, KEYS, complete=True)
    print(f"{cells.records:,} records, {len(cells):,} cells, six keys of four rungs")
    for limit in (0.01, 0.03, 0.001):
        for cap in (None, 0.05, 0.01):
            found, seconds = search(problem(cells, limit), cap)
            tell(f"limit {limit}, cap {cap}", found, seconds, "aim 10")
    print(f"  peak {peak()}")


def frontier(households: int) -> None:
    cells = cells_of(households, KEYS, complete=True)
    for limit in (0.01, 0.001):
        start = time.process_time()
        lattice = Lattice(problem(cells, limit))
        caps = [None if cap is None else int(cap * cells.records) for cap in CAPS]
        points = find_frontier(Bounds(lattice), caps, start=start_path(lattice))
        seconds = time.process_time() - start
        print(f"frontier of {len(points)} caps, limit {limit}: {seconds:.1f} s (aim 30), {peak()}")
        for point in points:
            tell(f"at most {point.most}", point.found, 0.0, "in it")


def wide(households: int) -> None:
    cells = cells_of(households, KEYS + MORE, complete=True)
    print(f"{cells.records:,} records, {len(cells):,} cells, eight keys")
    for limit in (0.01, 0.03):
        for cap in (None, 0.05, 0.01):
            found, seconds = search(problem(cells, limit), cap)
            tell(f"limit {limit}, cap {cap}", found, seconds, "aim 60")
    print(f"  peak {peak()} (aim 2)")


def home_problem(
    households: int, limit: float, at_home: float, *, complete: bool
) -> tuple[PlanProblem, HouseholdRule]:
    cells = cells_of(households, KEYS, complete=complete)
    scenario = Scenario(keys=KEYS, weight="weight", household="household")
    study = ms.study(
        frame(households, complete=complete),
        keys=list(KEYS),
        weight="weight",
        household="household",
    )
    members: Membership = study.engine.membership(scenario)
    constant = study.engine.find_constant_keys(scenario)
    rule = HouseholdRule(
        membership=members,
        keys=(1 << len(KEYS)) - 1,
        limit=at_home,
        shared=sum(1 << KEYS.index(key) for key in constant),
    )
    return problem(cells, limit, spared=1 << KEYS.index("hsize")), rule


def homes(households: int) -> None:
    print("households: a limit for records and one for households, members share keys")
    for limit, cap in ((0.03, None), (0.03, 0.05), (0.01, 0.05), (0.01, None)):
        asked, rule = home_problem(households, limit, limit, complete=True)

        def act(asked=asked, rule=rule, cap=cap) -> Found:  # type: ignore[no-untyped-def]
            lattice = HomeLattice(asked, rule)
            most = None if cap is None else int(cap * lattice.records)
            return PlanSearch(HomeBounds(lattice), most=most).run(start=start_path(lattice))

        found, seconds = timed(act)
        tell(f"limits {limit}, cap {cap}", found, seconds, "aim 60, gap 5 %")
    print(f"  peak {peak()}")
    asked, rule = home_problem(2500, 0.03, 0.03, complete=False)
    lattice = HomeLattice(asked, rule)
    joint = lattice.price(lattice.bottom).loss
    shares = equal_shares(lattice)
    print(f"  demo, limits .03, no recodes: joint {joint:.2%}, equal shares {shares:.2%}, "
          f"{1 - joint / shares:.0%} cheaper (aim 25 %)")  # fmt: skip


def equal_shares(lattice: HomeLattice) -> float:
    """Return the loss if each member must keep an equal share, as suppression has it."""
    cells, rule, members = lattice.problem.cells, lattice.rule, lattice.members
    unsafe, _ = lattice.unsafe_homes(lattice.bottom)
    each = np.where(unsafe, member_limit(rule.limit or 1.0, members.size), np.inf)
    limits = np.full(len(cells), np.inf)
    np.minimum.at(limits, members.row, each[members.household])
    above = lattice.problem.demands[0].criterion
    demands = [
        lattice.problem.demands[0],
        Demand(keys=rule.keys, criterion=above, limits=limits),
    ]
    prices = lattice.prices(lattice.bottom, np.arange(len(cells)))
    size = float(members.size.mean())
    dear = np.array([size if rule.shared >> j & 1 else 1.0 for j in range(len(prices))])
    blanks = blank_own(
        cells,
        demands,
        costs=[1.0] * len(prices),
        prices=prices * dear[:, None],
        spared=lattice.problem.spared,
    )
    keys = np.zeros(len(cells), np.int64)
    keys[blanks.cell] = blanks.keys
    mine = keys[members.row]
    for j in range(len(prices)):
        if rule.shared >> j & 1:  # blank in one, blank in all
            lost = np.bincount(members.household, mine >> j & 1) > 0
            mine |= lost[members.household].astype(np.int64) << j
    cost = 0.0
    for j, price in enumerate(prices):
        each = price[members.row][mine >> j & 1 == 1]
        cost += float(each[np.isfinite(each)].sum())
    return cost / lattice.records


def growth(households: int) -> None:
    print("growth with keys and rungs, limit .01, cap 5 %")
    names = KEYS + MORE
    for many in range(2, len(names) + 1):
        asked = problem(cells_of(households, names[:many], complete=True), 0.01)
        tell(f"{many} keys of 4 rungs", *search(asked, 0.05), "no aim")
    for rungs in (2, 3, 4):
        asked = problem(cells_of(households, KEYS, complete=True), 0.01, rungs=rungs)
        tell(f"6 keys of {rungs} rungs", *search(asked, 0.05), "no aim")
    nodes = prod(len(each.rungs) for each in asked.ladders)
    print(f"  nodes of the last: {nodes:,}")


SCHOOL = (
    ("Preschool", "1st-4th", "5th-6th", "7th-8th"),
    ("9th", "10th", "11th", "12th"),
    ("HS-grad",),
    ("Some-college", "Assoc-voc", "Assoc-acdm"),
    ("Bachelors",),
    ("Masters", "Prof-school", "Doctorate"),
)
MARRIED = ("Married-civ-spouse", "Married-AF-spouse", "Married-spouse-absent")
WORK = (
    ("Private",),
    ("Self-emp-inc", "Self-emp-not-inc"),
    ("Federal-gov", "Local-gov", "State-gov"),
)


def adult_groups(key: str, text: str) -> list[object]:
    """Groups of a category of the adult samples, rung by rung, up to one group for all."""
    if key == "age5":
        return [text, int(text) // 2, int(text) // 4, 0]
    if key == "education":
        place = next(i for i, group in enumerate(SCHOOL) if text in group)
        return [text, place, place // 2, 0]
    if key == "marital":
        return [text, "married" if text in MARRIED else text == "Never-married", 0]
    if key == "workclass":
        return [text, next((i for i, group in enumerate(WORK) if text in group), 9), 0]
    return [text, text == "White", 0] if key == "race" else [text, 0]


def adult(_: int) -> None:
    """k = 5 and at most 5 % of records touched, beside whole records suppressed."""
    for path in sorted(SAMPLES.glob("adult_*.csv")):
        table = pl.read_csv(path)
        keys = tuple(table.columns[1:-2])
        cells = ms.study(table, keys=list(keys), weight="weight").engine.cells(Scenario(keys=keys))
        ladders = []
        for key, texts in zip(keys, cells.categories, strict=True):
            groups = []
            for rung in zip(*(adult_groups(key, text) for text in texts), strict=True):
                known = list(dict.fromkeys(rung))
                groups.append(np.array([0, *(1 + known.index(each) for each in rung)]))
            ladders.append(Ladder(key=key, rungs=tuple(groups)))
        asked = PlanProblem(
            cells=cells,
            ladders=tuple(ladders),
            demands=(Demand(keys=(1 << len(keys)) - 1, criterion=Criterion(k=5)),),
            rates=loss_rates(cells),
        )
        lattice = Lattice(asked)
        most = int(0.05 * lattice.records)
        start = start_path(lattice)
        own = PlanSearch(Bounds(lattice), most=most).run(start=start).plan
        settle = settle_by(lattice, guarantee="strict")
        strict = PlanSearch(Bounds(lattice), most=most, settle=settle).run(start=start).plan
        whole = min(
            whole_records(lattice, node)
            for node in product(*(range(rung + 1) for rung in lattice.top))
            if lattice.count_touched(node) <= most
        )
        assert own is not None
        assert strict is not None
        print(f"  {path.stem}: own {own.loss:.2%}, strict {strict.loss:.2%}, whole records "
              f"{whole:.2%}: {1 - own.loss / whole:.0%} less (aim 8 %)")  # fmt: skip


def whole_records(lattice: Lattice, node: tuple[int, ...]) -> float:
    """Return the loss of a node if all keys of unsafe records are blank."""
    rows = lattice.unsafe(node)
    lost = lattice.prices(node, rows).sum(axis=0) * lattice.tables.at(node).f[rows]
    return lattice.recode_loss(node) + float(lost.sum()) / lattice.records


def argus_groups(key: str, value: np.ndarray) -> list[np.ndarray]:
    """Rungs for mu-ARGUS's demo file: rung 2 is its Region.grc and Age.grc."""
    if key == "REGION":
        tens = np.minimum((value - 1) // 10, 17)
        return [value, np.minimum((value - 1) // 2, 85), tens, tens // 2, tens // 6]
    if key == "AGE":
        tens = np.clip((value - 1) // 10, 1, 6)
        return [value, (value - 1) // 5, tens, tens // 2, tens // 4]
    return [value, np.minimum(value, 2)] if key == "MARSTAT" else [value]


def argus(_: int) -> None:
    """Four keys of mu-ARGUS's demo, limit .01, no cap."""
    keys = ("REGION", "SEX", "AGE", "MARSTAT")
    path = SAMPLES.parents[1] / "muargus" / "demodata" / "Demodata.asc"
    study = ms.study(path, keys=list(keys), weight="WEIGHT")
    cells = study.engine.cells(study.scenarios[0])
    ladders = []
    for key, texts in zip(keys, cells.categories, strict=True):
        rungs = argus_groups(key, np.array([int(text) for text in texts]))
        groups = [np.unique(each, return_inverse=True)[1] + 1 for each in rungs]
        ladders.append(Ladder(key=key, rungs=tuple(np.append(0, each) for each in groups)))
    demand = Demand(keys=15, criterion=Criterion(above=0.01))
    rates = loss_rates(cells)
    asked = PlanProblem(cells=cells, ladders=tuple(ladders), demands=(demand,), rates=rates)
    found, seconds = search(asked, None)
    tell("mu-ARGUS demo", found, seconds, "loss at most 15.0 %")
    lattice = Lattice(asked)
    alone, worked = (lattice.price(node).loss for node in ((0, 0, 0, 0), (2, 0, 2, 0)))
    print(f"  suppression alone {alone:.1%}, Region.grc and Age.grc with suppression {worked:.1%}")


PARTS = {"demo": demo, "large": large, "frontier": frontier, "wide": wide, "homes": homes, "growth": growth, "adult": adult, "argus": argus}  # fmt: skip  # noqa: E501


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    for part in given.parts or PARTS:
        PARTS[part](HOUSEHOLDS // 10 if given.quick else HOUSEHOLDS)


if __name__ == "__main__":
    main()
