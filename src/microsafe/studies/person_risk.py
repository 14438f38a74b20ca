"""Risk of persons, as their records get it; of each in the riskiest wave, where keys are many."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Codes, Index, number
from microsafe.notices import Notice
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.results import find_labels
from microsafe.risk import (
    CellRisk,
    Risk,
    choose_limit,
    estimator_notices,
    measure,
    missing_notices,
)
from microsafe.studies.core import StudyCore
from microsafe.studies.families import read_codes
from microsafe.studies.record_risk import attach_figures
from microsafe.sums import Exact, Floats, total

Columns = Mapping[str, NDArray[Any]]

# Notices that are made of the joined figures, and figures of others by which one wave is the worst.
_FROM_FIGURES = ("model-higher", "missing-half", "missing-limit")
_UNTOLD = ("model-skipped", "model-none")
_WORST = {
    "weight-heavy": "count",
    "model-simplified": "count",
    "model-scatter": "expected",
    **dict.fromkeys(_UNTOLD, "share"),
}


def measure_persons(study: StudyCore, scenario: Scenario, ask: Callable[[str], Risk]) -> Risk:
    """Return the risk of persons, of which each record gets the figures of its person.

    Args:
        study: Of the records.
        scenario: Of them.
        ask: Returns the risk of persons under a scenario of theirs, by name.
    """
    people = study._of_persons()
    found = [ask(name) for name in people._panel.split[scenario.name]]
    if len(found) == 1:
        made, keys = found[0], found[0].scenario.keys
        cell = partial(find_cells, people, keys)
    else:
        waves = RiskiestWaves.of(people, scenario, [each.measured for each in found])
        made, cell = _join_waves(study, scenario, found, waves), partial(np.asarray, waves.cell)
    attach = partial(_attach, study, cell)
    return replace(
        made,
        _attach=partial(attach, study.engine.records),
        _batches=partial(attach, study.engine.record_batches),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RiskiestWaves:
    """Persons measured in each wave by itself, of whom the riskiest counts.

    Attributes:
        cells: Combinations of the keys of all waves, as the riskiest shows the keys of records.
        cell: Which of them each person is in.
        members: Cell of each person, by wave.
        place: The cell that each combination is in, by wave.
    """

    cells: Cells
    cell: Index
    members: Sequence[Index]
    place: Sequence[Index]

    @classmethod
    def of(cls, people: StudyCore, scenario: Scenario, measured: Sequence[CellRisk]) -> Self:
        """Return persons by what was measured in each wave.

        Args:
            people: Whose risk it is.
            scenario: Of records.
            measured: Risk of cells, by wave.
        """
        members = [find_cells(people, each.cells.keys) for each in measured]
        sizes = [len(each.cells) for each in measured]
        group, person = number(members, sizes, rows=len(members[0]))
        place = [cell[person] for cell in members]
        figures = [each.risk[at] for each, at in zip(measured, place, strict=True)]
        key_of = {column.name: column.key for column in people._panel.columns}
        coded = [_rename_keys(each.cells, key_of) for each in measured]
        wave: Index = np.argmax(figures, axis=0)
        cells = _show_riskiest(scenario.keys, coded, place, wave, group)
        return cls(cells=cells, cell=group, members=members, place=place)

    def take(self, found: Sequence[CellRisk]) -> CellRisk:
        """Return what was measured in the wave in which it is most."""
        figures = [each.risk[at] for each, at in zip(found, self.place, strict=True)]
        wave = np.argmax(figures, axis=0)[None]

        def choose(name: str) -> Floats:
            values = [getattr(each, name)[at] for each, at in zip(found, self.place, strict=True)]
            chosen: Floats = np.take_along_axis(np.stack(values), wave, axis=0)[0]
            return chosen

        return CellRisk(
            cells=self.cells,
            f=choose("f"),
            F=choose("F"),
            base=choose("base"),
            risk=choose("risk"),
            gapless=choose("gapless"),
        )


def _join_waves(
    study: StudyCore, scenario: Scenario, found: Sequence[Risk], waves: RiskiestWaves
) -> Risk:
    """Return the risk of persons, each in the riskiest wave."""
    first, measured = found[0], waves.take([each.measured for each in found])
    exact = [each.exact for each in found if each.exact is not None]
    pairs = zip(found, waves.place, strict=True)
    views = [each.views[at] for each, at in pairs if each.views is not None]
    every = len(found)
    others = _take_other_estimator(found)
    other = None if others is None else waves.take(others)
    curve = measured.curve
    limit = None if first.limit is None else choose_limit(curve, risk=first.limit.limit)
    return replace(
        first,
        scenario=replace(scenario, person=None, wave=None, person_weights="wave"),
        measured=measured,
        curve=curve,
        limit=limit,
        exact=waves.take(exact) if len(exact) == every else None,
        other=other,
        views=np.max(views, axis=0) if len(views) == every else None,
        labels=find_labels(study.schema, scenario.variables),
        notices=(
            *_join_notices(found),
            *missing_notices(measured, first.scenario, limit),
            *estimator_notices(first.scenario, measured, other),
        ),
        _gaps={rule: waves.take(those) for rule, those in _list_gap_rules(found).items()},
        _most_cells=max(each.n_cells for each in found),
        _without=partial(_leave_out_in_turn, study._of_persons(), scenario, found, waves),
    )


def _take_other_estimator(found: Sequence[Risk]) -> list[CellRisk] | None:
    """Return what the other estimator says of each wave; None if it was asked of none, or failed.

    In a wave in which few persons are alone it is not asked, as the two agree there.
    """
    if all(each.other is None for each in found) or any(map(_is_untold, found)):
        return None
    return [each.measured if each.other is None else each.other for each in found]


def _is_untold(risk: Risk) -> bool:
    return any(notice.id in _UNTOLD for notice in risk.notices)


def _list_gap_rules(found: Sequence[Risk]) -> dict[str, list[CellRisk]]:
    """Return the risk in each wave by rule for missing keys, unless a wave has too many cells.

    Where no key is missing in a wave, all rules say the same of it.
    """
    rules = {rule: None for each in found for rule in each._gaps}
    if any(not each._gaps and not each.measured.cells.complete for each in found):
        return {}
    return {rule: [each._gaps.get(rule, each.measured) for each in found] for rule in rules}


def _join_notices(found: Sequence[Risk]) -> list[Notice]:
    """Return the notices of all waves, but for those that follow from the joined figures.

    Of those that say one thing with different figures the worst one is told.
    """
    told: dict[str, Notice] = {}
    for notice in (notice for each in found for notice in each.notices):
        figure = _WORST.get(notice.id)
        name = notice.text if figure is None else notice.id
        known = told.get(name)
        if notice.id in _FROM_FIGURES:
            continue
        if known is None or (figure and notice.figures[figure] > known.figures[figure]):
            told[name] = notice
    return list(told.values())


def find_cells(people: StudyCore, keys: tuple[str, ...]) -> Index:
    """Return the cell of each person by some keys of persons."""
    return people.engine.membership(Scenario(keys=keys, household=people._panel.name)).cell


def _attach(
    study: StudyCore,
    find_cells: Callable[[], Index],
    attach: Callable[..., Any],
    by_cell: Columns,
    by_household: Columns,  # noqa: ARG001  # households of a panel are not measured
    *,
    identifiers: Sequence[str] = (),
    **options: Progress,
) -> Any:
    """Give records the figures of their person, as if persons were households."""
    people = study._of_persons()
    person = study.scenarios[0].person
    assert person is not None  # noqa: S101
    cell, codes = find_cells(), read_codes(study.engine, person)
    figures = {}
    for name, values in by_cell.items():
        figures[name] = np.zeros(len(study.engine.categories(person)), values.dtype)
        figures[name][codes - 1] = values[cell][people._panel.records.person]
    by_person = Scenario(keys=study.scenarios[0].keys, household=person)
    return attach_figures(study, attach, by_person, {}, figures, identifiers=identifiers, **options)


def _rename_keys(cells: Cells, key_of: Mapping[str, str]) -> Cells:
    """Return the cells of a wave by the keys of records."""
    return replace(cells, keys=tuple(key_of[name] for name in cells.keys))


def _show_riskiest(
    keys: tuple[str, ...],
    cells: Sequence[Cells],
    place: Sequence[Index],
    wave: Index,
    group: Index,
) -> Cells:
    """Return cells that show the keys of records as they were in a wave."""
    codes, categories = [], []
    for key in keys:
        words: dict[str, int] = {}
        shown = np.zeros(len(wave), np.uint32)
        for chosen, (each, at) in enumerate(zip(cells, place, strict=True)):
            if key not in each.keys:  # nobody has it in that wave
                continue
            column = each.keys.index(key)
            table = [0, *(words.setdefault(w, len(words) + 1) for w in each.categories[column])]
            here = wave == chosen
            shown[here] = np.array(table, np.uint32)[each.codes[column][at[here]]]
        codes.append(shown)
        categories.append(tuple(words))
    first, count = cells[0], np.bincount(group)
    return Cells(
        keys=keys,
        categories=tuple(categories),
        codes=tuple[Codes, ...](codes),
        count=count.astype(np.int64),
        weights=Exact.split(count * (first.weight / first.count)[place[0]]),
    )


def _leave_out_in_turn(
    people: StudyCore,
    scenario: Scenario,
    found: Sequence[Risk],
    waves: RiskiestWaves,
    progress: Progress = silent,
) -> list[tuple[str, float]]:
    """For each key of records the expected re-identifications without it, the least first."""
    result = []
    for done, key in enumerate(scenario.keys):
        progress("leaving out keys in turn", done / len(scenario.keys))
        gone = people._panel.name_columns([key])
        most: Floats = np.zeros(len(waves.cell))
        for risk, cell in zip(found, waves.members, strict=True):
            keys = [name for name in risk.scenario.keys if name not in gone]
            left, group = risk.measured.cells.project(keys)
            made = measure(
                left, risk.scenario, approximation=risk.formula, reference=risk._reference
            )
            most = np.maximum(most, made.risk[group][cell])
        result.append((key, total(most)))
    return sorted(result, key=lambda pair: pair[1])
