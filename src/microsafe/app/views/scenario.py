"""Scenario: who might look for somebody, and what that person knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from microsafe.app.messages.questions import NameQuery
from microsafe.app.messages.scenario import ProposedScenarios, ScenarioLimits, ScenarioList
from microsafe.app.messages.study import StudySummary
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.session import CandidatePlan, State, original_scenarios, rebuild_study
from microsafe.app.views.study import summarise_study
from microsafe.errors import UsageError, did_you_mean
from microsafe.options.scenario import Scenario
from microsafe.studies.study import Study
from microsafe.variables.scenarios import propose_scenarios

FIRST = "main"  # as plans call it


def put_scenario(request: Request[None, Scenario]) -> StudySummary:
    """Add a scenario, or replace the one of that name; measure at once, which tests it."""
    scenario, study = request.body, request.session.study()
    known = {scenario.name: scenario for scenario in original_scenarios(study)}
    if not scenario.name.strip():
        raise UsageError("A scenario needs a name.")
    if not known and scenario.name != FIRST:
        raise UsageError(f"The first scenario must be called {FIRST!r}.")
    made = _rebuild_under(request, study, tuple({**known, scenario.name: scenario}.values()))
    request.session.measure_risk(made, scenario.name, request.progress)
    request.session.change_state(lambda state: _move_state(state, made))
    return summarise_study(request)


def put_scenarios(request: Request[None, ScenarioList]) -> StudySummary:
    """Take other scenarios in the place of all; measure what changed, which tests it."""
    scenarios, renamed = request.body.scenarios, request.body.renamed
    session, study = request.session, request.session.study()
    names = [scenario.name for scenario in scenarios]
    if not names or names[0] != FIRST:
        raise UsageError(f"The first scenario must be called {FIRST!r}.")
    for name in names:
        if not name.strip():
            raise UsageError("A scenario needs a name.")
        if names.count(name) > 1:
            raise UsageError(f"Two scenarios are called {name!r}.")
    known = original_scenarios(study)
    if scenarios == known:
        return summarise_study(request)
    before = {renamed.get(scenario.name, scenario.name): scenario for scenario in known}
    steps = tuple(done.step.rename_scenarios(renamed) for done in study.steps)
    made = rebuild_study(study, scenarios, steps, request.progress)
    for scenario in scenarios:
        old = before.get(scenario.name)
        if old is None or replace(old, name=scenario.name) != scenario:
            session.measure_risk(made, scenario.name, request.progress)
    session.change_state(lambda state: _rename_state(_move_state(state, made), renamed))
    return summarise_study(request)


def list_proposed(request: Request[None, None]) -> ProposedScenarios:
    """Return ready-made scenarios, by what the keys of the file are about."""
    opened, _ = request.session.current_file()
    return ProposedScenarios(scenarios=propose_scenarios(opened.variables.variables))


def set_limits(request: Request[None, ScenarioLimits]) -> StudySummary:
    """Give a scenario limits of its own, or those of all others again."""
    given, study = request.body, request.session.study()
    name = study.scenario(given.scenario).name
    for limit in (given.limit, given.household_limit):
        if limit is not None and not 0 < limit <= 1:
            raise UsageError("A limit on risk must be above 0 and at most 1.")
    if given.household_limit is not None and study.scenario(name).household is None:
        raise Refusal(409, "The scenario has no household number.", "Mark it in Scenario.")
    request.session.change_state(
        lambda state: replace(
            state,
            limits=_with_limit(state.limits, name, given.limit),
            household_limits=_with_limit(state.household_limits, name, given.household_limit),
        )
    )
    return summarise_study(request)


def _with_limit(limits: Mapping[str, float], name: str, limit: float | None) -> dict[str, float]:
    others = {each: value for each, value in limits.items() if each != name}
    return others if limit is None else {**others, name: limit}


def delete_scenario(request: Request[NameQuery, None]) -> StudySummary:
    """Take a scenario away."""
    name, study = request.query.name, request.session.study()
    known = original_scenarios(study)
    if name not in [scenario.name for scenario in known]:
        hint = did_you_mean(name, [scenario.name for scenario in known])
        raise Refusal(404, f"There is no scenario {name!r}.{hint}")
    if name == FIRST and len(known) > 1:
        raise Refusal(
            409,
            "The first scenario cannot be removed while there are others.",
            "Change it instead.",
        )
    made = _rebuild_under(
        request, study, tuple(scenario for scenario in known if scenario.name != name)
    )
    request.session.change_state(lambda state: _rename_state(_move_state(state, made), {}))
    return summarise_study(request)


def _rebuild_under(
    request: Request[object, object], study: Study, scenarios: Sequence[Scenario]
) -> Study:
    """Take all steps again under other scenarios."""
    steps = tuple(done.step for done in study.steps)
    return rebuild_study(study, scenarios, steps, request.progress)


def _move_state(state: State, made: Study) -> State:
    """What was confirmed or proposed was so under other assumptions, so it is not any more."""
    plans = {name: CandidatePlan(steps=plan.steps) for name, plan in state.plans.items()}
    return replace(state, study=made, confirmed=0, plans=plans, proposed=())


def _rename_state(state: State, renamed: Mapping[str, str]) -> State:
    """Candidates, limits and the policy follow new names; what has no scenario any more goes."""
    assert state.study is not None  # noqa: S101
    known = [scenario.name for scenario in state.study.scenarios]

    def rename(limits: Mapping[str, float]) -> dict[str, float]:
        named = {renamed.get(name, name): limit for name, limit in limits.items()}
        return {name: limit for name, limit in named.items() if name in known}

    own: dict[str, Any] = {
        rule: rename(limit) or None
        for rule, limit in state.policy.rules.items()
        if isinstance(limit, Mapping)
    }
    reasons = {
        rule: why for rule, why in state.policy.override.items() if rule not in own or own[rule]
    }
    plans = {
        name: CandidatePlan(steps=tuple(step.rename_scenarios(renamed) for step in plan.steps))
        for name, plan in state.plans.items()
    }
    return replace(
        state,
        plans=plans,
        policy=replace(state.policy, **own, override=reasons),
        limits=rename(state.limits),
        household_limits=rename(state.household_limits),
    )
