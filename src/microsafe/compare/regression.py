"""Compare regressions on both files by the overlap of their confidence intervals.

Linear if the outcome is a number, logistic if it has two values or the formula names one of its
categories. Records that miss a variable of the model are left out. Standard errors are robust
against unequal variances, so that they hold for weights as well.

References:
    Karr, Kohnen, Oganian, Reiter and Sanil (2006), A framework for evaluating the utility of data
    altered to protect confidentiality. White (1980), A heteroskedasticity-consistent covariance
    matrix estimator. Albert and Anderson (1984), On the existence of maximum likelihood estimates
    in logistic regression models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from microsafe.compare.regression_fit import (
    DesignMatrix,
    FitError,
    RegressionFit,
    Regressor,
    find_mixed,
    fit_linear,
    fit_logistic,
)
from microsafe.display import show_number
from microsafe.engine.state_pairs import Flags
from microsafe.errors import InputError
from microsafe.options.uses import Formula
from microsafe.options.uses import read_formula as read_formula
from microsafe.sentences import Sentence
from microsafe.sums import Floats

_NORMAL = 1.959963984540054  # 97.5 % of a normal distribution
MOST_TERMS = 200
_DUST = 1e-9  # of the length of a confidence interval

Kind = Literal["linear", "logistic"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """A coefficient before and after.

    Attributes:
        term: Variable, or a category of one.
        estimate: Before and after; of a logistic regression log odds.
        interval: 95 % confidence intervals before and after.
        overlap: ½ (o / length + o / length'), o being the overlap; negative if they are apart.
        deviation: Standard deviation before of a term that is a number; None of others.
    """

    term: str
    estimate: tuple[float, float]
    interval: tuple[tuple[float, float], tuple[float, float]]
    overlap: float
    deviation: float | None = None

    @property
    def change(self) -> float:
        """After less before, without the dust of rounding."""
        gap = self.estimate[1] - self.estimate[0]
        low, high = self.interval[0]
        return gap if abs(gap) > _DUST * (high - low) else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChange:
    """A regression before and after.

    Attributes:
        formula: As it was given.
        kind: `"linear"` or `"logistic"`.
        outcome: What is explained: a variable, or one of its categories.
        weighted: Whether it is weighted.
        records: That the fits use, before and after.
        coefficients: The constant first.
        overlap: Mean overlap of all coefficients, those that are lost counted as 0.
        lost: Terms that can no longer be estimated.
        left_out: Terms that cannot be estimated before either: others determine them, or all of
            their records have the same outcome.
        problem: Why the model can no longer be fitted; its overlap is 0. Empty if it can.
    """

    formula: str
    kind: Kind
    outcome: str
    weighted: bool
    records: tuple[int, int]
    coefficients: tuple[Coefficient, ...]
    overlap: float
    lost: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """A variable of a model: numbers with NaN, or codes with 0 and their categories.

    Attributes:
        data: Of each record.
        categories: As people read them, with labels; None if it holds numbers.
        texts: The same without labels, if they have any.
        dropped: Whether the variable is no longer there.
    """

    data: NDArray[np.float64]
    categories: tuple[str, ...] | None = None
    texts: tuple[str, ...] = ()
    dropped: bool = False

    @property
    def missing(self) -> Flags:
        """Records in which there is no value."""
        if self.categories is None:
            return np.isnan(self.data)
        missing: Flags = self.data == 0
        return missing

    def find_category(self, text: str) -> int | None:
        """Return the code of a category that is named by its code, its label or both."""
        names = self.categories or ()
        codes = self.texts or names
        labels = [name[len(code) :].strip() for name, code in zip(names, codes, strict=True)]
        for spelled in (names, codes, labels):
            if text in spelled:
                return list(spelled).index(text) + 1
        return None


def compare_models(
    formula: str,
    before: Mapping[str, Column],
    after: Mapping[str, Column],
    weight: Floats | None,
) -> ModelChange:
    """Fit a regression before and after, and compare the confidence intervals.

    Args:
        formula: As `read_formula` reads it.
        before: The variables as they were.
        after: The variables as they are, with the same categories.
        weight: Of each record; each counts once if None.

    Raises:
        InputError: It cannot be fitted to the data as they were.
    """
    asked = read_formula(formula)
    _check_categories(asked.terms, before, after)
    kind, words, outcomes = _find_outcome(asked, before, after)
    states = [
        _State.of(asked.terms, columns, y, weight, kind)
        for columns, y in zip((before, after), outcomes, strict=True)
    ]
    references = {
        name: reference
        for name in asked.terms
        if (reference := _find_reference(name, states)) is not None
    }
    owners, labels = zip(*_label_terms(asked.terms, before, references), strict=True)
    made = ModelChange(
        formula=formula,
        kind=kind,
        outcome=words,
        weighted=weight is not None,
        records=(states[0].rows, states[1].rows),
        coefficients=(),
        overlap=0.0,
    )
    try:
        first = states[0].fit(asked.terms, references, kind)
    except FitError as error:
        why = error.tell(owners)
        raise InputError(Sentence("model-refused", formula=formula, why=why)) from None
    try:
        gone = [name for name in asked.names if after[name].dropped]
        if gone:
            raise FitError(Sentence("fit-dropped", name=gone[0]))
        second = states[1].fit(asked.terms, references, kind)
    except FitError as error:
        return replace(made, problem=Sentence("model-unfit", why=error.tell(owners)))
    spreads = {
        name: float(column.data.std())
        for name, column in states[0].columns.items()
        if column.categories is None
    }
    return _compare_fits(made, labels, spreads, first, second)


def _compare_fits(
    made: ModelChange,
    labels: Sequence[str],
    spreads: Mapping[str, float],
    first: RegressionFit,
    second: RegressionFit,
) -> ModelChange:
    found, lost, left_out = [], [], []
    for place, term in enumerate(labels):
        estimates, errors = (
            [float(getattr(fit, what)[place]) for fit in (first, second)]
            for what in ("estimates", "errors")
        )
        if np.isnan([estimates[0], errors[0]]).any():
            left_out.append(term)
            continue
        if np.isnan([estimates[1], errors[1]]).any():
            lost.append(term)
            continue
        ends = [(e - _NORMAL * s, e + _NORMAL * s) for e, s in zip(estimates, errors, strict=True)]
        found.append(
            Coefficient(
                term=term,
                estimate=(estimates[0], estimates[1]),
                interval=(ends[0], ends[1]),
                overlap=overlap(ends[0], ends[1]),
                deviation=spreads.get(term),
            )
        )
    return replace(
        made,
        coefficients=tuple(found),
        overlap=sum(coefficient.overlap for coefficient in found) / max(len(found) + len(lost), 1),
        lost=tuple(lost),
        left_out=tuple(left_out),
    )


def overlap(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return how far two intervals overlap: 1 if they are the same, negative if apart."""
    lengths = one[1] - one[0], other[1] - other[0]
    if not lengths[0] or not lengths[1]:
        return 1.0 if one == other else 0.0
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return (shared / lengths[0] + shared / lengths[1]) / 2


def _find_outcome(
    asked: Formula, before: Mapping[str, Column], after: Mapping[str, Column]
) -> tuple[Kind, str, tuple[Floats, Floats]]:
    """What kind of model it is, what it explains, and that before and after."""
    name = asked.outcome
    old, new = before[name], after[name]
    if old.categories is None:
        values = find_two_values(old, new)
        if values is None:
            return "linear", name, (old.data, new.data)
        high = values[1]
        words = f"{name} = {show_number(high)}"
        return "logistic", words, (_flag(old, high), _flag(new, high))
    code = _find_code(asked, old)
    words = f"{name} = {old.categories[code - 1]}"
    return "logistic", words, (_flag(old, code), _flag(new, code))


def find_two_values(before: Column, after: Column) -> tuple[float, float] | None:
    """Return the two values of a number that has no others in either state; else None."""
    known = [column.data[~column.missing] for column in (before, after)]
    if len(np.unique(known[0][:1000])) > 2:  # most often there is no need to look at all
        return None
    values = np.unique(np.concatenate(known)).tolist()
    return (values[0], values[1]) if len(values) == 2 else None


def _find_code(asked: Formula, column: Column) -> int:
    """The category whose odds are explained: the one that is named, or the second of two."""
    name, count = asked.outcome, len(column.categories or ())
    if asked.category is not None:
        if (code := column.find_category(asked.category)) is None:
            raise InputError(Sentence("model-category", name=name, category=asked.category))
        return code
    if count != 2:
        raise InputError(
            Sentence("model-outcome", name=name, count=count, terms=" + ".join(asked.terms))
        )
    return 2


def _flag(column: Column, value: float) -> Floats:
    """1 for a value, 0 for others, NaN for none."""
    return np.where(column.missing, np.nan, (column.data == value).astype(np.float64))


def _check_categories(
    terms: Sequence[str], before: Mapping[str, Column], after: Mapping[str, Column]
) -> None:
    columns = 1
    for term in terms:
        if before[term].categories != after[term].categories:
            raise InputError(Sentence("model-term-changed", name=term))
        columns += len(before[term].categories or "1")
        if columns > MOST_TERMS:
            raise InputError(Sentence("model-term-too-fine", name=term))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _State:
    """Records of a model in one state that have all of its variables.

    Attributes:
        y: The outcome.
        weight: Of each record.
        columns: The terms.
        usable: Of each term with categories, those that can have a coefficient.
    """

    y: Floats
    weight: Floats
    columns: Mapping[str, Column]
    usable: Mapping[str, Flags]

    @property
    def rows(self) -> int:
        """Number of records."""
        return len(self.y)

    @classmethod
    def of(
        cls,
        terms: Sequence[str],
        columns: Mapping[str, Column],
        y: Floats,
        weight: Floats | None,
        kind: Kind,
    ) -> _State:
        """Leave out records that miss something, or whose outcome a category tells by itself."""
        known = ~np.isnan(y)
        for name in terms:
            known &= ~columns[name].missing
        w = np.ones(len(y)) if weight is None else weight
        known &= w > 0
        codes = {
            name: columns[name].data.astype(np.int64)
            for name in terms
            if columns[name].categories is not None
        }
        sizes = {name: len(columns[name].categories or ()) + 1 for name in codes}
        if kind == "logistic":
            known = _leave_out_told(codes, sizes, y, known)
        return cls(
            y=y[known],
            weight=w[known],
            columns={
                name: replace(columns[name], data=columns[name].data[known]) for name in terms
            },
            usable={
                name: np.bincount(code[known], minlength=sizes[name]) > 0
                for name, code in codes.items()
            },
        )

    def fit(self, terms: Sequence[str], references: Mapping[str, int], kind: Kind) -> RegressionFit:
        """Fit the model.

        Raises:
            FitError: It cannot be.
        """
        made = []
        for name in terms:
            column = self.columns[name]
            if column.categories is None:
                made.append(Regressor(values=column.data))
                continue
            if not self.usable[name][references.get(name, 0)]:
                why = "fit-no-outcomes" if kind == "logistic" else "fit-no-records"
                raise FitError(Sentence(why, name=name))
            levels = np.arange(1, len(column.categories) + 1)
            made.append(Regressor(values=column.data, levels=levels[levels != references[name]]))
        design = DesignMatrix(rows=self.rows, terms=made)
        if kind == "linear":
            return fit_linear(design, self.y, self.weight)
        if not 0 < self.y.sum() < self.rows:
            raise FitError(Sentence("fit-one-outcome"))
        return fit_logistic(design, self.y, self.weight)


def _leave_out_told(
    codes: Mapping[str, NDArray[np.int64]], sizes: Mapping[str, int], y: Floats, known: Flags
) -> Flags:
    """Records of categories that have both outcomes.

    A category with one outcome has an infinite coefficient. All others are the same whether its
    records are there or not.
    """
    count = -1
    while (left := int(np.count_nonzero(known))) != count:
        count = left
        for name, code in codes.items():
            mixed = find_mixed(code[known], y[known], sizes[name])
            known = known & mixed[code]
    return known


def _find_reference(name: str, states: Sequence[_State]) -> int | None:
    """The first category that both states can do without a coefficient for."""
    flags = [state.usable[name] for state in states if name in state.usable]
    if not flags:
        return None
    both = np.flatnonzero(np.logical_and.reduce(flags))
    # If there is none, the first model tells what is wrong with it, or the second cannot be fitted.
    either = both if len(both) else np.flatnonzero(flags[0])
    return int(either[0]) if len(either) else None


def _label_terms(
    terms: Sequence[str], columns: Mapping[str, Column], references: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """Of each column of the design its variable and its name."""
    yield "", "(constant)"
    for name in terms:
        categories = columns[name].categories
        if categories is None:
            yield name, name
            continue
        for code, category in enumerate(categories, 1):
            if code != references.get(name):
                yield name, f"{name} = {category}"
