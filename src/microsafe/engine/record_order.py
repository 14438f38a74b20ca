"""Shuffle records: the same order on every engine, households together.

Households come in the order of what their first record draws, and members in that of what they
draw themselves; draws are those of `microsafe.draws`. The number of a record in the input decides
nothing but ties, so that nothing of the old order is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.draws import Draws, Words, check_seed

_STEP = 0  # steps of a plan are numbered from 1


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOrder:
    """How records are shuffled.

    Attributes:
        seed: Of the draws.
        households: Variables whose values stay together; where there are several, members of the
            second are together within those of the first. Records without one stand alone.
    """

    seed: int = field(repr=False)
    households: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Validate the fields."""
        check_seed(self.seed, "of a shuffle")

    def keys(self, numbers: Sequence[Words]) -> list[NDArray[np.int64]]:
        """Return what records are sorted by, one array after the other.

        Args:
            numbers: For each household variable the number of the first record of each record's
                household, and at last that of the record itself.
        """
        keys = []
        for level, words in enumerate(numbers, 1 - len(numbers)):
            draws = Draws(seed=self.seed, step=_STEP, variable=f"order {level}")
            keys += [draws.words(words)[:, 0] >> np.uint64(1), words]
        return [key.view(np.int64) for key in keys]


def sort_places(keys: Sequence[NDArray[np.int64]]) -> NDArray[np.integer[Any]]:
    """Return the places of records in their new order.

    Args:
        keys: As `NewOrder.keys` gives them, of records whose numbers rise.
    """
    # Draws are hardly ever equal, so that sorting by them alone is enough.
    draws, numbers = keys[::2], keys[1::2]
    places = pl.Series(draws[-1]).arg_sort().to_numpy()
    for draw in reversed(draws[:-1]):
        places = places[np.argsort(draw[places], kind="stable")]
    for draw, number in zip(draws, numbers, strict=True):
        drawn, of = draw[places], number[places]
        if bool(np.any((drawn[1:] == drawn[:-1]) & (of[1:] != of[:-1]))):
            return np.lexsort(keys[::-1])
    return places
