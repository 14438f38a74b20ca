"""Which records match each other while blanks come and go.

Codes stand side by side in words, and each record has a second word with all bits of the keys that
it shows. Two records match if their codes differ in no bit that both show, so one record is
compared with all others by three operations on words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.risk.record.subset_frequencies import Masks

Words = NDArray[np.uint64]
_BITS = 64
_PAIRS = 1 << 18  # that are compared at a time
_NONE = np.zeros(0, np.intp)


class MatchIndex:
    """Records with some keys blanked.

    Args:
        cells: All cells.
        cell: Cell of each record.
        keys: Keys blanked in it.

    Attributes:
        codes: Category of each record, by key.
    """

    def __init__(self, cells: Cells, cell: Index, keys: Masks) -> None:
        self.codes = [code[cell] for code in cells.codes]
        sizes = [len(category).bit_length() for category in cells.categories]
        self._fields, width = _lay_out(sizes)
        self._bits_of: dict[int, Words] = {}
        self._words = np.zeros((width, len(cell)), np.uint64)
        self._had = np.zeros((width, len(cell)), np.uint64)
        for code, (row, shift, bits) in zip(self.codes, self._fields, strict=True):
            self._words[row] |= code.astype(np.uint64) << np.uint64(shift)
            self._had[row, code > 0] |= np.uint64(bits)
        self._shown = self._had.copy()
        for mask in np.unique(keys).tolist():
            self._shown[:, keys == mask] &= ~self._bits(mask)[:, None]

    def set_blanks(self, i: int, keys: int) -> None:
        """Blank some keys of a record, and show its others."""
        self._shown[:, i] = self._had[:, i] & ~self._bits(keys)

    def find_matches_of(self, i: int, keys: int, within: int) -> Index:
        """Find the other records that match one with some keys blanked (see `find_matches`)."""
        differ = np.zeros(len(self.codes[0]), np.bool_)
        asked = self._had[:, i] & self._bits(within & ~keys)
        for words, shown, bits in zip(self._words, self._shown, asked, strict=True):
            if bits:
                each = words ^ words[i]
                each &= shown
                each &= bits
                differ |= each != 0
        differ[i] = True
        return np.flatnonzero(~differ)

    def find_new(self, i: int, keys: int, found: Index, within: int) -> Index:
        """Find which of its matches a record with some keys blanked owes to others' blanks."""
        asked = self._had[:, i] & self._bits(within & ~keys)
        differ = self._words[:, found] ^ self._words[:, i, None]
        differ &= self._had[:, found]
        differ &= asked[:, None]
        return found[differ.any(axis=0)]

    def find_matches(self, records: Index, keys: Masks, within: int) -> tuple[Index, Index]:
        """Find the other records that match some on some keys.

        Args:
            records: Which records.
            keys: Keys blanked in each of them.
            within: Keys that are looked at.

        Returns:
            For each match the place among the records, and who matches.
        """
        step = max(_PAIRS // max(len(self.codes[0]), 1), 1)
        asked = self._ask(records, keys, within)
        places, found = [], []
        for start in range(0, len(records), step):
            part = slice(start, start + step)
            differ = np.zeros((len(records[part]), len(self.codes[0])), np.bool_)
            for words, shown, bits in zip(self._words, self._shown, asked, strict=True):
                if bits.any():
                    each = words ^ words[records[part], None]
                    each &= shown
                    each &= bits[part, None]
                    differ |= each != 0
            differ[np.arange(len(differ)), records[part]] = True
            place, match = np.nonzero(~differ)
            places.append(place + start)
            found.append(match)
        return np.concatenate([_NONE, *places]), np.concatenate([_NONE, *found])

    def matched_before(
        self, records: Index, keys: Masks, found: Index, within: int
    ) -> NDArray[np.bool_]:
        """Tell who would match a record with some keys blanked if nobody else had blanks."""
        asked = self._ask(records, keys, within)
        differ = (self._words[:, found] ^ self._words[:, records]) & self._had[:, found] & asked
        matched: NDArray[np.bool_] = (differ == 0).all(axis=0)
        return matched

    def tell_apart(self, records: Index | list[int], found: Index, key: int) -> NDArray[np.bool_]:
        """Tell which pairs of records differ in a key, if the first ones showed it."""
        row, _, bits = self._fields[key]
        shown = (self._shown[row, found] & np.uint64(bits)) > 0
        code = self.codes[key]
        apart: NDArray[np.bool_] = shown & (code[records] > 0) & (code[found] != code[records])
        return apart

    def _ask(self, records: Index, keys: Masks, within: int) -> Words:
        """Return the bits of records in which others must agree."""
        asked: Words = self._had[:, records] & self._bits(within)[:, None]
        for mask in np.unique(keys).tolist():
            asked[:, keys == mask] &= ~self._bits(mask)[:, None]
        return asked

    def _bits(self, keys: int) -> Words:
        if keys not in self._bits_of:
            result = [0] * len(self._words)
            for j, (row, _, bits) in enumerate(self._fields):
                if keys >> j & 1:
                    result[row] |= bits
            self._bits_of[keys] = np.array(result, np.uint64)
        return self._bits_of[keys]


def _lay_out(sizes: list[int]) -> tuple[list[tuple[int, int, int]], int]:
    """Give each key a word, a shift and the bits of its field; return the number of words."""
    fields, row, shift = [], 0, 0
    for size in sizes:
        if shift + size > _BITS:
            row, shift = row + 1, 0
        fields.append((row, shift, ((1 << size) - 1) << shift))
        shift += size
    return fields, row + 1
