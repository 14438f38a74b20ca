"""From a study, a policy and a wish to a lattice that can be searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.errors import UsageError, did_you_mean
from microsafe.policy import GIVEN_AWAY, Policy
from microsafe.progress import Progress, silent
from microsafe.propose.bounds import Bounds
from microsafe.propose.households import HomeBounds, HomeLattice, HouseholdRule
from microsafe.propose.keys import build_ladders
from microsafe.propose.nodes import Lattice, NodePlan, PlanProblem, loss_rates
from microsafe.propose.wish import Wish
from microsafe.risk import Reference
from microsafe.scenario import Scenario
from microsafe.steps.base import Step
from microsafe.steps.demands import criterion_of, find_demands, key_bits
from microsafe.steps.suppress import (
    Suppress,
    find_size_keys,
    refuse_other_weights,
    wildcard_only,
)
from microsafe.steps.suppression import Criterion, Demand

if TYPE_CHECKING:
    from microsafe.study import Study

IN_BOUNDS = ("record_risk", "k", "household_risk")  # what the search itself sees to
BY_LIMIT = ("rate", "expected")  # what a limit on the risk of records can see to


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Posed:
    """A question that can be searched.

    Attributes:
        start: The data that recodes and blanks come on top of.
        policy: What must be met.
        wish: What else was asked for.
        lattice: All plans.
        bounds: Of boxes of them.
        suppress: The step that blanks, without a reason.
        counted: Keys that are left alone because anybody can count them.
        above: Limit on the risk of records; None if there is none.
    """

    start: Study
    policy: Policy
    wish: Wish
    lattice: Lattice
    bounds: Bounds
    suppress: Suppress | None
    counted: tuple[str, ...]
    above: float | None

    @property
    def rules(self) -> dict[str, float]:
        """The rules that a plan must meet, by name."""
        return asked_rules(self.policy)

    @property
    def checked(self) -> tuple[str, ...]:
        """Rules that are judged on single plans."""
        return tuple(rule for rule in self.rules if rule not in IN_BOUNDS)

    @property
    def most(self) -> int | None:
        """Records that may lose a value; None if any number may."""
        return self.wish.most(self.lattice.records)

    def steps(self, plan: NodePlan, why: str = "") -> tuple[Step, ...]:
        """Return the steps of a plan, recodes first."""
        recodes = [
            replace(step, why=why)  # type: ignore[type-var]
            for ladder, rung in zip(self.lattice.problem.ladders, plan.rungs, strict=True)
            if rung and (step := ladder.steps[rung]) is not None
        ]
        blanks = [replace(self.suppress, why=why)] if self.suppress and any(plan.blanks) else []
        return (*recodes, *blanks)


def asked_rules(policy: Policy) -> dict[str, float]:
    """Return the rules that a proposal must meet.

    What is overridden with a reason need not be met, and what the file as written gives away
    cannot be known before.
    """
    return {
        rule: limit
        for rule, limit in policy.rules.items()
        if rule not in policy.override and rule != GIVEN_AWAY
    }


def pose(
    start: Study,
    policy: Policy,
    wish: Wish,
    *,
    above: float | None = None,
    folder: Path | None = None,
    progress: Progress = silent,
) -> Posed:
    """Put the question: which recodes and blanks meet a policy at the least loss?

    Args:
        start: The data, not suppressed yet.
        policy: What must be met.
        wish: What else is asked for.
        above: A limit on the risk of records, instead of the policy's.
        folder: Where files of ladders are, unless their path says it.
        progress: Progress callback.

    Raises:
        UsageError: The policy asks for nothing that steps can see to, or nothing can be proposed
            for such data.
    """
    scenarios = _check_start(start, policy)
    first = scenarios[0]
    rules = asked_rules(policy)
    above = rules.get("record_risk") if above is None else above
    engine = start.engine
    union = tuple(dict.fromkeys(key for each in scenarios for key in each.keys))
    for name in (*wish.utility, *wish.spare):
        if name not in union:
            raise UsageError(f"{name!r} is not a key.{did_you_mean(name, union)}")
    ladders = build_ladders(
        engine, scenarios, given=wish.ladders, spare=wish.spare, folder=folder, progress=progress
    )
    cells = engine.cells(replace(first.with_keys(union), attack="all"), progress=progress)
    home = _find_home(scenarios, rules, wish)
    counted = tuple(key for key in union if key in find_size_keys(engine, scenarios))
    spare = tuple(dict.fromkeys([*wish.spare, *counted]))
    rates = loss_rates(cells, wish.utility)
    suppress = None
    if any(rule in rules for rule in IN_BOUNDS) or above is not None:
        suppress = Suppress(
            above=above,
            k=None if "k" not in rules or rules["k"] <= 1 else int(rules["k"]),
            household=rules.get("household_risk"),
            guarantee=wish.guarantee,
            costs={key: float(rate) for key, rate in zip(union, rates, strict=True)},
            spare=spare,
            by_value=True,
            joint=home is not None,
        )
    demands, references = _find_demands(start, scenarios, union, suppress, progress)
    problem = PlanProblem(
        cells=cells,
        ladders=tuple(ladders[key] for key in union),
        demands=demands,
        rates=rates,
        spared=key_bits(union, spare),
        references=references if any(references) else (),
    )
    lattice = Lattice(problem)
    bounds = Bounds(lattice)
    if home is not None:
        wide = replace(first.with_keys(union), attack="all", household=home)
        criterion = criterion_of(first, 1.0, None, records=engine.rows())
        rule = HouseholdRule(
            membership=engine.membership(wide),
            keys=key_bits(union, first.keys),
            limit=rules.get("household_risk"),
            factor=criterion.factor,
            grows=True,
        )
        lattice = HomeLattice(problem, rule)
        bounds = HomeBounds(lattice)
    return Posed(
        start=start,
        policy=policy,
        wish=wish,
        lattice=lattice,
        bounds=bounds,
        suppress=suppress,
        counted=counted,
        above=above,
    )


def _check_start(start: Study, policy: Policy) -> list[Scenario]:
    """Refuse data for which nothing can be proposed; return the scenarios to meet."""
    start.scenario()  # there is one
    scenarios = [wildcard_only(each) for each in start.scenarios]
    refuse_other_weights(scenarios)
    if not asked_rules(policy):
        raise UsageError(
            "The policy asks for nothing that recodes and blanks can see to. Give it a rule, such "
            "as record_risk = 0.01."
        )
    if any(taken.blanks for taken in start.steps):
        raise UsageError(
            "The data are suppressed already, and blanks are part of what is proposed. Propose "
            "before suppression."
        )
    known = start.perturbation
    if known is not None and any(known.concerns(each) for each in scenarios):
        raise UsageError(
            "Keys or weights were perturbed, and risk after that cannot be searched for. Propose "
            "without these steps."
        )
    return scenarios


def _find_home(scenarios: Sequence[Scenario], rules: dict[str, float], wish: Wish) -> str | None:
    """Return the household that members are blanked together by."""
    homes = {each.household for each in scenarios if each.household}
    needs = [rule for rule in rules if "household" in rule]
    if needs and not all(each.household for each in scenarios):
        raise UsageError(f"The policy's {needs[0]} needs a scenario with households.")
    if len(homes) > 1:
        raise UsageError("Scenarios with different households cannot be proposed for: name one.")
    if "household_risk" in rules and len(scenarios) > 1:
        raise UsageError(
            "A limit on household risk can be proposed for under one scenario only. Leave out the "
            "other scenarios, or household_risk."
        )
    if homes and wish.guarantee != "own":
        raise UsageError(
            "Members of a household are blanked together, which needs the guarantee 'own'. Ask for "
            "that, or name no household."
        )
    return homes.pop() if homes else None


def _find_demands(
    start: Study,
    scenarios: Sequence[Scenario],
    union: tuple[str, ...],
    suppress: Suppress | None,
    progress: Progress,
) -> tuple[tuple[Demand, ...], tuple[Reference | None, ...]]:
    """What records must meet, and what the risk of each demand is by."""
    demands: list[Demand] = []
    references: list[Reference | None] = []
    if suppress is None:
        return (), ()
    for scenario in scenarios:
        found = list(find_demands(start.engine, scenario, scenarios, union, suppress))
        if not found:  # only households are limited: nobody fails this, and its model is known
            nothing = Criterion(above=1.0)
            found = [Demand(keys=key_bits(union, scenario.keys), criterion=nothing)]
        demands += found
        reference = start.reference(scenario, progress=progress)
        references += [reference] * len(found)
    return tuple(demands), tuple(references)
