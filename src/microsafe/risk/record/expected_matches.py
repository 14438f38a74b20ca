"""Frequencies in which a gap counts with the chance that it hides the right category.

What a blank hides is known where the original is at hand: then partners are looked up there, and
a record matches those who have what it shows, whether or not they still show it. Only gaps that the
original has itself are estimated. A record that shows keys A may match one with gaps only on C,
a part of A. The chance that the gaps hide what the record shows is the share of the people who
agree with the record on C that agrees on all of A: as a model of the population has it, and
without one as those have it who show all of A, of whom hardly anybody is left on many keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.progress import Progress, silent
from microsafe.risk.record.code_packing import pack_codes
from microsafe.risk.record.compatible import Branches, Numbers
from microsafe.risk.record.subset_frequencies import places_of_each
from microsafe.risk.record.wildcard import (
    Matches,
    Pool,
    Rows,
    add_pairs_if_cheaper,
    sections_of,
    shown_keys,
)
from microsafe.sums import Floats, sum_by

Masks = NDArray[np.int64]
Expect = Callable[[Index, int], Floats]
_STAGE = "weighing gaps"
_MOST_PAIRS = 1 << 24  # of cells, that are held at a time


def expected_matches(
    cells: Cells,
    *,
    original: Cells | None = None,
    expect: Expect | None = None,
    progress: Progress = silent,
) -> Matches:
    """Add up the compatible cells of every cell, matches that rest on gaps by their chance.

    Args:
        cells: As released.
        original: The same records and keys before values were suppressed, if that is known.
        expect: Tells how many people a model expects who agree with some cells on some keys.
        progress: Progress callback.

    Assumes:
        Values are missing independently of what they are, given the other keys. Blanks are not:
        without the original, matches that rest on them are overstated several times.
    """
    told = partial(progress, _STAGE)
    found = None
    if original is None:
        found = add_pairs_if_cheaper(
            cells, partial(_add_pairs, cells, expect, told), most=_MOST_PAIRS
        )
    if found is None:
        found = _add_masks(cells, original, expect, told)
    told(1.0)
    return Matches.of(*found)


def _add_masks(
    cells: Cells,
    original: Cells | None,
    expect: Expect | None,
    told: Callable[[float], None],
) -> tuple[Rows, Rows]:
    """Add up by sets of keys that cells show: who shows all that a cell shows, and who may."""
    released, order = Pool.of(cells, _values(cells))
    partners, asking = released, released.packed
    if original is not None:
        partners, _ = Pool.of(original, _values(original))
        asking = pack_codes(cells.coded_as(original))[0][..., order]
    find_share = None if expect is None else _find_shares(expect, cells, order)
    shown, gap = np.zeros((2, 2, len(cells)))
    for mask, rows in released.sections.items():
        told(rows.start / len(cells))
        holders = partners.showing(mask)
        alike = shown[:, rows] = holders.add_up(mask, asking[..., rows])
        if original is not None:
            shown[:, rows] = released.showing(mask).add_up(mask, released.packed[..., rows])
            # Whoever hides now what the record shows: all that had it, but those who show it.
            gap[:, rows] = np.maximum(alike - shown[:, rows], 0.0)
        for shared, sums in partners.partners(mask, asking[..., rows]):
            hit = np.flatnonzero(sums[0])
            if shared != mask and len(hit):
                some = hit + rows.start
                if find_share is None:
                    _, agreeing = holders.add_up(shared, asking[..., some])
                    share = alike[1, hit] / agreeing
                else:
                    share = find_share(some, shared)
                gap[:, some] += sums[:, hit] * share
    back = np.argsort(order)
    return shown[:, back], gap[:, back]


def _add_pairs(
    cells: Cells,
    expect: Expect | None,
    told: Callable[[float], None],
    branches: Branches,
    most: float,
) -> tuple[Rows, Rows]:
    """Add up the same by pairs of cells, in the order in which masks would be gone through."""
    pool, order = Pool.of(cells, _values(cells))
    back = np.argsort(order)
    masks = shown_keys(cells)[order]
    pairs = branches.pairs(lambda share: told(share / 2), most=most)
    cell, partner = _list_pairs(pairs, back, masks)
    all_shown = (masks[cell] & ~masks[partner]) == 0
    shown = np.stack(
        [sum_by(cell[all_shown], value[partner[all_shown]], len(cells)) for value in pool.values]
    )
    cell, partner = cell[~all_shown], partner[~all_shown]
    gap = np.zeros_like(shown)
    find_share = None if expect is None else _find_shares(expect, cells, order)
    for mask, section in sections_of(masks[cell]).items():
        told((1 + section.start / len(cell)) / 2)
        holders = pool.showing(mask)
        for shared, asking, others in _share_out(pool, mask, cell[section], partner[section]):
            rows, group = np.unique(asking, return_inverse=True)
            sums = np.stack([sum_by(group, value[others], len(rows)) for value in pool.values])
            if find_share is None:
                _, agreeing = holders.add_up(shared, pool.packed[..., rows])
                share = shown[1, rows] / agreeing
            else:
                share = find_share(rows, shared)
            gap[:, rows] += sums * share
    return shown[:, back], gap[:, back]


def _find_shares(expect: Expect, cells: Cells, order: Index) -> Expect:
    """Return what tells the share of those who agree on fewer keys that agrees on all shown.

    Args:
        expect: Tells people expected who agree with cells on some keys.
        cells: The cells.
        order: In which they are numbered.
    """
    all_shown = np.empty(len(cells))
    for mask, rows in places_of_each(shown_keys(cells)[order]).items():
        all_shown[rows] = expect(order[rows], mask)

    def find_share(rows: Index, shared: int) -> Floats:
        fewer = expect(order[rows], shared)
        return np.divide(all_shown[rows], fewer, out=np.zeros(len(rows)), where=fewer > 0)

    return find_share


def _list_pairs(
    pairs: Iterable[tuple[Index, Index]], place: Index, masks: Masks
) -> tuple[Numbers, Numbers]:
    """List who is compatible with whom, as they stand in the pool, by mask and then by partner."""
    number = place.astype(np.int32)
    listed = [(number, number)]
    for one, other in pairs:
        left, right = number[one], number[other]
        listed += [(left, right), (right, left)]
    cell, partner = (np.concatenate([pair[side] for pair in listed]) for side in (0, 1))
    order = np.argsort(np.searchsorted(masks, masks[cell]) * len(place) + partner)
    return cell[order], partner[order]


def _share_out(
    pool: Pool, mask: int, cell: Numbers, partner: Numbers
) -> Iterator[tuple[int, Numbers, Numbers]]:
    """Part the pairs of cells that show `mask` by the keys they share.

    These come as `Pool.partners` has them: in the order of the first mask that shares them.
    """
    known = np.fromiter(pool.sections, np.int64)
    shared, first = np.unique(known & mask, return_index=True)
    start = np.array([rows.start for rows in pool.sections.values()])
    meets = known[np.searchsorted(start, partner, side="right") - 1] & mask
    rank = first[np.searchsorted(shared, meets)]
    order = np.argsort(rank, kind="stable")
    for met, rows in sections_of(rank[order]).items():
        yield int(known[met]) & mask, cell[order[rows]], partner[order[rows]]


def _values(cells: Cells) -> Rows:
    return np.stack([cells.count.astype(np.float64), cells.weight])
