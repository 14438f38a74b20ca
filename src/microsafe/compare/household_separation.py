"""What keeps families apart once the household number is left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from microsafe.compare.round_numbers import find_weight_base
from microsafe.intruders.rejoin import find_traits
from microsafe.options.reason import reason_by_program
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.steps import Drop, Round
from microsafe.steps.base import Step
from microsafe.studies.attacked_file import AttackedStudy
from microsafe.studies.measure import MeasureVerbs

_SHARED = reason_by_program("because-shared")
_SHARED_WEIGHT = reason_by_program("because-shared-weight")


def separate_members(
    study: MeasureVerbs,
    limit: float,
    spare: Collection[str] = (),
    *,
    keys: bool = False,
    hidden: Collection[str] = (),
    progress: Progress = silent,
) -> tuple[Step, ...]:
    """Return steps after which few members of a household can be put together again.

    Weights are rounded, then what members share is left out, at each turn the variable without
    which fewest are put together. Keys go last, and only once they are recoded as they will be.

    Args:
        study: Nobody will be told its household number, if it is there still.
        limit: Largest share of the members of households of two or more.
        spare: Variables that stay: somebody wants them to go out.
        keys: Whether keys may be left out, too.
        hidden: Variables that others see to.
        progress: Progress callback.
    """
    scenario = study.scenario()
    if count_rejoined(study, progress=progress)[0] <= limit:
        return ()
    steps: list[Step] = []
    if (weight := scenario.weight) is not None and not is_rounded(study, weight):
        base = find_weight_base(study, weight)
        steps.append(Round(variable=weight, base=base, why=_SHARED_WEIGHT))
        study = study.apply(steps[0], progress=progress)
    for some_keys in (False, True) if keys else (False,):
        out: list[str] = []
        share, without = count_rejoined(study, [*hidden, *out], progress)
        while share > limit and (free := _list_free(scenario, without, spare, keys=some_keys)):
            out.append(min(free, key=lambda name: (without[name], name)))
            share, without = count_rejoined(study, [*hidden, *out], progress)
        if out:
            steps.append(Drop(out, from_keys=some_keys, why=_SHARED))
            study = study.apply(steps[-1], progress=progress)
    return tuple(steps)


def _list_free(
    scenario: Scenario, without: Mapping[str, float], spare: Collection[str], *, keys: bool
) -> list[str]:
    """Return what may be left out: keys, or all else."""
    return [name for name in without if name not in spare and (name in scenario.keys) == keys]


def is_rounded(study: MeasureVerbs, name: str) -> bool:
    """Tell whether a step has rounded a variable already."""
    return any(done.step.reweighs and name in done.step.targets for done in study.steps)


def count_rejoined(
    study: MeasureVerbs, without: Sequence[str] = (), progress: Progress = silent
) -> tuple[float, dict[str, float]]:
    """Return the share of members who can be put together, and what it were without a variable.

    Args:
        study: With its household number, or as it is without.
        without: Variables that are left out already.
        progress: Progress callback.
    """
    scenario = study.scenario()
    file = AttackedStudy(study, scenario.name, limits={}, progress=progress)
    household = file.households()
    if household is None:
        return 0.0, {}
    several = np.bincount(household)[household] > 1
    if not several.any():
        return 0.0, {}
    hidden = {*without, *([scenario.household] if scenario.household else [])}
    traits = find_traits(file, household, progress)

    def share(*more: str) -> float:
        found, _ = traits.join(hidden.union(more))
        return float(found.sum() / several.sum())

    free = [name for name in traits.names if name not in hidden and name != scenario.weight]
    return share(), {name: share(name) for name in free}
