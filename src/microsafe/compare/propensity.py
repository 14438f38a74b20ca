"""Propensity: can a model tell released records from original ones?

Original and released records are stacked, and a logistic regression on main effects and two-way
terms estimates the chance p of being a released one. pMSE is the mean of (p - c)², c being the
share of released records: 0 if nothing tells them apart. For independent files of one distribution
(m - 1) c (1 - c) / N is expected, with m terms and N records. (Where the originals are held fixed,
and only released records are drawn, it is that times 1 - c.) Released records are paired with
originals, so that the ratio may lie below 1.

References:
    Woo, Reiter, Oganian and Karr (2009). Snoke, Raab, Nowok, Dibben and Slavkovic (2018).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.compare.regression import Column
from microsafe.draws import Draws
from microsafe.sums import Floats

_MOST_RECORDS = 10_000
_AT_ONCE = 1 << 18  # records that are drawn for
_MOST_TERMS = 100
_ROUNDS = 30
_CLOSE = 1e-10


@dataclass(frozen=True, slots=True, kw_only=True)
class Propensity:
    """How well released records can be told from original ones.

    Attributes:
        variables: That the model looks at.
        records: Originals that were looked at.
        terms: Of the model, the constant included.
        two_way: Whether two-way terms are among them; there may be too many.
        pmse: Mean of (p - c)².
        expected: What independent files of one distribution would give.
        ratio: Of the two.
    """

    variables: tuple[str, ...]
    records: int
    terms: int
    two_way: bool
    pmse: float
    expected: float
    ratio: float


def measure_propensity(
    names: Sequence[str],
    before: Sequence[Column],
    after: Sequence[Column],
    count: NDArray[np.int64] | None = None,
) -> Propensity | None:
    """Fit the model; None if there is nothing to look at.

    Args:
        names: Of the variables.
        before: Their values.
        after: And as they are released.
        count: Records that have these values; one each if None.
    """
    if not before:
        return None
    size = len(before[0].data)
    rows = _sample(size if count is None else int(count.sum()))
    if count is not None:
        rows = np.searchsorted(np.cumsum(count), rows, side="right")
    if len(rows) < 2:
        return None
    main = [list(_main_effects(old, new, rows)) for old, new in zip(before, after, strict=True)]
    alone = [column for each in main for column in each]
    products = _products(main)
    two_way = 1 + len(alone) + len(products) <= _MOST_TERMS
    chosen = [alone[j] * alone[k] for j, k in products] if two_way else []
    design = _independent_terms([np.ones(2 * len(rows)), *alone, *chosen])
    c = 0.5
    released = np.repeat([0.0, 1.0], len(rows))
    chances = _fit(design, released)
    terms = design.shape[1]
    pmse = float(((chances - c) ** 2).mean())
    expected = (terms - 1) * (1 - c) * c / len(released)
    return Propensity(
        variables=tuple(names),
        records=len(rows),
        terms=terms,
        two_way=two_way,
        pmse=pmse,
        expected=expected,
        ratio=pmse / expected if expected else float("nan"),
    )


def _sample(count: int) -> np.ndarray:
    if count <= _MOST_RECORDS:
        return np.arange(count)
    draws = Draws(seed=0, step=0, variable="propensity")
    words, chosen = np.empty(0, np.uint64), np.empty(0, np.int64)
    for start in range(0, count, _AT_ONCE):  # the lowest so far, and the next ones
        some = np.arange(start, min(start + _AT_ONCE, count))
        chosen = np.concatenate([chosen, some])
        words = np.concatenate([words, draws.words(some.astype(np.uint64))[:, 0]])
        if len(words) > _MOST_RECORDS:
            highest = np.partition(words, _MOST_RECORDS - 1)[_MOST_RECORDS - 1]
            below = np.flatnonzero(words <= highest)  # and equal ones, of which the first count
            order = below[np.argsort(words[below], kind="stable")][:_MOST_RECORDS]
            words, chosen = words[order], chosen[order]
    return np.sort(chosen)


def _main_effects(old: Column, new: Column, rows: np.ndarray) -> Iterator[Floats]:
    """Columns of both files, one above the other, for one variable."""
    both = np.concatenate([old.data[rows], new.data[rows]])
    if old.categories is not None:
        for code in range(len(old.categories)):  # the last category is what the others are not
            yield (both == code).astype(np.float64)
        return
    missing = np.isnan(both)
    known = old.data[rows][~np.isnan(old.data[rows])]
    middle, spread = (float(known.mean()), float(known.std())) if len(known) else (0.0, 1.0)
    yield np.where(missing, 0.0, (both - middle) / (spread or 1.0))
    if missing.any():
        yield missing.astype(np.float64)


def _products(main: Sequence[Sequence[Floats]]) -> list[tuple[int, int]]:
    """Pairs of columns of different variables, and squares of numbers."""
    owner = [place for place, each in enumerate(main) for _ in each]
    starts = np.cumsum([0, *(len(each) for each in main)]).tolist()
    squares = [(starts[place], starts[place]) for place, each in enumerate(main) if len(each) < 3]
    pairs = [(j, k) for j in range(len(owner)) for k in range(j) if owner[j] != owner[k]]
    return [*pairs, *squares]


def _independent_terms(columns: Sequence[Floats]) -> Floats:
    """The columns that those before them do not determine, scaled to one size."""
    kept: list[Floats] = []
    basis: list[Floats] = []
    for column in columns:
        length = float(np.sqrt((column**2).sum()))
        if not length:
            continue
        rest = column / length
        for _ in range(2):
            for direction in basis:
                rest = rest - (rest * direction).sum() * direction
        size = float(np.sqrt((rest**2).sum()))
        if size > 1e-7:
            basis.append(rest / size)
            kept.append(rest / size * np.sqrt(len(column)))
    return np.stack(kept, axis=1)


def _fit(design: Floats, outcome: Floats) -> Floats:
    """Chances by logistic regression: Newton's method, steps halved where they overshoot."""
    beta = np.zeros(design.shape[1])
    best = _loss(design, outcome, beta)
    for _ in range(_ROUNDS):
        chances = 1.0 / (1.0 + np.exp(-_line(design, beta)))
        slope = np.einsum("ij,i->j", design, outcome - chances)
        spread = np.maximum(chances * (1 - chances), 1e-9)
        scaled = design * np.sqrt(spread)[:, None]
        curve = np.einsum("ij,ik->jk", scaled, scaled) + 1e-9 * np.eye(len(beta))
        step = np.linalg.solve(curve, slope)
        size = 1.0
        while size > 1e-4 and (loss := _loss(design, outcome, beta + size * step)) > best:
            size /= 2
        if size <= 1e-4:
            break
        beta = beta + size * step
        if best - loss < _CLOSE * len(outcome):
            break
        best = loss
    found: Floats = 1.0 / (1.0 + np.exp(-_line(design, beta)))
    return found


def _line(design: Floats, beta: Floats) -> Floats:
    line: Floats = np.clip(np.einsum("ij,j->i", design, beta), -30.0, 30.0)
    return line


def _loss(design: Floats, outcome: Floats, beta: Floats) -> float:
    line = _line(design, beta)
    return float((np.logaddexp(0.0, line) - outcome * line).sum())
