"""Frequencies of cells when only some of their keys are looked at.

Suppression asks this over and over for the few cells that are not safe yet, so they are
looked up among all cells instead of tabulating all cells anew for each set of keys.
Sets of keys are integers: bit j stands for key j.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.risk.record.wildcard import (
    Pool,
    hash_words,
    packed_codes,
    sections_of,
    shown_keys,
)
from microsafe.sums import Floats, sum_by

Masks = NDArray[np.int64]
_WORTH_BOUNDING = 1 << 12  # cells that ask
_MOST_BITS = 22  # of a hash
_ROUNDING = 1e-9  # far more than sums of weights are off
_Sums = Iterator[tuple[int, NDArray[np.float64]]]


class Subsets:
    """Looks up cells restricted to some of their keys.

    Args:
        cells: All cells; a missing key may stand for any category.
        blanked: For each cell keys that are blanked in the file that partners are looked
            for in. Who asks is looked up as in `cells`.
        asking: Who asks, in the same coding, if not the cells themselves.
    """

    def __init__(
        self, cells: Cells, blanked: Masks | None = None, *, asking: Cells | None = None
    ) -> None:
        self.cells = cells
        self.complete = cells.complete
        self.asking = cells if asking is None else asking
        visible = shown_keys(cells)
        self.shown = visible if asking is None else shown_keys(asking)
        if blanked is not None:
            visible = visible & ~blanked
        order = np.argsort(visible, kind="stable")
        self._values = np.stack([cells.count.astype(np.float64), cells.weight])[:, order]
        self._sections = sections_of(visible[order])
        self._order = order
        self._packed = packed_codes(cells)
        if self._packed is not None:
            words, fields = self._packed
            empty = Pool(words[:0], self._values[:, :0], {}, fields)
            seen = words.copy()
            for mask, section in self._sections.items():
                seen[order[section]] &= empty.word(mask)
            self._pool = Pool(seen[order], self._values, self._sections, fields)
        if asking is not None:
            self._packed = packed_codes(asking)

    def frequencies(
        self,
        rows: Index,
        keys: int | Masks,
        *,
        gaps_count: bool = True,
        showing: int = 0,
    ) -> tuple[Floats, Floats]:
        """Return f and F of some cells as seen by someone who looks at some keys only.

        Args:
            rows: Which cells.
            keys: Which keys, the same for all or one set for each.
            gaps_count: Whether partners count that match only because of a gap of theirs.
            showing: Keys that every partner must show.
        """
        result = np.zeros((2, len(rows)))
        masks = self.shown[rows] & keys
        for mask in np.unique(masks).tolist():
            where = np.flatnonzero(masks == mask)
            must_show = showing if gaps_count else showing | mask
            for _, sums in self.partners(mask, rows[where], showing=must_show):
                result[:, where] += sums
        return result[0], result[1]

    def bound(self, rows: Index, keys: int) -> tuple[Floats, Floats] | None:
        """Return what f and F of some cells are at most, seen by some keys; None if unknown.

        Cells are added up by a hash of what they show: a few may be added to the wrong ones. That
        takes a fraction of the time of looking them up.
        """
        if self._packed is None or len(rows) < _WORTH_BOUNDING:
            return None
        if not self.complete or self.asking is not self.cells or len(self._sections) > 1:
            return None
        (mask,) = self._sections
        word = self._pool.word(keys & mask)
        size = min((2 * len(self._pool.packed)).bit_length(), _MOST_BITS)
        place = hash_words(self._pool.packed & word, size)
        asked = hash_words(self._packed[0][rows] & word, size)
        f, F = (sum_by(place, row, 1 << size)[asked] for row in self._values)
        return f, F * (1.0 + _ROUNDING)

    def partners(self, mask: int, rows: Index, *, showing: int = 0) -> _Sums:
        """For each set of keys that partners share with cells restricted to `mask`, their sums.

        Args:
            mask: Keys that the cells are restricted to; they all show them.
            rows: Which cells.
            showing: Keys that every partner must show.
        """
        if self._packed is None:
            return self._wide(mask, rows, showing)
        words = self._packed[0][rows] & self._pool.word(mask)
        return self._pool.partners(mask, words, showing=showing)

    def _wide(self, mask: int, rows: Index, showing: int) -> _Sums:
        """Codes of more than 64 bits: number the restricted cells afresh."""
        for other, section in self._sections.items():
            if showing & ~other:
                continue
            places = [j for j in range(len(self.cells.codes)) if mask & other & 1 << j]
            partner = self._order[section]
            group, first = number(
                [
                    np.concatenate([self.asking.codes[j][rows], self.cells.codes[j][partner]])
                    for j in places
                ],
                [len(self.cells.categories[j]) for j in places],
                rows=len(rows) + len(partner),
            )
            partners = group[len(rows) :]
            sums = [sum_by(partners, row[section], len(first)) for row in self._values]
            yield mask & other, np.stack(sums)[:, group[: len(rows)]]
