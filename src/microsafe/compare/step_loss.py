"""What the steps of a study have lost of each variable, by the one definition of loss."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import numpy as np
import polars as pl

from microsafe.cells import Cells
from microsafe.codes import spell_code
from microsafe.engine import Engine
from microsafe.engine.state_pairs import Count, Pair, keep_used_categories
from microsafe.errors import InputError, MicrosafeError
from microsafe.options.parameter import parameters
from microsafe.options.scenario import Scenario
from microsafe.schema import Variable
from microsafe.steps.base import AppliedStep, Step
from microsafe.steps.change import Change
from microsafe.steps.loss import (
    CATEGORIES,
    NOTHING,
    NUMBERS,
    InformationLoss,
    RemainingInformation,
    Renew,
    group_alike,
    keep_categories,
    pair_variable,
    tell_numbers,
    tell_pair,
)
from microsafe.studies.state import StudyState


def measure_information(start: StudyState, after: StudyState) -> tuple[InformationLoss, ...]:
    """Measure what the steps since an earlier state have lost of each variable they changed."""
    found = (compare_told(start, after, name) for name in find_changed(start, after))
    return tuple(loss for loss in found if loss is not None)


def measure_mean(start: StudyState, after: StudyState, names: Sequence[str]) -> float:
    """Return the share of information that steps have lost, as a mean of some variables."""
    lost = {loss.variable: loss.share_lost for loss in measure_information(start, after)}
    return sum(lost.get(name, 0.0) for name in names) / max(len(names), 1)


def find_changed(start: StudyState, after: StudyState) -> tuple[str, ...]:
    """Return the variables that steps since an earlier state have changed."""
    taken = [step for step in after.steps[len(start.steps) :] if step.step.loss != NOTHING]
    return tuple(dict.fromkeys(name for step in taken for name in _changed_by(step)))


def compare_told(start: StudyState, after: StudyState, name: str) -> InformationLoss | None:
    """Compare what a variable tells of the original in two states of a study."""
    after_all = tell(after, name)
    if after_all is None:
        return None
    drawn = len(after._before().steps)
    earlier = tell(start, name) if len(start.steps) > drawn else None
    before = earlier or RemainingInformation(
        bits=after_all.bits,
        categories=after_all.categories,
        categories_after=after_all.categories,
    )
    return InformationLoss.between(name, before, after_all.at_least(before))


def tell(study: StudyState, name: str) -> RemainingInformation | None:
    """Measure what a variable tells of the file before protection.

    Recodes, and blanks, can only lose; what comes after a step at random, or of numbers, might seem
    to gain, so that no state may tell more than an earlier one.
    """
    origin = study._before()
    keys = {
        key for state in (origin, study) for scenario in state.scenarios for key in scenario.keys
    }
    told = None
    for state in states_to_measure(study, name, len(origin.steps)):
        steps = state.steps[len(origin.steps) :]
        numbers = find_moved(steps, moves_numbers if name in keys else takes_numbers)
        loss = NUMBERS if name in numbers else CATEGORIES
        renew = partial(follow_steps, origin, state, name)
        found = loss.measure(origin.engine, state.engine, name, renew)
        if found is not None:
            told = found if told is None else found.at_least(told)
    return told


def tell_files(
    before: Engine, after: Engine, pair: Pair, count: Count, keys: Sequence[str]
) -> RemainingInformation:
    """Measure what a variable tells if nobody knows the steps; keys are categories."""
    told, name = tell_pair(pair, count), pair.name
    if pair.dropped or name in keys or not pair.changed.any():
        return told
    if not _look_like_numbers(pair, count, before.schema[name], after.schema[name]):
        return told
    return tell_numbers(before, after, name, told)


def _look_like_numbers(pair: Pair, count: Count, old: Variable, new: Variable) -> bool:
    """Whether values still are numbers on the scale that they were on.

    Categories that were renamed or put into groups are not: all records of one have become the
    same, in another order; codes of groups lie elsewhere than what they stand for; or they have
    labels.
    """
    named = {spell_code(code) for code in new.labels}
    shown = pair.known & (pair.after > 0)
    after = {pair.texts[code - 1].strip() for code in np.unique(pair.after[shown]).tolist()}
    if old.measure in ("nominal", "ordinal") or after <= named:
        return False
    values = pl.Series(list(pair.texts), dtype=pl.String).cast(pl.Float64, strict=False).to_numpy()
    x, z = values[pair.before[shown] - 1], values[pair.after[shown] - 1]
    if not np.isfinite([x, z]).all():
        return False
    order = np.lexsort((z, x))
    rises, same = np.diff(z[order]), np.diff(x[order]) == 0
    alike = int(count[shown].sum()) >= 2 * (len(x) - int(np.count_nonzero(same)))
    if alike and not rises[same].any() and (rises < 0).any():
        return False
    scale = float(np.abs(x).max(initial=0.0)) or 1.0  # squares of large numbers have no room
    mean, later = (float(np.average(each / scale, weights=count[shown])) for each in (x, z))
    spread = float(np.average((x / scale - mean) ** 2, weights=count[shown]))
    return abs(later - mean) <= math.sqrt(spread)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShownVariable:
    """A variable of the file before protection beside what is shown of it, to try recodes on.

    Attributes:
        pair: Both, by groups of records that are alike.
        count: Records of each group.
        told: What is told so far.
        renew: What steps so far have made of categories.
    """

    pair: Pair
    count: Count
    told: RemainingInformation
    renew: Renew = keep_categories

    @classmethod
    def of_cells(cls, cells: Cells, key: str) -> Self:
        """Take a key that no step has changed."""
        place = cells.keys.index(key)
        used = keep_used_categories(cells.codes[place], cells.categories[place])
        texts = tuple(used.categories)
        codes, count = np.arange(len(texts) + 1), np.zeros(len(texts) + 1, np.int64)
        np.add.at(count, used.codes, cells.count)
        pair = Pair(
            name=key,
            before=codes,
            after=codes,
            categories=texts,
            counts=(len(texts), len(texts)),
            texts=texts,
        )
        return cls(pair=pair, count=count, told=tell_pair(pair, count))

    def drop(self) -> InformationLoss:
        """Say what would be lost without the variable."""
        told = self.told
        return InformationLoss.between(
            self.pair.name, told, replace(told, lost=told.bits, categories_after=0)
        )

    def recode(self, variable: Variable, step: Change) -> InformationLoss:
        """Say what a recode would lose."""
        pair, occurring = self.pair, np.unique(self.pair.after[self.pair.after > 0])
        new = step.apply_rule(variable, [pair.texts[code - 1] for code in occurring.tolist()])
        table = np.zeros(len(pair.texts) + 1, np.int64)
        table[occurring] = group_alike(new) + 1
        made = replace(
            pair, after=table[pair.after], counts=(pair.counts[0], len({*new})), mapped=True
        )
        found = tell_pair(
            made, self.count, lambda texts: step.apply_rule(variable, self.renew(texts))
        )
        return InformationLoss.between(pair.name, self.told, found.at_least(self.told))


def find_shown(study: StudyState, scenario: Scenario) -> dict[str, ShownVariable]:
    """Return the keys that steps have changed, as they are shown."""
    origin = study._before()
    found = {}
    for key in set(scenario.keys).intersection(find_changed(origin, study)):
        told = tell(study, key)
        if told is not None:
            pair, count = pair_variable(origin.engine, study.engine, key)
            renew = partial(follow_steps, origin, study, key)
            found[key] = ShownVariable(pair=pair, count=count, told=told, renew=renew)
    return found


def find_exchanged(start: StudyState, after: StudyState) -> tuple[str, ...]:
    """Return the variables whose categories steps since then have exchanged at random."""
    known, before = after._perturbation, start._perturbation
    if known is None:
        return ()
    old = () if before is None else before.transitions
    return tuple(name for name in known.transitions if name in known.exchanged or name not in old)


def states_to_measure(study: StudyState, name: str, start: int) -> Iterator[StudyState]:
    """The last state, and those before it that may seem to tell less.

    These are the states after steps at random and, where some step is of numbers, all: before it
    the loss is that of categories.
    """
    numbers = name in find_moved(study.steps[start:], takes_numbers)
    touching = [at for at in range(start, len(study.steps)) if name in _changed_by(study.steps[at])]
    for at in touching[:-1]:
        state = study.rollback(at + 1)
        if numbers or not (study.steps[at].blanks or _is_by_rule(state, name)):
            yield state
    yield study


def _is_by_rule(state: StudyState, name: str) -> bool:
    """Whether the last step did the same to all records of a category."""
    try:
        texts = state.undo().engine.categories(name)
    except InputError:  # there are too many to look at
        return False
    return _new_categories(state, name, texts) is not None


def _changed_by(taken: AppliedStep) -> Sequence[str]:
    return taken.step.changed_variables(taken)


def _new_categories(state: StudyState, name: str, texts: Sequence[str]) -> Sequence[str] | None:
    """What the last step of a study made of categories; None if that is not known."""
    before = state.undo()
    if name not in before.schema:
        return None
    try:
        return state.steps[-1].step.new_categories(before.schema[name], texts)
    except MicrosafeError:  # the rule does not suit categories that are no longer there
        return None


def follow_steps(
    start: StudyState, after: StudyState, name: str, texts: Sequence[str]
) -> Sequence[str]:
    """Return what steps by a rule have made of categories since an earlier state."""
    for at in range(len(start.steps), len(after.steps)):
        if name in _changed_by(after.steps[at]) and not after.steps[at].blanks:
            texts = _new_categories(after.rollback(at + 1), name, texts) or texts
    return texts


def find_moved(steps: Sequence[AppliedStep], of_kind: Callable[[Step], bool]) -> tuple[str, ...]:
    """Return the variables that steps of a kind changed as numbers, and that are numbers still."""
    found: dict[str, None] = {}
    for step in steps:
        names = _changed_by(step)
        if of_kind(step.step):
            found.update(dict.fromkeys(names))
        elif not takes_numbers(step.step) and not step.blanks:  # recoded, or exchanged
            found = {name: None for name in found if name not in names}
    return tuple(found)


def takes_numbers(step: Step) -> bool:
    """Whether a step asks for numeric variables."""
    return any(asked.numeric for asked in parameters(type(step)).values())


def moves_numbers(step: Step) -> bool:
    """Whether numbers move; rounding and coding of tails may change numbers of categories too."""
    return step.loss == NUMBERS
