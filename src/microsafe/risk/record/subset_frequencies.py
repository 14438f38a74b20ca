"""Frequencies of cells when only some of their keys are looked at.

Suppression asks this over and over for the few cells that are not safe yet, so they are
looked up among all cells instead of tabulating all cells anew for each set of keys.
Sets of keys are integers: bit j stands for key j.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.risk.record.complete import Asking, CompleteCells
from microsafe.risk.record.wildcard import Pool, packed_codes, sections_of, shown_keys
from microsafe.sums import Floats, sum_by

Masks = NDArray[np.int64]
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
        self._known: CompleteCells | None = None
        if self._packed is not None and list(self._sections) == [(1 << len(cells.keys)) - 1]:
            self._known = CompleteCells(
                number=np.arange(len(cells)),
                words=self._pool.packed,
                values=self._values,
                asked=self._packed[0],
                same=asking is None,
                fields=self._pool.fields,
                sizes=[len(category) for category in cells.categories],
            )

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
        if self._known is not None and self._known.same and isinstance(keys, int) and len(rows):
            f, F = self._known.add_up(rows, keys)
            return f, F
        places = places_of_each(self.shown[rows] & keys)
        if self._known is not None and places:
            for known, dropped in self._known.walk(
                [~mask for mask in places],
                lambda sets: rows[np.concatenate([places[~each] for each in sets])],
            ):
                where = places[~dropped]
                result[:, where] = known.add_up(rows[where], ~dropped)
            return result[0], result[1]
        for mask, where in places.items():
            must_show = showing if gaps_count else showing | mask
            for _, sums in self.partners(mask, rows[where], showing=must_show):
                result[:, where] += sums
        return result[0], result[1]

    @property
    def narrows(self) -> bool:
        """Whether cells can be narrowed down to those that agree with some of them."""
        return self._known is not None

    def walk(
        self, dropped: Sequence[int], asking: Asking, *, keys: int
    ) -> Iterator[tuple[Subsets, int]]:
        """Go through sets of keys that are left out (see `CompleteCells.walk`)."""
        if self._known is None:
            yield from ((self, each) for each in dropped if len(asking([each])))
            return
        for known, each in self._known.walk(dropped, asking, keys=keys):
            narrowed = copy(self)
            narrowed._known = known
            yield narrowed, each

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


def places_of_each(masks: Masks) -> dict[int, Index]:
    """Where each of some masks stands."""
    if not len(masks):
        return {}
    order = np.argsort(masks, kind="stable")
    return {mask: order[section] for mask, section in sections_of(masks[order]).items()}
