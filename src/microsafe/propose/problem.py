"""Build the search problem from a study, a policy and the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from microsafe.compare.household_separation import count_rejoined
from microsafe.compare.use_loss import check_uses
from microsafe.engine import Engine
from microsafe.engine.contract import NO_RECORDS
from microsafe.errors import UsageError, did_you_mean
from microsafe.options.policy import GIVEN_AWAY, HOUSEHOLD_RULES, REJOIN, Limit, Policy
from microsafe.options.proposal import ProposalOptions, ProposedGuarantee
from microsafe.options.scenario import Scenario
from microsafe.options.uses import Uses
from microsafe.progress import Progress, silent
from microsafe.propose.household_lattice import HouseholdLattice, HouseholdRule, HouseholdView
from microsafe.propose.ladders.key_ladders import build_ladders
from microsafe.propose.lattice import Lattice, NodePlan, PlanProblem, loss_rates
from microsafe.propose.node_tables import Rungs
from microsafe.risk import Reference
from microsafe.steps.base import Step
from microsafe.steps.perturbation import released_name
from microsafe.steps.suppress.criterion import KeySetDemand, SafetyCriterion
from microsafe.steps.suppress.demands import criterion_of, key_bits
from microsafe.steps.suppress.families import is_by_families
from microsafe.steps.suppress.step import (
    Suppress,
    find_demands,
    find_size_keys,
    refuse_other_weights,
    usual_gaps_only,
)
from microsafe.studies.measure import MeasureVerbs

Asked = tuple[str, KeySetDemand, Reference | None]  # under which scenario, what, and by which model
IN_BOUNDS = ("record_risk", "k", "household_risk")  # what the search itself sees to
USUAL_SHARES = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5)  # the first for which there is a plan
BY_LIMIT = ("rate", "expected")  # what a limit on the risk of records can see to


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SearchProblem:
    """A question that can be searched.

    Attributes:
        start: The data that recodes and blanks come on top of.
        policy: What must be met.
        wish: What else was asked for.
        lattice: All plans.
        guarantee: Of the blanks.
        blanking: The steps that blank, without a reason.
        counted: Keys that are left alone because anybody can count them.
        above: Limit on the risk of records (the highest if each scenario has its own) or None.
        share: Share of the records that may lose a value; 1 if any number may.
        runs: Why plans are known only once they are run, so that the lattice only bounds them;
            nothing if it tells what they are.
        afterwards: What the search leaves out, as it only adds blanks: plans of the archive are run
            in the order of their loss, until one does.
        parted: The rule on who puts members together, where the household number was dropped.
    """

    start: MeasureVerbs
    policy: Policy
    wish: ProposalOptions
    lattice: Lattice
    guarantee: ProposedGuarantee
    blanking: tuple[Suppress, ...]
    counted: tuple[str, ...]
    above: float | None
    share: float
    runs: tuple[str, ...] = ()
    afterwards: tuple[str, ...] = ()
    parted: tuple[str, ...] = ()

    @property
    def rules(self) -> dict[str, Any]:
        """The rules that a plan must meet, by name."""
        return asked_rules(self.policy)

    @property
    def checked(self) -> tuple[str, ...]:
        """Rules that are judged on single plans."""
        others = (*IN_BOUNDS, *self.afterwards)
        return tuple(rule for rule in self.rules if rule not in others)

    @property
    def most(self) -> int | None:
        """Records that may lose a value; None if any number may."""
        return None if self.share >= 1 else int(self.share * self.lattice.records + 1e-9)

    def recode(self, rungs: Rungs, why: str = "") -> tuple[Step, ...]:
        """Return the recodes of a node."""
        return tuple(
            replace(step, why=why)  # type: ignore[type-var]
            for ladder, rung in zip(self.lattice.problem.ladders, rungs, strict=True)
            if rung and (step := ladder.steps[rung]) is not None
        )

    def steps(self, plan: NodePlan, why: str = "") -> tuple[Step, ...]:
        """Return the steps of a plan, recodes first."""
        blanks = self.blanking if any(plan.blanks) or self.afterwards else ()
        return (*self.recode(plan.rungs, why), *(replace(step, why=why) for step in blanks))


def asked_rules(policy: Policy) -> dict[str, Any]:
    """Return the rules that a proposal must meet.

    What is overridden with a reason need not be met. What the file as written gives away, and
    what intruders find who bring rules along, is known when a plan is run.
    """
    return {
        rule: limit
        for rule, limit in policy.rules.items()
        if rule not in policy.override and rule not in (GIVEN_AWAY, *policy.intruders)
    }


def _choose_guarantee(
    policy: Policy, wish: ProposalOptions, scenarios: Sequence[Scenario], *, changed: int
) -> ProposedGuarantee:
    """Return the guarantee that was asked for, else one under which the policy can be met.

    Args:
        policy: What must be met.
        wish: What else is asked for.
        scenarios: Whom it must be met against.
        changed: Keys that were perturbed, as bits.
    """
    if wish.guarantee is not None:
        return wish.guarantee
    limited = "method" in policy.intruders and "method" not in policy.override
    known = all(one.weight is None or one.estimator == "model" for one in scenarios)
    return "view" if limited and known and not changed else "own"


def _find_afterwards(
    start: MeasureVerbs,
    rules: Mapping[str, Any],
    guarantee: ProposedGuarantee,
    parted: tuple[str, ...],
) -> tuple[str, ...]:
    """Return what only the run of a plan tells: rules on families, and the guarantee `view`.

    What all members of a household show together is no sum over cells, which a search rests on.
    """
    found = ["the guarantee view"] if guarantee == "view" else []
    if any(is_by_families(start.engine, scenario) for scenario in start.scenarios):
        found += [rule for rule in rules if rule in HOUSEHOLD_RULES]
    return (*found, *parted)


def pose(
    start: MeasureVerbs,
    policy: Policy,
    wish: ProposalOptions,
    *,
    above: float | None = None,
    folder: Path | None = None,
    progress: Progress = silent,
) -> SearchProblem:
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
    policy = find_policy(start, policy)
    scenarios = check_start(start, policy)
    first = scenarios[0]
    rules = asked_rules(policy)
    limits = _hold_records(scenarios, rules.get("record_risk"), above)
    engine = _find_data(start)
    union = tuple(dict.fromkeys(key for scenario in scenarios for key in scenario.keys))
    for name in wish.spare:
        if name not in union:
            raise UsageError(f"{name!r} is not a key.{did_you_mean(name, union)}")
    weights = _weigh_keys(start, union, wish.uses, progress)
    ladders = build_ladders(
        engine, scenarios, given=wish.ladders, spare=wish.spare, folder=folder, progress=progress
    )
    cells = engine.cells(replace(first.with_keys(union), attack="all"), progress=progress)
    homes = _find_homes(scenarios, rules)
    changed = _find_perturbed(start, union)
    guarantee = _choose_guarantee(policy, wish, scenarios, changed=changed)
    runs = _find_runs(start, union, homes, guarantee)
    parted = _find_parted(start, policy, union, progress)
    afterwards = () if runs else _find_afterwards(start, rules, guarantee, parted)
    view = guarantee == "view"
    home = homes[0] if homes and not view else None  # of several, the first bounds what all cost
    counted = tuple(key for key in union if key in find_size_keys(engine, scenarios))
    spare = tuple(dict.fromkeys([*wish.spare, *counted]))
    rates = loss_rates(cells, weights)
    k = int(rules["k"]) if rules.get("k", 0) > 1 else None  # every record is one of one
    household = rules.get("household_risk")
    costs = {key: float(rate) for key, rate in zip(union, rates, strict=True)}
    blank = partial(Suppress, cost=costs, spare=spare)
    blanking: tuple[Suppress, ...] = ()
    if view:
        if limits is not None or k is not None:
            blanking = (blank(above=limits, k=k, guarantee="view"),)
        if household is not None:
            blanking = (*blanking, blank(household=household, by_value=True))
    elif any(limit is not None for limit in (limits, k, household)):
        joint = home is not None and not runs
        own = blank(above=limits, k=k, household=household, by_value=True, joint=joint)
        blanking = (replace(own, guarantee=guarantee),)
    asked = _find_demands(start, scenarios, union, blanking, progress)
    if changed:
        # Which chances there are, the recodes decide; what the other keys tell needs no chance.
        asked = _leave_out(asked, changed)
        home = home if asked else None
    demands = tuple(demand for _, demand, _ in asked)
    references = tuple(reference for _, _, reference in asked)
    problem = PlanProblem(
        cells=cells,
        ladders=tuple(ladders[key] for key in union),
        demands=demands,
        rates=rates,
        spared=key_bits(union, spare),
        references=references if any(references) else (),
    )
    lattice = Lattice(problem)
    if home is not None:
        wide = replace(first.with_keys(union), attack="all", household=home)
        rule = HouseholdRule(
            membership=engine.membership(wide),
            views=tuple(
                HouseholdView(
                    keys=key_bits(union, scenario.keys) & ~changed,
                    factor=criterion_of(scenario, 1.0, None, records=engine.rows()).factor,
                    demand=next(
                        (i for i, (name, *_) in enumerate(asked) if name == scenario.name), 0
                    ),
                )
                for scenario in scenarios
                if scenario.household == home
            ),
            limit=None if "household_risk" in afterwards else household,
            grows=True,
        )
        lattice = HouseholdLattice(problem, rule)
    return SearchProblem(
        start=start,
        policy=policy,
        wish=wish,
        lattice=lattice,
        guarantee=guarantee,
        blanking=blanking,
        counted=counted,
        above=max(limits.values()) if isinstance(limits, Mapping) else limits,
        share=find_share(lattice) if wish.touched is None else wish.touched,
        runs=runs if blanking else (),
        afterwards=afterwards if blanking else (),
        parted=parted if blanking else (),
    )


def find_policy(start: MeasureVerbs, policy: Policy) -> Policy:
    """Return what is asked of the data: no rules on households if the number was dropped."""
    asked = [start._asked(scenario.name, policy) for scenario in start.scenarios]
    return asked[0] if asked and all(each == asked[0] for each in asked) else policy


def _find_parted(
    start: MeasureVerbs, policy: Policy, union: Sequence[str], progress: Progress
) -> tuple[str, ...]:
    """Return the rule on who puts members together, where recodes can see to it.

    That is so if the number was dropped, not all that members share goes out whatever is done, and
    records can be looked at.
    """
    limit = policy.intruders.get(REJOIN)
    dropped = start.scenario().household is None and start._homes(start.scenario().name)[1]
    elsewhere = NO_RECORDS in start.engine.gaps
    if limit is None or REJOIN in policy.override or not dropped or elsewhere:
        return ()
    return (REJOIN,) if count_rejoined(start, union, progress)[0] <= limit else ()


def find_share(lattice: Lattice) -> float:
    """Return a usual share of records that may lose a value, for which there is a plan."""
    plan = lattice.price(lattice.top)
    enough = (share for share in USUAL_SHARES if plan.touched <= share * lattice.records)
    return USUAL_SHARES[0] if plan.stuck else next(enough, 1.0)


def check_start(start: MeasureVerbs, policy: Policy) -> list[Scenario]:
    """Refuse data for which nothing can be proposed; return the scenarios to meet."""
    start.scenario()  # there is one
    scenarios = [usual_gaps_only(scenario) for scenario in start.scenarios]
    refuse_other_weights(scenarios)
    if not asked_rules(policy):
        raise UsageError(
            "The policy asks for nothing that recodes and blanks can see to. Give it a rule, such "
            "as record_risk = 0.01."
        )
    policy.check_scenarios([scenario.name for scenario in scenarios])
    if isinstance(asked_rules(policy).get("household_risk"), Mapping):
        raise UsageError(
            "What is proposed keeps one limit on household risk for all scenarios. Give "
            "household_risk as one number."
        )
    if any(taken.blanks for taken in start.steps):
        raise UsageError(
            "The data are suppressed already, and blanks are part of what is proposed. Propose "
            "before suppression."
        )
    return scenarios


def _hold_records(
    scenarios: Sequence[Scenario], given: Limit | None, above: float | None
) -> Limit | None:
    """Return the limits on the risk of records, none of them above one that is held besides."""
    if above is None or not isinstance(given, Mapping):
        return given if above is None else above
    return {scenario.name: min(given.get(scenario.name, above), above) for scenario in scenarios}


def _weigh_keys(
    start: MeasureVerbs, union: Sequence[str], uses: Uses | None, progress: Progress
) -> dict[str, float]:
    """Return how much each key counts in the search."""
    if uses is None:
        return dict.fromkeys(union, 1.0)
    check_uses(start, uses, progress=progress)
    return uses.weigh_keys(union)


def _find_data(start: MeasureVerbs) -> Engine:
    """Return the data as they are released, but for the weights, which risk is by."""
    known = start._perturbation
    if known is None:
        return start.engine
    made = known.full
    for name in known.transitions:
        made = made.replace_variable(name, released_name(name))
    return made


def _find_homes(scenarios: Sequence[Scenario], rules: Mapping[str, Any]) -> list[str]:
    """Return the households that members are blanked together by."""
    needs = [rule for rule in rules if rule in HOUSEHOLD_RULES]
    if needs and not all(scenario.household for scenario in scenarios):
        raise UsageError(f"The policy's {needs[0]} needs a scenario with households.")
    return list(dict.fromkeys(scenario.household for scenario in scenarios if scenario.household))


def _find_perturbed(start: MeasureVerbs, union: Sequence[str]) -> int:
    """Return the keys that were perturbed, as bits."""
    known = start._perturbation
    return 0 if known is None else key_bits(union, known.find_perturbed(union))


def _leave_out(asked: Sequence[Asked], keys: int) -> list[Asked]:
    """Return what is asked of an intruder who leaves out some keys; nothing is said by a model."""
    if any(reference for _, _, reference in asked):
        return []
    return [
        (name, replace(demand, keys=demand.keys & ~keys), None)
        for name, demand, _ in asked
        if demand.keys & ~keys
    ]


def _find_runs(
    start: MeasureVerbs,
    union: Sequence[str],
    homes: Sequence[str],
    guarantee: ProposedGuarantee,
) -> tuple[str, ...]:
    """Say why plans are known only once they are run."""
    known = start._perturbation
    found = []
    if known is not None and known.find_perturbed(union):
        found.append(f"keys were perturbed ({known.words(union)})")
    if len(homes) > 1:
        found.append(f"there are households of {len(homes)} kinds ({', '.join(homes)})")
    if homes and guarantee == "strict":
        found.append("blanks under strict spread to all members of a household")
    return tuple(found)


def _find_demands(
    start: MeasureVerbs,
    scenarios: Sequence[Scenario],
    union: tuple[str, ...],
    blanking: Sequence[Suppress],
    progress: Progress,
) -> list[Asked]:
    """What records must meet, under which scenario, and what the risk of each demand is by."""
    asked: list[Asked] = []
    if not blanking:
        return asked
    for scenario in scenarios:
        found = list(find_demands(start.engine, scenario, scenarios, union, blanking[0]))
        if not found:  # only households are limited: nobody fails this, and its model is known
            nothing = SafetyCriterion(above=1.0)
            found = [KeySetDemand(keys=key_bits(union, scenario.keys), criterion=nothing)]
        reference = start._reference(scenario, progress=progress)
        asked += [(scenario.name, demand, reference) for demand in found]
    return asked
