"""Sample and population frequencies when a missing key may stand for any category.

Two cells are compatible if on every key they are equal or at least one is missing. The
frequency of a cell is the number of records in all cells compatible with it.

Cells are sorted by *mask*, the set of keys they show. A cell that shows A meets one that
shows B on the keys C = A ∩ B, where the two must agree. With codes packed into bit fields,
missing being zero, restricting a cell to C is one AND, and all that is left is to look up the
restricted codes of one side among those of the other: a few sorted look-ups per pair (A, C),
instead of comparing all pairs of cells.

On many keys there are thousands of masks, and most pairs (A, C) find nobody. Then the pairs of
compatible cells are followed key by key instead (`compatible.py`), whatever the keys' width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Codes, Index, number
from microsafe.progress import Progress, silent
from microsafe.risk.record.compatible import Branches
from microsafe.sums import Exact, Floats, sum_by

Words = NDArray[np.uint64]
_STAGE = "counting with missing keys"
# What counting costs, measured in pairs of branches that are followed in the same time.
_LOOK_UP = 0.25  # a cell that is looked up
_TURN = 60.0  # a set of keys that is turned to
_NUMBERING = 1000.0  # numbering the cells of two masks afresh
_WORTH_GROWING = 1 << 20  # a tenth of a second: less is not worth another way


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matches:
    """What the cells compatible with each cell add up to.

    Attributes:
        shown: Records in compatible cells that show every key that the cell shows.
        shown_weight: Their weights.
        gap: Records in compatible cells that match only because of a gap of their own.
        gap_weight: Their weights.
    """

    shown: Floats
    shown_weight: Floats
    gap: Floats
    gap_weight: Floats

    @classmethod
    def of(cls, shown: NDArray[np.float64], gap: NDArray[np.float64]) -> Matches:
        """Take records and weights, one row each."""
        return cls(shown=shown[0], shown_weight=shown[1], gap=gap[0], gap_weight=gap[1])

    def frequencies(self, alpha: float) -> tuple[Floats, Floats]:
        """Return f and F where a match that rests on a gap counts `alpha` times."""
        return self.shown + alpha * self.gap, self.shown_weight + alpha * self.gap_weight


def matches(cells: Cells, *, progress: Progress = silent) -> Matches:
    """Add up the compatible cells of every cell.

    Assumes:
        That a gap may hide any category. It lets a record with all keys missing match
        everybody; `Matches.frequencies(alpha)` counts such matches in part.

    References:
        Capobianchi, Polettini and Lucarelli (2001), section 4.
    """
    values = np.stack([cells.count.astype(np.float64), cells.weight])
    if cells.complete:
        return Matches.of(values, np.zeros_like(values))
    told = partial(progress, _STAGE)
    branches = branches_if_cheaper(cells)
    if branches is None:
        found = _add_masks(cells, values, told)
    else:
        found = _add_pairs(cells, branches, told)
    told(1.0)
    return Matches.of(*found)


def branches_if_cheaper(cells: Cells, *, most: float = np.inf) -> Branches | None:
    """Return the tree of the cells if following pairs through it beats going through masks.

    Args:
        cells: Of which some have gaps.
        most: Pairs that may be followed at all.
    """
    price = _price_of_masks(cells)
    if price < _WORTH_GROWING:
        return None
    branches = Branches.of(cells)
    return branches if branches.estimate_pairs() <= min(price, most) else None


def _price_of_masks(cells: Cells) -> float:
    """Return how many pairs can be followed in the time that going through the masks takes."""
    masks, asking = np.unique(shown_keys(cells), return_counts=True)
    if packed_codes(cells) is None:
        return len(masks) * (len(masks) * _NUMBERING + 2.0 * len(cells))
    shared = np.minimum(2.0 ** np.bitwise_count(masks), len(masks))
    return float((asking * shared).sum() * _LOOK_UP + shared.sum() * _TURN)


def _add_pairs(
    cells: Cells, branches: Branches, told: Callable[[float], None]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Add up by pairs of compatible cells: who shows all that a cell shows, and who does not."""
    masks = shown_keys(cells)
    weights = Exact.split(cells.weight)  # so that the order of the pairs changes no bit
    low = np.zeros(len(cells)) if weights.low is None else weights.low
    values = np.stack([cells.count.astype(np.float64), weights.high, low])
    shown, gap = values.copy(), np.zeros_like(values)
    for pair in branches.pairs(told):
        for cell, partner in (pair, pair[::-1]):
            all_shown = (masks[cell] & ~masks[partner]) == 0
            for sums, some in ((shown, all_shown), (gap, ~all_shown)):
                asking, found = cell[some], partner[some]
                for row, value in zip(sums, values, strict=True):
                    np.add.at(row, asking, value[found])
    return (
        np.stack([shown[0], shown[1] + shown[2]]),
        np.stack([gap[0], gap[1] + gap[2]]),
    )


def _add_masks(
    cells: Cells, values: NDArray[np.float64], told: Callable[[float], None]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Add up by sets of keys that cells show."""
    masks = shown_keys(cells)
    order = np.argsort(masks, kind="stable")
    sections = sections_of(masks[order])
    packed = packed_codes(cells)
    if packed is None:
        found = _wide([code[order] for code in cells.codes], values[:, order], sections)
    else:
        everybody = Pool(packed[0][order], values[:, order], sections, packed[1])
        found = _narrow(everybody, [len(each) for each in cells.categories])
    shown, gap = np.zeros_like(values), np.zeros_like(values)
    done, current = 0, -1
    for mask, shared, sums in found:
        if mask != current:  # masks come one after the other
            told(done / len(cells))
            done, current = done + sums.shape[1], mask
        (shown if shared == mask else gap)[:, sections[mask]] += sums
    back = np.argsort(order)
    return shown[:, back], gap[:, back]


def shown_keys(cells: Cells) -> NDArray[np.int64]:
    """For each cell the set of keys it shows, key j as bit j."""
    masks = np.zeros(len(cells), np.int64)
    for place, code in enumerate(cells.codes):
        masks |= (code > 0).astype(np.int64) << place
    return masks


def sections_of(masks: NDArray[np.int64]) -> dict[int, slice]:
    """Where each mask stands in the sorted masks."""
    distinct, start = np.unique(masks, return_index=True)
    stop = [*start[1:].tolist(), len(masks)]
    return {
        mask: slice(a, b)
        for mask, a, b in zip(distinct.tolist(), start.tolist(), stop, strict=True)
    }


def packed_codes(cells: Cells) -> tuple[Words, list[int]] | None:
    """Codes side by side in one word, and the field of each key, if 64 bits are enough.

    The first key takes the highest bits, so that packed codes of cells are sorted as cells
    are: searching for nearly sorted words is several times faster.
    """
    packed = np.zeros(len(cells), np.uint64)
    fields: list[int] = []
    shift = 0
    for code, categories in zip(reversed(cells.codes), reversed(cells.categories), strict=True):
        bits = len(categories).bit_length()
        if shift + bits > 64:
            return None
        packed |= code.astype(np.uint64) << np.uint64(shift)
        fields.insert(0, ((1 << bits) - 1) << shift)
        shift += bits
    return packed, fields


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Cells that may be partners: packed codes in sections by mask, sorted within each."""

    packed: Words
    values: NDArray[np.float64]
    sections: Mapping[int, slice]
    fields: list[int]

    def word(self, mask: int) -> np.uint64:
        """All bits of the fields of some keys."""
        return np.uint64(sum(f for j, f in enumerate(self.fields) if mask >> j & 1))

    def restrict(self, mask: int) -> Pool:
        """Return the pool as those see it who show no more than `mask`: fewer, larger cells."""
        shown = np.concatenate(
            [np.full(rows.stop - rows.start, m & mask) for m, rows in self.sections.items()]
        )
        distinct, place = np.unique(self.packed & self.word(mask), return_inverse=True)
        masks = np.empty(len(distinct), np.int64)
        masks[place] = shown
        order = np.argsort(masks, kind="stable")
        values = _sum(self.values, place, len(distinct))
        return Pool(distinct[order], values[:, order], sections_of(masks[order]), self.fields)

    def partners(
        self, mask: int, asking: Words, *, showing: int = 0
    ) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """For each set of keys shared with `mask`: what the partners over it add up to.

        Partners that do not show all keys of `showing` are passed over.
        """
        shared: dict[int, list[slice]] = {}
        for other, rows in self.sections.items():
            if showing & ~other == 0:
                shared.setdefault(mask & other, []).append(rows)
        if not shared:
            return iter(())
        few = len(asking) * len(shared) <= len(self.packed)
        return self._few(mask, asking, shared) if few else self._many(mask, asking, shared)

    def _few(
        self, mask: int, asking: Words, shared: Mapping[int, list[slice]]
    ) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """List all that is asked for, then go once through everybody."""
        asked = np.concatenate([asking & self.word(keys) for keys in shared])
        distinct, place = np.unique(asked, return_inverse=True)
        packed, values = self._join_sections([rows for parts in shared.values() for rows in parts])
        found, position = _look_up(packed & self.word(mask), distinct)
        sums = _sum(values[:, found], position, len(distinct))[:, place]
        yield from zip(shared, np.split(sums, len(shared), axis=1), strict=True)

    def _many(
        self, mask: int, asking: Words, shared: Mapping[int, list[slice]]
    ) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Tabulate the partners over each set of shared keys, then look everybody up."""
        for keys, sections in shared.items():
            table, values = self._table(mask, sections)
            found, position = _look_up(asking & self.word(keys), table)
            sums = np.zeros((2, len(asking)))
            sums[:, found] = values[:, position]
            yield keys, sums

    def _table(self, mask: int, sections: list[slice]) -> tuple[Words, NDArray[np.float64]]:
        if len(sections) == 1:
            (rows,) = sections
            words = self.packed[rows] & self.word(mask)
            if bool(np.all(words[1:] > words[:-1])):  # nothing to merge
                return words, self.values[:, rows]
        words, values = self._join_sections(sections)
        distinct, place = np.unique(words & self.word(mask), return_inverse=True)
        return distinct, _sum(values, place, len(distinct))

    def _join_sections(self, sections: list[slice]) -> tuple[Words, NDArray[np.float64]]:
        """Return the cells of some sections."""
        if len(sections) == len(self.sections):
            return self.packed, self.values
        words = np.concatenate([self.packed[rows] for rows in sections])
        return words, np.concatenate([self.values[:, rows] for rows in sections], axis=1)


_Found = Iterator[tuple[int, int, NDArray[np.float64]]]
_WORTH_RESTRICTING = 8  # masks below a node that repay sorting its pool


def _narrow(everybody: Pool, sizes: list[int]) -> _Found:
    """Go through the masks as a tree: each node misses one key more than the one above.

    Whoever misses a set of keys sees the pool without them, which is made from the pool of
    the node above. Keys with many categories are dropped first, as that shrinks it most.
    """
    order = sorted(range(len(sizes)), key=lambda j: -sizes[j])

    def visit(pool: Pool, mask: int, depth: int, below: list[int]) -> _Found:
        if mask in below:
            for shared, sums in pool.partners(mask, everybody.packed[everybody.sections[mask]]):
                yield mask, shared, sums
        for place, key in enumerate(order[depth:], depth):
            without = mask & ~(1 << key)
            kept = sum(1 << j for j in order[depth:place])
            branch = [m for m in below if m & ~without == 0 and m & kept == kept]
            if branch:
                smaller = pool.restrict(without) if len(branch) >= _WORTH_RESTRICTING else pool
                yield from visit(smaller, without, place + 1, branch)

    return visit(everybody, (1 << len(sizes)) - 1, 0, list(everybody.sections))


def _wide(codes: list[Codes], values: NDArray[np.float64], sections: Mapping[int, slice]) -> _Found:
    """Codes of more than 64 bits: number the restricted cells afresh for each pair of masks."""
    sizes = [int(code.max()) for code in codes]
    for mask, rows in sections.items():
        asking = np.arange(rows.start, rows.stop)
        for other, partners in sections.items():
            both = np.concatenate([asking, np.arange(partners.start, partners.stop)])
            keys = [j for j in range(len(codes)) if mask & other & 1 << j]
            group, first = number(
                [codes[j][both] for j in keys], [sizes[j] for j in keys], rows=len(both)
            )
            sums = _sum(values[:, partners], group[len(asking) :], len(first))
            yield mask, mask & other, sums[:, group[: len(asking)]]


def _sum(values: NDArray[np.float64], group: Index, size: int) -> NDArray[np.float64]:
    return np.stack([sum_by(group, row, size) for row in values])


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def hash_words(words: Words, bits: int) -> Index:
    """Return a number of so many bits for each word."""
    return ((words * _GOLDEN) >> np.uint64(64 - bits)).astype(np.intp)


def _look_up(words: Words, table: Words) -> tuple[Index, Index]:
    """Return which of the words are in the sorted table, and where.

    Most are not. A sieve of one byte per hash value turns nearly all of those away before
    the binary search, which costs ten times as much.
    """
    bits = min(max((8 * len(table)).bit_length(), 10), 26)
    shift = np.uint64(64 - bits)
    sieve = np.zeros(1 << bits, np.bool_)
    sieve[(table * _GOLDEN) >> shift] = True
    found = np.flatnonzero(sieve[(words * _GOLDEN) >> shift])
    candidates = words[found]
    position = np.searchsorted(table, candidates)
    position[position == len(table)] = 0
    hit = table[position] == candidates
    return found[hit], position[hit]
