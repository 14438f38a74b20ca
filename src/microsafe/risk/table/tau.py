"""How many sample uniques are unique in the population, and how well the model fits.

With λ the people that a model expects in a cell, pi the sampling fraction, μ = pi λ and
x = (1 - pi) λ, the people of the cell outside the sample are Poisson(x).

References:
    Skinner and Shlomo (2008), Assessing identification risk in survey microdata using
    log-linear models, Journal of the American Statistical Association 103, 989-1001.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial, sqrt

import numpy as np

from microsafe.risk.table.crosstable import CrossTable
from microsafe.risk.table.poisson import match_chance, unique_chance
from microsafe.sums import Floats

_SMALL = 0.25  # below this x, differences of exponentials are summed as series
_TERMS = range(1, 13)
_BLOCK = 1 << 13  # cells worked on at once: they stay near the processor


@dataclass(frozen=True, slots=True, kw_only=True)
class Bias:
    """A criterion of fit: positive says that risk is overestimated, negative the contrary.

    Attributes:
        value: The estimated bias.
        variance: Its variance if the model holds.
        scatter: Its variance as the cells show it.
    """

    value: float
    variance: float
    scatter: float

    @property
    def standardised(self) -> float | None:
        """In standard errors; None if it cannot vary (the whole population is in the file)."""
        return self.value / sqrt(self.variance) if self.variance > 0 else None

    @property
    def by_scatter(self) -> float | None:
        """In standard errors as the cells show them, "type 1" of SDCNway."""
        return self.value / sqrt(self.scatter) if self.scatter > 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tau:
    """The risk of the file under one model and one rule for the sampling fraction.

    Attributes:
        tau1: Expected number of sample uniques that are unique in the population.
        tau2: Expected number of sample uniques that a match would re-identify.
        B1: Bias of tau1.
        B2: Bias of tau2.
    """

    tau1: float
    tau2: float
    B1: Bias
    B2: Bias


def empty(fraction: float) -> Callable[[Floats], Floats]:
    """Return the function that says what empty cells add to the criteria, a row for each."""

    def parts(fitted: Floats) -> Floats:
        return criteria(np.zeros_like(fitted), fitted, fraction)

    return parts


def tau(
    table: CrossTable,
    fitted: Floats,
    fractions: Floats | float,
    over_all: Floats,
    *,
    shares: Floats | None = None,
    seen: Floats | None = None,
) -> Tau:
    """Compute the risk of the file from fitted cells.

    Args:
        table: The sample.
        fitted: People that the model expects in each occupied cell.
        fractions: Sampling fraction of the file, or of each occupied cell.
        over_all: Sums over all cells of the table of what empty ones add, as `empty` says it.
        shares: Sampling fraction of each occupied cell that `over_all` rests on, where that is
            not one for all; the criteria then rest on it too.
        seen: Independent draws in each occupied cell, where those are not the records.
    """
    uniques = table.uniques
    rest = ((1.0 - fractions) * fitted)[uniques]
    drawn = table.f if seen is None else seen
    occupied = criteria(drawn, fitted, fractions if shares is None else shares)
    as_empty = criteria(np.zeros_like(fitted), fitted, table.fraction if shares is None else shares)
    sums = [
        float(whole) + float((here - there).sum())
        for whole, here, there in zip(over_all, occupied, as_empty, strict=True)
    ]
    return Tau(
        tau1=float(unique_chance(rest).sum()),
        tau2=float(match_chance(np.ones_like(rest), rest).sum()),
        B1=_bias(*sums[:3], cells=table.cells),
        B2=_bias(*sums[3:6], cells=table.cells),
    )


def dispersion(table: CrossTable, fitted: Floats, over_all: Floats) -> float:
    """How much more the counts vary than Poisson counts with these means: 1/shape of a gamma.

    Cells weigh as they do in B2, so those count most whose uniqueness is in question.
    """
    occupied = criteria(table.f, fitted, table.fraction)
    as_empty = criteria(np.zeros_like(fitted), fitted, table.fraction)
    excess = float(over_all[6]) + float((occupied[6] - as_empty[6]).sum())
    return max(0.0, excess / float(over_all[7])) if over_all[7] > 0 else 0.0


def curvature(fitted: Floats, fraction: float) -> Floats:
    """Weight of cells in B2: how much their scatter bears on tau2, per squared count."""
    mean, rest = fraction * fitted, (1.0 - fraction) * fitted
    weight = np.exp(-mean) * _curve(rest, np.exp(-rest))
    return np.divide(weight, mean, out=np.zeros_like(fitted), where=mean > 0)


def _bias(value: float, variance: float, squares: float, *, cells: int) -> Bias:
    scatter = (squares - value * value / cells) * cells / (cells - 1) if cells > 1 else 0.0
    return Bias(value=value, variance=max(variance, 0.0), scatter=max(scatter, 0.0))


def criteria(f: Floats, fitted: Floats, fraction: Floats | float) -> Floats:
    """Return what cells add to B1, its variance and the sum of its squares; B2 likewise.

    The last two rows are the excess of variance and what it is measured in (`dispersion`).
    """
    rows = np.empty((8, len(fitted)))
    for start in range(0, len(fitted), _BLOCK):
        part = slice(start, start + _BLOCK)
        share = fraction if isinstance(fraction, float) else fraction[part]
        rows[:, part] = _criteria(f[part], fitted[part], share)
    return rows


def _criteria(f: Floats, fitted: Floats, fraction: Floats | float) -> tuple[Floats, ...]:
    mean = fraction * fitted
    rest = (1.0 - fraction) * fitted
    u = f - mean
    v = u * u - f
    in_sample, outside = np.exp(-mean), np.exp(-rest)
    a1 = rest * in_sample * outside
    b1 = a1 * (1.0 - fraction) / (2.0 * fraction)
    a2, b2_mean = in_sample * _gap(rest, outside), in_sample * _curve(rest, outside)
    b2 = np.divide(b2_mean, mean, out=np.zeros_like(fitted), where=mean > 0)
    B1, B2 = a1 * u + b1 * v, a2 * u + b2 * v
    V1 = a1 * a1 * mean + 2.0 * (b1 * mean) ** 2
    V2 = a2 * a2 * mean + 2.0 * b2_mean * b2_mean
    return B1, V1, B1 * B1, B2, V2, B2 * B2, b2 * v, b2_mean * mean


def _gap(x: Floats, outside: Floats) -> Floats:
    """(1 - e^-x) / x - e^-x."""
    small = x < _SMALL
    value = np.divide(1.0 - outside, x, out=np.zeros_like(x), where=~small) - outside
    value[small] = _series(x[small], [-m / factorial(m + 1) for m in _TERMS])
    return value


def _curve(x: Floats, outside: Floats) -> Floats:
    """(1 - e^-x) / x - e^-x (1 + x / 2)."""
    small = x < _SMALL
    value = np.divide(1.0 - outside, x, out=np.zeros_like(x), where=~small)
    value -= outside * (1.0 + x / 2.0)
    value[small] = _series(x[small], [m * (m - 1) / (2 * factorial(m + 1)) for m in _TERMS])
    return value


def _series(x: Floats, coefficients: list[float]) -> Floats:
    """Sum coefficients times powers of -x, from the first power on."""
    value = np.zeros_like(x)
    for coefficient in reversed(coefficients):
        value = (value + coefficient) * -x
    return value
