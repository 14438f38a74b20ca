"""Sets of keys that an intruder may use besides numbers, where some were perturbed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from microsafe.cells import Cells, Index
from microsafe.engine.record_access import Selection
from microsafe.progress import Progress, silent
from microsafe.risk.numeric.pairs import KeySubset
from microsafe.risk.record.retention import left_out
from microsafe.sums import Exact

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.steps.perturbation import PerturbationState


def count_key_subsets(known: PerturbationState, keys: Sequence[str]) -> int:
    """Return how many sets of keys there are to look at."""
    return 1 + sum(1 for _ in left_out(known.find_perturbed(keys)))


def find_key_subsets(
    known: PerturbationState, keys: Sequence[str], *, progress: Progress = silent
) -> list[KeySubset]:
    """Return the sets of keys, with true classes and chances of all records in their order.

    All keys come first. An intruder may leave out any of the perturbed ones, all keys even: he
    still has the numbers.
    """
    cells, cell = _count_cells(known, keys, progress)
    kept = known.kept_keys(cells, keys)
    found = []
    for gone in ((), *left_out(known.find_perturbed(keys))):
        left = tuple(key for key in keys if key not in gone)
        group = cells.project(left)[1][cell] if left else None
        chance = kept.chance(left)[cell] if any(key in kept.chances for key in left) else None
        found.append(KeySubset(group=group, chance=chance))
    return found


def _count_cells(
    known: PerturbationState, keys: Sequence[str], progress: Progress
) -> tuple[Cells, Index]:
    """Cells by true keys and the classes of chances, and that of each record."""
    names = known.with_classes(keys)
    forms = Selection(forms=dict.fromkeys(names, "code"))
    batches = list(known.full.columns(forms, progress=progress))
    codes = [
        np.concatenate([np.where(p.missing, 0, p.data) for p in parts]).astype(np.uint32)
        for parts in ([batch.columns[name] for batch in batches] for name in names)
    ]
    count = len(codes[0])
    records = Cells(
        keys=names,
        categories=tuple(known.full.categories(name) for name in names),
        codes=tuple(codes),
        count=np.ones(count, np.int64),
        weights=Exact.split(np.ones(count)),
    )
    return records.project(names)
