"""The figures of a comparison: counting, never going through records one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from microsafe.cells import number
from microsafe.compare.result import Domain, Group, Means, TableChange, Touched, VariableLoss
from microsafe.engine.pairs import Count, Flags, GroupSums, Pair, Places
from microsafe.steps.loss import Information, measure_categories
from microsafe.sums import Floats, sum_by

_LARGE = 1 << 22  # cells; a larger table is numbered by what occurs instead of laid out
_MOST_GROUPS = 1000  # categories; with more, a variable makes no groups worth naming


def measure_loss(
    pair: Pair, count: Count, *, key: bool, told: Information | None = None
) -> VariableLoss:
    """Count what a variable lost.

    Args:
        pair: The variable before and after.
        count: Records in each group.
        key: Whether it is a key.
        told: What it tells of the file before protection, if that is known.
    """
    known = pair.known
    bits, lost = (told.bits, told.lost) if told else measure_pair(pair, count)
    differs = pair.differing()
    return VariableLoss(
        name=pair.name,
        key=key,
        known=_records(known, count),
        blanks=0 if pair.dropped else _records(pair.blank, count),
        replaced=_records(pair.changed & known, count),
        categories=pair.counts[0],
        categories_after=pair.counts[1],
        agreeing=0 if pair.dropped else pair.counts[0] - _count_used(pair.before, differs),
        entropy=bits,
        lost=lost,
        dropped=pair.dropped,
    )


def measure_pair(pair: Pair, count: Count) -> tuple[float, float]:
    """Return the entropy of a variable before, and what is lost of it."""
    return measure_categories(pair.before, pair.after, count)


def _records(which: Flags, count: Count) -> int:
    """How many records are in some of the groups."""
    return int(count[which].sum())


def _count_codes(codes: Places, rows: Places, size: int, count: Count) -> Places:
    """Records of each code in some of the groups."""
    return np.bincount(codes[rows], count[rows], size).astype(np.int64)


def _count_used(codes: Places, which: Flags) -> int:
    used = np.bincount(codes, minlength=len(which)) > 0
    return int(np.count_nonzero(used & which))


def count_touched(
    pairs: Sequence[Pair], keys: Sequence[str], weight: Floats, count: Count
) -> Touched:
    """Count what was changed."""
    hit = np.zeros(len(weight), np.bool_)
    values = 0
    for pair in pairs:
        if not pair.dropped:
            here = pair.before != pair.after
            values += _records(here, count)
            hit |= here
    of_keys = [pair for pair in pairs if pair.name in keys]
    group, first = number(
        [pair.before.astype(np.uint32) for pair in of_keys],
        [len(pair.categories) for pair in of_keys],
        rows=len(weight),
    )
    whole = float(weight.sum())
    return Touched(
        values=values,
        cells=int(np.count_nonzero(np.bincount(group[hit], minlength=len(first)))),
        all_cells=len(first),
        records=_records(hit, count),
        weight=float(weight[hit].sum()) / whole if whole else 0.0,
    )


def groups(pair: Pair, by: Sequence[Pair], count: Count) -> list[Group]:
    """Count the blanks of a variable in every category of the others and of itself."""
    if pair.dropped or not pair.blank.any():
        return []
    known, blank = np.flatnonzero(pair.known), np.flatnonzero(pair.blank)
    found = []
    for other in by:
        size = len(other.categories) + 1
        if size > _MOST_GROUPS:
            continue
        there = _count_codes(other.before, known, size, count)
        gone = _count_codes(other.before, blank, size, count)
        found += [
            Group(
                name=pair.name,
                by=other.name,
                category=other.categories[code - 1],
                known=int(there[code]),
                blanks=int(gone[code]),
            )
            for code in np.flatnonzero(gone).tolist()
            if code
        ]
    return found


def compare_table(pairs: Sequence[Pair], weight: Floats) -> TableChange | None:
    """Compare a weighted table of pooled variables; None if there is nothing left to compare."""
    if any(pair.dropped or (pair.pool and len(pair.categories) == 1) for pair in pairs):
        return None
    size = int(np.prod([len(pair.categories) + 1 for pair in pairs]))
    before, after = (_pack_codes(pairs, side) for side in ("before", "after"))
    place = np.arange(size) if size <= _LARGE else None
    if place is None:
        place, both = np.unique(np.concatenate([before, after]), return_inverse=True)
        before, after = both[: len(weight)], both[len(weight) :]
        size = len(place)
    inside = _inside(pairs, place)
    old = np.where(inside, sum_by(before, weight, size), 0.0)
    new = np.where(inside, sum_by(after, weight, size), 0.0)
    whole, left = float(old.sum()), float(new.sum())
    if not whole or not left:
        return None
    p, q = old / whole, new / left
    change = np.abs(p - q)
    cells = int(np.count_nonzero((p > 0) | (q > 0)))
    worst = int(np.argmax(np.round(change, 12)))  # the first of several, whatever the last digits
    return TableChange(
        names=tuple(pair.name for pair in pairs),
        cells=cells,
        lost=max(0.0, 1.0 - left / whole),
        largest=float(change[worst]),
        where=_names(pairs, int(place[worst])) if change[worst] else (),
        mean=float(change.sum()) / cells,
        # By squared differences: 1 - Σ sqrt(pq) would cancel when the tables are alike.
        hellinger=float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2)),
        recoded=tuple(pair.name for pair in pairs if pair.pool or pair.mapped),
    )


def _pack_codes(pairs: Sequence[Pair], side: str) -> Places:
    packed: Places = getattr(pairs[0], side).astype(np.int64)
    for pair in pairs[1:]:
        packed = packed * (len(pair.categories) + 1) + getattr(pair, side)
    return packed


def _inside(pairs: Sequence[Pair], place: Places) -> Flags:
    """Cells of the table in which every variable is known."""
    inside = np.ones(len(place), np.bool_)
    for pair in reversed(pairs):
        place, code = np.divmod(place, len(pair.categories) + 1)
        inside &= code > 0
    return inside


def _names(pairs: Sequence[Pair], place: int) -> tuple[str, ...]:
    names = []
    for pair in reversed(pairs):
        place, code = divmod(place, len(pair.categories) + 1)
        names.append(pair.categories[code - 1])
    return tuple(reversed(names))


def means(name: str, sides: tuple[GroupSums, GroupSums], by: Pair | None) -> Means:
    """Compare means and totals of a numeric variable by category of a pooled variable."""
    rows = len(sides[0].total)
    codes = (np.ones(rows, np.int64),) * 2 if by is None else (by.before, by.after)
    labels = ("",) if by is None else by.categories
    size = len(labels) + 1
    pairs = list(zip(sides, codes, strict=True))
    sums = [sum_by(code, side.total, size)[1:] for side, code in pairs]
    weights = [sum_by(code, side.weight, size)[1:] for side, code in pairs]
    counts = [sum_by(code, side.count, size)[1:] for side, code in pairs]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = [total / each for total, each in zip(sums, weights, strict=True)]
    domains = tuple(
        Domain(
            category=labels[at],
            records=int(counts[0][at]),
            mean=(float(mean[0][at]), float(mean[1][at])),
            total=(float(sums[0][at]), float(sums[1][at])),
        )
        for at in np.flatnonzero(counts[0] + counts[1]).tolist()
    )
    return Means(name=name, by="" if by is None else by.name, domains=domains)
