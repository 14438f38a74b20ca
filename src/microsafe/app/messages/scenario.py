"""Scenarios: all at once, ready-made ones, and limits of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from microsafe.options.scenario import Scenario
from microsafe.variables.scenarios import ProposedScenario


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioList:
    """All scenarios, in order; the first is "main".

    Attributes:
        scenarios: As they shall be. One that is not named is taken away.
        renamed: New name by old one; steps and limits that name a scenario follow.
    """

    scenarios: tuple[Scenario, ...]
    renamed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioLimits:
    """Limits of one scenario; null if that of all others holds."""

    scenario: str
    limit: float | None = None
    household_limit: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedScenarios:
    """Ready-made scenarios, by what the keys of the file are about."""

    scenarios: tuple[ProposedScenario, ...]
