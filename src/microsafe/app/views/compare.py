"""Compare: before and after, one candidate plan against another; confirm."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from microsafe.app.messages import MOST_ROWS, questions
from microsafe.app.messages.compare import (
    ComparisonFigures,
    Cost,
    GroupRow,
    MeanRow,
    PlanComparison,
    PlanFigures,
    RiskPair,
    UtilityFigures,
)
from microsafe.app.messages.message_builder import build_message
from microsafe.app.messages.numbers import describe_number
from microsafe.app.messages.questions import NameQuery, PlanComparisonQuery
from microsafe.app.messages.study import StudySummary
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.session import CandidatePlan, Session, original_scenarios, rebuild_study
from microsafe.app.views.risk import measure_figures
from microsafe.app.views.study import list_steps, summarise_study
from microsafe.compare import Comparison
from microsafe.compare.cost_figures import Means, Utility
from microsafe.compare.propensity import Propensity
from microsafe.errors import UsageError, did_you_mean
from microsafe.progress import Progress
from microsafe.studies.categories import spell_labels
from microsafe.studies.study import Study

_MOST_PLANS = 20


def compare_states(request: Request[questions.ComparisonQuery, None]) -> ComparisonFigures:
    """Compare an earlier state with the present one."""
    session, to = request.session, request.query.to
    study = session.study()
    before = study._before(to)
    left = [scenario.name for scenario in study.scenarios]
    return ComparisonFigures(
        to=to,
        risks=tuple(
            RiskPair(
                scenario=name,
                before=measure_figures(session, before, name, request.progress),
                after=measure_figures(session, study, name, request.progress),
            )
            for name in left
        ),
        cost=_make_cost(study.compare(to, by=request.query.by, progress=request.progress), before),
    )


def _make_cost(found: Comparison, before: Study) -> Cost:
    tables = [*found.one_way(), *found.two_way()[:MOST_ROWS]]
    hit = found.touched
    return build_message(
        Cost,
        found,
        replaced=hit.values - found.blanks,
        touched=hit.records,
        touched_weight=hit.weight,
        hardest=tuple(group for group in found.hardest if group.lost > found.lost)[:MOST_ROWS],
        groups=tuple(
            build_message(
                GroupRow,
                group,
                label=spell_labels(before.schema[group.by]).get(group.category, ""),
            )
            for group in found.worst_groups(MOST_ROWS)
        ),
        tables=tuple(tables),
        tables_left_out=len(found.tables) - len(tables),
        means=tuple(_list_means(found.means))[:MOST_ROWS],
        **_tell_propensity(found.propensity),
        utility=None if found.utility is None else _make_utility(found.utility),
    )


def _make_utility(found: Utility) -> UtilityFigures:
    return UtilityFigures(
        numbers=tuple(map(describe_number, found.numbers)),
        correlations=found.correlations[-1] if found.correlations else None,  # weighted come last
        pictures=found.pictures,
        **_tell_propensity(found.propensity),
    )


def _tell_propensity(told: Propensity | None) -> dict[str, float | None]:
    if told is None:
        return {"pmse": None, "pmse_ratio": None}
    return {"pmse": told.pmse, "pmse_ratio": told.ratio if math.isfinite(told.ratio) else None}


def _list_means(found: Sequence[Means]) -> Iterator[MeanRow]:
    for means in found:
        mean, total = means.worst("mean_change"), means.worst("total_change")
        yield MeanRow(
            name=means.name,
            by=means.by,
            mean_change=None if mean is None else mean.mean_change,
            mean_where="" if mean is None else mean.category,
            total_change=None if total is None else total.total_change,
            total_where="" if total is None else total.category,
        )


def confirm_steps(request: Request[None, None]) -> StudySummary:
    """Confirm the steps taken so far."""
    number = len(request.session.study().steps)
    request.session.change_state(lambda state: replace(state, confirmed=number))
    return summarise_study(request)


def keep_plan(request: Request[None, NameQuery]) -> StudySummary:
    """Keep the present steps as a candidate."""
    study = request.session.study()
    made = CandidatePlan(steps=tuple(done.step for done in study.steps), study=study)
    plans = add_plan(request.session.state.plans, request.body.name, made)
    request.session.change_state(lambda state: replace(state, plans=plans))
    return summarise_study(request)


def add_plan(
    plans: Mapping[str, CandidatePlan], name: str, plan: CandidatePlan
) -> Mapping[str, CandidatePlan]:
    """Add a candidate, or replace the one of that name.

    Raises:
        UsageError: No plan can be called so.
        Refusal: There are too many.
    """
    name = name.strip()
    if not name or len(name) > 80:
        raise UsageError("The name of a candidate plan must have 1 to 80 characters.")
    made = {**plans, name: plan}
    if len(made) > _MOST_PLANS:
        raise Refusal(409, f"There are already {_MOST_PLANS} candidate plans.", "Delete one first.")
    return made


def delete_plan(request: Request[NameQuery, None]) -> StudySummary:
    """Forget a candidate."""
    _find_plan(request.session, request.query.name)
    plans = {
        name: plan
        for name, plan in request.session.state.plans.items()
        if name != request.query.name
    }
    request.session.change_state(lambda state: replace(state, plans=plans))
    return summarise_study(request)


def use_plan(request: Request[None, NameQuery]) -> StudySummary:
    """Go over to a candidate; its steps are to be confirmed anew."""
    made = _build_study(request.session, request.body.name, request.progress)
    request.session.change_state(lambda state: replace(state, study=made, confirmed=0))
    return summarise_study(request)


def compare_plans(request: Request[PlanComparisonQuery, None]) -> PlanComparison:
    """Put two candidates side by side."""
    one, other = (
        _make_plan_figures(request, name) for name in (request.query.one, request.query.other)
    )
    return PlanComparison(one=one, other=other)


def _make_plan_figures(request: Request[PlanComparisonQuery, None], name: str) -> PlanFigures:
    session = request.session
    study = _build_study(session, name, request.progress) if name else session.study()
    return PlanFigures(
        name=name,
        steps=list_steps(study),
        risks=tuple(
            measure_figures(session, study, scenario.name, request.progress)
            for scenario in study.scenarios
        ),
        cost=_make_cost(study.compare(progress=request.progress), study._before()),
    )


def _find_plan(session: Session, name: str) -> CandidatePlan:
    plans = session.state.plans
    if name not in plans:
        raise Refusal(404, f"There is no candidate plan {name!r}.{did_you_mean(name, plans)}")
    return plans[name]


def _build_study(session: Session, name: str, progress: Progress) -> Study:
    """Return the study of a candidate, and keep it once it was made."""
    found, now = _find_plan(session, name), session.study()
    if found.study is None:
        found.study = rebuild_study(now, original_scenarios(now), found.steps, progress)
    return found.study
