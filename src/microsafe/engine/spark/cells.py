"""Count cells and households in Spark on first use, and cache them.

They rest on keys, weight and household, and are let go as soon as one of these changes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import polars as pl

from microsafe.engine.spark.cell_profile import CellProfile, count_pairs
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.households import MemberRows, SparkHouseholdIndex
from microsafe.engine.spark.rows import fetch
from microsafe.engine.spark.stacked_variables import KEY, stack_values
from microsafe.engine.spark.tally import (
    CellTally,
    count_combinations,
    group_combinations,
    tally_cells,
)
from microsafe.engine.spark.weights import refuse_faulty
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_STAGE = "counting cells"

Label = tuple[Any, ...]  # keys and the weight or household first
Values = Callable[[str], pl.Series]  # distinct values of a variable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SparkCells:
    """What was counted so far, by what it rests on.

    Attributes:
        most: Combinations of keys or households that may come here.
        tallies: Cells that came here.
        profiles: Cells that were too many to come here.
        homes: Households.
        members: Cells of the members of households that came here.
    """

    most: int
    tallies: dict[Label, CellTally] = field(default_factory=dict)
    profiles: dict[Label, CellProfile] = field(default_factory=dict)
    homes: dict[Label, SparkHouseholdIndex] = field(default_factory=dict)
    members: dict[Label, MemberRows] = field(default_factory=dict)

    def tally(
        self, data: Data, scenario: Scenario, values: Values, progress: Progress
    ) -> CellTally:
        """One pass over keys and weight, one shuffle of combinations.

        Args:
            data: The records.
            scenario: Gives keys and weight.
            values: Tells the distinct values of a variable, blanks or not.
            progress: Progress callback.
        """
        label = cell_label(scenario)
        if label not in self.tallies:
            progress(_STAGE, 0.0)
            self.tallies[label] = _count_tally(data, scenario, values, self.most, progress)
            progress(_STAGE, 1.0)
        return self.tallies[label]

    def profile(self, data: Data, scenario: Scenario, progress: Progress) -> CellProfile:
        """Count and weigh cells that are too many to come here (see `engine.spark.cell_profile`).

        One pass over keys and weight, two shuffles.
        """
        label = cell_label(scenario)
        if label not in self.profiles:
            progress(_STAGE, 0.0)
            tell = partial(progress, _STAGE)
            profile = count_pairs(data, scenario, most=self.most, tell=tell)
            if profile.faulty:
                _refuse_weights(_with_raw_weight(data, scenario), data, scenario)
            self.profiles[label] = profile
            progress(_STAGE, 1.0)
        return self.profiles[label]

    def tally_single_keys(
        self, data: Data, scenarios: Sequence[Scenario], values: Values, progress: Progress
    ) -> None:
        """Count the categories of keys that each are all of a scenario, in one pass.

        Weights that cannot be used, and more categories than may come here, are left to `tally`.
        """
        new = {cell_label(scenario): scenario for scenario in scenarios}
        for weighting in dict.fromkeys(
            (scenario.weight, scenario.clip_weights) for scenario in new.values()
        ):
            alike = {
                label: scenario
                for label, scenario in new.items()
                if (scenario.weight, scenario.clip_weights) == weighting
                and len(scenario.keys) == 1
                and scenario.attack != "weight"
                and label not in self.tallies
            }
            if len(alike) > 1:
                progress(_STAGE, 0.0)
                tallies = _count_single_keys(data, alike, values, self.most, progress)
                self.tallies.update(tallies)
                progress(_STAGE, 1.0)

    def without(self, touched: Collection[str]) -> SparkCells:
        """Return what does not rest on variables that are touched."""
        changed = set(touched)

        def keep(label: Label) -> bool:
            return not {*label[0], label[1]} & changed

        return SparkCells(
            most=self.most,
            tallies={label: tally for label, tally in self.tallies.items() if keep(label)},
            profiles={label: profile for label, profile in self.profiles.items() if keep(label)},
            homes={label: index for label, index in self.homes.items() if keep(label)},
            members={label: rows for label, rows in self.members.items() if keep(label)},
        )


def cell_label(scenario: Scenario) -> Label:
    """Return what cells rest on."""
    split = scenario.attack == "weight"
    return (scenario.keys, scenario.weight, scenario.clip_weights, split)


def household_label(scenario: Scenario) -> Label:
    """Return what households rest on: those without an id are known by their cells."""
    keys, *cells = cell_label(scenario)
    return (keys, scenario.household, *cells)


def _count_tally(
    data: Data, scenario: Scenario, values: Values, most: int, progress: Progress
) -> CellTally:
    split = scenario.attack == "weight"
    for key in scenario.keys:
        data.refuse_compound(key)
    known = _blanked_values(data, scenario.keys, values)
    frame = _with_raw_weight(data, scenario)
    combinations = count_combinations(
        frame, split=split, source=data.schema.source, most=most, tell=partial(progress, _STAGE)
    )
    tally = tally_cells(combinations, data.schema, scenario.keys, known, split=split)
    if tally.faulty:
        _refuse_weights(frame, data, scenario)
    return tally


def _count_single_keys(
    data: Data,
    scenarios: Mapping[Label, Scenario],
    values: Values,
    most: int,
    progress: Progress,
) -> dict[Label, CellTally]:
    keys = tuple(key for scenario in scenarios.values() for key in scenario.keys)
    for key in keys:
        data.refuse_compound(key)
    first = next(iter(scenarios.values()))
    frame = data.frame(*keys, *([first.weight] if first.weight else []))
    weights = data.weights(first, raw=True)
    columns = {key: data.categories(key) for key in keys}
    stack = stack_values(frame.withColumns(weights), columns, list(weights))
    counts = group_combinations(stack.frame, KEY)
    counted = fetch(counts, data.schema.source, most=most + 1, tell=partial(progress, _STAGE))
    if not 0 < len(counted) <= most:
        return {}
    parts, known = stack.split(counted), _blanked_values(data, keys, values)
    tallies = {
        label: tally_cells(
            parts[key].rename({"v": "k0"}), data.schema, scenario.keys, known, split=False
        )
        for (label, scenario), key in zip(scenarios.items(), keys, strict=True)
    }
    return {label: tally for label, tally in tallies.items() if not tally.faulty}


def _blanked_values(data: Data, keys: Sequence[str], values: Values) -> dict[str, pl.Series]:
    """Distinct values of keys of which some are blank: what was blanked stays a category."""
    # Decimals are numbers to rules but text to cells.
    return {
        key: values(key)
        for key in keys
        if data.refs[key].blank is not None and data.refs[key].dtype.typeName() != "decimal"
    }


def _with_raw_weight(data: Data, scenario: Scenario) -> DataFrame:
    return data.add_keys(data.rows.frame(data.needs(scenario)), scenario, raw=True)


def _refuse_weights(frame: DataFrame, data: Data, scenario: Scenario) -> None:
    where = f"Weight {scenario.weight!r} of {data.schema.source}"
    refuse_faulty(frame, "raw", where, clip=scenario.clip_weights)
