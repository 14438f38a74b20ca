"""Utility of numeric variables: what an analyst finds in the released file against the original.

Pure functions over columns of numbers, before and after, record by record; NaN is missing.

References:
    Woo, Reiter, Oganian and Karr (2009), Global measures of data utility for microdata masked for
    disclosure limitation. Snoke, Raab, Nowok, Dibben and Slavkovic (2018), General and specific
    utility measures for synthetic data. Karr, Kohnen, Oganian, Reiter and Sanil (2006), A framework
    for evaluating the utility of data altered to protect confidentiality.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from microsafe.arrays import correlate, middle_ranks
from microsafe.sums import Floats

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_NO_SPREAD = 1e-9  # an eigenvalue below it is 0
_MOST_IN_MATRIX = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """A numeric variable in one state.

    Attributes:
        mean: Of the values that are known.
        deviation: Standard deviation.
        quantiles: At 1, 5, 25, 50, 75, 95 and 99 %: the lowest value at which so much is reached.
    """

    mean: float
    deviation: float
    quantiles: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberChange:
    """How one numeric variable changed.

    Attributes:
        name: Of the variable.
        records: In which it is known before and after.
        plain: Its distribution before and after, each record counted once.
        weighted: The same by weight; None if there is no weight.
        sse: Σ (x - z)² over Σ (x - mean)².
        il1s: Mean of |x - z| over sqrt(2) standard deviations of the original.
        moved: Mean of |x - z| over one of them.
        unexplained: 1 - r², r being the correlation of the variable before and after.
        rank_correlation: Of the variable before and after; 0 if one of them does not vary.
    """

    name: str
    records: int
    plain: tuple[Distribution, Distribution]
    weighted: tuple[Distribution, Distribution] | None
    sse: float
    il1s: float
    moved: float
    unexplained: float
    rank_correlation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationChange:
    """How correlations between numeric variables changed.

    Attributes:
        weighted: Whether they are weighted.
        pairs: How many there are.
        largest: Largest absolute difference.
        where: The two variables.
        mean: Mean absolute difference.
        eigenvalues: Σ |λ - λ'| / λ over eigenvalues of the two matrices.
        names: Variables of the two matrices below: those that changed most, 16 at most.
        before: Their correlations before, a row for each of them.
        after: The same after.
    """

    weighted: bool
    pairs: int
    largest: float
    where: tuple[str, str]
    mean: float
    eigenvalues: float
    names: tuple[str, ...]
    before: tuple[tuple[float, ...], ...]
    after: tuple[tuple[float, ...], ...]


def describe_change(
    name: str, before: Floats, after: Floats, weight: Floats | None
) -> NumberChange | None:
    """Compare a variable before and after; None if nothing can be compared."""
    known = ~np.isnan(before) & ~np.isnan(after)
    x, z = before[known], after[known]
    if not len(x):
        return None
    gap, centred = x - z, x - x.mean()
    spread = float((centred**2).sum())
    deviation = float(np.sqrt(spread / (len(x) - 1))) if len(x) > 1 else 0.0
    moved = float(np.abs(gap).mean()) / deviation if deviation else np.nan
    other = z - z.mean()
    both = float((other**2).sum()) * spread
    return NumberChange(
        name=name,
        records=len(x),
        plain=(_describe(before, None), _describe(after, None)),
        weighted=None if weight is None else (_describe(before, weight), _describe(after, weight)),
        sse=float((gap**2).sum()) / spread if spread else np.nan,
        il1s=moved / float(np.sqrt(2.0)),
        moved=moved,
        unexplained=max(0.0, 1.0 - float((centred * other).sum()) ** 2 / both) if both else np.nan,
        rank_correlation=correlate(middle_ranks(x), middle_ranks(z)),
    )


def _describe(values: Floats, weight: Floats | None) -> Distribution:
    known = ~np.isnan(values)
    x = np.sort(values[known]) if weight is None else values[known]
    w = np.ones(len(x)) if weight is None else weight[known]
    if weight is not None:
        order = np.argsort(x, kind="stable")
        x, w = x[order], w[order]
    whole = float(w.sum())
    mean = float((w * x).sum()) / whole
    count = len(x)
    variance = float((w * (x - mean) ** 2).sum()) / whole
    variance *= count / (count - 1) if count > 1 else 0.0
    reached = np.cumsum(w)
    at = np.searchsorted(reached, np.array(QUANTILES) * whole * (1 - 1e-12))
    return Distribution(
        mean=mean,
        deviation=float(np.sqrt(variance)),
        quantiles=tuple(x[np.minimum(at, count - 1)].tolist()),
    )


def compare_correlations(
    names: Sequence[str], before: Sequence[Floats], after: Sequence[Floats], weight: Floats | None
) -> CorrelationChange | None:
    """Compare all correlations of some variables; None if there are no two that vary."""
    matrices = [_correlate(side, weight) for side in (before, after)]
    varying = [
        at for at in range(len(names)) if all(not np.isnan(matrix[at, at]) for matrix in matrices)
    ]
    if len(varying) < 2:
        return None
    old, new = (np.nan_to_num(matrix[np.ix_(varying, varying)]) for matrix in matrices)
    row, column = np.triu_indices(len(varying), 1)
    gaps = np.abs(old - new)[row, column]
    worst = int(np.argmax(np.round(gaps, 12)))  # the first of several, whatever the last digits
    values, others = (np.linalg.eigvalsh(each)[::-1] for each in (old, new))
    used = values > _NO_SPREAD
    most = np.argsort(-np.round(np.abs(old - new).max(axis=0), 12), kind="stable")
    shown = np.sort(most[:_MOST_IN_MATRIX])
    return CorrelationChange(
        weighted=weight is not None,
        pairs=len(gaps),
        largest=float(gaps[worst]),
        where=(names[varying[row[worst]]], names[varying[column[worst]]]),
        mean=float(gaps.mean()),
        eigenvalues=float((np.abs(values - others)[used] / values[used]).sum()),
        names=tuple(names[varying[at]] for at in shown.tolist()),
        before=tuple(map(tuple, old[np.ix_(shown, shown)].tolist())),
        after=tuple(map(tuple, new[np.ix_(shown, shown)].tolist())),
    )


def _correlate(columns: Sequence[Floats], weight: Floats | None) -> Floats:
    """Correlations of the records that have both variables; NaN where one does not vary."""
    size = len(columns)
    found = np.full((size, size), np.nan)
    for j in range(size):
        for k in range(j + 1):
            both = ~np.isnan(columns[j]) & ~np.isnan(columns[k])
            w = np.ones(int(both.sum())) if weight is None else weight[both]
            if not len(w):
                continue
            x, y = (
                each - (w * each).sum() / w.sum() for each in (columns[j][both], columns[k][both])
            )
            spread = float((w * x * x).sum() * (w * y * y).sum())
            if spread > 0:
                value = float((w * x * y).sum()) / float(np.sqrt(spread))
                found[j, k] = found[k, j] = 1.0 if j == k else value
    return found
