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
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.progress import Progress, silent
from microsafe.risk.record.code_packing import Words, look_up, pack_codes, shape_bits, tell_apart
from microsafe.risk.record.compatible import Branches, TooManyPairsError
from microsafe.sums import Exact, Floats, sum_by

Rows = NDArray[np.float64]  # one of records, and one or two of their weights
_STAGE = "counting with missing keys"
# What counting takes, measured in pairs of branches that are followed in the same time: a cell of
# the pool, a cell that is looked up, and a set of keys that is turned to, if few ask and if many.
_FEW = (0.12, 1.0, 90.0)
_MANY = (1.2, 0.12, 600.0)
_SEVERAL_WORDS = 2.0  # times as long
_PATIENCE = 3.0  # times that price, before following pairs is given up
_GROWING = (0.5, 1000.0)  # making the tree: for each key a cell, and another key


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
    shown_weight: Exact
    gap: Floats
    gap_weight: Exact

    @classmethod
    def of(cls, shown: Rows, gap: Rows) -> Matches:
        """Take records and weights, whose low parts are a row of their own if there are any."""
        weights = (Exact(row[1], row[2] if len(row) > 2 else None) for row in (shown, gap))
        shown_weight, gap_weight = weights
        return cls(shown=shown[0], shown_weight=shown_weight, gap=gap[0], gap_weight=gap_weight)

    def frequencies(self, alpha: float) -> tuple[Floats, Floats]:
        """Return f and F where a match that rests on a gap counts `alpha` times.

        F is the correctly rounded sum of weights if `alpha` is 0 or 1.
        """
        weight = self.shown_weight.add(self.gap_weight, times=alpha)
        return self.shown + alpha * self.gap, weight.value


def matches(cells: Cells, *, progress: Progress = silent) -> Matches:
    """Add up the compatible cells of every cell.

    Assumes:
        That a gap may hide any category. It lets a record with all keys missing match
        everybody; `Matches.frequencies(alpha)` counts such matches in part.

    References:
        Capobianchi, Polettini and Lucarelli (2001), section 4.
    """
    weights = cells.weights if cells.complete else cells.weights.settle()
    parts = [weights.high] if weights.low is None else [weights.high, weights.low]
    values = np.stack([cells.count.astype(np.float64), *parts])
    if cells.complete:
        return Matches.of(values, np.zeros_like(values))
    told = partial(progress, _STAGE)
    found = add_pairs_if_cheaper(cells, partial(_add_pairs, cells, values, told))
    if found is None:
        found = _add_masks(cells, values, told)
    told(1.0)
    return Matches.of(*found)


def add_pairs_if_cheaper(
    cells: Cells, add: Callable[[Branches, float], tuple[Rows, Rows]], *, most: float = np.inf
) -> tuple[Rows, Rows] | None:
    """Add up by pairs of compatible cells if that beats going through masks; else return None.

    Args:
        cells: Of which some have gaps.
        add: Given the tree of the cells, and how many pairs it may follow through it.
        most: Pairs that may be followed at all.
    """
    price, keys = _price_of_masks(cells), len(cells.keys)
    if price < keys * (_GROWING[0] * len(cells) + _GROWING[1] * keys):
        return None
    branches = Branches.of(cells)
    if branches.estimate_pairs() <= min(price, most):
        with suppress(TooManyPairsError):  # the estimate was far too low
            return add(branches, min(_PATIENCE * price, most))
    return None


def _price_of_masks(cells: Cells) -> float:
    """Return how many pairs can be followed in the time that going through the masks takes."""
    masks, asking = np.unique(shown_keys(cells), return_counts=True)
    shared = np.minimum(2.0 ** np.bitwise_count(masks), len(masks))
    parts = np.stack([np.full(len(masks), float(len(cells))), asking * shared, shared])
    few = asking * shared <= len(cells)
    price = float(np.where(few, np.array(_FEW) @ parts, np.array(_MANY) @ parts).sum())
    return price if packed_codes(cells) is not None else _SEVERAL_WORDS * price


def _add_pairs(
    cells: Cells, values: Rows, told: Callable[[float], None], branches: Branches, most: float
) -> tuple[Rows, Rows]:
    """Add up by pairs of compatible cells: who shows all that a cell shows, and who does not."""
    masks = shown_keys(cells)
    shown, gap = values.copy(), np.zeros_like(values)
    for pair in branches.pairs(told, most=most):
        for cell, partner in (pair, pair[::-1]):
            all_shown = (masks[cell] & ~masks[partner]) == 0
            for sums, some in ((shown, all_shown), (gap, ~all_shown)):
                asking, found = cell[some], partner[some]
                for row, value in zip(sums, values, strict=True):
                    np.add.at(row, asking, value[found])
    return shown, gap


def _add_masks(cells: Cells, values: Rows, told: Callable[[float], None]) -> tuple[Rows, Rows]:
    """Add up by sets of keys that cells show."""
    everybody, order = Pool.of(cells, values)
    shown, gap = np.zeros_like(values), np.zeros_like(values)
    done, current = 0, -1
    for mask, shared, sums in _visit(everybody, [len(category) for category in cells.categories]):
        if mask != current:  # masks come one after the other
            told(done / len(cells))
            done, current = done + sums.shape[1], mask
        (shown if shared == mask else gap)[:, everybody.sections[mask]] += sums
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
    ends = [*start.tolist(), len(masks)]
    return {
        mask: slice(a, b) for mask, a, b in zip(distinct.tolist(), ends[:-1], ends[1:], strict=True)
    }


def packed_codes(cells: Cells) -> tuple[Words, list[int]] | None:
    """Codes side by side in one word, and the field of each key, if 64 bits are enough."""
    words, fields = pack_codes(cells)
    return (words, fields) if words.ndim == 1 else None


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Cells that may be partners: packed codes in sections by mask, sorted within each."""

    packed: Words
    values: Rows
    sections: Mapping[int, slice]
    fields: list[int]

    @classmethod
    def of(cls, cells: Cells, values: Rows) -> tuple[Pool, Index]:
        """Take all cells, and tell their order."""
        masks = shown_keys(cells)
        order = np.argsort(masks, kind="stable")
        words, fields = pack_codes(cells)
        return cls(words[..., order], values[:, order], sections_of(masks[order]), fields), order

    def word(self, mask: int) -> np.uint64 | Words:
        """All bits of the fields of some keys."""
        bits = sum(field for j, field in enumerate(self.fields) if mask >> j & 1)
        return shape_bits(bits, self.packed)

    def restrict(self, mask: int) -> Pool:
        """Return the pool as those see it who show no more than `mask`: fewer, larger cells."""
        shown = np.concatenate(
            [np.full(rows.stop - rows.start, m & mask) for m, rows in self.sections.items()]
        )
        distinct, place = tell_apart(self.packed & self.word(mask))
        masks = np.empty(distinct.shape[-1], np.int64)
        masks[place] = shown
        order = np.argsort(masks, kind="stable")
        values = _sum(self.values, place, len(masks))[:, order]
        return Pool(distinct[..., order], values, sections_of(masks[order]), self.fields)

    def showing(self, mask: int) -> Pool:
        """Return those who show all keys of `mask`, by these keys only."""
        words, values = self._join_sections(
            [rows for other, rows in self.sections.items() if mask & ~other == 0]
        )
        return Pool(words & self.word(mask), values, {mask: slice(0, values.shape[1])}, self.fields)

    def add_up(self, keys: int, asking: Words) -> Rows:
        """What all add up to who agree on some keys, which everybody shows."""
        ((_, sums),) = self.partners(keys, asking & self.word(keys))
        return sums

    def partners(self, mask: int, asking: Words, *, showing: int = 0) -> Iterator[tuple[int, Rows]]:
        """For each set of keys shared with `mask`: what the partners over it add up to.

        Partners that do not show all keys of `showing` are passed over.
        """
        shared: dict[int, list[slice]] = {}
        for other, rows in self.sections.items():
            if showing & ~other == 0:
                shared.setdefault(mask & other, []).append(rows)
        if not shared:
            return iter(())
        few = asking.shape[-1] * len(shared) <= self.packed.shape[-1]
        return self._few(mask, asking, shared) if few else self._many(mask, asking, shared)

    def _few(
        self, mask: int, asking: Words, shared: Mapping[int, list[slice]]
    ) -> Iterator[tuple[int, Rows]]:
        """List all that is asked for, then go once through everybody."""
        asked = np.concatenate([asking & self.word(keys) for keys in shared], axis=-1)
        distinct, place = tell_apart(asked)
        packed, values = self._join_sections([rows for parts in shared.values() for rows in parts])
        found, position = look_up(packed & self.word(mask), distinct)
        sums = _sum(values[:, found], position, distinct.shape[-1])[:, place]
        yield from zip(shared, np.split(sums, len(shared), axis=1), strict=True)

    def _many(
        self, mask: int, asking: Words, shared: Mapping[int, list[slice]]
    ) -> Iterator[tuple[int, Rows]]:
        """Tabulate the partners over each set of shared keys, then look everybody up."""
        for keys, sections in shared.items():
            table, values = self._table(mask, sections)
            found, position = look_up(asking & self.word(keys), table)
            sums = np.zeros((len(values), asking.shape[-1]))
            for row, value in zip(sums, values, strict=True):  # faster than all at once
                row[found] = value[position]
            yield keys, sums

    def _table(self, mask: int, sections: list[slice]) -> tuple[Words, Rows]:
        if len(sections) == 1:
            (rows,) = sections
            words = self.packed[..., rows] & self.word(mask)
            if words.ndim == 1 and bool(np.all(words[1:] > words[:-1])):  # nothing to merge
                return words, self.values[:, rows]
        words, values = self._join_sections(sections)
        distinct, place = tell_apart(words & self.word(mask))
        return distinct, _sum(values, place, distinct.shape[-1])

    def _join_sections(self, sections: list[slice]) -> tuple[Words, Rows]:
        """Return the cells of some sections."""
        if len(sections) == len(self.sections):
            return self.packed, self.values
        parts = [slice(0), *sections]  # there may be none
        words = np.concatenate([self.packed[..., rows] for rows in parts], axis=-1)
        return words, np.concatenate([self.values[:, rows] for rows in parts], axis=1)


_Found = Iterator[tuple[int, int, Rows]]
_WORTH_RESTRICTING = 8  # masks below a node that repay sorting its pool


def _visit(everybody: Pool, sizes: list[int]) -> _Found:
    """Go through the masks as a tree: each node misses one key more than the one above.

    Whoever misses a set of keys sees the pool without them, which is made from the pool of
    the node above. Keys with many categories are dropped first, as that shrinks it most.
    """
    order = sorted(range(len(sizes)), key=lambda j: -sizes[j])

    def visit(pool: Pool, mask: int, depth: int, below: list[int]) -> _Found:
        if mask in below:
            for shared, sums in pool.partners(
                mask, everybody.packed[..., everybody.sections[mask]]
            ):
                yield mask, shared, sums
        for place, key in enumerate(order[depth:], depth):
            without = mask & ~(1 << key)
            kept = sum(1 << j for j in order[depth:place])
            branch = [m for m in below if m & ~without == 0 and m & kept == kept]
            if branch:
                smaller = pool.restrict(without) if len(branch) >= _WORTH_RESTRICTING else pool
                yield from visit(smaller, without, place + 1, branch)

    return visit(everybody, (1 << len(sizes)) - 1, 0, list(everybody.sections))


def _sum(values: Rows, group: Index, size: int) -> Rows:
    return np.stack([sum_by(group, row, size) for row in values])
