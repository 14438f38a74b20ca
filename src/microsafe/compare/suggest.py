"""Suggest recodes: try them on cells and rank them by risk removed per loss."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Codes
from microsafe.codes import spell_code
from microsafe.compare.preview import Figures, Preview
from microsafe.compare.step_loss import ShownVariable
from microsafe.display import show_number, show_percent
from microsafe.engine import Engine
from microsafe.errors import UsageError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.results import ResultTable, find_labels
from microsafe.risk import Reference, measure
from microsafe.schema import Variable
from microsafe.steps.base import Step
from microsafe.steps.change import Change
from microsafe.steps.changed_variable import number
from microsafe.steps.drop import Drop
from microsafe.steps.recode import Recode
from microsafe.steps.tails.step import BottomCode, TopCode
from microsafe.svg import draw_bars
from microsafe.variables.roles import likely_measure

_FEW = 30  # categories up to which every pair of neighbours is tried
_MANY = 10  # categories from which a tail is worth cutting
_WIDTHS = (5, 10)
_TAILS = (0.01, 0.05, 0.10)


class Suggestions(ResultTable[Preview]):
    """Previews of recodes, the best first; apply the `step` of one to take it."""

    title = "Recodes that lower risk most for the least loss"
    headings = ("suggestion", "expected", "lost", "decrease per 1 % lost")
    right = (1, 2, 3)

    def _cells(self) -> list[tuple[str, ...]]:
        return [
            (
                p.step.in_words(),
                show_number(p.after.expected),
                show_percent(p.loss),
                show_number(p.fall_per_loss / 100),
            )
            for p in self
        ]

    def _picture(self) -> str:
        bars = [(p.step.in_words(), p.fall, show_number(p.fall)) for p in self]
        return draw_bars("Fewer re-identifications expected", bars)

    def _remarks(self) -> Sequence[str]:
        words = self[0].after.perturbed_by if self else ""
        return [f"figures are those before {words}"] if words else []


def suggestions(
    engine: Engine,
    scenario: Scenario,
    *,
    reference: Reference | None = None,
    limit: float | None = None,
    most: int = 10,
    perturbed_by: str = "",
    changed: Mapping[str, ShownVariable] | None = None,
    progress: Progress = silent,
) -> Suggestions:
    """Try recodes of every key and rank them by the fall of expected re-identifications per loss.

    Args:
        engine: Where the records are; only its cells are looked at.
        scenario: Whose keys are recoded.
        reference: By whose model risk is estimated; by each cell alone if None.
        limit: Risk above which a record is unsafe, for the figures.
        most: How many to return.
        perturbed_by: What was done to keys at random; the engine has them as they were before it.
        changed: Keys that steps have changed; others are as they were before protection.
        progress: Progress callback.

    References:
        docs/methods/recoding.md.
    """
    if most < 1:
        raise UsageError("The number of suggestions must be at least 1.")
    cells = engine.cells(scenario, progress=progress)
    before = Figures.of(measure(cells, scenario, reference=reference), limit, perturbed_by)
    steps = [
        (key, step) for key in cells.keys for step in _candidates(engine.schema[key], cells, key)
    ]
    shown = {key: ShownVariable.of_cells(cells, key) for key in cells.keys} | dict(changed or {})
    found = []
    for done, (key, step) in enumerate(steps):
        progress("trying recodes", done / len(steps))
        variable, left = engine.schema[key], scenario
        if step is None:
            left = scenario.with_keys(tuple(each for each in scenario.keys if each != key))
            taken: Step = Drop(variables=(key,), from_keys=True)
            after, info = _without(cells, key, scenario), shown[key].drop()
        else:
            taken, info = step, shown[key].recode(variable, step)
            after = _recode_cells(variable, cells, step, scenario)
        known = _recode_reference(reference, engine, step)
        figures = Figures.of(measure(after, left, reference=known), limit, perturbed_by)
        found.append(Preview(steps=(taken,), before=before, after=figures, information=(info,)))
    progress("trying recodes", 1.0)
    worth = [preview for preview in found if preview.fall > 0 and preview.lost > 0]
    worth.sort(key=lambda each: (-each.fall_per_loss, -each.fall))
    return Suggestions(worth[:most], labels=find_labels(engine.schema, scenario.keys))


def _without(cells: Cells, key: str, scenario: Scenario) -> Cells:
    """The cells without a key."""
    others = [j for j, each in enumerate(cells.keys) if each != key]
    return _merge_cells(cells, others, cells.codes, cells.categories, scenario)


def _recode_cells(variable: Variable, cells: Cells, step: Change, scenario: Scenario) -> Cells:
    """The cells once a key is recoded."""
    place = cells.keys.index(step.variable)
    categories, table = _new_codes(variable, cells.categories[place], step)
    codes = [*cells.codes[:place], table[cells.codes[place]], *cells.codes[place + 1 :]]
    texts = [*cells.categories[:place], categories, *cells.categories[place + 1 :]]
    return _merge_cells(cells, range(len(cells.keys)), codes, texts, scenario)


def _recode_reference(
    reference: Reference | None, engine: Engine, step: Change | None
) -> Reference | None:
    """What risk by a model is looked up in, once a key is recoded."""
    if reference is None or step is None:
        return reference
    old = reference.cells.categories[reference.cells.keys.index(step.variable)]
    return reference.recode(step.variable, step.apply_rule(engine.schema[step.variable], old))


def _new_codes(
    variable: Variable, categories: Sequence[str], step: Change
) -> tuple[Sequence[str], Codes]:
    """New categories of a key, and the new code of each old one; 0 stays 0."""
    new = step.apply_rule(variable, categories)
    distinct = list(dict.fromkeys(new))
    place = {text: code for code, text in enumerate(distinct, 1)}
    return distinct, np.array([0, *(place[text] for text in new)], np.uint32)


def _merge_cells(
    cells: Cells,
    places: Sequence[int],
    codes: Sequence[Codes],
    categories: Sequence[Sequence[str]],
    scenario: Scenario,
) -> Cells:
    made = Cells(
        keys=tuple(cells.keys[place] for place in places),
        categories=tuple(categories[place] for place in places),
        codes=tuple(codes[place] for place in places),
        count=cells.count,
        weights=cells.weights,
    )
    # Records of different weight stay apart where the attack goes by weight.
    return made if scenario.attack == "weight" else made.project(made.keys)[0]


def _count_categories(cells: Cells, place: int) -> NDArray[np.int64]:
    """Records of each category of a key."""
    size = len(cells.categories[place]) + 1
    return np.bincount(cells.codes[place], cells.count, size).astype(np.int64)[1:]


def _candidates(variable: Variable, cells: Cells, key: str) -> Iterator[Change | None]:
    """Recodes that may be worth their loss; None stands for leaving the key out."""
    place = cells.keys.index(key)
    count = _count_categories(cells, place)
    occurring = [text for text, n in zip(cells.categories[place], count, strict=True) if n]
    numbers = [value for text in occurring if (value := number(text)) is not None]
    numeric = len(numbers) == len(occurring)
    if _is_ordered(variable, numeric):
        yield from _neighbours(variable, _in_order(occurring))
        if numeric and all(value.is_integer() for value in numbers):
            yield from _bins(variable.name, numbers)
        if numeric and len(occurring) >= _MANY:
            yield from _tails(variable.name, numbers, count[count > 0])
    else:
        yield from _shorter(variable.name, [text.strip() for text in occurring])
    if len(cells.keys) > 1:
        yield None


def _is_ordered(variable: Variable, numeric: bool) -> bool:
    """Whether neighbours belong together: as declared, or numbers without labels."""
    measure = likely_measure(variable, numeric=numeric)
    if measure == "unknown":
        return numeric and not variable.labels
    return measure in ("ordinal", "scale")


def _in_order(categories: Sequence[str]) -> list[str]:
    """By the number that each begins with, if all do: "100+" comes after "20-29"."""
    starts = [re.match(r"\s*(?:under )?(-?\d+(?:\.\d+)?)", text) for text in categories]
    if not all(starts):
        return list(categories)
    rank = [
        (float(found[1]), not text.startswith("under"))
        for found, text in zip(starts, categories, strict=True)
        if found
    ]
    return [categories[place] for place in sorted(range(len(rank)), key=rank.__getitem__)]


def _neighbours(variable: Variable, categories: Sequence[str]) -> Iterator[Change]:
    """Each pair of neighbours merged, and all pairs at once."""
    if not 3 <= len(categories) <= _FEW:
        return
    labels = {spell_code(code): label for code, label in variable.labels.items()}

    def merge_pairs(pairs: Sequence[tuple[str, str]]) -> Recode:
        return Recode(
            variable=variable.name,
            groups={a: (a, b) for a, b in pairs},
            labels={spell_code(a): f"{labels.get(a, a)} or {labels.get(b, b)}" for a, b in pairs},
        )

    yield from (merge_pairs([pair]) for pair in pairwise(categories))
    halves = list(zip(categories[::2], categories[1::2], strict=False))
    if len(halves) > 1:
        yield merge_pairs(halves)


def _bins(name: str, numbers: Sequence[float]) -> Iterator[Change]:
    low, high = int(min(numbers)), int(max(numbers))
    for width in _WIDTHS:
        breaks = range(low // width * width, high + 1, width)
        if 1 < len(breaks) < len(numbers):
            yield Recode(
                variable=name,
                breaks=tuple(float(each) for each in breaks),
                # Numbers as codes fit every file; the label says what they stand for.
                names=tuple(breaks),
                labels={str(each): f"{each}-{each + width - 1}" for each in breaks},
            )


def _tails(name: str, numbers: Sequence[float], count: NDArray[np.int64]) -> Iterator[Change]:
    """The top and the bottom cut where at most so many records lie beyond."""
    order = np.argsort(numbers)
    values, share = np.array(numbers)[order], count[order] / count.sum()
    for tail in _TAILS:
        upper = values[np.cumsum(share[::-1])[::-1] <= tail]
        if len(upper) > 1:
            limit = spell_code(float(upper[0]))
            yield TopCode(variable=name, limit=float(upper[0]), label=f"{limit} and over")
        lower = values[np.cumsum(share) <= tail]
        if len(lower) > 1:
            limit = spell_code(float(lower[-1]))
            yield BottomCode(variable=name, limit=float(lower[-1]), label=f"{limit} and under")


def _shorter(name: str, categories: Sequence[str]) -> Iterator[Change]:
    lengths = {len(text) for text in categories}
    if len(lengths) == 1 and (length := lengths.pop()) > 1:
        keep = length - 1
        if len({text[:keep] for text in categories}) < len(categories):
            yield Recode(variable=name, keep=keep)
