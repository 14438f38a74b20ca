"""Members of households in one order, so that each household is one sequence of codes.

A household is a set of members: whoever compares two of them does not know which member stands
first. So members are sorted by what they are, and households too, whatever order records have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index, number, sort_words
from microsafe.risk.family.tables import IntArray, choose_level, close_codes
from microsafe.sums import Floats, entropy, sum_by

LARGE = 6  # members from which sizes count as one
_RICHEST = 2  # keys that a gap is filled from, for the order of members

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Families:
    """Households and their members.

    Attributes:
        keys: Keys of persons, that of the largest entropy first.
        shared_keys: Keys that are the same for all members of every household.
        record: Record at each place, household by household.
        first: Place of each household's first member.
        size: Members of each household.
        home: Household at each place.
        codes: Of the keys of persons, a row for each place; 0 is a gap.
        shared: Of the keys that members share, a row for each household; 0 is a gap.
        weight: Of each household, the mean of its members'; None if the file is the population.
        alike: Households that show the same have the same number.
        numbers: What each household is called outside.
        uneven: Share of the households whose members' weights differ.
    """

    keys: tuple[str, ...]
    shared_keys: tuple[str, ...]
    record: Index
    first: Index
    size: NDArray[np.int64]
    home: Index
    codes: NDArray[np.int32]
    shared: NDArray[np.int32]
    weight: Floats | None
    alike: Index
    numbers: Index
    uneven: float

    def __len__(self) -> int:
        """Return the number of households."""
        return len(self.size)

    def look_like(self, other: Families) -> bool:
        """Tell whether others are the same, whatever they and their records are called."""
        named = self.keys, self.shared_keys, self.uneven, self.weight is None
        if named != (other.keys, other.shared_keys, other.uneven, other.weight is None):
            return False
        mine, theirs = (
            (
                each.size,
                each.codes,
                each.shared,
                each.alike,
                () if each.weight is None else each.weight,
            )
            for each in (self, other)
        )
        return all(map(np.array_equal, mine, theirs))

    @property
    def place(self) -> Index:
        """Place of each member in the household, from 0."""
        return np.arange(len(self.home)) - self.first[self.home]

    @property
    def whole(self) -> Flags:
        """Which households show all keys."""
        return self.find_full(self.codes > 0, self.shared > 0)

    def find_full(self, members: Flags, shared: Flags) -> Flags:
        """Tell for which households all flags are up, given those of members and households."""
        hidden = np.bincount(self.home[~members.all(axis=1)], minlength=len(self))
        return np.asarray((hidden == 0) & shared.all(axis=1))

    def sum_members(self, values: Floats) -> Floats:
        """Add up a figure of each place over the members of each household."""
        return sum_by(self.home, values, len(self))

    def give_back(self, values: Floats, count: int) -> Floats:
        """Return figures by the number that households have outside, where there are so many."""
        made = np.zeros(count)
        made[self.numbers] = values
        return made

    def view(self, shown: Mapping[str, Flags]) -> FamilyView:
        """Return what is shown of households, given what records show of each key.

        A value that members share is known if one of them shows it. Members who are alike change
        places so that nothing hangs on the order of the records.
        """
        members = np.ones(self.codes.shape, np.bool_)
        for column, key in enumerate(self.keys):
            members[:, column] = shown[key][self.record]
        shared = np.ones(self.shared.shape, np.bool_)
        for column, key in enumerate(self.shared_keys):
            shared[:, column] = np.logical_or.reduceat(shown[key][self.record], self.first)
        members &= self.codes > 0
        record = self.record
        if not members.all():
            differs = np.any(self.codes[1:] != self.codes[:-1], axis=1)
            differs |= self.home[1:] != self.home[:-1]
            twins = np.cumsum(np.r_[False, differs])
            order = np.lexsort((*members.T, twins))
            members, record = members[order], record[order]
        return FamilyView(record=record, members=members, shared=shared & (self.shared > 0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FamilyView:
    """What is shown of households.

    Attributes:
        record: Record at each place.
        members: Which keys of persons are shown, a row for each place.
        shared: Which keys that members share are shown, a row for each household.
    """

    record: Index
    members: Flags
    shared: Flags


def arrange_families(
    household: Index, codes: Mapping[str, IntArray], weight: Floats | None
) -> Families:
    """Sort records into households, members and households each by what they are.

    Args:
        household: Number of the household of each record, from 0.
        codes: Of each key by record, as if nothing had been blanked; 0 is a gap. A key that is
            missing in every record tells nothing.
        weight: Of each record; None if the file is the population.
    """
    known = {key: code.astype(np.int32) for key, code in codes.items() if code.any()}
    size = np.bincount(household)
    shared_keys = tuple(key for key in known if _is_shared(known[key], household, size))
    persons = [key for key in known if key not in shared_keys]
    persons.sort(key=lambda key: -entropy(np.bincount(known[key][known[key] > 0])))
    order = _order_members(household, size, {key: known[key] for key in persons}, weight)
    number_of = household[order]
    first = np.flatnonzero(np.r_[True, number_of[1:] != number_of[:-1]])
    members = _stack([known[key][order] for key in persons], len(order))
    shared = _stack(
        [np.maximum.reduceat(known[key][order], first) for key in shared_keys], len(first)
    )
    size = size[number_of[first]]
    alike = number_alike(size, first, members, shared)
    mean, uneven = _average(None if weight is None else weight[order], first, size)
    sequence = _sort_stable(alike, mean)
    start = np.cumsum(size[sequence]) - size[sequence]
    home = np.repeat(np.arange(len(first)), size[sequence])
    places = first[sequence][home] + np.arange(len(order)) - start[home]
    return Families(
        keys=tuple(persons),
        shared_keys=shared_keys,
        record=order[places],
        first=start,
        size=size[sequence],
        home=home,
        codes=members[places],
        shared=shared[sequence],
        weight=None if mean is None else mean[sequence],
        alike=alike[sequence],
        numbers=number_of[first][sequence],
        uneven=uneven,
    )


def _stack(columns: list[NDArray[np.int32]], rows: int) -> NDArray[np.int32]:
    return np.stack(columns, axis=1) if columns else np.zeros((rows, 0), np.int32)


def _is_shared(code: NDArray[np.int32], household: Index, size: NDArray[np.int64]) -> bool:
    """Tell whether members who show a key show the same; alone nobody shares anything."""
    if not np.any(size > 1):
        return False
    there = np.flatnonzero(code)
    one = np.zeros(len(size), np.int32)
    one[household[there]] = code[there]  # of several members one stays
    return bool(np.all(one[household[there]] == code[there]))


def _average(
    weight: Floats | None, first: Index, size: NDArray[np.int64]
) -> tuple[Floats | None, float]:
    """Return the mean weight of each household, and the share of those whose members' differ."""
    if weight is None:
        return None, 0.0
    low, high = np.minimum.reduceat(weight, first), np.maximum.reduceat(weight, first)
    mean = np.add.reduceat(weight, first) / size
    return np.where(low == high, low, mean), float(np.mean(high > 1.01 * low))


def _order_members(
    household: Index,
    size: NDArray[np.int64],
    codes: Mapping[str, NDArray[np.int32]],
    weight: Floats | None,
) -> Index:
    """Order records by household, then largest codes first, then by all that may differ."""
    rows = len(household)
    most = [int(code.max()) for code in codes.values()]
    filled = _fill_gaps(size[household], codes)
    columns = [high + 1 - code for high, code in zip(most, filled, strict=True)]
    if not all(code.all() for code in codes.values()):
        columns += codes.values()
    rank, row_of = number(columns, [high + 1 for high in (*most, *most)][: len(columns)], rows=rows)
    words = household * len(row_of) + rank
    return _sort_stable(words, weight)


def _sort_stable(words: Index, weight: Floats | None) -> Index:
    """Return rows in the order of words, then of weights; those that are equal as they come."""
    order, ordered = sort_words(words.view(np.uint64))
    if weight is not None:
        equal = ordered[1:] == ordered[:-1]
        tied = np.flatnonzero(np.r_[False, equal] | np.r_[equal, False])
        rows = order[tied]
        order[tied] = rows[np.lexsort((weight[rows], words[rows]))]
    return order


def number_alike(
    size: NDArray[np.int64], first: Index, members: IntArray, shared: IntArray
) -> Index:
    """Number households by size, shared codes and the codes of their members, place by place."""
    sizes = [int(column.max(initial=0)) for column in members.T]
    person = number(list(members.T), sizes, rows=len(members))[0]
    columns = [size, *shared.T]
    alike = number(columns, [int(column.max(initial=0)) for column in columns], rows=len(size))[0]
    rows, place, people = np.arange(len(size)), 0, int(person.max(initial=0))
    while len(rows):  # households of different size are apart already
        pairs = [alike[rows], person[first[rows] + place]]
        found = number(pairs, [int(pairs[0].max()), people], rows=len(rows))[0]
        alike[rows] = found + (int(alike.max()) + 1)
        place += 1
        rows = rows[size[rows] > place]
    return number([alike], [int(alike.max(initial=0))], rows=len(size))[0]


def _fill_gaps(
    size: NDArray[np.int64], codes: Mapping[str, NDArray[np.int32]]
) -> list[NDArray[np.int32]]:
    """Fill gaps for the order of members only.

    A gap stands as the most frequent code given the two best of size and the member's other keys.
    """
    gaps = [key for key, code in codes.items() if not code.all()]
    if not gaps:
        return list(codes.values())
    size = np.minimum(size, LARGE)
    sizes = [LARGE, *(int(code.max()) for code in codes.values())]
    rows = np.argsort(number([size, *codes.values()], sizes, rows=len(size))[0], kind="stable")
    back = np.empty_like(rows)
    back[rows] = np.arange(len(rows))
    known = {"": size[rows]} | {key: code[rows] for key, code in codes.items()}
    return [_fill_gap(key, known)[back] if key in gaps else code for key, code in codes.items()]


def _fill_gap(key: str, known: Mapping[str, IntArray]) -> NDArray[np.int32]:
    code = known[key]
    there = code > 0
    x, ones = code[there] - 1, np.ones(int(there.sum()))
    codes = int(code.max())
    context, chance = np.zeros(len(code), np.int64), np.full(len(x), 1.0 / codes)
    filled = code.copy()
    others = [name for name in known if name != key]
    for _ in range(min(_RICHEST, len(others))):
        tried = {}
        for name in others:
            joint = close_codes(context * (int(known[name].max()) + 1) + known[name])
            gain, _, better = choose_level(x, codes, joint[there], ones, chance)
            tried[name] = gain, better, joint
        best = max(tried, key=lambda name: tried[name][0])
        _, chance, context = tried[best]
        mode = _find_modes(context[there], x, codes, int(context.max()) + 1)[context[~there]]
        filled[~there] = np.where(mode >= 0, mode + 1, filled[~there])
    return filled.astype(np.int32)


def _find_modes(context: Index, x: IntArray, codes: int, size: int) -> NDArray[np.int64]:
    """Return the most frequent code in each context, the largest of several; -1 where none is."""
    both, count = np.unique(context * codes + x, return_counts=True)
    mode = np.full(size, -1, np.int64)
    order = np.argsort(count, kind="stable")
    mode[both[order] // codes] = both[order] % codes  # the last that is written stays
    return mode
