"""Views of persons wave by wave: what one wave blanks of keys that never change is blank in all."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from microsafe.progress import Progress, silent
from microsafe.steps import Suppress
from microsafe.steps.suppress.demands import find_limit
from microsafe.studies.core import StudyCore
from microsafe.studies.families import read_codes
from microsafe.studies.person_risk import find_cells
from microsafe.studies.seen_through import find_above

AnyStudy = TypeVar("AnyStudy", bound=StudyCore)


def blank_seen_through(
    people: AnyStudy, step: Suppress, *, progress: Progress = silent
) -> AnyStudy:
    """Blank all keys of persons who would be seen through by one who knows the method.

    A wave is treated so that enough people are shown in the same way, but not with the blanks that
    other waves make in keys which all of them have. Those whom these leave too few to hide among
    are hidden among each other.

    Args:
        people: After the suppression, its last step.
        step: As it was taken.
        progress: Progress callback.
    """
    panel, last = people._panel, people.steps[-1]
    free = [column for column in panel.columns if column.name not in step.spare]
    lost = {column.name: np.zeros(panel.records.persons, np.bool_) for column in free}
    while True:
        seen = np.zeros(panel.records.persons, np.bool_)
        for name in step.scenarios:
            limit = find_limit(step.above, name, people.scenarios)
            if limit is not None:
                above = find_above(people, name, limit, progress)
                seen |= np.isin(find_cells(people, people.scenario(name).keys), above)
        shown = {c.name: read_codes(people.engine, c.name) > 0 for c in free}
        constant = np.any([shown[c.name] for c in free if c.wave is None], axis=0)
        for column in free:
            # Keys that never change are what waves have in common; all others only if need be.
            hide = seen & (constant if column.wave is None else ~constant)
            lost[column.name] |= hide & shown[column.name]
        new = {name: flags & shown[name] for name, flags in lost.items()}
        if not any(flags.any() for flags in new.values()):
            break
        people = replace(
            people, engine=people.engine.blank_records({n: f for n, f in new.items() if f.any()})
        )
    unsafe = np.union1d(last._unsafe, 1 + np.flatnonzero(seen)).astype(np.intp).tolist()
    taken = replace(last, stuck=len(unsafe), _unsafe=tuple(unsafe))
    return replace(people, steps=(*people.steps[:-1], taken))
