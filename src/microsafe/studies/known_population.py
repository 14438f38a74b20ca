"""Read known population counts, and compare them with estimates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

import numpy as np

from microsafe.cells import Cells
from microsafe.engine import Engine, open_engine
from microsafe.errors import InputError, UsageError
from microsafe.notices import Notice, make_notice
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress
from microsafe.risk import Population, PopulationUse, check_population, measure
from microsafe.schema import number_in
from microsafe.studies.state import StudyState
from microsafe.sums import Floats

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import CellRisk, KeptKeys, PopulationCheck

_RATIO, _SIZE = 1.25, 0.1  # from which the counts and the estimates disagree strongly


def open_population(
    data: object, scenario: Scenario, count: str | None, *, beside: Engine, progress: Progress
) -> Population:
    """Read known counts of the population for the keys of a scenario.

    Args:
        data: A file, a frame or a study: one row per person, or per combination of keys.
        scenario: Whose keys are meant.
        count: Variable that holds the number of people; one for each row if None.
        beside: The engine of the sample; the counts are read under the same limits.
        progress: Progress callback.

    Raises:
        InputError: A key is missing in some rows, or the counts are no numbers.
    """
    if isinstance(data, StudyState):
        engine = data.engine
    else:
        engine = open_engine(data, progress=progress, **beside.options)
    if count in scenario.keys:
        raise UsageError("The number of people cannot also be a key. Name another variable.")
    source, names = engine.schema.source, (count,) if count else ()
    for name in (*scenario.keys, *names):
        engine.schema[name]
    counted = Scenario(keys=(*scenario.keys, *names), missing="category")
    cells = engine.cells(counted, progress=progress)
    gap = np.logical_or.reduce([code == 0 for code in cells.codes[: len(scenario.keys)]])
    if gap.any():
        raise InputError(
            f"{int(cells.count[gap].sum()):,} rows of {source} have missing keys. Complete them or "
            "leave them out."
        )
    return Population(source=source, cells=cells, people=_people(cells, source, count))


def _people(cells: Cells, source: str, count: str | None) -> Floats:
    rows = cells.count.astype(np.float64)
    if count is None:
        return rows
    numbers = [number_in(category) for category in cells.categories[-1]]
    valid = [number is not None and number >= 0 and np.isfinite(number) for number in numbers]
    if not all(valid) or not cells.codes[-1].all():
        raise InputError(f"{source}: {count!r} must hold a number of at least 0 in every row.")
    people: Floats = np.array([0.0, *(number or 0.0 for number in numbers)])[cells.codes[-1]] * rows
    return people


def compare_population(
    population: Population,
    estimated: CellRisk,
    scenario: Scenario,
    *,
    use: PopulationUse,
    kept: KeptKeys | None = None,
) -> tuple[PopulationCheck, CellRisk]:
    """Put what was estimated beside what is known; return that, and the risk by the counts.

    Args:
        population: The counts.
        estimated: Risk by the weights.
        scenario: Under which it was measured.
        use: Whether the counts are the risk, or a check on it.
        kept: Chances that perturbed keys are as they were.
    """
    if use not in get_args(PopulationUse):
        raise UsageError("population_use must be 'check' or 'F'.")
    cells = estimated.cells
    if cells.alike is not None:
        raise UsageError(
            "There are too many cells to compare them with a population. Raise most_cells."
        )
    counted = measure(cells, scenario, population=population, kept=kept)
    if use == "F":
        population.require(counted.f, population.frequencies(cells), cells)
    found = check_population(
        population,
        cells,
        use=use,
        f=counted.f,
        F=estimated.F,
        by_counts=counted.risk,
        estimated=estimated.expected,
    )
    return found, counted


def population_notices(found: PopulationCheck | None) -> Iterator[Notice]:
    """Say where the counts and the estimates disagree."""
    if found is None:
        return
    if found.contradicted:
        yield make_notice("population-contradicted", count=found.contradicted, source=found.source)
    if abs(found.people - found.estimated_people) > _SIZE * found.people:
        yield make_notice(
            "population-size",
            source=found.source,
            people=found.people,
            estimated=found.estimated_people,
        )
    doubtful = found.use == "check" and not found.contradicted
    if doubtful and not 1 / _RATIO <= found.ratio <= _RATIO:
        yield make_notice("population-differs", source=found.source, ratio=found.ratio)
