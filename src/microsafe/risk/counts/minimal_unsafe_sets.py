"""Find the minimal unsafe sets of keys of each cell.

A cell is unsafe on a set of keys if those who share its values of these keys are too few, or
at too high a risk. It is minimally so if it is safe on every smaller set within. With "fewer
than two" these are the minimal sample uniques of SUDA.

The tables of all sets of keys are visited as a tree, each made from one with a key more. Only
cells that are unsafe there are followed, as the others are safe on every smaller set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.errors import InputError, UsageError
from microsafe.progress import Progress, silent
from microsafe.risk.record.subset_frequencies import Masks, Subsets
from microsafe.risk.record.wildcard import matches
from microsafe.sums import Floats

Unsafe = Callable[[Index, int, Floats, Floats], NDArray[np.bool_]]
Afford = Callable[[int, int], None]
_STAGE = "searching combinations"
_MOST_SETS = 1 << 24
_PER_SET = 200  # bytes, besides one bit for each unsafe cell


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MinimalUnsafeSets:
    """The minimal unsafe sets of keys of a file.

    Attributes:
        f: Sample frequency of each cell on all keys.
        rows: The cells that are unsafe on all keys; only they hold unsafe sets.
        sets: Sets of keys (bit j stands for key j), the smallest first, each with the cells
            in which it is minimally unsafe, in order. Sets without such cells are left out.
    """

    f: Floats
    rows: Index
    sets: Sequence[tuple[int, Index]]


def minimal_sets(
    cells: Cells,
    unsafe: Unsafe,
    *,
    max_size: int | None = None,
    afford: Afford = lambda _, __: None,
    progress: Progress = silent,
) -> MinimalUnsafeSets:
    """Find the minimal unsafe sets of keys of every cell.

    Args:
        cells: Of the file; a missing key may stand for any category.
        unsafe: Tells which cells are unsafe, given their numbers, the keys that they are seen by,
            f and F.
        max_size: Most keys in a set; all if None.
        afford: Told, before the search, the number of sets and the bytes that they may take; may
            refuse so many.
        progress: Progress callback.

    Raises:
        InputError: There are so many sets that the search would take hours.

    Assumes:
        What is safe stays so when it is shared by more: leaving out a key never makes a cell
        unsafe.
    """
    if max_size is not None and max_size < 1:
        raise UsageError("The largest number of keys (max_size) must be at least 1.")
    largest = len(cells.keys) if max_size is None else min(max_size, len(cells.keys))
    sets = count_sets(len(cells.keys), largest)
    f, F = matches(cells, progress=progress).frequencies(1.0)
    rows = np.flatnonzero(unsafe(np.arange(len(cells)), (1 << len(cells.keys)) - 1, f, F))
    if len(rows):
        afford(sets, sets * (_PER_SET + len(rows) // 8))
    search = _Search(cells, unsafe, rows, largest, progress)
    search.run()
    found = [(mask, rows[held]) for mask, held in search.minimal()]
    return MinimalUnsafeSets(f=f, rows=rows, sets=found)


def count_sets(keys: int, largest: int) -> int:
    """Return the number of sets of at most so many keys.

    Raises:
        InputError: It is so large that a search would take hours.
    """
    sets = sum(comb(keys, size) for size in range(1, largest + 1))
    if sets > _MOST_SETS:
        raise InputError(
            f"{keys} keys have {sets:,} combinations of at most {largest}, and at most "
            f"{_MOST_SETS:,} can be searched. Name fewer keys, or a smaller largest number of keys "
            "(--max-size, max_size=)."
        )
    return sets


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Node:
    """The table of a set of keys, and the cells of the file that are unsafe in it.

    Attributes:
        table: The cells of these keys.
        number: Which of the cells that are unsafe on all keys are unsafe on these.
        place: Where they are in the table.
    """

    table: Cells
    number: Index
    place: Index


class _Search:
    """The walk through the sets of keys. It keeps one bit for each set and unsafe cell."""

    def __init__(
        self, cells: Cells, unsafe: Unsafe, rows: Index, largest: int, progress: Progress
    ) -> None:
        self._cells, self._unsafe, self._rows, self._largest = cells, unsafe, rows, largest
        self._subsets = None if cells.complete else Subsets(cells)
        self._bits: dict[int, NDArray[np.uint8]] = {}
        self._progress, self._done = progress, 0
        self._sets = sum(comb(len(cells.keys), size) for size in range(1, largest + 1))

    def run(self) -> None:
        """Visit all sets of keys that are small enough.

        Those of the largest size are made from all keys. From each, smaller ones are made by
        leaving out some of the keys it begins with, so that every set is made once.
        """
        # Keys with many categories are left out first, as that shrinks tables most.
        sizes = [len(category) for category in self._cells.categories]
        order = sorted(self._cells.keys, key=lambda key: -sizes[self._cells.keys.index(key)])
        root = _Node(table=self._cells, number=np.arange(len(self._rows)), place=self._rows)
        for keys in combinations(order, self._largest):
            start = next((i for i, key in enumerate(keys) if key != order[i]), self._largest)
            self._visit(self._restrict_node(root, keys), keys[start:], keys[:start])
        self._progress(_STAGE, 1.0)

    def _visit(self, node: _Node, kept: Sequence[str], rest: Sequence[str]) -> None:
        """Note what is unsafe on a set of keys, then leave out some of the rest in turn."""
        any_unsafe = len(node.number) > 0
        # If there is none, nothing is unsafe on a part of the set either.
        self._done += 1 if any_unsafe else 2 ** len(rest) - (not kept)
        self._progress(_STAGE, self._done / self._sets)
        if not any_unsafe:
            return
        self._bits[self._mask(node.table.keys)] = self._flags(node)
        for place in range(len(rest)):
            stay, below = (*kept, *rest[:place]), rest[place + 1 :]
            if stay or below:
                self._visit(self._restrict_node(node, (*stay, *below)), stay, below)

    def _restrict_node(self, node: _Node, keys: Sequence[str]) -> _Node:
        """The node of fewer keys."""
        table, group = node.table.project(keys)
        place, mask = group[node.place], self._mask(keys)
        held = np.zeros(len(table), np.bool_)
        held[place] = True
        held[held] = self._unsafe(
            self._one_of_each(node, place, len(table))[held],
            mask,
            table.count[held].astype(np.float64),
            table.weight[held],
        )
        still = held[place]
        number, place = node.number[still], place[still]
        if self._subsets is not None:
            # So far a gap was a category, which can only make a cell look less safe.
            f, F = self._subsets.frequencies(self._rows[number], mask)
            still = self._unsafe(self._rows[number], mask, f, F)
            number, place = number[still], place[still]
        return _Node(table=table, number=number, place=place)

    def _one_of_each(self, node: _Node, place: Index, size: int) -> Index:
        """A cell of the file for each place of a table that one of the node's cells lies in."""
        found = np.zeros(size, np.intp)
        found[place] = self._rows[node.number]
        return found

    def _flags(self, node: _Node) -> NDArray[np.uint8]:
        """Bits of the cells that are unsafe on a set of keys and show them all."""
        flags = np.zeros(len(self._rows), np.bool_)
        flags[node.number] = True
        if self._subsets is not None:
            mask = self._mask(node.table.keys)
            flags &= self._subsets.shown[self._rows] & mask == mask
        return np.packbits(flags)

    def minimal(self) -> Iterator[tuple[int, Index]]:
        """For each set, the smallest first, the cells that are unsafe on it but on no part."""
        places = range(len(self._cells.keys))
        for size in range(1, self._largest + 1):
            for keys in combinations(places, size):
                mask = sum(1 << j for j in keys)
                if mask not in self._bits:
                    continue
                bits = self._bits[mask]
                for j in keys:
                    if (part := self._bits.get(mask & ~(1 << j))) is not None:
                        bits = bits & ~part
                held = np.flatnonzero(np.unpackbits(bits, count=len(self._rows)))
                if len(held):
                    yield mask, held

    def _mask(self, keys: Iterable[str]) -> int:
        return sum(1 << self._cells.keys.index(key) for key in keys)


def combination_columns(cells: Cells, cell: Index, keys: Masks) -> dict[str, list[str | None]]:
    """For each key the categories of some combinations; None where it takes no part.

    Args:
        cells: Of the file.
        cell: For each combination a cell that holds it.
        keys: The keys that it is made of.
    """
    columns: dict[str, list[str | None]] = {}
    for j, (key, codes) in enumerate(zip(cells.keys, cells.codes, strict=True)):
        categories = cells.categories[j]
        taking = np.where(keys >> j & 1, codes[cell], 0)
        columns[key] = [categories[code - 1] if code else None for code in taking.tolist()]
    return columns
