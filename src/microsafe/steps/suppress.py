"""Taking a suppression step: from scenarios to demands on cells, and from blanks to records."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import TypeVar

import numpy as np

from microsafe.engine import Engine, Households, SampleSize
from microsafe.errors import UsageError, did_you_mean
from microsafe.progress import Progress
from microsafe.risk import hazard, household_risk, measure
from microsafe.scenario import Scenario
from microsafe.steps.kinds import Step, Suppress
from microsafe.steps.suppression import (
    Blanks,
    Criterion,
    Demand,
    cost_of_keys,
    leaning,
    own,
    shared,
    strict,
)

_EXAMPLES = 5
_N = TypeVar("_N", int, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A step that was taken, and what it did.

    Attributes:
        step: What was asked for.
        blanks: Values blanked, by key; none unless the step suppresses.
        records: Records in which something was blanked.
        stuck: Records that stay unsafe, because of keys that were to be spared.
        examples: Numbers of the first of them in the file, from 1.
        leaning: Records that are safe only through others' blanks (guarantee "shared").
        readable: Keys blanked in some members of a household only, while all members share
            the value: whoever sees who lives together reads it off the others.
        drawn: How large a sample is and what it was drawn from; None for other steps.
    """

    step: Step
    blanks: Mapping[str, int] = field(default_factory=dict)
    records: int = 0
    stuck: int = 0
    examples: tuple[int, ...] = ()
    leaning: int = 0
    readable: tuple[str, ...] = ()
    drawn: SampleSize | None = None

    @property
    def total(self) -> int:
        """Values blanked in all."""
        return sum(self.blanks.values())


def suppressed(
    engine: Engine, scenarios: Sequence[Scenario], step: Suppress, progress: Progress
) -> tuple[Engine, Done]:
    """Blank keys so that all scenarios are met together."""
    first = scenarios[0]
    for scenario in scenarios:
        if scenario.weight != first.weight or scenario.low_weights != first.low_weights:
            raise UsageError("Scenarios that are met together must share one sampling weight.")
    union = tuple(dict.fromkeys(key for scenario in scenarios for key in scenario.keys))
    _check_linked(engine, scenarios, union, step)
    # Where blanks are shared, records of different weight are dealt with one by one.
    by_weight = step.guarantee == "shared" and first.weight is not None
    together = replace(first, keys=union, attack="weight" if by_weight else "all")
    made, stuck, leaners = engine, 0, 0
    examples: tuple[int, ...] = ()
    while True:
        start = made
        blanks, demands, constant = _found(start, scenarios, together, step, progress)
        made = start.blank_keys(
            together, blanks.cell, blanks.keys, blanks.count, linked=step.linked, together=constant
        )
        cells = start.cells(together)
        stuck = int(cells.count[blanks.stuck].sum())
        examples = tuple(start.find_records(together, blanks.stuck, most=_EXAMPLES))
        if step.guarantee == "shared":
            leaners = leaning(cells, demands, blanks)
        # Blanks that spread to members of a household or to linked keys may leave others alone
        # with what they show; only strict minds, so it looks again until nothing changes.
        spreads = bool(constant) or any(set(names) & set(union) for names in step.linked.values())
        if step.guarantee != "strict" or not spreads or not len(blanks.cell):
            break
    before, after = engine.count_blanks(), made.count_blanks()
    lost = {key: after.get(key, 0) - before.get(key, 0) for key in union}
    told = first.household is not None and step.household is None
    return made, Done(
        step=step,
        blanks=lost,
        records=made.count_changed_records(engine),
        stuck=stuck,
        examples=examples,
        leaning=leaners,
        readable=tuple(key for key in engine.find_constant_keys(together) if lost[key])
        if told
        else (),
    )


def _found(
    engine: Engine,
    scenarios: Sequence[Scenario],
    together: Scenario,
    step: Suppress,
    progress: Progress,
) -> tuple[Blanks, list[Demand], tuple[str, ...]]:
    """Blanks for the data as they are, the demands they meet, and keys to blank by household."""
    union = together.keys
    cells = engine.cells(together, progress=progress)
    demands = [
        demand for each in scenarios for demand in _demands(engine, each, scenarios, union, step)
    ]
    spared, constant = set(step.spare), tuple[str, ...]()
    costs = cost_of_keys(cells, step.costs, step.spare)
    if step.household is not None:
        for scenario in scenarios:
            demand, households = _household_demand(engine, scenario, together, step.household)
            demands.append(demand)
            # Anybody can count the members of a household: blanking its size hides nothing.
            spared |= {households.size_key} if households.size_key else set()
        constant = engine.find_constant_keys(together)
        members = float(np.mean(households.size))
        costs = [
            cost * members if key in constant else cost
            for key, cost in zip(union, costs, strict=True)
        ]
    blanks = {"own": own, "strict": strict, "shared": shared}[step.guarantee](
        cells, demands, costs=costs, spared=_bits(union, spared), progress=progress
    )
    return blanks, demands, constant


def _demands(
    engine: Engine,
    scenario: Scenario,
    scenarios: Sequence[Scenario],
    union: Sequence[str],
    step: Suppress,
) -> Iterator[Demand]:
    """What must hold for a scenario: for all its keys at once, or for combinations of them."""
    above = _of(step.above, scenario.name, scenarios)
    k = _of(step.k, scenario.name, scenarios)
    if step.up_to is None and not step.levels:
        if above is None and k is None and step.household is not None:
            return
        criterion = criterion_of(scenario, above, k, records=engine.rows(), people=step.people)
        yield Demand(keys=_bits(union, scenario.keys), criterion=criterion)
        return
    if above is not None:
        criterion = criterion_of(scenario, above, None, records=engine.rows())
        yield Demand(keys=_bits(union, scenario.keys), criterion=criterion)
    if k is not None:
        rare = criterion_of(scenario, None, k, records=engine.rows(), people=step.people)
        for keys in _combinations(scenario.keys, step):
            yield Demand(keys=_bits(union, keys), criterion=rare, whole=True)


def _combinations(keys: Sequence[str], step: Suppress) -> list[tuple[str, ...]]:
    """The combinations of keys that must not be rare."""
    if step.up_to is not None:
        return [each for size in range(1, step.up_to + 1) for each in combinations(keys, size)]
    for name in step.levels:
        if name not in keys:
            raise UsageError(f"{name!r} is not a key, so it cannot have an identification level.")
    deepest = max(step.levels.values())
    choices = [
        [key for key in keys if step.levels.get(key, deepest + 1) <= level]
        for level in range(1, deepest + 1)
    ]
    sets = {frozenset(each) for each in product(*choices) if len(set(each)) == deepest}
    if not sets:
        raise UsageError("These identification levels make no combination of keys.")
    return sorted(tuple(key for key in keys if key in each) for each in sets)


def _household_demand(
    engine: Engine, scenario: Scenario, together: Scenario, limit: float
) -> tuple[Demand, Households]:
    """Limits for the members of unsafe households, so low that all together keep the limit.

    A household of n members is safe if none has a risk above 1 - (1 - limit)^(1/n).
    """
    if scenario.household is None:
        raise UsageError("Household risk needs a scenario that names the household variable.")
    risk = measure(engine.cells(scenario), scenario).risk
    found = engine.households(scenario, hazard(risk))
    each = -np.expm1(np.log1p(-min(limit, 1 - 1e-16)) / found.size)
    unsafe = household_risk(found.total) > limit
    criterion = criterion_of(scenario, limit, None, records=engine.rows())
    limits = engine.find_lowest(together, np.where(unsafe, each / criterion.factor, np.inf))
    demand = Demand(keys=_bits(together.keys, scenario.keys), criterion=criterion, limits=limits)
    return demand, found


def _check_linked(
    engine: Engine, scenarios: Sequence[Scenario], keys: Sequence[str], step: Suppress
) -> None:
    fixed = {name for each in scenarios for name in (each.weight, each.household) if name}
    for key, followers in step.linked.items():
        for name in (key, *followers):
            engine.schema[name]
            if name in fixed:
                raise UsageError(f"{name!r} is a weight or household and cannot be blanked.")
        if key not in keys:
            raise UsageError(f"{key!r} is not a key, so nothing can be linked to its blanks.")


def _bits(keys: Sequence[str], some: Collection[str]) -> int:
    return sum(1 << place for place, key in enumerate(keys) if key in some)


def criterion_of(
    scenario: Scenario,
    above: float | None,
    k: int | None,
    *,
    records: int,
    people: bool = False,
) -> Criterion:
    """Return what records must meet under a scenario.

    The attack models "ratio" and "weight" are taken as certain attack: that bounds them.
    """
    share = 1.0 / records if scenario.attack == "random" else 1.0
    if people:
        return Criterion(above=above, people=k, factor=scenario.factor * share)
    return Criterion(above=above, k=k, factor=scenario.factor * share)


def _of(wish: _N | Mapping[str, _N] | None, name: str, scenarios: Sequence[Scenario]) -> _N | None:
    """The wish for one scenario, where it may be the same for all."""
    if not isinstance(wish, Mapping):
        return wish
    known = [scenario.name for scenario in scenarios]
    for word in wish:
        if word not in known:
            raise UsageError(f"There is no scenario {word!r} to meet.{did_you_mean(word, known)}")
    return wish.get(name)
