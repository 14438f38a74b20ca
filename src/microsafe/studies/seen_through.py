"""Who is seen through by one who knows how blanks are chosen, once a step has chosen them."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from microsafe.cells import Index
from microsafe.notices import make_notice
from microsafe.progress import Progress, silent
from microsafe.steps import Suppress
from microsafe.steps.suppress.demands import find_limit
from microsafe.steps.suppress.step import EXAMPLES
from microsafe.studies.core import StudyCore
from microsafe.studies.record_risk import measure_once
from microsafe.studies.view_risk import measure_chosen_views

AnyStudy = TypeVar("AnyStudy", bound=StudyCore)


def count_seen_through(made: AnyStudy, step: Suppress, *, progress: Progress = silent) -> AnyStudy:
    """Count those as unsafe whose chance among people shown in the same way is above the limit.

    A step under the guarantee "view" hides people among those whom it blanks in the same way.
    Blanks of an earlier step are there already, and part them.

    Args:
        made: After the suppression, its last step.
        step: As it was taken.
        progress: Progress callback.
    """
    last, unsafe = made.steps[-1], set(made.steps[-1]._unsafe)
    for name in step.scenarios or [scenario.name for scenario in made.scenarios]:
        limit = find_limit(step.above, name, made.scenarios)
        if limit is not None:
            above = find_above(made, name, limit, progress)
            rows = made.engine.rows()
            unsafe.update(made.engine.find_records(made.scenario(name), above, most=rows))
    if len(unsafe) <= last.stuck:
        return made
    parted = make_notice("view-parted", count=len(unsafe) - last.stuck)
    numbers = tuple(sorted(unsafe))
    taken = replace(
        last,
        stuck=len(numbers),
        examples=numbers[:EXAMPLES],
        _unsafe=numbers if made._panel is not None else (),
    )
    return replace(made, steps=(*made.steps[:-1], taken), notices=(*made.notices, parted))


def find_above(study: StudyCore, name: str, limit: float, progress: Progress) -> Index:
    """Return the cells of whom the chance among those shown in the same way is above a limit."""
    scenario = study.scenario(name)
    cells = study.engine.cells(scenario, progress=progress)
    reference = study._reference(scenario, progress=progress)
    measured = measure_once(study, cells, scenario, reference=reference, progress=progress)
    views = measure_chosen_views(study, scenario, measured, reference, progress=progress)
    if views is None:
        return np.zeros(0, np.intp)
    return np.flatnonzero(np.maximum(views, measured.risk) > limit)
