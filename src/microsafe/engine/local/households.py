"""Assign records to households, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index
from microsafe.engine.local.records import Records
from microsafe.engine.slices import Bits, unpack_flags
from microsafe.sums import Floats

_PIECE = 1 << 16  # records
_FEW = 100  # categories up to which a key may hold the size of the household


class HouseholdIndex:
    """Households by number: those with an id in its order, then records without one.

    Attributes:
        count: Households.
        unassigned: How many of them are records without an id.
    """

    def __init__(self, records: Records, name: str) -> None:
        records.fetch([name], [])
        self._records, self._name = records, name
        self.unassigned = sum(int(np.count_nonzero(code == 0)) for code in records.codes(name))
        self._assigned = len(records.coded[name].categories)
        self.count = self._assigned + self.unassigned

    def batches(self) -> Iterator[Index]:
        """Go through each record's household; records without an id get one of their own."""
        free = self._assigned
        for code in self._records.codes(self._name):
            household = code.astype(np.intp) - 1
            alone = np.flatnonzero(household < 0)
            household[alone] = free + np.arange(len(alone))
            free += len(alone)
            yield household

    def is_constant(self, key: str) -> bool:
        """Tell whether a key never differs between members of a household."""
        seen = np.full(self._assigned, -1, np.int64)
        batches = zip(self._records.codes(key), self._records.codes(self._name), strict=True)
        for codes, homes in batches:
            for start in range(0, len(codes), _PIECE):  # most keys soon differ
                code, home = codes[start : start + _PIECE], homes[start : start + _PIECE]
                code, household = code[home > 0], home[home > 0].astype(np.intp) - 1
                before = seen[household]
                seen[household] = code  # of several members among these one stays
                if bool(np.any((seen[household] != code) | ((before >= 0) & (before != code)))):
                    return False
        return True

    def spread(self, bits: Sequence[Bits]) -> list[Bits]:
        """Return flags that hold for all members of a household if they hold for one."""
        hit = np.zeros(self.count, np.bool_)
        for part, household in zip(bits, self.batches(), strict=True):
            hit[household[unpack_flags(part, 0, len(household))]] = True
        return [np.packbits(hit[household]) for household in self.batches()]

    def find_size_key(self, keys: Sequence[str], size: NDArray[np.int64]) -> str | None:
        """Find a key that holds the number of members in at least nine of ten records."""
        for key in keys:
            categories = self._records.coded[key].categories
            few = list(categories) if len(categories) <= _FEW else []
            if few and all(text.isascii() and text.strip().isdecimal() for text in few):
                numbers = np.array([-1, *(int(text) for text in few)], np.float64)
                if self._holds_size(key, numbers, size):
                    return key
        return None

    def _holds_size(self, key: str, numbers: Floats, size: NDArray[np.int64]) -> bool:
        """Tell whether the numbers of a key's codes are sizes in at least nine of ten records."""
        agreeing = self._records.count
        batches = zip(self._records.codes(key), self.batches(), strict=True)
        for codes, households in batches:
            for start in range(0, len(codes), _PIECE):  # most keys soon differ too often
                code = codes[start : start + _PIECE]
                household = households[start : start + _PIECE]
                agreeing -= int(np.count_nonzero(numbers[code] != size[household]))
                if agreeing / self._records.count < 0.9:
                    return False
        return True
