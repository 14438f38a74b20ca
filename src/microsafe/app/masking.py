"""Small counts are masked, together with others, so that what is shown does not give them back.

For every masked count below `LEAST` there is another table with the same shown counts and the
same totals in which it is `LEAST`. Pure functions over arrays of counts.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

LEAST = 3  # records in a count that is shown; none is shown too

Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]
Cell = tuple[int, int]


def is_small(counts: Counts) -> Mask:
    """Return which counts are of people who could be singled out."""
    return (counts > 0) & (counts < LEAST)


def mask_line(counts: Counts) -> Mask:
    """Return which counts of a line to mask whose sum is known."""
    hidden = is_small(counts)
    if not hidden.any():
        return hidden
    enough = np.flatnonzero(counts >= LEAST)
    if not len(enough):
        return np.ones(len(counts), bool)
    hidden[enough[np.argmin(counts[enough])]] = True
    return hidden


def mask_table(counts: Counts, rows: Mask, columns: Mask) -> Mask | None:
    """Return which cells of a table to mask; None if no choice of cells protects it.

    A small cell is protected by closed paths through masked cells, along which it could be
    raised to `LEAST` while all sums stay. The paths that mask the fewest records are taken.

    Args:
        counts: The table.
        rows: Which of its row totals are masked wherever they are shown.
        columns: Likewise of column totals.
    """
    grid = _Grid(counts, rows, columns)
    small = np.argwhere(is_small(counts))
    order = np.lexsort((small[:, 1], small[:, 0], counts[tuple(small.T)]))
    for row, column in small[order].tolist():
        if not any(grid.protect(row, column, least=least) for least in (1, 0)):
            return None
    return grid.hidden[:-1, :-1]


class _Grid:
    """A table with its totals: the last row and column.

    Rows and columns are places, cells the ways between them. To raise one cell, go from its
    column over cells that fall to rows, and from there over cells that rise to columns. A total
    rises where a cell falls.
    """

    def __init__(self, counts: Counts, rows: Mask, columns: Mask) -> None:
        high, wide = counts.shape
        self.counts = np.zeros((high + 1, wide + 1), np.int64)
        self.counts[:-1, :-1] = counts
        self.counts[:-1, -1], self.counts[-1, :-1] = counts.sum(1), counts.sum(0)
        self.hidden = np.zeros(self.counts.shape, bool)
        self.hidden[:-1, :-1] = is_small(counts)
        self.hidden[:-1, -1], self.hidden[-1, :-1] = rows, columns
        self.total = np.zeros(self.counts.shape, bool)
        self.total[-1], self.total[:, -1] = True, True

    def protect(self, row: int, column: int, *, least: int) -> bool:
        """Mask what a small cell needs; tell whether that can be done.

        Args:
            row: Of the cell.
            column: Of the cell.
            least: What a masked cell is at least. With 0, empty cells may be masked as well.
        """
        other, hidden = self.counts.copy(), self.hidden.copy()
        while other[row, column] < LEAST:
            path = self._find_path(other, hidden, (row, column), least)
            if path is None:
                return False
            for falls, cell in path:
                other[cell] += -1 if falls != self.total[cell] else 1
                hidden[cell] = True
            other[row, column] += 1
        self.hidden = hidden
        return True

    def _find_path(
        self, other: Counts, hidden: Mask, cell: Cell, least: int
    ) -> list[tuple[bool, Cell]] | None:
        """Return the cheapest path from a cell's column back to its row, by other cells."""
        cost = np.where(hidden, 0.0, self.counts)
        cost[self.counts == 0] = 2.0 * self.counts[:-1, -1].sum() if least == 0 else np.inf
        cost[self.total & ~hidden] = np.inf  # others show them
        cost[cell] = np.inf
        stuck = other <= least
        falling = np.where(stuck & ~self.total, np.inf, cost)
        rising = np.where(stuck & self.total, np.inf, cost)
        high = len(cost)
        start, end = high + cell[1], cell[0]
        far = np.full(sum(cost.shape), np.inf)
        came = np.full(len(far), -1)
        far[start] = 0.0
        waiting = [(0.0, start)]
        while waiting:
            length, at = heapq.heappop(waiting)
            if at == end:
                return list(_walk(came.tolist(), end, high))
            if length > far[at]:
                continue
            ways = falling[:, at - high] if at >= high else rising[at]
            first = 0 if at >= high else high
            better = np.flatnonzero(length + ways < far[first : first + len(ways)])
            far[first + better] = length + ways[better]
            came[first + better] = at
            for each in better.tolist():
                heapq.heappush(waiting, (float(far[first + each]), first + each))
        return None


def _walk(came: list[int], end: int, high: int) -> Iterator[tuple[bool, Cell]]:
    """Go back along a path: whether a cell falls on it, and which."""
    at = end
    while came[at] >= 0:
        before = came[at]
        yield (True, (at, before - high)) if at < high else (False, (before, at - high))
        at = before
