"""The guarantee `view` in a file: from what scenarios ask for to blanks of its cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from microsafe.cells import Cells
from microsafe.errors import UsageError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.risk.record.reference import ExpectedPeople
from microsafe.risk.record.subset_frequencies import Masks, Subsets
from microsafe.steps.suppress.blanks import CellBlanks
from microsafe.steps.suppress.criterion import KeySetDemand
from microsafe.steps.suppress.demands import key_bits
from microsafe.steps.suppress.key_sets import Afford, no_limit
from microsafe.steps.suppress.own_guarantee import find_unsafe
from microsafe.steps.suppress.view.household_views import find_household_views
from microsafe.steps.suppress.view.pools import find_views
from microsafe.steps.suppress.view.table import Crowding, PeopleTable, list_combinations
from microsafe.steps.suppress.view.treatment import Treatment

Asked = Mapping[str, tuple[Scenario, KeySetDemand]]


def blank_view(
    cells: Cells,
    asked: Asked,
    *,
    costs: Sequence[float],
    spared: int = 0,
    shared: Mapping[str, Sequence[str]] | None = None,
    seed: int = 0,
    afford: Afford = no_limit,
    afford_combinations: Callable[[int], None] = no_limit,
    progress: Progress = silent,
) -> tuple[CellBlanks, dict[str, Treatment]]:
    """Blank keys so that enough people would be blanked in the same way.

    Scenarios with other keys are met one by one, and a record gets the blanks of all of them.

    Args:
        cells: Cells of all keys of all scenarios.
        asked: What scenarios ask for, by name.
        costs: Of blanking each key.
        spared: Keys that must not be blanked.
        shared: Keys that all members of a household have in common, by household variable.
        seed: Of people who are drawn from the model where it has too many combinations of keys.
        afford: Told how many sets of keys have to be remembered; may refuse so many.
        afford_combinations: Told how many combinations of keys are gone through; may refuse.
        progress: Progress callback.

    Returns:
        The blanks, and how each combination of keys is treated, by scenario.
    """
    subsets = Subsets(cells)
    masks, stuck = np.zeros(len(cells), np.int64), np.zeros(len(cells), np.bool_)
    treatments: dict[str, Treatment] = {}
    for names in _group_alike(asked):
        scenario, demands = asked[names[0]][0], [asked[name][1] for name in names]
        model = _find_model(demands)
        keys = scenario.keys if model is None else model.keys
        part, part_of = cells.project(keys)
        if model is not None:
            part = part.coded_as(_first_reference(demands))
        table = list_combinations(
            part, model, seed=seed, afford=afford_combinations, progress=progress
        )
        crowding = Crowding(
            criteria=tuple(demand.criterion for demand in demands),
            model=model,
            mean_weight=table.mean_weight,
        )
        _refuse_few_people(names, table, crowding)
        row = table.find(part.codes)[part_of]
        unsafe = crowding.unsafe(table.f, table.weight, table.people)
        unsafe[row] = find_unsafe(subsets, np.arange(len(cells)), 0, demands)
        free = [key for j, key in enumerate(cells.keys) if not spared >> j & 1]
        common = key_bits(keys, (shared or {}).get(scenario.household or "", ()))
        find = partial(find_household_views, shared=common) if common else find_views
        found = find(
            table,
            crowding,
            unsafe,
            costs=[costs[cells.keys.index(key)] for key in keys],
            allowed=key_bits(keys, free),
            afford=afford,
            progress=progress,
        )
        treatment = Treatment(table=table, crowding=crowding, masks=found)
        treatments |= dict.fromkeys(names, treatment)
        masks |= _place_keys(found[row], keys, cells.keys)
        stuck |= treatment.find_unsafe(unsafe)[row]
    masks &= subsets.shown
    return CellBlanks.whole(cells, masks, np.flatnonzero(stuck)), treatments


def _refuse_few_people(names: Sequence[str], table: PeopleTable, crowding: Crowding) -> None:
    """Refuse a limit that all people together do not meet: no view could."""
    f, weight, people = table.sums(np.zeros(len(table), np.intp), 1)
    if crowding.unsafe(f, weight, people).any():
        raise UsageError(
            f"Scenario {names[0]!r}: all {f[0]:,.0f} records together, which stand for about "
            f"{weight[0]:,.0f} people, are too few for this limit, so no view can meet it. Raise "
            "the limit."
        )


def _group_alike(asked: Asked) -> list[list[str]]:
    """Put scenarios together whose combinations of keys and people are the same."""
    groups: dict[object, list[str]] = {}
    for name, (scenario, demand) in asked.items():
        by_model = demand.crowd is not None and demand.criterion.above is not None
        kind = frozenset(scenario.keys), scenario.household, by_model
        groups.setdefault(kind, []).append(name)
    return list(groups.values())


def _find_model(demands: Sequence[KeySetDemand]) -> ExpectedPeople | None:
    """Return the model that risk is looked up in; a count of records needs none."""
    crowds = [demand.crowd for demand in demands if demand.criterion.above is not None]
    return crowds[0].reference.model if crowds and crowds[0] is not None else None


def _first_reference(demands: Sequence[KeySetDemand]) -> Cells:
    return next(demand.crowd.reference.cells for demand in demands if demand.crowd is not None)


def _place_keys(masks: Masks, keys: Sequence[str], among: Sequence[str]) -> Masks:
    """Return sets of keys as sets among other keys."""
    placed = np.zeros(len(masks), np.int64)
    for j, key in enumerate(keys):
        placed |= (masks >> j & 1) << among.index(key)
    return placed
