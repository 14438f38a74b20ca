"""Blanks that members of a household get jointly: from cells by household to records."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.engine import Engine
from microsafe.errors import UsageError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress
from microsafe.risk import hazard
from microsafe.risk.record.reference import MatchingPeople
from microsafe.risk.record.subset_frequencies import Masks, Subsets
from microsafe.steps.suppress.blanks import CellBlanks
from microsafe.steps.suppress.criterion import KeySetDemand
from microsafe.steps.suppress.demands import criterion_of, key_bits
from microsafe.steps.suppress.household_search import (
    HouseholdMembers,
    cheapest_joint,
    cheapest_shared,
    most_hazard,
    sum_homes,
)
from microsafe.steps.suppress.own_guarantee import find_unsafe
from microsafe.steps.suppress.priced_blanks import price_values
from microsafe.sums import Floats


def by_household(
    scenarios: Sequence[Scenario], together: Scenario, limits: Mapping[str, float]
) -> Scenario:
    """Return the scenario whose cells tell households apart.

    Raises:
        UsageError: There is not one kind of household, or a scenario to judge it by has none; or
            limits on household risk differ.
    """
    if len(set(limits.values())) > 1:
        raise UsageError(
            "Joint blanks need one limit on household risk for all scenarios that have one: give "
            "one limit, or leave out joint."
        )
    homes = {
        scenario.household
        for scenario in scenarios
        if scenario.household or scenario.name in limits
    }
    if len(homes) != 1 or None in homes:
        raise UsageError(
            "Joint blanks need one household variable, and with a limit on household risk all "
            "scenarios must name it: choose scenarios that do (scenarios=), or leave out joint."
        )
    return replace(together, keys=(*together.keys, *filter(None, homes)), household=None)


def find_joint_blanks(
    engine: Engine,
    scenarios: Sequence[Scenario],
    wide: Scenario,
    demands: Sequence[KeySetDemand],
    *,
    limits: Mapping[str, float],
    costs: Sequence[float],
    by_value: bool,
    spared: Collection[str],
    shared: Collection[str],
    crowds: Mapping[str, MatchingPeople | None],
    progress: Progress,
) -> CellBlanks:
    """Return the cheapest joint blanks, by cells that tell households apart.

    Args:
        engine: The data.
        scenarios: Whose risk households are judged by, each that has a limit for itself.
        wide: As `by_household` gave it.
        demands: What records must meet.
        limits: On household risk, by scenario: one number for all that have one.
        costs: Of blanking each key.
        by_value: Whether they are for each bit of the value.
        spared: Keys that must not be blanked.
        shared: Keys that are blanked in all members or in none.
        crowds: By scenario, those who share what each cell shows, if its risk is by a model.
        progress: Progress callback.
    """
    apart = engine.cells(wide, progress=progress)
    cells, cell_of = apart.project(apart.keys[:-1])
    subsets = Subsets(cells)
    views = [
        KeySetDemand(
            keys=key_bits(cells.keys, scenario.keys),
            criterion=criterion_of(scenario, 1.0, None, records=engine.rows()),
            crowd=crowds[scenario.name],
        )
        for scenario in scenarios
        if scenario.name in limits
    ]

    def see(view: KeySetDemand, dropped: int, rows: Index) -> Floats:
        keys = view.keys & ~dropped
        f, F = view.count(subsets, rows, keys)
        known = F if cells.complete else None  # where nothing is missing, all who match agree
        risk = view.risk(rows, keys, f, F, known=known)
        return hazard(np.minimum(view.criterion.factor * risk, 1.0))

    def hazards(dropped: int, rows: Index) -> Floats:
        found = np.zeros((1, len(rows)))
        if views:
            found = np.stack([see(view, dropped, rows) for view in views])
        return np.where(find_unsafe(subsets, rows, dropped, demands), np.inf, found)

    everybody, place = _find_members(apart, cell_of)
    alone = hazards(0, np.arange(len(cells)))[:, everybody.row]
    most = most_hazard(next(iter(limits.values()), None))
    members, some = everybody.restrict(np.any(sum_homes(everybody, alone) > most, axis=0))
    prices = _prices(cells, costs, by_value=by_value)
    together = key_bits(cells.keys, shared)
    allowed = (1 << len(cells.keys)) - 1 & ~key_bits(cells.keys, spared)
    if views:
        keys, price = cheapest_joint(
            prices, hazards, members, shared=together, allowed=allowed, most=most
        )
    else:
        certain = [demand for demand in demands if demand.monotone]
        keys, price = cheapest_shared(
            prices,
            lambda dropped, rows: ~find_unsafe(subsets, rows, dropped, demands),
            lambda dropped, rows: ~find_unsafe(subsets, rows, dropped, certain),
            members,
            shared=together,
            allowed=allowed,
        )
    stuck = np.unique(place[some][np.isinf(price)[members.household]])
    return _collect(place[some], keys & subsets.shown[members.row], stuck)


def _find_members(apart: Cells, cell_of: Index) -> tuple[HouseholdMembers, Index]:
    """Return every record as a member of a household, and which row of the cells it is from."""
    place = np.repeat(np.arange(len(apart)), apart.count)
    home = apart.codes[-1][place].astype(np.int64)
    nowhere = np.flatnonzero(home == 0)  # a household of one each
    home[nowhere] = int(home.max(initial=0)) + 1 + np.arange(len(nowhere))
    order = np.argsort(home, kind="stable")
    number = np.unique(home[order], return_inverse=True)[1].reshape(-1)
    return HouseholdMembers(household=number, row=cell_of[place[order]]), place[order]


def _prices(cells: Cells, costs: Sequence[float], *, by_value: bool) -> Floats:
    if by_value:
        return price_values(cells.codes, cells.count, costs)
    return np.stack(
        [np.where(code > 0, cost, np.inf) for code, cost in zip(cells.codes, costs, strict=True)]
    )


def _collect(place: Index, keys: Masks, stuck: NDArray[np.intp]) -> CellBlanks:
    """Put records of the same cell and blanks together."""
    blanked = np.flatnonzero(keys)
    pairs = np.stack([place[blanked], keys[blanked]])
    distinct, count = np.unique(pairs, axis=1, return_counts=True)
    return CellBlanks(cell=distinct[0], keys=distinct[1], count=count.astype(np.int64), stuck=stuck)
