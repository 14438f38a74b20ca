"""Find the groups of records that lost the most information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from microsafe.engine.state_pairs import Count, Pair, Places
from microsafe.steps.loss import Renew, group_hidden, keep_categories, measure_each
from microsafe.sums import Floats, sum_by

ENOUGH = 30  # records: figures of smaller groups move by chance, and are never named as worst
_MOST_GROUPS = 1000  # categories; with more, a variable makes no groups worth naming
_SAME = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLoss:
    """What the records of one group lost.

    Attributes:
        by: Variable that makes the group.
        category: Of that variable, before protection.
        records: In the group.
        lost: Share of the information that the keys of these records told which is lost, as a mean
            over the keys. Of the whole file that is the loss of the keys.
        values: Values of keys that these records had.
        blanks: Of these, how many were blanked.
    """

    by: str
    category: str
    records: int
    lost: float
    values: int
    blanks: int

    @property
    def blank_share(self) -> float:
        """Blanks as a share of the values there were."""
        return self.blanks / self.values if self.values else 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordLoss:
    """What one variable lost, by groups of records that are alike.

    Attributes:
        pair: The variable.
        lost: Bits that each of these records lost, over the entropy; 0 where it was missing before.
        told: Bits that each of them told before, over the entropy: -log2 p; likewise.
    """

    pair: Pair
    lost: Floats
    told: Floats

    @classmethod
    def measure(
        cls, pair: Pair, count: Count, lost_share: float, renew: Renew = keep_categories
    ) -> RecordLoss:
        """Spread what a variable lost over its records.

        Categories say how much each record lost. What was measured beyond that, of numbers that
        were moved, is spread evenly over the values that are still shown; if less was measured,
        as since an earlier step, all shares are made smaller alike.

        Args:
            pair: The variable.
            count: Records of each group.
            lost_share: What was measured of the variable.
            renew: What steps by a rule have made of categories.
        """
        bits, each = measure_each(pair.before, pair.after, count, group_hidden(pair, renew))
        lost = each / bits if bits else each
        records = np.where(pair.known, count, 0).astype(np.float64)
        whole = float(records.sum())
        mean = float((records * lost).sum()) / whole if whole else 0.0
        shown = pair.known & (pair.after > 0)
        left = float(records[shown].sum())
        if lost_share > mean + _SAME and left:
            lost = lost + np.where(shown, (lost_share - mean) * whole / left, 0.0)
        elif lost_share < mean - _SAME:
            lost = lost * (lost_share / mean)
        return cls(pair=pair, lost=lost, told=_measure_told(pair, records, whole, bits))


def _measure_told(pair: Pair, records: Floats, whole: float, bits: float) -> Floats:
    if not bits:
        return pair.known.astype(np.float64)
    total = sum_by(pair.before, records, len(pair.categories) + 1)
    told = np.log2(whole / np.where(total > 0, total, whole)) / bits
    return np.where(pair.known, told[pair.before], 0.0)


def find_hardest(
    losses: Sequence[RecordLoss], by: Sequence[Pair], count: Count
) -> tuple[GroupLoss, ...]:
    """Return the groups of 30 records or more that lost something, worst first.

    Args:
        losses: Of the variables over which the mean is taken.
        by: Variables that make groups.
        count: Records of each group of like records.
    """
    weighed = [_WeighedLoss.of(loss, count.astype(np.float64)) for loss in losses]
    found = [
        group
        for pair in by
        if len(pair.categories) < _MOST_GROUPS
        for group in _measure_groups(weighed, pair, count)
    ]
    return tuple(sorted(found, key=lambda each: (-round(each.lost, 9), -each.records)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _WeighedLoss:
    """What one variable lost, by groups of records that are alike, all of their records counted.

    Most of them lost nothing, so what is 0 for most is known by its places.
    """

    told: Floats
    lost: tuple[Places, Floats]
    unknown: tuple[Places, Floats]
    blank: tuple[Places, Floats]

    @classmethod
    def of(cls, loss: RecordLoss, number: Floats) -> _WeighedLoss:
        known = np.where(loss.pair.known, number, 0.0)
        lost = known * loss.lost
        losing, unknown = np.flatnonzero(lost), np.flatnonzero(~loss.pair.known)
        blank = np.flatnonzero(loss.pair.blank & (not loss.pair.dropped))
        return cls(
            told=known * loss.told,
            lost=(losing, lost[losing]),
            unknown=(unknown, number[unknown]),
            blank=(blank, number[blank]),
        )


def _measure_groups(losses: Sequence[_WeighedLoss], by: Pair, count: Count) -> list[GroupLoss]:
    size = len(by.categories) + 1

    def sum_at(places: Places, values: Floats) -> Floats:
        return sum_by(by.before[places], values, size)

    shares, counted = np.zeros(size), np.zeros(size)
    values, blanks = np.zeros(size), np.zeros(size)
    records = sum_by(by.before, count.astype(np.float64), size)
    for loss in losses:
        told, lost = sum_by(by.before, loss.told, size), sum_at(*loss.lost)
        shares += np.divide(lost, told, out=np.zeros(size), where=told > 0)
        counted += told > 0
        values += records - sum_at(*loss.unknown)
        blanks += sum_at(*loss.blank)
    return [
        GroupLoss(
            by=by.name,
            category=by.categories[code - 1],
            records=int(records[code]),
            lost=float(shares[code] / counted[code]),
            values=int(values[code]),
            blanks=int(blanks[code]),
        )
        for code in np.flatnonzero((records >= ENOUGH) & (shares > _SAME)).tolist()
        if code
    ]
