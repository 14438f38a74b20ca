"""Risk of persons, as their records get it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from microsafe.options.scenario import Scenario
from microsafe.progress import Progress
from microsafe.studies.core import StudyCore
from microsafe.studies.families import read_codes
from microsafe.studies.record_risk import attach_figures

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import Risk

Columns = Mapping[str, NDArray[Any]]


def attach_to_records(study: StudyCore, found: Risk) -> Risk:
    """Return the risk of persons, of which each record gets the figures of its person.

    Args:
        study: Of the records.
        found: Of its persons.
    """
    return replace(
        found,
        _attach=partial(_attach, study, found.scenario, study.engine.records),
        _batches=partial(_attach, study, found.scenario, study.engine.record_batches),
    )


def _attach(
    study: StudyCore,
    scenario: Scenario,
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
    members = people.engine.membership(replace(scenario, household=person))
    codes = read_codes(study.engine, person)
    figures = {}
    for name, values in by_cell.items():
        figures[name] = np.zeros(len(study.engine.categories(person)), values.dtype)
        figures[name][codes - 1] = values[members.cell][people._panel.records.person]
    by_person = Scenario(keys=study.scenarios[0].keys, household=person)
    return attach_figures(study, attach, by_person, {}, figures, identifiers=identifiers, **options)
