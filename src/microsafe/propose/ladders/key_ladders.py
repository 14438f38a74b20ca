"""The ladder of every key: what a person gives, or what the data suggest."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells
from microsafe.codes import spell_code
from microsafe.engine import Engine
from microsafe.errors import UsageError, did_you_mean
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.propose.ladders.category_rungs import MOST_LISTED, KeyCategories, leave_out
from microsafe.propose.ladders.ladder import Ladder, build_ladder, has_huge
from microsafe.propose.ladders.suggested import suggest_ladder
from microsafe.propose.ladders.user import LadderSource, read_rungs
from microsafe.schema import Variable
from microsafe.variables.roles import likely_measure

_FEW = 100  # categories up to which a key may hold the size of the household


def build_ladders(
    engine: Engine,
    scenarios: Sequence[Scenario],
    *,
    given: Mapping[str, LadderSource] | None = None,
    spare: Collection[str] = (),
    folder: Path | None = None,
    progress: Progress = silent,
) -> dict[str, Ladder]:
    """Return a ladder for every key of some scenarios, in the order in which they name them.

    Keys that are spared, and household size where members can be counted, have rung 0 only.

    Args:
        engine: Where the records are; only categories and their counts are looked at.
        scenarios: Whose keys are meant.
        given: Ladders by key (see `propose.given.read_rungs`), instead of those that the data
            suggest; an empty one for a key that is not to be recoded.
        spare: Keys that must not be recoded.
        folder: Where files that are given are, unless their path says it.
        progress: Progress callback.

    Raises:
        UsageError: A ladder is for no key, for one that is spared or can be counted, or a rung
            does not join whole groups of the one below.

    References:
        docs/methods/ladders.md.
    """
    given = given or {}
    keys = tuple(dict.fromkeys(key for scenario in scenarios for key in scenario.keys))
    asked = [Scenario(keys=(key,)) for key in keys]
    each_key = dict(zip(keys, engine.cells_each(asked, progress=progress), strict=True))
    counted = _find_counted(engine, scenarios, each_key, progress)
    _refuse_needless(given, keys, spare, counted)
    ladders = {}
    for key, cells in each_key.items():
        variable, (categories,) = engine.schema[key], cells.categories
        if key in spare or key in counted:
            ladders[key] = build_ladder(variable, categories, ())
        elif key in given:
            _refuse_huge(variable, categories)
            rungs = read_rungs(variable, categories, given[key], folder=folder)
            ladders[key] = build_ladder(variable, categories, rungs)
        else:
            count = _count_categories(cells)
            parents = partial(find_parents, engine, scenarios, key, categories)
            suggested = suggest_ladder(variable, categories, count, parents=parents)
            known = KeyCategories.of(variable, categories, count)
            if 1 < len(known) <= MOST_LISTED and not has_huge(variable, categories):
                suggested = suggested.extend(variable, categories, leave_out(known))
            ladders[key] = suggested
    return ladders


def find_parents(
    engine: Engine, scenarios: Sequence[Scenario], key: str, categories: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield variables that a key determines: their names, and what each category has there.

    Args:
        engine: Where the records are.
        scenarios: Their weights and households are no parents.
        key: Name of the key.
        categories: Its categories.
    """
    aside = {
        key,
        *(scenario.weight for scenario in scenarios),
        *(scenario.household for scenario in scenarios),
    }
    for other in engine.schema:
        if other.name in aside or likely_measure(other, numeric=other.kind == "number") == "scale":
            continue
        if not 1 < len(engine.categories(other.name)) <= len(categories) / 2:
            continue
        both = engine.cells(Scenario(keys=(key, other.name)))
        seen = both.codes[0] > 0
        codes, groups = both.codes[0][seen], both.codes[1][seen]
        if len(codes) == len(categories) and groups.all():
            labels = {spell_code(code): label for code, label in other.labels.items()}
            texts = [labels.get(text.strip(), text) for text in both.categories[1]]
            group_of = np.zeros(len(categories) + 1, np.intp)
            group_of[codes] = groups
            yield other.name, tuple(texts[group - 1] for group in group_of[1:])


def _find_counted(
    engine: Engine,
    scenarios: Sequence[Scenario],
    each_key: Mapping[str, Cells],
    progress: Progress,
) -> Mapping[str, str]:
    """Keys that hold the size of the household, with the variable by which it is counted.

    Whoever has the file can count, be the key in another scenario than the household.
    """
    sizes = tuple(key for key, cells in each_key.items() if _may_be_size(cells.categories[0]))
    households = dict.fromkeys(scenario.household for scenario in scenarios if scenario.household)
    found = {}
    for household in households if sizes else ():
        asked = Scenario(keys=sizes, household=household)
        cells = engine.cells(asked, progress=progress)
        key = engine.households(asked, np.zeros(len(cells))).size_key
        if key is not None:
            found[key] = household
    return found


def _may_be_size(categories: Sequence[str]) -> bool:
    return len(categories) <= _FEW and all(category.strip().isdecimal() for category in categories)


def _refuse_needless(
    given: Mapping[str, LadderSource],
    keys: Collection[str],
    spare: Collection[str],
    counted: Mapping[str, str],
) -> None:
    for word, names in {"have a ladder": given, "be spared": spare}.items():
        for name in names:
            if name not in keys:
                hint = did_you_mean(name, keys)
                raise UsageError(f"{name!r} is not a key, so it cannot {word}.{hint}")
    for key, source in given.items():
        if isinstance(source, Sequence) and not source:
            continue  # an empty ladder says the same
        if key in spare:
            raise UsageError(f"{key!r} is spared and has a ladder. Leave out one of the two.")
        if key in counted:
            raise UsageError(
                f"{key!r} can be counted by {counted[key]!r}, so recoding it would protect nobody. "
                "Leave its ladder out, or drop the household number first."
            )


def _refuse_huge(variable: Variable, categories: Sequence[str]) -> None:
    if has_huge(variable, categories):
        raise UsageError(
            f"{variable.name!r} has numbers of 16 digits or more, which cannot be recoded exactly. "
            "Leave its ladder out, or make it text."
        )


def _count_categories(cells: Cells) -> NDArray[np.int64]:
    """Records of each category of the only key."""
    size = len(cells.categories[0]) + 1
    return np.bincount(cells.codes[0], cells.count, size).astype(np.int64)[1:]
