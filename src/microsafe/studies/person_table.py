"""One row for each person, of records that repeat persons: arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index
from microsafe.engine.slices import Flags
from microsafe.schema import number_in
from microsafe.sums import Floats

_NEARLY_ALL = 0.99  # of the persons: then a key follows by itself


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PersonRecords:
    """Whose each record is, and of which wave.

    Attributes:
        person: Number of its person, by record.
        wave: Place of its wave, by record.
        persons: How many there are.
        waves: Names of the waves, in order; none for a file of events.
        variable: That tells waves apart; None if they are the records in the order of the file.
    """

    person: Index
    wave: Index
    persons: int
    waves: tuple[str, ...]
    variable: str | None = None

    @property
    def are_events(self) -> bool:
        """Whether records are events, of which a person has any number in no order."""
        return not self.waves

    def find_present(self) -> NDArray[np.bool_]:
        """Return who has a record in which wave."""
        there = np.zeros((self.persons, max(1, len(self.waves))), np.bool_)
        there[self.person, self.wave] = True
        return there


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PersonKey:
    """A key as persons have it: once, or once for a wave.

    Attributes:
        key: Of records.
        name: Of the column.
        wave: Place of the wave; None if it enters once.
        shift: How far values lie above those at the first wave, by wave, where they follow by
            themselves; nothing for others.
    """

    key: str
    name: str
    wave: int | None = None
    shift: tuple[float, ...] = ()

    def find_rows(self, records: PersonRecords, persons: Flags) -> Flags:
        """Return the records of some persons that show the column."""
        rows = persons[records.person]
        return rows if self.wave is None else rows & (records.wave == self.wave)

    def find_codes(self, records: PersonRecords, codes: Index) -> Index:
        """Return the code of each person; that of the first record with one if it enters once."""
        if self.wave is not None:
            rows = np.flatnonzero(records.wave == self.wave)
            found = np.zeros(records.persons, np.intp)
            found[records.person[rows]] = codes[rows]
            return found
        return codes[find_first(records, codes)]

    def find_values(self, records: PersonRecords, codes: Index, values: Floats) -> Floats:
        """Return the number of each person as it was at the first wave; NaN where none is known.

        Args:
            records: Whose they are.
            codes: By record.
            values: By code, from 1.
        """
        first = find_first(records, codes)
        moved = np.array(self.shift)[records.wave[first]]
        at_first: Floats = np.r_[np.nan, values][codes[first]] - moved
        return at_first


def find_first(records: PersonRecords, codes: Index) -> Index:
    """Return the first record of each person that has a code, or any that has none."""
    order = np.lexsort((records.wave, codes == 0, records.person))
    starts = np.searchsorted(records.person[order], np.arange(records.persons))
    return order[starts]


def lay_out(
    records: PersonRecords, codes: Mapping[str, Index], categories: Mapping[str, Sequence[str]]
) -> tuple[PersonKey, ...]:
    """Return keys as persons have them; of events those that never change.

    Args:
        records: Whose they are.
        codes: Of each key, by record.
        categories: Of each key.
    """
    found: list[PersonKey] = []
    for key, code in codes.items():
        if is_constant(records, code):
            found.append(PersonKey(key=key, name=key))
        elif records.are_events:
            continue
        elif shift := find_shift(records, code, categories[key]):
            found.append(PersonKey(key=key, name=key, shift=shift))
        else:
            found += [
                PersonKey(key=key, name=f"{key}@{wave}", wave=place)
                for place, wave in enumerate(records.waves)
                if code[records.wave == place].any()
            ]
    return tuple(found)


def is_constant(records: PersonRecords, codes: Index) -> bool:
    """Tell whether a variable never differs between records of a person; gaps tell nothing."""
    known = np.flatnonzero(codes)
    low = np.full(records.persons, np.iinfo(np.intp).max)
    high = np.zeros(records.persons, np.intp)
    np.minimum.at(low, records.person[known], codes[known])
    np.maximum.at(high, records.person[known], codes[known])
    return not bool(np.any((high > 0) & (low != high)))


def find_shift(
    records: PersonRecords, codes: Index, categories: Sequence[str]
) -> tuple[float, ...]:
    """Return how far a variable moves from the first wave to each, if it does so by itself.

    Nothing if its change from one wave to the next is not the same for nearly all persons, or is
    none: who moves although most stay is told by that.
    """
    numbers = [number_in(category) for category in categories]
    if None in numbers:
        return ()
    values = np.full((records.persons, len(records.waves)), np.nan)
    values[records.person, records.wave] = np.array([np.nan, *numbers], np.float64)[codes]
    steps, alike, pairs = [0.0], 0, 0
    for change in np.diff(values, axis=1).T:
        known, count = np.unique(change[~np.isnan(change)], return_counts=True)
        if not len(known):
            return ()
        steps.append(float(known[np.argmax(count)]))
        alike, pairs = alike + int(count.max()), pairs + int(count.sum())
    moves = any(steps) and alike >= _NEARLY_ALL * pairs
    return tuple(np.cumsum(steps).tolist()) if moves else ()


def add_up_weights(records: PersonRecords, weights: Floats, *, by_wave: bool) -> Floats:
    """Return the weight of each person.

    Args:
        records: Whose they are.
        weights: By record; those of events are weights of the person.
        by_wave: Whether each wave adds up to the population; else all of them together do.
    """
    sums = np.zeros((records.persons, max(1, len(records.waves))))
    np.add.at(sums, (records.person, records.wave), weights)
    if records.are_events and by_wave:
        return sums[:, 0] / np.bincount(records.person, minlength=records.persons)
    total: Floats = sums.sum(axis=1)
    return total / len(records.waves) if by_wave else total
