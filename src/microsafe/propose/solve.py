"""Answers: the cheapest plan, the frontier, and the nearest where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from microsafe.errors import EnoughError
from microsafe.propose.candidates import Candidate, JudgedPlan
from microsafe.propose.clock import OutOfTimeError, SearchClock
from microsafe.propose.household_lattice import HouseholdLattice
from microsafe.propose.lattice import Lattice, NodePlan
from microsafe.propose.node_tables import Rungs
from microsafe.propose.plan_checks import Check, expected_at_most, settle_by, strict_plan
from microsafe.propose.plan_runner import PlanRunner
from microsafe.propose.problem import BY_LIMIT, SearchProblem
from microsafe.propose.saved_search import load_search, name_question, save_search
from microsafe.propose.search import Archive, PlanSearch, SearchResult, Settle

PlanName = Literal["detail", "balanced", "blanks", "households"]
CAPS = (0.3, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.001)  # and none
MOST_RUNS = 300  # plans that are run for a question, where they are known only then
MOST_AFTERWARDS = 24  # plans that are run for what a search leaves out
_FOR_BEST = 0.85  # of the time, for the plan asked for; the rest is at least for judging it
_FOR_RUN = 0.4  # of the time, for a search whose plans are run afterwards
_FOR_FRONTIER = 0.75  # of the time that is left; the rest is for measuring its plans
MOST_JUDGED = 100  # plans of recodes alone that are judged where blanks will do as well


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A point of the frontier.

    Attributes:
        most: Records that may lose a value; any number if None.
        found: The cheapest plan.
    """

    most: int | None
    found: SearchResult


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solution:
    """What a search has found.

    Attributes:
        posed: The question.
        found: The cheapest plan within the cap.
        points: The frontier, the loosest cap first.
        nearest: Where no plan keeps to all that was asked: one that comes near.
        named: Three plans within the cap: `detail` loses least, `blanks` touches the fewest
            records, `balanced` least of both, each as a share of what lies between the others.
        ran: Plans that were run for what the search leaves out.
        judged: What is known of plans that were run, by their rungs.
    """

    posed: SearchProblem
    found: SearchResult
    points: tuple[Point, ...]
    nearest: NodePlan | None = None
    named: Mapping[PlanName, NodePlan] = field(default_factory=dict)
    ran: int = 0
    judged: Mapping[Rungs, JudgedPlan] = field(default_factory=dict)

    @property
    def asked(self) -> Point:
        """The point of the cap that was asked for."""
        return Point(most=self.posed.most, found=self.found)


def answer(posed: SearchProblem, clock: SearchClock, kept: Path | None = None) -> Solution:
    """Search for the plan that was asked for, then for the rest of the frontier.

    When time is up, or who asked has enough, it is what was found until then.

    Args:
        posed: The question.
        clock: How long it may take.
        kept: File of a search that this one goes on from, and that keeps it.
    """
    runner = PlanRunner(posed, most=MOST_RUNS, progress=clock.tell) if posed.runs else None
    settle = runner.settle if runner else _find_settle(posed, clock)
    search = PlanSearch(posed.lattice, settle=settle)
    caps = _order_caps(posed)
    question = "" if kept is None else name_question(posed)
    if kept is not None:
        load_search(kept, search, question)
    with until_enough(posed, search, clock.part(_FOR_RUN if posed.afterwards else _FOR_BEST)):
        if search.run(posed.most).plan is None:
            _search_nearest(posed, search, runner)
    with until_enough(posed, search, clock.part(_FOR_RUN if posed.afterwards else _FOR_FRONTIER)):
        for cap in caps:
            search.run(cap)
    if kept is not None:
        save_search(kept, search, question)
    archive, nearest = search.archive, None
    judged = {} if runner is None else runner.judged
    if posed.afterwards:
        archive, judged, nearest = _run_archive(posed, search.archive, clock)

    def find(most: int | None) -> SearchResult:
        return replace(search.found(most), plan=archive.best(most))

    found = find(posed.most)
    if found.plan:
        nearest = None
    elif archive.plans or nearest is None:
        nearest = _find_nearest(posed, archive, runner)
    near = [] if nearest is None else [nearest.touched]
    told = {*caps, posed.most, *near}
    points = tuple(
        Point(most=cap, found=find(cap))
        for cap in sorted(told, key=lambda each: float("-inf") if each is None else -each)
    )
    named = name_plans(archive, posed.most)
    return Solution(
        posed=posed,
        found=found,
        points=points,
        nearest=nearest,
        named=named,
        ran=len(judged) if posed.afterwards else 0,
        judged=judged,
    )


def _run_archive(
    posed: SearchProblem, archive: Archive, clock: SearchClock
) -> tuple[Archive, dict[Rungs, JudgedPlan], NodePlan | None]:
    """Run plans for what the search leaves out, which only adds blanks.

    Returns:
        Those that meet all rules, as they are; what is known of all that were run; and of the
        others the first.
    """
    runner = PlanRunner(posed, most=MOST_AFTERWARDS, progress=clock.tell)
    ran, failed, most = Archive(), None, posed.most
    front = archive.frontier()
    line = [plan for plan in front if most is None or plan.touched <= most] or front[-1:]
    line = [*line, *_broaden(posed.lattice, line[-1])] if line else []

    def run(plan: NodePlan) -> bool:
        """Run a plan; tell whether it is the best within the cap."""
        nonlocal failed
        made, met = runner.run(plan.rungs)
        if met:
            ran.add(made)
        else:
            failed = failed or made
        return met and made is ran.best(most)

    try:
        bad, good = -1, len(line) - 1  # the less is blank, the less is added, or nearly so
        if line and run(line[good]):
            while good - bad > 1:
                middle = (good + bad) // 2
                good, bad = (middle, bad) if run(line[middle]) else (good, middle)
            _refine(posed.lattice, line[good].rungs, run)
        for plan in sorted(archive.plans.values(), key=lambda plan: plan.loss):
            best = ran.best(most)
            within_cap = most is None or plan.touched <= most
            if within_cap and (best is None or plan.loss < best.loss):
                run(plan)
        for plan in front:
            run(plan)
    except OutOfTimeError:
        pass
    except (KeyboardInterrupt, EnoughError):
        clock.stop()
    return ran, runner.judged, failed


def _refine(lattice: Lattice, rungs: Rungs, run: Callable[[NodePlan], bool]) -> None:
    """Go down from a node as long as plans get better, by the rung that saves most."""
    keys = {j for j, rung in enumerate(rungs) if rung}
    while keys:
        key = max(keys, key=lambda j: (lattice.step_loss(j, rungs[j] - 1, rungs[j]), j))
        finer = (*rungs[:key], rungs[key] - 1, *rungs[key + 1 :])
        if run(lattice.price(finer)):
            rungs = finer
        if rungs != finer or not rungs[key]:
            keys.remove(key)


def _broaden(lattice: Lattice, plan: NodePlan) -> Iterator[NodePlan]:
    """Go from a plan up to the broadest recodes, by the rung that loses least."""
    rungs = plan.rungs
    while rungs != lattice.top:
        higher = [j for j, rung in enumerate(rungs) if rung < lattice.top[j]]
        key = min(higher, key=lambda j: lattice.step_loss(j, rungs[j], rungs[j] + 1))
        rungs = (*rungs[:key], rungs[key] + 1, *rungs[key + 1 :])
        yield lattice.price(rungs)


def name_plans(archive: Archive, most: int | None) -> dict[PlanName, NodePlan]:
    """Name three plans within a cap (see `Solution`); none where no plan keeps to it."""
    within = [plan for plan in archive.frontier() if most is None or plan.touched <= most]
    if not within:
        return {}
    plans = [plan for plan in within if plan.loss < 1] or within  # of use to somebody, if one is
    detail, few = plans[0], plans[-1]
    records, loss = max(detail.touched - few.touched, 1), max(few.loss - detail.loss, 1e-12)

    def distance(plan: NodePlan) -> float:
        return (plan.touched - few.touched) / records + (plan.loss - detail.loss) / loss

    return {"detail": detail, "balanced": min(plans, key=distance), "blanks": few}


def _order_caps(posed: SearchProblem) -> list[int | None]:
    """Return the caps of a frontier: those below the one asked for, which name plans, first."""
    caps = sorted({int(cap * posed.lattice.records) for cap in CAPS}, reverse=True)
    most = posed.lattice.records if posed.most is None else posed.most
    return [*(cap for cap in caps if cap < most), None, *(cap for cap in caps if cap > most)]


@contextmanager
def until_enough(posed: SearchProblem, search: PlanSearch, clock: SearchClock) -> Iterator[None]:
    """Search until time is up or who asked has enough of it.

    Who interrupts the search before there is a plan ends it altogether.
    """

    def tick() -> None:
        if clock.due:
            clock.notice(search.found(posed.most))
        clock.tick()

    posed.lattice.tables.tick = tick
    try:
        yield
    except OutOfTimeError:
        pass
    except (KeyboardInterrupt, EnoughError):
        if not search.archive.plans:
            raise
        clock.stop()
    finally:
        posed.lattice.tables.tick = lambda: None


def _find_settle(posed: SearchProblem, clock: SearchClock) -> Settle | None:
    checks = _find_checks(posed, clock.tell)
    return settle_by(posed.lattice, guarantee=posed.guarantee, checks=checks)


def answer_by_recodes(
    posed: SearchProblem, other: NodePlan | None, clock: SearchClock
) -> Solution | None:
    """Look for a plan of recodes alone that is cheaper than another plan.

    Args:
        posed: The question, without a limit that asks for blanks.
        other: The plan to do better than.
        clock: How long it may take.

    Returns:
        What was found; None if there is no such plan among the first that are judged.
    """
    settle = _find_settle(posed, clock)
    judged = 0

    def judge_some(plan: NodePlan) -> NodePlan | None:
        nonlocal judged
        judged += 1
        if settle is None or judged > MOST_JUDGED:
            raise OutOfTimeError
        return settle(plan)

    search = PlanSearch(posed.lattice, settle=judge_some)
    if other is not None:
        search.archive.add(other)
    with until_enough(posed, search, clock):
        search.run(posed.most)
    found = search.found(posed.most)
    if found.plan is None or found.plan is other:
        return None
    return Solution(posed=posed, found=found, points=(Point(most=posed.most, found=found),))


def _find_checks(posed: SearchProblem, tell: Callable[[str, float], None]) -> list[Check]:
    """Rules that single plans are asked for, cheap ones first."""
    checks: list[Check] = []
    start, rules = posed.start, posed.rules
    plain = not isinstance(posed.lattice, HouseholdLattice) and all(
        scenario.estimator == "cell" and scenario.attack in ("all", "random")
        for scenario in start.scenarios
    )
    easy = [rule for rule in posed.checked if plain and rule in BY_LIMIT]
    for rule in easy:
        most = rules[rule] * (posed.lattice.records if rule == "rate" else 1.0)
        checks += [
            expected_at_most(posed.lattice, scenario, most * (1 + 1e-9), guarantee=posed.guarantee)
            for scenario in start.scenarios
        ]

    def meets(plan: NodePlan) -> bool:
        tell("judging a plan", 0.0)
        return Candidate(start=posed.start, posed=posed, plan=plan).met

    if posed.checked:
        checks.append(meets)
    return checks


def _search_nearest(posed: SearchProblem, search: PlanSearch, runner: PlanRunner | None) -> None:
    """Where no plan keeps to the cap: search for the best that touches as few as any found."""
    nearest = search.archive.nearest()
    if nearest is not None:
        search.run(nearest.touched)
    elif runner is None and posed.checked:
        PlanSearch(posed.lattice).run(posed.most)  # the other rules at least


def _find_nearest(
    posed: SearchProblem, archive: Archive, runner: PlanRunner | None
) -> NodePlan | None:
    """The best plan that touches the fewest records, or that meets all rules but some."""
    nearest = archive.nearest()
    if nearest is not None or runner is not None:
        return nearest
    others = Archive({plan.rungs: plan for plan in posed.lattice.plans.values() if not plan.stuck})
    nearest = others.best(posed.most) or others.nearest()
    if nearest is not None and posed.guarantee == "strict":
        return strict_plan(posed.lattice, nearest.rungs)
    return nearest
