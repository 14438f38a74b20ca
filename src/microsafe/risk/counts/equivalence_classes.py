"""Classes of records that an intruder cannot tell apart, and the values that occur in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from microsafe.cells import Cells, Index, number
from microsafe.progress import Progress, silent
from microsafe.risk.record.wildcard import sections_of, shown_keys
from microsafe.schema import number_in
from microsafe.sums import Floats, sum_by

_STAGE = "gathering sensitive values"
_Entries = tuple[Index, Index, Floats]  # class, place of the value, records


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassValues:
    """How often each value of a sensitive variable occurs in each class.

    Attributes:
        classes: How many classes there are.
        of: The class of each entry; entries are sorted by class and value.
        value: The place of its value in the order of values, from 0.
        count: Records of the class with that value.
        overall: Records of the file with each value.
    """

    classes: int
    of: Index
    value: Index
    count: Floats
    overall: Floats

    @property
    def total(self) -> Floats:
        """Records with a value in each class."""
        return sum_by(self.of, self.count, self.classes)

    @property
    def share(self) -> Floats:
        """Of each entry in its class."""
        return self.count / self.total[self.of]

    @property
    def start(self) -> Index:
        """For each entry the first of its class."""
        return np.searchsorted(self.of, self.of)


def sensitive_values(
    joint: Cells,
    *,
    wildcard: bool,
    afford: Callable[[int], None] = lambda _: None,
    progress: Progress = silent,
) -> tuple[Cells, ClassValues]:
    """Gather the values of a sensitive variable by class.

    Args:
        joint: Cells of the keys and, last, the sensitive variable.
        wildcard: Whether a missing key may stand for any category; the class of a record is
            then all records compatible with it. Otherwise missing is a category.
        afford: Told, before they are laid out, how many values of classes there will be at
            least; may refuse so many.
        progress: Progress callback.

    Returns:
        The cells of the keys, each of which makes a class, and the values. A missing value is
        no value.
    """
    cells, group = joint.project(joint.keys[:-1])
    code = joint.codes[-1].astype(np.intp)
    known = np.flatnonzero(code)
    place = _places(joint)[code[known] - 1]
    occurring, place = np.unique(place, return_inverse=True)
    entries = _merge_entries(group[known], place, joint.count[known].astype(np.float64))
    overall = sum_by(place, joint.count[known].astype(np.float64), len(occurring))
    if wildcard and not cells.complete:
        entries = _shared_entries(cells, entries, afford, progress)
    of, value, count = entries
    return cells, ClassValues(classes=len(cells), of=of, value=value, count=count, overall=overall)


def _places(joint: Cells) -> Index:
    """Place of each category of the last key: by number if all are numbers, else as they are."""
    numbers = [number_in(text) for text in joint.categories[-1]]
    if any(each is None for each in numbers):
        return np.arange(len(numbers))
    return np.argsort(np.argsort(np.array(numbers, np.float64), kind="stable"))


def _merge_entries(of: Index, value: Index, count: Floats) -> _Entries:
    """Add up entries of the same class and value, and sort them."""
    sizes = [int(each.max(initial=0)) for each in (of, value)]
    group, first = number([of, value], sizes, rows=len(of))
    return of[first], value[first], sum_by(group, count, len(first))


def _shared_entries(
    cells: Cells, entries: _Entries, afford: Callable[[int], None], progress: Progress
) -> _Entries:
    """Give every cell the entries of all cells that are compatible with it.

    Cells that show A meet those that show B on the keys they share, where they must agree.
    """
    masks = shown_keys(cells)
    of, value, count = entries
    parts: list[_Entries] = []
    order = np.argsort(masks, kind="stable")
    for mask, section in sections_of(masks[order]).items():
        progress(_STAGE, section.start / len(cells))
        asking, shared = order[section], masks[of] & mask
        found: list[_Entries] = []
        for keys in np.unique(shared).tolist():
            partners = np.flatnonzero(shared == keys)
            both = np.concatenate([asking, of[partners]])
            places = [j for j in range(len(cells.keys)) if keys >> j & 1]
            sizes = [len(cells.categories[j]) for j in places]
            agree, _ = number([cells.codes[j][both] for j in places], sizes, rows=len(both))
            wanted, offered = agree[: len(asking)], agree[len(asking) :]
            given = _merge_entries(offered, value[partners], count[partners])
            start, size = _places_in(given[0], wanted)
            afford(sum(len(part[0]) for part in (*parts, *found)) + int(size.sum()))
            found.append(_join_entries(asking, given, start, size))
        parts.append(_merge_entries(*(np.concatenate(each) for each in zip(*found, strict=True))))
    progress(_STAGE, 1.0)
    return _merge_entries(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def _places_in(of: Index, wanted: Index) -> tuple[Index, Index]:
    """Where the entries of each number that is wanted start, and how many there are."""
    start = np.searchsorted(of, wanted)
    return start, np.searchsorted(of, wanted, side="right") - start


def _join_entries(asking: Index, offered: _Entries, start: Index, size: Index) -> _Entries:
    """Give each of those asking so many of the entries offered."""
    _, value, count = offered
    skipped = np.cumsum(size) - size
    which = np.arange(size.sum()) + np.repeat(start - skipped, size)
    return np.repeat(asking, size), value[which], count[which]
