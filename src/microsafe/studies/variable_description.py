"""Describe every variable: its probable role, and the risk that each key adds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from microsafe.cells import Cells, number
from microsafe.engine import Engine, count_kinds, find_words
from microsafe.errors import InputError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, name_stage, silent
from microsafe.studies.repeated_rows import find_panel
from microsafe.studies.state import StudyState
from microsafe.variables.description import Description
from microsafe.variables.profile import VariableProfile, order_keys
from microsafe.variables.roles import guess_roles

_PLAIN = (None, None)  # of no mixed kinds
_WORDS = "Among its numbers stands {words}: treat it as missing?"


def describe_variables(study: StudyState, *, progress: Progress = silent) -> Description:
    """Look at every variable (see `Study.describe`)."""
    engine = study.engine
    found = engine.describe(progress=progress)
    traits = engine.traits(progress=name_stage(progress, "looking at values"))
    guesses = guess_roles(engine.schema, traits, engine.rows())
    keys = order_keys(guesses)
    gains = measure_gains(engine, keys, progress=name_stage(progress, "counting combinations"))
    known = {each.name: each for each in (*guesses, *gains)}
    words = find_words(engine, progress=name_stage(progress, "looking for missing words"))
    kinds = count_kinds(engine, traits, progress=name_stage(progress, "counting numbers"))

    def describe(counted: VariableProfile) -> VariableProfile:
        guess = known[counted.name]
        numbers, texts = kinds.get(guess.name, _PLAIN)
        return replace(
            guess,
            # Of a very large file, traits are those of its first records.
            distinct=counted.distinct,
            missing=counted.missing,
            sensitive=guess.sensitive or guess.name in study.roles.sensitive,
            reason=_reason(study, guess, words.get(guess.name, ())),
            numbers=numbers,
            texts=texts,
        )

    described = Description(map(describe, found))
    described.panel = find_panel(engine)
    return described


def _reason(study: StudyState, guess: VariableProfile, words: Sequence[str]) -> str:
    """What a role was recognised by, and words that may stand for missing."""
    said = study.declarations.get(guess.name)
    reason = "It is declared so." if said and said.role else guess.reason
    return f"{reason} {_WORDS.format(words=', '.join(words))}".strip() if words else reason


def measure_gains(
    engine: Engine, keys: Sequence[VariableProfile], *, progress: Progress = silent
) -> tuple[VariableProfile, ...]:
    """Return keys with what each adds to those before it, exactly, from the cells of all of them.

    Where there are more combinations than the engine can count, the last keys are left out.

    Args:
        engine: The data.
        keys: In the order in which they are added.
        progress: Progress callback.
    """
    for count in range(len(keys), 0, -2):
        names = tuple(key.name for key in keys[:count])
        try:
            cells = engine.cells(Scenario(keys=names), progress=progress)
        except InputError:  # too many combinations to be counted
            continue
        return tuple(_compare_prefixes(keys[:count], cells))
    return ()


def _compare_prefixes(keys: Sequence[VariableProfile], cells: Cells) -> Iterator[VariableProfile]:
    """Take away one key after the other: what is left has fewer and fewer combinations."""
    codes, count = cells.codes, cells.count
    alone: list[tuple[int, float]] = []
    for place in range(len(keys), 0, -1):
        sizes = [len(category) for category in cells.categories[:place]]
        group, first = number(codes[:place], sizes, rows=len(count))
        count = np.bincount(group, count, len(first)).astype(np.int64)
        codes = tuple(code[first] for code in codes[:place])
        alone.append((len(first), float(np.count_nonzero(count == 1) / max(cells.records, 1))))
    before = 0.0
    for key, (combinations, uniques) in zip(keys, reversed(alone), strict=True):
        yield replace(key, combinations=combinations, uniques=uniques, adds=uniques - before)
        before = uniques
