"""Find the loosest limit on records whose cheapest plan also meets rules on rates and tau.

A rate, an expected number or tau can be met by blanks if records are held to some limit on risk.
A looser limit costs less, so the loosest one is wanted whose cheapest plan meets the rules. What
a plan of recodes and blanks leaves of a rate is not monotone in the limit, but nearly: halving
finds a good limit, and each plan is judged before it is taken.
"""

from __future__ import annotations

import math
from pathlib import Path

from microsafe.errors import UsageError
from microsafe.options.policy import Policy
from microsafe.options.proposal import ProposalOptions
from microsafe.propose.candidates import Candidate
from microsafe.propose.clock import OutOfTimeError, SearchClock
from microsafe.propose.plan_runner import PlanRunner
from microsafe.propose.problem import BY_LIMIT, SearchProblem, asked_rules, pose
from microsafe.propose.search import PlanSearch
from microsafe.studies.measure import MeasureVerbs

_ROUNDS = 8
_LOWEST = 2.0**-12  # of the largest risk, where no rule says where to begin


def find_limit(
    start: MeasureVerbs,
    policy: Policy,
    wish: ProposalOptions,
    clock: SearchClock,
    *,
    most: float | None = None,
    folder: Path | None = None,
) -> float | None:
    """Return the loosest limit on the risk of records whose cheapest plan meets all rules.

    Args:
        start: The data, not suppressed yet.
        policy: What must be met.
        wish: What else is asked for.
        clock: How long it may take.
        most: A limit that is too loose; none if the data as they are have not been judged.
        folder: Where files of ladders are, unless their path says it.

    Returns:
        The limit; if none was found, that by which rates are kept without recodes. None if there
        is neither, and if the data meet all rules as they are.

    Raises:
        UsageError: A rate or an expected number is to be 0.
    """
    rules = asked_rules(policy)
    risks = [
        start.risk(scenario.name, one_estimator=True, progress=clock.report)
        for scenario in start.scenarios
    ]
    high = max(risk.max for risk in risks) if most is None else most
    kept = [
        risk.choose(rate=rules["rate"]).limit
        if rule == "rate"
        else risk.choose(expected=rules["expected"]).limit
        for risk in risks
        for rule in BY_LIMIT
        if rule in rules
    ]
    if kept and not min(kept) > 0:
        names = " and ".join(rule for rule in BY_LIMIT if rule in rules)
        raise UsageError(f"No recodes and blanks bring {names} to 0. Ask for more than 0.")
    low = min([*kept, high]) if kept else high * _LOWEST
    found = low if kept and low < high else None
    tried = [high] if most is None else []
    for _ in range(_ROUNDS):
        limit = tried.pop() if tried else math.sqrt(low * high)
        try:
            posed = pose(start, policy, wish, above=limit, folder=folder, progress=clock.tell)
            met = _is_met(posed, clock)
        except OutOfTimeError:
            break
        if met and limit == high:
            return None  # nothing needs to be done
        found = limit if met else found
        low, high = (low, limit) if met is False else (limit, high)
    return found


def _is_met(posed: SearchProblem, clock: SearchClock) -> bool | None:
    """Whether the cheapest plan of a limit meets all rules; None if no plan keeps to the cap."""
    posed.lattice.tables.tick = clock.tick
    plan = PlanSearch(posed.lattice).run(posed.most).plan
    if plan is None:
        return None
    if not posed.runs:
        return Candidate(start=posed.start, posed=posed, plan=plan).met
    made, met = PlanRunner(posed, most=1, progress=clock.tell).run(plan.rungs)
    within = posed.most is None or made.touched <= posed.most
    return met if within and not made.stuck else None
