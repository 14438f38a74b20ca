"""The risk of numeric variables: two states of the same records side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from microsafe.engine import Engine
from microsafe.engine.record_access import Form, RecordNumbers, Selection
from microsafe.engine.weights import check_weights
from microsafe.errors import InputError, NotNumericError, UsageError
from microsafe.options.parameter import secrets
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.risk.numeric.intervals import measure_intervals
from microsafe.risk.numeric.linkage import measure_linkage
from microsafe.risk.numeric.pairs import NumberPairs
from microsafe.risk.numeric.result import NumericRisk
from microsafe.risk.numeric.window import SwapWindow, measure_window
from microsafe.studies.key_subsets import count_key_subsets, find_key_subsets
from microsafe.studies.state import StudyState
from microsafe.sums import Floats

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk.numeric.pairs import Places
    from microsafe.steps.base import Step
    from microsafe.steps.perturbation import PerturbationState

_PER_VALUE = 80  # bytes of a value before and after, and of a tree


def find_changed_numbers(before: StudyState, after: StudyState) -> tuple[str, ...]:
    """Numeric variables that steps since then have changed.

    Keys are left out, and what nobody outside knows: weights, and numbers of households.
    """
    taken = [step for step in after.steps[len(before.steps) :] if step.step.do != "renumber"]
    names = dict.fromkeys(name for each in taken for name in each.step.changed_variables(each))
    keys = {
        key
        for scenario in after.scenarios
        for key in (*scenario.keys, scenario.household, scenario.weight)
    }
    return tuple(
        name
        for name in names
        if name in after.schema
        and name not in keys
        and holds_numbers(before.engine, name)
        and holds_numbers(after.engine, name)
    )


def holds_numbers(engine: Engine, name: str) -> bool:
    """Tell whether a variable holds numbers, be they written as text."""
    kind = engine.schema[name].kind
    if kind != "text":
        return kind in ("integer", "number")
    try:
        for _ in engine.columns(Selection(forms={name: "number"})):
            pass
    except NotNumericError:
        return False
    return True


def find_windows(before: StudyState, after: StudyState) -> list[SwapWindow]:
    """Return how far steps since then have swapped values by rank; again is farther.

    Strata are those of the values that were swapped last.
    """
    found: dict[str, SwapWindow] = {}
    for number in range(len(before.steps), len(after.steps)):
        step = after.steps[number].step
        if step.swap_window is None:
            continue
        most, strata = step.swap_window
        stratum = _read_strata(after.rollback(number).engine, strata)
        for name in step.targets:
            percent = most + (found[name].percent if name in found else 0.0)
            found[name] = SwapWindow(variable=name, percent=min(percent, 100.0), stratum=stratum)
    return list(found.values())


def _read_strata(engine: Engine, names: Sequence[str]) -> Places | None:
    """Classes of records with equal strata, from 0; None if there are none."""
    if not names:
        return None
    _, columns = _read(engine, Selection(forms=dict.fromkeys(names, "code")), silent)
    return _group([columns[name] for name in names])


def measure_changed_numbers(
    study: StudyState, scenario: Scenario, *, progress: Progress = silent
) -> NumericRisk | None:
    """Measure the risk of all numbers that steps have changed; None if none were.

    Of a file that was read back it is that of the study that wrote it: what they hold is the same,
    and there records are in the order of the originals.
    """
    after = study._written_by or study
    before = after._before()
    names = find_changed_numbers(before, after)
    if not names:
        return None
    return compare_numbers(
        before.engine,
        after.engine,
        names,
        keys=[key for key in scenario.keys if key in after.schema],
        weight=scenario.weight if scenario.weight in before.schema else None,
        known=after._perturbation,
        windows=find_windows(before, after),
        progress=progress,
    )


def find_seeds(step: Step) -> dict[str, int]:
    """Return the seeds that a step was given, by name."""
    found = {name: getattr(step, name) for name in secrets(type(step))}
    return {name: seed for name, seed in found.items() if seed is not None}


def draw_anew(step: Step, number: int) -> Step:
    """Return the step with other seeds, always the same ones."""
    changes = {
        name: int.from_bytes(sha256(f"{seed} {number}".encode()).digest()[:6], "little")
        for name, seed in find_seeds(step).items()
    }
    return replace(step, **changes) if changes else step  # type: ignore[type-var]


def compare_numbers(
    before: Engine,
    after: Engine,
    names: Sequence[str],
    *,
    keys: Sequence[str] = (),
    weight: str | None = None,
    identifier: str | None = None,
    known: PerturbationState | None = None,
    windows: Sequence[SwapWindow] = (),
    width: float = 0.05,
    by_ranks: bool = False,
    progress: Progress = silent,
) -> NumericRisk:
    """Measure the risk of numeric variables from two states of the same records.

    Args:
        before: The originals.
        after: What is released.
        names: Numeric variables that an intruder knows.
        keys: Variables of what is released within which records are compared.
        weight: Of the originals.
        identifier: Variable that pairs the records; their place if None.
        known: What is known of perturbed keys. Unless it is, records count as if they had kept
            the keys that they show, which is more.
        windows: How far values were swapped, by rank; strata in the order of the originals.
        width: Half the interval around a released value.
        by_ranks: Whether it is a share of the ranks, not of the standard deviation.
        progress: Progress callback.

    Raises:
        InputError: The records cannot be paired, or a variable has no two values.
    """
    if not names:
        raise UsageError("Name the numeric variables to measure.")
    if isinstance(width, bool) or not 0 <= width <= 1:
        raise UsageError("The width of intervals must be a share from 0 to 1.")
    words = known.words(keys) if known is not None else ""
    looks = count_key_subsets(known, keys) if known is not None else 1
    for engine in (before, after):
        size = _PER_VALUE * engine.rows() * (len(names) + 1) * looks
        engine.afford(size, f"to compare {len(names)} variables", "Name fewer variables,")
    forms: dict[str, Form] = dict.fromkeys(names, "number")
    extra: dict[str, Form] = {} if weight is None else {weight: "number"}
    old = _read(before, Selection(forms=extra | forms, identifier=identifier), progress)
    grouped: dict[str, Form] = dict.fromkeys(keys, "code")
    new = _read(after, Selection(forms=grouped | forms, identifier=identifier), progress)
    one, other = _pair(old[0], new[0], before, after, identifier)
    weights = None
    if weight is not None:
        check_weights([old[1][weight]], True, f"Weight {weight!r} of {before.schema.source}")
        weights = old[1][weight][one]
    pairs = NumberPairs(
        names=tuple(names),
        before=[old[1][name][one] for name in names],
        after=[new[1][name][other] for name in names],
        group=_group([new[1][key][other] for key in keys]),
        weight=weights,
        source=before.schema.source,
    )
    progress("linking records", 0.0)
    ways = find_key_subsets(known, keys, progress=progress) if known is not None and words else ()
    linkage = measure_linkage(pairs, ways)
    progress("linking records", 0.5)
    window = measure_window(pairs, [e for e in windows if e.variable in names], linkage, ways)
    progress("linking records", 1.0)
    return NumericRisk(
        source=before.schema.source,
        records=pairs.records,
        variables=tuple(names),
        keys=tuple(keys),
        weight=weight,
        linkage=linkage,
        intervals=measure_intervals(pairs, width=float(width), by_ranks=by_ranks),
        perturbed=words,
        window=window,
    )


def _read(
    engine: Engine, selection: Selection, progress: Progress
) -> tuple[RecordNumbers, dict[str, Floats]]:
    """Numbers of records, and their values: NaN or 0 where they are missing."""
    for name, form in selection.forms.items():
        if form == "number" and engine.schema[name].kind not in ("integer", "number", "text"):
            raise NotNumericError(
                f"Variable {name!r} of {engine.schema.source} does not hold numbers. Leave it out."
            )
    batches = list(engine.columns(selection, progress=progress))
    if not batches:
        raise InputError(f"{engine.schema.source} has no records.")
    columns = {}
    for name, form in selection.forms.items():
        parts = [batch.columns[name] for batch in batches]
        hole = np.nan if form == "number" else 0
        columns[name] = np.concatenate([np.where(p.missing, hole, p.data) for p in parts])
    return np.concatenate([batch.numbers for batch in batches]), columns


def _pair(
    old: RecordNumbers, new: RecordNumbers, before: Engine, after: Engine, identifier: str | None
) -> tuple[Places, Places]:
    """Places of the same records in both states."""
    names = (before.schema.source, after.schema.source)
    if identifier is None:
        if not np.array_equal(old, new):
            raise InputError(
                f"{names[0]} has {len(old):,} records and {names[1]} {len(new):,}, so they cannot "
                "be paired by their place. Name a variable that identifies them (--id)."
            )
        return np.arange(len(old)), np.arange(len(new))
    order = np.argsort(old, kind="stable")
    place = np.searchsorted(old, new, sorter=order)
    there = place < len(old)
    there[there] = old[order[place[there]]] == new[there]
    if not there.all():
        raise InputError(
            f"{int(np.count_nonzero(~there)):,} records of {names[1]} have a value of "
            f"{identifier!r} that no record of {names[0]} has. Name another variable (--id)."
        )
    found = order[place]
    as_before = np.argsort(found, kind="stable")
    return found[as_before], as_before


def _group(codes: Sequence[Floats]) -> Places | None:
    """Classes of records with equal keys, from 0."""
    if not codes:
        return None
    group = np.zeros(len(codes[0]), np.int64)
    for code in codes:
        packed = group * (int(code.max(initial=0)) + 1) + code.astype(np.int64)
        group = np.unique(packed, return_inverse=True)[1].reshape(-1)
    return group
