"""The household number left out: a rung above all plans that show who lives with whom.

Rules on households then give way to one on who puts members together again. What is lost is no key,
so the rung has a price: as much as one key more that is left out for all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic

from microsafe.compare.household_separation import count_rejoined, separate_members
from microsafe.display import show_percent
from microsafe.options.policy import HOUSEHOLD_RULES, REJOIN, Policy
from microsafe.options.proposal import ProposalOptions
from microsafe.options.reason import BY_PROGRAM, PROPOSED
from microsafe.progress import Progress, silent
from microsafe.propose.candidates import AnyStudy
from microsafe.propose.problem import asked_rules
from microsafe.sentences import Sentence
from microsafe.steps import Drop
from microsafe.steps.base import Step
from microsafe.studies.measure import MeasureVerbs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HouseholdRung(Generic[AnyStudy]):
    """The data without their household number.

    Attributes:
        name: Of the household number.
        first: The steps: what keeps members apart, then the number is dropped.
        start: The study with these steps taken.
        policy: What is asked of it.
        price: Loss that counts on top of that of the keys.
    """

    name: str
    first: tuple[Step, ...]
    start: AnyStudy
    policy: Policy
    price: float

    def explain(self, kept: float | None) -> str:
        """Say what leaving the number out costs, and what it saves.

        Args:
            kept: What the best plan loses that was found with the number, if any was.
        """
        beside = "no plan was found that keeps to all rules"
        if kept is not None:
            beside = f"the best plan found loses {show_percent(kept)} (households kept)"
        return (
            f"{self.name} is left out, so nobody sees who lives with whom: that counts as much as "
            f"a key left out ({show_percent(self.price)}). With it {beside}. Keep {self.name} with "
            "a reason if it must stay."
        )


def _say_who(step: Step) -> Step:
    """Return a step with who chose it, as all steps of a proposal say."""
    why = f"{PROPOSED}: {step.why.removeprefix(BY_PROGRAM)}"
    return replace(step, why=why)  # type: ignore[type-var]


def price_household(start: AnyStudy, policy: Policy, wish: ProposalOptions) -> float | None:
    """Return what it counts to leave the number out; None if it has to stay, or no rule is by it.

    Args:
        start: The data with it.
        policy: What must be met.
        wish: What else is asked for; a number that is to be kept stays.
    """
    name, asked, uses = start.scenario().household, policy.without_households, wish.uses
    if name is None or any(scenario.household != name for scenario in start.scenarios):
        return None
    if not any(rule in HOUSEHOLD_RULES for rule in asked_rules(policy)) or not asked_rules(asked):
        return None
    if name in _list_wanted(wish):
        return None
    keys, known = _list_keys(start), start._perturbation
    if known is not None and known.find_perturbed(keys):
        return None  # nobody knows then who puts members together
    weights = dict.fromkeys(keys, 1.0) if uses is None else uses.weigh_keys(keys)
    return (1.0 if uses is None else uses.others) / sum(weights.values())


def _list_keys(start: MeasureVerbs) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for scenario in start.scenarios for key in scenario.keys))


def _list_wanted(wish: ProposalOptions) -> set[str]:
    """Return the variables that somebody wants to go out."""
    return {*wish.keep, *(() if wish.uses is None else wish.uses.names)}


def find_household_rung(
    start: AnyStudy,
    policy: Policy,
    wish: ProposalOptions,
    price: float,
    progress: Progress = silent,
) -> HouseholdRung[AnyStudy] | None:
    """Return the data without their household number; None if members are not kept apart so.

    Args:
        start: The data with it.
        policy: What must be met.
        wish: What else is asked for.
        price: What it counts to leave the number out.
        progress: Progress callback.
    """
    name = start.scenario().household
    assert name is not None  # noqa: S101  # it has a price
    asked, keys, wanted = policy.without_households, _list_keys(start), _list_wanted(wish)
    limit = 1.0 if REJOIN in asked.override else asked.intruders[REJOIN]
    apart = separate_members(start, limit, wanted, hidden=keys, progress=progress)
    drop = Drop((name,), why=Sentence("because-unseen"))
    steps = tuple(map(_say_who, (*apart, drop)))
    made = start
    for step in steps:
        made = made.apply(step, progress=progress)
    if count_rejoined(made, keys, progress)[0] > limit:
        return None
    return HouseholdRung(name=name, first=steps, start=made, policy=asked, price=price)
