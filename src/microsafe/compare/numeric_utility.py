"""Numeric variables of two states, record by record, for measures of utility."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from microsafe.compare.cost_figures import Utility
from microsafe.compare.number_changes import (
    CorrelationChange,
    NumberChange,
    compare_correlations,
    describe_change,
)
from microsafe.compare.number_plot_data import MOST_PICTURES, NumberPicture, picture_number
from microsafe.compare.propensity import measure_propensity
from microsafe.compare.record_columns import RecordColumns, are_alike, read_numbers, sort_records
from microsafe.compare.regression import ModelChange, compare_models, read_formula
from microsafe.engine import Engine
from microsafe.engine.state_pairs import Pair
from microsafe.errors import InputError, UsageError
from microsafe.progress import Progress
from microsafe.sums import Floats

_PER_VALUE = 40  # bytes of a value before and after, in order, and of one at work
_MOST_RECORDS = 20_000_000  # beyond, numbers are not brought here from wherever they are
_MOST_BRIEFLY = 12  # variables that a preview correlates


def compare_utility(
    before: Engine,
    after: Engine,
    *,
    numbers: Sequence[str],
    moved: Sequence[str],
    named: Sequence[str],
    models: Sequence[str],
    weight: str | None,
    pool: Callable[[Pair], Pair],
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
        pool: Gives a variable by the categories that are released.
        progress: Progress callback.

    Raises:
        UsageError: The records have no order, so that no two can be put side by side.
    """
    if not moved and not models:
        return None
    if not models and not _has_room(before, len(numbers) + len(named)):
        return None
    progress("comparing numbers", 0.0)
    columns = RecordColumns(before=before, after=after, pool=pool)
    weights = None if weight is None else read_numbers(before, weight)
    found = _compare_numbers(columns, numbers, moved, named, weights)
    progress("comparing numbers", 0.5)
    found = replace(found, models=tuple(_compare_models(columns, models, weights)))
    progress("comparing numbers", 1.0)
    return found


def _compare_numbers(
    columns: RecordColumns,
    numbers: Sequence[str],
    moved: Sequence[str],
    named: Sequence[str],
    weights: Floats | None,
) -> Utility:
    """Compare numbers, of which some were moved; there is nothing to say if none was."""
    if not moved:
        return Utility(numbers=(), correlations=(), models=(), propensity=None)
    there = [name for name in numbers if name in columns.after.schema]
    read = {name: both for name in there if (both := columns.numbers(name)) is not None}
    kept = list(read)
    few = {
        name: both
        for name in named
        if name not in read and name in columns.after.schema
        if are_alike(both := columns.codes(name))
    }
    old, new, weights = sort_records(read | few, weights)
    sides = [weights] if weights is None else [None, weights]
    data = [[each[name].data for name in kept] for each in (old, new)]
    found = [name for name in moved if name in read]
    described = (describe_change(name, old[name].data, new[name].data, weights) for name in found)
    pictures = (
        picture_number(name, old[name].data, new[name].data, weights)
        for name in found[:MOST_PICTURES]
    )
    correlations = (compare_correlations(kept, data[0], data[1], side) for side in sides)
    return Utility(
        numbers=tuple(change for change in described if change is not None),
        correlations=tuple(correlation for correlation in correlations if correlation is not None),
        models=(),
        propensity=measure_propensity([*old], [*old.values()], [*new.values()]),
        pictures=tuple(picture for picture in pictures if picture is not None),
    )


def _compare_models(
    columns: RecordColumns, models: Sequence[str], weights: Floats | None
) -> Iterator[ModelChange]:
    """Fit each model on its own records: each counted once, then by weight."""
    for model in models:
        old, new, sorted_weights = sort_records(columns.read_model(read_formula(model)), weights)
        for weight in [None] if weights is None else [None, sorted_weights]:
            yield compare_models(model, old, new, weight)


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
    names = [name for name in names if name in before.schema and name in after.schema]
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
        one, other = read_numbers(before, name), read_numbers(after, name)
        if one is not None and other is not None:
            columns[name] = one, other
    weights = None if weight is None else read_numbers(before, weight)
    described = [
        describe_change(name, *columns[name], weights) for name in names if name in columns
    ]
    old, new = ([column[side] for column in columns.values()] for side in (0, 1))
    pictures = (picture_number(name, *columns[name], weights) for name in names if name in columns)
    return (
        tuple(change for change in described if change is not None),
        compare_correlations(list(columns), old, new, weights),
        tuple(picture for picture in pictures if picture is not None),
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
