"""Small areas of a study: how sure the survey is of the people in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from microsafe.engine import Engine
from microsafe.engine.weights import check_weights
from microsafe.errors import UsageError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress
from microsafe.results import find_labels
from microsafe.risk.counts.areas import CategoryCodes, Clusters, SmallAreas, measure_areas
from microsafe.studies.families import read_codes, read_households, read_weights
from microsafe.studies.frames import frame_maker

_PER_RECORD = 200  # bytes, while one table is made


def find_small_areas(
    engine: Engine,
    scenario: Scenario,
    areas: str,
    *,
    parent: str | None,
    limit: float,
    progress: Progress,
) -> SmallAreas:
    """Measure coefficients of variation by area, by key, and by both.

    Args:
        engine: Has the records.
        scenario: Names keys, weight and household.
        areas: Variable with geography.
        parent: Variable with a broader one.
        limit: On coefficients of variation.
        progress: Progress callback.
    """
    if scenario.weight is None:
        raise UsageError(
            "How sure the survey is of small areas is told by its sampling weights. Name the "
            "weight."
        )
    if scenario.weight in (areas, parent) or areas == parent:
        raise UsageError(f"{areas!r} cannot be both geography and something else.")
    keys = [key for key in scenario.keys if key not in (areas, parent)]
    engine.afford(engine.rows() * _PER_RECORD, f"to tabulate {areas!r}", "Take a sample,")
    source = engine.schema.source
    weight = read_weights(engine, scenario)
    assert weight is not None  # noqa: S101
    check_weights([weight], True, f"Weight {scenario.weight!r} of {source}")
    household = scenario.household if scenario.household in engine.schema else None
    number = np.arange(len(weight)) if household is None else read_households(engine, household)
    clusters = Clusters(
        number=np.unique(number, return_inverse=True)[1], weight=weight, source=source
    )
    where = _read(engine, areas).check(source)
    progress("tabulating", 0.0)
    tables = measure_areas(
        clusters,
        where,
        _read_keys(engine, keys, progress),
        limit=limit,
        parent=None if parent is None else _read(engine, parent).check(source),
    )
    progress("tabulating", 1.0)
    return SmallAreas(
        source=source,
        areas=areas,
        weight=scenario.weight,
        household=household,
        clusters=clusters.count,
        limit=limit,
        tables=tables,
        _frame=frame_maker(engine),
        labels=find_labels(engine.schema, (areas, *keys)),
    )


def _read(engine: Engine, name: str) -> CategoryCodes:
    return CategoryCodes(
        name=name, codes=read_codes(engine, name), categories=tuple(engine.categories(name))
    )


def _read_keys(engine: Engine, keys: Sequence[str], progress: Progress) -> Iterator[CategoryCodes]:
    for done, key in enumerate(keys):
        progress("tabulating", done / len(keys))
        yield _read(engine, key).check_size(engine.schema.source)
