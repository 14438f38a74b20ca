"""The figures of a comparison: counting, never going through records one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from microsafe.cells import number
from microsafe.compare.result import Domain, Group, Means, Touched, VariableLoss
from microsafe.engine.pairs import Count, Flags, GroupSums, Pair, Places
from microsafe.steps.loss import Information, Told, measure_categories
from microsafe.sums import Floats, sum_by

_MOST_GROUPS = 1000  # categories; with more, a variable makes no groups worth naming


def measure_loss(
    pair: Pair, count: Count, *, key: bool, told: Information | Told | None = None
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
