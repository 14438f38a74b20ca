"""Sum the cells without gaps that agree with given cells on given keys.

Codes are packed into bit fields, so that looking at some keys only is one AND. Where few ask
among many, a sieve turns away nearly all cells that agree with none of them, and only the others
are sorted. Where they ask about many sets of keys, cells are narrowed down to those that agree on
keys which the sets have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index, number_words
from microsafe.sums import Floats, sum_by

Words = NDArray[np.uint64]
Asking = Callable[[Sequence[int]], Index]
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_WORTH_SIFTING = 2  # cells for each that asks
_WORTH_NARROWING = 2
_MANY = 1 << 12  # cells that repay narrowing them down


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompleteCells:
    """Some cells of a file that has no gaps, and who asks about them.

    Attributes:
        number: Which of all cells they are, in order.
        words: Their packed codes.
        values: What is added up, several rows of it, for all cells.
        asked: Packed codes of all who may ask.
        same: Whether those are all cells.
        fields: For each key the bits that its codes are packed into.
        sizes: For each key its number of categories.
    """

    number: Index
    words: Words
    values: NDArray[np.float64]
    asked: Words
    same: bool
    fields: Sequence[int]
    sizes: Sequence[int]

    def add_up(self, rows: Index, keys: int) -> list[Floats]:
        """Add up the cells that agree with some who ask, on keys that they all show."""
        word = self._word(keys)
        number, words = self.number, self.words
        if _WORTH_SIFTING * len(rows) < len(words):
            found = self._sift(rows, word)
            number, words = number[found], words[found]
        whole = len(number) == self.values.shape[1]
        if self.same:
            group, size = number_words(words & word)
            place = group
            if not whole:
                place = np.empty(number[-1] + 1, np.intp)
                place[number] = group
            place = place[rows]
        else:
            group, size = number_words(np.concatenate([words, self.asked[rows]]) & word)
            group, place = group[: len(words)], group[len(words) :]
        return [sum_by(group, row if whole else row[number], size)[place] for row in self.values]

    def walk(
        self, dropped: Sequence[int], asking: Asking, *, keys: int = -1
    ) -> Iterator[tuple[CompleteCells, int]]:
        """Go through sets of keys that are left out, each with the cells that matter for it.

        They are visited as a tree: each key in turn is left out, or kept. Where it is kept, only
        cells matter that agree on it, and on those kept before, with one that asks.

        Args:
            dropped: The sets.
            asking: Who asks about any of some sets, which come in the order given. It is asked
                anew before these are visited: nothing is visited that nobody asks about.
            keys: Keys that have to agree if they are kept.
        """
        order = sorted(range(len(self.sizes)), key=lambda j: -self.sizes[j])
        return self._visit(dropped, asking, [j for j in order if keys >> j & 1], 0)

    def _visit(
        self, dropped: Sequence[int], asking: Asking, undecided: Sequence[int], kept: int
    ) -> Iterator[tuple[CompleteCells, int]]:
        if len(dropped) == 1 or not undecided or len(self.words) < _MANY:
            yield from ((self, each) for each in dropped if len(asking([each])))
            return
        key, *undecided = undecided
        without = [each for each in dropped if each >> key & 1]
        if without and len(asking(without)):
            yield from self._visit(without, asking, undecided, kept)
        others = [each for each in dropped if not each >> key & 1]
        if others and len(rows := asking(others)):
            kept |= 1 << key
            narrowed = self._narrow(rows, kept) if len(others) > 1 else self
            yield from narrowed._visit(others, asking, undecided, kept)

    def _narrow(self, rows: Index, keys: int) -> CompleteCells:
        """Keep the cells that agree with some who ask on some keys, if these are likely few."""
        combinations = prod(size for j, size in enumerate(self.sizes) if keys >> j & 1)
        if combinations < len(rows) or _WORTH_NARROWING * len(rows) > len(self.words):
            return self
        found = self._sift(rows, self._word(keys))
        return replace(self, number=self.number[found], words=self.words[found])

    def _sift(self, rows: Index, word: np.uint64) -> Index:
        """Find the cells that agree with some who ask in some bits, and a few others."""
        bits = min(max((32 * len(rows)).bit_length(), 16), 23)
        sieve = np.zeros(1 << bits, np.bool_)
        sieve[_hash(self.asked[rows] & word, bits)] = True
        return np.flatnonzero(sieve.take(_hash(self.words & word, bits)))

    def _word(self, keys: int) -> np.uint64:
        """All bits of the fields of some keys."""
        return np.uint64(sum(field for j, field in enumerate(self.fields) if keys >> j & 1))


def _hash(words: Words, bits: int) -> Index:
    """Turn words into numbers of so many bits, in their place."""
    words *= _GOLDEN
    words >>= np.uint64(64 - bits)
    return words.view(np.int64)
