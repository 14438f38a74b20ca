"""Risk by a model of the population, for what records still show.

The model was fitted to the file before any value was blanked. Of a record that shows the values
of some keys S it knows how many people to expect with these values: the sum of its means over
all cells that agree on S. Nothing is ever fitted to blanks, which hide rare values on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Codes, Index
from microsafe.risk.record.subset_frequencies import Masks, Subsets, places_of_each
from microsafe.risk.record.wildcard import Matches, shown_keys
from microsafe.sums import Floats, total


class ExpectedPeople(Protocol):
    """How many people a model expects, and how far they scatter around that."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Its key variables."""

    @property
    def categories(self) -> tuple[Sequence[str], ...]:
        """For each key its categories; code c is `categories[c - 1]`, 0 is missing."""

    @property
    def spread(self) -> float | None:
        """Standard error of its sums, relative to them; None if it is not known."""

    @property
    def simplified(self) -> int:
        """Terms that it does without so that its fit comes to rest."""

    @property
    def by_scatter(self) -> tuple[float, float] | None:
        """Matches expected with either scatter that its records tell, where these differ."""

    def means(self, codes: Sequence[Codes], shown: int) -> Floats:
        """People expected who agree with some rows on some keys (bit j stands for key j)."""

    def shown_share(self, codes: Sequence[Codes], shown: int) -> Floats:
        """Chance that records with the values of some rows show some keys; 1 without gaps."""

    def merge(self, place: int, table: Codes, categories: Sequence[str]) -> ExpectedPeople:
        """Return the model once categories of a key are merged: the new code of each old one."""

    def match_chance(self, f: Floats, mean: Floats, fraction: Floats) -> Floats:
        """E(1/F | f) of records who share their values with f - 1 others."""

    def unique_chance(self, mean: Floats, fraction: Floats) -> Floats:
        """P(F = 1 | f = 1) of records that are alone."""

    def above(self, f: Floats, mean: Floats, fraction: Floats, limit: Floats) -> NDArray[np.bool_]:
        """Tell where that is above a limit."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reference:
    """The file without blanks, and a model of the population that it is a sample of.

    Attributes:
        cells: Of the file as if nothing had been blanked.
        model: Of the same keys and categories; None if risk is by each cell alone.
        gap_model: The same where it tells only what gaps hide.
        blanks_protect: Whether a blank of one record protects others, who might be behind it: so
            it was decided where records are protected only by other records' suppressions.
    """

    cells: Cells
    model: ExpectedPeople | None = None
    gap_model: ExpectedPeople | None = None
    blanks_protect: bool = False

    def recode(self, key: str, new: Sequence[str]) -> Reference:
        """Return the reference once the categories of a key are others, given one by one.

        People expected in cells that become one add up.
        """
        place = self.cells.keys.index(key)
        categories = tuple(dict.fromkeys(new))
        code_of = {category: code for code, category in enumerate(categories, 1)}
        table = np.array([0, *(code_of[each] for each in new)], np.uint32)
        codes, texts = list(self.cells.codes), list(self.cells.categories)
        codes[place], texts[place] = table[codes[place]], categories
        cells = replace(self.cells, codes=tuple(codes), categories=tuple(texts))
        return replace(
            self,
            cells=cells.project(cells.keys)[0],
            model=None if self.model is None else self.model.merge(place, table, categories),
            gap_model=None
            if self.gap_model is None
            else self.gap_model.merge(place, table, categories),
        )

    def find_original(self, cells: Cells) -> Cells | None:
        """Return the cells of some keys before values were blanked; None if none were."""
        whole = self.cells.project(cells.keys)[0]
        blanked = not _has_no_blanks(cells, whole, range(len(cells.keys)))
        return whole if blanked else None

    def expect(self, cells: Cells) -> Callable[[Index, int], Floats] | None:
        """Return what tells how many people agree with some cells on some keys, if anything does.

        Args:
            cells: Of the same file.
        """
        if self.gap_model is None:
            return None
        return MatchingPeople(self, self.gap_model, cells, gap_categories=()).expect

    def look_up(self, cells: Cells, *, gap_categories: Sequence[str] = ()) -> MatchingPeople | None:
        """Return what the model knows of those who look like the records of some cells.

        Args:
            cells: Of the same file; keys may be blanked, left out or more.
            gap_categories: Keys of which a gap is something to be recognised by.
        """
        if self.model is None:
            return None
        return MatchingPeople(self, self.model, cells, gap_categories=gap_categories)


class MatchingPeople:
    """People who share what the records of some cells show.

    Args:
        reference: Where they are looked up.
        model: Its model.
        cells: Whose records are meant.
        gap_categories: Keys of which a gap is something to be recognised by.
    """

    def __init__(
        self,
        reference: Reference,
        model: ExpectedPeople,
        cells: Cells,
        *,
        gap_categories: Sequence[str],
    ) -> None:
        self.reference, self._model = reference, model
        whole = reference.cells
        self._cells = _code_as(cells, whole)
        self._places = {j: whole.keys.index(k) for j, k in enumerate(cells.keys) if k in whole.keys}
        self._telling = [whole.keys.index(key) for key in gap_categories if key in whole.keys]
        self._shown = shown_keys(self._cells) | sum(1 << place for place in self._telling)
        self._every = len(self._telling) == len(whole.keys)
        self.has_gaps = any(
            not code.all() for place, code in enumerate(whole.codes) if place not in self._telling
        )
        self._rows = np.arange(len(cells))
        self._subsets: Subsets | None = None
        self._agreeing: tuple[Floats, Floats] | None = None
        self._expected: Floats | None = None
        self._whole: bool | None = None

    @property
    def are_looked_up(self) -> bool:
        """Whether they are found in the file without blanks, and no blank or gap is a match."""
        as_released = self._has_no_blanks() and not self.has_gaps
        return not (self._every or as_released or self.reference.blanks_protect)

    def risk(self, found: Matches, alpha: float) -> Floats:
        """Return the base risk of every cell by all that it shows.

        Args:
            found: Who matches, as `find` gave it.
            alpha: How much a match that rests on a gap counts.
        """
        f, F = found.frequencies(alpha)
        known = found.shown_weight.value if self._has_no_blanks() else self._find_agreeing()[1]
        if self._expected is None:
            self._expected = self._expect(self._rows, self._find_seen(self._rows, -1))
        mean = _allow_for_gaps(self._expected, F, known)
        fraction = self._thin(np.minimum(f / F, 1.0), self._rows, self._find_seen(self._rows, -1))
        return self._model.match_chance(f, mean, fraction)

    def tau(self, count_released: Callable[[], Matches]) -> tuple[int, float, float]:
        """Count those who are alone with what they show, and what is expected of them.

        Args:
            count_released: Counts who matches every cell in the file as released.

        Returns:
            How many they are, how many of them are unique in the population (tau1), and how
            many a match would re-identify (tau2).
        """
        found = self.find(count_released)
        f, F = found.frequencies(1.0)
        alone = np.flatnonzero(f == 1)
        seen = self._find_seen(alone, -1)
        known = found.shown_weight.value[alone] if self._has_no_blanks() else None
        mean = self._mean(alone, seen, F[alone], known)
        fraction = self._thin(np.minimum(1.0 / F[alone], 1.0), alone, seen)
        count = self._cells.count[alone]
        tau1 = total(count * self._model.unique_chance(mean, fraction))
        tau2 = total(count * self._model.match_chance(f[alone], mean, fraction))
        return int(count.sum()), tau1, tau2

    def find(self, count_released: Callable[[], Matches]) -> Matches:
        """Return who matches every cell.

        What a blank hides is known, so those who match are looked up in the file without blanks:
        a record there with another value is no match, and one with the same is none the less.
        Nor is a record a match that came with a gap: what it hides is a matter of the model.

        Args:
            count_released: Counts who matches in the file as released.
        """
        if not self.are_looked_up:
            return count_released()
        shown = np.stack(self._find_agreeing())
        return Matches.of(shown, np.zeros_like(shown))

    def frequencies(self, rows: Index, keys: int | Masks) -> tuple[Floats, Floats]:
        """Count and weigh those who show some keys that some cells show, and agree on them."""
        return self._look_up(rows, self._find_seen(rows, keys), gaps_count=False)

    def expect(self, rows: Index, keys: int) -> Floats:
        """Return the people expected who share what some cells show of some keys."""
        return self._expect(rows, self._find_seen(rows, keys))

    def participants(self) -> tuple[Floats, Floats]:
        """Return E(1/f) and P(f = 1) of every cell, f those in the file with the values it shows.

        Some of them do not show these values: those who do are a sample of the file.
        """
        f, F = self._find_agreeing()
        seen = self._find_seen(self._rows, -1)
        expected = self._expect(self._rows, seen) * f / F
        share = self._thin(np.ones(len(f)), self._rows, seen)
        alone = np.where(f == 1, self._model.unique_chance(expected, share), 0.0)
        return self._model.match_chance(f, expected, share), alone

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
        seen = self._find_seen(rows, keys)[some]
        mean = self._mean(rows[some], seen, F[some], None if known is None else known[some])
        fraction = self._thin(np.minimum(f[some] / F[some], 1.0), rows[some], seen)
        result[some] = self._model.above(f[some], mean, fraction, limit[some])
        return result

    def chances(
        self,
        f: Floats,
        F: Floats,
        *,
        rows: Index,
        keys: int | Masks,
        known: Floats | None = None,
    ) -> Floats:
        """Return the base risk of some cells, seen by some keys only; arguments as for `above`."""
        seen = self._find_seen(rows, keys)
        mean = self._mean(rows, seen, F, known)
        fraction = self._thin(np.minimum(f / F, 1.0), rows, seen)
        return self._model.match_chance(f, mean, fraction)

    def known_weight(self, rows: Index, keys: int | Masks) -> Floats:
        """Weight of the records without blanks that show some keys and agree on them."""
        return self.frequencies(rows, keys)[1]

    def _find_seen(self, rows: Index, keys: int | Masks) -> Masks:
        """The keys of the reference that some cells are seen by: those that they show."""
        keys = np.broadcast_to(np.asarray(keys, np.int64), len(rows))
        seen = np.zeros(len(rows), np.int64)
        for j, place in self._places.items():
            seen |= (keys >> j & 1) << place
        return seen & self._shown[rows]

    def _mean(self, rows: Index, seen: Masks, F: Floats, known: Floats | None) -> Floats:
        """People expected to match."""
        if known is None:
            known = self._look_up(rows, seen, gaps_count=False)[1]
        return _allow_for_gaps(self._expect(rows, seen), F, known)

    def _thin(self, fraction: Floats, rows: Index, seen: Masks) -> Floats:
        """Sampling fraction of those who show some keys: they are a sample of the sample."""
        if not self.has_gaps:
            return fraction
        share = np.empty(len(rows))
        for mask, where in places_of_each(seen).items():
            codes = [codes[rows[where]] for codes in self._cells.codes]
            share[where] = self._model.shown_share(codes, mask)
        return fraction * share

    def _expect(self, rows: Index, seen: Masks) -> Floats:
        """People expected who share what some cells show."""
        mean = np.empty(len(rows))
        for mask, where in places_of_each(seen).items():
            codes = [codes[rows[where]] for codes in self._cells.codes]
            mean[where] = self._model.means(codes, mask)
        return mean

    def _find_agreeing(self) -> tuple[Floats, Floats]:
        """Count and weigh those without blanks who show all that a cell shows, and agree."""
        if self._agreeing is None:
            seen = self._find_seen(self._rows, -1)
            self._agreeing = self._look_up(self._rows, seen, gaps_count=False)
        return self._agreeing

    def _look_up(self, rows: Index, seen: Masks, *, gaps_count: bool) -> tuple[Floats, Floats]:
        """Count and weigh, in the file without blanks, those who agree on some keys."""
        if self._subsets is None:
            asking, whole = self._cells, self.reference.cells
            if self._telling:
                asking, whole = (_show_gaps(each, self._telling) for each in (asking, whole))
            self._subsets = Subsets(whole, asking=asking)
        return self._subsets.frequencies(rows, seen, gaps_count=gaps_count)

    def _has_no_blanks(self) -> bool:
        if self._whole is None:
            whole = self.reference.cells
            self._whole = _has_no_blanks(self._cells, whole, self._places.values())
        return self._whole


def _has_no_blanks(cells: Cells, whole: Cells, places: Iterable[int]) -> bool:
    """Tell whether nothing is blanked: as many gaps as in the file without blanks."""
    return all(
        cells.count[cells.codes[place] == 0].sum() == whole.count[whole.codes[place] == 0].sum()
        for place in places
    )


def _allow_for_gaps(mean: Floats, F: Floats, known: Floats) -> Floats:
    """People expected to match, given those expected who share what is shown.

    Matches that rest on gaps of others are added as they were counted. Where only a part of those
    who share what is shown may be counted, people are expected in proportion.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(known > 0, mean * F / known, F)
    return np.where(known > F, part, mean + (F - known))


def _code_as(cells: Cells, whole: Cells) -> Cells:
    """The cells by the keys of the whole file and in its coding; keys they lack are missing."""
    both = [key for key in cells.keys if key in whole.keys]
    part, other = (
        replace(
            each,
            keys=tuple(both),
            categories=tuple(each.categories[each.keys.index(key)] for key in both),
            codes=tuple(each.codes[each.keys.index(key)] for key in both),
        )
        for each in (cells, whole)
    )
    coded = dict(zip(both, part.coded_as(other).codes, strict=True))
    missing = np.zeros(len(cells), np.uint8)
    return replace(
        cells,
        keys=whole.keys,
        categories=whole.categories,
        codes=tuple(coded.get(key, missing) for key in whole.keys),
    )


def _show_gaps(cells: Cells, places: Collection[int]) -> Cells:
    """The cells with missing as the first category of some keys."""
    codes, categories = list(cells.codes), list(cells.categories)
    for place in places:
        codes[place] = codes[place].astype(np.uint32) + np.uint32(1)
        categories[place] = ("", *categories[place])
    return replace(cells, categories=tuple(categories), codes=tuple(codes))
