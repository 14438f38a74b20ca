"""Scenario: who might look for somebody, and what that person knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from microsafe.app.messages.questions import NameQuery
from microsafe.app.messages.study import StudySummary
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.session import CandidatePlan, State, original_scenarios, rebuild_study
from microsafe.app.views.study import summarise_study
from microsafe.errors import UsageError, did_you_mean
from microsafe.scenario import Scenario
from microsafe.study import Study

FIRST = "main"  # as plans call it


def put_scenario(request: Request[None, Scenario]) -> StudySummary:
    """Add a scenario, or replace the one of that name; measure at once, which tests it."""
    scenario, study = request.body, request.session.study()
    known = {each.name: each for each in original_scenarios(study)}
    if not scenario.name.strip():
        raise UsageError("A scenario needs a name.")
    if not known and scenario.name != FIRST:
        raise UsageError(f"The first scenario must be called {FIRST!r}.")
    made = _rebuild_under(request, study, tuple({**known, scenario.name: scenario}.values()))
    request.session.measure_risk(made, scenario.name, request.progress)
    request.session.change_state(lambda state: _move_state(state, made))
    return summarise_study(request)


def delete_scenario(request: Request[NameQuery, None]) -> StudySummary:
    """Take a scenario away."""
    name, study = request.query.name, request.session.study()
    known = original_scenarios(study)
    if name not in [each.name for each in known]:
        hint = did_you_mean(name, [each.name for each in known])
        raise Refusal(404, f"There is no scenario {name!r}.{hint}")
    if name == FIRST and len(known) > 1:
        raise Refusal(
            409,
            "The first scenario cannot be removed while there are others.",
            "Change it instead.",
        )
    made = _rebuild_under(request, study, tuple(each for each in known if each.name != name))
    request.session.change_state(lambda state: _move_state(state, made))
    return summarise_study(request)


def _rebuild_under(
    request: Request[object, object], study: Study, scenarios: Sequence[Scenario]
) -> Study:
    """Take all steps again under other scenarios."""
    steps = tuple(done.step for done in study.steps)
    return rebuild_study(study, scenarios, steps, request.progress)


def _move_state(state: State, made: Study) -> State:
    """What was confirmed was confirmed under other assumptions, so it is not any more."""
    plans = {name: CandidatePlan(steps=each.steps) for name, each in state.plans.items()}
    return replace(state, study=made, confirmed=0, plans=plans)
