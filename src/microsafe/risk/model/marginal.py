"""Sums of a log-linear model over keys: variable elimination on its small tables.

The fitted table is a product of small tables. To sum a key out, those that hold it are multiplied
and summed, so the cost follows the small tables and not the whole. Levels of a key that were
merged are summed in the same way, group by group.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Marginal:
    """A model of fewer keys: a product of tables, summed over what is left to be summed.

    Attributes:
        factors: The tables.
        hidden: Keys that would make too large a table, each with its levels.
        members: Keys whose groups would, each with the levels of every group; -1 fills up.
    """

    factors: tuple[Factor, ...]
    hidden: Mapping[int, int]
    members: Mapping[int, Index]

    def look_up(self, levels: Sequence[Index | None], rows: int) -> Floats:
        """Return the value of rows whose levels, or groups of levels, are given by key."""
        value = np.zeros(rows)
        ranges = [*self.hidden.values(), *(each.shape[1] for each in self.members.values())]
        for at in product(*map(range, ranges)):
            fixed = dict(zip([*self.hidden, *self.members], at, strict=True))
            part = np.ones(rows)
            here = list(levels)
            for key, members in self.members.items():
                level = members[levels[key], fixed.pop(key)]
                part[level < 0] = 0.0
                here[key] = level
            for keys, table in self.factors:
                part *= table[tuple(fixed.get(key, here[key]) for key in keys)]
            value += part
        return value

    def table(self, keys: Term, sizes: Sequence[int]) -> Floats:
        """Return the whole table of the keys that are left."""
        return np.broadcast_to(_multiply(self.factors, keys), [sizes[key] for key in keys])


def sum_out(
    factors: Iterable[Factor],
    keep: Iterable[int],
    sizes: Sequence[int],
    groups: Mapping[int, Index] | None = None,
    largest: int = _LARGEST,
) -> Marginal:
    """Sum a product of tables over all keys but a few, cheapest key first.

    Args:
        factors: The tables.
        keep: Keys to keep.
        sizes: Levels of each key.
        groups: For keys of which levels were merged, the group of each level.
        largest: Cells that a table made on the way may have.
    """
    left = list(factors)
    kept = set(keep)
    out = set(range(len(sizes))) - kept
    merged = {key: group for key, group in (groups or {}).items() if key in kept}
    todo = out | set(merged)
    while todo:
        cost, key = min((_cells_joined(left, key, sizes), key) for key in todo)
        if cost > largest:
            break
        todo.discard(key)
        joined = [each for each in left if key in each.keys]
        left = [each for each in left if key not in each.keys]
        left.append(_sum_key(joined, key, merged.get(key), sizes[key]))
    return Marginal(
        factors=tuple(left),
        hidden={key: sizes[key] for key in sorted(todo & out)},
        members={key: _list_members(merged[key]) for key in sorted(todo - out)},
    )


def _cells_joined(factors: Iterable[Factor], key: int, sizes: Sequence[int]) -> int:
    keys = {other for each in factors if key in each.keys for other in each.keys}
    return prod(sizes[other] for other in keys)


def _sum_key(factors: Sequence[Factor], key: int, groups: Index | None, size: int) -> Factor:
    """Sum the product of tables over all levels of a key, or over those of each group."""
    if not factors:
        factors = [Factor((key,), np.ones(size))]
    keys = tuple(sorted({other for each in factors for other in each.keys}))
    value, axis = _multiply(factors, keys), keys.index(key)
    if groups is None:
        return Factor(tuple(k for k in keys if k != key), value.sum(axis=axis))
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    return Factor(keys, np.add.reduceat(np.take(value, order, axis=axis), starts, axis=axis))


def _multiply(factors: Iterable[Factor], keys: Term) -> Floats:
    value = np.ones(())
    for held, table in factors:
        length = dict(zip(held, table.shape, strict=True))
        value = value * table.reshape([length.get(key, 1) for key in keys])
    return value


def _list_members(groups: Index) -> Index:
    """The levels of each group, in rows that are filled up with -1."""
    size = np.bincount(groups)
    order = np.argsort(groups, kind="stable")
    within = np.arange(len(groups)) - np.repeat(np.cumsum(size) - size, size)
    members = np.full((len(size), int(size.max())), -1, np.intp)
    members[groups[order], within] = order
    return members
