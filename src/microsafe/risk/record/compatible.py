"""Find compatible cells pair by pair, where a missing key may stand for any category.

Cells are taken as the leaves of a tree with one level for each key. Two cells are compatible if
on every level their branches carry the same category, or one of them is a gap. So pairs of
branches are followed from level to level, and only as long as they are compatible. On many keys
that leaves few pairs, where there are thousands of sets of keys that cells may show.

Every pair is found once: two cells part at the first key that they do not share, and there one
of them has a gap, whose branch comes first. Once two branches lead to few pairs of leaves,
these are compared on all keys in one go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Codes, Index
from microsafe.risk.record.code_packing import Words, pack_codes, shape_bits

Numbers = NDArray[np.signedinteger[Any]]  # of branches; those that are kept take four bytes
Pairs = tuple[Numbers, Numbers]
_SAMPLE = 1 << 10  # pairs of a level that tell how many there are
_AT_ONCE, _MOST = 1 << 18, 1 << 22  # pairs that are made together, usually and ever
_ADDING = 2.0  # pairs that are followed in the time in which one is added up
_FEW_LEAVES = 4  # pairs of them that are compared at once
_TABLE = 4  # entries for each branch that a table of them may have


class TooManyPairsError(Exception):
    """More pairs had to be followed than was worth it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Level:
    """The branches that a key adds, in the order of the branch they come from and of the code.

    Attributes:
        first: For each branch of the level above its first branch here.
        gap: Whether that one is a gap.
        others: How many branches it has besides.
        code: Of each branch here.
        word: The number of the branch above and the code, in one ascending number; none if there is
            a table.
        span: By which the number of the branch above is multiplied in it.
        table: The branch of each such number, -1 for none; None if it would be too large.
        leaf: The first leaf of each branch here.
        leaves: How many it has; no more than are compared at once, and one.
        widest: The most branches that come from one above, besides a gap.
    """

    first: Numbers
    gap: NDArray[np.bool_]
    others: Numbers
    code: Codes
    word: NDArray[np.int64]
    span: int
    table: Numbers | None
    leaf: Numbers
    leaves: NDArray[np.int16]
    widest: int

    def may_grow(self, pairs: int) -> bool:
        """Tell whether so many pairs above may lead to too many here."""
        return pairs > _AT_ONCE or pairs * (3 * self.widest + 1) > _MOST

    def count_at_most(self, left: Numbers, right: Numbers) -> Numbers:
        """Return at most how many pairs here come from each pair above."""
        ours, theirs = self.others[left].astype(np.intp), self.others[right].astype(np.intp)
        pairs = np.minimum(ours, theirs) + 1
        return pairs + self.gap[left] * theirs + self.gap[right] * ours

    def find(self, above: Numbers, code: Codes) -> Pairs:
        """Return which of some branches of the level above have one of a code, and that one."""
        words = above.astype(np.int64) * self.span + code
        if self.table is not None:
            found = self.table[words]
            hit = np.flatnonzero(found >= 0)
        else:
            found = np.searchsorted(self.word, words)
            found[found == len(self.word)] = 0
            hit = np.flatnonzero(self.word[found] == words)
        return hit, found[hit]

    def start(self) -> Pairs:
        """Pair the gap of every branch with the others that come from it."""
        with_gap = np.flatnonzero(self.gap)
        which, other = _list_all(self.first[with_gap] + 1, self.others[with_gap])
        return self.first[with_gap[which]], other

    def follow(self, left: Numbers, right: Numbers) -> Pairs:
        """Return the compatible pairs here that come from compatible pairs above."""
        few, many = self.others[left], self.others[right]
        lone = (few == 1) & (many == 1)
        fewer, more = np.flatnonzero(~lone & (few <= many)), np.flatnonzero(few > many)
        ours, theirs = self._agree(left[fewer], right[fewer])
        theirs_too, ours_too = self._agree(right[more], left[more])
        parts = [
            self._agree_alone(left[lone], right[lone]),
            (ours, theirs),
            (ours_too, theirs_too),
            *self._through_gaps(left, right),
        ]
        return np.concatenate([a for a, _ in parts]), np.concatenate([b for _, b in parts])

    def _agree_alone(self, left: Numbers, right: Numbers) -> Pairs:
        """Pair branches of equal code where there is one on either side."""
        ours, theirs = (self.first[each] + self.gap[each] for each in (left, right))
        same = self.code[ours] == self.code[theirs]
        return ours[same], theirs[same]

    def _agree(self, few: Numbers, many: Numbers) -> Pairs:
        """Pair branches of equal code: go through those of one side and find them in the other."""
        which, branch = _list_all(self.first[few] + self.gap[few], self.others[few])
        hit, found = self.find(many[which], self.code[branch])
        return branch[hit], found

    def _through_gaps(self, left: Numbers, right: Numbers) -> Iterator[Pairs]:
        """Pair gaps with gaps, and with all the others of the other side."""
        ours, theirs = self.gap[left], self.gap[right]
        both = ours & theirs
        yield self.first[left[both]], self.first[right[both]]
        a, b = left[ours], right[ours]
        which, other = _list_all(self.first[b] + self.gap[b], self.others[b])
        yield self.first[a[which]], other
        a, b = left[theirs], right[theirs]
        which, other = _list_all(self.first[a] + self.gap[a], self.others[a])
        yield other, self.first[b[which]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Branches:
    """The tree of some cells.

    Attributes:
        order: The cells in the order of the leaves.
        levels: One for each key.
        packed: Codes of the leaves.
        shown: The fields of the keys that they show.
    """

    order: Index
    levels: Sequence[_Level]
    packed: Words
    shown: Words

    @classmethod
    def of(cls, cells: Cells) -> Branches:
        """Make the tree of cells.

        Keys on which few pairs are compatible come first, so that few have to be followed.
        """
        keys = sorted(range(len(cells.keys)), key=lambda j: _chance_to_meet(cells.codes[j]))
        order = np.lexsort([cells.codes[j] for j in reversed(keys)])
        words, fields = pack_codes(cells)
        shown = np.zeros_like(words)
        new = np.zeros(len(cells), np.bool_)
        new[0] = True
        branch = np.zeros(len(cells), np.int32)
        levels = []
        for j in keys:
            codes = cells.codes[j][order]
            shown |= np.where(codes > 0, shape_bits(fields[j], words), np.uint64(0))
            new[1:] |= codes[1:] != codes[:-1]
            here = np.flatnonzero(new).astype(np.int32)
            span = len(cells.categories[j]) + 1
            levels.append(_make_level(branch[here], codes[here], span, here, len(cells)))
            branch = np.cumsum(new, dtype=np.int32) - np.int32(1)
        return cls(order=order, levels=levels, packed=words[..., order], shown=shown)

    def estimate_pairs(self) -> float:
        """Return about how many pairs have to be followed, from some of them.

        Those that are followed to the end count more often, as then they are added up. Pairs that
        crowd in few places may be missed.
        """
        total = 0.0
        for start, level in enumerate(self.levels):
            left, right = level.start()
            stands_for = 1
            for place in range(start, len(self.levels)):
                step = len(left) // _SAMPLE + 1
                left, right = left[::step], right[::step]
                stands_for *= step
                total += stands_for * len(left)
                (found, _), left, right = self._end(place, left, right)
                total += _ADDING * stands_for * len(found)
                if not len(left):
                    break
                left, right = self.levels[place + 1].follow(left, right)
        return total

    def pairs(
        self, told: Callable[[float], None], *, most: float = np.inf
    ) -> Iterator[tuple[Index, Index]]:
        """Go through the pairs of different cells that are compatible, each once, in parts.

        Args:
            told: Told the share that is done; may break off.
            most: Pairs that may be followed, counted as they are estimated.

        Raises:
            TooManyPairsError: There are more.
        """
        done, followed = 0.0, 0.0
        for start, level in enumerate(self.levels):
            waiting = [(1 / len(self.levels), start, *level.start())]
            while waiting:
                told(min(done, 1.0))
                share, place, left, right = waiting.pop()
                pairs = len(left)
                (ours, theirs), left, right = self._end(place, left, right)
                followed += pairs - len(left) + _ADDING * len(ours)
                if followed > most:
                    raise TooManyPairsError
                if len(ours):
                    yield self.order[ours], self.order[theirs]
                if not len(left):
                    done += share
                    continue
                below = self.levels[place + 1]
                if below.may_grow(len(left)):
                    size = np.cumsum(below.count_at_most(left, right))
                    ends = np.flatnonzero(np.diff(size // _AT_ONCE)) + 1
                    if len(ends):
                        parts = zip(np.split(left, ends), np.split(right, ends), strict=True)
                        waiting += [(share / (len(ends) + 1), place, *part) for part in parts]
                        continue
                followed += len(left)
                waiting.append((share, place + 1, *below.follow(left, right)))

    def _end(self, place: int, left: Numbers, right: Numbers) -> tuple[Pairs, Numbers, Numbers]:
        """Part from some pairs those that lead to few pairs of leaves.

        Returns:
            The pairs of compatible leaves, and the pairs that are to be followed.
        """
        level = self.levels[place]
        few = level.leaves[left] * level.leaves[right] <= _FEW_LEAVES
        ended, ending = left[few], right[few]
        which, one = _list_all(level.leaf[ended], level.leaves[ended])
        ending = ending[which]
        which, other = _list_all(level.leaf[ending], level.leaves[ending])
        one = one[which]
        differ = self.packed[..., one] ^ self.packed[..., other]
        differ &= self.shown[..., one]
        differ &= self.shown[..., other]
        same = np.flatnonzero(~differ.any(axis=0) if differ.ndim > 1 else differ == 0)
        rest = ~few
        return (one[same], other[same]), left[rest], right[rest]


def _make_level(above: Numbers, code: Codes, span: int, leaf: Numbers, leaves: int) -> _Level:
    branches = int(above[-1]) + 1
    first = np.searchsorted(above, np.arange(branches)).astype(np.int32)
    gap = code[first] == 0
    word = above.astype(np.int64) * span + code
    table = None
    if branches * span <= _TABLE * len(code):
        table = np.full(branches * span, -1, np.int32)
        table[word] = np.arange(len(word), dtype=np.int32)
    others = np.diff(first, append=np.int32(len(code))) - gap
    return _Level(
        first=first,
        gap=gap,
        others=others,
        code=code,
        word=word if table is None else word[:0],
        span=span,
        table=table,
        leaf=leaf,
        leaves=np.minimum(np.diff(leaf, append=np.int32(leaves)), _FEW_LEAVES + 1).astype(np.int16),
        widest=int(others.max()),
    )


def _chance_to_meet(codes: Codes) -> float:
    """Return the share of pairs that are compatible on a key."""
    share = np.bincount(codes) / len(codes)
    return float(1 - (1 - share[0]) ** 2 + (share[1:] ** 2).sum())


def _list_all(first: Numbers, many: Numbers) -> Pairs:
    """List runs of numbers one after the other: which run each comes from, and the numbers."""
    which = np.repeat(np.arange(len(many)), many)
    offset = first - (np.cumsum(many) - many)
    return which, np.arange(len(which)) + offset[which]
