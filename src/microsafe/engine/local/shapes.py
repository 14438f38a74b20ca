"""Count what the values of a variable look like, from its codes and categories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.cells import Codes
from microsafe.engine.local.records import Records
from microsafe.engine.value_shapes import count_shapes, with_labels
from microsafe.errors import InputError
from microsafe.variables.profile import VariableProfile, profile_variable
from microsafe.variables.traits import LOOKED_AT, SHAPES, Traits, spread_out

_NUMBERS = 2_000  # stored as such, that are looked at: each must be written out for it
_FIRST = 100  # values that tell whether others are worth a look


def look_at(records: Records, name: str) -> VariableProfile:
    """Return a variable at a glance; its codes are at hand unless its values are compound."""
    known = records.coded.get(name)
    codes = records.codes(name) if known else ()
    missing = sum(int(np.count_nonzero(code == 0)) for code in codes)
    distinct = len(known.categories) if known else 0
    return profile_variable(records.schema[name], distinct, missing)


def find_traits(records: Records, names: Sequence[str]) -> dict[str, Traits]:
    """Count what variables look like.

    Where memory is short the first records tell enough. Values that cannot be compared count as
    missing.
    """
    try:
        with records.holding([name for name in names if records.schema[name].kind != "other"]):
            return _find_traits(records, names)
    except InputError:
        return {name: _look_at_first(records.first(), name) for name in names}


def _look_at_first(records: Records, name: str) -> Traits:
    try:
        with records.holding([name]):
            return _find_traits(records, [name])[name]
    except InputError:
        return Traits(name=name, records=0, missing=records.count, distinct=0)


def _find_traits(records: Records, names: Sequence[str]) -> dict[str, Traits]:
    traits, texts = {}, {}
    for name in names:
        traits[name] = Traits(name=name, records=0, missing=records.count, distinct=0)
        if name in records.coded:
            traits[name], texts[name] = _count_values(records, name)
    for name, looks in count_shapes(texts).items():
        looked = replace(traits[name], **looks)
        numbers = looked.share("number") == 1 and _are_numbers(records, looked)
        traits[name] = replace(looked, all_numbers=numbers)
    return {trait.name: trait for trait in with_labels(records.schema, traits.values())}


def _are_numbers(records: Records, traits: Traits) -> bool:
    """Whether all values are numbers, those that were not looked at included."""
    categories: object = records.coded[traits.name].categories
    if traits.looked == traits.distinct or not isinstance(categories, pl.Series):
        return True
    return bool(categories.str.strip_chars().str.contains(SHAPES["number"]).all())


def _count_values(records: Records, name: str) -> tuple[Traits, pl.Series]:
    """How many values a variable has, and those whose shape tells enough."""
    categories: Any = records.coded[name].categories
    count = np.zeros(len(categories) + 1, np.int64)
    for codes in records.codes(name):
        count += np.bincount(codes, minlength=len(count))
    occurring = np.flatnonzero(count[1:])
    written = isinstance(categories, pl.Series)
    chosen = occurring[spread_out(len(occurring), LOOKED_AT if written else _NUMBERS)]
    if written:
        texts = categories.gather(chosen)
    else:
        texts = pl.Series([categories[code] for code in chosen.tolist()], dtype=pl.String)
    traits = Traits(
        name=name,
        records=int(count[1:].sum()),
        missing=int(count[0]),
        distinct=len(occurring),
        looked=len(chosen),
        falls=_count_falls(records.codes(name), _ranks(records, name)),
    )
    return traits, texts.str.strip_chars()


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
