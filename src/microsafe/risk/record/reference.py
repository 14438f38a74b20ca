"""Risk by a model of the population, for what records still show.

The model was fitted to the file before any value was blanked. Of a record that shows the values
of some keys S it knows how many people to expect with these values: the sum of its means over
all cells that agree on S. Nothing is ever fitted to blanks, which hide rare values on purpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Codes, Index
from microsafe.risk.record.subsets import Masks, Subsets
from microsafe.risk.record.wildcard import shown_keys
from microsafe.sums import Exact, Floats


class Means(Protocol):
    """How many people a model expects, and how far they scatter around that."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Its key variables."""

    @property
    def categories(self) -> tuple[Sequence[str], ...]:
        """For each key its categories; code c is `categories[c - 1]`, 0 is missing."""

    def means(self, codes: Sequence[Codes], shown: int) -> Floats:
        """People expected who agree with some rows on some keys (bit j stands for key j)."""

    def merge(self, place: int, table: Codes, categories: Sequence[str]) -> Means:
        """Return the model once categories of a key are merged: the new code of each old one."""

    def match_chance(self, f: Floats, mean: Floats, fraction: Floats) -> Floats:
        """E(1/F | f) of records who share their values with f - 1 others."""

    def above(self, f: Floats, mean: Floats, fraction: Floats, limit: Floats) -> NDArray[np.bool_]:
        """Tell where that is above a limit."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reference:
    """The file without blanks, and a model of the population that it is a sample of.

    Attributes:
        model: Of the keys as they are now.
        cells: Of the file as if nothing had been blanked, by the same keys.
    """

    model: Means
    cells: Cells

    def recode(self, key: str, new: Sequence[str]) -> Reference:
        """Return the reference once the categories of a key are others, given one by one.

        People expected in cells that become one add up.
        """
        place = self.cells.keys.index(key)
        categories = tuple(dict.fromkeys(new))
        code_of = {category: code for code, category in enumerate(categories, 1)}
        table = np.array([0, *(code_of[each] for each in new)], np.uint32)
        codes = list(self.cells.codes)
        codes[place] = table[codes[place]]
        texts = list(self.cells.categories)
        texts[place] = categories
        cells = replace(self.cells, codes=tuple(codes), categories=tuple(texts))
        return Reference(
            model=self.model.merge(self.model.keys.index(key), table, categories),
            cells=cells.project(cells.keys)[0],
        )

    def look_up(self, cells: Cells, *, gaps_are_categories: bool = False) -> Crowd:
        """Return what is known of those who look like the records of some cells.

        Args:
            cells: Of the same file; keys may be blanked or left out.
            gaps_are_categories: Whether a gap is something to be recognised by.
        """
        return Crowd(self, cells, gaps_are_categories=gaps_are_categories)


class Crowd:
    """People who share what the records of some cells show."""

    def __init__(self, reference: Reference, cells: Cells, *, gaps_are_categories: bool) -> None:
        self.reference, self._cells = reference, cells
        every = np.full(len(cells), (1 << len(cells.keys)) - 1, np.int64)
        self._all = gaps_are_categories
        self.shown: Masks = every if gaps_are_categories else shown_keys(cells)
        model = reference.model
        self._places = {j: model.keys.index(k) for j, k in enumerate(cells.keys) if k in model.keys}
        self._codes: list[Codes] = [np.zeros(len(cells), np.uint8) for _ in model.keys]
        for j, place in self._places.items():
            self._codes[place] = translate_codes(
                cells.codes[j], cells.categories[j], model.categories[place]
            )
        self._joint: Subsets | None = None

    def risk(self, f: Floats, F: Floats, *, agreeing: Floats) -> Floats:
        """Return the base risk of every cell by all that it shows.

        Args:
            f: Records that match, under whatever rule for gaps.
            F: Their weight.
            agreeing: Weight of those among them who show the same.
        """
        rows = np.arange(len(self._cells))
        mean = self._mean(rows, self.shown, F, agreeing if self._untouched() else None)
        return self.reference.model.match_chance(f, mean, np.minimum(f / F, 1.0))

    def above(
        self,
        f: Floats,
        F: Floats,
        limit: Floats,
        *,
        rows: Index,
        keys: int | Masks,
        known: Floats | None = None,
    ) -> NDArray[np.bool_]:
        """Tell which of some cells have a base risk above a limit, seen by some keys only.

        Args:
            f: Records that match.
            F: Their weight.
            limit: For each cell.
            rows: Which cells.
            keys: By which keys; those that a cell does not show do not count.
            known: Weight of those who truly share what is seen; looked up if None.
        """
        result: NDArray[np.bool_] = 1.0 / f > limit
        some = np.flatnonzero(result)
        masks = (self.shown[rows] & keys)[some]
        mean = self._mean(rows[some], masks, F[some], None if known is None else known[some])
        fraction = np.minimum(f[some] / F[some], 1.0)
        result[some] = self.reference.model.above(f[some], mean, fraction, limit[some])
        return result

    def _mean(self, rows: Index, masks: Masks, F: Floats, known: Floats | None) -> Floats:
        """People expected to match.

        Matches that rest on gaps of others are added as they were counted. Where only a part of
        those who share what is shown may be counted, people are expected in proportion.
        """
        mean = np.empty(len(rows))
        for mask in np.unique(masks).tolist():
            where = np.flatnonzero(masks == mask)
            shown = sum(1 << place for j, place in self._places.items() if mask >> j & 1)
            codes = [codes[rows[where]] for codes in self._codes]
            mean[where] = self.reference.model.means(codes, shown)
        if known is None:
            known = self.known(rows, masks)
        with np.errstate(invalid="ignore", divide="ignore"):
            part = np.where(known > 0, mean * F / known, F)
        return np.where(known > F, part, mean + (F - known))

    def _untouched(self) -> bool:
        """Tell whether nothing is blanked: as many gaps as in the file without blanks."""
        mine, whole = self._cells, self.reference.cells
        return all(
            mine.count[mine.codes[j] == 0].sum() == whole.count[whole.codes[place] == 0].sum()
            for j, place in self._places.items()
        )

    def known(self, rows: Index, keys: int | Masks) -> Floats:
        """Weight of the records without blanks that show some keys and agree on them."""
        if self._joint is None:
            self._joint = Subsets(self._join_cells())
        return self._joint.frequencies(rows, keys, gaps_count=False)[1]

    def _join_cells(self) -> Cells:
        """The cells that ask, which weigh nothing, and those of the file without blanks."""
        mine, whole = self._cells, self.reference.cells
        codes = [np.concatenate([code, np.zeros(len(whole), code.dtype)]) for code in mine.codes]
        for j, place in self._places.items():
            theirs = translate_codes(
                whole.codes[place], whole.categories[place], mine.categories[j]
            )
            codes[j] = np.concatenate([mine.codes[j], theirs])
        none = np.zeros(len(mine))
        joint = Cells(
            keys=mine.keys,
            categories=tuple((*each, "") for each in mine.categories),  # the last: none of them
            codes=tuple(codes),
            count=np.concatenate([none.astype(np.int64), whole.count]),
            weights=Exact.split(np.concatenate([none, whole.weight])),
        )
        return joint.gaps_as_category() if self._all else joint


def translate_codes(codes: Codes, old: Sequence[str], new: Sequence[str]) -> Codes:
    """Return codes of the same categories in another numbering; one past the last if unknown."""
    if old is new:
        return codes
    place = {category: code for code, category in enumerate(new, 1)}
    table = np.array([0, *(place.get(each, len(new) + 1) for each in old)], np.uint32)
    return table[codes]
