"""Find variables that go out and tell of keys that were recoded, blanked or dropped."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from microsafe.draws import Draws
from microsafe.engine import Engine
from microsafe.engine.contract import NO_RECORDS
from microsafe.engine.record_access import Selection
from microsafe.errors import InputError
from microsafe.notices import Notice, make_notice
from microsafe.options.scenario import list_groups
from microsafe.progress import Progress, silent
from microsafe.risk.counts.telling import (
    GROUPS,
    ChangedKey,
    TellingVariable,
    TellingVariables,
    group_codes,
    join_codes,
)
from microsafe.sentences import Sentence
from microsafe.studies.state import StudyState
from microsafe.variables.recognise import Finding

Codes = NDArray[np.integer[Any]]

_BEST = 8  # variables of which pairs are tried
_AT_ONCE = 1_000_000  # codes of variables that are read together
_PER_RECORD = 100  # bytes at work for a pass over a variable
_PER_KEY = 16 + 8 * _BEST  # bytes by record: combinations, and the best variables
_SEED = 0  # so that all who ask part records in the same halves
_MUCH_LONGER = 5  # times as many codes: no list of the same
_MANY = 20  # categories of a key from which on a variable with its code list is tried as it is


def find_telling_variables(study: StudyState, *, progress: Progress = silent) -> TellingVariables:
    """Return what the variables that go out tell of keys that were changed.

    Args:
        study: As it will be written.
        progress: Progress callback.

    Raises:
        InputError: There is no room for so many records, or they are not here.
    """
    known = study._telling.get("last")
    if known is not None and known[0]() is study.engine:
        return known[1]
    keys = tuple(_list_changed_keys(study))
    found = list(_search(study, keys, nothing=False, progress=progress)) if keys else []
    made = TellingVariables(keys=keys, found=tuple(found))
    study._telling["last"] = (ref(study.engine), made)
    return made


def find_determining_variables(
    study: StudyState, keys: Sequence[str], *, progress: Progress = silent
) -> TellingVariables:
    """Return what variables would tell of keys if nothing of these were released.

    Args:
        study: Before it is protected.
        keys: That a plan may change.
        progress: Progress callback.
    """
    found = _search(study, keys, nothing=True, progress=progress)
    return TellingVariables(keys=tuple(keys), found=tuple(found))


def list_telling_notices(
    study: StudyState, *, besides: Collection[str] = (), progress: Progress = silent
) -> tuple[Notice, ...]:
    """Say which variables that go out determine a changed key, or tell much of it.

    Args:
        study: As it will be written.
        besides: Weights of which a notice of their own says what they tell.
        progress: Progress callback.
    """
    try:
        found = find_telling_variables(study, progress=progress)
    except InputError as error:
        return (make_notice("telling-unmeasured", reason=error.args[0]),)
    determining, notable = (
        _shares_by_key(row for row in rows if row.words not in besides)
        for rows in (found.determining, found.notable)
    )
    return (
        *(make_notice("variable-determines", key=key, shares=s) for key, s in determining.items()),
        *(make_notice("variable-tells", key=key, shares=s) for key, s in notable.items()),
    )


def find_tellers(
    study: StudyState, *, progress: Progress = silent
) -> dict[str, tuple[Finding, ...]]:
    """Return what each variable that goes out tells of changed keys, alone, as findings."""
    try:
        found = find_telling_variables(study, progress=progress)
    except InputError:  # a notice says so
        return {}
    return _list_findings((*found.determining, *found.notable), "tells-a-key")


def find_future_tellers(
    study: StudyState, keys: Sequence[str], *, progress: Progress = silent
) -> dict[str, tuple[Finding, ...]]:
    """Return what determines a key even if nothing of the key were released, as findings.

    Args:
        study: Before it is protected.
        keys: That a plan may change.
        progress: Progress callback.
    """
    try:
        found = find_determining_variables(study, keys, progress=progress)
    except InputError:  # no room, or the records are elsewhere: it is judged when the plan is run
        return {}
    return _list_findings(found.determining, "would-tell-a-key")


def _list_findings(
    rows: Iterable[TellingVariable], sentence: str
) -> dict[str, tuple[Finding, ...]]:
    """The key that each variable tells most of."""
    best: dict[str, TellingVariable] = {}
    for row in rows:
        if len(row.variables) == 1:
            (name,) = row.variables
            best[name] = max(best.get(name, row), row, key=lambda each: each.share)
    return {
        name: (Finding("tells a key", Sentence(sentence, share=row.share, key=row.key)),)
        for name, row in best.items()
    }


def _shares_by_key(rows: Iterable[TellingVariable]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        found.setdefault(row.key, {})[row.words] = row.share
    return found


def _list_changed_keys(study: StudyState) -> Iterator[str]:
    """Keys of any scenario that do not go out as they came in."""
    start = study._before()
    scenarios = (*start.scenarios, *study.scenarios)
    changed = {name for step in study.steps for name in step.step.changed_variables(step)}
    changed |= {name for step in study.steps for name, count in step.blanks.items() if count}
    changed |= {name for name in start.schema.names if name not in study.schema}
    for key in dict.fromkeys(key for scenario in scenarios for key in scenario.keys):
        if key in changed and key in start.schema:
            yield key


def _search(
    study: StudyState, keys: Sequence[str], *, nothing: bool, progress: Progress
) -> Iterator[TellingVariable]:
    """Try every variable that goes out, then pairs of the best."""
    engine, start = study.engine, study._before().engine
    if NO_RECORDS in engine.gaps:
        raise InputError(Sentence("records-apart"))
    size = engine.rows() * (_PER_RECORD + _PER_KEY * len(keys))
    engine.afford(size, "to see what variables tell of keys", "Leave out scenarios,")
    half = _part_records(study)
    truth = dict(read_codes(start, keys))
    shown = {} if nothing else dict(read_codes(engine, [k for k in keys if k in study.schema]))
    none = np.zeros(len(half), np.int8)
    known = study._perturbation
    perturbed = () if known is None else tuple(known.transitions)
    changed = {
        key: ChangedKey.of_records(
            truth[key], shown.get(key, none), half, perturbed=key in perturbed
        )
        for key in keys
    }
    tried: dict[str, list[tuple[TellingVariable, Codes]]] = {key: [] for key in keys}
    names = [each.name for each in study.schema if each.kind != "other"]
    for done, (name, codes) in enumerate(read_codes(engine, names)):
        progress("looking for what tells of keys", done / len(names))
        codings = list(_code(engine, name, codes))
        for key, value in changed.items():
            if name != key:
                same = _match_categories(start, key, engine, name)
                found = [(value.measure(some, same), some) for some in codings]
                best, some = max(found, key=lambda one: one[0])
                told = _make(study, key, (name,), best)
                tried[key] = _keep_best([*tried[key], (told, some)])
    for key, rows in tried.items():
        alone = [told for told, _ in rows if told.tells]
        pairs = _try_pairs(study, key, changed[key], rows)
        yield from sorted((*alone, *pairs), key=lambda told: -told.share)


def _try_pairs(
    study: StudyState,
    key: str,
    changed: ChangedKey,
    tried: Sequence[tuple[TellingVariable, Codes]],
) -> Iterator[TellingVariable]:
    """Variables that tell more together, where neither tells as much alone.

    Two of which neither tells anything are left alone.
    """
    rest = [each for each in tried if not each[0].determines][:_BEST]
    for (one, some), (other, more) in combinations(rest, 2):
        if max(one.share, other.share) <= 0:
            continue
        best = changed.measure(join_codes(some, more))
        told = _make(study, key, (*one.variables, *other.variables), best)
        if told.determines or (told.tells and not (one.tells or other.tells)):
            yield told


def _keep_best(
    rows: list[tuple[TellingVariable, Codes]],
) -> list[tuple[TellingVariable, Codes]]:
    """All that tell, and codes of those of which pairs are tried."""
    rows.sort(key=lambda row: -row[0].share)
    undetermined = [row for row in rows if not row[0].determines][:_BEST]
    kept = {row[0].variables for row in undetermined}
    empty = np.zeros(0, np.int8)
    return [
        row if row[0].variables in kept else (row[0], empty)
        for row in rows
        if row[0].variables in kept or row[0].tells
    ]


def _make(
    study: StudyState, key: str, variables: tuple[str, ...], measured: tuple[float, float]
) -> TellingVariable:
    share, z = measured
    scenarios = [
        each for each in (*study._before().scenarios, *study.scenarios) if key in each.keys
    ]
    return TellingVariable(
        key=key,
        variables=variables,
        share=share,
        z=z,
        counted=all(name in scenario.keys for scenario in scenarios for name in variables),
    )


def _code(engine: Engine, name: str, codes: Codes) -> Iterator[Codes]:
    """A variable by its codes, and numbers in groups of equal size, too."""
    yield codes
    if engine.schema[name].kind in ("integer", "number") and int(codes.max(initial=0)) > GROUPS:
        yield group_codes(codes)


def _match_categories(start: Engine, key: str, engine: Engine, name: str) -> Codes | None:
    """By code of a variable the code of a key that is called the same, if they share codes."""
    wanted = start.categories(key)
    if len(wanted) <= _MANY:  # each is seen often enough to be learnt
        return None
    there = engine.categories(name)
    least = max(2, min(len(there), len(wanted)) / 2)
    if not len(wanted) / _MUCH_LONGER <= len(there) <= len(wanted) * _MUCH_LONGER:
        return None
    place = {text: code for code, text in enumerate(wanted, 1)}
    codes = np.array([0, *(place.get(text, 0) for text in there)], np.int64)
    return codes if np.count_nonzero(codes) >= least else None


def _part_records(study: StudyState) -> Codes:
    """Part records in halves, those of a household or person together where its number goes out."""
    homes = list_groups(study.scenarios)
    numbers = np.concatenate([batch.numbers for batch in study.engine.columns(Selection())])
    for _, codes in read_codes(study.engine, [name for name in homes if name in study.schema]):
        first = np.full(int(codes.max(initial=0)) + 1, np.iinfo(np.uint64).max, np.uint64)
        np.minimum.at(first, codes, numbers)
        numbers = np.where(codes > 0, first[codes], numbers)
    draws = Draws(seed=_SEED, step=0, variable="halves")
    half: Codes = (draws.words(numbers)[:, 0] & np.uint64(1)).astype(np.int8)
    return half


def read_codes(engine: Engine, names: Sequence[str]) -> Iterator[tuple[str, Codes]]:
    """Codes of variables, 0 where they are missing; the engine keeps nothing of them.

    As many at once as do not matter: each time the engine goes through all records.
    """
    width = max(1, _AT_ONCE // max(engine.rows(), 1))
    for start in range(0, len(names), width):
        some, apart = names[start : start + width], engine.drop_variables(())
        batches: list[dict[str, Codes]] = [
            {
                name: np.where(column.missing, column.data.dtype.type(0), column.data)
                for name, column in batch.columns.items()
            }
            for batch in apart.columns(Selection(forms=dict.fromkeys(some, "code")))
        ]
        for name in some:
            yield name, np.concatenate([batch.pop(name) for batch in batches])
