"""Microaggregation of one variable with the least sum of squares (Hansen and Mukherjee).

In an optimal partition groups are runs of the sorted values, of k to 2k - 1 records each, so that

    cost[j] = min over sizes s of cost[j - s] + sse(j - s, j)

is the least sum of squares within groups of the first j values. All chunks of the values are worked
on at the same time, each from costs that are guessed at first: what a chunk ends with is what the
next one starts from, until nothing changes. A chunk need only know these costs up to a constant, so
that most are right at the second go.

References:
    Hansen and Mukherjee (2003), A polynomial algorithm for optimal univariate microaggregation.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from microsafe.sums import Floats

Sizes = NDArray[np.int64]

_CHUNK = 1000  # values of a chunk, unless k asks for more
_CHUNK_BY_K = 20
_NEVER = 1e300  # cost of what cannot be
_ALIKE = 1e-12  # costs that differ by less, relative to those of the chunk, are the same


def find_sizes(values: Floats, k: int) -> Sizes:
    """Return how many values each group has, from the smallest values on.

    Args:
        values: Sorted.
        k: Least number of values in a group; there are at least so many.
    """
    count = len(values)
    length = min(count, max(_CHUNK, _CHUNK_BY_K * k))
    chunks = -(-count // length)
    padded = np.pad(values, (0, chunks * length - count), mode="edge")
    squares = np.empty((length, k, chunks))  # by place in the chunk, size from the largest, chunk
    for size, sums in _squares(padded, k):
        squares[:, 2 * k - 1 - size] = sums.reshape(chunks, length).T
    sizes = _best_sizes(_least_costs(squares, k), squares, k)
    return _trace(sizes.T.ravel()[:count].tolist())


def _best_sizes(cost: Floats, squares: Floats, k: int) -> Sizes:
    """Return the size of the last group by place and chunk; the largest of those that tie."""
    length = len(squares)
    best = cost[:length] + squares[:, 0]
    sizes = np.full(best.shape, 2 * k - 1)
    for at in range(1, k):
        candidate = cost[at : at + length] + squares[:, at]
        sizes[candidate < best] = 2 * k - 1 - at
        np.minimum(best, candidate, out=best)
    return sizes


def _trace(sizes: list[int]) -> Sizes:
    """Go back from the last value, by the size of the group that ends there."""
    found, end = [], len(sizes)
    while end:
        found.append(sizes[end - 1])
        end -= sizes[end - 1]
    return np.array(found[::-1])


def _squares(values: Floats, k: int) -> Iterator[tuple[int, Floats]]:
    """Yield sizes from k on, each with the sums of squares within runs that end at each value.

    A run is made one longer at a time, as differences of large sums would lose all digits. Of the
    first values, where no such run ends, they are any numbers.
    """
    mean, sums = values.copy(), np.zeros_like(values)
    for size in range(2, 2 * k):
        beyond = values[: 1 - size] - mean[size - 1 :]
        mean[size - 1 :] += beyond / size
        sums[size - 1 :] += (size - 1) / size * beyond * beyond
        if size >= k:
            yield size, sums


def _least_costs(squares: Floats, k: int) -> Floats:
    """Least costs by place and chunk; the first 2k - 1 places are those before the chunk."""
    length, _, chunks = squares.shape
    before = 2 * k - 1
    cost = np.zeros((before + length, chunks))
    cost[: before - 1, 0] = _NEVER
    scale = _ALIKE * squares[before:, 0].sum(axis=0)
    active = np.arange(chunks)
    while len(active):
        cost[:, active] = _continue(cost[:before, active], squares, active)
        ends = cost[length:, :-1] - cost[length:, :-1].min(axis=0)
        changed = np.abs(ends - cost[:before, 1:]).max(axis=0) > scale[1:]
        active = 1 + np.flatnonzero(changed)
        cost[:before, active] = ends[:, active - 1]
    return cost


def _continue(start: Floats, squares: Floats, chunks: Sizes) -> Floats:
    """Go on from the costs before some chunks to those inside them."""
    before, (length, k, _) = len(start), squares.shape
    cost = np.concatenate([start, np.empty((length, len(chunks)))])
    for place in range(length):
        longer = cost[place : place + k] + squares[place][:, chunks]
        np.min(longer, axis=0, out=cost[before + place])
    return cost
