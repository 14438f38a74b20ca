"""Sums of a log-linear model over keys: variable elimination on its small tables.

The fitted table is a product of small tables. To sum a key out, those that hold it are multiplied
and summed, so the cost follows the small tables and not the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from microsafe.cells import Index
from microsafe.risk.table.crosstable import Term
from microsafe.sums import Floats

_LARGEST = 1 << 22  # cells of a table made on the way; larger ones are summed row by row


class Factor(NamedTuple):
    """A table of a few keys, in ascending order."""

    keys: Term
    table: Floats


class Marginal(NamedTuple):
    """A model of fewer keys: a product of tables, summed over what is left to be summed.

    Attributes:
        factors: The tables.
        hidden: Keys that would make too large a table, each with its levels.
    """

    factors: tuple[Factor, ...]
    hidden: dict[int, int]

    def look_up(self, levels: Sequence[Index | None], rows: int) -> Floats:
        """Return the value of rows whose levels are given by key."""
        value = np.zeros(rows)
        for at in product(*(range(size) for size in self.hidden.values())):
            fixed = dict(zip(self.hidden, at, strict=True))
            part = np.ones(rows)
            for keys, table in self.factors:
                part *= table[tuple(fixed.get(key, levels[key]) for key in keys)]
            value += part
        return value

    def table(self, keys: Term, sizes: Sequence[int]) -> Floats:
        """Return the whole table of the keys that are left."""
        value = np.ones(())
        for held, table in self.factors:
            value = value * table.reshape([sizes[k] if k in held else 1 for k in keys])
        return np.broadcast_to(value, [sizes[key] for key in keys])


def sum_out(
    factors: Iterable[Factor], keep: Iterable[int], sizes: Sequence[int], largest: int = _LARGEST
) -> Marginal:
    """Sum a product of tables over all keys but a few, cheapest key first.

    Args:
        factors: The tables.
        keep: Keys to keep.
        sizes: Levels of each key.
        largest: Cells that a table made on the way may have.
    """
    left = list(factors)
    out = set(range(len(sizes))) - set(keep)
    while out:
        cost, key = min((_cells_joined(left, key, sizes), key) for key in out)
        if cost > largest:
            break
        out.discard(key)
        joined = [each for each in left if key in each.keys]
        left = [each for each in left if key not in each.keys]
        left.append(_sum_key(joined, key, sizes))
    return Marginal(tuple(left), {key: sizes[key] for key in sorted(out)})


def _cells_joined(factors: Iterable[Factor], key: int, sizes: Sequence[int]) -> int:
    keys = {other for each in factors if key in each.keys for other in each.keys}
    return prod(sizes[other] for other in keys)


def _sum_key(factors: Sequence[Factor], key: int, sizes: Sequence[int]) -> Factor:
    if not factors:
        return Factor((), np.array(float(sizes[key])))
    keys = tuple(sorted({other for each in factors for other in each.keys}))
    value = np.ones(())
    for held, table in factors:
        value = value * table.reshape([sizes[k] if k in held else 1 for k in keys])
    return Factor(tuple(k for k in keys if k != key), value.sum(axis=keys.index(key)))
