"""Numbering the combinations of codes that occur, batch by batch.

Codes of a record are packed into one word, mixed radix. If words can take few values, a table
of all of them tells which occur; otherwise each batch is sorted, and only its distinct words
meet those of other batches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Codes
from microsafe.engine.memory import Parts

Words = NDArray[np.int64]

_WORD = 1 << 63  # packed codes stay below this, so that they are safe as int64 too
_TABLE = 1 << 26  # entries of five bytes


def numbered(
    codes: Callable[[int, int], Codes],
    sizes: Sequence[int],
    lengths: Sequence[int],
    *,
    groups: Parts,
    tell: Callable[[float], None],
) -> list[NDArray[Any]]:
    """Number the distinct combinations of some coded columns in lexicographic order.

    Args:
        codes: Codes of a column (first argument) in a batch (second), from 0 to its size.
        sizes: The largest code each column may hold.
        lengths: Number of records in each batch.
        groups: Gets the number of each record's combination, batch by batch.
        tell: Told of the fraction that is done.

    Returns:
        For each column the code of every combination.
    """
    found: list[NDArray[Any]] = []
    span, start = 1, 0
    while start < len(sizes):
        stop, width = start + 1, span * (sizes[start] + 1)
        while stop < len(sizes) and width * (sizes[stop] + 1) < _WORD:
            width *= sizes[stop] + 1
            stop += 1
        columns = range(start, stop)

        def packed(batch: int, columns: range = columns) -> Words:
            words = np.zeros(lengths[batch], np.int64)
            words += groups[batch] if columns[0] else 0
            for column in columns:
                words *= sizes[column] + 1
                words += codes(column, batch)
            return words

        words = _numbered(packed, width, lengths, groups, tell)
        digits: list[NDArray[Any]] = []
        for column in reversed(columns):
            words, digit = np.divmod(words, sizes[column] + 1)
            digits.insert(0, digit.astype(codes(column, 0).dtype))
        found = [*(each[words] for each in found), *digits]
        span, start = len(digits[0]), stop
    return found


def _numbered(
    packed: Callable[[int], Words],
    span: int,
    lengths: Sequence[int],
    groups: Parts,
    tell: Callable[[float], None],
) -> Words:
    """Number words below `span` without gaps, keeping their order; return the words."""
    few = span <= min(max(1 << 16, 4 * sum(lengths)), _TABLE)
    present = np.zeros(span if few else 0, np.bool_)
    distinct: list[Words] = []
    for batch in range(len(lengths)):
        tell(batch / len(lengths))
        words = packed(batch)
        if few:
            present[words] = True
        else:
            own, words = np.unique(words, return_inverse=True)
            distinct.append(own)
        _keep(groups, batch, words.astype(np.uint32))
    if few:
        every: Words = np.flatnonzero(present)
        place = np.cumsum(present, dtype=np.uint32) - np.uint32(1)
    else:
        every = merged(distinct)
    for batch in range(len(lengths)):
        if not few:
            place = np.searchsorted(every, distinct[batch]).astype(np.uint32)
        groups[batch] = place[groups[batch]]
    return every


def merged(sorted_parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return the distinct numbers of some sorted arrays, sorted."""
    every = np.concatenate(sorted_parts)
    every.sort(kind="stable")  # which takes what is sorted already as it is, and merges
    kept: NDArray[Any] = every[np.concatenate([[True], every[1:] != every[:-1]])]
    return kept


def _keep(parts: Parts, batch: int, part: NDArray[Any]) -> None:
    if batch < len(parts):
        parts[batch] = part
    else:
        parts.append(part)
