"""Propose the steps of a plan, and write the result into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from microsafe.errors import UsageError
from microsafe.options.reason import PROPOSED
from microsafe.plan.model import Plan, Propose
from microsafe.plan.sections import check_weights
from microsafe.progress import Progress, silent
from microsafe.propose.candidates import AnyStudy, Candidate
from microsafe.propose.make_proposal import make_proposal
from microsafe.propose.proposal import Proposal
from microsafe.report.proposed_plan import ProposedPlan, ProposedPoint
from microsafe.steps.base import Step
from microsafe.studies.study import Study


def propose_plan(
    plan: Plan,
    data: Study,
    *,
    folder: Path | None = None,
    kept: Path | None = None,
    whole: bool = True,
    progress: Progress = silent,
) -> tuple[Proposal[Study], Plan]:
    """Propose recodes and blanks for a plan; return the proposal, and the plan with its steps.

    Where no plan keeps to all that was asked, it has those of the nearest.

    Steps that suppress, and those that were proposed before, are left out and replaced; all
    others are taken first.

    Args:
        plan: Has scenarios, policy, steps and what a proposal may do.
        data: Its input, opened.
        folder: Where files of ladders are.
        kept: File of a search that this one goes on from, and that keeps it.
        whole: Whether every plan of the frontier is measured, or the one to take only.
        progress: Progress callback.
    """
    asked = plan.propose or Propose()
    wanted = [name for each in plan.keep if each.why for name in each.variables]
    options = replace(asked.options(), utility=plan.utility, keep=tuple(wanted))
    if plan.utility is not None:
        check_weights(plan.utility, data.scenarios, plan.place)
    before = tuple(plan.steps[number - 1] for number in find_kept(plan))
    for step in before:
        data = data.apply(step, progress=progress)
    found = make_proposal(
        data, plan.policy, options, folder=folder, kept=kept, whole=whole, progress=progress
    )
    if found.shown is None:
        return found, plan
    made = replace(
        plan,
        steps=(*before, *found.shown.steps),
        propose=replace(asked, result=keep_result(found, found.shown)),
    )
    return found, made


def is_replaced(step: Step) -> bool:
    """Tell whether a step gives way to what is proposed: it suppresses, or was proposed before."""
    return step.do == "suppress" or step.why.startswith(PROPOSED)


def find_kept(plan: Plan) -> list[int]:
    """Return the numbers of the steps, from 1, that a proposal does not replace."""
    return [number for number, step in enumerate(plan.steps, 1) if not is_replaced(step)]


def keep_result(found: Proposal[AnyStudy], chosen: Candidate[AnyStudy]) -> ProposedPlan:
    """Return what a plan keeps of a proposal: of the search that found the plan taken.

    Args:
        found: The proposal.
        chosen: The candidate that is taken.
    """
    if found.beside is not None and chosen in found.beside.candidates:
        return keep_result(found.beside, chosen)
    gap, cap = found.gap_of(chosen), found.cap
    for point in found.points:
        if point.candidate is chosen and chosen is not found.best:
            cap = point.most
    return ProposedPlan(
        status="found" if gap else "proved",
        gap=_shorten(gap),
        records=found.records,
        cap=cap,
        frontier=tuple(
            ProposedPoint(
                touched=each.touched,
                blanks=each.blanks,
                loss=_shorten(each.loss),
                loss_by_uses=None if each.uses is None else _shorten(each.uses.loss),
                expected=_shorten(each.expected) if each.measured else None,
                recodes=tuple(each.recodes),
                taken=each is chosen,
            )
            for each in (point.candidate for point in found.points)
            if each is not None
        ),
    )


def _shorten(value: float) -> float:
    return float(f"{value:.6g}")


def remember_proposal(found: Proposal[AnyStudy], steps: Sequence[Step]) -> Propose:
    """Return what a plan keeps of a proposal of which a candidate was taken.

    Ladders are not kept: what they made is in the steps.

    Args:
        found: The proposal.
        steps: What was done.

    Raises:
        UsageError: The steps do not begin with those of a candidate.
    """
    for candidate in sorted(found.candidates, key=lambda one: -len(one.steps)):
        before = (taken.step for taken in candidate.start.steps)
        begun = (*before, *candidate.steps)
        if tuple(steps[: len(begun)]) == begun:
            asked = candidate.posed.wish
            return Propose(
                touched=asked.touched,
                spare=asked.spare,
                guarantee=asked.guarantee,
                result=keep_result(found, candidate),
            )
    raise UsageError(
        "The steps are not those of a plan of the proposal. Take one of its candidates, or leave "
        "out proposal."
    )
