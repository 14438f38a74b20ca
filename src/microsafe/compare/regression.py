"""Regressions on both files: do the confidence intervals of an analyst overlap?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.errors import InputError, UsageError
from microsafe.sums import Floats

_NORMAL = 1.959963984540054  # 97.5 % of a normal distribution
MOST_TERMS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """A coefficient before and after.

    Attributes:
        term: Variable, or a category of one.
        estimate: Before and after.
        interval: 95 % confidence intervals before and after.
        overlap: ½ (o / length + o / length'), o being the overlap; negative if they are apart.
    """

    term: str
    estimate: tuple[float, float]
    interval: tuple[tuple[float, float], tuple[float, float]]
    overlap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChange:
    """A linear regression before and after.

    Attributes:
        formula: As it was given.
        weighted: Whether it is weighted.
        records: Before and after.
        coefficients: The constant first.
        overlap: Mean overlap of all coefficients.
    """

    formula: str
    weighted: bool
    records: tuple[int, int]
    coefficients: tuple[Coefficient, ...]
    overlap: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """A variable of a model: numbers with NaN, or codes with 0 and their categories."""

    data: NDArray[np.float64]
    categories: tuple[str, ...] | None = None


def read_formula(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the variables of a formula such as `income ~ age + sex`.

    Raises:
        UsageError: It is none.
    """
    left, tilde, right = text.partition("~")
    outcome = left.strip()
    terms = [each.strip() for each in right.split("+")]
    if not tilde or not outcome or not all(terms) or len({*terms, outcome}) <= len(terms):
        raise UsageError(f"{text!r} is no formula. Write it as 'y ~ a + b'.")
    return outcome, tuple(terms)


def compare_models(
    formula: str,
    before: Mapping[str, Column],
    after: Mapping[str, Column],
    weight: Floats | None,
) -> ModelChange:
    """Fit a linear regression before and after, and compare the confidence intervals.

    Records that miss a variable of the model are left out. Standard errors are robust against
    unequal variances, so that they hold for weights as well.

    Raises:
        InputError: The outcome is no number, or there are too few records or too many terms.
    """
    outcome, terms = read_formula(formula)
    names, fits = [], []
    for columns in (before, after):
        if columns[outcome].categories is not None:
            raise InputError(f"The outcome {outcome!r} does not hold numbers. Name one that does.")
        labels, design = _lay_out(terms, columns, before)
        names.append(labels)
        known = ~np.isnan(columns[outcome].data) & ~np.isnan(design).any(axis=1)
        w = np.ones(int(known.sum())) if weight is None else weight[known]
        fits.append((_fit(columns[outcome].data[known], design[known], w), int(known.sum())))
    found = []
    for place, term in enumerate(names[0]):
        estimates = tuple(float(fit[0][place]) for fit, _ in fits)
        errors = [float(fit[1][place]) for fit, _ in fits]
        if np.isnan([*estimates, *errors]).any():
            continue
        ends = [(e - _NORMAL * s, e + _NORMAL * s) for e, s in zip(estimates, errors, strict=True)]
        found.append(
            Coefficient(
                term=term,
                estimate=(estimates[0], estimates[1]),
                interval=(ends[0], ends[1]),
                overlap=overlap(ends[0], ends[1]),
            )
        )
    if not found:
        raise InputError(f"The model {formula!r} cannot be fitted to these records.")
    return ModelChange(
        formula=formula,
        weighted=weight is not None,
        records=(fits[0][1], fits[1][1]),
        coefficients=tuple(found),
        overlap=float(np.mean([each.overlap for each in found])),
    )


def overlap(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return how far two intervals overlap: 1 if they are the same, negative if apart."""
    lengths = one[1] - one[0], other[1] - other[0]
    if not lengths[0] or not lengths[1]:
        return 1.0 if one == other else 0.0
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return (shared / lengths[0] + shared / lengths[1]) / 2


def _lay_out(
    terms: Sequence[str], columns: Mapping[str, Column], first: Mapping[str, Column]
) -> tuple[list[str], Floats]:
    """A column for the constant, each number, and each category but the first."""
    labels, parts = ["(constant)"], [np.ones(len(next(iter(columns.values())).data))]
    for term in terms:
        column, categories = columns[term], first[term].categories
        if categories is None and column.categories is None:
            labels.append(term)
            parts.append(column.data)
            continue
        if categories != column.categories or categories is None:
            raise InputError(
                f"{term!r} has other categories now, so the model cannot be compared. Leave it out."
            )
        missing = column.data == 0
        for code, category in enumerate(categories[1:], 2):
            labels.append(f"{term} = {category}")
            parts.append(np.where(missing, np.nan, (column.data == code).astype(np.float64)))
        if len(labels) > MOST_TERMS:
            raise InputError(f"{term!r} has too many categories for a model. Leave it out.")
    return labels, np.stack(parts, axis=1)


def _fit(y: Floats, design: Floats, w: Floats) -> tuple[Floats, Floats]:
    """Coefficients and robust standard errors; NaN for terms that others determine."""
    size = design.shape[1]
    estimates, errors = np.full(size, np.nan), np.full(size, np.nan)
    used = _independent(design * np.sqrt(w)[:, None])
    if len(y) <= len(used) or not used:
        return estimates, errors
    x = design[:, used]
    inverse = np.linalg.inv(np.einsum("ij,i,ik->jk", x, w, x))
    estimates[used] = inverse @ np.einsum("ij,i->j", x, w * y)
    rest = y - np.einsum("ij,j->i", x, estimates[used])
    middle = np.einsum("ij,i,ik->jk", x, (w * rest) ** 2, x)
    count = len(y)
    robust = inverse @ middle @ inverse * count / (count - len(used))
    errors[used] = np.sqrt(np.maximum(np.diag(robust), 0.0))
    return estimates, errors


def _independent(design: Floats) -> list[int]:
    """Columns that those before them do not determine."""
    kept: list[int] = []
    basis: list[Floats] = []
    for place in range(design.shape[1]):
        column = design[:, place].astype(np.float64)
        length = float(np.sqrt((column**2).sum()))
        for _ in range(2):  # once more, against rounding
            for each in basis:
                column = column - (column * each).sum() * each
        rest = float(np.sqrt((column**2).sum()))
        if length and rest > 1e-8 * length:
            kept.append(place)
            basis.append(column / rest)
    return kept
