"""Two states of a file side by side."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np

from microsafe.compare.compute import (
    compare_table,
    count_touched,
    groups,
    means,
    measure_loss,
    measure_pair,
)
from microsafe.compare.numbers import compare_utility
from microsafe.compare.regression import read_formula
from microsafe.compare.result import Comparison, Means, TableChange, Utility, VariableLoss
from microsafe.display import show_percent
from microsafe.engine import Engine
from microsafe.engine.pairs import Count, Pair, PairGroups, StatePairs, is_measurement
from microsafe.engine.roles import suggested_role
from microsafe.errors import InputError, UsageError
from microsafe.progress import Progress, silent
from microsafe.scenario import Scenario
from microsafe.schema import Schema
from microsafe.steps.loss import Information, group_alike
from microsafe.sums import Floats

_SPELLED = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")  # "007" is a code
_MANY = 1000  # categories above which tables and means by category say nothing


def compare(
    before: Engine,
    after: Engine,
    scenarios: Sequence[Scenario],
    *,
    by: Sequence[str] = (),
    numbers: Sequence[str] | None = None,
    models: Sequence[str] = (),
    exchanged: Collection[str] = (),
    measured: Sequence[str] = (),
    told: Callable[[str], Information | None] | None = None,
    renew: Callable[[str, Sequence[str]], Sequence[str]] | None = None,
    progress: Progress = silent,
) -> Comparison:
    """Say what protection cost.

    Args:
        before: The engine as it was.
        after: The engine as it is; the same records in the same order.
        scenarios: Whose keys are looked at; the first also gives the weight.
        by: Further categorical variables for tables and groups.
        numbers: Numeric variables whose means and totals are compared; those found if None.
        models: Regressions to compare, such as `"income ~ age + sex"`.
        exchanged: Variables whose categories were exchanged at random, and mean what they meant.
        measured: Variables that steps changed as numbers, whatever they look like.
        told: What steps have lost of a variable, by its name, if the steps are known.
        renew: What they have made of its categories, likewise.
        progress: Progress callback.

    Assumes:
        An analyst leaves records out of a table or a mean if a value is missing. Formulas and
        limits of each figure are in docs/methods/information-loss.md.
    """
    for each in models:
        read_formula(each)
    states = before.pair_with(after, scenarios[0] if scenarios else None, progress=progress)
    keys = tuple(dict.fromkeys(key for scenario in scenarios for key in scenario.keys))
    apart = _apart(scenarios, states.old)
    progress("comparing variables", 0.0)
    found = _numbers(states, (*keys, *by, *apart), numbers)
    named = tuple(dict.fromkeys((*keys, *by)))
    others = states.find_altered((*named, *apart))
    taken = [name for name in measured if name not in (*named, *apart) and name in states.new]
    if numbers is None:
        found = tuple(dict.fromkeys((*found, *_find_spelled(before, after, others), *taken)))
    rows = states.group_records(named, others, [name for name in found if name in states.new])
    pairs, weight, count = rows.pairs, rows.weight, rows.count
    progress("comparing variables", 1.0)
    shown = [each for each in pairs if each.name not in rows.apart]
    whole = [rows.apart.get(each.name, (each, weight, count)) for each in pairs]
    pool = partial(_pool, exchanged=exchanged, renew=renew)
    pools = [pool(each) for each in shown if each.name in named]
    few = [(pool(each), w) for each, w, _ in whole if each.name not in (*named, *found)]
    tables = tuple(_tables(pools, few, weight, progress))
    averages, lost = _means(states, rows, found, pools, keys, progress)
    blanked = [group for each in pairs for group in groups(each, shown, count)]
    moved = [each.name for each, _, _ in whole if each.name in found and each.changed.any()]
    moved = list(dict.fromkeys((*moved, *(name for name in taken if name in found))))
    utility, why = None, "There is no room to compare numbers record by record."
    try:
        utility = compare_utility(
            before, after, numbers=found, moved=moved, named=named, models=models,
            weight=scenarios[0].weight if scenarios else None, progress=progress,
        )  # fmt: skip
    except UsageError:
        if models:
            raise
        why = "The records have no order: numbers are not compared record by record."
    if moved and utility is None:
        lost.append(why)
    losses = [
        measure_loss(each, n, key=each.name in keys, told=_ask(told, each)) for each, _, n in whole
    ]
    if told is None:
        losses = [_count_moved(each, utility) for each in losses]
    return Comparison(
        source=states.old.source,
        records=rows.records,
        weight=scenarios[0].weight if scenarios else None,
        keys=keys,
        touched=count_touched(pairs, keys, weight, count),
        losses=tuple(losses),
        groups=tuple(sorted(blanked, key=lambda group: (-group.share, -group.known))),
        tables=tables,
        means=tuple(averages),
        dropped=tuple(name for name in states.old.names if name not in states.new),
        notes=(*_notes([(each, n) for each, _, n in whole], found, exchanged, pool), *lost),
        utility=utility,
    )


def _ask(told: Callable[[str], Information | None] | None, pair: Pair) -> Information | None:
    """What steps have lost of a variable, if they are known and changed it."""
    same = not pair.dropped and bool((pair.before == pair.after).all())
    return None if told is None or same else told(pair.name)


def _count_moved(loss: VariableLoss, utility: Utility | None) -> VariableLoss:
    """Numbers that were moved differ from each other as before, but tell less of the original."""
    for each in utility.numbers if utility else ():
        if each.name == loss.name and each.unexplained == each.unexplained:
            return replace(loss, lost=max(loss.lost, loss.entropy * each.unexplained))
    return loss


def _apart(scenarios: Sequence[Scenario], schema: Schema) -> tuple[str, ...]:
    """Variables that carry no information for an analyst: weights and numbers of things."""
    used = {scenario.weight for scenario in scenarios} | {each.household for each in scenarios}
    roles = ("identifier", "household", "weight")
    return tuple(
        each.name
        for each in schema
        if each.name in used or each.role in roles or suggested_role(each, (), 0) in roles
    )


def _numbers(
    states: StatePairs, leave: Sequence[str], named: Sequence[str] | None
) -> tuple[str, ...]:
    """Numeric variables: those named, or those that are no categories and no identifiers."""
    if named is None:
        return states.find_numeric(leave)
    for name in named:
        states.old[name]
    return tuple(dict.fromkeys(named))


def _find_spelled(before: Engine, after: Engine, altered: Sequence[str]) -> Iterator[str]:
    """Variables that a file without types spells out, but that measure something."""
    for name in altered:
        variable = before.schema[name]
        if variable.kind != "text":
            continue
        try:
            sides = [engine.categories(name) for engine in (before, after)]
        except InputError:  # there are too many to look at
            continue
        if all(_SPELLED.fullmatch(each) for side in sides for each in side):
            fractions = any("." in each for each in sides[0])
            if is_measurement(variable, len(sides[0]), before.rows(), fractions=fractions):
                yield name


def _tables(
    named: Sequence[Pair],
    others: Sequence[tuple[Pair, Floats]],
    weight: Floats,
    progress: Progress,
) -> Iterator[TableChange]:
    """One-way tables of all variables, two-way tables of those that were named."""
    wanted: list[tuple[tuple[Pair, ...], Floats]] = [((each,), weight) for each in named]
    wanted += [((each,), own) for each, own in others if len(each.categories) <= _MANY]
    wanted += [(both, weight) for both in combinations(named, 2)]
    for done, (each, own) in enumerate(wanted):
        progress("comparing tables", done / len(wanted))
        made = compare_table(each, own)
        if made is not None:
            yield made
    progress("comparing tables", 1.0)


def _means(
    states: StatePairs,
    rows: PairGroups,
    names: Sequence[str],
    pairs: Sequence[Pair],
    keys: Sequence[str],
    progress: Progress,
) -> tuple[list[Means], list[str]]:
    made, lost = [], []
    by = [each for each in pairs if each.name in keys and len(each.categories) <= _MANY]
    for done, name in enumerate(names):
        progress("comparing means", done / len(names))
        if name not in states.new:
            lost.append(f"{name} was dropped: there are no means to compare.")
            continue
        sums = rows.sums(name)
        if sums is None:
            lost.append(f"{name} does not hold numbers on both sides: no means are compared.")
            continue
        made += [means(name, sums, each) for each in (None, *by) if _has(each)]
    progress("comparing means", 1.0)
    return made, lost


def _has(by: Pair | None) -> bool:
    return by is None or not (by.dropped or (by.pool and len(by.categories) == 1))


def _pool(
    pair: Pair,
    *,
    exchanged: Collection[str],
    renew: Callable[[str, Sequence[str]], Sequence[str]] | None,
) -> Pair:
    """A variable by the categories that are released.

    If they are not made of those before, by the categories that still agree, and all others as one.
    """
    if pair.dropped or not pair.differing().any():
        return pair
    texts = new = pair.texts[: pair.counts[0]]
    if renew is not None and (pair.name in exchanged or pair.blank.any()):
        new = tuple(renew(pair.name, texts))
    if pair.name in exchanged:
        return pair if new == texts else pair.map_texts(new)
    group = None if new == texts else group_alike(new)
    return pair.map_recoded(group) or pair.pool_changed()


def _notes(
    compared: Sequence[tuple[Pair, Count]],
    numbers: Sequence[str],
    exchanged: Collection[str],
    pool: Callable[[Pair], Pair],
) -> Iterator[str]:
    for each, count in compared:
        if each.dropped:
            yield f"{each.name} was dropped: all of its information is lost."
            continue
        differs = each.differing()
        if not differs.any():
            continue
        if each.name in exchanged:
            yield f"{each.name} was perturbed: tables compare its categories before and after."
            continue
        kept = int(np.count_nonzero(~differs[1:]))
        if each.name in numbers:
            yield f"{each.name} has new numbers: compared by mean, total and information lost."
        elif (pooled := pool(each)).mapped:
            bits, lost = measure_pair(replace(each, after=pooled.before), count)
            share = show_percent(lost / bits if bits else 0.0)
            yield (
                f"{each.name} was recoded: tables compare the categories released "
                f"({each.counts[1]:,}); the recode alone loses {share} of the information."
            )
        elif kept:
            yield (
                f"{each.name} was changed: tables compare the categories that still agree "
                f"({kept:,}) and take all others as one."
            )
        else:
            yield (
                f"{each.name} was changed and no category agrees: compared by information lost "
                "only."
            )
