"""Join households to persons from two files by a key.

Nothing is lost in silence: a person without a household, a household that is there twice and a
name that both files have are refused; households without persons are counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.batches import Load, Scan
from microsafe.errors import InputError
from microsafe.io.column_types import guard_load, guard_scan
from microsafe.io.readstat.package_file import PackageDialect
from microsafe.io.source import Source
from microsafe.io.text.csv import CsvDialect
from microsafe.notices import Notice, make_notice
from microsafe.options.declaration import Declaration, Declarations, merge_declarations
from microsafe.progress import Progress, silent
from microsafe.schema import Schema

_BATCH = 1 << 20  # persons whose households are looked up at once
_PLACE = np.uint32
_WORDS = {"text": "text", "integer": "a number", "number": "a number", "date": "a date"}


def join_sources(
    persons: Source, households: Source, on: str, *, progress: Progress = silent
) -> Source:
    """Return persons with the variables of their households behind their own.

    Households are held in memory, and for each person the place of its household: a person's own
    variables are read as before, in blocks if the file can be.

    Args:
        persons: One record for each person.
        households: One record for each household.
        on: The variable of both that says which household it is.
        progress: Progress callback: the key of all persons is read.

    Raises:
        InputError: A person has no household or could have several, or another name is in both.
    """
    schema = _join_schemas(persons.schema, households.schema, on)
    homes = households.load(households.schema.names)
    keys = _index_households(homes[on], persons.schema, households.schema)
    places, notices = _find_places(persons, households.schema, keys, on, progress)
    attributes = homes.drop(on)
    own = set(persons.schema.names)

    def attach(frame: pl.DataFrame, names: Sequence[str], start: int) -> pl.DataFrame:
        chosen = places[start : start + frame.height]
        if len(chosen) < frame.height:
            raise InputError(f"{schema.source} changed while it was read. Start again.")
        added = [attributes[name].gather(chosen) for name in names if name not in own]
        return frame.with_columns(added).select(names)

    def ask(names: Sequence[str]) -> list[str]:
        """Variables of persons to read: one at least, for their number."""
        return [name for name in names if name in own] or [on]

    def load(names: Sequence[str]) -> pl.DataFrame:
        return attach(persons.load(ask(names)), names, 0)

    def scan(names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        assert persons.scan is not None  # noqa: S101
        start = 0
        for frame in persons.scan(ask(names), size):
            yield attach(frame, names, start)
            start += frame.height

    extensible = isinstance(persons.dialect, CsvDialect | PackageDialect)
    return replace(
        persons,
        schema=schema,
        load=guard_load(schema, load),
        scan=guard_scan(schema, scan) if persons.scan else None,
        records=len(places),
        held=persons.held + int(attributes.estimated_size()) + places.nbytes,
        notices=(*persons.notices, *households.notices, *notices),
        paths=(*persons.paths, *households.paths),
        dialect=persons.dialect if extensible else None,  # others describe no variable more
        declarations=_join_declarations(persons, households, on),
    )


def _join_schemas(persons: Schema, households: Schema, on: str) -> Schema:
    """What is known of the variables of both; the key tells households apart."""
    persons[on], households[on]
    twice = [name for name in households.names if name in persons and name != on]
    if twice:
        raise InputError(
            f"{persons.source} and {households.source} both have {', '.join(map(repr, twice))}. "
            f"Only {on!r} may be in both: rename the variables in one of the files, or remove them."
        )
    known = any(variable.role == "household" for variable in persons)
    variables = (
        replace(variable, role="household") if variable.name == on and not known else variable
        for variable in persons
    )
    return Schema(
        source=persons.source,
        variables=(*variables, *(variable for variable in households if variable.name != on)),
        notes=(*persons.notes, *households.notes),
    )


def _join_declarations(persons: Source, households: Source, on: str) -> Declarations:
    """What is known of variables by the files they come from, if their metadata do not say it."""
    shared = Declaration(household_level=True)
    known = {name: shared for name in households.schema.names if name != on}
    if not any(declaration.role == "household" for declaration in persons.declarations.values()):
        known[on] = Declaration(role="household")
    own = {name: declaration for name, declaration in households.declarations.items() if name != on}
    return merge_declarations(merge_declarations(known, own), persons.declarations)


def _index_households(key: pl.Series, persons: Schema, households: Schema) -> pl.DataFrame:
    """Return the keys of the households as texts with their places."""
    name, kinds = key.name, [schema[key.name].kind for schema in (persons, households)]
    if kinds[0] != kinds[1] and not set(kinds) <= {"text", "integer", "number"}:
        raise InputError(
            f"{name!r} is {_words(persons, name)} in {persons.source} and "
            f"{_words(households, name)} in {households.source}. Store it alike in both files."
        )
    if "other" in kinds:
        raise InputError(f"{name!r} holds values that cannot be compared. Name another variable.")
    if missing := key.null_count():
        raise InputError(
            f"{name!r} is missing in {_count(missing, 'record')} of {households.source}. Every "
            "household needs one: fill it in, or remove the records."
        )
    spelled = _spell_keys(key)
    if again := key.len() - spelled.n_unique():
        raise InputError(
            f"{name!r} does not tell the records of {households.source} apart: "
            f"{_count(again, 'record')} repeat one that stands before. Name the file of persons "
            "first and join that of households, in which each household stands once."
        )
    return pl.DataFrame({"key": spelled}).with_row_index("place")


def _find_places(
    persons: Source, households: Schema, keys: pl.DataFrame, on: str, progress: Progress
) -> tuple[NDArray[np.uint32], list[Notice]]:
    """Return the place of each person's household, and what to know of households."""
    found_places: list[NDArray[np.uint32]] = []
    lost = missing = done = 0
    for frame in _scan(persons)([on], _BATCH):
        persons_keys = pl.DataFrame({"key": _spell_keys(frame[on])})
        place = persons_keys.join(keys, on="key", how="left", maintain_order="left")["place"]
        lost += place.null_count()
        missing += frame[on].null_count()
        found_places.append(place.fill_null(0).to_numpy().astype(_PLACE))
        done += frame.height
        progress("joining", done / persons.records if persons.records else 0.0)
    if lost:
        raise InputError(_tell_lost(persons.schema, households, on, lost, missing))
    places = np.concatenate(found_places)
    unused = keys.height - len(np.unique(places))
    if not unused:
        return places, []
    names = {"name": households.source, "persons": persons.schema.source}
    return places, [make_notice("join-unused", count=unused, **names)]


def _tell_lost(persons: Schema, households: Schema, on: str, lost: int, missing: int) -> str:
    reason = f", {missing:,} of them because {on!r} is missing" if missing else ""
    remedy = "Add their households, or remove the records."
    if (one := _words(persons, on)) != (other := _words(households, on)):
        remedy = (
            f"It is {one} there and {other} in {households.source}, so that 01 is not 1: store it "
            "alike in both files."
        )
    lacks = "has" if lost == 1 else "have"
    return (
        f"{_count(lost, 'record')} of {persons.source} {lacks} no household in "
        f"{households.source} by {on!r}{reason}. {remedy}"
    )


def _spell_keys(column: pl.Series) -> pl.Series:
    """Return keys as texts; the same number is the same text, however it is stored."""
    text = column.cast(pl.String)
    if column.dtype.is_numeric() and not column.dtype.is_integer():
        text = text.str.replace(r"\.0+$", "")
    return text


def _scan(source: Source) -> Scan:
    return source.scan or _in_one(source.load)


def _in_one(load: Load) -> Scan:
    return lambda names, _: iter((load(names),))


def _words(schema: Schema, name: str) -> str:
    return _WORDS.get(schema[name].kind, "something else")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
