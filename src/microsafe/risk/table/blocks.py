"""Fit all two-way models of large tables by three blocks and matrix products.

The keys are split into three groups o, a, b. Any pair of keys lies within two of the groups, so
the fitted table is λ = X(o, a) Y(o, b) Z(a, b), and the margin of two groups is a product of
matrices: X ∘ (Y Zᵀ). A table of K cells is fitted with matrices of K ** (2/3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import prod

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from microsafe.cells import Index
from microsafe.risk.table.crosstable import CrossTable, ImpossibleCells, Term, distance, log, ratio
from microsafe.risk.table.tablesums import Function, sums_by_portions
from microsafe.sums import Floats, sum_by

_EXHAUSTIVE = 10  # keys up to which all ways to split them are tried
_AT_ONCE = 1 << 15  # cells whose function is taken at once


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


def groups_of(sizes: Sequence[int]) -> tuple[Term, Term, Term]:
    """Split the keys into three groups that keep the matrices small."""
    homes = _best_split(sizes) if len(sizes) <= _EXHAUSTIVE else _even_split(sizes)
    o, a, b = (tuple(k for k, home in enumerate(homes) if home == group) for group in range(3))
    return o, a, b


def _best_split(sizes: Sequence[int]) -> list[int]:
    """Try all ways to split; the first key may as well be in the first group."""
    spans = np.ones((1, 3))
    for size in sizes:
        spans = np.concatenate(
            [spans * np.where(np.arange(3) == home, size, 1) for home in range(3)]
        )
    o, a, b = spans.T
    best = int(np.argmin(o * a + o * b + a * b))
    return [best // 3**place % 3 for place in range(len(sizes))]


def _even_split(sizes: Sequence[int]) -> list[int]:
    """Put the largest keys first, each into the group that is smallest so far."""
    homes, spans = [0] * len(sizes), [1, 1, 1]
    for key in sorted(range(len(sizes)), key=lambda key: -sizes[key]):
        homes[key] = min(range(3), key=lambda group: spans[group])
        spans[homes[key]] *= sizes[key]
    return homes


class KeyGroup:
    """The configurations of one group of keys that can occur.

    Attributes:
        keys: The keys.
        sizes: Levels of each key.
        levels: For each key its level in every configuration.
        place: Number of the configuration of each occupied cell.
    """

    def __init__(
        self,
        table: CrossTable,
        keys: Term,
        terms: Sequence[Term],
        impossible: Sequence[ImpossibleCells],
    ) -> None:
        shape = [table.sizes[key] for key in keys]
        possible = np.ones(prod(shape), np.bool_)
        grid = np.indices(shape).reshape(len(keys), prod(shape))
        levels = dict(zip(keys, grid, strict=True))
        for term in terms:
            if set(term) <= set(keys):
                possible &= table.margin(term)[tuple(levels[key] for key in term)] > 0
        for each in impossible:
            if set(each.keys) <= set(keys):
                possible &= each.mask(table.sizes, keys).ravel() > 0
        number = np.cumsum(possible) - 1
        self.keys = keys
        self.sizes = {key: table.sizes[key] for key in keys}
        self.levels: dict[int, Index] = {key: level[possible] for key, level in levels.items()}
        self.place: Index = number[table.place(keys)]
        self.size = int(possible.sum())


class Block:
    """The matrix of two groups, and the terms that are fitted in it."""

    def __init__(
        self,
        rows: KeyGroup,
        columns: KeyGroup,
        targets: Mapping[Term, Floats],
        impossible: Sequence[ImpossibleCells],
    ) -> None:
        self.rows, self.columns = rows, columns
        self.targets = targets
        self.mask = np.ones((rows.size, columns.size))
        for each in impossible:
            if len(set(each.keys) & set(rows.keys)) == len(set(each.keys) & set(columns.keys)) == 1:
                self.mask[np.ix_(_inside(rows, each), _inside(columns, each))] = 0.0
        # By key of the rows the terms that join it to columns, as (term, key of the columns).
        self.across: dict[int, list[tuple[Term, int]]] = {key: [] for key in rows.keys}
        for term in targets:
            row, column = set(term) & set(rows.keys), set(term) & set(columns.keys)
            if row and column:
                self.across[row.pop()].append((term, column.pop()))
        self.in_rows = [term for term in targets if set(term) <= set(rows.keys)]
        self.in_columns = [term for term in targets if set(term) <= set(columns.keys)]

    def matrix(self, parameters: Mapping[Term, Floats]) -> tuple[Floats, float]:
        """Return the block that some parameters make, and the log by which it is too small."""
        logs = np.where(self.mask > 0, 0.0, -np.inf)
        for key, joined in self.across.items():
            if joined:
                known = (
                    self._facing(parameters, term, key)[:, self.columns.levels[other]]
                    for term, other in joined
                )
                logs += sum(known, np.zeros(()))[self.rows.levels[key]]
        for terms, group in ((self.in_rows, self.rows), (self.in_columns, self.columns)):
            along = np.zeros(group.size)
            for term in terms:
                along += parameters[term][tuple(group.levels[key] for key in term)]
            logs += along[:, None] if group is self.rows else along
        shift = float(logs.max())
        return np.exp(logs - shift, out=logs), shift

    def _facing(self, values: Mapping[Term, Floats], term: Term, key: int) -> Floats:
        """Values of a term with the key of the rows first; empty margins as nothing."""
        known = np.where(self.targets[term] > 0, values[term], -np.inf)
        return known if term[0] == key else known.T

    def fit(self, block: Floats, margin: Floats, parameters: Mapping[Term, Floats]) -> float:
        """Fit the terms of the block in place; return the largest relative distance met."""
        worst = [0.0]
        for key, joined in self.across.items():
            if joined:
                level = self.rows.levels[key]
                old = _sum_by_level(margin, level, self.rows.sizes[key])
                new = old.copy()
                for term, other in joined:
                    worst.append(self._fit_across(new, term, key, other, parameters))
                change = ratio(new, old)[level]
                margin *= change
                block *= change
        for terms, group in ((self.in_rows, self.rows), (self.in_columns, self.columns)):
            if terms:
                sums = margin.sum(axis=1 if group is self.rows else 0)
                old = sums.copy()
                worst += [self._fit_along(sums, group, term, parameters) for term in terms]
                change = ratio(sums, old)
                change = change[:, None] if group is self.rows else change
                margin *= change
                block *= change
        return max(worst)

    def _fit_across(
        self, fitted: Floats, term: Term, key: int, other: int, parameters: Mapping[Term, Floats]
    ) -> float:
        """Fit a term to the margin of one key of the rows and all columns."""
        level = self.columns.levels[other]
        target = self.targets[term] if term[0] == key else self.targets[term].T
        change = ratio(target, _sum_by_level(fitted.T, level, self.columns.sizes[other]).T)
        steps = log(change)
        parameters[term][...] += steps if term[0] == key else steps.T
        fitted *= change[:, level]
        return distance(change, target)

    def _fit_along(
        self, fitted: Floats, group: KeyGroup, term: Term, parameters: Mapping[Term, Floats]
    ) -> float:
        """Fit a term to the margin of one group."""
        target = self.targets[term]
        place = np.ravel_multi_index(tuple(group.levels[key] for key in term), target.shape)
        change = ratio(target, sum_by(place, fitted, target.size).reshape(target.shape))
        parameters[term][...] += log(change)
        fitted *= change.ravel()[place]
        return distance(change, target)


def _inside(group: KeyGroup, each: ImpossibleCells) -> NDArray[np.bool_]:
    """Which configurations of a group take an impossible level of its key."""
    key = next(key for key in each.keys if key in group.keys)
    return np.isin(group.levels[key], each.levels[each.keys.index(key)])


def _sum_by_level(matrix: Floats, level: Index, size: int) -> Floats:
    """Sum the rows of a matrix by level."""
    chosen = np.zeros((size, len(level)))
    chosen[level, np.arange(len(level))] = 1.0
    return chosen @ matrix


class Blocks:
    """A log-linear model with two-way terms as three matrices."""

    def __init__(
        self, table: CrossTable, terms: Sequence[Term], impossible: Sequence[ImpossibleCells] = ()
    ) -> None:
        self.table = table
        self.terms: Sequence[Term] = terms
        self.targets: Sequence[Floats] = [table.margin(term) for term in terms]
        o, a, b = (KeyGroup(table, keys, terms, impossible) for keys in groups_of(table.sizes))
        self.groups = o, a, b
        left = dict(zip(terms, self.targets, strict=True))
        self._blocks = []
        for rows, columns in ((o, a), (o, b), (a, b)):
            here = [term for term in left if set(term) <= set(rows.keys + columns.keys)]
            targets = {term: left.pop(term) for term in here}
            self._blocks.append(Block(rows, columns, targets, impossible))
        self.restart([np.zeros_like(target) for target in self.targets])

    def restart(self, parameters: Sequence[Floats]) -> None:
        """Take over parameters of the terms."""
        self.parameters = [parameter.copy() for parameter in parameters]
        made = [block.matrix(self._by_term()) for block in self._blocks]
        self._x, self._y, self._z = (matrix for matrix, _ in made)
        with _libraries().limit(limits=1, user_api="blas"):
            scale = self.table.population / float((self._x * (self._y @ self._z.T)).sum())
        self._x *= scale
        self.parameters[0] += np.log(scale) - sum(shift for _, shift in made)

    def _by_term(self) -> dict[Term, Floats]:
        return dict(zip(self.terms, self.parameters, strict=True))

    def round(self) -> float:
        """Fit every term once; return the largest relative distance from a margin met."""
        in_x, in_y, in_z = self._blocks
        # One thread: the last bits are then the same on every machine, and threads that wait
        # for each other by turning cost more than they save where cores are shared.
        with _libraries().limit(limits=1, user_api="blas"):
            return max(
                self._fit(in_x, self._x, lambda: self._y @ self._z.T),
                self._fit(in_y, self._y, lambda: self._x @ self._z),
                self._fit(in_z, self._z, lambda: self._x.T @ self._y),
            )

    def _fit(self, block: Block, matrix: Floats, others: Callable[[], Floats]) -> float:
        margin = others()
        margin *= matrix
        return block.fit(matrix, margin, self._by_term())

    def fitted_values(self) -> Floats:
        """Return the fitted value of every occupied cell."""
        o, a, b = (group.place for group in self.groups)
        value: Floats = self._x[o, a] * self._y[o, b] * self._z[a, b]
        return value

    def likelihood(self) -> float:
        """Return the sum over the sample of weight times log of the fitted value."""
        return float((self.table.weight * log(self.fitted_values())).sum())

    def sums(self, function: Function) -> Floats:
        """Return the sums of a function of the fitted value over all cells."""
        return sums_by_portions(function, self._portions())

    def _portions(self) -> Iterator[Floats]:
        columns = max(1, _AT_ONCE // self._z.shape[1])
        for x, y in zip(self._x, self._y, strict=True):
            for start in range(0, len(x), columns):
                part = slice(start, start + columns)
                values = self._z[part] * y
                values *= x[part, None]
                yield values.ravel()
