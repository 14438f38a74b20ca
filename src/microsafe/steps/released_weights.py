"""Weights that are released changed, while risk is measured with the original ones.

The design gives weights, and where they take few values they may give a stratum away. A step may
therefore change what the file shows of them. It is taken on released values; the true ones stay
beside them, as those of perturbed keys do (see `steps.perturbation`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from microsafe.engine import Engine
from microsafe.errors import InputError, UsageError, WeightError
from microsafe.notices import Notice, make_notice
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress
from microsafe.sentences import Sentence
from microsafe.steps.base import AppliedStep, Step, StepContext, StepOutcome, take_step
from microsafe.steps.perturbation import PerturbationState, copy_name, hide_variable, released_name
from microsafe.sums import total

_NOTHING = 1e-12  # relative change


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightTotals:
    """What became of the sum of weights.

    Attributes:
        name: Of the weight.
        before: Sum of the weights as they are.
        after: Of those that are released.
        by: Variables by which sums were compared as well.
        largest: Largest relative change of a sum by their categories; None without such variables.
    """

    name: str
    before: float
    after: float
    by: tuple[str, ...] = ()
    largest: float | None = None

    @property
    def change(self) -> float:
        """Relative change of the sum."""
        return self.after / self.before - 1.0


def find_weight(step: Step, scenarios: Sequence[Scenario]) -> str | None:
    """Return the weight that a step is to change for release, if it is one of the scenarios.

    Raises:
        UsageError: It changes other variables too, or the weight is a key of another scenario.
    """
    if not step.reweighs:
        return None
    weights = {scenario.weight for scenario in scenarios}
    found = next((name for name in step.targets if name in weights), None)
    if found is None:
        return None
    if len(step.targets) > 1:
        raise UsageError(
            f"{found!r} is a weight and must be changed by itself: risk is measured with the "
            "weights as they are. Change it in a step of its own."
        )
    for scenario in scenarios:
        if found in scenario.keys or found == scenario.household:
            raise UsageError(
                f"{found!r} is a weight, but scenario {scenario.name!r} names it as well, so that "
                "it cannot be changed. Leave it out of that scenario."
            )
    return found


def weight_of(step: Step, before: StepContext) -> Scenario | None:
    """Return the scenario whose weight a step changes; None if it changes something else."""
    name = find_weight(step, before.scenarios)
    return next(
        (scenario for scenario in before.scenarios if name and scenario.weight == name), None
    )


def shared_household(engine: Engine, scenario: Scenario, weight: str) -> str | None:
    """Return the household whose members all have the same weight; they keep that in common."""
    home = scenario.household
    if home is None:
        return None
    constant = engine.find_constant_keys(Scenario(keys=(weight,), household=home))
    return home if constant else None


def change_weight(step: Step, before: StepContext, name: str, progress: Progress) -> StepOutcome:
    """Take a step on what is released of a weight; its true values stay beside that.

    Raises:
        UsageError: The step may not be taken there.
        InputError: Weights would be no weights any more.
    """
    known = before.perturbation or PerturbationState(full=before.engine)
    if name in known.transitions:
        raise UsageError(
            f"{name!r} was moved before ({known.transitions[name].words}), and {step.do!r} cannot "
            "follow. Take it first."
        )
    by = tuple(getattr(step, "strata", ()))
    for each in known.find_perturbed(by):
        raise UsageError(
            f"{each!r} was perturbed before ({known.transitions[each].words}), and weights made "
            "alike within its true categories would give these away. Name other strata."
        )
    kept, released = copy_name(name, len(before.steps) + 1), released_name(name)
    engine = known.full.copy_variable(name, hide_variable(known.full.schema[name], kept))
    if name in known.weights:
        engine = engine.replace_variable(name, released)
    made = take_step(step, replace(before, engine=engine), progress)
    engine = made.engine
    engine = engine.copy_variable(name, hide_variable(engine.schema[name], released))
    engine = engine.replace_variable(name, kept)
    used = next(scenario for scenario in before.scenarios if scenario.weight == name)
    totals = _compare_totals(engine, used, by)
    weights = {**known.weights, name: _tell_change(totals)}
    return replace(
        made,
        engine=engine,
        taken=replace(made.taken, facts={**made.taken.facts, "weight": totals}),
        perturbation=replace(known, full=engine, weights=weights),
    )


def _compare_totals(engine: Engine, scenario: Scenario, by: tuple[str, ...]) -> WeightTotals:
    """Compare sums of true and released weights."""
    name = cast(str, scenario.weight)
    asked = Scenario(keys=by or scenario.keys[:1], weight=name, clip_weights=scenario.clip_weights)
    old = engine.cells(asked)
    try:
        new = engine.cells(replace(asked, weight=released_name(name)))
    except WeightError:
        raise InputError(
            f"Some of the weights {name!r} would become 0 or less"
            f"{'' if scenario.clip_weights else ', or fall below 1'}, which no record "
            "can stand for. Round to a smaller base, or take less noise."
        ) from None
    largest = float(np.abs(new.weight / old.weight - 1.0).max()) if by else None
    return WeightTotals(
        name=name, before=total(old.weight), after=total(new.weight), by=by, largest=largest
    )


def _tell_change(totals: WeightTotals) -> Notice:
    change = show_change(totals.change)
    if totals.largest is not None:
        largest = show_change(totals.largest)
        change = Sentence("change-by-stratum", change=change, by=totals.by, largest=largest)
    return make_notice("weight-changed", name=totals.name, change=change)


def show_change(change: float) -> Sentence:
    """Return the size of a relative change of a sum; the last bits of a number are none."""
    if abs(change) < _NOTHING:
        return Sentence("no-change")
    return Sentence("change", share=abs(change))


def tell_weight(taken: AppliedStep) -> list[tuple[str, str]]:
    """Say what became of the sum of weights, if a weight was changed."""
    found = taken.facts.get("weight")
    if not isinstance(found, WeightTotals):
        return []
    rows: list[tuple[str, str]] = [
        (Sentence("result-weight-of-risk"), Sentence("weights-as-they-were")),
        (Sentence("result-weight-change"), show_change(found.change)),
    ]
    if found.largest is not None:
        rows.append((Sentence("result-weight-change-by-stratum"), show_change(found.largest)))
    return rows
