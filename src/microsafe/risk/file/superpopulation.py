"""Population uniques from cell sizes alone: Pitman, Zayatz, SNB and Dankar's rule.

These estimators do not look at the keys. They see how many cells of the sample hold one
record, two, three, ..., and what share of the population was drawn. Where the keys can be
modelled, a log-linear or latent class model knows more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells
from microsafe.errors import UsageError
from microsafe.sums import Floats

Estimator = Literal["pitman", "zayatz", "snb", "dankar"]

_DANKAR_FRACTION = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationUniques:
    """Population uniques by one estimator, or the reason why it has no answer.

    Attributes:
        estimator: Its name.
        method: The estimator that gave the figures; differs from the name for Dankar's rule.
        uniques: Estimated number of people who are alone in their population cell.
        population_share: PopulationUniques as a share of the population.
        sample_share: Share of the sample uniques that are population uniques.
        reason: Why there is no estimate; empty where there is one.
    """

    estimator: Estimator
    method: Estimator
    uniques: float | None
    population_share: float | None
    sample_share: float | None
    reason: str = ""

    @property
    def valid(self) -> bool:
        """Whether there is an estimate."""
        return self.uniques is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellSizes:
    """What the sample shows: how many cells there are of each size.

    Attributes:
        size: Sizes that occur, ascending.
        cells: How many cells have that size.
        population: Number of people in the population, N.
    """

    size: NDArray[np.int64]
    cells: NDArray[np.int64]
    population: float

    @property
    def records(self) -> int:
        """Records in the sample, n."""
        return int((self.size * self.cells).sum())

    @property
    def fraction(self) -> float:
        """Share of the population that is in the sample."""
        return self.records / self.population

    def of(self, size: int) -> int:
        """How many cells hold exactly so many records."""
        return int(self.cells[self.size == size].sum())


def cell_sizes(cells: Cells, *, fraction: float | None = None) -> CellSizes:
    """Count the cells of each size.

    Args:
        cells: Of the sample; a missing key is a category of its own.
        fraction: Share of the population in the sample; by default records / sum of weights.
    """
    if fraction is not None and not 0 < fraction <= 1:
        raise UsageError("The sampling fraction must be above 0 and at most 1.")
    if len(cells) == 0:
        raise UsageError("Population uniques need at least one record.")
    size, count = np.unique(cells.count, return_counts=True)
    records = cells.records
    weight = math.fsum(cells.weight.tolist())
    population = weight if fraction is None else records / fraction
    return CellSizes(size=size, cells=count, population=max(population, float(records)))


def population_uniques(sizes: CellSizes) -> dict[Estimator, PopulationUniques]:
    """Estimate the population uniques by Pitman, Zayatz, SNB, and Dankar's rule among them.

    Assumes:
        The sample was drawn with equal chances; the cells are alike but for their size.

    References:
        Hoshino (2001), JOS 17; Zayatz (1991), Census Bureau CENSUS/SRD/RR-91/08; Chen and
        Keller-McNulty (1998), JOS 14; Dankar, El Emam, Neisa and Roffey (2012), BMC MIDM 12.
    """
    found = {name: _check_estimate(name, sizes, method) for name, method in _METHODS.items()}
    return {**found, "dankar": _dankar(found, sizes.fraction)}


def _dankar(found: dict[Estimator, PopulationUniques], fraction: float) -> PopulationUniques:
    """Choose among the estimates by the rule of Dankar et al.

    Up to a sampling fraction of a tenth Pitman's estimate, above it the smaller of Zayatz's
    and SNB's. An estimator that has no answer leaves the choice to the one that has, as the
    users of ARX expect; `method` says which it was.
    """
    zayatz = found["zayatz"]
    first = found["pitman" if fraction <= _DANKAR_FRACTION else "snb"]
    chosen = first if first.uniques is not None else zayatz
    if fraction > _DANKAR_FRACTION and chosen.uniques is not None and zayatz.uniques is not None:
        chosen = min(zayatz, chosen, key=lambda each: each.uniques or 0.0)
    return PopulationUniques(
        estimator="dankar",
        method=chosen.estimator,
        uniques=chosen.uniques,
        population_share=chosen.population_share,
        sample_share=chosen.sample_share,
        reason=chosen.reason,
    )


def _check_estimate(
    name: Estimator, sizes: CellSizes, method: Callable[[CellSizes], float | str]
) -> PopulationUniques:
    """Answer the plain cases, and let no figure out that cannot be."""
    single = sizes.of(1)
    if single == 0:
        found: float | str = 0.0
    elif sizes.population == sizes.records:
        found = float(single)
    elif single == sizes.records:
        found = "Every record is a sample unique: the sample shows nothing of larger cells."
    else:
        found = method(sizes)
    least, most = 0.0, single / sizes.fraction  # more would need more sample uniques
    if not isinstance(found, str) and not least <= found <= most * (1 + 1e-9):
        found = "The estimate lies outside of what the number of sample uniques allows."
    if isinstance(found, str):
        return PopulationUniques(
            estimator=name,
            method=name,
            uniques=None,
            population_share=None,
            sample_share=None,
            reason=found,
        )
    return PopulationUniques(
        estimator=name,
        method=name,
        uniques=found,
        population_share=found / sizes.population,
        sample_share=found * sizes.fraction / single if single else 0.0,
    )


def _zayatz(sizes: CellSizes) -> float | str:
    """Population uniques by Zayatz: Bayes' rule, with the sample's cell sizes as the prior.

    P(F = 1 | f = 1) = s1 P(f = 1 | F = 1) / Σ s_j P(f = 1 | F = j), f given F hypergeometric.
    """
    n, N = sizes.records, sizes.population
    drawn_once = sizes.size * _miss_chance(n, N, sizes.size - 1)  # over the chance for F = 1
    chance = sizes.of(1) / float((sizes.cells * drawn_once).sum())
    return sizes.of(1) * chance * N / n


def _miss_chance(n: int, N: float, others: NDArray[np.int64]) -> Floats:
    """Chance that none of some other people is among the n - 1 that were drawn besides."""
    longest = int(min(others.max(), 800 * N / n))  # beyond that the chance is below 1e-300
    i = np.arange(longest)
    left = np.maximum(N - n - i, 0.0) / (N - 1 - i)
    chance = np.concatenate([[1.0], np.cumprod(left), [0.0]])
    return chance[np.minimum(others, longest + 1)]


def _snb(sizes: CellSizes) -> float | str:
    """Population uniques by the slide negative binomial: F - 1 negative binomial.

    P(F = 1) = β^α. α and β make the expected numbers of sample cells of one and of two equal
    to those observed; the number of population cells K is Haas and Stokes' estimate.
    """
    single, double = sizes.of(1), sizes.of(2)
    if double == 0:
        return "SNB needs cells of two records, and there is none."
    K = _population_cells(sizes)
    if sizes.population < K:
        return "The estimated number of population cells exceeds the population."

    def excess(logit: float) -> float:
        alpha, beta = _snb_shape(logit, sizes.fraction, double / single)
        return _snb_single(alpha, beta, K, sizes.fraction) - single

    roots = _roots(excess, np.linspace(-30.0, 30.0, 241))
    if len(roots) != 1:
        return "The equations of SNB have " + ("no solution." if not roots else "many solutions.")
    alpha, beta = _snb_shape(roots[0], sizes.fraction, double / single)
    return K * math.exp(alpha * math.log(beta))


def _population_cells(sizes: CellSizes) -> float:
    """Haas and Stokes' modification of Shlosser's estimator of the number of classes."""
    pi, i, cells = sizes.fraction, sizes.size.astype(np.float64), sizes.cells
    missed = (1 - pi) ** i
    first = float((i * pi**2 * (1 - pi**2) ** (i - 1) * cells).sum())
    first /= float((((1 - pi**2) ** i - missed) * cells).sum())
    second = float((missed * cells).sum() / (i * pi * (1 - pi) ** (i - 1) * cells).sum())
    return float(cells.sum()) + sizes.of(1) * first * second**2


def _snb_shape(logit: float, pi: float, ratio: float) -> tuple[float, float]:
    """For β given by its logit, the α at which cells of two to cells of one stand as observed.

    The ratio rises with α, so the quadratic has one positive root.
    """
    beta, rest = 1 / (1 + math.exp(-logit)), 1 / (1 + math.exp(logit))
    d = (1 - pi) * rest
    kept = beta + pi * rest  # 1 - d without cancellation
    a = pi * rest * d / 2
    b = pi * rest * (2 - d) / 2 - ratio * kept * d
    c = ratio * kept * kept
    root = math.sqrt(b * b + 4 * a * c)
    return (2 * c / (b + root) if b > 0 else (root - b) / (2 * a)), beta


def _snb_single(alpha: float, beta: float, K: float, pi: float) -> float:
    """Expected number of sample cells of one."""
    rest = 1 - beta
    kept = beta + pi * rest
    d = (1 - pi) * rest
    return K * pi * math.exp(alpha * math.log(beta / kept)) * (1 + alpha * d / kept)


def _pitman(sizes: CellSizes) -> float | str:
    """Population uniques by Pitman's two parameters θ and α, fitted by maximum likelihood.

    The expectation given the sample: uniques of the sample that nobody joins, and people of
    the rest of the population who found a cell and stay alone in it.
    """
    n, u, m = sizes.records, int(sizes.cells.sum()), sizes.population - sizes.records
    theta, alpha = _pitman_fit(sizes)
    # (θ+n-1+α)_m / (θ+n)_m and m (θ+n+α)_{m-1} / (θ+n)_m, by rising factorials
    stay = _log_ratio(theta + n + m, alpha - 1) - _log_ratio(theta + n, alpha - 1)
    found = _log_ratio(theta + n + m, alpha - 1) - _log_ratio(theta + n, alpha)
    return sizes.of(1) * math.exp(stay) + m * (theta + u * alpha) * math.exp(found)


def _pitman_fit(sizes: CellSizes) -> tuple[float, float]:
    """Maximum likelihood: for each α the best θ, and the α where the likelihood is level."""
    n, u = sizes.records, int(sizes.cells.sum())
    larger = u - np.cumsum(np.bincount(sizes.size, sizes.cells))[1:-1]  # cells above j = 1, 2, ..
    j = np.arange(1.0, len(larger) + 1)
    i = np.arange(1.0, u)

    def theta(alpha: float) -> float:
        def slope(log: float) -> float:
            start = math.exp(log)  # θ + α
            return _harmonic(start, alpha, u - 1) - _harmonic(start + 1 - alpha, 1.0, n - 1)

        return math.exp(_bisect(slope, -35.0, 80.0)) - alpha

    def slope(alpha: float) -> float:
        return float((i / (theta(alpha) + i * alpha)).sum() - (larger / (j - alpha)).sum())

    # Level only at the edge: Ewens' formula, α = 0.
    alpha = 0.0 if slope(0.0) <= 0 else _bisect(slope, 0.0, 1.0 - 1e-12)
    return theta(alpha), alpha


_DIRECT = 1000


def _harmonic(start: float, step: float, terms: int) -> float:
    """Σ 1 / (start + i step) for i = 0 .. terms - 1, by Euler and Maclaurin where it is long."""
    head = float((1.0 / (start + step * np.arange(min(terms, _DIRECT)))).sum())
    if terms <= _DIRECT:
        return head
    first, last = start + step * _DIRECT, start + step * (terms - 1)
    length = terms - 1 - _DIRECT
    gap = step * length / first
    integral = length / first if gap < 1e-12 else length / first * math.log1p(gap) / gap
    ends = 0.5 / first + 0.5 / last + step / 12 * (1 / first**2 - 1 / last**2)
    return head + integral + ends


def _log_ratio(y: float, shift: float) -> float:
    """Log of Γ(y + shift) / Γ(y), without the cancellation of two large logarithms."""
    if y < 20:
        return math.lgamma(y + shift) - math.lgamma(y)
    stirling = (y + shift - 0.5) * math.log1p(shift / y) + shift * math.log(y) - shift
    return stirling + _tail(y + shift) - _tail(y)


def _tail(y: float) -> float:
    """What Stirling's formula leaves of log Γ, below 1e-15 off for y >= 19."""
    return 1 / (12 * y) - 1 / (360 * y**3) + 1 / (1260 * y**5) - 1 / (1680 * y**7)


def _bisect(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function that is positive at `low` turns negative."""
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _roots(function: Callable[[float], float], grid: Floats) -> list[float]:
    """Return where a function changes its sign between neighbours of a grid."""
    value = [function(float(point)) for point in grid]
    roots = []
    for k in range(len(grid) - 1):
        if (value[k] > 0) != (value[k + 1] > 0):
            sign = 1.0 if value[k] > 0 else -1.0
            low, high = float(grid[k]), float(grid[k + 1])
            roots.append(_bisect(lambda at, sign=sign: sign * function(at), low, high))  # type: ignore[misc]
    return roots


_METHODS: dict[Estimator, Callable[[CellSizes], float | str]] = {
    "pitman": _pitman,
    "zayatz": _zayatz,
    "snb": _snb,
}
