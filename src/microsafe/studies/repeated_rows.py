"""Detect rows that may belong to one person."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np

from microsafe.engine.contract import Engine
from microsafe.errors import InputError
from microsafe.notices import Notice, make_notice
from microsafe.options.scenario import Scenario
from microsafe.schema import Schema
from microsafe.variables.roles import named_role
from microsafe.variables.vocabulary import Topic, says

WAVE_NAMES = ("wave", "round", "year")
_REPEATED = 0.05  # of the records: fewer are slips of whoever gave the numbers
_ROWS_OF_A_PERSON = 10  # at most; what repeats more often identifies a school or a firm
_FEW_ALONE = 0.5  # of the records that a model expects to be alone with their keys
_ENOUGH = 30  # of them
_MOST_WAVES = 60
_MOST_RECORDS = 12  # of a person in a panel; more are events
_FIXED: tuple[Topic, ...] = ("sex", "year of birth", "date of birth")  # what a person keeps
_CHANGED = 0.05  # of those who repeat: more are other people behind the same number
_ALIKE = 0.99  # of them: less may be any variable
_ENOUGH_REPEATED = 30  # values: that sex is the same in fewer may be chance


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
    identifier, found = _find_identifier(engine, scenario), [*_find_wave(engine, scenario)]
    if expected >= _ENOUGH and alone < _FEW_ALONE * expected:
        found.append(make_notice("rows-seem-repeated", count=alone, expected=expected))
    if found and not identifier:
        identifier = _find_unnamed(engine, scenario)
    return (*identifier, *found)


def find_fixed(schema: Schema) -> list[str]:
    """Return the variables that are called what a person keeps: sex and birth, of nobody else."""
    return [
        variable.name
        for variable in schema
        if not any(says(text, "somebody else") for text in (variable.name, variable.label))
        and any(says(text, topic) for text in (variable.name, variable.label) for topic in _FIXED)
    ]


def _measure_changes(engine: Engine, name: str, fixed: Collection[str]) -> tuple[int, float]:
    """Count values that repeat, and say in what share of them sex or birth changes most often."""
    cells = engine.cells(Scenario(keys=(name,)))
    known = cells.codes[0] > 0
    repeated = int(np.count_nonzero(known & (cells.count > 1)))
    most = 0
    for trait in fixed:
        both = engine.cells(Scenario(keys=(name, trait)))
        shown = (both.codes[0] > 0) & (both.codes[1] > 0)
        most = max(most, int(np.count_nonzero(np.bincount(both.codes[0][shown]) > 1)))
    return repeated, most / repeated if repeated else 0.0


def _find_unnamed(engine: Engine, scenario: Scenario) -> tuple[Notice, ...]:
    """Say which variable repeats while sex and birth never change in it, whatever it is called."""
    fixed = find_fixed(engine.schema)
    used = {*scenario.variables, *fixed}
    names = [v.name for v in engine.schema if v.kind in ("integer", "text") and v.name not in used]
    for name, values, records, _ in _go_through_repeated(engine, names) if fixed else ():
        try:
            repeated, changed = _measure_changes(engine, name, fixed)
        except InputError:  # too many to look at
            continue
        if repeated >= _ENOUGH_REPEATED and changed <= 1.0 - _ALIKE:
            return (make_notice("file-rows-repeat", name=name, categories=values, records=records),)
    return ()


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
    for name, _, _, most in _go_through_identifiers(engine, set()):
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
    found = next(_go_through_identifiers(engine, used), None)
    if found is None:
        return ()
    name, values, records, _ = found
    return (make_notice("file-rows-repeat", name=name, categories=values, records=records),)


def _go_through_identifiers(
    engine: Engine, used: Collection[str | None]
) -> Iterator[tuple[str, int, int, int]]:
    """Go through identifiers that repeat, as below; not through those whose sex or birth changes.

    Such a one may be of an interviewer, a school or a telephone.
    """
    named = [v.name for v in engine.schema if named_role(v) == "identifier" and v.name not in used]
    for found in _go_through_repeated(engine, named):
        try:
            changed = _measure_changes(engine, found[0], find_fixed(engine.schema))[1]
        except InputError:  # too many to look at
            changed = 0.0
        if changed <= _CHANGED:
            yield found


def _go_through_repeated(
    engine: Engine, names: Iterable[str]
) -> Iterator[tuple[str, int, int, int]]:
    """Go through variables that repeat: values, records, and most records of one."""
    for name in names:
        alone = Scenario(keys=(name,))
        try:
            cells = engine.cells(alone)
        except InputError:  # too many values to look at: then nothing can be said
            continue
        known = cells.codes[0] > 0
        values, records = int(np.count_nonzero(known)), int(cells.count[known].sum())
        repeated = int(cells.count[known & (cells.count > 1)].sum())
        if records / _ROWS_OF_A_PERSON <= values and repeated >= max(_REPEATED * records, 1):
            yield name, values, records, int(cells.count[known].max())


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
