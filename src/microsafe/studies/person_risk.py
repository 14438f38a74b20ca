"""Risk of persons, as their records get it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.risk import Risk
from microsafe.studies.core import StudyCore
from microsafe.studies.families import read_codes
from microsafe.studies.record_risk import attach_figures

Columns = Mapping[str, NDArray[Any]]


def attach_to_records(study: StudyCore, found: Risk) -> Risk:
    """Return the risk of persons, of which each record gets the figures of its person.

    Args:
        study: Of the records.
        found: Of its persons.
    """
    return replace(
        found,
        _attach=partial(_attach, study, found.scenario, "records"),
        _batches=partial(_attach, study, found.scenario, "record_batches"),
    )


def _attach(
    study: StudyCore,
    scenario: Scenario,
    how: str,
    by_cell: Columns,
    by_household: Columns,  # noqa: ARG001  # households of a panel are not measured
    *,
    identifiers: Sequence[str] = (),
    progress: Progress = silent,
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
    options = {"progress": progress} if how == "record_batches" else {}
    made: Iterator[Any] = attach_figures(
        study,
        getattr(study.engine, how),
        by_person,
        {},
        figures,
        identifiers=identifiers,
        **options,
    )
    return made
