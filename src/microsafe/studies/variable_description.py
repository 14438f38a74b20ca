"""What each key adds to those before it: combinations, and records that are alone with theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from microsafe.cells import Cells, number
from microsafe.engine import Engine
from microsafe.errors import InputError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyGain:
    """What a key adds to those before it.

    Attributes:
        combinations: Of it and those before it, as many as occur.
        uniques: Share of the records that are alone with theirs, missing being a category.
        adds: How much of that share it adds.
    """

    combinations: int
    uniques: float
    adds: float


def measure_gains(
    engine: Engine, keys: Sequence[str], *, progress: Progress = silent
) -> dict[str, KeyGain]:
    """Return what each key adds to those before it, exactly, from the cells of all of them.

    Where there are more combinations than the engine can count, the last keys are left out.

    Args:
        engine: The data.
        keys: In the order in which they are added.
        progress: Progress callback.
    """
    for count in range(len(keys), 0, -2):
        try:
            cells = engine.cells(Scenario(keys=tuple(keys[:count])), progress=progress)
        except InputError:  # too many combinations to be counted
            continue
        return _compare_prefixes(cells)
    return {}


def _compare_prefixes(cells: Cells) -> dict[str, KeyGain]:
    """Take away one key after the other: what is left has fewer and fewer combinations."""
    codes, count = cells.codes, cells.count
    alone: list[tuple[int, float]] = []
    for place in range(len(cells.keys), 0, -1):
        sizes = [len(each) for each in cells.categories[:place]]
        group, first = number(codes[:place], sizes, rows=len(count))
        count = np.bincount(group, count, len(first)).astype(np.int64)
        codes = tuple(each[first] for each in codes[:place])
        alone.append((len(first), float(np.count_nonzero(count == 1) / max(cells.records, 1))))
    found, before = {}, 0.0
    for key, (combinations, uniques) in zip(cells.keys, reversed(alone), strict=True):
        found[key] = KeyGain(combinations=combinations, uniques=uniques, adds=uniques - before)
        before = uniques
    return found
