"""Taking a step that changes whole variables, and refusing what would spoil a scenario."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from microsafe.engine import Engine
from microsafe.engine.rules import Transformation
from microsafe.errors import UsageError
from microsafe.scenario import Scenario
from microsafe.steps.coding import renumbering, rounding, tail_coding
from microsafe.steps.kinds import BottomCode, Change, Drop, Recode, Renumber, TopCode
from microsafe.steps.recode import recoding


def changed(
    engine: Engine, scenarios: Sequence[Scenario], step: Change | Drop
) -> tuple[Engine, tuple[Scenario, ...]]:
    """Take a step: return the engine that shows it, and the scenarios that hold from then on.

    Raises:
        UsageError: A scenario needs the variable as it is, or the step does not suit it.
    """
    if isinstance(step, Drop):
        return _dropped(engine, scenarios, step)
    before = engine.schema[step.variable]
    _refuse(scenarios, step)
    if before.kind == "other":
        raise UsageError(
            f"{before.name!r} holds lists or other compound values, which have no codes. Drop it."
        )
    return engine.transform_variable(transformation(engine, step)), tuple(scenarios)


def transformation(engine: Engine, step: Change) -> Transformation:
    """Work out what a step does to its variable as the engine has it."""
    before = engine.schema[step.variable]
    if isinstance(step, Renumber):
        return renumbering(step, before)
    values = engine.values(step.variable)
    if isinstance(step, Recode):
        return recoding(step, before, values)
    if isinstance(step, TopCode | BottomCode):
        return tail_coding(step, before, values)
    return rounding(step, before, values)


def _refuse(scenarios: Sequence[Scenario], step: Change) -> None:
    """Weights are the design's, and households are who lives together."""
    for scenario in scenarios:
        if step.variable == scenario.weight:
            raise UsageError(
                f"{step.variable!r} is the weight of scenario {scenario.name!r} and cannot be "
                "changed. Name another variable."
            )
        if step.variable == scenario.household and not isinstance(step, Renumber):
            raise UsageError(
                f"{step.variable!r} is the household of scenario {scenario.name!r}, and changing "
                "it would mix households. Renumber it instead."
            )


def _dropped(
    engine: Engine, scenarios: Sequence[Scenario], step: Drop
) -> tuple[Engine, tuple[Scenario, ...]]:
    gone = {engine.schema[name].name for name in step.variables}
    if len(gone) == len(engine.schema.variables):
        raise UsageError("No variable would be left. Keep at least one.")
    left = []
    for scenario in scenarios:
        needed = [name for name in scenario.variables if name in gone]
        keys = tuple(key for key in scenario.keys if key not in gone)
        if needed and not step.from_keys:
            raise UsageError(
                f"{needed[0]!r} is used by scenario {scenario.name!r}. Keep it, or take it out of "
                "the keys too (from_keys=True)."
            )
        for name in needed:
            if name not in scenario.keys:
                raise UsageError(
                    f"{name!r} is the weight or household of scenario {scenario.name!r}. Keep it."
                )
        if not keys:
            raise UsageError(f"No key of scenario {scenario.name!r} would be left. Keep one.")
        left.append(replace(scenario, keys=keys))
    return engine.drop_variables(gone), tuple(left)
