"""Persons of a file with several records each: a study of its own with one row for each.

Everything that measures or suppresses sees ordinary keys there; blanks go back to the records.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import polars as pl

from microsafe.cells import Index
from microsafe.codes import spell_code
from microsafe.engine import Engine, open_engine
from microsafe.engine.contract import NO_RECORDS
from microsafe.engine.slices import Flags
from microsafe.errors import InputError, UsageError
from microsafe.io import Source, read_frame
from microsafe.notices import Notice, make_notice
from microsafe.options.scenario import Scenario
from microsafe.schema import Schema, Variable
from microsafe.steps.base import AppliedStep
from microsafe.studies.families import read_codes, read_weights
from microsafe.studies.person_table import (
    PersonKey,
    PersonRecords,
    add_up_weights,
    find_first,
    is_constant,
    lay_out,
)
from microsafe.studies.person_waves import SplitKeys, split_keys, split_suppression
from microsafe.studies.repeated_rows import find_fixed, find_wave_names
from microsafe.studies.state import StudyState

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.steps.suppress.step import Suppress

AnyStudy = TypeVar("AnyStudy", bound=StudyState)

_EXAMPLES = 5
_MOST_RECORDS = 12  # of a person in a panel; more are events


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Panel:
    """How persons come from records.

    Attributes:
        name: The variable that tells persons apart.
        records: Whose they are.
        columns: Keys as persons have them.
        notices: What to know about it.
        split: Keys of persons by scenario and name: one that has too many to be compared at once
            is several, one for each wave, of which the first has its name and stands for all where
            only one can be looked at.
        recoded_late: Whether a key was changed once something was blank.
    """

    name: str
    records: PersonRecords
    columns: tuple[PersonKey, ...]
    notices: tuple[Notice, ...]
    split: SplitKeys
    recoded_late: bool = False

    @property
    def by_wave(self) -> Mapping[str, tuple[str, ...]]:
        """Names of what a scenario is where it is several."""
        return {name: tuple(parts) for name, parts in self.split.items() if len(parts) > 1}

    def find_waves(self, name: str) -> tuple[str, ...]:
        """Return the names of the waves of the scenario that one of them is of."""
        return next((names for names in self.by_wave.values() if name in names), ())

    def find_columns(self, key: str) -> tuple[PersonKey, ...]:
        """Return the columns of a key."""
        return tuple(column for column in self.columns if column.key == key)

    def find_key(self, name: str) -> str:
        """Return the key of records that a column is of."""
        return next((column.key for column in self.columns if column.name == name), name)

    def name_columns(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the columns of some keys."""
        return tuple(column.name for key in keys for column in self.find_columns(key))


def make_person_study(study: AnyStudy, like: Panel | None = None) -> AnyStudy:
    """Return the persons of a study as a study; what is blank in it is a gap there.

    Args:
        study: Of records; its scenarios name the person.
        like: How persons came from the records that were written to this file; found out if None.

    Raises:
        InputError: Persons or waves cannot be told apart.
        UsageError: A gap of a key that moves is to be an answer.
    """
    first = study.scenarios[0]
    engine = study.engine
    records = read_person_records(engine, first)
    keys = tuple(dict.fromkeys(key for each in study.scenarios for key in each.keys))
    codes = {key: read_codes(engine, key) for key in keys}
    if like is None:
        columns = lay_out(records, codes, {key: engine.categories(key) for key in keys})
        names = [scenario.name for scenario in study.scenarios]
        split: SplitKeys = {
            each.name: split_keys(each, columns, records, codes, names) for each in study.scenarios
        }
    else:
        columns, split = like.columns, like.split
    assert first.person is not None  # noqa: S101
    panel = Panel(
        name=first.person,
        records=records,
        columns=columns,
        notices=_tell_persons(engine, first, records, columns, codes, split),
        split=split,
    )
    return replace(
        study,
        engine=_open_persons(engine, study.scenarios, panel, codes),
        scenarios=tuple(
            made for each in study.scenarios for made in _follow_scenario(each, panel, codes)
        ),
        notices=(*study.notices, *panel.notices),
        steps=(),
        declarations={},
        _panel=panel,
        _perturbation=None,
        _as_read=None,
        _previous=None,
        _written_by=None,
        _unperturbed=None,
        _models={},
        _families={},
        _telling={},
        _measured={},
        _persons={},
        _input={},
    )


def read_person_records(engine: Engine, scenario: Scenario) -> PersonRecords:
    """Find out whose each record is, and of which wave.

    Raises:
        InputError: The person or the wave is missing, or tells nothing apart.
    """
    name, source = scenario.person, engine.schema.source
    assert name is not None  # noqa: S101
    if gap := engine.gaps.get(NO_RECORDS):
        raise gap.error(f"Persons of {source}: {gap.reason}.")
    engine.schema[name]
    codes = read_codes(engine, name)
    if lost := int(np.count_nonzero(codes == 0)):
        raise InputError(
            f"{name!r} of {source} is missing in {lost:,} records, so that nobody knows whose they "
            "are. Fill it in, or leave those records out."
        )
    there, person = np.unique(codes, return_inverse=True)
    if len(there) == 1:
        raise InputError(
            f"{name!r} of {source} is the same in all records. Name the variable that tells "
            "persons apart (person)."
        )
    if len(there) == len(codes):
        raise InputError(
            f"{name!r} of {source} is different in every record, so that no person has several. "
            "Leave the person out, or name the variable that repeats."
        )
    records = PersonRecords(
        person=person, wave=np.zeros(len(person), np.intp), persons=len(there), waves=()
    )
    most = int(np.bincount(person).max())
    if scenario.wave is not None:
        named = _name_waves(engine, scenario.wave, records)
        return records if most > _MOST_RECORDS else named
    if most > _MOST_RECORDS:
        return records
    for wave in find_wave_names(engine, scenario):
        try:
            return _name_waves(engine, wave, records)
        except InputError:
            continue
    order = np.argsort(person, kind="stable")
    starts = np.searchsorted(person[order], np.arange(len(there)))
    place = np.empty(len(person), np.intp)
    place[order] = np.arange(len(person)) - starts[person[order]]
    return replace(records, wave=place, waves=tuple(map(str, range(1, most + 1))))


def _name_waves(engine: Engine, name: str, records: PersonRecords) -> PersonRecords:
    """Return records with their waves."""
    source = engine.schema.source
    codes = read_codes(engine, name)
    if lost := int(np.count_nonzero(codes == 0)):
        raise InputError(
            f"{name!r} of {source} is missing in {lost:,} records. Fill it in, or leave the wave "
            "out: then a person's records count in the order of the file."
        )
    if is_constant(records, codes):
        raise InputError(
            f"{name!r} of {source} never differs between records of a person, so it tells no waves "
            "apart. Name another variable (wave), or leave the wave out."
        )
    pairs = records.person * (int(codes.max()) + 1) + codes
    _, first, count = np.unique(pairs, return_index=True, return_counts=True)
    if twice := len(np.unique(records.person[first[count > 1]])):
        raise InputError(
            f"{twice:,} persons of {source} have several records of one {name!r}. Name the "
            "variable that tells the records of a person apart (wave), or leave out those that "
            "are there twice."
        )
    words = list(engine.categories(name))
    place = np.array([0, *_order_waves(engine.schema[name], words, source)], np.intp)
    there, wave = np.unique(place[codes], return_inverse=True)
    named = dict(zip(place[1:].tolist(), words, strict=True))
    waves = tuple(named[each] for each in there.tolist())
    return replace(records, wave=wave, waves=waves, variable=name)


def _order_waves(variable: Variable, words: Sequence[str], source: str) -> list[int]:
    """Return the rank of each wave: by number, date or the order that is declared."""
    if variable.order:
        declared = [spell_code(code) for code in variable.order]
        if set(words) <= set(declared):
            return [declared.index(word) for word in words]
    elif variable.kind != "text":
        return list(range(len(words)))
    numbers = [tuple(map(int, re.findall(r"\d+", word))) for word in words]
    if () in numbers or len(set(numbers)) < len(numbers):
        raise InputError(
            f"The values of {variable.name!r} of {source} have no order, so that nobody knows "
            "which wave is first. Declare it (order), or leave the wave out: then a person's "
            "records count in the order of the file."
        )
    return [sorted(numbers).index(number) for number in numbers]


def _tell_persons(
    engine: Engine,
    scenario: Scenario,
    records: PersonRecords,
    columns: Sequence[PersonKey],
    codes: Mapping[str, Index],
    split: SplitKeys,
) -> tuple[Notice, ...]:
    """Say what was made of the records, and what to know of it."""
    source, found = engine.schema.source, []
    rows = {"records": len(records.person), "persons": records.persons, "name": scenario.person}
    moving = [key for key in codes if any(c.key == key and c.wave is not None for c in columns)]
    if records.are_events:
        left = [key for key in codes if all(column.key != key for column in columns)]
        if len(left) == len(codes):
            raise InputError(
                f"All keys change between records of a person of {source}, who has more than "
                f"{_MOST_RECORDS}: they are events. Name keys that never change, or leave the "
                "person out to measure each record."
            )
        found.append(make_notice("persons-events", **rows, names=left))
    elif records.variable is None:
        found.append(make_notice("persons-in-order", **rows, count=len(records.waves)))
    else:
        told = {"wave": records.variable, "count": len(records.waves), "names": moving}
        found.append(make_notice("persons", **rows, **told))
    for name, parts in split.items():
        if len(parts) > 1:
            named = set().union(*parts.values())
            changing = {c.key for c in columns if c.name in named and c.wave is not None}
            moved = {key: _count_movers(records, codes[key]) for key in sorted(changing)}
            found.append(
                make_notice(
                    "persons-by-wave",
                    name=name,
                    count=len(named),
                    waves=len(parts),
                    names=sorted(moved, key=moved.__getitem__),
                )
            )
    changed = {
        name: _count_movers(records, read_codes(engine, name))
        for name in find_fixed(engine.schema)
        if name not in (scenario.person, scenario.wave)
    }
    if others := sorted((name for name in changed if changed[name]), key=lambda n: -changed[n]):
        many = max(changed.values())
        found.append(make_notice("persons-change", name=scenario.person, count=many, names=others))
    if scenario.household is not None:
        homes = read_codes(engine, scenario.household)
        several = _count_movers(records, homes)
        found.append(make_notice("persons-households", name=scenario.household, count=several))
    return tuple(found)


def _count_movers(records: PersonRecords, codes: Index) -> int:
    """Count persons whose records differ in a variable; gaps tell nothing."""
    known = codes > 0
    pairs = np.unique(np.stack([records.person[known], codes[known]]), axis=1)
    return int(np.count_nonzero(np.bincount(pairs[0]) > 1))


def _open_persons(
    engine: Engine, scenarios: Sequence[Scenario], panel: Panel, codes: Mapping[str, Index]
) -> Engine:
    """Return an engine with one row for each person, in the order of their numbers."""
    records, first = panel.records, scenarios[0]
    made: list[tuple[Variable, pl.Series]] = []
    for column in panel.columns:
        variable, categories = engine.schema[column.key], engine.categories(column.key)
        wave = None if column.wave is None else records.waves[column.wave]
        if any(column.shift):
            values = np.array([float(word) for word in categories])
            numbers = column.find_values(records, codes[column.key], values)
            made.append(_make_column(variable, column.name, _store(numbers), wave))
        else:
            code = column.find_codes(records, codes[column.key])
            made.append(
                _make_column(variable, column.name, _spell(variable, categories, code), wave)
            )
    for home in dict.fromkeys(each.household for each in scenarios if each.household):
        homes = read_codes(engine, home)
        code = homes[find_first(records, homes)]
        variable = engine.schema[home]
        made.append(_make_column(variable, home, _spell(variable, engine.categories(home), code)))
    if first.weight is not None:
        # Counting refuses weights that are none; parts of a weight may be below 1.
        engine.cells(Scenario(keys=first.keys[:1], weight=first.weight, clip_weights=True))
        weights = read_weights(engine, replace(first, clip_weights=False))
        assert weights is not None  # noqa: S101
        added = add_up_weights(records, weights, by_wave=first.person_weights == "wave")
        plain = Variable(name=first.weight, label=engine.schema[first.weight].label, kind="number")
        made.append((plain, pl.Series(np.maximum(added, 1.0))))
    assert first.person is not None  # noqa: S101
    number = Variable(name=first.person, kind="integer")
    made.append((number, pl.Series(np.arange(records.persons, dtype=np.int64))))
    frame = pl.DataFrame({variable.name: column for variable, column in made})
    source: Source = read_frame(frame)
    kinds = {variable.name: variable.kind for variable in source.schema}
    variables = tuple(replace(variable, kind=kinds[variable.name]) for variable, _ in made)
    schema = Schema(source=engine.schema.source, variables=variables)
    return open_engine(replace(source, schema=schema, like=engine.convert_table), **engine.options)


def _make_column(
    variable: Variable, name: str, column: pl.Series, wave: str | None = None
) -> tuple[Variable, pl.Series]:
    """Return a column of persons and what is known of it: that of records, gaps as such."""
    label = variable.label if wave is None else f"{variable.label or variable.name} ({wave})"
    made = Variable(
        name=name, label=label, measure=variable.measure, labels=variable.labels,
        order=variable.order,
    )  # fmt: skip
    return made, column


def _spell(variable: Variable, categories: Sequence[str], codes: Index) -> pl.Series:
    """Return values as they are stored."""
    words = pl.Series([None, *categories], dtype=pl.String)
    types: Mapping[str, Any] = {"integer": pl.Int64, "number": pl.Float64}
    return words.cast(types.get(variable.kind, pl.String)).gather(codes)


def _store(numbers: np.ndarray[Any, np.dtype[np.float64]]) -> pl.Series:
    """Return numbers with gaps as null, whole ones as such."""
    column = pl.Series(numbers).fill_nan(None)
    whole = bool(np.all(np.isnan(numbers) | (numbers == np.floor(numbers))))
    return column.cast(pl.Int64) if whole else column


def _follow_scenario(
    scenario: Scenario, panel: Panel, codes: Mapping[str, Index]
) -> Iterator[Scenario]:
    """Go through what a scenario of records is of persons: one, or one for each wave."""
    if not panel.name_columns(scenario.keys):
        raise InputError(
            f"All keys of scenario {scenario.name!r} change between records of a person, who has "
            f"more than {_MOST_RECORDS}. Name keys that never change."
        )
    _refuse_gap_answers(scenario, panel, codes)
    for name, keys in panel.split[scenario.name].items():
        missing = scenario.missing
        if isinstance(missing, Mapping):
            missing = {key: missing[of] for key in keys if (of := panel.find_key(key)) in missing}
        errors = {key: panel.find_key(key) for key in keys}
        yield replace(
            scenario,
            name=name,
            keys=keys,
            missing=missing or None,
            error={key: scenario.error[of] for key, of in errors.items() if of in scenario.error},
            person=None,
            wave=None,
            person_weights="wave",
            clip_weights=False,
        )


def _refuse_gap_answers(scenario: Scenario, panel: Panel, codes: Mapping[str, Index]) -> None:
    """Refuse gaps as answers of keys that change, where somebody was absent and gave none."""
    if panel.records.find_present().all():
        return
    for key in scenario.gap_categories:
        if len(panel.find_columns(key)) > 1 and not codes[key].all():
            raise UsageError(
                f"{key!r} changes between waves in which some persons are absent, so that its gap "
                "cannot be an answer. Give that answer a code (recode), or integrate gaps."
            )


def find_lost(panel: Panel, whole: Engine, shown: Engine) -> Mapping[str, Flags]:
    """Return which persons lost a column since an earlier state; columns that none lost are out."""
    lost = {}
    for key in dict.fromkeys(column.key for column in panel.columns):
        before, after = read_codes(whole, key), read_codes(shown, key)
        if np.array_equal(before > 0, after > 0):
            continue
        for column in panel.find_columns(key):
            had = column.find_codes(panel.records, before) > 0
            flags = had & (column.find_codes(panel.records, after) == 0)
            if flags.any():
                lost[column.name] = flags
    return lost


def find_record_blanks(panel: Panel, lost: Mapping[str, Flags]) -> Mapping[str, Flags]:
    """Return which records lose a key, given which persons lose a column."""
    blanks: dict[str, Flags] = {}
    for column in panel.columns:
        if column.name in lost:
            rows = column.find_rows(panel.records, lost[column.name])
            blanks[column.key] = blanks.get(column.key, False) | rows
    return blanks


def household_error() -> UsageError:
    """Return the error for a limit on households of persons who have several records."""
    return UsageError(
        "Households of a panel are not measured, as members come and go. Leave out the limit on "
        "household risk."
    )


def follow_suppression(step: Suppress, people: StudyState) -> Iterator[Suppress]:
    """Go through the suppressions of keys of persons that one of keys of records is.

    Raises:
        UsageError: It asks for what persons do not have.
    """
    panel: Panel = people._panel
    if step.household is not None:
        raise household_error()
    keys = {column.key for column in panel.columns}
    for key, followers in step.linked.items():
        if both := [name for name in followers if name in keys]:
            raise UsageError(
                f"{both[0]!r} is a key, and cannot be linked to {key!r} where persons have several "
                "records. Leave it out of linked."
            )

    def rename(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(n for name in names for n in panel.name_columns([name]) or (name,))

    def spread(values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for key, value in values.items() for name in rename([key])}

    step = replace(
        step,
        cost=spread(step.cost) if isinstance(step.cost, Mapping) else step.cost,
        spare=rename(step.spare),
        levels=spread(step.levels),
        linked={},
    )
    asked = step.scenarios or tuple(panel.split)
    names = {name for each in asked for name in panel.split.get(each, (each,))}
    step.refuse_nothing_to_blank([each for each in people.scenarios if each.name in names])
    return split_suppression(step, panel.split)


def blank_records(
    engine: Engine, people: StudyState, made: StudyState, step: Suppress, *, last: int
) -> tuple[Engine, AppliedStep]:
    """Blank in records what suppressions blanked of persons.

    Args:
        engine: Of the records.
        people: The persons before.
        made: The persons after it.
        step: What was asked for.
        last: How many of the last suppressions tell who stays unsafe in the end.
    """
    panel: Panel = people._panel
    taken = made.steps[len(people.steps) :]
    lost, persons = {}, np.zeros(panel.records.persons, np.bool_)
    for column in panel.columns:
        shown, left = (read_codes(each.engine, column.name) > 0 for each in (people, made))
        if (flags := shown & ~left).any():
            lost[column.name] = flags
            persons |= flags
    blanks = dict(find_record_blanks(panel, lost))
    for key, followers in step.linked.items():
        for name in followers if key in blanks else ():
            blanks[name] = blanks.get(name, False) | blanks[key]
    blanked = engine.blank_records(blanks)
    old, new = engine.count_blanks(), blanked.count_blanks()
    count = {name: new.get(name, 0) - old.get(name, 0) for name in new}
    keys = tuple(dict.fromkeys(column.key for column in panel.columns))
    first = find_first(panel.records, np.ones(len(panel.records.person), np.intp))
    stuck = sorted({number for each in taken[-last:] for number in each._unsafe})
    readable = {panel.find_key(name) for each in taken for name in each.readable}
    return blanked, AppliedStep(
        step=step,
        blanks={key: count.get(key, 0) for key in keys},
        linked={name: count.get(name, 0) for name in dict.fromkeys(chain(*step.linked.values()))},
        records=blanked.count_changed_records(engine),
        stuck=len(stuck),
        examples=tuple(1 + int(first[number - 1]) for number in stuck[:_EXAMPLES]),
        # Persons who lean in several waves count in each: no fewer are safe than is said.
        leaning=min(sum(each.leaning for each in taken), panel.records.persons),
        readable=tuple(key for key in keys if key in readable),
        facts={"persons_changed": int(np.count_nonzero(persons))},
        _by_person=taken,
    )
