"""What scenarios ask of records, as demands on cells."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeVar

import numpy as np

from microsafe.engine import Engine, Households
from microsafe.errors import UsageError, did_you_mean
from microsafe.options.scenario import Scenario
from microsafe.risk import (
    KeptKeys,
    Reference,
    hazard,
    household_risk,
    measure,
    member_limit,
)
from microsafe.risk.record.retention import restrict_keys
from microsafe.steps.perturbation import PerturbationState
from microsafe.steps.suppress.criterion import KeySetDemand, SafetyCriterion

_N = TypeVar("_N", int, float)


def as_perturbed(
    demand: KeySetDemand, scenario: Scenario, union: Sequence[str], kept: KeptKeys | None
) -> Iterator[KeySetDemand]:
    """The demand, and the same of fewer keys where an intruder may leave out perturbed ones."""
    asks = demand.limits is not None or demand.criterion.above is not None
    if kept is None or not asks:
        yield demand
        return
    yield replace(demand, kept=kept)
    criterion = replace(demand.criterion, k=None, people=None)
    for keys in kept.fewer_keys(scenario.keys):
        yield replace(demand, keys=key_bits(union, keys), criterion=criterion, kept=kept)


def combine_levels(keys: Sequence[str], levels: Mapping[str, int]) -> list[tuple[str, ...]]:
    """Return the sets of keys that identification levels ask for, as mu-ARGUS does.

    One key of level 1, one of level at most 2, and so on.

    Raises:
        UsageError: A level is below 1 or of no key, or no set of keys has these levels.
    """
    for name, level in levels.items():
        if name not in keys:
            raise UsageError(f"{name!r} is not a key, so it cannot have an identification level.")
        if level < 1:
            raise UsageError("Identification levels are 1, 2, 3 and so on.")
    deepest = max(levels.values())
    choices = [
        [key for key in keys if levels.get(key, deepest + 1) <= level]
        for level in range(1, deepest + 1)
    ]
    sets = {frozenset(each) for each in product(*choices) if len(set(each)) == deepest}
    if not sets:
        raise UsageError("No combination of keys has these identification levels.")
    return sorted(tuple(key for key in keys if key in each) for each in sets)


def household_demand(
    engine: Engine,
    scenario: Scenario,
    together: Scenario,
    limit: float,
    reference: Reference | None,
    known: PerturbationState | None,
) -> tuple[KeySetDemand, Households]:
    """Limits for the members of unsafe households, so low that all together keep the limit.

    A household of n members is safe if none has a risk above 1 - (1 - limit)^(1/n).
    """
    if scenario.household is None:
        raise UsageError("Household risk needs a scenario that names the household variable.")
    # Blanks elsewhere may leave fewer keys that can be wrong, so errors protect nobody for sure.
    certain = replace(scenario, error={})
    asked, kept = scenario, None
    if known is not None and known.find_perturbed(scenario.keys):
        asked = scenario.with_keys(known.with_classes(scenario.keys))
        kept = known.kept_keys(engine.cells(asked), scenario.keys)
    cells = engine.cells(asked)
    cells = cells if kept is None else restrict_keys(cells, scenario.keys)
    risk = measure(cells, certain, reference=reference, kept=kept).risk
    found = engine.households(asked, hazard(risk))
    each = member_limit(limit, found.size)
    unsafe = household_risk(found.total) > limit
    criterion = criterion_of(scenario, limit, None, records=engine.rows())
    lowest = np.where(unsafe, each / criterion.factor, np.inf)
    limits = engine.find_lowest(together, lowest, homes=asked)
    demand = KeySetDemand(
        keys=key_bits(together.keys, scenario.keys), criterion=criterion, limits=limits
    )
    return demand, found


def key_bits(keys: Sequence[str], some: Collection[str]) -> int:
    """Return a set of keys as bits: bit j stands for key j."""
    return sum(1 << place for place, key in enumerate(keys) if key in some)


def criterion_of(
    scenario: Scenario,
    above: float | None,
    k: int | None,
    *,
    records: int,
    people: bool = False,
) -> SafetyCriterion:
    """Return what records must meet under a scenario.

    The attack models "ratio" and "weight" are taken as certain attack, and keys as recorded
    without error: that bounds them.
    """
    share = 1.0 / records if scenario.attack == "random" else 1.0
    if people:
        return SafetyCriterion(above=above, people=k, factor=scenario.factor * share)
    return SafetyCriterion(above=above, k=k, factor=scenario.factor * share)


def find_household_limits(
    given: float | Mapping[str, float] | None, scenarios: Sequence[Scenario]
) -> dict[str, float]:
    """Return the limits on household risk, by scenario that has one."""
    found = {scenario.name: find_limit(given, scenario.name, scenarios) for scenario in scenarios}
    return {name: limit for name, limit in found.items() if limit is not None}


def find_limit(
    given: _N | Mapping[str, _N] | None, name: str, scenarios: Sequence[Scenario]
) -> _N | None:
    """Return the limit or count for one scenario, where it may be the same for all."""
    if not isinstance(given, Mapping):
        return given
    known = [scenario.name for scenario in scenarios]
    for word in given:
        if word not in known:
            raise UsageError(f"There is no scenario {word!r} to meet.{did_you_mean(word, known)}")
    return given.get(name)


def cost_of_members(
    engine: Engine,
    scenarios: Sequence[Scenario],
    constant: Mapping[str, tuple[str, ...]],
    costs: Sequence[float],
    union: Sequence[str],
) -> list[float]:
    """Costs of keys: what all members share is lost as often as a household has members."""
    members = dict.fromkeys(union, 1.0)
    for scenario in scenarios:
        shared = constant.get(scenario.household or "", ())
        if shared:
            nothing = np.zeros(len(engine.cells(scenario)))
            size = float(np.mean(engine.households(scenario, nothing).size))
            members |= {key: max(members[key], size) for key in shared}
    return [cost * members[key] for key, cost in zip(union, costs, strict=True)]
