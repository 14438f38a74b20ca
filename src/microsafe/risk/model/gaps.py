"""A sample whose records do not all show all keys, as a cross table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Self

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Codes, Index
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.risk.table.crosstable import CrossTable, Term
from microsafe.sums import Floats, sum_by


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GappedTable(CrossTable):
    """A cross table of which some records do not show the place of every key.

    What it has of `CrossTable` as arrays, cell by cell, are the cells that show all keys; its sums
    are of all records that show the keys in question, in proportion.

    Attributes:
        levels: Level of every cell that occurs, one array per key; -1 is a gap.
        counts: Records in these cells.
        weights: People that they stand for.
        shows: The keys that they show; bit j stands for key j.
        filled: Whether margins were completed by a model, so that they agree with each other.
    """

    levels: tuple[Index, ...]
    counts: Floats
    weights: Floats
    shows: Masks
    filled: bool = False
    _shares: dict[Term, float] = field(default_factory=dict)

    @classmethod
    def laid_out(
        cls, cells: Cells, levels: Sequence[Index], *, fraction: float | None = None
    ) -> Self:
        """Lay out cells.

        Args:
            cells: One per combination of keys that occurs.
            levels: For each key the level of every code; -1 for gaps and codes that no cell has.
            fraction: Sampling fraction to take instead of the one that the weights tell.
        """
        found = [level[code] for level, code in zip(levels, cells.codes, strict=True)]
        counts = cells.count.astype(np.float64)
        weights = cells.weight if fraction is None else counts / fraction
        shows = np.zeros(len(cells), np.int64)
        for key, level in enumerate(found):
            shows |= (level >= 0).astype(np.int64) << key
        whole = shows == (1 << len(found)) - 1
        return cls(
            keys=cells.keys,
            # A key that nobody shows has one level, of which nothing is known.
            sizes=tuple(max(1, int(level.max()) + 1) for level in levels),
            codes=tuple(level[whole] for level in found),
            f=counts[whole],
            weight=weights[whole],
            fraction=min(1.0, float(counts.sum() / weights.sum())),
            fractions=np.minimum(1.0, counts[whole] / weights[whole]),
            levels=tuple(found),
            counts=counts,
            weights=weights,
            shows=shows,
        )

    def as_counted(self) -> Self:
        """Return the table with the same weight for every record, so that counts decide."""
        one = np.full(len(self.f), self.fraction)
        return replace(
            self,
            weight=self.f / self.fraction,
            fractions=one,
            weights=self.counts / self.fraction,
            _margins={},
        )

    def with_filled(self, margins: Mapping[Term, Floats]) -> Self:
        """Return the table with margins in which the gaps are filled."""
        return replace(self, filled=True, _margins=dict(margins))

    @property
    def equally_weighted(self) -> bool:
        """Whether every record stands for as many people."""
        return bool((self.weights == self.counts / self.fraction).all())

    @property
    def records(self) -> int:
        """Records in the sample."""
        return int(self.counts.sum())

    @property
    def population(self) -> float:
        """People that they stand for."""
        return float(self.weights.sum())

    def share(self, term: Term) -> float:
        """Return the share of the records that show some keys."""
        if term not in self._shares:  # a search asks for the same ones again and again
            shown = self.counts[self.showing(term)].sum()
            self._shares[term] = float(shown / self.counts.sum())
        return self._shares[term]

    def showing(self, term: Term) -> NDArray[np.bool_]:
        """Which cells show some keys."""
        mask = sum(1 << key for key in term)
        shown: NDArray[np.bool_] = (self.shows & mask) == mask
        return shown

    def place(self, term: Term) -> Index:
        """Where each cell that occurs lies in the table of a few keys; -1 if it hides one."""
        place = np.zeros(len(self.counts), np.intp)
        for key in term:
            place = place * self.sizes[key] + self.levels[key]
        return np.where(self.showing(term), place, -1)

    def levels_shown(self, shown: int, rows: Index) -> list[Index | None]:
        """Return the levels that some cells have of some keys, which they show."""
        return [level[rows] if shown >> key & 1 else None for key, level in enumerate(self.levels)]

    def as_cells(self, cells: Cells) -> Cells:
        """Return cells with the levels of this table as codes, where 0 is a gap."""
        return replace(
            cells,
            categories=tuple([""] * size for size in self.sizes),
            codes=tuple((level + 1).astype(np.uint32) for level in self.levels),
        )

    def margin(self, term: Term) -> Floats:
        """Sums of weights by a few keys, of those who show them, in proportion to all."""
        if term not in self._margins:
            shape = [self.sizes[key] for key in term]
            place = self.place(term)
            shown = place >= 0
            sums = sum_by(place[shown], self.weights[shown], prod(shape)).reshape(shape)
            whole = float(sums.sum())
            sums = sums * (self.population / whole) if whole > 0 else sums + self._even(shape)
            sums.flags.writeable = False
            self._margins[term] = sums
        return self._margins[term]

    def _even(self, shape: Sequence[int]) -> float:
        return self.population / prod(shape)


def levels_of(cells: Cells, key: int, *, gaps: bool) -> Index:
    """Return the level of each code of a key; -1 for codes that no cell has.

    Args:
        cells: The cells.
        key: Which key.
        gaps: Whether a gap is no level.
    """
    present: Codes = np.unique(cells.codes[key])
    if gaps:
        present = present[present > 0]
    level = np.full(len(cells.categories[key]) + 1, -1, np.intp)
    level[present] = np.arange(len(present))
    return level
