"""The five decisions of the guided way, as they are filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from microsafe.guides.lists import ListedVariable
from microsafe.guides.missing_words import MissingWord
from microsafe.options.policy import Policy
from microsafe.options.profiles import USUAL_PROFILE, ProfileName
from microsafe.options.scenario import Scenario
from microsafe.steps.base import Step
from microsafe.variables.scenarios import ProposedScenario


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideQuery:
    """Ask for the decisions for those who get the file."""

    profile: ProfileName = USUAL_PROFILE


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideDecisions:
    """What the guide fills in before a plan is searched; nothing of it was done yet.

    Attributes:
        profile: Who gets the file.
        words: Words that stand for missing by all appearances.
        scenario: What somebody may know, with those words taken as missing.
        cards: Who might recognise people, to choose keys from.
        variables: In which list each stands, and why.
        policy: What must be met.
        first: What is done before a plan is searched.
        last: What is done after the plan.
        keep: Why variables go out, by name.
    """

    profile: ProfileName
    words: tuple[MissingWord, ...]
    scenario: Scenario
    cards: tuple[ProposedScenario, ...]
    variables: tuple[ListedVariable, ...]
    policy: Policy
    first: tuple[Step, ...]
    last: tuple[Step, ...]
    keep: Mapping[str, str]
