"""Propose: the cheapest plan that meets the policy, its frontier, and a plan to take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from operator import eq, ne

from microsafe.app.journal import TakenProposal
from microsafe.app.ladder_editor import (
    describe_ladders,
    find_start,
    given_ladders,
    plain_ladders,
    read_ladders,
)
from microsafe.app.messages.message_builder import build_message, values_of
from microsafe.app.messages.propose import (
    KeepRequest,
    KeyLoss,
    LadderList,
    LadderRequest,
    LastProposal,
    NamedPlan,
    PlanDetail,
    PlanPoint,
    PointQuery,
    ProposalFigures,
    ProposalQuery,
    ProposeRequest,
)
from microsafe.app.messages.questions import NameQuery
from microsafe.app.messages.study import StudySummary
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.session import CandidatePlan, OpenProposal, Session, State, original_scenarios
from microsafe.app.views.compare import add_plan
from microsafe.app.views.study import describe_variable, summarise_study
from microsafe.compare.step_loss import measure_information
from microsafe.options.policy import Policy
from microsafe.options.proposal import ProposalTerms
from microsafe.options.reason import PROPOSED
from microsafe.options.uses import Uses
from microsafe.plan.proposal import is_replaced, remember_proposal
from microsafe.plan.values import build_value
from microsafe.progress import Progress
from microsafe.propose.candidates import Candidate
from microsafe.propose.saved_search import forget_unreadable
from microsafe.steps.base import Step
from microsafe.studies.study import Study
from microsafe.variables.profile import VariableProfile

BEFORE = "before the proposal"  # what the steps are kept as that a proposal takes the place of
_MOST_TAKEN = 20


def list_ladders(request: Request[None, LadderRequest]) -> LadderList:
    """List the ladder of every key, edited or as the data suggest."""
    start = find_start(request.session, request.progress)
    edited = read_ladders(start, request.body.ladders, request.progress)
    return LadderList(ladders=describe_ladders(start, edited, request.progress))


def show_key(request: Request[NameQuery, None]) -> VariableProfile:
    """Return a key as it is before anything is proposed."""
    session, name = request.session, request.query.name
    start = find_start(session, request.progress)
    private = session.is_private(name)
    return describe_variable(start, name, request.progress, private=private)


def make_proposal(request: Request[None, ProposeRequest]) -> ProposalFigures:
    """Look for the cheapest plan, and keep what was found until it is taken."""
    session, asked = request.session, request.body
    start = find_start(session, request.progress)
    edited = read_ladders(start, asked.ladders, request.progress)
    policy, rules = session.state.policy, _read_rules(asked)
    rules = replace(rules, intruders={**policy.intruders, **rules.intruders})
    overridden = {rule: why for rule, why in policy.override.items() if rule in rules.rules}
    search = None if session.journal_file is None else session.journal_file.search
    if search is not None:
        forget_unreadable(search)
    found = start.propose(
        policy=replace(rules, override=overridden),
        utility=_find_uses(session.state, asked),
        keep=tuple(session.state.keep),
        **{**values_of(asked, ProposalTerms), "ladders": given_ladders(edited)},
        search=search,
        progress=request.progress,
    )
    kept = session.keep_proposal(asked, start, found, plain_ladders(edited))
    return _describe_proposal(session, kept)


def _read_rules(asked: ProposeRequest) -> Policy:
    return build_value(Policy, dict(asked.rules), "The rules")


def _find_uses(state: State, asked: ProposeRequest) -> Uses | None:
    """Return the uses that matter, with the weights that were given to keys here."""
    if not asked.utility:
        return state.uses
    known = state.uses or Uses()
    return replace(known, variables={**known.variables, **asked.utility})


def show_proposal(request: Request[ProposalQuery, None]) -> LastProposal:
    """Return a proposal that was made, as it stands now."""
    session = request.session
    kept = session.find_proposal(request.query.proposal)
    return LastProposal(found=None if kept is None else _describe_proposal(session, kept))


def _describe_proposal(session: Session, kept: OpenProposal) -> ProposalFigures:
    found, plans = kept.found, _list_plans(kept)
    near = found.nearest
    return build_message(
        ProposalFigures,
        found,
        proposal=kept.number,
        asked=kept.asked,
        stale=_is_stale(session, kept),
        points=tuple(build_message(PlanPoint, plan, gap=found.gap_of(plan)) for plan in plans),
        best=None if found.best is None else plans.index(found.best),
        nearest=None if near is None else plans.index(near),
        named=tuple(
            NamedPlan(name=name, point=plans.index(each), sentence=each.sentence)
            for name, each in found.distinct_names.items()
        ),
        failing=() if near is None else near.failing,
        taken=_find_taken(session, plans),
        notes=tuple(found.notes),
    )


def _list_plans(kept: OpenProposal) -> list[Candidate[Study]]:
    """Return the plans that can be opened, those of the frontier first."""
    found = kept.found
    plans = [point.candidate for point in found.points]
    named = found.distinct_names.values()
    return list(dict.fromkeys(plan for plan in (*plans, *named, found.shown) if plan))


def _find_taken(session: Session, plans: Sequence[Candidate[Study]]) -> int | None:
    now = _list_steps(session)
    for place, plan in enumerate(plans):
        begun = _begin_with(plan)
        if plan.steps and now[: len(begun)] == begun:
            return place
    return None


def _begin_with(plan: Candidate[Study]) -> tuple[Step, ...]:
    """Return all steps of a study that has taken a plan."""
    return (*(done.step for done in plan.start.steps), *plan.steps)


def _list_steps(
    session: Session, which: Callable[[Step], bool] = lambda _: True
) -> tuple[Step, ...]:
    return tuple(done.step for done in session.study().steps if which(done.step))


def _is_stale(session: Session, kept: OpenProposal) -> bool:
    """Tell whether a proposal was made for other data than there are now, or for other uses."""
    left = _list_steps(session, lambda step: not is_replaced(step))
    begun = tuple(done.step for done in kept.start.steps)
    scenarios = map(original_scenarios, (session.study(), kept.start))
    uses = _find_uses(session.state, kept.asked)
    return left != begun or ne(*scenarios) or uses != kept.found.utility


def _find_point(
    session: Session, asked: PointQuery | KeepRequest
) -> tuple[OpenProposal, Candidate[Study]]:
    """Return a plan that may be taken.

    Raises:
        Refusal: It is gone, or was made for other data.
    """
    kept = session.find_proposal(asked.proposal)
    plans = [] if kept is None else _list_plans(kept)
    if kept is None or not 0 <= asked.point < len(plans):
        raise Refusal(404, "This proposal is no longer open.", "Propose again.")
    if _is_stale(session, kept):
        raise Refusal(
            409,
            "Scenarios, steps or uses have changed since this was proposed.",
            "Propose again.",
        )
    return kept, plans[asked.point]


def open_point(request: Request[PointQuery, None]) -> PlanDetail:
    """Say what a plan does, key by key and rule by rule."""
    _, plan = _find_point(request.session, request.query)
    request.progress("taking the steps of the plan", 0.0)
    losses = measure_information(plan.start, plan.study)
    lost = {loss.variable: loss.lost / (loss.bits_before or 1.0) for loss in losses}
    return build_message(
        PlanDetail,
        plan,
        steps=tuple(step.in_words() for step in plan.steps),
        losses=tuple(
            KeyLoss(key=key, loss=lost.get(key, 0.0), blanks=many, recode=plan.recodes.get(key, ""))
            for key, many in plan.blanks_by_key.items()
        ),
        replaced=tuple(step.in_words() for step in _list_steps(request.session, is_replaced)),
    )


def take_point(request: Request[None, PointQuery]) -> StudySummary:
    """Take a plan, in the place of what was suppressed or proposed before.

    What a person suppressed is kept as a candidate. Rules that the policy does not have yet become
    part of it, so that the release is judged by them, and so do the weights of keys of the uses.
    """
    session = request.session
    kept, plan = _find_point(session, request.body)
    taken = _remember(kept, plan, request.progress)
    study, steps = session.study(), _list_steps(session)
    same = len(list(takewhile(bool, map(eq, steps, _begin_with(plan)))))
    plans = session.state.plans
    if any(not step.why.startswith(PROPOSED) for step in _list_steps(session, is_replaced)):
        plans = add_plan(plans, BEFORE, CandidatePlan(steps=steps, study=study))
    session.change_state(
        lambda state: replace(
            state,
            study=plan.study,
            confirmed=min(state.confirmed, same),
            plans=plans,
            policy=_complete_policy(state.policy, _read_rules(kept.asked)),
            uses=kept.found.utility,
            proposed=_add_taken(state, taken),
        )
    )
    return summarise_study(request)


def keep_point(request: Request[None, KeepRequest]) -> StudySummary:
    """Keep a plan as a candidate, to compare it with others."""
    session, name = request.session, request.body.name
    kept, plan = _find_point(session, request.body)
    taken = _remember(kept, plan, request.progress)
    made = CandidatePlan(steps=_begin_with(plan), study=plan.study)
    plans = add_plan(session.state.plans, name, made)
    session.change_state(
        lambda state: replace(state, plans=plans, proposed=_add_taken(state, taken))
    )
    return summarise_study(request)


def _remember(
    kept: OpenProposal, plan: Candidate[Study], progress: Progress
) -> TakenProposal | None:
    """Return what plans keep of a proposal; nothing of one that does not meet the policy."""
    plans = kept.found.candidates
    if plan not in plans:
        return None
    for done, each in enumerate(plans):
        progress("measuring the plans of the frontier", done / len(plans))
        _ = each.expected
    steps = _begin_with(plan)
    propose = replace(remember_proposal(kept.found, steps), ladders=kept.ladders)
    return TakenProposal(steps=steps, propose=propose)


def _add_taken(state: State, taken: TakenProposal | None) -> tuple[TakenProposal, ...]:
    if taken is None:
        return state.proposed
    others = [each for each in state.proposed if each.steps != taken.steps]
    return (*others[1 - _MOST_TAKEN :], taken)


def _complete_policy(policy: Policy, asked: Policy) -> Policy:
    """Add the rules that were asked for and that the policy does not have.

    Those on households are among them although the plan may leave out their number: they are judged
    again once that is undone.
    """
    more = {
        rule: limit
        for rule, limit in asked.rules.items()
        if rule not in policy.rules and rule not in asked.intruders
    }
    intruders = {**asked.intruders, **policy.intruders}
    return replace(policy, intruders=intruders, **more)  # type: ignore[arg-type]
