"""Weights that tell what the file no longer says.

Weights come from a design: where they take few values, and all records of one weight lie in one
area, the weight gives the area away, though the area was left out or made coarser.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from microsafe.display import show_percent
from microsafe.engine import Engine
from microsafe.engine.traits import Traits
from microsafe.errors import InputError
from microsafe.notices import Notice, make_notice
from microsafe.scenario import Scenario

if TYPE_CHECKING:
    from microsafe.study import Study

_FEW_WEIGHTS = 0.1  # different weights as a share of the records: beyond, each is one's own
_MOST_CATEGORIES = 1000  # with more, a variable is no area
_WORTH_TELLING = 0.1  # of the records


def takes_few_values(traits: Traits) -> bool:
    """Tell whether records share weights."""
    return 1 < traits.distinct <= _FEW_WEIGHTS * traits.records


def share_given_away(engine: Engine, weight: str, variable: str) -> float:
    """Return the share of records whose category follows from their weight alone.

    These are the records of which several share a weight and all of these have one category. None
    are if the variable has one category only.
    """
    cells = engine.cells(Scenario(keys=(weight, variable)))
    known = (cells.codes[0] > 0) & (cells.codes[1] > 0)
    by, category, count = cells.codes[0][known], cells.codes[1][known], cells.count[known]
    if len(np.unique(category)) < 2:
        return 0.0
    categories = np.bincount(by)
    records = np.bincount(by, count)
    told = (categories == 1) & (records > 1)
    return float(records[told].sum() / records.sum())


def find_telling_weights(study: Study, traits: Sequence[Traits]) -> tuple[Notice, ...]:
    """Return a notice for each weight that gives away what was left out or made coarser.

    Args:
        study: As it is now.
        traits: Of all variables, as they were.
    """
    start = study.before()
    weights = {each.weight for each in study.scenarios if each.weight in study.schema}
    few = [each.name for each in traits if each.name in weights and takes_few_values(each)]
    homes = {each.household for each in study.scenarios}
    hidden = [name for name in _coarser(start, study) if name not in homes] if few else []
    return tuple(
        notice for weight in few if hidden for notice in _judge_weight(start, weight, hidden)
    )


def _judge_weight(start: Study, weight: str, hidden: Sequence[str]) -> tuple[Notice, ...]:
    try:
        shares = {name: share_given_away(start.engine, weight, name) for name in hidden}
    except InputError:  # all missing, or more combinations than can be counted
        return ()
    worst = max(shares, key=lambda name: shares[name])
    if shares[worst] < _WORTH_TELLING:
        return ()
    share = show_percent(shares[worst])
    return (make_notice("weight-telling", weight=weight, variable=worst, share=share),)


def _coarser(start: Study, study: Study) -> Iterator[str]:
    """Variables that are no longer there, or have fewer categories."""
    changed = {name: None for each in study.steps for name in each.step.changed_variables(each)}
    for name in changed:
        if name not in start.schema or start.schema[name].kind == "other":
            continue
        before = len(start.engine.categories(name))
        if not 1 < before <= _MOST_CATEGORIES:
            continue
        if name not in study.schema or len(study.engine.categories(name)) < before:
            yield name
