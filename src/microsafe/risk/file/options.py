"""Translate options for file risk into terms of the models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from microsafe.cells import Cells
from microsafe.errors import InputError, UsageError, did_you_mean
from microsafe.risk.table.crosstable import ImpossibleCells, Term

Bands = tuple[float, float, float]
USUAL_BANDS: Bands = (0.01, 0.03, 0.06)


def terms_named(
    keys: Sequence[str], asked: Literal["auto"] | int | Iterable[str | Sequence[str]]
) -> Literal["auto"] | int | list[Term]:
    """Return interactions as numbers of keys; `"age*sex"` names one of two keys."""
    if isinstance(asked, int):
        if asked < 1:
            raise UsageError("The number of interactions must be at least 1 (main effects only).")
        return asked
    if isinstance(asked, str):
        if asked == "auto":
            return "auto"
        raise UsageError("interactions must be 'auto', a number, or a list such as ['age*sex'].")
    parts = [each.split("*") if isinstance(each, str) else list(each) for each in asked]
    return [tuple(sorted({_place(keys, name.strip()) for name in term})) for term in parts]


def impossible_cells(
    cells: Cells, asked: Iterable[Mapping[str, Sequence[str]]]
) -> list[ImpossibleCells]:
    """Return impossible combinations as levels; refuse those that records have."""
    found = [_impossible(cells, dict(each)) for each in asked]
    for each in found:
        inside = np.logical_and.reduce(
            [
                np.isin(np.unique(cells.codes[key], return_inverse=True)[1], levels)
                for key, levels in zip(each.keys, each.levels, strict=True)
            ]
        )
        records = int(cells.count[inside].sum())
        if records:
            names = ", ".join(cells.keys[key] for key in each.keys)
            raise InputError(
                f"{records:,} records have a combination of {names} that is declared impossible. "
                "Correct the records, or declare fewer categories."
            )
    return found


def bands_of(bands: Sequence[float]) -> tuple[float, float, float]:
    """Return three shares in ascending order."""
    if len(bands) != 3 or not 0 < bands[0] < bands[1] < bands[2] < 1:
        raise UsageError("The bands must be three ascending shares, such as 0.01, 0.03, 0.06.")
    low, middle, high = (float(band) for band in bands)
    return low, middle, high


def _impossible(cells: Cells, asked: Mapping[str, Sequence[str]]) -> ImpossibleCells:
    if len(asked) < 2:
        raise UsageError("An impossible combination must name at least two keys.")
    chosen = sorted((_place(cells.keys, key), values) for key, values in asked.items())
    levels = []
    for key, values in chosen:
        present = np.unique(cells.codes[key])
        names = [cells.categories[key][code - 1] if code else "" for code in present.tolist()]
        wanted = [values] if isinstance(values, str) else [str(value) for value in values]
        for value in wanted:
            if value not in names:
                raise UsageError(f"Key {cells.keys[key]!r} has no category {value!r}.")
        levels.append(tuple(names.index(value) for value in wanted))
    return ImpossibleCells(keys=tuple(key for key, _ in chosen), levels=tuple(levels))


def _place(keys: Sequence[str], name: str) -> int:
    if name not in keys:
        raise UsageError(f"{name!r} is not a key.{did_you_mean(name, keys)}")
    return keys.index(name)
