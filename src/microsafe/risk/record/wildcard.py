"""Sample and population frequencies when a missing key may stand for any category.

Two cells are compatible if on every key they are equal or at least one is missing. The
frequency of a cell is the number of records in all cells compatible with it.

Cells are sorted by *mask*, the set of keys they show. A cell that shows A meets one that
shows B on the keys C = A ∩ B, where the two must agree. With codes packed into bit fields,
missing being zero, restricting a cell to C is one AND, and all that is left is to look up the
restricted codes of one side among those of the other: a few sorted look-ups per pair (A, C),
instead of comparing all pairs of cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Codes, Index, number
from microsafe.progress import Progress, silent
from microsafe.sums import Floats, sum_by

Words = NDArray[np.uint64]
_STAGE = "counting with missing keys"


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
        zeros = np.zeros(len(cells))
        return Matches(shown=values[0], shown_weight=values[1], gap=zeros, gap_weight=zeros)
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
            progress(_STAGE, done / len(cells))
            done, current = done + sums.shape[1], mask
        (shown if shared == mask else gap)[:, sections[mask]] += sums
    progress(_STAGE, 1.0)
    back = np.argsort(order)
    (f, F), (gap_f, gap_F) = shown[:, back], gap[:, back]
    return Matches(shown=f, shown_weight=F, gap=gap_f, gap_weight=gap_F)


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
