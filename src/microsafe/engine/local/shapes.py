"""What the values of a variable look like, from its codes and categories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.cells import Codes
from microsafe.engine.base import Summary
from microsafe.engine.local.records import Records
from microsafe.engine.summaries import summarise
from microsafe.engine.traits import DECIMALS, LOOKED_AT, SHAPES, Traits
from microsafe.errors import InputError


def look_at(records: Records, name: str) -> Summary:
    """Return a variable at a glance; its codes are at hand unless its values are compound."""
    known = records.coded.get(name)
    codes = records.codes(name) if known else ()
    missing = sum(int(np.count_nonzero(code == 0)) for code in codes)
    categories = len(known.categories) if known else 0
    return summarise(records.schema[name], categories, missing, records.count)


def find_traits(records: Records, names: Sequence[str]) -> dict[str, Traits]:
    """Count what variables look like.

    Where memory is short the first records tell enough. Values that cannot be compared count as
    missing.
    """
    try:
        with records.holding([name for name in names if records.schema[name].kind != "other"]):
            return {name: _find_traits(records, name) for name in names}
    except InputError:
        return {name: _look_at_first(records.first(), name) for name in names}


def _look_at_first(records: Records, name: str) -> Traits:
    try:
        with records.holding([name]):
            return _find_traits(records, name)
    except InputError:
        return Traits(name=name, records=0, missing=records.count, distinct=0)


def _find_traits(records: Records, name: str) -> Traits:
    if name not in records.coded:
        return Traits(name=name, records=0, missing=records.count, distinct=0)
    categories = records.coded[name].categories
    count = np.zeros(len(categories) + 1, np.int64)
    for codes in records.codes(name):
        count += np.bincount(codes, minlength=len(count))
    held = np.flatnonzero(count[1:])
    chosen = held[_spread_out(len(held))]
    texts = pl.Series([categories[int(each)] for each in chosen], dtype=pl.String).str.strip_chars()
    shapes = {shape: int(texts.str.contains(words).sum()) for shape, words in SHAPES.items()}
    return Traits(
        name=name,
        records=int(count[1:].sum()),
        missing=int(count[0]),
        distinct=len(held),
        looked=len(chosen),
        shapes=shapes,
        longest=int(texts.str.replace(DECIMALS, "").str.len_chars().to_numpy().max(initial=0)),
        falls=_count_falls(records.codes(name), _ranks(records, name)),
    )


def _spread_out(count: int) -> NDArray[np.int64]:
    """Places of so many values that are looked at, the same for the same values."""
    return np.unique(np.linspace(0, count - 1, min(count, LOOKED_AT)).astype(np.int64))


def _ranks(records: Records, name: str) -> NDArray[np.int64] | None:
    """Order of whole numbers that are coded as text, by code; None if codes are in order."""
    categories: object = records.coded[name].categories
    if not isinstance(categories, pl.Series):
        return None
    numbers = categories.str.strip_chars().cast(pl.Int64, strict=False)
    if numbers.null_count():
        return None
    return np.concatenate([[0], numbers.rank("ordinal").to_numpy()]).astype(np.int64)


def _count_falls(batches: Iterator[Codes], ranks: NDArray[np.int64] | None) -> int:
    falls, last = 0, 0
    for codes in batches:
        known = codes[codes > 0].astype(np.int64)
        if not len(known):
            continue
        known = known if ranks is None else ranks[known]
        falls += int(np.count_nonzero(np.diff(known, prepend=last) < 0))
        last = int(known[-1])
    return falls
