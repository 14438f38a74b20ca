"""Persons with more keys than are compared at once: each wave by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from microsafe.cells import Index, number
from microsafe.options.scenario import Scenario
from microsafe.studies.person_table import PersonKey, PersonRecords

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.steps.suppress.step import Suppress

# Keys of persons by scenario of records and name of what it is of persons.
SplitKeys = Mapping[str, Mapping[str, tuple[str, ...]]]

MOST_TOGETHER = 16  # keys of a person that are compared at once


def split_keys(
    scenario: Scenario,
    columns: Sequence[PersonKey],
    records: PersonRecords,
    codes: Mapping[str, Index],
    taken: Collection[str],
) -> dict[str, tuple[str, ...]]:
    """Return the keys of persons by name of a scenario: all at once, or those of each wave.

    The first wave in the list has the name of the scenario: that in which most persons are alone
    with their keys.

    Args:
        scenario: Of records.
        columns: Keys as persons have them.
        records: Whose they are.
        codes: Of each key, by record.
        taken: Names of other scenarios.
    """
    mine = [column for key in scenario.keys for column in columns if column.key == key]
    waves = sorted({column.wave for column in mine if column.wave is not None})
    if len(mine) <= MOST_TOGETHER or not waves:
        return {scenario.name: tuple(column.name for column in mine)}
    shown = {wave: [c for c in mine if c.wave in (None, wave)] for wave in waves}
    alone = {wave: _count_alone(shown[wave], records, codes) for wave in waves}
    first = max(waves, key=lambda wave: (alone[wave], -wave))
    found = {scenario.name: tuple(column.name for column in shown[first])}
    for wave in waves:
        if wave == first:
            continue
        name = f"{scenario.name}@{records.waves[wave]}"
        while name in taken:
            name += "@"
        found[name] = tuple(column.name for column in shown[wave])
    return found


def _count_alone(
    columns: Sequence[PersonKey], records: PersonRecords, codes: Mapping[str, Index]
) -> int:
    """Count the persons whose keys in a wave nobody else has; who shows less is somebody else."""
    found = [column.find_codes(records, codes[column.key]) for column in columns]
    group, _ = number(found, [int(each.max()) for each in found], rows=records.persons)
    return int(np.count_nonzero(np.bincount(group) == 1))


def split_suppression(step: Suppress, split: SplitKeys) -> Iterator[Suppress]:
    """Go through the suppressions of persons that a suppression is.

    Under the guarantee `view` scenarios are met one by one anyway, and how people are treated must
    be known for all of them at once. Else those of single waves follow one upon another, as sets of
    all their keys together could not be searched.

    Args:
        step: Of persons, for scenarios by the names that records have for them.
        split: Keys of persons, by scenario of records and name of what it is of persons.
    """
    parts = {name: tuple(found) for name, found in split.items()}

    def restrict(limits: Any, names: Collection[str]) -> Any:
        if not isinstance(limits, Mapping):
            return limits
        found = {n: limit for name, limit in limits.items() for n in parts.get(name, (name,))}
        return {name: limit for name, limit in found.items() if name in names}

    asked = step.scenarios or tuple(split)
    spread_names = tuple(chain.from_iterable(parts.get(name, (name,)) for name in asked))
    if step.guarantee == "view" or len(spread_names) == len(asked):
        if len(spread_names) > len(asked):
            above, k = (restrict(each, spread_names) for each in (step.above, step.k))
            step = replace(step, scenarios=spread_names, above=above, k=k)
        yield step
        return
    keys = {name: set(those) for found in split.values() for name, those in found.items()}
    every = set[str]().union(*keys.values())
    joint = tuple(name for name in asked if len(parts[name]) == 1)
    alone = [(each,) for name in asked for each in parts[name] if len(parts[name]) > 1]
    for names in (joint, *alone) if joint else alone:
        there = set[str]().union(*(keys[name] for name in names))
        levels = {key: level for key, level in step.levels.items() if key in there}
        limits = {"above": restrict(step.above, names), "k": restrict(step.k, names)}
        if not any(limits.values()):
            continue  # not asked for anything here, but elsewhere
        part = step.forget_keys(every - there)
        yield replace(part, scenarios=names, levels=levels, **limits)
