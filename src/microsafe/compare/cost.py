"""Measure what steps cost: loss, blanks, tables, means."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np

from microsafe.cells import number
from microsafe.compare.comparison import Comparison
from microsafe.compare.cost_figures import Domain, GroupBlanks, Means, Touched, VariableLoss
from microsafe.compare.numeric_utility import compare_utility
from microsafe.compare.propensity import Propensity, measure_propensity
from microsafe.compare.record_columns import FEW
from microsafe.compare.regression import Column, read_formula
from microsafe.compare.step_loss import tell_files
from microsafe.compare.tables import TableChange, check_tables, compare_named, compare_table
from microsafe.compare.worst_groups import GroupLoss, RecordLoss, find_hardest
from microsafe.engine import Engine
from microsafe.engine.state_pairs import (
    Count,
    Flags,
    GroupSums,
    Pair,
    PairGroups,
    Places,
    StatePairs,
)
from microsafe.errors import UsageError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.schema import Schema
from microsafe.sentences import Sentence
from microsafe.steps.loss import (
    InformationLoss,
    RemainingInformation,
    group_alike,
    keep_categories,
    measure_categories,
)
from microsafe.sums import Floats, sum_by
from microsafe.variables.roles import named_role

_MOST_GROUPS = 1000  # categories; with more, a variable makes no groups worth naming


def measure_loss(
    pair: Pair,
    count: Count,
    *,
    key: bool,
    told: InformationLoss | RemainingInformation | None = None,
) -> VariableLoss:
    """Count what a variable lost.

    Args:
        pair: The variable before and after.
        count: Records in each group.
        key: Whether it is a key.
        told: What it tells of the file before protection, if that is known.
    """
    known = pair.known
    bits, lost = (told.bits, told.lost) if told else measure_pair(pair, count)
    differs = pair.differing()
    return VariableLoss(
        name=pair.name,
        key=key,
        known=_records(known, count),
        blanks=0 if pair.dropped else _records(pair.blank, count),
        replaced=_records(pair.changed & known, count),
        categories=pair.counts[0],
        categories_after=pair.counts[1],
        agreeing=0 if pair.dropped else pair.counts[0] - _count_used(pair.before, differs),
        entropy=bits,
        lost=lost,
        dropped=pair.dropped,
    )


def measure_pair(pair: Pair, count: Count) -> tuple[float, float]:
    """Return the entropy of a variable before, and what is lost of it."""
    return measure_categories(pair.before, pair.after, count)


def _records(which: Flags, count: Count) -> int:
    """How many records are in some of the groups."""
    return int(count[which].sum())


def _count_codes(codes: Places, rows: Places, size: int, count: Count) -> Places:
    """Records of each code in some of the groups."""
    return np.bincount(codes[rows], count[rows], size).astype(np.int64)


def _count_used(codes: Places, which: Flags) -> int:
    used = np.bincount(codes, minlength=len(which)) > 0
    return int(np.count_nonzero(used & which))


def count_touched(
    pairs: Sequence[Pair], keys: Sequence[str], weight: Floats, count: Count
) -> Touched:
    """Count what was changed."""
    hit = np.zeros(len(weight), np.bool_)
    values = 0
    for pair in pairs:
        if not pair.dropped:
            here = pair.before != pair.after
            values += _records(here, count)
            hit |= here
    of_keys = [pair for pair in pairs if pair.name in keys]
    group, first = number(
        [pair.before.astype(np.uint32) for pair in of_keys],
        [len(pair.categories) for pair in of_keys],
        rows=len(weight),
    )
    whole = float(weight.sum())
    return Touched(
        values=values,
        cells=int(np.count_nonzero(np.bincount(group[hit], minlength=len(first)))),
        all_cells=len(first),
        records=_records(hit, count),
        weight=float(weight[hit].sum()) / whole if whole else 0.0,
    )


def groups(pair: Pair, by: Sequence[Pair], count: Count) -> list[GroupBlanks]:
    """Count the blanks of a variable in every category of the others and of itself."""
    if pair.dropped or not pair.blank.any():
        return []
    known, blank = np.flatnonzero(pair.known), np.flatnonzero(pair.blank)
    found = []
    for other in by:
        size = len(other.categories) + 1
        if size > _MOST_GROUPS:
            continue
        there = _count_codes(other.before, known, size, count)
        gone = _count_codes(other.before, blank, size, count)
        found += [
            GroupBlanks(
                name=pair.name,
                by=other.name,
                category=other.categories[code - 1],
                known=int(there[code]),
                blanks=int(gone[code]),
            )
            for code in np.flatnonzero(gone).tolist()
            if code
        ]
    return found


def means(name: str, sides: tuple[GroupSums, GroupSums], by: Pair | None) -> Means:
    """Compare means and totals of a numeric variable by category of a pooled variable."""
    rows = len(sides[0].total)
    codes = (np.ones(rows, np.int64),) * 2 if by is None else (by.before, by.after)
    labels = ("",) if by is None else by.categories
    size = len(labels) + 1
    pairs = list(zip(sides, codes, strict=True))
    sums = [sum_by(code, side.total, size)[1:] for side, code in pairs]
    weights = [sum_by(code, side.weight, size)[1:] for side, code in pairs]
    counts = [sum_by(code, side.count, size)[1:] for side, code in pairs]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = [total / weight for total, weight in zip(sums, weights, strict=True)]
    domains = tuple(
        Domain(
            category=labels[at],
            records=int(counts[0][at]),
            mean=(float(mean[0][at]), float(mean[1][at])),
            total=(float(sums[0][at]), float(sums[1][at])),
        )
        for at in np.flatnonzero(counts[0] + counts[1]).tolist()
    )
    return Means(name=name, by="" if by is None else by.name, domains=domains)


Loss = InformationLoss | RemainingInformation
_MANY = 1000  # categories above which tables and means by category say nothing


def compare(
    before: Engine,
    after: Engine,
    scenarios: Sequence[Scenario],
    *,
    by: Sequence[str] = (),
    numbers: Sequence[str] | None = None,
    tables: Sequence[Sequence[str]] = (),
    models: Sequence[str] = (),
    exchanged: Collection[str] = (),
    measured: Sequence[str] = (),
    told: Callable[[str], Loss | None] | None = None,
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
        tables: Tables to compare cell by cell, each by the names of its variables.
        models: Regressions to compare, such as `"income ~ age + sex"`; logistic if the outcome has
            two values, or `"work = yes ~ age + sex"` says which category is meant.
        exchanged: Variables whose categories were exchanged at random, and mean what they meant.
        measured: Variables that steps changed as numbers, whatever they look like.
        told: What steps have lost of a variable, by its name, if the steps are known.
        renew: What they have made of its categories, likewise.
        progress: Progress callback.

    Assumes:
        An analyst leaves records out of a table or a mean if a value is missing. Formulas and
        limits of each figure are in docs/methods/information-loss.md.
    """
    for names in (*tables, *(read_formula(model).names for model in models)):
        for name in names:
            before.schema[name]
    states = before.pair_with(after, scenarios[0] if scenarios else None, progress=progress)
    keys = tuple(dict.fromkeys(key for scenario in scenarios for key in scenario.keys))
    apart = _apart(scenarios, states.old)
    progress("comparing variables", 0.0)
    found = _numbers(states, (*keys, *by, *apart), numbers)
    named = tuple(dict.fromkeys((*keys, *by)))
    others = states.find_altered((*named, *apart))
    taken = [name for name in measured if name not in (*named, *apart) and name in states.new]
    if numbers is None:
        left = [n for n in states.new.names if n in states.old and n not in (*named, *apart)]
        found = tuple(dict.fromkeys((*found, *states.find_spelled(left), *taken)))
    free = [name for names in tables for name in names if name not in named and name in states.new]
    check_tables(tables, after, {*found, *states.find_spelled(free)})
    rows = states.group_records(named, others, [name for name in found if name in states.new])
    pairs, weight, count = rows.pairs, rows.weight, rows.count
    progress("comparing variables", 1.0)
    shown = [pair for pair in pairs if pair.name not in rows.apart]
    whole = [rows.apart.get(pair.name, (pair, weight, count)) for pair in pairs]
    pool = partial(pool_released, exchanged=exchanged, renew=renew)
    pools = [pool(pair) for pair in shown if pair.name in named]
    few = [(pool(pair), w, n) for pair, w, n in whole if pair.name not in (*named, *found)]
    weighted = bool(scenarios and scenarios[0].weight)
    asked = compare_named(tables, states, rows, pool, weighted=weighted, progress=progress)
    usual = _tables(pools, few, weight, count, progress, weighted=weighted)
    compared, untold = _join_tables(usual, asked)
    averages, lost = _means(states, rows, found, pools, keys, progress)
    blanked = [group for pair in pairs for group in groups(pair, shown, count)]
    moved = [pair.name for pair, _, _ in whole if pair.name in found and pair.changed.any()]
    moved = list(dict.fromkeys((*moved, *(name for name in taken if name in found))))
    utility, why = None, Sentence("numbers-no-room")
    try:
        utility = compare_utility(
            before, after, numbers=found, moved=moved, named=named, models=models,
            weight=scenarios[0].weight if scenarios else None, pool=pool, progress=progress,
        )  # fmt: skip
    except UsageError:
        if models:
            raise
        why = Sentence("numbers-no-order")
    if moved and utility is None:
        lost.append(why)
    losses = []
    for done, (each, _, n) in enumerate(whole):
        progress("measuring loss", done / len(whole))
        known = _ask(told, each) if told else tell_files(before, after, each, n, keys)
        losses.append(measure_loss(each, n, key=each.name in keys, told=known))
    progress("looking for who lost most", 0.0)
    hardest = _find_hardest(losses, pairs, named, count, renew)
    progress("telling records apart", 0.0)
    propensity = _tell_apart(pools, count)
    progress("telling records apart", 1.0)
    return Comparison(
        source=states.old.source,
        records=rows.records,
        weight=scenarios[0].weight if scenarios else None,
        keys=keys,
        touched=count_touched(pairs, keys, weight, count),
        losses=tuple(losses),
        groups=tuple(sorted(blanked, key=lambda group: (-group.share, -group.known))),
        tables=compared,
        means=tuple(averages),
        dropped=tuple(name for name in states.old.names if name not in states.new),
        notes=(
            *_notes(
                [(pair, n) for pair, _, n in whole],
                [average.name for average in averages],
                exchanged,
                pool,
            ),
            *lost,
            *untold,
        ),
        utility=utility,
        hardest=hardest,
        propensity=propensity,
    )


def _ask(told: Callable[[str], Loss | None], pair: Pair) -> Loss | None:
    """What a variable has lost, if it was changed and that is known."""
    same = not pair.dropped and bool((pair.before == pair.after).all())
    return None if same else told(pair.name)


def _apart(scenarios: Sequence[Scenario], schema: Schema) -> tuple[str, ...]:
    """Variables that carry no information for an analyst: weights and numbers of things."""
    used = {scenario.weight for scenario in scenarios} | {
        scenario.household for scenario in scenarios
    }
    roles = ("identifier", "household", "weight")
    return tuple(
        variable.name
        for variable in schema
        if variable.name in used or named_role(variable) in roles
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


def _tables(
    named: Sequence[Pair],
    others: Sequence[tuple[Pair, Floats, Count]],
    weight: Floats,
    count: Count,
    progress: Progress,
    *,
    weighted: bool,
) -> Iterator[TableChange]:
    """One-way tables of all variables, two-way tables of those that were named."""
    wanted: list[tuple[tuple[Pair, ...], Floats, Count]] = [
        ((pair,), weight, count) for pair in named
    ]
    wanted += [((pair,), w, n) for pair, w, n in others if len(pair.categories) <= _MANY]
    wanted += [(both, weight, count) for both in combinations(named, 2)]
    for done, (each, w, n) in enumerate(wanted):
        progress("comparing tables", done / len(wanted))
        made = compare_table(each, w, n if weighted else None)
        if made is not None:
            yield made
    progress("comparing tables", 1.0)


def _join_tables(
    usual: Iterable[TableChange], asked: Iterable[TableChange | str]
) -> tuple[tuple[TableChange, ...], list[str]]:
    """All tables, those that were asked for last and once, and why some are not there."""
    answers = list(asked)
    made = [answer for answer in answers if isinstance(answer, TableChange)]
    twice = {frozenset(change.names) for change in made}
    others = [change for change in usual if frozenset(change.names) not in twice]
    return (*others, *made), [answer for answer in answers if isinstance(answer, str)]


def _tell_apart(pairs: Sequence[Pair], count: Count) -> Propensity | None:
    """Whether a model tells released from original records; None if no category differs."""
    few = [pair for pair in pairs if not pair.dropped and 1 < len(pair.categories) <= FEW]
    if all((pair.before == pair.after).all() for pair in few):
        return None
    order = np.lexsort([side for pair in few for side in (pair.before, pair.after)])
    before = [Column(data=pair.before[order], categories=pair.categories) for pair in few]
    after = [Column(data=pair.after[order], categories=pair.categories) for pair in few]
    return measure_propensity([pair.name for pair in few], before, after, count[order])


def _find_hardest(
    losses: Sequence[VariableLoss],
    pairs: Sequence[Pair],
    by: Sequence[str],
    count: Count,
    renew: Callable[[str, Sequence[str]], Sequence[str]] | None,
) -> tuple[GroupLoss, ...]:
    """Groups by some variables that lost most of the keys, or of all if there are no keys."""
    of = {pair.name: pair for pair in pairs}
    spread = [
        RecordLoss.measure(
            of[each.name],
            count,
            each.lost_share,
            keep_categories if renew is None else partial(renew, each.name),
        )
        for each in [loss for loss in losses if loss.key] or losses
    ]
    return find_hardest(spread, [of[name] for name in by], count)


def _means(
    states: StatePairs,
    rows: PairGroups,
    names: Sequence[str],
    pairs: Sequence[Pair],
    keys: Sequence[str],
    progress: Progress,
) -> tuple[list[Means], list[str]]:
    made: list[Means] = []
    lost: list[str] = []
    by = [pair for pair in pairs if pair.name in keys and len(pair.categories) <= _MANY]
    for done, name in enumerate(names):
        progress("comparing means", done / len(names))
        if name not in states.new:
            lost.append(Sentence("means-gone", name=name))
            continue
        sums = rows.sums(name)
        if sums is None:
            lost.append(Sentence("means-none", name=name))
            continue
        made += [means(name, sums, pair) for pair in (None, *by) if _has(pair)]
    progress("comparing means", 1.0)
    return made, lost


def _has(by: Pair | None) -> bool:
    return by is None or not (by.dropped or (by.pool and len(by.categories) == 1))


def pool_released(
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
    for pair, count in compared:
        if pair.dropped:
            yield Sentence("variable-lost", name=pair.name)
            continue
        differs = pair.differing()
        if not differs.any():
            continue
        if pair.name in exchanged:
            yield Sentence("variable-perturbed", name=pair.name)
            continue
        kept = int(np.count_nonzero(~differs[1:]))
        if pair.name in numbers:
            yield Sentence("numbers-new", name=pair.name)
        elif (pooled := pool(pair)).mapped:
            bits, lost = measure_pair(replace(pair, after=pooled.before), count)
            share = lost / bits if bits else 0.0
            yield Sentence("variable-recoded", name=pair.name, kept=pair.counts[1], share=share)
        elif kept:
            yield Sentence("variable-changed", name=pair.name, kept=kept)
        else:
            yield Sentence("categories-changed", name=pair.name)
