"""Post-randomisation (PRAM): matrices of chances, and the draw from them.

Row x of a matrix M holds the chances M(x, z) that category x becomes z. With shares p of the
categories, p M = p keeps the margin in expectation.

References:
    Gouweleeuw, Kooiman, Willenborg and de Wolf (1998), Post randomisation for statistical
    disclosure control: theory and implementation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.sums import Floats

Words = NDArray[np.uint64]
Places = NDArray[np.intp]

_BITS = 53  # of a uniform number
_ROWS_AT_ONCE = 2046  # a row and 53 bits share one word
_SHARED = 1e-9  # how far a given row may be from 1


def least_keep(shares: Floats) -> float:
    """Return the least chance to stay that an invariant matrix can have.

    Args:
        shares: Of the categories; those without any take no part.
    """
    used = shares[shares > 0]
    return float(used.min() / used.sum()) if len(used) > 1 else 0.0


def keeping_matrix(shares: Floats, change: Floats) -> Floats:
    """Return a matrix that keeps the shares, whatever part of each category is drawn anew.

    Args:
        shares: Of the categories.
        change: Chance, by category, that a value is drawn anew, its own category among others.
    """
    drawn = shares * change
    if not drawn.any():
        return np.eye(len(shares))
    made: Floats = np.outer(change, drawn / drawn.sum())
    np.fill_diagonal(made, made.diagonal() + (1.0 - change))
    return made


def invariant_matrix(shares: Floats, keep: float) -> Floats:
    """Return the matrix that keeps the shares and lets no value stay with less than a chance.

    Args:
        shares: Of the categories. What no record has is not reached.
        keep: The least chance to stay, at least `least_keep(shares)`.
    """
    used = shares > 0
    if np.count_nonzero(used) < 2:
        return np.eye(len(shares))
    parts = shares[used] / shares[used].sum()
    change = min((1.0 - keep) / (1.0 - float(parts.min())), 1.0)
    small = keeping_matrix(parts, np.full(len(parts), change))
    while small.diagonal().min() < keep:  # by rounding
        change = float(np.nextafter(change, 0.0))
        small = keeping_matrix(parts, np.full(len(parts), change))
    made = np.eye(len(shares))
    made[np.ix_(used, used)] = small
    return made


def banded_matrix(shares: Floats, change: float, band: int) -> Floats:
    """Return the matrix that moves values to near categories only, and keeps the shares.

    Args:
        shares: Of the categories, in order.
        change: Largest chance to change.
        band: How many places a value may move.
    """
    count = len(shares)
    made = np.zeros((count, count))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(shares[:, None] > 0, shares[None, :] / shares[:, None], 0.0)
    distance = np.abs(np.arange(count)[:, None] - np.arange(count)[None, :])
    near = (distance > 0) & (distance <= band)
    made[near] = change / (2 * band) * np.minimum(1.0, ratio[near])
    np.fill_diagonal(made, 1.0 - made.sum(axis=1))
    return made


def grouped_matrix(shares: Floats, keep: float, groups: Iterable[Sequence[int]]) -> Floats:
    """Return an invariant matrix that exchanges categories of the same group only.

    Args:
        shares: Of the categories.
        keep: The least chance to stay.
        groups: Places of the categories of each group; others stay as they are.
    """
    made = np.eye(len(shares))
    for group in groups:
        places = np.asarray(group, np.intp)
        made[np.ix_(places, places)] = invariant_matrix(shares[places], keep)
    return made


def normal_rows(matrix: Floats) -> Floats:
    """Return a given matrix with rows that sum to 1 as far as numbers can.

    Raises:
        ValueError: Some chance is below 0, or a row does not sum to 1 within 1e-9.
    """
    sums = matrix.sum(axis=1)
    if not bool(np.all(np.isfinite(matrix) & (matrix >= 0))):
        raise ValueError("negative")
    if not bool(np.all(np.abs(sums - 1.0) <= _SHARED)):
        raise ValueError("sum")
    made: Floats = matrix / sums[:, None]
    return made


@dataclass(frozen=True, slots=True, eq=False)
class DrawTable:
    """Matrices of chances as whole numbers, ready to be drawn from.

    A value becomes the first category z for which u is below the sum of the chances up to z. As u
    is a multiple of 2^-53, whole numbers decide that exactly.

    Attributes:
        bounds: For each matrix, row and category the sum of chances, times 2^53, rounded up.
    """

    bounds: Words

    @classmethod
    def of(cls, matrices: Floats) -> DrawTable:
        """Make the table of matrices, one for each stratum."""
        sums = np.cumsum(matrices, axis=2)
        bounds = np.ceil(np.minimum(sums, 1.0) * 2.0**_BITS).astype(np.uint64)
        last = matrices.shape[2] - 1 - np.argmax(matrices[:, :, ::-1] > 0, axis=2)
        places = np.arange(matrices.shape[2])
        bounds[places[None, None, :] >= last[:, :, None]] = np.uint64(1 << _BITS)
        return cls(bounds)

    def draw(self, stratum: Places, category: Places, words: Words) -> Places:
        """Return the new category of each record.

        Args:
            stratum: Which matrix holds; not looked at if there is but one.
            category: As it is, from 0.
            words: Random words, one each.
        """
        size = self.bounds.shape[2]
        flat = self.bounds.reshape(-1, size)
        own = np.arange(len(flat)) % size
        upper = flat[np.arange(len(flat)), own]
        before = flat[np.arange(len(flat)), own - 1]
        lower = np.where(own > 0, before, np.uint64(0))
        rows = category if self.bounds.shape[0] == 1 else stratum * size + category
        parts = words >> np.uint64(64 - _BITS)
        # Below the lower bound the difference wraps around and is larger than any width.
        moved = np.flatnonzero(parts - lower[rows] >= (upper - lower)[rows])
        made = category.copy()
        made[moved] = _search(flat, rows[moved], parts[moved])
        return made


def _search(bounds: Words, rows: Places, parts: Words) -> Places:
    """First category whose bound is above a number, in the row of each record."""
    size = bounds.shape[1]
    found = np.empty(len(rows), np.intp)
    step = _ROWS_AT_ONCE
    for start in range(0, len(bounds), step):
        some = bounds[start : start + step]
        here = slice(None) if step >= len(bounds) else (rows >= start) & (rows < start + step)
        offsets = np.arange(len(some), dtype=np.uint64) << np.uint64(_BITS)
        table = (some + offsets[:, None]).ravel()
        row = rows[here] - start
        words = (row.astype(np.uint64) << np.uint64(_BITS)) + parts[here]
        found[here] = np.searchsorted(table, words, side="right") - row * size
    return found
