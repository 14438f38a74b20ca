"""Risk of the file by latent classes: a mixture of independent keys, sampled by Gibbs.

Each person belongs to an unseen class; within a class the keys are independent. Enough classes
describe any cross table, and only the cells that occur are ever touched, so 15 keys with 1e14
combinations cost no more than five. Around the mixture the cells clump: their chances follow a
Dirichlet distribution with the mixture as its mean, so that people who come in batches
(families, copies) are not taken for evidence of an even spread.

    theta ~ Dirichlet(c m),  m_k = Σ_h nu_h Π_j psi_hj(k_j),  psi_hj ~ Dirichlet(margin of key j)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.errors import UsageError
from microsafe.progress import Progress, silent
from microsafe.risk.file.chains import effective_draws, split_rhat
from microsafe.risk.table.poisson import match_chance, unique_chance
from microsafe.sums import Floats, sum_by

Inclusion = Literal["file", "cell"]

_BLOCK = 2048  # cells worked on at once: their class probabilities stay in cache
_CLUMPING = np.geomspace(0.05, 1e4, 80)  # c / n: from "nearly all clumps" to "none at all"
_CONCENTRATION = 1.0
_MARGIN_RECORDS = 1.0  # the prior of each class counts as one record spread as the margin
_RAKING = 50  # iterations; far more than the margins of a survey need
_LARGEST_RHAT = 1.1
_LEAST_ESS = 50.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LatentDraws:
    """What every kept sweep of every chain gave: arrays of chains x kept.

    Attributes:
        tau1: Expected number of population uniques among the sample uniques.
        tau2: Expected number of correct matches among the sample uniques.
        predicted1: The same count after drawing a population.
        predicted2: The same sum of 1/F after drawing a population.
        classes: Classes in use.
        clumping: c / n; small where people come in clumps, thousands where they do not.
    """

    tau1: Floats
    tau2: Floats
    predicted1: Floats
    predicted2: Floats
    classes: Floats
    clumping: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LatentClasses:
    """Risk of the file by latent classes.

    Attributes:
        tau1: Estimate of the sample uniques that are population uniques.
        tau2: Estimate of the correct matches among the sample uniques.
        risk: For every cell the estimate of E(1/F | f).
        draws: What the chains went through.
        rhat: Split R-hat of the traces of tau1, tau2 and the number of classes.
        ess: Effective number of draws of the same traces.
    """

    tau1: float
    tau2: float
    risk: Floats
    draws: LatentDraws
    rhat: dict[str, float]
    ess: dict[str, float]

    @property
    def converged(self) -> bool:
        """Whether chains agree on tau1 and tau2, with enough effective draws of both."""
        return all(
            self.rhat[name] <= _LARGEST_RHAT and self.ess[name] >= _LEAST_ESS
            for name in ("tau1", "tau2")
        )

    @property
    def remark(self) -> str:
        """What the chains say of themselves."""
        worst = max(self.rhat["tau1"], self.rhat["tau2"])
        least = min(self.ess["tau1"], self.ess["tau2"])
        chains, kept = self.draws.tau1.shape
        facts = f"chains x draws {chains} x {kept}, R-hat {worst:.2f}, effective draws {least:.0f}"
        if self.converged:
            return f"The chains agree ({facts}); this does not show that they saw everything."
        return f"The chains do not agree yet ({facts}): ask for more sweeps before using this."

    def interval(
        self, measure: Literal["tau1", "tau2"], level: float = 0.95
    ) -> tuple[float, float]:
        """Return the central interval of the predicted values; see the docs for its coverage."""
        drawn = self.draws.predicted1 if measure == "tau1" else self.draws.predicted2
        low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)


def latent_classes(
    cells: Cells,
    *,
    fraction: float | None = None,
    inclusion: Inclusion = "file",
    classes: int = 40,
    chains: int = 4,
    warmup: int = 200,
    kept: int = 500,
    seed: int = 1,
    progress: Progress = silent,
) -> LatentClasses:
    """Estimate tau1, tau2 and the risk of every cell by a mixture of latent classes.

    Args:
        cells: Of the sample; a missing key is a level of its own.
        fraction: Share of the population in the sample; by default records / sum of weights.
        inclusion: Whether people of a cell were drawn with the chance of the file, or of the
            cell, by its raked weight (where stratifiers are among the keys).
        classes: Most classes there may be.
        chains: Independent runs, from random starts.
        warmup: Sweeps of each that are left out.
        kept: Sweeps of each that count.
        seed: Of the random numbers.
        progress: Progress callback; may raise to stop.

    Assumes:
        The mixture describes the sample; what a record stands for is a product of one factor
        for each key, raked to the weights; people outside the sample are drawn independently
        given the cells' chances.

    References:
        Dunson and Xing (2009), JASA 104; Manrique-Vallier and Reiter (2012), J. Privacy and
        Confidentiality 4; Si and Reiter (2013), JEBS 38, for the mixture.
    """
    _check(cells, fraction, classes, chains, warmup, kept)
    sample = _sample(cells)
    outside = _outside(cells, fraction, inclusion)
    single = cells.count == 1
    risk = np.zeros(len(cells))
    traces = np.zeros((6, chains, kept))
    sweeps = chains * (warmup + kept)
    for chain, stream in enumerate(np.random.SeedSequence(seed).spawn(chains)):
        rng = np.random.default_rng(stream)
        states = _gibbs(sample, classes, rng) if outside.any() else _census(sample)
        for sweep, state in zip(range(warmup + kept), states, strict=False):
            progress("sampling latent classes", (chain * (warmup + kept) + sweep) / sweeps)
            if sweep >= warmup:
                x = outside * state.theta
                match = match_chance(cells.count, x)
                risk += match
                others = rng.poisson(x[single])
                traces[:, chain, sweep - warmup] = (
                    unique_chance(x[single]).sum(),
                    match[single].sum(),
                    (others == 0).sum(),
                    (1.0 / (1.0 + others)).sum(),
                    state.classes,
                    state.clumping,
                )
    progress("sampling latent classes", 1.0)
    draws = LatentDraws(**dict(zip(LatentDraws.__slots__, traces, strict=True)))
    watched = {"tau1": draws.tau1, "tau2": draws.tau2, "classes": draws.classes}
    return LatentClasses(
        tau1=float(draws.tau1.mean()),
        tau2=float(draws.tau2.mean()),
        risk=risk / (chains * kept),
        draws=draws,
        rhat={name: split_rhat(trace) for name, trace in watched.items()},
        ess={name: effective_draws(trace) for name, trace in watched.items()},
    )


def _check(
    cells: Cells, fraction: float | None, classes: int, chains: int, warmup: int, kept: int
) -> None:
    if len(cells) == 0 or not cells.keys:
        raise UsageError("Latent classes need at least one record and one key.")
    if fraction is not None and not 0 < fraction <= 1:
        raise UsageError("The sampling fraction must be above 0 and at most 1.")
    if classes < 1 or chains < 1 or warmup < 0 or kept < 4:
        raise UsageError("Latent classes need at least one class, one chain and four sweeps.")


def _outside(cells: Cells, fraction: float | None, inclusion: Inclusion) -> Floats:
    """For each cell: times its chance in the sample, the people expected outside the sample."""
    weight = math.fsum(cells.weight.tolist())
    population = cells.records / fraction if fraction else max(weight, float(cells.records))
    stands_for = _rake_weights(cells) * (population / weight)
    pi = cells.records / population if inclusion == "file" else 1.0 / np.maximum(stands_for, 1.0)
    return (1.0 - pi) * cells.records * stands_for


def _rake_weights(cells: Cells) -> Floats:
    """What a record of each cell stands for: a factor for every level of every key.

    The weight of a single record says little about its cell. The factors are such that the
    weights of every level of every key add up to those of the file.
    """
    weight, count = cells.weight, cells.count.astype(np.float64)
    stands_for = np.full(len(cells), math.fsum(weight.tolist()) / cells.records)
    columns = [code.astype(np.intp) for code in cells.codes]
    for _ in range(_RAKING):
        for column in columns:
            wanted, found = sum_by(column, weight, 0), sum_by(column, count * stands_for, 0)
            stands_for = stands_for * (wanted[column] / found[column])
    return stands_for


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sample:
    """The cells, ready for the sampler.

    Attributes:
        columns: For each key the level of every cell, without gaps.
        margins: For each key the shares of its levels.
        products: How to multiply the keys' probabilities.
        count: Records of each cell.
        cell: Of each record.
        place: Of each record in its cell, from 0.
    """

    columns: tuple[Index, ...]
    margins: tuple[Floats, ...]
    products: _Products
    count: NDArray[np.int64]
    cell: Index
    place: Index


def _sample(cells: Cells) -> _Sample:
    pairs = [np.unique(code, return_inverse=True) for code in cells.codes]
    columns = tuple(level.astype(np.intp) for _, level in pairs)
    count = cells.count.astype(np.float64)
    margins = tuple(sum_by(column, count, 0) / cells.records for column in columns)
    cell = np.repeat(np.arange(len(cells)), cells.count)
    start = np.cumsum(cells.count) - cells.count
    return _Sample(
        columns=columns,
        margins=margins,
        products=_Products.of(columns, [len(level) for level, _ in pairs]),
        count=cells.count,
        cell=cell,
        place=np.arange(len(cell)) - start[cell],
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Products:
    """Products over keys for every cell, with parts that many cells share computed once.

    Attributes:
        merges: Pairs of tables to multiply, and which rows of each make the rows of the new one.
        roots: Tables left at the end, and the row of each cell in them.
    """

    merges: tuple[tuple[int, int, Index, Index], ...]
    roots: tuple[tuple[int, Index], ...]

    @classmethod
    def of(cls, columns: tuple[Index, ...], levels: list[int]) -> _Products:
        rows = len(columns[0])
        tables = [(levels[key], key, column) for key, column in enumerate(columns)]
        merges: list[tuple[int, int, Index, Index]] = []
        while len(tables) > 1:
            tables.sort(key=lambda table: table[:2])
            (size_a, a, in_a), (size_b, b, in_b), *rest = tables
            both, first = number([in_a, in_b], [size_a, size_b], rows=rows)
            if len(first) > max(rows // 4, 64):
                break
            tables = [*rest, (len(first), len(columns) + len(merges), both)]
            merges.append((a, b, in_a[first], in_b[first]))
        return cls(merges=tuple(merges), roots=tuple((key, row) for _, key, row in tables))

    def tables(self, psi: list[Floats], nu: Floats) -> list[Floats]:
        """Multiply what is shared; nu goes into the first table that is left."""
        tables = list(psi)
        for a, b, in_a, in_b in self.merges:
            tables.append(tables[a][in_a] * tables[b][in_b])
        left = [tables[key] for key, _ in self.roots]
        return [left[0] * nu, *left[1:]]

    def rows(self, tables: list[Floats], cells: slice) -> Floats:
        """Return the products of some cells: cells x classes."""
        product = tables[0][self.roots[0][1][cells]]
        for table, (_, row) in zip(tables[1:], self.roots[1:], strict=True):
            product *= table[row[cells]]
        return product


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _State:
    """What a sweep drew: the chance of every cell, the classes in use, and c / n."""

    theta: Floats
    classes: int
    clumping: float


def _census(sample: _Sample) -> Iterator[_State]:
    """Nobody is outside the sample, so there is nothing to draw."""
    while True:
        yield _State(theta=np.zeros(len(sample.count)), classes=0, clumping=float(_CLUMPING[-1]))


def _gibbs(sample: _Sample, classes: int, rng: np.random.Generator) -> Iterator[_State]:
    """Draw from the posterior, sweep after sweep."""
    n = len(sample.cell)
    evidence = np.array([math.lgamma(each * n) - math.lgamma(each * n + n) for each in _CLUMPING])
    # Without clumps at first, or they would explain what classes have not had time to.
    clumping = float(_CLUMPING[-1])
    # Every record starts as a clump of its own in a random class: classes merge more readily
    # than they split.
    cell, member = sample.cell, rng.integers(classes, size=n)
    times = np.ones(n)
    while True:
        nu = _sticks(sum_by(member, times, classes), rng)
        psi = [
            _levels(column[cell], margin, member, times, classes, rng, len(sample.columns))
            for column, margin in zip(sample.columns, sample.margins, strict=True)
        ]
        mean, clumps, (cell, member, times) = _assign_clumps(sample, psi, nu, clumping * n, rng)
        log = clumps * np.log(_CLUMPING) + evidence
        chance = np.cumsum(np.exp(log - log.max()))
        clumping = float(_CLUMPING[np.searchsorted(chance, rng.random() * chance[-1])])
        theta = rng.standard_gamma(clumping * n * mean + sample.count) / (clumping * n + n)
        yield _State(theta=theta, classes=len(np.unique(member)), clumping=clumping)


def _sticks(size: Floats, rng: np.random.Generator) -> Floats:
    """Draw the shares of the classes: a stick broken once for each, the last takes the rest."""
    later = np.cumsum(size[::-1])[::-1][1:]
    broken = rng.beta(1.0 + size[:-1], _CONCENTRATION + later)
    left = np.concatenate([[1.0], np.cumprod(1.0 - broken)])
    share: Floats = np.maximum(left * np.concatenate([broken, [1.0]]), 1e-30)
    return share


def _levels(
    level: Index,
    margin: Floats,
    member: Index,
    times: Floats,
    classes: int,
    rng: np.random.Generator,
    keys: int,
) -> Floats:
    """Draw the probabilities of a key's levels in every class: levels x classes."""
    size = len(margin)
    count = sum_by(level * classes + member, times, size * classes).reshape(size, classes)
    drawn = rng.standard_gamma(count + _MARGIN_RECORDS * margin[:, None])
    drawn /= np.maximum(drawn.sum(axis=0), 1e-300)
    # A floor that no product over the keys can take to zero, far below what matters.
    floored: Floats = np.maximum(drawn, 10.0 ** (-250.0 / (keys + 1)))
    return floored


def _assign_clumps(
    sample: _Sample, psi: list[Floats], nu: Floats, c: float, rng: np.random.Generator
) -> tuple[Floats, int, tuple[Index, Index, Floats]]:
    """Draw which records start a clump, and the class of each clump.

    Record i of its cell (from 0) starts a clump with chance c m / (c m + i); only clumps are
    evidence of the mixture.

    Returns:
        The mixture's probability of each cell; how many clumps there are; and for each, or for
        several alike in a large cell, its cell, its class and how many.
    """
    tables = sample.products.tables(psi, nu)
    classes = len(nu)
    mean = np.empty(len(sample.count))
    clumps = 0
    parts: list[tuple[Index, Index, Floats]] = []
    for start in range(0, len(mean), _BLOCK):
        rows = slice(start, start + _BLOCK)
        product = sample.products.rows(tables, rows)
        cumulated = np.cumsum(product, axis=1)
        mean[rows] = cumulated[:, -1]
        records = slice(*np.searchsorted(sample.cell, [start, start + _BLOCK]))
        cell = sample.cell[records]
        pull = c * mean[cell]
        cell = cell[rng.random(len(cell)) * (pull + sample.place[records]) < pull]
        clumps += len(cell)
        large = sample.count[cell] > classes
        few = cell[~large]
        point = rng.random(len(few)) * mean[few]
        member = (cumulated[few - start] < point[:, None]).sum(axis=1)
        parts.append((few, np.minimum(member, classes - 1), np.ones(len(few))))
        if large.any():
            many, total = np.unique(cell[large], return_counts=True)
            split = rng.multinomial(total, product[many - start] / mean[many, None])
            row, member = np.nonzero(split)
            parts.append((many[row], member, split[row, member].astype(np.float64)))
    cells, members, times = (np.concatenate(each) for each in zip(*parts, strict=True))
    return mean, clumps, (cells, members, times)
