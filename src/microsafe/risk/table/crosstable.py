"""The sample as a cross table of the keys: what the models of the file's risk are fitted to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.sums import Floats, sum_by

Term = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpossibleCells:
    """Cells that no person can be in: every key takes one of some levels.

    Attributes:
        keys: Which keys, in ascending order.
        levels: For each of them the levels.
    """

    keys: Term
    levels: tuple[tuple[int, ...], ...]

    def mask(self, sizes: Sequence[int], among: Term) -> Floats:
        """Return the table of some keys with 0 where it is impossible and 1 elsewhere."""
        inside = np.ones((), np.bool_)
        for key in among:
            level = np.ones(sizes[key], np.bool_)
            if key in self.keys:
                level = np.isin(np.arange(sizes[key]), self.levels[self.keys.index(key)])
            inside = np.multiply.outer(inside, level)
        return np.where(inside, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CrossTable:
    """The occupied cells of the cross table of the keys, and how large the whole table is.

    Attributes:
        keys: Names of the keys.
        sizes: Levels of each key that occur; missing is a level like the others.
        codes: Level of every occupied cell, one array per key, from 0.
        f: Records in the cell.
        weight: People that they stand for.
        fraction: Sampling fraction of the file, n / N.
        fractions: Sampling fraction of each occupied cell.
    """

    keys: tuple[str, ...]
    sizes: tuple[int, ...]
    codes: tuple[Index, ...]
    f: Floats
    weight: Floats
    fraction: float
    fractions: Floats
    _margins: dict[Term, Floats] = field(default_factory=dict)

    @classmethod
    def of(cls, cells: Cells, *, fraction: float | None = None) -> CrossTable:
        """Lay out cells as a table.

        Args:
            cells: One per combination of keys that occurs.
            fraction: Sampling fraction to take instead of the one that the weights tell.
        """
        merged, _ = cells.project(cells.keys)
        numbers = [
            number([code], [len(known)], rows=len(merged))
            for code, known in zip(merged.codes, merged.categories, strict=True)
        ]
        f = merged.count.astype(np.float64)
        weight = merged.weight if fraction is None else f / fraction
        return cls(
            keys=merged.keys,
            sizes=tuple(len(levels) for _, levels in numbers),
            codes=tuple(level for level, _ in numbers),
            f=f,
            weight=weight,
            fraction=min(1.0, float(f.sum() / weight.sum())),
            fractions=np.minimum(1.0, f / weight),
        )

    def as_counted(self) -> CrossTable:
        """Return the table with the same weight for every record, so that counts decide."""
        one = np.full(len(self.f), self.fraction)
        return replace(self, weight=self.f / self.fraction, fractions=one, _margins={})

    def with_margins(self, margins: Mapping[Term, Floats]) -> CrossTable:
        """Return the table with other sums of weights by some keys."""
        return replace(self, _margins={**self._margins, **margins})

    @property
    def equally_weighted(self) -> bool:
        """Whether every record stands for as many people."""
        return bool((self.weight == self.f / self.fraction).all())

    @property
    def records(self) -> int:
        """Records in the sample."""
        return int(self.f.sum())

    @property
    def population(self) -> float:
        """People that they stand for."""
        return float(self.weight.sum())

    @property
    def cells(self) -> int:
        """Cells of the whole table, empty ones included."""
        return prod(self.sizes)

    @property
    def uniques(self) -> NDArray[np.bool_]:
        """Which of the occupied cells hold one record."""
        alone: NDArray[np.bool_] = self.f == 1
        return alone

    def share(self, term: Term) -> float:  # noqa: ARG002
        """Return the share of the records that show some keys: here all do."""
        return 1.0

    def place(self, term: Term) -> Index:
        """Where each occupied cell lies in the table of a few keys, row by row."""
        place = np.zeros(len(self.f), np.intp)
        for key in term:
            place = place * self.sizes[key] + self.codes[key]
        return place

    def margin(self, term: Term) -> Floats:
        """Sums of weights by a few keys, as an array with one axis per key."""
        if term not in self._margins:
            # Models share margins by the hundred, and the sample may have a million cells.
            shape = [self.sizes[key] for key in term]
            sums = sum_by(self.place(term), self.weight, prod(shape)).reshape(shape)
            sums.flags.writeable = False
            self._margins[term] = sums
        return self._margins[term]


def ratio(above: Floats, below: Floats) -> Floats:
    """Divide; where nothing is below, nothing is above either."""
    out = np.zeros(np.broadcast_shapes(np.shape(above), np.shape(below)))
    return np.divide(above, below, out=out, where=below > 0)


def log(values: Floats) -> Floats:
    """Logarithm; 0 where there is nothing."""
    return np.log(values, out=np.zeros_like(values), where=values > 0)


def distance(change: Floats, target: Floats) -> float:
    """Largest relative distance of a margin from its target, from the change it needed."""
    return float(np.abs(np.where(target > 0, 1.0 - change, 0.0)).max())
