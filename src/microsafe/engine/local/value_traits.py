"""Count what the values of a variable look like, from its codes and categories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.cells import Codes
from microsafe.engine.local.records import Records
from microsafe.engine.local.value_walk import (
    LOOKED_AT_NUMBERS,
    ValueWalk,
    WalkedValues,
    choose_texts,
    spelled_numbers,
)
from microsafe.engine.threads import run_together
from microsafe.engine.value_shapes import count_shapes, with_labels
from microsafe.errors import InputError
from microsafe.schema import Kind
from microsafe.variables.profile import VariableProfile, profile_variable
from microsafe.variables.traits import SHAPES, Traits, spread_out

_FIRST = 100  # values that tell whether others are worth a look
_WALKED: frozenset[Kind] = frozenset({"text", "integer", "number", "boolean"})


def look_at(records: Records, name: str) -> VariableProfile:
    """Return a variable at a glance; its codes are at hand unless its values are compound."""
    known = records.coded.get(name)
    codes = records.codes(name) if known else ()
    missing = sum(int(np.count_nonzero(code == 0)) for code in codes)
    distinct = len(known.categories) if known else 0
    return profile_variable(records.schema[name], distinct, missing)


def can_walk(records: Records, name: str) -> bool:
    """Tell whether what a variable looks like is found with less work than coding it takes."""
    known = name in records.coded or name in records.blank or records.memory.limited
    return records.schema[name].kind in _WALKED and not known


def walk_values(
    records: Records, names: Sequence[str], tell: Callable[[float], None]
) -> dict[str, Traits]:
    """Count what variables look like while they are read (see `can_walk`)."""
    walks = {name: ValueWalk(records.schema[name]) for name in names}

    def read(some: Sequence[str], tell: Callable[[float], None]) -> None:
        for column in records.columns(some, tell):
            walks[column.name].add(column)
            del column  # before the next batch is read

    tasks = [partial(read, some) for some in records.together(names)]
    run_together(tasks, tell, threads=records.threads)
    return _add_shapes(records, names, {name: walk.finish() for name, walk in walks.items()})


def find_traits(records: Records, names: Sequence[str]) -> dict[str, Traits]:
    """Count what variables look like by their codes.

    Where memory is short the first records tell enough. Values that cannot be compared count as
    missing.
    """
    # What was read is held by the error while it is handled, so others are read after that.
    known = [name for name in names if records.schema[name].kind != "other"]
    with suppress(InputError), records.holding(known):
        return _find_traits(records, names)
    return {name: _look_at_first(records.first(), name) for name in names}


def _look_at_first(records: Records, name: str) -> Traits:
    with suppress(InputError), records.holding([name]):
        return _find_traits(records, [name])[name]
    return Traits(name=name, records=0, missing=records.count, distinct=0)


def _find_traits(records: Records, names: Sequence[str]) -> dict[str, Traits]:
    seen = {name: _count_values(records, name) for name in names if name in records.coded}
    return _add_shapes(records, names, seen)


def _add_shapes(
    records: Records, names: Sequence[str], seen: Mapping[str, WalkedValues]
) -> dict[str, Traits]:
    """Return what variables look like, in the order of their names."""
    nothing = Traits(name="", records=0, missing=records.count, distinct=0)
    traits = {
        name: seen[name].traits if name in seen else replace(nothing, name=name) for name in names
    }
    for name, looks in count_shapes({name: each.looked for name, each in seen.items()}).items():
        looked = replace(traits[name], **looks)
        numbers = looked.share("number") == 1 and _are_numbers(looked, seen[name].every)
        traits[name] = replace(looked, all_numbers=numbers)
    return {trait.name: trait for trait in with_labels(records.schema, traits.values())}


def _are_numbers(traits: Traits, every: pl.Series | None) -> bool:
    """Whether all values are numbers, those that were not looked at included."""
    if traits.looked == traits.distinct or every is None:
        return True
    return bool(every.str.strip_chars().str.contains(SHAPES["number"]).all())


def _count_values(records: Records, name: str) -> WalkedValues:
    """How many values a variable has, and those whose shape tells enough."""
    categories: Any = records.coded[name].categories
    count = np.zeros(len(categories) + 1, np.int64)
    for codes in records.codes(name):
        count += np.bincount(codes, minlength=len(count))
    occurring = np.flatnonzero(count[1:])
    every = None
    if isinstance(categories, pl.Series):
        texts = categories.gather(occurring)
        looked, every = choose_texts(texts, spelled_numbers(texts), records.schema[name].kind)
    else:
        chosen = occurring[spread_out(len(occurring), LOOKED_AT_NUMBERS)]
        spelled = [categories[code] for code in chosen.tolist()]
        looked = pl.Series(spelled, dtype=pl.String).str.strip_chars()
    traits = Traits(
        name=name,
        records=int(count[1:].sum()),
        missing=int(count[0]),
        distinct=len(occurring),
        looked=len(looked),
        falls=_count_falls(records.codes(name), _ranks(records, name)),
    )
    return WalkedValues(traits=traits, looked=looked, every=every)


def _ranks(records: Records, name: str) -> NDArray[np.int64] | None:
    """Order of whole numbers that are coded as text, by code; None if codes are in order."""
    categories: object = records.coded[name].categories
    if not isinstance(categories, pl.Series):
        return None
    for some in (categories.head(_FIRST), categories):  # most texts are no numbers: told at once
        numbers = some.str.strip_chars().cast(pl.Int64, strict=False)
        if numbers.null_count():
            return None
    return np.concatenate([[0], numbers.rank("ordinal").to_numpy()]).astype(np.int64)


def _count_falls(batches: Iterator[Codes], ranks: NDArray[np.int64] | None) -> int:
    falls, last = 0, 0
    for codes in batches:
        known: NDArray[np.integer[Any]] = codes[codes > 0]
        if not len(known):
            continue
        known = known if ranks is None else ranks[known]
        falls += int(np.count_nonzero(known[1:] < known[:-1])) + int(known[0] < last)
        last = int(known[-1])
    return falls
