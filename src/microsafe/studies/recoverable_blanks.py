"""Check a written file for suppressed values that can be recovered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from microsafe.engine.record_access import Selection
from microsafe.engine.record_order import NewOrder, sort_places
from microsafe.options.scenario import list_groups
from microsafe.progress import Progress, silent
from microsafe.risk import RecoverableBlanks, guess_blanks, guess_by_variable
from microsafe.studies.core import StudyCore
from microsafe.studies.state import StudyState
from microsafe.studies.telling_variables import read_codes

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import KeyGuesses

Codes = NDArray[np.integer[Any]]

_PER_RECORD = 64  # bytes at work: order, households, what sorts them
_PER_VALUE = 24  # of a key: shown, hidden, and a variable beside it
_AT_ONCE = 1_000_000  # codes of variables that are not kept
_REMEDY = "Measure fewer keys,"


def measure_given_away(
    study: StudyCore,
    written: StudyState,
    order: NewOrder | None,
    *,
    progress: Progress = silent,
) -> RecoverableBlanks | None:
    """Guess the values that suppression blanked from the file that was written.

    Args:
        study: What was written; it knows the values.
        written: What was read back, under the same scenarios.
        order: In which the records were written; that of the input if None.
        progress: Progress callback.

    Returns:
        What is guessed right; None if nothing was suppressed.

    Raises:
        InputError: There is no room for so many records.
    """
    blanks = study.engine.count_blanks()
    keys = [key for scenario in study.scenarios for key in scenario.keys if key in study.schema]
    names = [name for name in dict.fromkeys((*keys, *study.schema.names)) if blanks.get(name)]
    if not names:
        return None
    records = study.engine.rows()
    size = records * (_PER_RECORD + _PER_VALUE * len(names))
    study.engine.afford(size, f"to guess suppressed values of {records:,} records", _REMEDY)
    whole = study._truth._without_suppression(progress=progress)
    tell = partial(progress, "putting values beside blanks")
    tell(0.0)
    places = _find_places(study, order)
    homes = list_groups(study.scenarios)
    there = [name for name in homes if name in written.schema]
    shown = dict(read_codes(written.engine, [*there, *(n for n in names if n not in there)]))
    known = {}
    for done, (name, truth) in enumerate(read_codes(whole.engine, names)):
        tell(done / len(names))
        known[name] = shown[name], _as_shown(truth[places], shown[name])
    households = [shown[name] for name in there]
    found = {
        name: guess_blanks(name, *value, household=households) for name, value in known.items()
    }
    return RecoverableBlanks(keys=_guess_by_others(written, found, known, homes, progress))


def _guess_by_others(
    written: StudyState,
    found: dict[str, KeyGuesses],
    known: Mapping[str, tuple[Codes, Codes]],
    homes: Sequence[str],
    progress: Progress,
) -> tuple[KeyGuesses, ...]:
    """Try every other variable of the file."""
    others = [v.name for v in written.schema if v.kind != "other" and v.name not in homes]
    for done, (other, codes) in enumerate(read_codes(written.engine, others)):
        progress("guessing suppressed values", done / len(others))
        for name, (shown, truth) in known.items():
            if name != other:
                found[name] = guess_by_variable(found[name], shown, truth, other, codes)
    return tuple(found.values())


def _as_shown(truth: Codes, shown: Codes) -> Codes:
    """Codes before suppression as the file has them, where it shows such a value anywhere.

    A format may spell a value differently; most of the records that show it say how, as some may
    have been perturbed.
    """
    table = np.full(int(truth.max(initial=0)) + 1, -1, np.int32)
    size = int(shown.max(initial=0)) + 1
    pairs, count = _count_pairs(truth, shown, len(table), size)
    there = pairs % size > 0
    order = pairs[there][np.argsort(count[there], kind="stable")]
    table[order // size] = order % size
    table[0] = 0
    return table[truth]


def _count_pairs(
    one: Codes, other: Codes, size: int, other_size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of codes that occur, packed, in order, and how often."""
    if size * other_size > len(one):
        return np.unique(one.astype(np.int64) * other_size + other, return_counts=True)
    count = np.zeros(size * other_size, np.int64)
    for start in range(0, len(one), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        packed = one[part].astype(np.int64) * other_size + other[part]
        count += np.bincount(packed, minlength=len(count))
    there = np.flatnonzero(count)
    return there, count[there]


def _find_places(study: StudyState, order: NewOrder | None) -> Codes:
    """For each record of the file its place in the order of the input."""
    rows = study.engine.rows()
    if order is None:
        return np.arange(rows)
    numbers = np.concatenate([column.numbers for column in study.engine.columns(Selection())])
    firsts = []
    for _, codes in read_codes(study.engine, order.households):
        first = np.full(int(codes.max(initial=0)) + 1, np.iinfo(np.uint64).max, np.uint64)
        np.minimum.at(first, codes, numbers)
        firsts.append(np.where(codes > 0, first[codes], numbers))
    return sort_places(order.keys([*firsts, numbers]))
