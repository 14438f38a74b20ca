"""Linear and logistic regression with weights and robust standard errors.

Records go through in blocks, so that a design of many columns is never laid out as a whole. Numbers
are centred and scaled before any product is formed. Products are summed in the order of the records
and on one thread, so that the same records give the same digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from microsafe.engine.state_pairs import Flags, Places
from microsafe.sentences import Sentence
from microsafe.sums import Floats

_BLOCK = 1 << 14  # records
_HELD = 1 << 25  # figures of a design that are held; others are made again for each use
_DEPENDENT = 1e-9  # share of a column's squares that others leave, below which they determine it
_ROUNDS = 40
_HALVINGS = 30
_CLOSE = 1e-9  # change of any record's log odds at which a fit has converged
_AT_REST = 1e-5  # and at which it has if the likelihood no longer grows
_FAR = 0.1  # change of a record's log odds that no step makes near the best fit
_FLAT = 1e11  # condition number of second derivatives from which on a fit leads nowhere
_EXACT = 1e-11  # of the largest outcome; a standard error below it is 0
_ASIDE = 1e-4  # of the largest change of log odds; less is none


class FitError(Exception):
    """A regression cannot be fitted.

    Args:
        why: As the end of a sentence; None if some columns tell the outcome without error.
        columns: These columns, the constant being 0.
    """

    def __init__(self, why: Sentence | None, columns: Sequence[int] = ()) -> None:
        super().__init__(why)
        self.why = why
        self.columns = tuple(columns)

    def tell(self, variables: Sequence[str]) -> Sentence:
        """Say why, given the variable of each column."""
        if self.why is not None:
            return self.why
        names = dict.fromkeys(repr(variables[column]) for column in self.columns)
        return Sentence("fit-separated", terms=reduce(_join, names))


def _join(one: str, other: str) -> str:
    return Sentence("and", first=one, second=other)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Regressor:
    """A variable of a model in some records, none missing.

    Attributes:
        values: Numbers, or codes of categories.
        levels: Codes that have a column each, in this order; None if they are numbers.
    """

    values: Floats
    levels: Places | None = None

    @property
    def width(self) -> int:
        """Number of columns."""
        return 1 if self.levels is None else len(self.levels)


@dataclass(frozen=True, kw_only=True, eq=False)
class DesignMatrix:
    """Columns of a regression: a constant, then those of the terms, numbers centred and scaled.

    Attributes:
        rows: Number of records.
        terms: The variables.
    """

    rows: int
    terms: Sequence[Regressor]

    @property
    def width(self) -> int:
        """Number of columns."""
        return 1 + sum(term.width for term in self.terms)

    @cached_property
    def _scales(self) -> list[tuple[float, float]]:
        """Centre and size of each number."""
        found = []
        for term in self.terms:
            if term.levels is not None or not self.rows:
                found.append((0.0, 1.0))
                continue
            middle = float(term.values.mean())
            size = float(np.sqrt(((term.values - middle) ** 2).mean()))
            found.append((middle, size or 1.0))
        return found

    @cached_property
    def reach(self) -> Floats:
        """Largest absolute value of each column."""
        found = [1.0]
        for term, (middle, size) in zip(self.terms, self._scales, strict=True):
            if term.levels is None:
                found.append(float(np.abs(term.values - middle).max(initial=0.0)) / size)
            else:
                found += [1.0] * term.width
        return np.array(found)

    @cached_property
    def back(self) -> Floats:
        """Matrix that makes coefficients of the variables of those of the columns."""
        made = np.eye(self.width)
        place = 1
        for term, (middle, size) in zip(self.terms, self._scales, strict=True):
            if term.levels is None:
                made[place, place] = 1 / size
                made[0, place] = -middle / size
            place += term.width
        return made

    def blocks(self) -> Iterator[tuple[slice, Floats]]:
        """Go through the records."""
        yield from self._held if self.rows * self.width <= _HELD else self._make_blocks()

    @cached_property
    def _held(self) -> list[tuple[slice, Floats]]:
        return list(self._make_blocks())

    def _make_blocks(self) -> Iterator[tuple[slice, Floats]]:
        spread = [_spread_levels(term) for term in self.terms]
        for start in range(0, self.rows, _BLOCK):
            part = slice(start, min(start + _BLOCK, self.rows))
            made = np.empty((part.stop - start, self.width))
            made[:, 0] = 1.0
            place = 1
            for each, flags, (middle, size) in zip(self.terms, spread, self._scales, strict=True):
                if flags is None:
                    made[:, place] = (each.values[part] - middle) / size
                else:
                    made[:, place : place + each.width] = flags[each.values[part].astype(np.intp)]
                place += each.width
            yield part, made


def _spread_levels(term: Regressor) -> Floats | None:
    """For each code the columns of its term; None if it has numbers."""
    if term.levels is None:
        return None
    flags = np.zeros((int(max(term.values.max(initial=0), *term.levels, 0)) + 1, term.width))
    flags[term.levels, np.arange(term.width)] = 1.0
    return flags


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RegressionFit:
    """A regression that was fitted.

    Attributes:
        estimates: Of the constant, then of each column; NaN for those that others determine.
        errors: Robust standard errors.
    """

    estimates: Floats
    errors: Floats


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


def fit_linear(design: DesignMatrix, y: Floats, weight: Floats) -> RegressionFit:
    """Fit by weighted least squares.

    Raises:
        FitError: There are too few records.
    """
    with _libraries().limit(limits=1):
        w = weight / weight.mean() if len(weight) else weight
        middle = float((w * y).sum() / w.sum()) if len(y) else 0.0
        size = float(np.abs(y - middle).max(initial=0.0)) or 1.0
        centred = (y - middle) / size
        square, moment = np.zeros((design.width, design.width)), np.zeros(design.width)
        for part, x in design.blocks():
            scaled = x * w[part][:, None]
            square += scaled.T @ x
            moment += scaled.T @ centred[part]
        used = _find_independent(square, design.rows)
        inverse = np.linalg.inv(square[np.ix_(used, used)])
        found = inverse @ moment[used]
        fit = _finish(
            design, used, found, inverse, lambda part, x: w[part] * (centred[part] - x @ found)
        )
        fit.estimates[:] *= size
        fit.errors[:] *= size
        fit.estimates[0] += middle
        return _settle(fit, design, max(size, abs(middle)))


def fit_logistic(design: DesignMatrix, y: Floats, weight: Floats) -> RegressionFit:
    """Fit log odds by Newton's method (iteratively reweighted least squares).

    Raises:
        FitError: There are too few records, the terms separate the two outcomes, or the fit does
            not converge.
    """
    with _libraries().limit(limits=1):
        w = weight / weight.mean() if len(weight) else weight
        square = np.zeros((design.width, design.width))
        for part, x in design.blocks():
            square += (x * w[part][:, None]).T @ x
        used = _find_independent(square, design.rows)
        found, curve = _climb(design, used, y, w)
        inverse = np.linalg.inv(curve).astype(np.float64)
        return _finish(
            design,
            used,
            found,
            inverse,
            lambda part, x: w[part] * (y[part] - _chances(x @ found)[0]),
        )


def _climb(design: DesignMatrix, used: Places, y: Floats, w: Floats) -> tuple[Floats, Floats]:
    """Coefficients at which the likelihood is largest, and its second derivatives."""
    share = float((w * y).sum() / w.sum())
    beta = np.zeros(len(used))
    beta[0] = np.log(share / (1 - share))
    state, step = _Newton.at(design, used, y, w, beta), beta
    for _ in range(_ROUNDS):
        try:
            step = np.linalg.solve(state.curve, state.slope).astype(np.float64)
        except np.linalg.LinAlgError:  # all that is not yet told has become too little
            break
        moves = float(np.abs(step) @ design.reach[used])
        later, size = _Newton.at(design, used, y, w, beta + step), 1.0
        while later.loss > state.loss and moves * size > _AT_REST and size > 2.0**-_HALVINGS:
            size /= 2
            later = _Newton.at(design, used, y, w, beta + size * step)
        stuck = later.loss >= state.loss and moves * size <= _AT_REST
        beta, state = beta + size * step, later
        if moves < _CLOSE or stuck:
            return beta, state.curve
        if moves > _FAR and np.linalg.cond(state.curve) > _FLAT:
            break  # before rounding decides where the next step leads
    raise _find_cause(design, used, y, step)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Newton:
    """Likelihood of a logistic regression at some coefficients, and its derivatives."""

    loss: float
    slope: Floats
    curve: Floats

    @classmethod
    def at(cls, design: DesignMatrix, used: Places, y: Floats, w: Floats, beta: Floats) -> _Newton:
        size = len(used)
        loss, slope = 0.0, np.zeros(size)
        curve = np.zeros((size, size))
        for part, every in design.blocks():
            x = every if size == design.width else every[:, used]
            line = x @ beta
            chance, small = _chances(line)
            terms = np.maximum(line, 0) - y[part] * line + np.log1p(small)
            loss += float((w[part] * terms).sum())
            slope += x.T @ (w[part] * (y[part] - chance))
            curve += (x * (w[part] * small / (1 + small) ** 2)[:, None]).T @ x
        return cls(loss=loss, slope=slope, curve=curve)


def _chances(line: Floats) -> tuple[Floats, Floats]:
    """Chances of log odds, and exp(-|log odds|), which never overflows."""
    small: Floats = np.exp(-np.abs(line))
    chances: Floats = np.where(line > 0, 1.0, small) / (1 + small)
    return chances, small


def _find_cause(design: DesignMatrix, used: Places, y: Floats, step: Floats) -> FitError:
    """Why a fit does not converge.

    The last step may lead away for ever, as whatever it moves is told better and better.
    """
    moves = np.concatenate([x[:, used] @ step for _, x in design.blocks()])
    right = np.where(y > 0, moves, -moves)
    if float(right.min()) < -_ASIDE * float(np.abs(right).max()):
        return FitError(Sentence("fit-unconverged", rounds=_ROUNDS))
    sizes = np.abs(step) * design.reach[used]
    away = used[(sizes > _ASIDE * sizes.max()) & (used > 0)]
    return FitError(None, away.tolist())


def _find_independent(square: Floats, rows: int) -> Places:
    """Columns that those before them do not determine, from the sums of their products."""
    size = len(square)
    lower = np.zeros((size, size))
    kept: list[int] = []
    for at in range(size):
        known = np.zeros(len(kept))
        for place, other in enumerate(kept):
            known[place] = (square[at, other] - lower[other, :place] @ known[:place]) / lower[
                other, place
            ]
        rest = square[at, at] - float(known @ known)
        if square[at, at] > 0 and rest > _DEPENDENT * square[at, at]:
            lower[at, : len(kept)] = known
            lower[at, len(kept)] = np.sqrt(rest)
            kept.append(at)
    if rows <= len(kept) or not kept:
        raise FitError(Sentence("fit-few-records"))
    return np.array(kept)


def _finish(
    design: DesignMatrix,
    used: Places,
    found: Floats,
    inverse: Floats,
    weigh_rest: Callable[[slice, Floats], Floats],
) -> RegressionFit:
    """Coefficients of the variables, as they were before they were scaled, and their errors.

    Squares of what each record adds to a coefficient are summed, so that one without error has
    none.

    Args:
        design: The columns.
        used: Those that have a coefficient.
        found: Their coefficients.
        inverse: Of the second derivatives.
        weigh_rest: What is not explained of some records, times their weight.
    """
    back = design.back[np.ix_(used, used)]
    squares = np.zeros(len(used))
    for part, every in design.blocks():
        x = every[:, used]
        added = (x * weigh_rest(part, x)[:, None]) @ (inverse @ back.T)
        squares += (added**2).sum(axis=0)
    estimates, errors = np.full(design.width, np.nan), np.full(design.width, np.nan)
    estimates[used] = back @ found
    errors[used] = np.sqrt(squares * (design.rows / (design.rows - len(used))))
    return RegressionFit(estimates=estimates, errors=errors)


def _settle(fit: RegressionFit, design: DesignMatrix, size: float) -> RegressionFit:
    """Take away the dust of rounding from what is estimated without error."""
    dust = _EXACT * size * np.abs(np.diag(design.back))
    exact = fit.errors < dust
    rounded = np.array([float(f"{estimate:.9g}") for estimate in fit.estimates])
    return RegressionFit(
        estimates=np.where(exact, np.where(np.abs(rounded) < dust, 0.0, rounded), fit.estimates),
        errors=np.where(exact, 0.0, fit.errors),
    )


def find_mixed(codes: NDArray[np.int64], y: Floats, size: int) -> Flags:
    """Return which codes have both outcomes."""
    ones = np.bincount(codes, y, size)
    every = np.bincount(codes, minlength=size)
    mixed: Flags = (ones > 0) & (ones < every)
    return mixed
