"""Detect rows that may belong to one person."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from microsafe.engine.contract import Engine
from microsafe.errors import InputError
from microsafe.notices import Notice, make_notice
from microsafe.options.scenario import Scenario
from microsafe.variables.roles import named_role

WAVE_NAMES = ("wave", "round", "year")
_REPEATED = 0.05  # of the records: fewer are slips of whoever gave the numbers
_ROWS_OF_A_PERSON = 10  # at most; what repeats more often identifies a school or a firm
_FEW_ALONE = 0.5  # of the records that a model expects to be alone with their keys
_ENOUGH = 30  # of them
_MOST_WAVES = 60
_MOST_RECORDS = 12  # of a person in a panel; more are events


def repeated_rows(
    engine: Engine, scenario: Scenario, uniques: tuple[int, float] = (0, 0.0)
) -> tuple[Notice, ...]:
    """Say what makes it likely that several records belong to one person.

    Args:
        engine: The file as read.
        scenario: Whose keys are meant.
        uniques: Records that are alone with their keys, and how many a model expects.
    """
    alone, expected = uniques
    found = [*_find_identifier(engine, scenario), *_find_wave(engine, scenario)]
    if expected >= _ENOUGH and alone < _FEW_ALONE * expected:
        found.append(make_notice("rows-seem-repeated", count=alone, expected=expected))
    return tuple(found)


def find_wave_names(engine: Engine, scenario: Scenario) -> list[str]:
    """Return the variables that are called as waves are, and are nothing else in a scenario."""
    used = {*scenario.keys, scenario.weight, scenario.household}
    return [v.name for v in engine.schema if v.name.lower() in WAVE_NAMES and v.name not in used]


def find_panel(engine: Engine) -> tuple[str, str | None] | None:
    """Return the variables that seem to be person and wave; None if no identifier repeats.

    An identifier with a wave comes before others, such as a telephone of several people. The wave
    is called so, and has one record of a person at most; None if none is.
    """
    alone = None
    for name, _, _, most in _go_through_repeated(engine, set()):
        if most > _MOST_RECORDS:
            continue
        if wave := _find_wave_of(engine, name):
            return name, wave
        alone = alone or name
    return None if alone is None else (alone, None)


def _find_wave_of(engine: Engine, person: str) -> str | None:
    """Return what is called as waves are and has one record of a person at most, if anything is."""
    for wave in (v.name for v in engine.schema if v.name.lower() in WAVE_NAMES):
        try:
            cells = engine.cells(Scenario(keys=(person, wave)))
        except InputError:  # too many to look at
            continue
        if bool(np.all(cells.count == 1)) and cells.complete:
            return wave
    return None


def _find_identifier(engine: Engine, scenario: Scenario) -> tuple[Notice, ...]:
    """Say which identifier repeats."""
    used = {*scenario.keys, scenario.weight, scenario.household}
    found = next(_go_through_repeated(engine, used), None)
    if found is None:
        return ()
    name, values, records, _ = found
    return (make_notice("file-rows-repeat", name=name, categories=values, records=records),)


def _go_through_repeated(
    engine: Engine, used: Collection[str | None]
) -> Iterator[tuple[str, int, int, int]]:
    """Go through identifiers that repeat: values, records, and most records of one."""
    for variable in engine.schema:
        named = named_role(variable) == "identifier"  # by its metadata or its name
        if not named or variable.name in used:
            continue
        alone = Scenario(keys=(variable.name,))
        try:
            cells = engine.cells(alone)
        except InputError:  # too many values to look at: then nothing can be said
            continue
        known = cells.codes[0] > 0
        values, records = int(np.count_nonzero(known)), int(cells.count[known].sum())
        repeated = int(cells.count[known & (cells.count > 1)].sum())
        if records / _ROWS_OF_A_PERSON <= values and repeated >= max(_REPEATED * records, 1):
            yield variable.name, values, records, int(cells.count[known].max())


def _find_wave(engine: Engine, scenario: Scenario) -> tuple[Notice, ...]:
    """Say which variable tells waves apart by its name."""
    for name in find_wave_names(engine, scenario):
        try:
            waves = len(engine.cells(Scenario(keys=(name,))))
        except InputError:  # too many values, or none
            continue
        if 1 < waves <= _MOST_WAVES:
            return (make_notice("waves-in-file", name=name, count=waves),)
    return ()
