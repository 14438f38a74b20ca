"""Cells: one row for each combination of key values that occurs, with its count and weight.

Everything that is said about risk is computed from cells. They are small where records are
many, they carry codes instead of values, and a test can write them by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.errors import InputError
from microsafe.sums import Exact, Floats, sum_by

Codes = NDArray[np.unsignedinteger[Any]]
Index = NDArray[np.intp]

_WORD = 1 << 63  # packed codes stay below this, so that they are safe as int64 too


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """The cells of a set of keys, in lexicographic order of their codes.

    Attributes:
        keys: Names of the key variables.
        categories: For each key its categories in order; code c is `categories[c - 1]`.
        codes: For each key the code of every cell; 0 is missing.
        count: Records in the cell.
        weights: Sum of their weights.
        alike: How many cells each row stands for, where they are so many that only their count
            and weight are known: then there are no keys. One each if None.
    """

    keys: tuple[str, ...]
    categories: tuple[Sequence[str], ...]
    codes: tuple[Codes, ...]
    count: NDArray[np.int64]
    weights: Exact
    alike: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.count)

    @property
    def members(self) -> NDArray[np.int64]:
        """Number of records in each row."""
        return self.count if self.alike is None else self.count * self.alike

    @property
    def records(self) -> int:
        """Number of records in all cells."""
        return int(self.members.sum())

    @property
    def weight(self) -> Floats:
        """Sum of weights of each cell."""
        return self.weights.value

    @property
    def complete(self) -> bool:
        """Whether no key is missing in any cell."""
        return all(bool(code.all()) for code in self.codes)

    def equals(self, other: Cells) -> bool:
        """Tell whether another set has the same cells to the last bit."""
        if (self.keys, len(self)) != (other.keys, len(other)) or self.alike is not other.alike:
            return False
        mine, theirs = (
            (*cells.codes, cells.count, cells.weights.high, np.empty(0) if low is None else low)
            for cells, low in ((self, self.weights.low), (other, other.weights.low))
        )
        same = map(same_categories, self.categories, other.categories)
        return all(same) and all(map(np.array_equal, mine, theirs))

    def found_in(self, other: Cells) -> NDArray[np.bool_]:
        """Which of these cells another set of the same keys has too, with no key missing."""
        codes = []
        for mine, theirs, coded in zip(self.categories, other.categories, other.codes, strict=True):
            known = {category: code for code, category in enumerate(mine, 1)}
            codes.append(np.array([0, *(known.get(category, 0) for category in theirs)])[coded])
        complete = np.logical_and.reduce([code > 0 for code in codes])
        both = [np.concatenate([a, b[complete]]) for a, b in zip(self.codes, codes, strict=True)]
        sizes = [len(values) for values in self.categories]
        group, _ = number(both, sizes, rows=len(self) + int(complete.sum()))
        return np.isin(group[: len(self)], group[len(self) :])

    def coded_as(self, other: Cells) -> Cells:
        """Return these cells in the coding of another set of the same keys.

        A file that was written and read again may spell a number otherwise: a category that is not
        found as it stands is looked for by its value.

        Raises:
            InputError: The other set does not have some category.
        """
        codes = []
        for key, mine, theirs, coded in zip(
            self.keys, self.categories, other.categories, self.codes, strict=True
        ):
            place = np.array([0, *_find_categories(mine, theirs)], np.uint32)[coded]
            if not place[coded > 0].all():
                raise InputError(f"Key {key!r} has categories that it did not have before.")
            codes.append(place)
        return replace(self, categories=other.categories, codes=tuple(codes))

    def project(self, keys: Sequence[str]) -> tuple[Cells, Index]:
        """Return the cells of fewer keys, and for each old cell the number of its new one."""
        places = [self.keys.index(key) for key in keys]
        codes = [self.codes[place] for place in places]
        categories = tuple(self.categories[place] for place in places)
        group, first = number(codes, [len(values) for values in categories], rows=len(self))
        cells = Cells(
            keys=tuple(keys),
            categories=categories,
            codes=tuple(code[first] for code in codes),
            count=sum_by(group, self.count.astype(np.float64), len(first)).astype(np.int64),
            weights=self.weights.group(group, len(first)),
        )
        return cells, group

    def gaps_as_category(self) -> Cells:
        """Return the cells with missing as the first category of each key that has gaps."""
        codes, categories = [], []
        for code, known in zip(self.codes, self.categories, strict=True):
            gaps = not code.all()
            codes.append(code.astype(np.uint32) + np.uint32(1) if gaps else code)
            categories.append(("", *known) if gaps else known)
        return replace(self, codes=tuple(codes), categories=tuple(categories))


def same_categories(some: Sequence[str], others: Sequence[str]) -> bool:
    """Tell whether two lists of categories, of which one may be a column, are the same."""
    return len(some) == len(others) and all(map(str.__eq__, some, others))


def _find_categories(some: Sequence[str], known: Sequence[str]) -> list[int]:
    """Return the codes that some categories have among those that are known; 0 for others."""
    code_of = {category: code for code, category in enumerate(known, 1)}
    codes = [code_of.get(category, 0) for category in some]
    if all(codes):
        return codes
    by_value = {_value(category): code for code, category in enumerate(known, 1)}
    pairs = zip(some, codes, strict=True)
    return [code or by_value.get(_value(category), 0) for category, code in pairs]


def _value(category: str) -> str | float:
    try:
        return float(category)
    except ValueError:
        return category.strip()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Membership:
    """Which households the records of each cell belong to, one row per household and cell.

    Attributes:
        household: Number of the household.
        cell: Number of the cell.
        records: Members of the household in the cell.
    """

    household: Index
    cell: Index
    records: NDArray[np.int64]


def number(
    codes: Sequence[NDArray[np.integer[Any]]], sizes: Sequence[int], *, rows: int
) -> tuple[Index, Index]:
    """Number the distinct rows of some coded columns in lexicographic order.

    Args:
        codes: One column per key, values from 0 (missing) to its size.
        sizes: The largest code each column may hold.
        rows: How many rows there are (there may be no column).

    Returns:
        The number of each row's combination, and for each number a row that has it.
    """
    packed = np.zeros(rows, np.int64)
    span = 1
    for code, size in zip(codes, sizes, strict=True):
        if span * (size + 1) >= _WORD:
            packed, span = _close_gaps(packed, span)
        packed *= size + 1
        packed += code
        span *= size + 1
    return number_packed(packed, span)


def number_packed(packed: NDArray[np.int64], span: int) -> tuple[Index, Index]:
    """Number the distinct ones of some words below `span` in their order.

    Returns:
        The number of each word, and for each number a row that has it.
    """
    group, groups = _close_gaps(packed, span)
    row_of = np.empty(groups, np.intp)
    row_of[group] = np.arange(len(packed))
    return group, row_of


def _close_gaps(packed: NDArray[np.int64], span: int) -> tuple[Index, int]:
    """Renumber codes below `span` without gaps, keeping their order."""
    if span <= max(1 << 16, 4 * len(packed), min(64 * len(packed), 1 << 22)):
        # Of each word the number of those below it, and last of all.
        number_of = np.zeros(span + 1, np.int32 if len(packed) < 1 << 31 else np.int64)
        number_of[1:][packed] = 1
        np.cumsum(number_of, out=number_of)
        return number_of.take(packed).astype(np.intp, copy=False), int(number_of[-1])
    return number_words(packed.view(np.uint64))


def number_words(words: NDArray[np.uint64]) -> tuple[Index, int]:
    """Number words in the order of their size, equal ones alike; also return how many differ."""
    rows, ordered = sort_words(words)
    new = np.ones(len(words), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    numbers: Index = np.cumsum(new)
    numbers -= 1
    group = np.empty(len(words), np.intp)
    group[rows] = numbers
    return group, int(numbers[-1]) + 1 if len(words) else 0


def sort_words(words: NDArray[np.uint64]) -> tuple[Index, NDArray[np.uint64]]:
    """Return the rows of words in the order of their size, equal ones as they come; and the words.

    Words of cells come in long ascending runs, which a stable sort only has to merge.
    """
    bits = len(words).bit_length()
    if len(words) and int(words.max()) < 1 << 64 - bits:
        # A word and its row in one number: sorting numbers is quicker than finding their order.
        ordered = words << np.uint64(bits)
        ordered |= np.arange(len(words), dtype=np.uint64)
        ordered.sort(kind="stable")
        rows = (ordered & np.uint64((1 << bits) - 1)).view(np.int64)
        ordered >>= np.uint64(bits)
        return rows, ordered
    rows = np.argsort(words, kind="stable")
    return rows, words[rows]
