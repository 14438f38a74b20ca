"""Sums of a log-linear model over keys: variable elimination on its small tables.

The fitted table is a product of small tables. To sum a key out, those that hold it are multiplied
and summed, so the cost follows the small tables and not the whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from microsafe.cells import Index, number
from microsafe.risk.table.crosstable import Term
from microsafe.sums import Floats

_LARGEST = 1 << 18  # cells of a table that is kept; larger ones are summed for the rows asked for
_AT_ONCE = 1 << 20  # cells worked on at once for them

Sizes = Sequence[int] | Mapping[int, int]


class Factor(NamedTuple):
    """A table of a few keys, in ascending order."""

    keys: Term
    table: Floats


class Marginal(NamedTuple):
    """A model of fewer keys: a product of tables, summed over what is left to be summed.

    Attributes:
        factors: The tables.
        hidden: Keys that would make too large a table; they are summed out for the rows asked for.
        sizes: Levels of each key.
    """

    factors: tuple[Factor, ...]
    hidden: frozenset[int]
    sizes: Sequence[int]

    def look_up(self, levels: Sequence[Index | None], rows: int) -> Floats:
        """Return the value of rows whose levels are given by key."""
        value = np.ones(rows)
        open_ = [factor for factor in self.factors if self.hidden & set(factor.keys)]
        for keys, table in self.factors:
            if not self.hidden & set(keys):
                value *= table[tuple(levels[key] for key in keys)]
        if open_:
            value *= self._sum_distinct(open_, levels, rows)
        return value

    def table(self, keys: Term) -> Floats:
        """Return the whole table of the keys that are left, in ascending order."""
        shape = [self.sizes[key] for key in keys]
        if self.hidden:
            grid = dict(zip(keys, np.indices(shape).reshape(len(keys), prod(shape)), strict=True))
            levels = [grid.get(key) for key in range(len(self.sizes))]
            return self.look_up(levels, prod(shape)).reshape(shape)
        return np.broadcast_to(multiply(self.factors, keys, self.sizes), shape)

    def _sum_distinct(
        self, factors: Sequence[Factor], levels: Sequence[Index | None], rows: int
    ) -> Floats:
        """Sum out the hidden keys once for all rows that agree on the others."""
        shown = sorted({key for factor in factors for key in factor.keys} - self.hidden)
        codes = [np.asarray(levels[key]) for key in shown]
        group, first = number(codes, [self.sizes[key] for key in shown], rows=rows)
        few: list[Index | None] = [None] * len(self.sizes)
        for key, code in zip(shown, codes, strict=True):
            few[key] = code[first]
        value = np.empty(len(first))
        step = max(1, _AT_ONCE // self._largest_hidden(factors))
        for start in range(0, len(first), step):
            part = slice(start, min(start + step, len(first)))
            value[part] = self._sum_hidden(factors, few, part)
        return value[group]

    def _largest_hidden(self, factors: Sequence[Factor]) -> int:
        """Cells of the largest table that summing out the hidden keys of one row makes."""
        left = [set(factor.keys) & self.hidden for factor in factors]
        out, largest = set(self.hidden), 1
        while out:
            joined = {key: set().union(*(keys for keys in left if key in keys)) for key in out}
            cells, key = min((prod(self.sizes[k] for k in joined[key]), key) for key in out)
            largest = max(largest, cells)
            out.discard(key)
            left = [*(keys for keys in left if key not in keys), joined[key] - {key}]
        return largest

    def _sum_hidden(
        self, factors: Sequence[Factor], levels: Sequence[Index | None], part: slice
    ) -> Floats:
        """Sum out the hidden keys of some rows: their tables at the levels that the rows have.

        The rows are a key of their own, number -1, with as many levels as there are rows.
        """
        left = [take_rows(factor, self.hidden, levels, part) for factor in factors]
        sizes = {-1: part.stop - part.start, **{key: self.sizes[key] for key in self.hidden}}
        return np.asarray(multiply(sum_keys(left, self.hidden, sizes), (-1,), sizes))


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
        left = _sum_key(left, key, sizes)
    return Marginal(tuple(left), frozenset(out), sizes)


def take_rows(
    factor: Factor, hidden: Collection[int], levels: Sequence[Index | None], part: slice
) -> Factor:
    """Return a table of hidden keys at the levels that some rows have of its other keys.

    The rows are a key of their own, number -1.
    """
    keys = [key for key in factor.keys if key in hidden]
    shown = [key for key in factor.keys if key not in hidden]
    order = [factor.keys.index(key) for key in (*shown, *keys)]
    chosen = [np.asarray(levels[key])[part] for key in shown]
    table = factor.table.transpose(order)[tuple(chosen)]
    return Factor((-1, *keys) if shown else tuple(keys), table)


def _cells_joined(factors: Iterable[Factor], key: int, sizes: Sizes) -> int:
    keys = {other for factor in factors if key in factor.keys for other in factor.keys}
    return prod(sizes[other] for other in keys)


def sum_keys(factors: Sequence[Factor], keys: Collection[int], sizes: Sizes) -> Sequence[Factor]:
    """Sum a product of tables over some keys, cheapest key first."""
    out = set(keys)
    while out:
        _, key = min((_cells_joined(factors, key, sizes), key) for key in out)
        out.discard(key)
        factors = _sum_key(factors, key, sizes)
    return factors


def _sum_key(factors: Sequence[Factor], key: int, sizes: Sizes) -> list[Factor]:
    """Multiply the tables that hold a key, and sum it out."""
    joined = [factor for factor in factors if key in factor.keys]
    keys = tuple(sorted({other for each in joined for other in each.keys} | {key}))
    summed = np.broadcast_to(multiply(joined, keys, sizes), [sizes[k] for k in keys])
    new = Factor(tuple(k for k in keys if k != key), summed.sum(axis=keys.index(key)))
    return [*(factor for factor in factors if key not in factor.keys), new]


def multiply(factors: Iterable[Factor], keys: Term, sizes: Sizes) -> Floats:
    """Return the product of some tables; keys that none of them holds have one level."""
    value = np.ones([1] * len(keys))
    for held, table in factors:
        value = value * table.reshape([sizes[key] if key in held else 1 for key in keys])
    return value
