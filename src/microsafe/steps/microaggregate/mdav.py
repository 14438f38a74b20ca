"""Microaggregation of several variables: maximum distance to average vector (MDAV).

While at least 3k records are left: r is the record farthest from the centroid of those left, s the
one farthest from r; r makes a group with its k - 1 nearest, then s with its k - 1 nearest of what
is left. If s went with r, the farthest from r among the rest takes its place. The last records make
two groups, or one if they are fewer than 2k. Ties go to the lowest record.

Squared distances are summed in the order of the variables, and centroids come from sums without
rounding errors, so that groups do not depend on how they were computed.

Time grows by the square of the number of records. In blocks it does not: the outer records, of
which loss is mostly made, are grouped first, each time among the outermost that are left; the
others in blocks that come of halving them at the median of the variable with the largest variance.

References:
    Domingo-Ferrer and Torra (2005), Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation. Hundepool et al. (2012), Statistical disclosure control, section 3.8.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from microsafe.progress import Tell, tell_nobody
from microsafe.sums import Exact, Floats

Groups = NDArray[np.int64]
Places = NDArray[np.int64]

_SLACK = 16  # records are moved together once one in so many has gone
_OUTER = 5  # one record in so many is grouped before blocks are made
_BLOCK = 2500  # records of a block, and how many for each of k
_BLOCK_BY_K = 50
_WINDOW = 2  # outermost records that are looked at together, in blocks
_OFTEN = 32  # pairs of groups, after which it is told how far things are


def find_groups(values: Floats, k: int, tell: Tell = tell_nobody) -> Groups:
    """Return the number of the group of each record, in the order in which groups are made.

    Args:
        values: A row per variable, standardised.
        k: Least number of records in a group; there are at least so many records.
        tell: Told now and then how many records have a group; may raise to stop the work.
    """
    grouping = _Grouping(values, k, tell)
    grouping.finish(grouping.make_pairs(np.arange(values.shape[1]), 3 * k))
    return grouping.groups


def find_groups_in_blocks(values: Floats, k: int, tell: Tell = tell_nobody) -> Groups:
    """Return the groups of records that are too many to be looked at all together."""
    size = max(_BLOCK, _BLOCK_BY_K * k)
    count = values.shape[1]
    if count <= _WINDOW * size:
        return find_groups(values, k, tell)
    grouping = _Grouping(values, k, tell)
    from_centre = _squared_distances(values, grouping.centroid(), np.empty_like(values))
    inward = np.argsort(-from_centre, kind="stable")
    window, following = inward[:0], 0
    while grouping.left > count - count // _OUTER:
        ends = following + _WINDOW * size - len(window)
        window = np.sort(np.concatenate([window, inward[following:ends]]))
        following = ends
        window = grouping.make_pairs(window, len(window) // 2)
    groups, made, done = grouping.groups, grouping.made, count - grouping.left
    for block in _halve(values, np.flatnonzero(groups < 0), size):
        groups[block] = made + find_groups(values[:, block], k)
        made = int(groups[block].max()) + 1
        done += len(block)
        tell(done)
    return groups


def _halve(values: Floats, records: Places, size: int) -> Iterator[Places]:
    """Halve records until no more than some are together."""
    if len(records) <= size:
        yield records
        return
    inside = values[:, records]
    order = np.argsort(inside[inside.var(axis=1).argmax()], kind="stable")
    middle = len(records) // 2
    for half in (order[:middle], order[middle:]):
        yield from _halve(values, records[np.sort(half)], size)


def _squared_distances(values: Floats, point: Floats, work: Floats) -> Floats:
    """Return squared distances from a point; `work` has the shape of the values."""
    np.subtract(values, point[:, None], out=work)
    np.multiply(work, work, out=work)
    distances: Floats = work[0].copy()
    for row in work[1:]:
        distances += row
    return distances


class _Grouping:
    """Groups so far, and the centroid of the records that have none.

    Args:
        values: A row per variable.
        k: Least number of records in a group.
        tell: Told how many records have a group.
    """

    def __init__(self, values: Floats, k: int, tell: Tell) -> None:
        self._tell = tell
        self.left = values.shape[1]
        self.groups = np.full(self.left, -1)
        self.made = 0
        self._values, self._k = values, k
        split = Exact.under(float(np.abs(values).sum()), values)
        self._parts = split.high, values - split.high
        self._sums = [part.sum(axis=1) for part in self._parts]

    def centroid(self) -> Floats:
        """Return the means of records without a group."""
        mean: Floats = (self._sums[0] + self._sums[1]) / self.left
        return mean

    def make_pairs(self, records: Places, least: int) -> Places:
        """Make two groups at a time while so many of some records are left; return the rest.

        Args:
            records: Which.
            least: How many; 3k or more.
        """
        pool = _OpenRecords(self._values, records)
        while pool.count >= least:
            far = pool.find_farthest(pool.distances(self.centroid()))
            from_far = pool.distances(pool.value(far))
            self._add(pool.take_nearest(far, from_far, self._k))
            opposite = pool.find_farthest(from_far)
            from_opposite = pool.distances(pool.value(opposite))
            self._add(pool.take_nearest(opposite, from_opposite, self._k))
            pool.close_up()
            if self.made % (2 * _OFTEN) == 0:
                self._tell(len(self.groups) - self.left)
        return pool.records()

    def finish(self, records: Places) -> None:
        """Make the last two groups, or the last one."""
        pool = _OpenRecords(self._values, records)
        if pool.count >= 2 * self._k:
            far = pool.find_farthest(pool.distances(self.centroid()))
            self._add(pool.take_nearest(far, pool.distances(pool.value(far)), self._k))
        self._add(pool.records())

    def _add(self, group: Places) -> None:
        self.groups[group] = self.made
        self.made += 1
        self.left -= len(group)
        for sums, parts in zip(self._sums, self._parts, strict=True):
            sums -= parts[:, group].sum(axis=1)


class _OpenRecords:
    """Records that are looked at together.

    Those that were taken stay in their places, and are passed over, until there are so many that
    it pays to move the others together.

    Args:
        values: A row per variable, of all records.
        records: Which of them, in their order.
    """

    def __init__(self, values: Floats, records: Places) -> None:
        self.count = len(records)
        self._numbers = records
        self._values = np.ascontiguousarray(values[:, records])
        self._work = np.empty_like(self._values)
        self._taken = np.empty(self.count, np.int64)
        self._gone = self._taken[:0]

    def records(self) -> Places:
        """Return which are left."""
        return np.delete(self._numbers, self._gone)

    def value(self, place: int) -> Floats:
        """Return the values of a record."""
        return self._values[:, place].copy()

    def distances(self, point: Floats) -> Floats:
        """Return squared distances from a point."""
        return _squared_distances(self._values, point, self._work)

    def find_farthest(self, distances: Floats) -> int:
        """Return the place of the first one with the largest distance."""
        distances[self._gone] = -1.0
        return int(distances.argmax())

    def take_nearest(self, place: int, distances: Floats, k: int) -> Places:
        """Take a record and those nearest to it, in all k, and return which they are."""
        distances[self._gone] = np.inf
        start = len(self._gone)
        for each in range(start, start + k):
            self._taken[each] = place
            distances[place] = np.inf
            place = int(distances.argmin())
        self._gone = self._taken[: start + k]
        self.count -= k
        return self._numbers[self._gone[start:]]

    def close_up(self) -> None:
        """Move the others together if enough were taken."""
        if len(self._gone) * _SLACK >= len(self._numbers):
            self._values = np.delete(self._values, self._gone, axis=1)
            self._numbers = self.records()
            self._work = np.empty_like(self._values)
            self._gone = self._taken[:0]
