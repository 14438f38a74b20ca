"""Make a proposal: pose the question, search, and say what was found."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Generic

from microsafe.compare.cost_figures import BY_USES
from microsafe.engine.contract import NO_RECORDS
from microsafe.errors import EnoughError, InputError, NoEstimateError, UsageError
from microsafe.options.policy import GIVEN_AWAY, Policy
from microsafe.options.proposal import ProposalOptions
from microsafe.progress import Progress, silent
from microsafe.propose.candidates import AnyStudy, Candidate
from microsafe.propose.clock import OutOfTimeError, SearchClock
from microsafe.propose.household_rung import (
    HouseholdRung,
    find_household_rung,
    price_household,
)
from microsafe.propose.lattice import NodePlan
from microsafe.propose.limit_search import find_limit
from microsafe.propose.problem import (
    IN_BOUNDS,
    USUAL_SHARES,
    SearchProblem,
    asked_rules,
    check_start,
    pose,
)
from microsafe.propose.proposal import FrontierPoint, Proposal
from microsafe.propose.search import SearchResult
from microsafe.propose.solve import MOST_RUNS, Point, Solution, answer, answer_by_recodes
from microsafe.results import find_labels

_FOR_HOUSEHOLDS = 0.5  # of the time, for plans that show households, where others are tried, too
_TO_JUDGE = 0.5  # of the seconds that it took to pose a question: about what a plan takes
_FOR_LIMIT = 0.4  # of the time, where a limit on records is looked for
_FOR_RULES = 0.5  # of the time, for plans that meet rules that no limit sees to


def make_proposal(
    start: AnyStudy,
    policy: Policy,
    wish: ProposalOptions,
    *,
    folder: Path | None = None,
    kept: Path | None = None,
    whole: bool = True,
    progress: Progress = silent,
) -> Proposal[AnyStudy]:
    """Return the recodes and blanks that meet a policy at the least loss.

    Args:
        start: The data, not suppressed yet.
        policy: What must be met.
        wish: What else is asked for.
        folder: Where files of ladders are, unless their path says it.
        kept: File of a search that this one goes on from, and that keeps it.
        whole: Whether every plan of the frontier is measured, or the one to take only.
        progress: Progress callback.
    """
    start._refuse_persons("Plans are proposed by record, and persons here have several")
    for name in wish.keep:
        start._before().schema[name]  # a step may have dropped it since; else it is misspelt
    clock = SearchClock(wish.seconds, progress)
    search = partial(_search, wish=wish, folder=folder, kept=kept)
    price = price_household(start, policy, wish)
    elsewhere = None if price is None else start.engine.gaps.get(NO_RECORDS)
    both = price is not None and elsewhere is None
    time = clock.part(_FOR_HOUSEHOLDS) if both else clock
    made = search(start, policy, clock=time, tell=progress)
    if price is not None and _loss(made) > price:
        if elsewhere is not None:
            made = replace(made, untried=elsewhere.reason)
        else:
            made = _leave_out_household(start, policy, wish, price, made, search, clock)
    proposal = _propose_from(start, made, _note(start, made, policy), clock)
    _judge_plans(proposal, clock, progress, whole=whole)
    return proposal


def _leave_out_household(
    start: AnyStudy,
    policy: Policy,
    wish: ProposalOptions,
    price: float,
    made: _Found[AnyStudy],
    search: Callable[..., _Found[AnyStudy]],
    clock: SearchClock,
) -> _Found[AnyStudy]:
    """Return what was found without the household number, if that is better than with it.

    Whatever stands in the way, what was found with the number is not lost.
    """
    try:
        rung = find_household_rung(start, policy, wish, price, clock.tell)
        if rung is None:
            return made
        bare = replace(search(rung.start, rung.policy, clock=clock, tell=clock.tell), rung=rung)
    except (OutOfTimeError, KeyboardInterrupt, EnoughError):
        clock.stop()
        return replace(made, untried="the search ended before")
    except (InputError, UsageError, NoEstimateError) as error:
        return replace(made, untried=str(error).rstrip("."))
    better = _loss(bare) + price < _loss(made)
    return replace(bare, other=made) if better else replace(made, other=bare)


def _judge_plans(
    proposal: Proposal[AnyStudy], clock: SearchClock, progress: Progress, *, whole: bool
) -> None:
    """Judge the plan to take, and the others as long as there is time."""
    near = () if proposal.nearest is None else (proposal.nearest,)
    others = (*proposal.named.values(), *proposal.candidates) if whole else ()
    try:
        if proposal.best is not None:
            progress("judging the plan that was found", clock.share)
            proposal.best.judge(progress)
        for each in (*near, *others):
            clock.tell("judging the plans that were found", clock.share)
            each.judge(clock.tell)
    except (KeyboardInterrupt, EnoughError, OutOfTimeError):
        pass  # what was found is told all the same


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Found(Generic[AnyStudy]):
    """What was found for a question.

    Attributes:
        answer: To it.
        held: Limit on the risk of records that was chosen for the sake of other rules, if any.
        rung: How the household number was left out, if it was.
        other: What was found with the number where this is without it, or the other way round;
            none if only one was searched.
        untried: Why plans without the number were not searched although they might be better.
    """

    answer: Solution
    held: float | None
    rung: HouseholdRung[AnyStudy] | None = None
    other: _Found[AnyStudy] | None = None
    untried: str = ""

    @property
    def price(self) -> float:
        """What counts on top of the loss of the keys."""
        return 0.0 if self.rung is None else self.rung.price

    @property
    def households(self) -> str:
        """What it means that the household number is left out, if it is."""
        if self.rung is None or self.other is None:
            return ""
        plan = self.other.answer.found.plan
        return self.rung.explain(None if plan is None else plan.loss)

    def bound(self, point: Point) -> float:
        """Return a loss that no plan within the cap of a point is below, with the number or not.

        What was held to a limit for the sake of other rules bounds other plans no more than that.
        """
        other = self.other
        if other is None:
            return point.found.bound
        looser = [
            each.found.bound
            for each in (other.answer.asked, *other.answer.points)
            if each.most is None or (point.most is not None and each.most >= point.most)
        ]
        known = self.held is not None or other.held is None
        bound = max(looser, default=0.0) if known else 0.0
        return max(0.0, min(point.found.bound, bound + other.price - self.price))


def _loss(made: _Found[AnyStudy]) -> float:
    plan = made.answer.found.plan
    return math.inf if plan is None else plan.loss


def _search(
    start: AnyStudy,
    policy: Policy,
    *,
    wish: ProposalOptions,
    clock: SearchClock,
    folder: Path | None,
    kept: Path | None,
    tell: Progress,
) -> _Found[AnyStudy]:
    """Search for the plans of data that show households, or do not."""
    rules = asked_rules(policy)
    hold = partial(find_limit, start, policy, wish, folder=folder)
    put = partial(pose, start, policy, wish, folder=folder, progress=tell)
    named = any(rule in rules for rule in IN_BOUNDS)
    above = None
    if rules and wish.touched != 0 and not named:
        check_start(start, policy)
        above = hold(clock.part(_FOR_LIMIT))
    begun = clock.spent
    posed = put(above=above)
    clock.leave(_TO_JUDGE * (clock.spent - begun))
    judged = named and wish.touched != 0 and posed.blanking and posed.checked
    found = answer(posed, clock.part(_FOR_RULES) if judged else clock, kept)
    if judged and found.found.plan is None:
        # No plan is good enough by the limit on records alone: a lower one sees to the rest.
        above = hold(clock.part(_FOR_LIMIT), most=posed.above)
        if above is not None:
            found = answer(put(above=above), clock, kept)
    if above is not None and not named:
        recoded = answer_by_recodes(put(), found.found.plan, clock)
        found, above = (found, above) if recoded is None else (recoded, None)
    return _Found(answer=found, held=above)


def _propose_from(
    start: AnyStudy, made: _Found[AnyStudy], notes: Sequence[str], clock: SearchClock
) -> Proposal[AnyStudy]:
    found, posed = made.answer, made.answer.posed
    first = () if made.rung is None else made.rung.first
    candidates: dict[tuple[int, ...], Candidate[AnyStudy]] = {}

    def candidate(plan: NodePlan | None) -> Candidate[AnyStudy] | None:
        if plan is None:
            return None
        known = made.answer.judged.get(plan.rungs)
        each = Candidate(start=start, posed=posed, plan=plan, first=first, known=known)
        return candidates.setdefault(each.plan.rungs, each)

    def search(point: Point) -> SearchResult:
        return replace(point.found, bound=made.bound(point))

    named = {name: each for name, plan in found.named.items() if (each := candidate(plan))}
    beside = None
    if made.rung is not None and made.other is not None:
        beside = _propose_from(start, made.other, (), clock)
        if beside.best is not None:
            named["households"] = beside.best
    lattice, best = posed.lattice, search(found.asked)
    none = best.plan is None and best.proved and found.nearest is None
    return Proposal(
        best=candidate(best.plan),
        gap=best.gap,
        frontier=tuple(
            FrontierPoint(
                most=point.most, candidate=candidate(point.found.plan), gap=search(point).gap
            )
            for point in found.points
        ),
        nearest=candidate(found.nearest),
        named=named,
        beside=beside,
        apart=0.0 if beside is None else found.found.bound,
        seconds=clock.spent,
        records=lattice.records,
        cap=posed.most,
        share=posed.share,
        notes=notes,
        source=start.schema.source,
        labels=find_labels(start.schema, lattice.problem.cells.keys),
        stuck=lattice.price(lattice.top).stuck if none else 0,
        utility=posed.wish.uses,
        search=best,
        held=made.held,
        households=made.households,
        ran=found.ran,
    )


def _note_uses(posed: SearchProblem) -> list[str]:
    """How uses that matter become weights of keys."""
    uses = posed.wish.uses
    if uses is None:
        return []
    keys = posed.lattice.problem.cells.keys
    told = ", ".join(f"{key} {weight:.3g}" for key, weight in uses.weigh_keys(keys).items())
    how = ": each its own weight, and an equal share of that of tables and models that name it"
    notes = [f"The search weighs keys{how if uses.shared else ''} ({told})."]
    others = [name for name in uses.names if name not in keys]
    if uses.shared or others:
        are = "is" if len(others) == 1 else "are"
        beside = f"; {', '.join(others)} {are} no part of the search" if others else ""
        notes.append(
            f"What is proved is proved by these weights{beside}. The {BY_USES} is measured on each "
            "plan of the frontier."
        )
    return notes


def _note(start: AnyStudy, made: _Found[AnyStudy], policy: Policy) -> list[str]:
    """What to know of the question."""
    found, posed, above = made.answer, made.answer.posed, made.held
    notes = []
    if posed.wish.touched is None and posed.share > USUAL_SHARES[0]:
        notes.append(
            f"You did not say how many records may lose a value. The broadest recodes "
            f"leave more than {100 * USUAL_SHARES[0]:.4g} % of them to lose one, so "
            f"{100 * posed.share:.4g} % may."
        )
    elif posed.most is not None:
        notes.append(
            f"You allow {100 * posed.share:.4g} % of the records ({posed.most:,}) to lose a value."
        )
    if made.households:
        notes.append(made.households)
    if made.untried:
        notes.append(
            f"Plans without {start.scenario().household} were not searched, so nothing is said of "
            f"them: {made.untried}."
        )
    notes += _note_uses(posed)
    problem = posed.lattice.problem
    if found.found.proved and problem.references and not problem.cells.complete:
        notes.append("Keys have gaps, so under the model what is proved holds to about 1 %.")
    if not posed.blanking:
        notes.append("No rule asks for blanks, so only recodes are proposed.")
    if posed.counted:
        notes.append(
            f"{', '.join(posed.counted)} can be counted by the household number, so it is neither "
            "recoded nor blanked."
        )
    if posed.runs:
        notes.append(
            f"Each plan is run to know what it costs: {' and '.join(posed.runs)}. At most "
            f"{MOST_RUNS} are."
        )
    if above is not None:
        notes.append(
            f"Records are held to a risk of {above:.4g}, by which {' and '.join(posed.checked)} is "
            "met: the plan is the best for that limit."
        )
    left = [rule for rule in policy.rules if rule in policy.override]
    if left:
        notes.append(f"Overridden with a reason, so not asked for: {', '.join(left)}.")
    if posed.afterwards:
        others = [rule for rule in posed.rules if rule not in posed.afterwards]
        proved = f" What no plan can lose less than is by {', '.join(others)}." if others else ""
        notes.append(
            f"Plans were run to know what is lost on top by {' and '.join(posed.afterwards)}."
            f"{proved}"
        )
    asked = posed.policy
    later = [rule for rule in (GIVEN_AWAY, *asked.intruders) if rule in asked.rules]
    later = [rule for rule in later if rule not in posed.parted]
    if later:
        notes.append(f"Judged when the plan is run: {', '.join(later)}.")
    return notes
