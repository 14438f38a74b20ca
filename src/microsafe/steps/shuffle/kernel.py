"""Data shuffling: values are dealt out anew in the order that a model of their ranks draws.

Variables X are shuffled given others, S. Normal scores of ranks have the correlation matrix R;

    Y = S* B + e        B = R_SS^-1 R_SX        Cov e = R_XX - R_XS B

has it too, and depends on X through R alone. The values of X are then put into the order of Y:
every value is kept, and so are rank correlations, but for chance.

References:
    Muralidhar and Sarathy (2006), Data shuffling: a new masking approach for numerical data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.arrays import normal_scores, order_places, untied_scores
from microsafe.draws import Words, normals
from microsafe.sums import Floats, sum_by

_SINGULAR = 1e-9  # share of a variance that is left if a column follows from others


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelColumn:
    """A variable as the model sees it: a score, or an indicator for each category.

    Attributes:
        values: Scores; or numbers of categories, from 0.
        categories: How many there are; 0 if the values are scores.
    """

    values: NDArray[Any]
    categories: int = 0

    @property
    def width(self) -> int:
        """Number of columns of numbers that it stands for."""
        return self.categories or 1

    def select(self, records: NDArray[np.bool_]) -> ModelColumn:
        """Return it for some records."""
        return replace(self, values=self.values[records])

    def sums(self, other: ModelColumn, weights: Floats) -> Floats:
        """Return weighted sums of products of its columns with those of another one."""
        if self.categories and other.categories:
            pair = self.values * other.categories + other.values
            size = self.categories * other.categories
            return sum_by(pair, weights, size).reshape(self.categories, other.categories)
        if self.categories:
            return sum_by(self.values, weights * other.values, self.categories)[:, None]
        if other.categories:
            return other.sums(self, weights).T
        return np.array([[np.sum(weights * self.values * other.values)]])

    def predict(self, slopes: Floats) -> Floats:
        """Return what it adds to a prediction, a slope being given for each of its columns."""
        found: Floats = slopes[self.values] if self.categories else slopes[0] * self.values
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShuffleModel:
    """How scores are drawn.

    Attributes:
        slopes: Of the scores on each column that is given.
        noise: Factor of the covariance matrix of what these do not explain.
        redundant: For each column, whether it follows from the others and was left out.
    """

    slopes: Sequence[Floats]
    noise: Floats
    redundant: Sequence[bool]


def rank_column(values: Floats) -> ModelColumn:
    """Return the column of a numeric variable; NaN, what is missing, counts as its middle."""
    known = ~np.isnan(values)
    scores = np.zeros(len(values))
    scores[known] = normal_scores(values[known])
    return ModelColumn(values=scores)


def fit_model(
    shuffled: Sequence[ModelColumn], given: Sequence[ModelColumn], weights: Floats
) -> ShuffleModel:
    """Fit the model to records in which nothing that is to be shuffled is missing.

    Args:
        shuffled: Scores of each variable.
        given: What the draw depends on.
        weights: Of the records.
    """
    widths = [each.width for each in given]
    inner = sum(widths)
    covariance = _covariance([*given, *shuffled], weights)
    deviations = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    scale = np.where(deviations > 0, deviations, 1.0)
    matrix = covariance / scale / scale[:, None]
    blur = np.concatenate([np.ones(inner), [_blur_of_ties(each.values) for each in shuffled]])
    matrix = matrix / blur / blur[:, None]
    np.fill_diagonal(matrix[inner:, inner:], 1.0)
    used = _regress(matrix, inner)
    slopes = np.where(used[:, None], matrix[:inner, inner:] / scale[:inner, None], 0.0)
    ends = np.cumsum(widths)[:-1]
    return ShuffleModel(
        slopes=np.split(slopes, ends),
        noise=_factorise(matrix[inner:, inner:]),
        redundant=[not part.any() for part in np.split(used, ends)],
    )


def _blur_of_ties(scores: Floats) -> float:
    """Return by how much ties reduce correlations with scores.

    New scores do not tie, and it is once more that values which tie reduce their correlations.
    """
    spread = float(scores.std() / (untied_scores(len(scores)).std() or 1.0))
    return spread if spread > _SINGULAR else 1.0


def _covariance(columns: Sequence[ModelColumn], weights: Floats) -> Floats:
    """Weighted covariance matrix of all columns of numbers; BLAS would add in any order."""
    total = weights.sum()
    rows = [np.concatenate([a.sums(b, weights) for b in columns], axis=1) for a in columns]
    one = ModelColumn(values=np.ones(len(weights)))
    means = np.concatenate([one.sums(column, weights)[0] for column in columns]) / total
    covariance: Floats = np.concatenate(rows) / total - means * means[:, None]
    return covariance


def _regress(matrix: Floats, count: int) -> NDArray[np.bool_]:
    """Eliminate the first columns of a correlation matrix, and tell which of them were.

    Then slopes of the other columns on these stand in their rows, and what they leave unexplained
    below. A column is left out if nothing of it is left by others.
    """
    used = np.zeros(count, np.bool_)
    for _ in range(count):
        left = np.where(used, 0.0, np.diagonal(matrix)[:count])
        at = int(left.argmax())
        if left[at] < _SINGULAR:
            break
        row = matrix[at] / matrix[at, at]
        matrix -= matrix[:, [at]] * row
        matrix[at] = row
        used[at] = True
    return used


def _factorise(matrix: Floats) -> Floats:
    """Lower triangular factor of a covariance matrix, which may be singular."""
    factor = np.zeros_like(matrix)
    for at in range(len(matrix)):
        rest = matrix[at:, at] - (factor[at:, :at] * factor[at, :at]).sum(axis=1)
        if rest[0] > _SINGULAR:
            factor[at:, at] = rest / np.sqrt(rest[0])
    return factor


def draw_scores(
    model: ShuffleModel, given: Sequence[ModelColumn], words: Sequence[Words]
) -> list[Floats]:
    """Return new scores of each variable.

    Args:
        model: As it was fitted.
        given: Of all records.
        words: A random word of each record, by variable.
    """
    noise = [normals(word) for word in words]
    found = []
    for at, row in enumerate(model.noise):
        score = np.zeros_like(noise[0])
        for column, slopes in zip(given, model.slopes, strict=True):
            score += column.predict(slopes[:, at])
        for factor, deviates in zip(row, noise, strict=True):
            score += factor * deviates
        found.append(score)
    return found


def deal_out(values: Floats, scores: Floats, words: Words) -> Floats:
    """Return the values in the order of scores; those that tie go by random words."""
    dealt = np.empty_like(values)
    dealt[order_places(scores, words)] = np.sort(values)
    return dealt
