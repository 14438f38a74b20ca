"""Fit log-linear models on a tree of cliques: the cost follows the terms, not the table.

The keys are the points of a graph, two of them joined if a term holds both. Once the graph is
made chordal, the fitted table is a product of small tables, one for each clique, over those of
their overlaps. Margins, cell values and sums over all cells follow from the small tables.

References:
    Jirousek and Preucil (1995), On the effective implementation of the iterative proportional
    fitting procedure. Lauritzen and Spiegelhalter (1988), Local computations with probabilities
    on graphical structures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from microsafe.risk.table.crosstable import CrossTable, ImpossibleCells, Term, distance, log, ratio
from microsafe.risk.table.tablesums import WAVES, Function, sums_by_powers
from microsafe.sums import Floats

_DENSE = 1 << 22  # cells that may be laid out one by one
_POWERS_AT_ONCE = 1 << 23  # complex numbers: an eighth of a gigabyte


@dataclass(frozen=True, slots=True, kw_only=True)
class Clique:
    """Keys that are fitted together.

    Attributes:
        keys: The keys, in ascending order.
        parent: Number of the clique that it hangs on; -1 for the root.
        overlap: The keys that both have.
    """

    keys: Term
    parent: int
    overlap: Term


def cliques_of(sizes: Sequence[int], terms: Iterable[Term]) -> list[Clique]:
    """Return a tree of cliques that covers all terms, parents first."""
    joined: list[set[int]] = [set() for _ in sizes]
    for term in terms:
        for key in term:
            joined[key].update(term)
    for key, others in enumerate(joined):
        others.discard(key)
    left = set(range(len(sizes)))
    found: list[set[int]] = []
    while left:
        # Taking out the key whose neighbourhood makes the smallest table keeps tables small.
        key = min(left, key=lambda one: (prod(sizes[k] for k in joined[one] & left), one))
        clique = (joined[key] & left) | {key}
        for one in clique:
            joined[one] |= clique - {one}
        left.discard(key)
        if not any(clique <= other for other in found):
            found.append(clique)
    return _tree([tuple(sorted(clique)) for clique in found])


def _tree(cliques: Sequence[Term]) -> list[Clique]:
    """Join the cliques so that the overlaps are as large as possible."""
    order = [0]
    tree = [Clique(keys=cliques[0], parent=-1, overlap=())]
    while len(order) < len(cliques):
        _, parent, new = max(
            (len(set(cliques[order[place]]) & set(cliques[other])), -place, -other)
            for place in range(len(order))
            for other in range(len(cliques))
            if other not in order
        )
        overlap = tuple(sorted(set(cliques[order[-parent]]) & set(cliques[-new])))
        tree.append(Clique(keys=cliques[-new], parent=-parent, overlap=overlap))
        order.append(-new)
    return tree


def tree_size(sizes: Sequence[int], tree: Sequence[Clique]) -> int:
    """Return the cells of all small tables together."""
    return sum(prod(sizes[key] for key in clique.keys) for clique in tree)


class CliqueTree:
    """A log-linear model as a tree of small tables.

    The model is a sum of parameters, one array for each term; `tables[c]` is the margin of
    clique c, and `overlaps[c]` that of what it shares with its parent.
    """

    def __init__(
        self, table: CrossTable, terms: Sequence[Term], impossible: Sequence[ImpossibleCells] = ()
    ) -> None:
        self.table = table
        self.terms: Sequence[Term] = terms
        self.tree = cliques_of(table.sizes, [*terms, *(each.keys for each in impossible)])
        self.targets: Sequence[Floats] = [table.margin(term) for term in terms]
        self._aims = [self._aim(term) for term in terms]
        self._masks = [np.ones(self._shape(clique.keys)) for clique in self.tree]
        for each in impossible:
            home = self._home(each.keys)
            self._masks[home] = self._masks[home] * each.mask(table.sizes, self.tree[home].keys)
        self._children = [
            [n for n, clique in enumerate(self.tree) if clique.parent == number]
            for number in range(len(self.tree))
        ]
        self._links = [self._link(number) for number in range(len(self.tree))]
        self.restart([np.zeros_like(target) for target in self.targets])

    def restart(self, parameters: Sequence[Floats]) -> None:
        """Take over parameters of the terms."""
        self.parameters = [parameter.copy() for parameter in parameters]
        logs = [np.where(mask > 0, 0.0, -np.inf) for mask in self._masks]
        for (home, _, spread), target, each in zip(
            self._aims, self.targets, parameters, strict=True
        ):
            logs[home] += np.where(target > 0, each, -np.inf).reshape(spread)
        shifts = [each.max() for each in logs]
        self.tables = [np.exp(each - shift) for each, shift in zip(logs, shifts, strict=True)]
        self.overlaps = [np.ones(self._shape(clique.overlap)) for clique in self.tree]
        for number in range(len(self.tree) - 1, 0, -1):
            self._up(number)
        scale = self.table.population / self.tables[0].sum()
        self.tables[0] *= scale
        self.parameters[0] += np.log(scale) - sum(shifts)
        self._distribute()

    def round(self) -> float:
        """Fit every term once; return the largest relative distance from a margin met."""
        worst = self._visit(0)
        self._distribute()
        return worst

    def _visit(self, number: int) -> float:
        worst = 0.0
        fitted = self.tables[number]
        for place, (home, away, spread) in enumerate(self._aims):
            if home != number:
                continue
            target = self.targets[place]
            change = ratio(target, fitted.sum(axis=away))
            worst = max(worst, distance(change, target))
            self.parameters[place] += log(change)
            fitted *= change.reshape(spread)
        for child in self._children[number]:
            self._down(child)
            worst = max(worst, self._visit(child))
            self._up(child)
        return worst

    def fitted_values(self) -> Floats:
        """Return the fitted value of every occupied cell."""
        value = np.ones(len(self.table.f))
        for clique, factor in zip(self.tree, self._factor_tables(), strict=True):
            value *= factor[tuple(self.table.codes[key] for key in clique.keys)]
        return value

    def likelihood(self) -> float:
        """Return the sum over the sample of weight times log of the fitted value."""
        return sum(
            float((self.table.margin(clique.keys) * log(factor)).sum())
            for clique, factor in zip(self.tree, self._factor_tables(), strict=True)
        )

    def sums(self, function: Function) -> Floats:
        """Return the sums of a function of the fitted value over all cells."""
        size = tree_size(self.table.sizes, self.tree)
        if self.table.cells <= min(_DENSE, WAVES * size):
            sums: Floats = function(self.dense()).sum(axis=1)
            return sums
        parts = 1 + WAVES * size // _POWERS_AT_ONCE

        def powers(exponents: NDArray[np.complex128]) -> NDArray[np.complex128]:
            return np.concatenate([self._powers(some) for some in np.array_split(exponents, parts)])

        return sums_by_powers(function, powers)

    def dense(self) -> Floats:
        """Return the fitted value of every cell of the table, empty or not, row by row."""
        sizes = self.table.sizes
        value = np.ones(())
        for clique, factor in zip(self.tree, self._factor_tables(), strict=True):
            shape = tuple(sizes[key] if key in clique.keys else 1 for key in range(len(sizes)))
            value = value * factor.reshape(shape)
        return np.broadcast_to(value, sizes).ravel()

    def _powers(self, exponents: NDArray[np.complex128]) -> NDArray[np.complex128]:
        """Return, for exponents z that rise in equal steps, the sums over all cells of value ** z.

        So each power is the one before times the step's, which is much quicker than `exp`.
        """
        factors = self._factor_tables()
        steps = np.diff(exponents[:2], prepend=0.0)
        messages: dict[int, NDArray[np.complex128]] = {}
        for number in range(len(self.tree) - 1, -1, -1):
            factor = factors[number]
            raised = np.empty((len(exponents), *factor.shape), np.complex128)
            raised[:1] = np.exp(steps[0] * log(factor)) * (factor > 0)
            raised[1:] = np.exp(steps[-1] * log(factor))
            np.cumprod(raised, axis=0, out=raised)
            for child in self._children[number]:
                raised *= messages[child].reshape((len(exponents), *self._links[child][3]))
            away = self._links[number][0]
            messages[number] = raised.sum(axis=tuple(axis + 1 for axis in away))
        return messages[0]

    def factors(self) -> list[tuple[Term, Floats]]:
        """Return keys and tables whose product is the fitted table."""
        keys = [clique.keys for clique in self.tree]
        return list(zip(keys, self._factor_tables(), strict=True))

    def _factor_tables(self) -> list[Floats]:
        """Tables whose product is the fitted table."""
        return [
            ratio(fitted, overlap.reshape(link[1]))
            for fitted, overlap, link in zip(self.tables, self.overlaps, self._links, strict=True)
        ]

    def _shape(self, keys: Term) -> tuple[int, ...]:
        return tuple(self.table.sizes[key] for key in keys)

    def _home(self, term: Term) -> int:
        """The smallest clique that holds a term."""
        homes = [n for n, clique in enumerate(self.tree) if set(term) <= set(clique.keys)]
        return min(homes, key=lambda n: (prod(self._shape(self.tree[n].keys)), n))

    def _aim(self, term: Term) -> tuple[int, Term, Term]:
        home = self._home(term)
        return home, *self._fold(self.tree[home].keys, term)

    def _fold(self, keys: Term, kept: Term) -> tuple[Term, Term]:
        """Axes to sum away to keep a few keys, and the shape that spreads them out again."""
        away = tuple(axis for axis, key in enumerate(keys) if key not in kept)
        spread = tuple(self.table.sizes[key] if key in kept else 1 for key in keys)
        return away, spread

    def _link(self, number: int) -> tuple[Term, Term, Term, Term]:
        """How a clique folds to the overlap with its parent, and its parent to it."""
        clique = self.tree[number]
        above = self.tree[clique.parent].keys if clique.parent >= 0 else ()
        return *self._fold(clique.keys, clique.overlap), *self._fold(above, clique.overlap)

    def _up(self, number: int) -> None:
        away, _, _, spread = self._links[number]
        new = self.tables[number].sum(axis=away)
        self.tables[self.tree[number].parent] *= self._renew_overlap(number, new).reshape(spread)

    def _down(self, number: int) -> None:
        _, spread, away, _ = self._links[number]
        new = self.tables[self.tree[number].parent].sum(axis=away)
        self.tables[number] *= self._renew_overlap(number, new).reshape(spread)

    def _renew_overlap(self, number: int, overlap: Floats) -> Floats:
        change = ratio(overlap, self.overlaps[number])
        self.overlaps[number] = np.asarray(overlap)
        return change

    def _distribute(self) -> None:
        for number in range(1, len(self.tree)):
            self._down(number)
