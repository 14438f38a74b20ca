"""Keys that were perturbed: the chance that they are still what the intruder knows.

Whoever looks a person up in a perturbed file finds the record only if it still shows the keys that
he looks at. So the risk is that of the file before, times the chance that these keys were kept; and
he may leave out those which probably were not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from microsafe.cells import Cells, Index
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.sums import Floats

MOST_SETS = 6  # perturbed keys of which all sets are tried


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeptKeys:
    """Chances that perturbed keys are as they were, for the records of some cells.

    Attributes:
        chances: One for each cell, by key; 1 where the key is missing, as a gap shows nothing.
        words: What was done to each key, such as "PRAM of region".
        keys: Of the cells, in the order of the bits that stand for them in sets of keys.
        together: Groups of keys that one step moved together. All of them were kept with the
            smallest of their chances at most, which is exact for nested areas; keys of different
            groups were kept independently.
    """

    chances: Mapping[str, Floats]
    words: Mapping[str, str] = field(default_factory=dict)
    keys: tuple[str, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()

    def chance(self, keys: Sequence[str]) -> Floats:
        """Return the chance that all of some keys were kept, for each cell."""
        made = np.ones(len(next(iter(self.chances.values()))))
        for group in self._groups():
            shown = [self.chances[key] for key in group if key in keys]
            if shown:
                made *= np.minimum.reduce(shown)
        return made

    def chance_of(self, rows: Index, keys: int | Masks) -> Floats:
        """Return the same for some cells and sets of their keys (bit j stands for key j)."""
        keys = np.broadcast_to(np.asarray(keys, np.int64), len(rows))
        made = np.ones(len(rows))
        for group in self._groups():
            shown = [
                np.where(keys >> self.keys.index(key) & 1 == 1, self.chances[key][rows], 1.0)
                for key in group
            ]
            made *= np.minimum.reduce(shown)
        return made

    def _groups(self) -> list[list[str]]:
        """Perturbed keys, those that moved together in one group."""
        found: dict[object, list[str]] = {}
        for key in self.chances:
            group = next((each for each in self.together if key in each), key)
            found.setdefault(group, []).append(key)
        return list(found.values())

    def fewer_keys(self, keys: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Go through what the intruder may look at instead of all keys."""
        perturbed = [key for key in keys if key in self.chances]
        for gone in left_out(perturbed):
            left = tuple(key for key in keys if key not in gone)
            if left:  # by no key at all it is a guess
                yield left


def left_out(perturbed: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Go through the sets of perturbed keys that an intruder may leave out.

    Up to six, all sets; beyond, each alone and all of them.
    """
    count = len(perturbed)
    sizes = range(1, count + 1) if count <= MOST_SETS else (1, count)
    for size in sizes:
        yield from combinations(perturbed, size)


def restrict_keys(cells: Cells, keys: Sequence[str]) -> Cells:
    """Return cells that show some keys only; several may then have the same keys."""
    places = [cells.keys.index(key) for key in keys]
    return Cells(
        keys=tuple(keys),
        categories=tuple(cells.categories[place] for place in places),
        codes=tuple(cells.codes[place] for place in places),
        count=cells.count,
        weights=cells.weights,
    )
