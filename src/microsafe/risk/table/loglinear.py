"""Poisson log-linear models of the cross table of the keys, fitted to its weighted margins."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

import numpy as np

from microsafe.errors import UsageError
from microsafe.progress import Progress, silent
from microsafe.risk.table.anderson import Anderson
from microsafe.risk.table.blocks import Blocks, groups_of
from microsafe.risk.table.cliques import CliqueTree, cliques_of, tree_size
from microsafe.risk.table.crosstable import CrossTable, ImpossibleCells, Term
from microsafe.risk.table.poisson import match_chance
from microsafe.risk.table.tablesums import Function
from microsafe.risk.table.tau import Tau, dispersion, empty, tau
from microsafe.sums import Floats

TOLERANCE = 1e-8  # relative, of every margin; of tau between iterations likewise
_ITERATIONS = 2000
_LONGER = 25  # iterations in which tau of a fit that did not converge must stay
_REST = 1e-5  # of tau: it does not move
_PLAIN = 3  # iterations before the acceleration has something to learn from
_MEMORY = 24
_LEAP = 8.0  # furthest that one extrapolation may move a parameter
_ASTRAY = 100.0  # times the best distance so far: the acceleration has lost its way
_TREE_CELLS = 20_000  # cells of small tables up to which the tree of cliques is quicker anyhow
_TREE_COST = 12  # of one of its cells and terms, in cells of a matrix product
_DENSE_CELLS = 20_000_000
_BLOCK_CELLS = 14_000_000  # of the three matrices together: a third of a gigabyte

Parameters = Mapping[Term, Floats]


class LoglinearModel(Protocol):
    """A model that can be fitted round by round."""

    terms: Sequence[Term]
    targets: Sequence[Floats]
    parameters: list[Floats]

    def restart(self, parameters: Sequence[Floats]) -> None:
        """Take over parameters of the terms."""

    def round(self) -> float:
        """Fit every term once; return the largest relative distance from a margin met."""

    def fitted_values(self) -> Floats:
        """Return the fitted value of every occupied cell."""

    def likelihood(self) -> float:
        """Return the sum over the sample of weight times log of the fitted value."""

    def sums(self, function: Function) -> Floats:
        """Return the sums of a function of the fitted value over all cells."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoglinearFit:
    """A fitted model.

    Attributes:
        terms: Its interactions, as numbers of keys.
        fitted: People that it expects in each occupied cell.
        file: Risk of the file with one sampling fraction for all.
        cell: Risk of the file with the sampling fraction of each cell.
        dispersion: How much more the counts vary than the model says, 0 if not at all.
        likelihood: Logarithm of the likelihood, up to a constant.
        freedom: Number of parameters that the sample can tell.
        converged: Whether margins and tau converged.
        at_rest: Whether tau no longer moves, though a margin may still be off.
        distances: Largest relative distance from a margin, round by round.
    """

    terms: tuple[Term, ...]
    fitted: Floats
    file: Tau
    cell: Tau
    dispersion: float
    likelihood: float
    freedom: int
    converged: bool
    at_rest: bool
    distances: tuple[float, ...]

    @property
    def aic(self) -> float:
        """Akaike's criterion: the lower, the better the cells are predicted."""
        return 2.0 * (self.freedom - self.likelihood)


def terms_of(keys: int, terms: Iterable[Term]) -> list[Term]:
    """Return the largest terms, with the main effect of every key that none of them holds."""
    given = {tuple(sorted(set(term))) for term in terms}
    kept = [one for one in given if not any(set(one) < set(other) for other in given)]
    alone = [(key,) for key in range(keys) if not any(key in term for term in kept)]
    return sorted([*kept, *alone], key=lambda term: (len(term), term))


def all_terms(keys: int, order: int) -> list[Term]:
    """Return all interactions of so many keys."""
    return list(combinations(range(keys), min(order, keys)))


def model_of(
    table: CrossTable, terms: Sequence[Term], impossible: Sequence[ImpossibleCells] = ()
) -> LoglinearModel:
    """Choose the form in which a model is fitted fastest."""
    forbidden = [each.keys for each in impossible]
    size = tree_size(table.sizes, cliques_of(table.sizes, [*terms, *forbidden]))
    if all(len(term) <= 2 for term in (*terms, *forbidden)):
        o, a, b = (math.prod(table.sizes[key] for key in group) for group in groups_of(table.sizes))
        quicker = size > _TREE_CELLS and table.cells < _TREE_COST * len(terms) * size
        if o * a + o * b + a * b <= _BLOCK_CELLS and quicker:
            return Blocks(table, terms, impossible)
    if size <= _DENSE_CELLS:
        return CliqueTree(table, terms, impossible)
    raise UsageError(
        f"The cross table has {table.cells:.2g} cells, too many for these interactions. "
        "Let the search choose them (interactions='auto'), use model='latent', "
        "or recode the keys to fewer categories."
    )


def fit(
    table: CrossTable,
    terms: Iterable[Term],
    *,
    impossible: Sequence[ImpossibleCells] = (),
    iterations: int = _ITERATIONS,
    progress: Progress = silent,
) -> LoglinearFit:
    """Fit a model to the weighted margins of its terms.

    Args:
        table: The sample.
        terms: Interactions as numbers of keys; main effects are always in.
        impossible: Cells that nobody can be in.
        iterations: When to give up.
        progress: Progress callback.

    Assumes:
        Counts of the population are Poisson with log-linear means; weights are right.

    References:
        Skinner and Shlomo (2008), JASA 103, 989-1001.
    """
    model = model_of(table, terms_of(len(table.keys), terms), impossible)
    distances = iterate(model, table, iterations=iterations, progress=progress)
    at_rest = distances[-1] <= TOLERANCE or _stays(model, table)
    return judge_fit(model, table, distances, at_rest=at_rest)


def _stays(model: LoglinearModel, table: CrossTable) -> bool:
    """Tell whether tau moves in some more iterations: margins of a few may take for ever."""
    before = _tau2(model, table)
    iterate(model, table, iterations=_LONGER)
    return abs(_tau2(model, table) - before) <= _REST * before


def judge_fit(
    model: LoglinearModel, table: CrossTable, distances: Sequence[float], *, at_rest: bool = True
) -> LoglinearFit:
    """Return a fitted model with its risk and its criteria."""
    fitted = model.fitted_values()
    over_all = model.sums(empty(table.fraction))
    return LoglinearFit(
        terms=tuple(term for term in model.terms if len(term) > 1),
        fitted=fitted,
        file=tau(table, fitted, table.fraction, over_all),
        cell=tau(table, fitted, table.fractions, over_all),
        dispersion=dispersion(table, fitted, over_all),
        likelihood=likelihood(table, model),
        freedom=freedom(table, model.terms),
        converged=distances[-1] <= TOLERANCE,
        at_rest=at_rest,
        distances=tuple(distances),
    )


def likelihood(table: CrossTable, model: LoglinearModel) -> float:
    """Logarithm of the likelihood, up to a constant; weights are scaled to the sample size."""
    return table.fraction * (model.likelihood() + table.population * math.log(table.fraction))


def freedom(table: CrossTable, terms: Iterable[Term]) -> int:
    """Number of parameters, those that empty margins leave undetermined not counted."""
    faces = {
        face for term in terms for size in range(len(term) + 1) for face in combinations(term, size)
    }
    occupied = {face: np.count_nonzero(table.margin(face)) if face else 1 for face in faces}
    return sum(
        (-1) ** (len(face) - size) * occupied[part]
        for face in faces
        for size in range(len(face) + 1)
        for part in combinations(face, size)
    )


def iterate(
    model: LoglinearModel,
    table: CrossTable,
    *,
    tolerance: float = TOLERANCE,
    iterations: int = _ITERATIONS,
    plain: bool = False,
    progress: Progress = silent,
) -> list[float]:
    """Iterate until margins converge and, if that is tight, tau does; return distances.

    Args:
        model: What is fitted.
        table: The sample.
        tolerance: Relative, of every margin.
        iterations: When to give up.
        plain: Whether to do without acceleration, which never leads away from the margins.
        progress: Progress callback.
    """
    weight = np.sqrt(_join_arrays(model.targets))
    acceleration = Anderson(_MEMORY)
    distances: list[float] = []
    best, safe = np.inf, _join_arrays(model.parameters)
    last = np.inf
    for number in range(iterations):
        progress("fitting the model", number / iterations)
        start = _join_arrays(model.parameters)
        distance = model.round()
        distances.append(distance)
        if distance <= tolerance:
            if tolerance > TOLERANCE:
                break
            now = _tau2(model, table)
            if abs(now - last) <= tolerance * now:
                break
            last = now
        elif number >= _PLAIN and not plain:
            end = _join_arrays(model.parameters)
            if distance < best:
                best, safe = distance, end
            if distance < _ASTRAY * best:
                mixed = acceleration.next(start, end, weight)
                model.restart(_split_array(np.clip(mixed, end - _LEAP, end + _LEAP), model.targets))
            else:
                acceleration = Anderson(_MEMORY)
                model.restart(_split_array(safe, model.targets))
    if not np.isfinite(_join_arrays(model.parameters)).all():
        model.restart(_split_array(safe, model.targets))
    progress("fitting the model", 1.0)
    return distances


def carry(model: LoglinearModel, parameters: Parameters) -> None:
    """Start a model from the parameters of a smaller one."""
    start = {term: np.zeros_like(at) for term, at in zip(model.terms, model.targets, strict=True)}
    for term, values in parameters.items():
        home = next(each for each in model.terms if set(term) <= set(each))
        sizes = zip(home, start[home].shape, strict=True)
        start[home] += values.reshape([size if key in term else 1 for key, size in sizes])
    model.restart([start[term] for term in model.terms])


def _tau2(model: LoglinearModel, table: CrossTable) -> float:
    rest = (1.0 - table.fraction) * model.fitted_values()[table.uniques]
    return float(match_chance(np.ones_like(rest), rest).sum())


def _join_arrays(arrays: Sequence[Floats]) -> Floats:
    return np.concatenate([array.ravel() for array in arrays])


def _split_array(joined: Floats, like: Sequence[Floats]) -> list[Floats]:
    ends = np.cumsum([each.size for each in like])[:-1]
    parts = np.split(joined, ends)
    return [part.reshape(each.shape) for part, each in zip(parts, like, strict=True)]
