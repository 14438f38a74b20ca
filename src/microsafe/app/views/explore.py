"""Explore: look at one or two variables before protection, and now."""

from __future__ import annotations

from microsafe.app.grouped_counts import explore_table, explore_variable
from microsafe.app.messages.explore import CrossCounts, CrossQuery, ExploredVariable, ExploreQuery
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.session import Session
from microsafe.errors import UsageError
from microsafe.studies.study import Study


def show_distribution(request: Request[ExploreQuery, None]) -> ExploredVariable:
    """Return the distribution of a variable."""
    query = request.query
    study = _open_state(request.session, query.steps, query.name)
    weight = _find_weight(request.session, study)
    return explore_variable(study, query.name, weight, query.axis, request.progress)


def show_cross_table(request: Request[CrossQuery, None]) -> CrossCounts:
    """Return two variables against each other."""
    query = request.query
    if query.rows == query.columns:
        raise UsageError("Choose two different variables.")
    study = _open_state(request.session, query.steps, query.rows, query.columns)
    weight = _find_weight(request.session, study)
    return explore_table(study, query.rows, query.columns, weight, request.progress)


def _open_state(session: Session, steps: int | None, *names: str) -> Study:
    """Return the study in a state, sure that nobody is told apart by the variables."""
    study = session.study(steps)
    for name in names:
        if name not in study.schema and name in session.study(0).schema:
            raise Refusal(409, f"{name} was left out by a step.", "Look at it before protection.")
        study.schema[name]
        if session.is_private(name):
            raise Refusal(
                409,
                f"{name} tells people apart, so nobody counts its values.",
                "Choose another variable.",
            )
    return study


def _find_weight(session: Session, study: Study) -> str | None:
    """Return the weight of the first scenario, or what is probably one."""
    if study.scenarios:
        return study.scenarios[0].weight
    known = session.current_file()[0].variables.variables
    return next((variable.name for variable in known if variable.role == "weight"), None)
