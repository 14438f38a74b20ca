"""Scenario: who might look for somebody, and what that person knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from microsafe.app.ask import Ask
from microsafe.app.messages.questions import Named
from microsafe.app.messages.study import StudySummary
from microsafe.app.refusal import Refused
from microsafe.app.session import Candidate, State, rebuilt, scenarios_of
from microsafe.app.views.study import summary
from microsafe.errors import UsageError, did_you_mean
from microsafe.scenario import Scenario
from microsafe.study import Study

FIRST = "main"  # as plans call it


def put(ask: Ask[None, Scenario]) -> StudySummary:
    """Add a scenario, or replace the one of that name; measure at once, which tests it."""
    scenario, study = ask.body, ask.session.study()
    known = {each.name: each for each in scenarios_of(study)}
    if not scenario.name.strip():
        raise UsageError("A scenario needs a name.")
    if not known and scenario.name != FIRST:
        raise UsageError(f"The first scenario must be called {FIRST!r}.")
    made = _under(ask, study, tuple({**known, scenario.name: scenario}.values()))
    ask.session.risk(made, scenario.name, ask.progress)
    ask.session.change(lambda state: _moved(state, made))
    return summary(ask)


def delete(ask: Ask[Named, None]) -> StudySummary:
    """Take a scenario away."""
    name, study = ask.query.name, ask.session.study()
    known = scenarios_of(study)
    if name not in [each.name for each in known]:
        hint = did_you_mean(name, [each.name for each in known])
        raise Refused(404, f"There is no scenario {name!r}.{hint}")
    if name == FIRST and len(known) > 1:
        raise Refused(409, "The first scenario stays while there are others.", "Change it instead.")
    made = _under(ask, study, tuple(each for each in known if each.name != name))
    ask.session.change(lambda state: _moved(state, made))
    return summary(ask)


def _under(ask: Ask[object, object], study: Study, scenarios: Sequence[Scenario]) -> Study:
    """Take all steps again under other scenarios."""
    steps = tuple(done.step for done in study.steps)
    return rebuilt(study, scenarios, steps, ask.progress)


def _moved(state: State, made: Study) -> State:
    """What was confirmed was confirmed under other assumptions, so it is not any more."""
    plans = {name: Candidate(steps=each.steps) for name, each in state.plans.items()}
    return replace(state, study=made, confirmed=0, plans=plans)
