"""Recode a variable like a key: it shows of the key what is released of it, and no more."""

from __future__ import annotations

import numpy as np

from microsafe import steps
from microsafe.errors import UsageError
from microsafe.risk.counts.telling import find_modes
from microsafe.studies.state import StudyState
from microsafe.studies.telling_variables import read_codes

_MOST_CODES = 2000  # that a step names one by one
_WHY = "It tells {key}, and is recoded like it"
_OTHER = "other"


def make_recode_like(study: StudyState, variable: str, key: str, *, why: str = "") -> steps.Step:
    """Return the step that recodes a variable by what is released of a key.

    Each of its categories becomes the released category that most of its records have. Where
    nothing is released of the key, the variable is left out.

    Args:
        study: In which the key was changed.
        variable: What tells of the key.
        key: That was recoded, blanked or dropped.
        why: Reason for the plan.

    Raises:
        UsageError: It is a weight, or has too many categories.
    """
    why = why or _WHY.format(key=key)
    study.schema[variable]
    study._before().schema[key]
    if any(variable == scenario.weight for scenario in study.scenarios):
        raise UsageError(
            f"{variable!r} is a weight and is not recoded. Round it, give it noise, or average it "
            "(round, noise, microaggregate)."
        )
    if key not in study.schema:
        return steps.Drop(variables=(variable,), why=why)
    categories = study.engine.categories(variable)
    if len(categories) > _MOST_CODES:
        raise UsageError(
            f"{variable!r} has {len(categories):,} categories, more than {_MOST_CODES:,}: a plan "
            "would name each. Leave it out."
        )
    codes = dict(read_codes(study.engine, (variable, key)))
    known = (codes[variable] > 0) & (codes[key] > 0)
    pairs, count = np.unique(
        np.stack([codes[variable][known], codes[key][known]]).astype(np.int64),
        axis=1,
        return_counts=True,
    )
    found, modes = find_modes(pairs[0], pairs[1], count)
    became = dict(zip(found.tolist(), modes.tolist(), strict=True))
    shown = study.engine.categories(key)
    groups: dict[str, list[str]] = {shown[code - 1]: [] for code in sorted({*became.values()})}
    for code, mode in became.items():
        groups[shown[mode - 1]].append(categories[code - 1])
    rest = None if len(became) == len(categories) else _find_free_name(groups)
    if not groups:
        return steps.Drop(variables=(variable,), why=why)
    return steps.Recode(variable=variable, groups=groups, other=rest, why=why)


def _find_free_name(groups: dict[str, list[str]]) -> str:
    """A name for categories of which no record shows the key."""
    name = _OTHER
    while name in groups:
        name += "_"
    return name
