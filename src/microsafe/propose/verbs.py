"""The verb of a study that proposes how to protect it; `Study` mounts it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.display import show_percent
from microsafe.policy import GIVEN_AWAY, Policy
from microsafe.progress import Progress, silent
from microsafe.propose.answering import Answer, answer
from microsafe.propose.candidates import Candidate
from microsafe.propose.given import LadderSource
from microsafe.propose.posing import BY_LIMIT, IN_BOUNDS, asked_rules, pose
from microsafe.propose.proposal import FrontierPoint, Proposal
from microsafe.propose.settling import Guarantee
from microsafe.propose.wish import Wish
from microsafe.steps.parameter import variable_names

if TYPE_CHECKING:
    from microsafe.study import Study


def propose(
    self: Study,
    *,
    policy: Policy,
    ladders: Mapping[str, LadderSource] | None = None,
    touched: float = 0.05,
    spare: str | Collection[str] = (),
    utility: Mapping[str, float] | None = None,
    guarantee: Guarantee = "own",
    seconds: float | None = None,
    progress: Progress = silent,
) -> Proposal:
    """Return the recodes and blanks that meet a policy at the least loss.

    Args:
        policy: What must be met: risk of records or households, rate, expected number, k, tau.
        ladders: Recodes that a key may get, from the finest to the broadest: widths of bins,
            steps, hierarchy files, `.grc` files. What the data suggest for keys not named;
            an empty one for a key that is not to be recoded.
        touched: Share of the records that may lose a value; 1 if any number may.
        spare: Keys that are neither recoded nor blanked.
        utility: How much each key matters to users; 1 for those not named.
        guarantee: Of the blanks, `"own"` or `"strict"`.
        seconds: When to stop and tell what was found; when it is proved if None.
        progress: Progress callback.

    References:
        docs/methods/propose.md.
    """
    wish = Wish(
        touched=touched,
        spare=variable_names(spare),
        ladders=ladders or {},
        utility=utility or {},
        guarantee=guarantee,
        seconds=seconds,
    )
    return make_proposal(self, policy, wish, progress=progress)


def make_proposal(
    start: Study,
    policy: Policy,
    wish: Wish,
    *,
    folder: Path | None = None,
    progress: Progress = silent,
) -> Proposal:
    """Return the recodes and blanks that meet a policy at the least loss.

    Args:
        start: The data, not suppressed yet.
        policy: What must be met.
        wish: What else is asked for.
        folder: Where files of ladders are, unless their path says it.
        progress: Progress callback.
    """
    rules = asked_rules(policy)
    by_limit = [rule for rule in BY_LIMIT if rule in rules]
    above = None
    if by_limit and not any(rule in rules for rule in IN_BOUNDS):
        above = _find_limit(start, {rule: rules[rule] for rule in by_limit}, progress)
    posed = pose(start, policy, wish, above=above, folder=folder, progress=progress)
    found = answer(posed, progress=progress)
    if found.found.plan is None and found.found.proved and by_limit and above is None:
        # No plan is good enough by the limit on records alone: a lower one sees to the rate.
        above = _find_limit(start, {rule: rules[rule] for rule in by_limit}, progress)
        if posed.above is None or above < posed.above:
            posed = pose(start, policy, wish, above=above, folder=folder, progress=progress)
            found = answer(posed, progress=progress)
        else:
            above = None
    notes = _note(found, policy, above)
    return _propose_from(found, notes)


def _find_limit(start: Study, rates: Mapping[str, float], progress: Progress) -> float:
    """Return the limit on the risk of records by which rates are kept under all scenarios."""
    limits = []
    for scenario in start.scenarios:
        risk = start.risk(scenario.name, both=False, progress=progress)
        for rule, most in rates.items():
            chosen = risk.choose(rate=most) if rule == "rate" else risk.choose(expected=most)
            limits.append(chosen.limit)
    return min(limits)


def _propose_from(found: Answer, notes: list[str]) -> Proposal:
    posed = found.posed
    made: dict[tuple[int, ...], Candidate] = {}

    def candidate(plan: object) -> Candidate | None:
        if plan is None:
            return None
        each = Candidate(posed=posed, plan=plan)  # type: ignore[arg-type]
        return made.setdefault(each.plan.rungs, each)

    lattice = posed.lattice
    none = found.found.plan is None and found.found.proved and found.nearest is None
    return Proposal(
        best=candidate(found.found.plan),
        gap=found.found.gap,
        frontier=tuple(
            FrontierPoint(most=each.most, candidate=candidate(each.found.plan), gap=each.found.gap)
            for each in found.points
        ),
        nearest=candidate(found.nearest),
        records=lattice.records,
        cap=posed.most,
        notes=notes,
        source=posed.start.schema.source,
        stuck=lattice.price(lattice.top).stuck if none else 0,
    )


def _note(found: Answer, policy: Policy, above: float | None) -> list[str]:
    """What to know of the question."""
    posed = found.posed
    notes = []
    if posed.most is not None:
        notes.append(
            f"At most {show_percent(posed.wish.touched)} of the records may lose a value (touched)."
        )
    if posed.suppress is None:
        notes.append("No rule is about single records or households, so only recodes are proposed.")
    if posed.counted:
        notes.append(
            f"{', '.join(posed.counted)} can be counted by the household number, so it is neither "
            "recoded nor blanked."
        )
    if above is not None:
        rules = " and ".join(rule for rule in BY_LIMIT if rule in posed.rules)
        notes.append(f"Records are held to a risk of {above:.4g}, by which {rules} is met.")
    left = [rule for rule in policy.rules if rule in policy.override]
    if left:
        notes.append(f"Overridden with a reason, so not asked for: {', '.join(left)}.")
    if GIVEN_AWAY in policy.rules:
        notes.append(f"{GIVEN_AWAY} is judged when the plan is run.")
    return notes
