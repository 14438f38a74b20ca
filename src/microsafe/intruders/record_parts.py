"""Dealing records out in parts: what is learnt from some is tried on others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index, number
from microsafe.draws import Draws

MOST = 200_000  # records up to which all are looked at
_SEED = 0  # so that all who ask look at the same


def part_records(
    home: Index | None, columns: Sequence[Index], parts: int
) -> tuple[Index, NDArray[np.bool_]]:
    """Part records, members of a household together, and draw some if they are very many.

    It makes no difference in which order they are: what is drawn for a record hangs on its place
    once all are sorted by their values.

    Args:
        home: Number of each record's household, if there are any.
        columns: What records are told apart by where there are none.
        parts: How many parts.

    Returns:
        The part of each record, and which records are drawn.
    """
    place = home
    if place is None:
        sizes = [int(codes.max(initial=0)) for codes in columns]
        group, _ = number(columns, sizes, rows=len(columns[0]))
        place = np.empty(len(group), np.intp)
        place[np.argsort(group, kind="stable")] = np.arange(len(group))
    words = Draws(seed=_SEED, step=0, variable="parts").words(place.astype(np.uint64))
    part = (words[:, 0] % np.uint64(parts)).astype(np.intp)
    if len(part) <= MOST:
        return part, np.ones(len(part), np.bool_)
    lot = words[:, 1]
    return part, lot <= np.partition(lot, MOST - 1)[MOST - 1]
