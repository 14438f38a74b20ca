"""Loss by the uses that matter: variables, tables and models with their weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import number
from microsafe.compare.comparison import Comparison
from microsafe.compare.cost import pool_released
from microsafe.compare.cost_figures import LossByUses, UseLoss
from microsafe.compare.record_columns import RecordColumns, read_numbers, sort_records
from microsafe.compare.regression import ModelChange, compare_models
from microsafe.compare.step_loss import (
    find_changed,
    find_exchanged,
    find_moved,
    follow_steps,
    measure_information,
    moves_numbers,
    states_to_measure,
    tell,
)
from microsafe.engine import Engine
from microsafe.engine.state_pairs import Count, Pair
from microsafe.errors import UsageError
from microsafe.options.uses import Uses, read_formula
from microsafe.progress import Progress, silent
from microsafe.sentences import Sentence
from microsafe.steps.loss import (
    RemainingInformation,
    group_alike,
    measure_categories,
    pair_variable,
    tell_pair,
)
from microsafe.studies.state import StudyState

# What steps by a rule have made of the categories of a variable.
RenewVariable = Callable[[str, Sequence[str]], Sequence[str]]


def measure_uses(
    start: StudyState, after: StudyState, uses: Uses, *, progress: Progress = silent
) -> LossByUses:
    """Measure what the steps since an earlier state have lost of the uses that matter.

    Args:
        start: The earlier state.
        after: The state with the steps taken.
        uses: What matters.
        progress: Progress callback.

    Raises:
        UsageError: Numbers of a table were moved, so that it has no categories to compare.
        InputError: The file lacks a variable, or a model cannot be fitted to the earlier state.
    """
    uses.check(start.schema)
    keys = tuple(dict.fromkeys(key for scenario in start.scenarios for key in scenario.keys))
    lost = {loss.variable: loss.share_lost for loss in measure_information(start, after)}
    counted = [lost.get(key, 0.0) for key in keys] or list(lost.values())
    weight = start.scenarios[0].weight if start.scenarios else None
    return _weigh(
        uses,
        keys,
        plain=sum(counted) / max(len(counted), 1),
        variable=lambda name: lost.get(name, 0.0),
        table=lambda names: _lose_table(start, after, names),
        model=partial(
            _lose_model,
            start.engine,
            after.engine,
            weight=weight,
            pool=_find_pool(start, after),
            progress=progress,
        ),
    )


def check_uses(study: StudyState, uses: Uses, *, progress: Progress = silent) -> None:
    """Refuse uses that could not be measured after further steps.

    Args:
        study: What steps will be taken on.
        uses: What matters.
        progress: Progress callback.

    Raises:
        UsageError: Numbers of a table were moved.
        InputError: The file lacks a variable, or a model cannot be fitted.
    """
    gone = [
        name for name in uses.names if name in study._before().schema and name not in study.schema
    ]
    if gone:
        raise UsageError(
            f"{gone[0]!r} is a use that matters, but a step has dropped it. Take it out of the "
            "uses, or leave out that step."
        )
    uses.check(study.schema)
    moved = find_moved(study.steps, moves_numbers)
    weight = study.scenarios[0].weight if study.scenarios else None
    for table in uses.tables:
        _refuse_moved(table.of, moved)
    pool = _find_pool(study, study)
    columns = RecordColumns(before=study.engine, after=study.engine, pool=pool)
    for model in uses.models:
        _compare_model(columns, model.formula, weight, progress)


def compare_uses(
    before: Engine, after: Engine, uses: Uses, found: Comparison, *, progress: Progress = silent
) -> LossByUses:
    """Measure what two files, of which the steps are not known, lose of the uses that matter.

    Args:
        before: The engine as it was.
        after: The engine as it is; the same records in the same order.
        uses: What matters.
        found: Their comparison.
        progress: Progress callback.
    """
    uses.check(before.schema)
    losses = {loss.name: loss.lost_share for loss in found.losses}
    counted = [losses[key] for key in found.keys] or list(losses.values())
    moved = [change.name for change in found.utility.numbers] if found.utility else []

    def variable(name: str) -> float:
        if name in losses:
            return losses[name]
        told = tell_pair(*pair_variable(before, after, name))
        return told.lost / told.bits if told.bits else 0.0

    def table(names: Sequence[str]) -> float:
        _refuse_moved(names, moved)
        told = tell_table(before, after, names)
        return told.lost / told.bits if told.bits else 0.0

    return _weigh(
        uses,
        found.keys,
        plain=sum(counted) / max(len(counted), 1),
        variable=variable,
        table=table,
        model=partial(
            _lose_model,
            before,
            after,
            weight=found.weight,
            pool=partial(pool_released, exchanged=(), renew=None),
            progress=progress,
        ),
    )


def _weigh(
    uses: Uses,
    keys: Sequence[str],
    *,
    plain: float,
    variable: Callable[[str], float],
    table: Callable[[Sequence[str]], float],
    model: Callable[[str], tuple[float, str]],
) -> LossByUses:
    weights = uses.weigh_variables(keys)
    if not any(weights.values()) and not uses.shared:
        raise UsageError(
            "No use that matters has a weight above 0. Name a variable, a table or a model."
        )
    parts = [
        UseLoss(kind="variable", name=name, names=(name,), weight=weight, loss=variable(name))
        for name, weight in weights.items()
        if weight
    ]
    parts += [
        UseLoss(kind="table", name=use.words, names=use.of, weight=use.weight, loss=table(use.of))
        for use in uses.tables
    ]
    for each in uses.models:
        loss, note = model(each.formula)
        parts.append(
            UseLoss(
                kind="model",
                name=each.words,
                names=each.names,
                weight=each.weight,
                loss=loss,
                note=note,
            )
        )
    return LossByUses(plain=plain, parts=tuple(parts))


def _lose_table(start: StudyState, after: StudyState, names: Sequence[str]) -> float:
    """The share of the information on a joint value that steps have lost."""
    if not set(names).intersection(find_changed(start, after)):
        return 0.0
    told = _tell_steps(after, names)
    origin = after._before()
    before = _tell_steps(start, names).lost if len(start.steps) > len(origin.steps) else 0.0
    return (max(told.lost, before) - before) / told.bits if told.bits else 0.0


def _tell_steps(study: StudyState, names: Sequence[str]) -> RemainingInformation:
    """Measure what a joint value tells of the file before protection; no step is a gain."""
    origin = study._before()
    start = len(origin.steps)
    _refuse_moved(names, find_moved(study.steps[start:], moves_numbers))
    states = {
        len(state.steps): state for name in names for state in states_to_measure(study, name, start)
    }
    told = RemainingInformation(bits=0.0)
    for _, state in sorted(states.items()):
        renew = partial(follow_steps, origin, state)
        told = tell_table(origin.engine, state.engine, names, renew).at_least(told)
    # Where cells have few records, those of an exchange tell by chance where they came from.
    known = study._perturbation
    for name in known.find_perturbed(names) if known else ():
        own = tell(study, name)
        told = told if own is None else told.at_least(own)
    return RemainingInformation(bits=told.bits, lost=min(told.lost, told.bits))


def tell_table(
    before: Engine, after: Engine, names: Sequence[str], renew: RenewVariable | None = None
) -> RemainingInformation:
    """Measure what the joint value of some variables tells of the original.

    The one definition of loss, of the categories of a table instead of those of a variable. A
    record that misses one of the variables before is not in the table, and not counted; one that
    is blank in any of them is no longer in it, and loses all.

    Args:
        before: The data before protection.
        after: As they are.
        names: The variables of the table.
        renew: What steps by a rule have made of the categories of each; nothing if None.
    """
    groups = before.pair_with(after, None).group_records(tuple(names), (), ())
    return _tell_joint(groups.pairs, groups.count, renew)


def _tell_joint(
    pairs: Sequence[Pair], count: Count, renew: RenewVariable | None
) -> RemainingInformation:
    old, row_of = _join_codes([pair.before for pair in pairs], pairs)
    new, _ = _join_codes([pair.after for pair in pairs], pairs)
    shown = np.bincount(old[new > 0], minlength=len(row_of) + 1)[1:]
    group = None
    if renew is not None and not all(shown[np.unique(old[old > 0]) - 1]):
        group = _group_joint(pairs, row_of, renew)
    bits, lost = measure_categories(old, new, count, group)
    return RemainingInformation(
        bits=bits, lost=lost, categories=_count_used(old), categories_after=_count_used(new)
    )


def _join_codes(
    codes: Sequence[NDArray[np.int64]], pairs: Sequence[Pair]
) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """Number joint values from 1, 0 where one is missing; and a row that has each."""
    sizes = [len(pair.categories) for pair in pairs]
    joint, row_of = number([code.astype(np.uint32) for code in codes], sizes, rows=len(codes[0]))
    missing = np.logical_or.reduce([code == 0 for code in codes])
    return np.where(missing, 0, joint + 1), row_of


def _group_joint(
    pairs: Sequence[Pair], row_of: NDArray[np.intp], renew: RenewVariable
) -> NDArray[np.int64]:
    """Number joint values by what steps by a rule have made of their variables."""
    made = list(_renew_codes(pairs, row_of, renew))
    sizes = [int(each.max(initial=0)) for each in made]
    return number(made, sizes, rows=len(row_of))[0]


def _renew_codes(
    pairs: Sequence[Pair], row_of: NDArray[np.intp], renew: RenewVariable
) -> Iterator[NDArray[np.uint32]]:
    for pair in pairs:
        texts = pair.texts[: pair.counts[0]]
        new = texts if pair.dropped else renew(pair.name, texts)
        table = np.concatenate([[0], group_alike(new) + 1])
        yield table[pair.before[row_of]].astype(np.uint32)


def _count_used(codes: NDArray[np.int64]) -> int:
    return len(np.unique(codes[codes > 0]))


def _refuse_moved(names: Sequence[str], moved: Sequence[str]) -> None:
    for name in names:
        if name in moved:
            raise UsageError(
                f"{name!r} of the table {' x '.join(names)} holds numbers that were changed, and "
                "no categories to compare. Recode it into bins, or leave it out of the table."
            )


def _find_pool(start: StudyState, after: StudyState) -> Callable[[Pair], Pair]:
    """Gives a variable by the categories that are released."""
    return partial(
        pool_released,
        exchanged=find_exchanged(start, after),
        renew=partial(follow_steps, start, after),
    )


def _lose_model(
    before: Engine,
    after: Engine,
    formula: str,
    *,
    weight: str | None,
    pool: Callable[[Pair], Pair],
    progress: Progress,
) -> tuple[float, str]:
    """What of a model is lost, and what to know; all if it cannot be fitted.

    Intervals are those of the categories that are released, so that a recode of a term changes
    none of them. What it took away is counted by the detail that is kept.
    """
    columns = RecordColumns(before=before, after=after, pool=pool)
    found = _compare_model(columns, formula, weight, progress)
    if found.problem:
        return 1.0, Sentence("model-lost", formula=formula, problem=found.problem)
    read = columns.read_model(read_formula(formula))
    coded = [name for name, (old, _) in read.items() if old.categories is not None]
    detail = sum(_lose_detail(before, after, name, pool) for name in coded) / len(read)
    return 1.0 - min(max(found.overlap, 0.0), 1.0) * (1.0 - detail), ""


def _lose_detail(before: Engine, after: Engine, name: str, pool: Callable[[Pair], Pair]) -> float:
    """The share of a variable's information that went by taking categories together, not blanks."""
    pair, count = pair_variable(before, after, name)
    made = pool(pair)
    if not made.mapped:
        return 0.0
    bits, lost = measure_categories(pair.before, made.before, count)
    return lost / bits if bits else 0.0


def _compare_model(
    columns: RecordColumns, formula: str, weight: str | None, progress: Progress
) -> ModelChange:
    """A model before and after, by weight if there is one.

    Raises:
        InputError: It cannot be fitted to the data as they were.
    """
    progress("comparing numbers", 0.0)
    weights = None if weight is None else read_numbers(columns.before, weight)
    old, new, weights = sort_records(columns.read_model(read_formula(formula)), weights)
    found = compare_models(formula, old, new, weights)
    progress("comparing numbers", 1.0)
    return found
