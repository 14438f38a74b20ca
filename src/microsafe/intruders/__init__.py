"""Intruders: what somebody makes of what he knows. One file a kind, and one line in this list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from microsafe.errors import UsageError, did_you_mean
from microsafe.intruders.base import (
    LEAST_RULES,
    AttackedFile,
    Intruder,
    IntruderResult,
    ViewRisk,
    find_reason_to_skip,
)
from microsafe.intruders.family import FamilyIntruder
from microsafe.intruders.guesser import GuesserIntruder
from microsafe.intruders.inference import InferenceIntruder
from microsafe.intruders.keys import KeysIntruder
from microsafe.intruders.method import MethodIntruder
from microsafe.intruders.numbers import NumbersIntruder
from microsafe.intruders.participant import ParticipantIntruder
from microsafe.intruders.rejoin import RejoinIntruder
from microsafe.intruders.table import IntruderRow, IntruderTable, judge_row, order_rows
from microsafe.options.parameter import parameters
from microsafe.options.policy import HOUSEHOLD_RULES, Policy, list_rules
from microsafe.options.profiles import ReleaseProfile, find_profile
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.sentences import Sentence

__all__ = [
    "INTRUDERS",
    "LEAST_RULES",
    "NOT_PLAYED",
    "AttackedFile",
    "FamilyIntruder",
    "GuesserIntruder",
    "InferenceIntruder",
    "Intruder",
    "IntruderResult",
    "IntruderRow",
    "IntruderTable",
    "KeysIntruder",
    "MethodIntruder",
    "NumbersIntruder",
    "ParticipantIntruder",
    "RejoinIntruder",
    "UnplayedIntruder",
    "ViewRisk",
    "add_profile",
    "check_limits",
    "drops_household",
    "find_brought_rules",
    "judge_row",
    "order_rows",
    "play_intruder",
    "register_intruders",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnplayedIntruder:
    """An intruder that no figure here stands for: a table of intruders names him all the same.

    Attributes:
        name: In plans and on the command line.
        title: In tables, reports and the app.
        knows: One sentence: who, knows what, of whom.
        reason: Why he is not tried.
    """

    name: str
    title: str
    knows: str
    reason: Sentence


def register_intruders(kinds: Iterable[type[Intruder]]) -> dict[str, type[Intruder]]:
    """Return intruders by name.

    Raises:
        TypeError: Two have one name, one is no dataclass, or a field has no words.
    """
    registry: dict[str, type[Intruder]] = {}
    for kind in kinds:
        words = parameters(kind)
        for field in fields(kind):  # type: ignore[arg-type]
            if field.name not in words:
                raise TypeError(f"The intruder {kind.__name__} lacks words for {field.name!r}.")
        if kind.name in registry:
            raise TypeError(f"Two intruders are called {kind.name!r}.")
        registry[kind.name] = kind
    return registry


def find_brought_rules() -> set[str]:
    """Return the rules that intruders bring along: the policy does not have them by itself."""
    return {
        rule
        for kind in INTRUDERS.values()
        for rule in kind.rules
        if rule not in (*list_rules(), *kind.standing)
    }


def add_profile(policy: Policy, profile: str, scenario: Scenario) -> Policy:
    """Return a policy with the limits of a profile where it says nothing else.

    A limit on the risk of a record also holds for who knows the method; families have one where
    their number goes out and the model can tell them.

    Args:
        policy: What is asked for already.
        profile: Its name.
        scenario: For which the limits are; the first of several.
    """
    usual = find_profile(profile)
    limits = _find_intruder_limits(usual, scenario)
    risk = usual.record_risk if policy.record_risk is None else policy.record_risk
    if "method" in limits and isinstance(risk, float):
        limits["method"] = risk
    families = scenario.household and not scenario.person and scenario.estimator == "model"
    household = policy.household_risk
    if household is None and families and not drops_household(usual, policy):
        household = usual.household_risk
    return replace(
        policy,
        record_risk=risk,
        household_risk=household,
        intruders={**limits, **policy.intruders},
    )


def drops_household(profile: ReleaseProfile, policy: Policy) -> bool:
    """Tell whether a profile leaves the household number out: no rule is about households."""
    return profile.drops_household and HOUSEHOLD_RULES.keys().isdisjoint(policy.rules)


def _find_intruder_limits(profile: ReleaseProfile, scenario: Scenario) -> dict[str, float]:
    """Return the limits of intruders who can be judged under a scenario, by rule."""
    kinds = {rule: kind for kind in INTRUDERS.values() for rule in kind.judged_by()}
    return {
        rule: limit
        for rule, limit in profile.intruders.items()
        if ((scenario.household and not scenario.person) or not kinds[rule].needs_household)
        and (scenario.estimator == "model" or not kinds[rule].needs_model)
    }


def check_limits(policy: Policy) -> None:
    """Refuse limits for intruders who are not there.

    Raises:
        UsageError: There is one.
    """
    kinds = INTRUDERS.values()
    known = {rule for kind in kinds for rule in kind.judged_by() if rule not in kind.standing}
    for name in policy.intruders:
        if name not in known:
            raise UsageError(
                f"The policy has a limit for the intruder {name!r}, who is not known."
                f"{did_you_mean(name, sorted(known))}"
            )


def play_intruder(
    intruder: Intruder, file: AttackedFile, *, progress: Progress = silent
) -> IntruderResult:
    """Play an intruder on a file, if he can be played there; else the result says why not."""
    reason = find_reason_to_skip(type(intruder), file)
    return intruder.skip(reason) if reason else intruder.play(file, progress)


INTRUDERS = register_intruders(
    [
        KeysIntruder,
        FamilyIntruder,
        RejoinIntruder,
        ParticipantIntruder,
        MethodIntruder,
        NumbersIntruder,
        GuesserIntruder,
        InferenceIntruder,
    ]
)

NOT_PLAYED = (
    UnplayedIntruder(
        name="second",
        title="Second file",
        knows="Someone who also has an earlier release of the same survey.",
        reason=Sentence("untried-second"),
    ),
)
