"""Answers: the cheapest plan, the frontier, and the nearest where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

from microsafe.progress import Progress, silent
from microsafe.propose.candidates import Candidate
from microsafe.propose.household_lattice import HomeLattice
from microsafe.propose.lattice import NodePlan
from microsafe.propose.node_tables import Rungs
from microsafe.propose.plan_checks import Check, expected_at_most, settle_by, strict_plan
from microsafe.propose.plan_runner import OutOfTimeError, PlanRunner
from microsafe.propose.problem import BY_LIMIT, Posed
from microsafe.propose.search import Found, PlanSearch, Settle, find_nearest, start_path

_T = TypeVar("_T")

CAPS = (0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 0.005, 0.001)  # and none
MOST_RUNS = 300  # plans that are run for a question, where they are known only then
MOST_JUDGED = 100  # plans of recodes alone that are judged where blanks will do as well
_FIRST = 0.7  # of the seconds are for the plan that was asked for, the rest for the frontier


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A point of the frontier.

    Attributes:
        most: Records that may lose a value; any number if None.
        found: The cheapest plan.
    """

    most: int | None
    found: Found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answer:
    """What a search has found.

    Attributes:
        posed: The question.
        found: The cheapest plan within the cap.
        points: The frontier, the loosest cap first.
        nearest: Where no plan keeps to all that was asked: one that comes near.
    """

    posed: Posed
    found: Found
    points: tuple[Point, ...]
    nearest: NodePlan | None = None


def answer(posed: Posed, *, progress: Progress = silent) -> Answer:
    """Search for the plan that was asked for, then for the rest of the frontier.

    Args:
        posed: The question.
        progress: Progress callback; if it raises, so does this.
    """
    begun = monotonic()

    def until(share: float) -> Progress:
        return _stop_after(posed, share, begun, progress)

    lattice = posed.lattice
    runner = PlanRunner(posed, most=MOST_RUNS, progress=until(1.0)) if posed.runs else None
    if runner is not None:
        settle: Settle | None = runner.settle
    else:
        checks = _find_checks(posed, until(1.0))
        settle = settle_by(lattice, guarantee=posed.wish.guarantee, checks=checks)
    start = _in_time(lambda: start_path(lattice, until(_FIRST)), [lattice.top])
    found = _run(PlanSearch(posed.bounds, most=posed.most, settle=settle), start, until(_FIRST))
    nearest = None
    if found.plan is None and found.proved:
        nearest = _in_time(
            lambda: (
                _find_nearest(posed, settle, until(_FIRST))
                if runner is None
                else _find_nearest_run(posed, runner, until(_FIRST))
            ),
            None,
        )
    caps = (None, *(int(cap * lattice.records) for cap in CAPS), posed.most)

    def search(cap: int | None, nodes: Sequence[Rungs]) -> Found:
        return _run(PlanSearch(posed.bounds, most=cap, settle=settle), nodes, until(1.0))

    known = Point(most=posed.most, found=found)
    points = find_frontier(search, caps, start=start, known=known)
    return Answer(posed=posed, found=found, points=points, nearest=nearest)


def find_frontier(
    search: Callable[[int | None, Sequence[Rungs]], Found],
    caps: Iterable[int | None],
    *,
    start: Sequence[Rungs] = (),
    known: Point | None = None,
) -> tuple[Point, ...]:
    """Find the cheapest plan for each cap, the loosest first.

    What a node costs and what bounds a box do not depend on the cap, so later searches begin with
    all that earlier ones found out. A plan that keeps to the next cap already is the best for it.

    Args:
        search: Finds the cheapest plan within a cap, given nodes to try first.
        caps: How many records may lose a value; any number if None.
        start: Nodes to try first.
        known: A point that was found before.
    """
    points: list[Point] = []
    for cap in sorted(set(caps), key=lambda each: float("-inf") if each is None else -each):
        if known is not None and cap == known.most:
            found = known.found
        elif points and _keeps_to(points[-1].found, cap):
            found = points[-1].found
        else:
            before = [*points, *([known] if known else [])]
            plans = [each.found.plan.rungs for each in before if each.found.plan]
            found = search(cap, [*start, *plans])
        points.append(Point(most=cap, found=found))
    return tuple(points)


def answer_by_recodes(
    posed: Posed, other: NodePlan | None, *, progress: Progress = silent
) -> Answer | None:
    """Look for a plan of recodes alone that is cheaper than another plan.

    Args:
        posed: The question, without a limit that asks for blanks.
        other: The plan to do better than.
        progress: Progress callback.

    Returns:
        What was found; None if there is no such plan among the first that are judged.
    """
    tell = _stop_after(posed, 1.0, monotonic(), progress)
    settle = settle_by(posed.lattice, checks=_find_checks(posed, tell))
    judged = 0

    def judge_some(plan: NodePlan) -> NodePlan | None:
        nonlocal judged
        judged += 1
        if settle is None or judged > MOST_JUDGED:
            raise OutOfTimeError
        return settle(plan)

    search = PlanSearch(posed.bounds, most=posed.most, settle=judge_some)
    search.best = other
    found = _run(search, [], tell)
    if found.plan is None or found.plan is other:
        return None
    return Answer(posed=posed, found=found, points=(Point(most=posed.most, found=found),))


def _stop_after(posed: Posed, share: float, begun: float, progress: Progress) -> Progress:
    """Stop a search when a share of the seconds is over."""
    seconds = posed.wish.seconds

    def tell(stage: str, fraction: float) -> None:
        progress(stage, fraction)
        if seconds is not None and monotonic() - begun > share * seconds:
            raise OutOfTimeError

    return tell


def _keeps_to(found: Found, cap: int | None) -> bool:
    """Whether the best plan under a looser cap, or that there is none, holds under this one."""
    if found.plan is None or cap is None:
        return found.proved
    return found.proved and found.plan.touched <= cap


def _run(search: PlanSearch, start: Sequence[Rungs], progress: Progress) -> Found:
    """Search until it is proved, or time is up."""
    return _in_time(lambda: search.run(start=start, progress=progress), None) or search.found


def _in_time(act: Callable[[], _T], otherwise: _T) -> _T:
    try:
        return act()
    except OutOfTimeError:
        return otherwise


def _find_checks(posed: Posed, progress: Progress) -> list[Check]:
    """Rules that single plans are asked for, cheap ones first."""
    checks: list[Check] = []
    start, rules = posed.start, posed.rules
    plain = not isinstance(posed.lattice, HomeLattice) and all(
        each.estimator == "cell" and each.attack in ("all", "random") for each in start.scenarios
    )
    easy = [rule for rule in posed.checked if plain and rule in BY_LIMIT]
    for rule in easy:
        most = rules[rule] * (posed.lattice.records if rule == "rate" else 1.0)
        checks += [
            expected_at_most(posed.lattice, each, most * (1 + 1e-9), guarantee=posed.wish.guarantee)
            for each in start.scenarios
        ]

    def meets(plan: NodePlan) -> bool:
        progress("judging a plan", 0.0)
        return Candidate(start=posed.start, posed=posed, plan=plan).met

    if posed.checked:
        checks.append(meets)
    return checks


def _find_nearest(posed: Posed, settle: Settle | None, progress: Progress) -> NodePlan | None:
    """The cheapest plan that keeps to the cap but not to all rules, or the reverse."""
    plan = None
    if settle is not None:
        plan = PlanSearch(posed.bounds, most=posed.most).run(progress=progress).plan
    plan = plan or find_nearest(posed.bounds, progress).plan
    if plan is not None and posed.wish.guarantee == "strict":
        return strict_plan(posed.lattice, plan.rungs)
    return plan


def _find_nearest_run(posed: Posed, runner: PlanRunner, progress: Progress) -> NodePlan | None:
    """The cheapest plan that touches no more records than the broadest recodes do."""
    top, met = runner.run(posed.lattice.top)
    most = top.touched if met else None
    return PlanSearch(posed.bounds, most=most, settle=runner.settle).run(progress=progress).plan
