"""Minimal unsafe combinations: which values, taken together, make records unsafe.

A combination of categories is unsafe if the records that share it are. One that contains an
unsafe one is unsafe too, so only those are listed that contain no smaller one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.errors import UsageError
from microsafe.progress import Progress, silent
from microsafe.protect.criterion import Criterion
from microsafe.risk.subsets import Masks, Subsets
from microsafe.risk.wildcard import Words, packed_codes
from microsafe.sums import Floats, sum_by

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Combinations:
    """The minimal unsafe combinations of a file.

    Attributes:
        cells: Of the file.
        cell: For each combination a cell that holds it.
        keys: The keys it is made of; bit j stands for key j.
        f: Records that share it.
        F: People estimated to share it.
        unsafe_records: Records that hold at least one.
        per_cell: Number of combinations that the records of each cell hold.
    """

    cells: Cells
    cell: Index
    keys: Masks
    f: Floats
    F: Floats
    unsafe_records: int
    per_cell: NDArray[np.int64]
    _frame: Callable[[Mapping[str, Any]], object]
    _attach: Callable[[Mapping[str, Any], Mapping[str, Any]], object]

    def __len__(self) -> int:
        """Return the number of combinations."""
        return len(self.cell)

    @property
    def by_size(self) -> dict[int, int]:
        """Number of combinations of each size."""
        sizes, counts = np.unique(np.bitwise_count(self.keys), return_counts=True)
        return dict(zip(sizes.tolist(), counts.tolist(), strict=True))

    @property
    def by_key(self) -> dict[str, int]:
        """Number of combinations that each key takes part in."""
        return {
            key: int(np.count_nonzero(self.keys >> j & 1)) for j, key in enumerate(self.cells.keys)
        }

    def by_category(self, key: str) -> dict[str, int]:
        """Number of combinations that each category of a key takes part in, most first."""
        place = self.cells.keys.index(key)
        taking = (self.keys >> place & 1) == 1
        codes, counts = np.unique(self.cells.codes[place][self.cell[taking]], return_counts=True)
        order = np.argsort(-counts, kind="stable")
        categories = self.cells.categories[place]
        return {categories[codes[i] - 1]: int(counts[i]) for i in order.tolist()}

    def table(self) -> Any:
        """Return a frame with one row per combination: its categories, size, f and F."""
        columns: dict[str, Any] = {}
        for j, (key, codes) in enumerate(zip(self.cells.keys, self.cells.codes, strict=True)):
            categories = self.cells.categories[j]
            taking = (self.keys >> j & 1) == 1
            columns[key] = [
                categories[code - 1] if part else None
                for code, part in zip(codes[self.cell].tolist(), taking.tolist(), strict=True)
            ]
        size = np.bitwise_count(self.keys).astype(np.int64)
        return self._frame(columns | {"size": size, "f": self.f.astype(np.int64), "F": self.F})

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw how many combinations each key takes part in, the worst on top."""
        if ax is None:
            from matplotlib import pyplot

            _, ax = pyplot.subplots(
                figsize=(7, 0.6 + 0.4 * len(self.cells.keys)), layout="constrained"
            )
        ranked = sorted(self.by_key.items(), key=lambda pair: pair[1])
        bars = ax.barh([key for key, _ in ranked], [count for _, count in ranked], color="#8fa9bf")
        ax.bar_label(bars, [f"{count:,}" for _, count in ranked], padding=4, fontsize=9)
        ax.set_xlabel(f"minimal unsafe combinations that a key takes part in, of {len(self):,}")
        ax.set_xlim(0, 1.12 * max(1, *(count for _, count in ranked), 1))
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        return ax

    def records(self) -> Any:
        """Return a frame with the number of combinations that every record holds."""
        return self._attach({"combinations": self.per_cell}, {})

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "by_size": {str(size): count for size, count in self.by_size.items()},
            "by_key": self.by_key,
            "records": self.unsafe_records,
        }


def minimal_combinations(
    cells: Cells,
    criterion: Criterion,
    *,
    max_size: int | None = None,
    frame: Callable[[Mapping[str, Any]], object],
    attach: Callable[[Mapping[str, Any], Mapping[str, Any]], object],
    progress: Progress = silent,
) -> Combinations:
    """Find the minimal unsafe combinations, those of one key first.

    Only cells that are unsafe on all keys can hold one, and if no cell is unsafe on a set of keys,
    none is on a part of it.

    Assumes:
        Risk never rises when a key is left out.
    """
    if max_size is not None and max_size < 1:
        raise UsageError("A combination has at least one key: max_size must be at least 1.")
    subsets = Subsets(cells)
    every = (1 << len(cells.keys)) - 1
    unsafe = criterion.unsafe(*subsets.frequencies(np.arange(len(cells)), every))
    rows = np.flatnonzero(unsafe)
    flags = _Flags(cells, criterion, subsets, rows)
    found: list[tuple[Index, Masks, Floats, Floats]] = []
    per_cell = np.zeros(len(cells), np.int64)
    largest = len(cells.keys) if max_size is None else min(max_size, len(cells.keys))
    sets = [keys for size in range(1, largest + 1) for keys in _sets(len(cells.keys), size)]
    for done, keys in enumerate(sets):
        progress("searching combinations", done / len(sets))
        mask = sum(1 << j for j in keys)
        minimal = flags.of(mask) & ~np.logical_or.reduce([flags.of(mask & ~(1 << j)) for j in keys])
        holders = rows[minimal]
        per_cell[holders] += 1
        first = _first_of_each(cells, holders, keys)
        f, F = subsets.frequencies(holders[first], mask)
        found.append((holders[first], np.full(len(first), mask, np.int64), f, F))
    progress("searching combinations", 1.0)
    cell, keys_, f, F = (np.concatenate(each) for each in zip(*found, strict=True))
    return Combinations(
        cells=cells,
        cell=cell,
        keys=keys_,
        f=f,
        F=F,
        unsafe_records=int(cells.count[rows].sum()),
        per_cell=per_cell,
        _frame=frame,
        _attach=attach,
    )


def _sets(keys: int, size: int) -> Iterator[tuple[int, ...]]:
    return combinations(range(keys), size)


def _first_of_each(cells: Cells, rows: Index, keys: tuple[int, ...]) -> Index:
    """One of the rows for each combination that some of them hold."""
    _, first = number(
        [cells.codes[j][rows] for j in keys],
        [len(cells.categories[j]) for j in keys],
        rows=len(rows),
    )
    return first


class _Flags:
    """For each set of keys: which of the unsafe cells are unsafe when restricted to it.

    Kept as bits, eight cells a byte. Where no key is missing, the table of a set of keys is made
    from that of one key more, which is never larger; otherwise cells are looked up.
    """

    def __init__(self, cells: Cells, criterion: Criterion, subsets: Subsets, rows: Index) -> None:
        self.rows = len(rows)
        self._bits: dict[int, NDArray[np.uint8]] = {}
        self._criterion = criterion
        packed = packed_codes(cells) if cells.complete else None
        every = (1 << len(cells.keys)) - 1
        if packed is not None:
            order = sorted(range(len(cells.keys)), key=lambda j: -len(cells.categories[j]))
            table = (packed[0], cells.count.astype(np.float64), cells.weight)
            self._visit(table, rows, every, order, [np.uint64(each) for each in packed[1]])
            return
        for mask in range(1, every + 1):
            able = np.flatnonzero((subsets.shown[rows] & mask) == mask)
            flags = np.zeros(len(rows), np.bool_)
            flags[able] = criterion.unsafe(*subsets.frequencies(rows[able], mask))
            self._bits[mask] = np.packbits(flags)

    def of(self, mask: int) -> NDArray[np.bool_]:
        """Flags of one set of keys; sets that were not visited are safe."""
        if mask not in self._bits:
            return np.zeros(self.rows, np.bool_)
        return np.unpackbits(self._bits[mask], count=self.rows).view(np.bool_)

    def _visit(
        self,
        table: tuple[Words, Floats, Floats],
        place: Index,
        mask: int,
        order: list[int],
        fields: list[np.uint64],
    ) -> None:
        words, f, F = table
        flags = self._criterion.unsafe(f, F)[place]
        if not flags.any():
            return  # nor is any part of it unsafe
        self._bits[mask] = np.packbits(flags)
        for depth, key in enumerate(order):
            if mask == 1 << key:
                continue
            distinct, group = np.unique(words & ~fields[key], return_inverse=True)
            smaller = (distinct, sum_by(group, f, len(distinct)), sum_by(group, F, len(distinct)))
            self._visit(smaller, group[place], mask & ~(1 << key), order[depth + 1 :], fields)
