"""A k-d tree of points, searched for many points at once.

Points are halved at the median of the coordinate that spreads most, until a leaf has few. A search
goes down the tree for all queries together, level by level, and leaves out boxes that lie beyond
a query's radius. Distances are sums of squares in the order of the coordinates, as they would be
by brute force, so that ties are ties.

References:
    Friedman, Bentley and Finkel (1977), An algorithm for finding best matches in logarithmic
    expected time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from microsafe.sums import Floats

Places = NDArray[np.int64]

_LEAF = 32  # points at most
_QUERIES = 1 << 13  # searched together
_PAIRS = 1 << 16  # of queries and leaves whose distances are found together


class PointTree:
    """Points that can be searched.

    Args:
        columns: Their coordinates, an array for each dimension; at least one point, all finite.
    """

    def __init__(self, columns: list[Floats]) -> None:
        count = len(columns[0])
        self._depth = 0
        while -(-count // (1 << self._depth)) > _LEAF:
            self._depth += 1
        leaves = 1 << self._depth
        room = leaves * -(-count // leaves)
        # What fills the last places lies nowhere; half of it goes to either side of every split.
        self._place: Places = np.full(room, -1)
        self._place[:count] = np.arange(count)
        self._columns = [np.full(room, np.inf) for _ in columns]
        for mine, given in zip(self._columns, columns, strict=True):
            mine[:count] = given
        self._splits: list[tuple[Places, Floats]] = [
            self._halve(1 << level) for level in range(self._depth)
        ]
        self._lows, self._highs = self._find_boxes(leaves)

    def _halve(self, nodes: int) -> tuple[Places, Floats]:
        """Halve all nodes of a level; return by which coordinate, and from where on."""
        shape = (nodes, -1)
        columns = [column.reshape(shape) for column in self._columns]
        real = self._place.reshape(shape) >= 0
        spread = np.stack(
            [
                np.where(real, column, -np.inf).max(axis=1)
                - np.where(real, column, np.inf).min(axis=1)
                for column in columns
            ]
        )
        by = np.argmax(spread, axis=0)
        key = columns[0].copy()
        for place, each in enumerate(columns):
            key[by == place] = each[by == place]
        if not real.all():
            filled = np.cumsum(~real, axis=1) % 2 == 0
            key[~real & filled] = -np.inf
        middle = key.shape[1] // 2
        order = np.argpartition(key, middle, axis=1)
        for at, each in enumerate(columns):
            self._columns[at] = np.take_along_axis(each, order, axis=1).reshape(-1)
        self._place = np.take_along_axis(self._place.reshape(shape), order, axis=1).reshape(-1)
        return by, np.take_along_axis(key, order[:, middle : middle + 1], axis=1)[:, 0]

    def _find_boxes(self, leaves: int) -> tuple[list[list[Floats]], list[list[Floats]]]:
        """Bounds of the points in every node, by level from the root and by coordinate."""
        lows, highs = [], []
        for column in self._columns:
            inside = column.reshape(leaves, -1)
            low = [inside.min(axis=1)]
            high = [np.where(np.isinf(inside), -np.inf, inside).max(axis=1)]
            for _ in range(self._depth):
                low.append(np.minimum(low[-1][::2], low[-1][1::2]))
                high.append(np.maximum(high[-1][::2], high[-1][1::2]))
            lows.append(low[::-1])
            highs.append(high[::-1])
        return [list(level) for level in zip(*lows, strict=True)], [
            list(level) for level in zip(*highs, strict=True)
        ]

    def count_nearer(
        self, queries: list[Floats], squared: Floats
    ) -> tuple[NDArray[np.bool_], Places]:
        """Say for each query whether a point is nearer than a distance, and how many are as near.

        Args:
            queries: Coordinates, an array for each dimension.
            squared: The square of a distance for each.
        """
        nearer = np.zeros(len(squared), np.bool_)
        tied = np.zeros(len(squared), np.int64)
        home = self._find_leaf(queries)
        for which, distance, _ in self._measure(queries, np.arange(len(squared)), home):
            nearer[which] = (distance < squared[which, None]).any(axis=1)
        for some in _pieces(np.flatnonzero(~nearer)):
            pairs = self._find_leaves(queries, some, squared)
            for which, distance, _ in self._measure(queries, *pairs):
                np.logical_or.at(nearer, which, (distance < squared[which, None]).any(axis=1))
                np.add.at(tied, which, (distance == squared[which, None]).sum(axis=1))
        return nearer, tied

    def find_neighbours(
        self, queries: list[Floats], own: Places, neighbours: int
    ) -> tuple[Floats, Places]:
        """Return squared distances to the nearest points and which these are, nearest first.

        Args:
            queries: Coordinates, an array for each dimension.
            own: A point for each query that is no neighbour of it.
            neighbours: How many; there are more points.
        """
        count = len(own)
        found = np.full((count, neighbours), np.inf)
        places = np.zeros((count, neighbours), np.int64)
        bound = np.full(count, np.inf)
        for which, distance, place in self._measure(
            queries, np.arange(count), self._find_leaf(queries)
        ):
            distance = np.where(place == own[which, None], np.inf, distance)
            if distance.shape[1] >= neighbours:
                bound[which] = np.partition(distance, neighbours - 1, axis=1)[:, neighbours - 1]
        for some in _pieces(np.arange(count)):
            parts = []
            for which, distance, place in self._measure(
                queries, *self._find_leaves(queries, some, bound)
            ):
                near = (distance <= bound[which, None]) & (place != own[which, None])
                near &= place >= 0
                row, column = np.nonzero(near)
                parts.append((which[row], distance[row, column], place[row, column]))
            query, squares, points = (np.concatenate(each) for each in zip(*parts, strict=True))
            order = np.lexsort((points, squares, query))
            query, squares, points = query[order], squares[order], points[order]
            rank = np.arange(len(query)) - np.searchsorted(query, query)
            kept = rank < neighbours
            found[query[kept], rank[kept]] = squares[kept]
            places[query[kept], rank[kept]] = points[kept]
        return found, places

    def _find_leaf(self, queries: list[Floats]) -> Places:
        """The leaf that each query would belong to."""
        node = np.zeros(len(queries[0]), np.int64)
        stacked = np.stack(queries)
        rows = np.arange(len(node))
        for by, start in self._splits:
            node = 2 * node + (stacked[by[node], rows] >= start[node])
        return node

    def _find_leaves(
        self, queries: list[Floats], some: Places, squared: Floats
    ) -> tuple[Places, Places]:
        """Pairs of queries and leaves that reach into their distance."""
        which, node = some, np.zeros(len(some), np.int64)
        for low, high in zip(self._lows[1:], self._highs[1:], strict=True):
            which = np.repeat(which, 2)
            node = np.repeat(2 * node, 2)
            node[1::2] += 1
            away = np.zeros(len(which))
            for at, query in enumerate(queries):
                value = query[which]
                gap = np.maximum(np.maximum(low[at][node] - value, value - high[at][node]), 0.0)
                away += gap * gap
            near = away <= squared[which]
            which, node = which[near], node[near]
        return which, node

    def _measure(
        self, queries: list[Floats], which: Places, leaf: Places
    ) -> Iterator[tuple[Places, Floats, Places]]:
        """Squared distances of queries to all points of leaves: some at a time."""
        columns = [column.reshape(1 << self._depth, -1) for column in self._columns]
        places = self._place.reshape(1 << self._depth, -1)
        for start in range(0, len(which), _PAIRS):
            query, node = which[start : start + _PAIRS], leaf[start : start + _PAIRS]
            total = np.zeros((len(query), places.shape[1]))
            for each, column in zip(queries, columns, strict=True):
                gap = column[node] - each[query, None]
                total += gap * gap
            yield query, total, places[node]


def _pieces(places: Places) -> Iterator[Places]:
    for start in range(0, len(places), _QUERIES):
        yield places[start : start + _QUERIES]
