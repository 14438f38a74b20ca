"""Pack codes of several keys into 64-bit words, to compare and look them up.

Restricting cells to some keys is then one AND, missing being zero. Where one word is not enough,
cells take rows of words, one for each 64 bits: those are sorted and searched by a hash, and
compared in full wherever hashes are equal, so that the result is exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index

Words = NDArray[np.uint64]  # one for each cell, or rows of them
_ROOM = 64  # bits of a word
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def pack_codes(cells: Cells) -> tuple[Words, list[int]]:
    """Return the codes side by side, and the field of each key, in as many words as it takes.

    The first key takes the highest bits, so that packed codes of cells are sorted as cells
    are: searching for nearly sorted words is several times faster.
    """
    rows = [np.zeros(len(cells), np.uint64)]
    fields: list[int] = []
    shift = 0
    for code, categories in zip(reversed(cells.codes), reversed(cells.categories), strict=True):
        bits = len(categories).bit_length()
        if shift + bits > _ROOM:
            rows.append(np.zeros(len(cells), np.uint64))
            shift = 0
        rows[-1] |= code.astype(np.uint64) << np.uint64(shift)
        fields.insert(0, ((1 << bits) - 1) << shift + _ROOM * (len(rows) - 1))
        shift += bits
    return rows[0] if len(rows) == 1 else np.stack(rows), fields


def shape_bits(bits: int, like: Words) -> np.uint64 | Words:
    """Return bits of fields so that packed codes can be restricted to them."""
    if like.ndim == 1:
        return np.uint64(bits)
    row = (1 << _ROOM) - 1
    return np.array([[bits >> _ROOM * place & row] for place in range(len(like))], np.uint64)


def tell_apart(words: Words) -> tuple[Words, Index]:
    """Return the distinct words in the order of their hashes, and the place of each word there."""
    hashes = hash_words(words)
    order = np.argsort(hashes, kind="stable")  # they come in sorted runs, which that makes use of
    ordered = words[..., order]
    new = _begin(ordered)
    if words.ndim > 1 and np.count_nonzero(new) != np.count_nonzero(_begin(hashes[order])):
        order = np.lexsort((*words, hashes))
        ordered = words[:, order]
        new = _begin(ordered)
    place = np.empty(len(order), np.intp)
    place[order] = np.cumsum(new) - 1
    return ordered[..., new], place


def look_up(words: Words, table: Words) -> tuple[Index, Index]:
    """Return which of the words are in the table, and where; it is sorted as `tell_apart` does.

    Most are not. A sieve of one byte per hash value turns nearly all of those away before
    the binary search, which costs ten times as much.
    """
    wanted, known = hash_words(words), hash_words(table)
    bits = min(max((8 * len(known)).bit_length(), 10), 26)
    shift = np.uint64(64 - bits)
    sieve = np.zeros(1 << bits, np.bool_)
    sieve[(known * _GOLDEN) >> shift] = True
    found = np.flatnonzero(sieve[(wanted * _GOLDEN) >> shift])
    candidates = words[..., found]
    if words.ndim > 1 and bool(np.any(known[1:] == known[:-1])):
        place = _place_in(candidates, table)
    else:
        place = np.searchsorted(known, wanted[found])
        place[place == len(known)] = 0
        place[~_equal(table[..., place], candidates)] = -1
    hit = place >= 0
    return found[hit], place[hit]


def hash_words(words: Words) -> Words:
    """Return one number for each cell, by which its words are sorted: a single word is its own."""
    if words.ndim == 1:
        return words
    hashes: Words = words[0]
    for row in words[1:]:
        hashes = hashes * _GOLDEN
        hashes ^= hashes >> np.uint64(32)
        hashes ^= row
    return hashes


def _begin(words: Words) -> NDArray[np.bool_]:
    """Tell where another word begins."""
    new = np.ones(words.shape[-1], np.bool_)
    new[1:] = ~_equal(words[..., 1:], words[..., :-1])
    return new


def _equal(some: Words, others: Words) -> NDArray[np.bool_]:
    same: NDArray[np.bool_] = some == others
    return same if same.ndim == 1 else np.logical_and.reduce(same)


def _place_in(words: Words, table: Words) -> Index:
    """Where words are in a table in which different ones have the same hash; -1 for nowhere."""
    distinct, group = tell_apart(np.concatenate([table, words], axis=1))
    place = np.full(distinct.shape[1], -1)
    place[group[: table.shape[1]]] = np.arange(table.shape[1])
    return place[group[table.shape[1] :]]
