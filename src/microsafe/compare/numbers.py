"""Numeric variables of two states, record by record, for measures of utility."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from microsafe.compare.pictures import MOST_PICTURES, NumberPicture, picture_number
from microsafe.compare.propensity import measure_propensity
from microsafe.compare.regression import Column, ModelChange, compare_models, read_formula
from microsafe.compare.result import Utility
from microsafe.compare.utility import (
    CorrelationChange,
    NumberChange,
    compare_correlations,
    describe_change,
)
from microsafe.engine import Engine
from microsafe.engine.gate import Selection
from microsafe.errors import InputError, NotNumericError, UsageError
from microsafe.progress import Progress
from microsafe.sums import Floats

_PER_VALUE = 40  # bytes of a value before and after, in order, and of one at work
_MOST_RECORDS = 20_000_000  # beyond, numbers are not brought here from wherever they are
_MOST_BRIEFLY = 12  # variables that a preview correlates
_LARGEST = 1e100  # beyond, squares have no sum
_FEW = 20  # categories of a variable that a propensity model looks at


def compare_utility(
    before: Engine,
    after: Engine,
    *,
    numbers: Sequence[str],
    moved: Sequence[str],
    named: Sequence[str],
    models: Sequence[str],
    weight: str | None,
    progress: Progress,
) -> Utility | None:
    """Measure what an analyst of numeric variables finds.

    None if none was changed, or if there are too many records to hold their values here, unless
    regressions are asked for.

    Args:
        before: The data as they were.
        after: The same records as they are.
        numbers: Numeric variables.
        moved: Those that were changed.
        named: Categorical variables that are looked at.
        models: Formulas of regressions.
        weight: Sampling weight, if there is one.
        progress: Progress callback.

    Raises:
        UsageError: The records have no order, so that no two can be put side by side.
    """
    if not moved and not models:
        return None
    if not models and not _has_room(before, len(numbers) + len(named)):
        return None
    progress("comparing numbers", 0.0)
    terms = {name for each in models for name in (read_formula(each)[0], *read_formula(each)[1])}
    for name in sorted(terms):
        before.schema[name], after.schema[name]
    wanted = [name for name in dict.fromkeys((*numbers, *sorted(terms))) if name in after.schema]
    outcomes = {read_formula(each)[0] for each in models}
    old: dict[str, Column] = {}
    new: dict[str, Column] = {}
    for name in wanted:
        if name in terms.difference(numbers, outcomes) and _is_categorical(before, name):
            continue
        one, other = _numbers(before, name), _numbers(after, name)
        if one is not None and other is not None:
            old[name], new[name] = Column(data=one), Column(data=other)
    weights = None if weight is None else _numbers(before, weight)
    kept = [name for name in numbers if name in old]
    for name in dict.fromkeys((*named, *sorted(terms))):
        if name not in old and name in after.schema:
            old[name], new[name] = _codes(before, name), _codes(after, name)
    # In an order of their own: the figures do not show in which order the records came.
    data = [*(each.data for side in (old, new) for each in side.values())]
    order = np.lexsort([*data, *([] if weights is None else [weights])])
    old, new = (
        {name: replace(each, data=each.data[order]) for name, each in side.items()}
        for side in (old, new)
    )
    weights = None if weights is None else weights[order]
    sides = [weights] if weights is None else [None, weights]
    columns = [[each[name].data for name in kept] for each in (old, new)]
    described = (
        describe_change(name, old[name].data, new[name].data, weights)
        for name in moved
        if name in old
    )
    pictures = (
        picture_number(name, old[name].data, new[name].data, weights)
        for name in [name for name in moved if name in old][:MOST_PICTURES]
    )
    correlations = (compare_correlations(kept, columns[0], columns[1], each) for each in sides)
    alike = [*kept, *(name for name in named if _is_alike(old.get(name), new.get(name)))]
    found = Utility(
        numbers=tuple(each for each in described if each is not None),
        correlations=tuple(each for each in correlations if each is not None),
        models=tuple(_compare_models(models, old, new, sides)),
        propensity=measure_propensity(
            alike, [old[name] for name in alike], [new[name] for name in alike]
        )
        if moved
        else None,
        pictures=tuple(each for each in pictures if each is not None),
    )
    progress("comparing numbers", 1.0)
    return found


def compare_briefly(
    before: Engine, after: Engine, names: Sequence[str], weight: str | None
) -> tuple[tuple[NumberChange, ...], CorrelationChange | None, tuple[NumberPicture, ...]]:
    """Describe and picture how some numbers changed, and correlations of numeric variables.

    Nothing is told if there are too many records to hold their values here, or others than before.

    Args:
        before: The data as they were.
        after: The same records as they are.
        names: Variables that were changed as numbers.
        weight: Sampling weight, if there is one.
    """
    names = [each for each in names if each in before.schema and each in after.schema]
    if not names or before.rows() != after.rows() or not _has_room(before, _MOST_BRIEFLY):
        return (), None, ()
    try:
        return _compare_briefly(before, after, names, weight)
    except UsageError:  # the records have no order
        return (), None, ()


def _compare_briefly(
    before: Engine, after: Engine, names: Sequence[str], weight: str | None
) -> tuple[tuple[NumberChange, ...], CorrelationChange | None, tuple[NumberPicture, ...]]:
    leave = [*names, *([] if weight is None else [weight])]
    others = [
        each for each in before.pair_with(after, None).find_numeric(leave) if each in after.schema
    ]
    columns: dict[str, tuple[Floats, Floats]] = {}
    for name in [*names, *others][:_MOST_BRIEFLY]:
        one, other = _numbers(before, name), _numbers(after, name)
        if one is not None and other is not None:
            columns[name] = one, other
    weights = None if weight is None else _numbers(before, weight)
    described = [
        describe_change(name, *columns[name], weights) for name in names if name in columns
    ]
    old, new = ([each[side] for each in columns.values()] for side in (0, 1))
    pictures = (picture_number(name, *columns[name], weights) for name in names if name in columns)
    return (
        tuple(each for each in described if each is not None),
        compare_correlations(list(columns), old, new, weights),
        tuple(each for each in pictures if each is not None),
    )


def _has_room(engine: Engine, variables: int) -> bool:
    """Whether all records of some variables can be held here."""
    if engine.rows() > _MOST_RECORDS:
        return False
    try:
        engine.afford(
            _PER_VALUE * engine.rows() * (variables + 1), "to compare numbers", "Drop some,"
        )
    except InputError:
        return False
    return True


def _compare_models(
    models: Sequence[str],
    old: dict[str, Column],
    new: dict[str, Column],
    weights: Sequence[Floats | None],
) -> Iterable[ModelChange]:
    return [compare_models(each, old, new, weight) for each in models for weight in weights]


def _is_categorical(engine: Engine, name: str) -> bool:
    """Whether a variable has so few values that they are categories."""
    return len(engine.categories(name)) <= _FEW


def _is_alike(old: Column | None, new: Column | None) -> bool:
    """Whether a variable has the same few categories before and after."""
    if old is None or new is None or old.categories is None:
        return False
    return 1 < len(old.categories) <= _FEW and old.categories == new.categories


def _numbers(engine: Engine, name: str) -> Floats | None:
    """Values with NaN for what is missing; None if they are no numbers to calculate with."""
    try:
        batches = list(engine.columns(Selection(forms={name: "number"})))
    except NotNumericError:
        return None
    parts = [each.columns[name] for each in batches]
    values = np.concatenate([np.where(each.missing, np.nan, each.data) for each in parts])
    return None if np.abs(values[~np.isnan(values)]).max(initial=0.0) > _LARGEST else values


def _codes(engine: Engine, name: str) -> Column:
    """Codes with 0 for what is missing, and the categories that occur."""
    try:
        parts = [each.columns[name] for each in engine.columns(Selection(forms={name: "code"}))]
    except UsageError:
        raise InputError(
            f"The records of {engine.schema.source} have no order, so they cannot be compared one "
            "by one."
        ) from None
    codes = np.concatenate([np.where(each.missing, 0, each.data) for each in parts])
    return Column(data=codes.astype(np.float64), categories=tuple(engine.categories(name)))
