"""Cells of the keys at any rungs: one more rung of each key, *out*, is for who does not look at it.

The node v with the keys D blank is, for who looks at the rest, the extended node with D out. So
the tables here are shared by all nodes, and by all sets of blanks.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number, number_packed
from microsafe.propose.ladders.ladder import Ladder
from microsafe.sums import Exact, Floats, sum_by

Rungs = tuple[int, ...]
Flags = NDArray[np.bool_]
Words = NDArray[np.int64]

_WORD = 1 << 63
_HELD = 16_000_000  # cells in all tables that are held: about half a gigabyte
_OFTEN = 64  # tables as large as that of the file; of a small one a quarter of all cells is enough
_DENSE = 1 << 22  # words below that are looked up in a table
_NEVER = 127  # a rung that no table is asked for


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NodeTable:
    """Cells of some keys at some rungs, in lexicographic order.

    Attributes:
        codes: Group of every cell by key; 0 for a key that is left out or missing.
        f: Records.
        weights: Sums of their weights, exact, so that it does not matter how a table was made; of
            tables that only count, 1 for each record.
        least: The lowest f/F of the cells of the file that are in each.
        words: Codes of every cell in one word, rising.
    """

    codes: tuple[NDArray[Any], ...]
    f: Floats
    weights: Exact
    least: Floats
    words: Words

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.f)

    @property
    def F(self) -> Floats:  # noqa: N802
        """Sum of the weights of every cell."""
        return self.weights.value


class Tables:
    """Tables of a file by rungs.

    Args:
        cells: Of the file.
        ladders: One for each key of the cells.
        weighed: Whether weights matter, not only counts.
    """

    def __init__(self, cells: Cells, ladders: Sequence[Ladder], *, weighed: bool = True) -> None:
        self.cells, self._weighed = cells, weighed
        self.tick: Callable[[], None] = lambda: None  # called before work; may raise
        self.out = tuple(len(ladder.rungs) for ladder in ladders)
        self._groups = [
            [
                *(_compact(groups) for groups in ladder.rungs),
                np.zeros(len(ladder.rungs[0]), np.int8),
            ]
            for ladder in ladders
        ]
        self.sizes = [
            [int(groups.max(initial=0)) + 1 for groups in group] for group in self._groups
        ]
        self._moves: dict[tuple[int, int, int], NDArray[Any]] = {}
        self._known: OrderedDict[Rungs, NodeTable] = OrderedDict()
        self._held = 0
        # Rungs and sizes of the tables that are held, to find one among them at once.
        self._names: list[Rungs] = []
        self._places: dict[Rungs, int] = {}
        self._list = np.full((len(ladders), 1), _NEVER, np.int8)  # by key: quick to compare
        self._sizes = np.zeros(1, np.int64)
        f = cells.count.astype(np.float64)
        bottom = (0,) * len(ladders)
        pairs = zip(self._groups, cells.codes, strict=True)
        codes = tuple(groups[0][code] for groups, code in pairs)
        self._bottom = NodeTable(
            codes=codes,
            f=f,
            weights=cells.weights if weighed else Exact(f, None),
            least=f / cells.weight if weighed else np.ones(1),
            words=self.pack(codes, bottom),
        )
        self._bottom = self._merge(self._bottom, bottom, bottom)
        self._room = min(_HELD, max(_HELD // 4, _OFTEN * len(self._bottom)))

    def at(self, rungs: Rungs) -> NodeTable:
        """Return the table of some rungs."""
        if rungs in self._known:
            self._known.move_to_end(rungs)
            return self._known[rungs]
        if not any(rungs):
            return self._bottom
        self.tick()
        old, known = self._find_finer(rungs)
        made = self._merge(known, old, rungs)
        self._remember(rungs, made)
        return made

    def _merge(self, known: NodeTable, old: Rungs, rungs: Rungs) -> NodeTable:
        words, span = self.words_at(known, old, rungs), self.span(rungs)
        if span < _WORD:
            group, first = number_packed(words, span)
        else:
            sizes = [self.sizes[j][rung] - 1 for j, rung in enumerate(rungs)]
            group, first = number(self.move(known, old, rungs), sizes, rows=len(known))
        f = sum_by(group, known.f, len(first))
        if self._weighed:
            weights, least = known.weights.group(group, len(first)), np.full(len(first), np.inf)
            np.minimum.at(least, group, known.least)
        else:
            weights, least = Exact(f, None), np.broadcast_to(1.0, len(first))
        return NodeTable(
            codes=self.move(known, old, rungs, first),
            f=f,
            weights=weights,
            least=least,
            words=words[first],
        )

    def _find_finer(self, rungs: Rungs) -> tuple[Rungs, NodeTable]:
        """Return the smallest table known that is finer than some rungs."""
        finer = np.flatnonzero((self._list <= np.array(rungs, np.int8)[:, None]).all(axis=0))
        if not len(finer):
            return (0,) * len(rungs), self._bottom
        name = self._names[finer[np.argmin(self._sizes[finer])]]
        return name, self._known[name]

    def move(
        self, table: NodeTable, old: Rungs, new: Rungs, rows: Index | None = None
    ) -> tuple[NDArray[Any], ...]:
        """Return the groups that cells of a table, all or some, are in at rungs no finer."""
        moved = []
        for j, code in enumerate(table.codes):
            some = code if rows is None else code[rows]
            moved.append(some if old[j] == new[j] else self._move(j, old[j], new[j]).take(some))
        return tuple(moved)

    def _move(self, key: int, old: int, new: int) -> NDArray[Any]:
        """Return the group at a rung of every group of one below."""
        if (key, old, new) not in self._moves:
            after = self._groups[key][new]
            found = np.zeros(self.sizes[key][old], after.dtype)
            found[self._groups[key][old]] = after
            self._moves[key, old, new] = found
        return self._moves[key, old, new]

    def _remember(self, rungs: Rungs, table: NodeTable) -> None:
        """Hold a table, and let go of those that were not asked for the longest."""
        self._known[rungs] = table
        self._held += len(table)
        place = len(self._names)
        while self._held > self._room and len(self._known) > 1:
            name, gone = self._known.popitem(last=False)
            self._held -= len(gone)
            place = self._places.pop(name)
            self._list[:, place] = _NEVER
        if place == len(self._names):
            self._names.append(rungs)
            if place == len(self._sizes):
                self._list = np.hstack([self._list, np.full_like(self._list, _NEVER)])
                self._sizes = np.concatenate([self._sizes, self._sizes])
        self._names[place] = rungs
        self._list[:, place] = rungs
        self._sizes[place] = len(table)
        self._places[rungs] = place

    def groups(self, key: int, rung: int) -> NDArray[Any]:
        """Return the group of every code of a key at a rung."""
        return self._groups[key][rung]

    def span(self, rungs: Rungs) -> int:
        """Return the number of combinations that there could be."""
        return math.prod(self.sizes[j][rung] for j, rung in enumerate(rungs))

    def pack(self, codes: Sequence[NDArray[Any]], rungs: Rungs, keys: int = -1) -> Words:
        """Return the codes of some cells in one word each; of keys that do not count, 0.

        Where numbers of 63 bits do not suffice they are Python's own: slower, but right.
        """
        wide = self.span(rungs) >= _WORD
        word = np.zeros(len(codes[0]), object if wide else np.int64)
        for j, rung in enumerate(rungs):
            size = self.sizes[j][rung]
            if size > 1:
                word *= size
                if keys >> j & 1:
                    word += codes[j].astype(object) if wide else codes[j]
        return word

    def words_at(
        self, table: NodeTable, old: Rungs, new: Rungs, rows: Index | None = None
    ) -> Words:
        """Return the words at rungs no finer of cells of a table, all or some."""
        if old == new:
            return table.words if rows is None else table.words[rows]
        if self.span(new) >= _WORD:
            return self.pack(self.move(table, old, new, rows), new)
        word = np.zeros(len(table) if rows is None else len(rows), np.int64)
        unit = 1
        for j in reversed(range(len(new))):
            if self.sizes[j][new[j]] > 1:
                worth = self._move(j, old[j], new[j]).astype(np.int64) * unit
                code = table.codes[j] if rows is None else table.codes[j][rows]
                word += worth.take(code)
                unit *= self.sizes[j][new[j]]
        return word

    def leave_out(self, words: Words, rungs: Rungs, keys: int) -> Words:
        """Return the words of the same cells once some keys are out."""
        unit = 1
        for j in reversed(range(len(rungs))):
            size = self.sizes[j][rungs[j]]
            if size > 1 and keys >> j & 1:
                high = words // unit  # a remainder would cost as much as four quotients
                words = words - (high - high // size) * unit
            else:
                unit *= size
        return words

    def cells_at(self, rungs: Rungs) -> Cells:
        """Return the cells of a node; categories are numbers."""
        table, weights = self.at(rungs), self.at(rungs).weights
        if not self._weighed:
            weights = self.cells.weights.group(self.parents((0,) * len(rungs), rungs), len(table))
        return Cells(
            keys=self.cells.keys,
            categories=tuple(
                [str(group) for group in range(1, self.sizes[j][rung])]
                for j, rung in enumerate(rungs)
            ),
            codes=tuple(code.astype(np.uint32) for code in table.codes),
            count=table.f.astype(np.int64),
            weights=weights,
        )

    def parents(self, low: Rungs, high: Rungs, rows: Index | None = None) -> Index:
        """Return for cells at some rungs, all or some, their cells at higher ones."""
        below, above = self.at(low), self.at(high)
        if low == high:
            return np.arange(len(below)) if rows is None else rows
        return np.searchsorted(above.words, self.words_at(below, low, high, rows))


def find_gaps(codes: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Return the keys that each cell does not show; bit j stands for key j."""
    gaps = np.zeros(len(codes[0]), np.int64)
    for j, code in enumerate(codes):
        if not code.all():
            gaps |= (code == 0).astype(np.int64) << j
    return gaps


def find_words(words: Words, asked: Words) -> tuple[Index, Flags]:
    """Return where some words stand among rising ones, and whether they do."""
    place = np.minimum(np.searchsorted(words, asked), len(words) - 1)
    return place, np.asarray(words[place] == asked, np.bool_)


def among(words: Words, asked: Words, span: int) -> Flags:
    """Tell which words are among rising ones; all are below `span`."""
    if span > min(_DENSE, 64 * len(asked)) or asked.dtype == object:
        return find_words(words, asked)[1]
    there = np.zeros(span, np.bool_)
    there[words] = True
    return there[asked]


def _compact(groups: NDArray[np.int64]) -> NDArray[Any]:
    return groups.astype(np.min_scalar_type(int(groups.max(initial=0))))
