"""Count the combinations of codes that occur, batch by batch.

Codes of a record are packed into one word, mixed radix. If words can take few values, a table
of all of them tells which occur; otherwise each batch is sorted, and only its distinct words
meet those of other batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Codes
from microsafe.engine.memory import Batches
from microsafe.engine.threads import run_for_each

Words = NDArray[np.int64]

_WORD = 1 << 63  # packed codes stay below this, so that they are safe as int64 too
_TABLE = 1 << 26  # entries of five bytes
_PIECE = 1 << 17  # words


def number_combinations(
    codes: Callable[[int, int], Codes],
    sizes: Sequence[int],
    lengths: Sequence[int],
    *,
    parts: Callable[[], Batches],
    afford: Callable[[int], None],
    tell: Callable[[float], None],
    threads: int | None = 1,
) -> tuple[list[NDArray[Any]], Batches]:
    """Number the distinct combinations of some coded columns in lexicographic order.

    Args:
        codes: Codes of a column (first argument) in a batch (second), from 0 to its size.
        sizes: The largest code each column may hold.
        lengths: Number of records in each batch.
        parts: Makes a place for something that is known of each batch.
        afford: Told, while there are ever more, how many combinations there are at least; may
            refuse so many.
        tell: Progress callback, with the fraction done.
        threads: How many batches are packed at a time; None for as many as there are cores.

    Returns:
        For each column the code of every combination, and the number of each record's
        combination, batch by batch.
    """
    distinct: list[NDArray[Any]] = []
    groups = parts()
    for _ in lengths:
        groups.append(np.empty(0, np.uint32))
    span, start = 1, 0
    most = min(max(1 << 16, 4 * sum(lengths)), _TABLE)
    while start < len(sizes):
        # Two tables of what occurs cost less than sorting once.
        few = span * (sizes[start] + 1) <= most
        stop, width = start + 1, span * (sizes[start] + 1)
        limit = most if few else _WORD - 1
        while stop < len(sizes) and width * (sizes[stop] + 1) <= limit:
            width *= sizes[stop] + 1
            stop += 1
        columns = range(start, stop)

        def pack_codes(
            batch: int, columns: range = columns, kind: type = np.uint32 if few else np.int64
        ) -> NDArray[Any]:
            first, *later = columns
            words: NDArray[Any] = codes(first, batch).astype(kind)
            if first:
                words += groups[batch].astype(kind) * kind(sizes[first] + 1)
            for column in later:
                words *= kind(sizes[column] + 1)
                words += codes(column, batch)
            return words

        if few:
            run_batches = partial(run_for_each, count=len(lengths), threads=threads)
            words = _number_few(pack_codes, width, run_batches, groups, afford, tell)
        else:
            words = _number_many(pack_codes, lengths, groups, parts(), afford, tell)
        digits: list[NDArray[Any]] = []
        for column in reversed(columns):
            words, digit = np.divmod(words, sizes[column] + 1)
            digits.insert(0, digit.astype(codes(column, 0).dtype))
        distinct = [*(column[words] for column in distinct), *digits]
        span, start = len(digits[0]), stop
    return distinct, groups


def _number_few(
    pack_codes: Callable[[int], NDArray[np.uint32]],
    span: int,
    for_each: Callable[..., None],
    groups: Batches,
    afford: Callable[[int], None],
    tell: Callable[[float], None],
) -> Words:
    """Number words below a small `span` without gaps, keeping their order; return the words."""
    present = np.zeros(span, np.bool_)

    def mark_words(batch: int) -> None:  # several threads may mark: none ever takes a mark away
        words = pack_codes(batch)
        if span > len(words):
            for piece in _cut(words):
                present[piece] = True
        else:  # as quick, but for the change of type that an index needs
            present[np.bincount(words, minlength=span) > 0] = True
        groups[batch] = words

    def number_batch(batch: int) -> None:
        groups[batch] = np.concatenate([place[piece] for piece in _cut(groups[batch])])

    for_each(mark_words, tell=lambda done: tell(0.8 * done))
    distinct = np.flatnonzero(present)
    afford(len(distinct))
    place = np.empty(span, np.uint32)  # of words that do not occur it is never asked
    place[distinct] = np.arange(len(distinct), dtype=np.uint32)
    for_each(number_batch, tell=lambda done: tell(0.8 + 0.2 * done))
    return distinct


def _cut(words: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Words in pieces: as an index they take eight bytes each."""
    return (words[start : start + _PIECE] for start in range(0, len(words), _PIECE))


def _number_many(
    pack_codes: Callable[[int], Words],
    lengths: Sequence[int],
    groups: Batches,
    owned: Batches,
    afford: Callable[[int], None],
    tell: Callable[[float], None],
) -> Words:
    """Number any words without gaps, keeping their order; return the words."""
    distinct = Distinct(afford)
    for batch in range(len(lengths)):
        tell(batch / len(lengths))
        own, places = _sort_words(pack_codes(batch))
        owned.append(own)
        groups[batch] = places
        distinct.add(own)
    every: Words = distinct.every()
    for batch in range(len(lengths)):
        place = np.searchsorted(every, owned[batch]).astype(np.uint32)
        groups[batch] = place[groups[batch]]
    return every


def _sort_words(words: Words) -> tuple[Words, NDArray[np.uint32]]:
    """Return the distinct words, sorted, and the place among them of each."""
    bits = len(words).bit_length()
    if int(words.max()) >= _WORD >> bits:
        own, inverse = np.unique(words, return_inverse=True)
        return own, inverse.astype(np.uint32)
    # A word and its row in one number: sorting numbers is twice as quick as finding their order.
    both: Words = words << bits
    both |= np.arange(len(words))
    both.sort()
    rows = both & ((1 << bits) - 1)
    both >>= bits
    new = np.ones(len(both), np.bool_)
    np.not_equal(both[1:], both[:-1], out=new[1:])
    places = np.empty(len(both), np.uint32)
    places[rows] = np.cumsum(new, dtype=np.uint32) - np.uint32(1)
    distinct: Words = both[new]
    return distinct, places


class Distinct:
    """The distinct numbers of many arrays, merged as they come.

    Args:
        afford: Told at every array how many there are at least; may refuse so many.
    """

    def __init__(self, afford: Callable[[int], None]) -> None:
        self._afford = afford
        self._runs: list[NDArray[Any]] = []

    def add(self, numbers: NDArray[Any]) -> None:
        """Add numbers that are sorted and distinct."""
        self._runs.append(numbers)
        # Each run is more than twice as long as the next: few merges, and little held twice.
        while len(self._runs) > 1 and len(self._runs[-2]) <= 2 * len(self._runs[-1]):
            self._runs[-2:] = [merge_sorted(self._runs[-2:])]
        self._afford(len(self._runs[0]))

    def every(self) -> NDArray[Any]:
        """Return all of them, sorted."""
        every = merge_sorted(self._runs)
        self._afford(len(every))
        return every


def merge_sorted(sorted_parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return the distinct numbers of some sorted arrays, sorted."""
    every = np.concatenate(sorted_parts)
    every.sort(kind="stable")  # which takes what is sorted already as it is, and merges
    new = np.ones(len(every), np.bool_)
    np.not_equal(every[1:], every[:-1], out=new[1:])
    return every if new.all() else every[new]
