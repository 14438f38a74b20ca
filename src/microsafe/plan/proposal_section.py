"""`[propose]` of a plan: what a proposal may do, and what it found.

It is a wish, not a step: `protect` reads and checks it, and does nothing with it but tell the
board why the steps are what they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe.display import Rate
from microsafe.errors import UsageError
from microsafe.plan.lines import Place
from microsafe.plan.sections import build_ladder_sources, check_weights
from microsafe.plan.values import build_value
from microsafe.progress import Progress, silent
from microsafe.propose.candidates import AnyStudy, Candidate
from microsafe.propose.make_proposal import make_proposal
from microsafe.propose.plan_checks import Guarantee
from microsafe.propose.problem import Wish
from microsafe.propose.proposal import Proposal
from microsafe.report.why import ProposedPlan, ProposedPoint
from microsafe.steps.base import Step
from microsafe.studies.study import Study

if TYPE_CHECKING:
    from microsafe.plan.file import Plan

CHOSEN = "chosen by microsafe propose"  # how the reasons of proposed steps begin


@dataclass(frozen=True, slots=True, kw_only=True)
class Propose:
    """What a proposal may do; fields as in `Wish`.

    Attributes:
        touched: Share of the records that may lose a value; 1 if any number may.
        spare: Keys that are neither recoded nor blanked.
        guarantee: Of the blanks, `own` or `strict`.
        seconds: When to stop and tell what was found.
        ladders: Recodes that a key may get, as they were read.
        result: What was found.
    """

    touched: Rate = 0.05
    spare: tuple[str, ...] = ()
    guarantee: Guarantee = "own"
    seconds: float | None = None
    ladders: Mapping[str, object] = field(default_factory=dict)
    result: ProposedPlan | None = None

    def __post_init__(self) -> None:
        """Refuse what no proposal could do."""
        self.wish("[propose]")

    def wish(self, where: str | Place = "[propose.ladders]") -> Wish:
        """Return what is asked for, with ladders that can be built."""
        same = ("touched", "spare", "guarantee", "seconds")
        return Wish(
            ladders=build_ladder_sources(self.ladders, where),
            **{name: getattr(self, name) for name in same},
        )


def build_propose(table: object, where: Place, ladders: Place, result: Place) -> Propose:
    """Make `[propose]` of a plan from what was read, naming what is wrong with it.

    Args:
        table: As it was read.
        where: What messages call it.
        ladders: What they call `[propose.ladders]`.
        result: What they call `[propose.result]`.
    """
    if not isinstance(table, Mapping):
        raise UsageError(f"{where} must be a table.")
    plain = {word: each for word, each in table.items() if word not in ("ladders", "result")}
    given = table.get("ladders", {})
    build_ladder_sources(given, ladders)
    made = build_value(Propose, plain, where)
    return replace(made, ladders=given, result=_build_result(table.get("result"), result))


def _build_result(table: object, where: Place) -> ProposedPlan | None:
    if table is None:
        return None
    if not isinstance(table, Mapping) or not isinstance(table.get("frontier", []), list):
        raise UsageError(f"{where} must be a table with a list of plans. Leave it out.")
    plain = {word: each for word, each in table.items() if word != "frontier"}
    points = [build_value(ProposedPoint, each, where) for each in table.get("frontier", [])]
    return replace(build_value(ProposedPlan, plain, where), frontier=tuple(points))


def result_table(found: ProposedPlan) -> dict[str, Any]:
    """Return what was found as a table of a plan, without the frontier."""
    table = {each.name: getattr(found, each.name) for each in fields(found)}
    return {word: each for word, each in table.items() if word != "frontier" and each is not None}


def frontier_rows(found: ProposedPlan) -> list[dict[str, Any]]:
    """Return the plans of a frontier as tables; which was not taken, or not known, is not said."""
    rows = [{each.name: getattr(row, each.name) for each in fields(row)} for row in found.frontier]
    return [
        {word: each for word, each in row.items() if each is not False and each is not None}
        for row in rows
    ]


def propose_plan(
    plan: Plan,
    data: Study,
    *,
    folder: Path | None = None,
    seconds: float | None = None,
    progress: Progress = silent,
) -> tuple[Proposal[Study], Plan]:
    """Propose recodes and blanks for a plan; return the proposal, and the plan with its steps.

    Steps that suppress, and those that were proposed before, are left out and replaced; all
    others are taken first.

    Args:
        plan: Has scenarios, policy, steps and wishes.
        data: Its input, opened.
        folder: Where files of ladders are.
        seconds: When to stop, instead of the plan's.
        progress: Progress callback.
    """
    asked = plan.propose or Propose()
    wish = replace(asked.wish(), utility=plan.utility)
    if plan.utility is not None:
        check_weights(plan.utility, data.scenarios, plan.place)
    if seconds is not None:
        wish = replace(wish, seconds=seconds)
    kept = tuple(plan.steps[number - 1] for number in find_kept(plan))
    for step in kept:
        data = data.apply(step, progress=progress)
    found = make_proposal(data, plan.policy, wish, folder=folder, progress=progress)
    if found.best is None:
        return found, plan
    made = replace(
        plan,
        steps=(*kept, *found.best.steps),
        propose=replace(asked, result=keep_result(found)),
    )
    return found, made


def is_replaced(step: Step) -> bool:
    """Tell whether a step gives way to what is proposed: it suppresses, or was proposed before."""
    return step.do == "suppress" or step.why.startswith(CHOSEN)


def find_kept(plan: Plan) -> list[int]:
    """Return the numbers of the steps, from 1, that a proposal does not replace."""
    return [number for number, step in enumerate(plan.steps, 1) if not is_replaced(step)]


def keep_result(
    found: Proposal[AnyStudy], chosen: Candidate[AnyStudy] | None = None
) -> ProposedPlan:
    """Return what a plan keeps of a proposal.

    Args:
        found: The proposal.
        chosen: The candidate that is taken; the best if None.
    """
    chosen = chosen or found.best
    gap, cap = found.gap, found.cap
    for point in found.points:
        if point.candidate is chosen and chosen is not found.best:
            gap, cap = point.gap, point.most
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
                expected=_shorten(each.expected),
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
    for each in sorted(found.candidates, key=lambda one: -len(one.steps)):
        before = (taken.step for taken in each.posed.start.steps)
        begun = (*before, *each.steps)
        if tuple(steps[: len(begun)]) == begun:
            asked = each.posed.wish
            return Propose(
                touched=asked.touched,
                spare=asked.spare,
                guarantee=asked.guarantee,
                result=keep_result(found, each),
            )
    raise UsageError(
        "The steps are not those of a plan of the proposal. Take one of its candidates, or leave "
        "out proposal."
    )
