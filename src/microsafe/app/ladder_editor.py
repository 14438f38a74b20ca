"""Ladders as the page edits them: suggested rungs by their words, widths of bins, and steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from microsafe.app.messages.propose import KeyLadder, LadderRung
from microsafe.app.refusal import Refusal
from microsafe.app.session import Session, original_scenarios, rebuild_study
from microsafe.cells import Cells
from microsafe.engine.transformations import numbers_of
from microsafe.errors import UsageError
from microsafe.options.scenario import Scenario
from microsafe.plan.proposal import is_replaced
from microsafe.plan.values import build_step
from microsafe.progress import Progress
from microsafe.propose.candidates import step_table
from microsafe.propose.ladders.key_ladders import build_ladders
from microsafe.propose.ladders.ladder import Ladder, Rung, apply_rung, as_values
from microsafe.propose.ladders.user import read_rungs
from microsafe.steps.change import Change
from microsafe.steps.loss import measure_categories
from microsafe.steps.suppress.step import find_size_keys
from microsafe.studies.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedRung:
    """A rung that the page asks for: how it asks, what that is, and how many groups it has."""

    source: object
    rung: Rung
    groups: int


Edited = Mapping[str, tuple[EditedRung, ...]]


def find_start(session: Session, progress: Progress) -> Study:
    """Return the data that a proposal is made for: without what it would take the place of.

    Raises:
        Refusal: There is no scenario.
    """
    study = session.study()
    if not study.scenarios:
        raise Refusal(409, "There is no scenario yet.", "Choose the key variables first.")
    steps = [done.step for done in study.steps]
    kept = [step for step in steps if not is_replaced(step)]
    if steps[: len(kept)] == kept:
        return study.rollback(len(kept))
    return rebuild_study(study, original_scenarios(study), kept, progress)


def read_ladders(start: Study, given: Mapping[str, Sequence[object]], progress: Progress) -> Edited:
    """Return the rungs that the page asks for, by key and from the finest to the broadest.

    Raises:
        UsageError: One of them is not understood, or does not suit its key.
        Refusal: A rung was suggested before, and is not any more.
    """
    if not given:
        return {}
    suggested = build_ladders(start.engine, start.scenarios, progress=progress)
    for key in given:
        if key not in suggested:
            raise UsageError(f"{key!r} is not a key, so it cannot have a ladder.")
    cells = _count_keys(start, list(given), progress)
    return {
        key: _order_rungs(
            rung for each in rungs for rung in _read_rung(start, cells[key], suggested[key], each)
        )
        for key, rungs in given.items()
    }


def given_ladders(edited: Edited) -> dict[str, tuple[Rung, ...]]:
    """Return ladders as a proposal asks for them."""
    return {key: tuple(rung.rung for rung in rungs) for key, rungs in edited.items()}


def plain_ladders(edited: Edited) -> dict[str, object]:
    """Return ladders as `[propose.ladders]` of a plan has them."""
    return {key: [_plain_rung(rung) for rung in rungs] for key, rungs in edited.items()}


def _plain_rung(given: EditedRung) -> object:
    if isinstance(given.source, int | float):
        return given.source
    told = step_table(given.rung.step)
    usual = {"words": told["words"], "variable": given.rung.step.variable, "do": "recode"}
    return {word: value for word, value in told.items() if usual.get(word) != value}


def _order_rungs(rungs: Iterable[EditedRung]) -> tuple[EditedRung, ...]:
    return tuple(sorted(rungs, key=lambda each: -each.groups))


def _read_rung(
    start: Study, cells: Cells, suggested: Ladder, given: object
) -> Iterator[EditedRung]:
    """Read what the page asks for; bins as narrow as the numbers themselves are no rung."""
    variable, (categories,) = start.schema[suggested.key], cells.categories
    match given:
        case str():
            rungs = [_find_suggested(suggested, given)]
        case Mapping():
            step = build_step(_thaw({"do": "recode", "variable": suggested.key, **given}), "A rung")
            rungs = [Rung(step, step.in_words())] if isinstance(step, Change) else []
        case int() | float() if not isinstance(given, bool):
            rungs = read_rungs(variable, categories, given)
        case _:
            raise UsageError(
                f"A rung of {suggested.key!r} must be one that is suggested, the width of bins, or "
                "a step that recodes the key."
            )
    for rung in rungs:
        _, names = apply_rung(variable, categories, rung, 1)
        yield EditedRung(source=given, rung=rung, groups=len(names))


def _find_suggested(suggested: Ladder, words: str) -> Rung:
    for step, word in zip(suggested.steps, suggested.words, strict=True):
        if word == words and step is not None:
            return Rung(step, word)
    raise Refusal(
        409,
        f"{words!r} is no longer suggested for {suggested.key}.",
        "Go back to the suggested ladder.",
    )


def _thaw(value: Any) -> Any:
    """Return lists, of which steps are built."""
    if isinstance(value, Mapping):
        return {word: _thaw(item) for word, item in value.items()}
    return [_thaw(item) for item in value] if isinstance(value, tuple | list) else value


def describe_ladders(start: Study, edited: Edited, progress: Progress) -> tuple[KeyLadder, ...]:
    """Return the ladder of every key, with what each rung loses."""
    given = given_ladders(edited)
    ladders = build_ladders(start.engine, start.scenarios, given=given, progress=progress)
    counted = find_size_keys(start.engine, start.scenarios)
    cells = _count_keys(start, list(ladders), progress)
    sources = {id(rung.rung.step): rung.source for rungs in edited.values() for rung in rungs}
    return tuple(
        _describe_ladder(start, ladder, cells[key], sources, counted=key in counted)
        for key, ladder in ladders.items()
    )


def _describe_ladder(
    start: Study, ladder: Ladder, cells: Cells, sources: Mapping[int, object], *, counted: bool
) -> KeyLadder:
    variable, (categories,), (codes,) = start.schema[ladder.key], cells.categories, cells.codes
    numbers = numbers_of(as_values(variable, categories))
    rungs = []
    for groups, step, words in zip(ladder.rungs, ladder.steps, ladder.words, strict=True):
        if step is not None:
            bits, lost = measure_categories(codes, groups[codes], cells.count)
            rungs.append(
                LadderRung(
                    words=words,
                    source=sources.get(id(step), words),
                    categories=int(groups.max()),
                    loss=lost / bits if bits else 0.0,
                )
            )
    return KeyLadder(
        key=ladder.key,
        label=variable.label,
        categories=len(categories),
        numeric=numbers is not None and len(numbers) > 0,
        counted=counted,
        rungs=tuple(rungs),
    )


def _count_keys(start: Study, keys: Sequence[str], progress: Progress) -> dict[str, Cells]:
    asked = [Scenario(keys=(key,)) for key in keys]
    return dict(zip(keys, start.engine.cells_each(asked, progress=progress), strict=True))
