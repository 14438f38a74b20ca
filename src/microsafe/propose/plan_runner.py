"""Plans that are known only once they are run: cells alone do not tell what the step blanks.

That is so where households are of two kinds, where `strict` blanks spread to members, where keys
were perturbed, where families are told by the joint keys of members, and under the guarantee
`view`. The lattice asks no more of records and households than the steps do, so that such a plan
loses at least what its node loses there.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from microsafe.compare.household_separation import count_rejoined
from microsafe.options.policy import REJOIN
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.propose.candidates import JudgedPlan, judge
from microsafe.propose.clock import OutOfTimeError
from microsafe.propose.lattice import NodePlan
from microsafe.propose.node_tables import Rungs
from microsafe.propose.problem import SearchProblem
from microsafe.steps.suppress.priced_blanks import bits_of_codes
from microsafe.studies.measure import MeasureVerbs
from microsafe.studies.state import StudyState


class PlanRunner:
    """Runs plans, each once, and tells what they cost and whether they do.

    Args:
        posed: The question.
        most: Plans that are run for it at most.
        progress: Progress callback.
    """

    def __init__(self, posed: SearchProblem, *, most: int, progress: Progress = silent) -> None:
        self._posed, self._most, self._progress = posed, most, progress
        self._known: dict[Rungs, tuple[NodePlan, JudgedPlan]] = {}
        self._together: set[Rungs] = set()  # nodes at which members can be put together

    def settle(self, plan: NodePlan) -> NodePlan | None:
        """Return a plan as it is once it is run; None if it does not meet all rules."""
        made, met = self.run(plan.rungs)
        return made if met else None

    @property
    def judged(self) -> dict[Rungs, JudgedPlan]:
        """What is known of the plans that were run."""
        return {rungs: judged for rungs, (_, judged) in self._known.items()}

    def run(self, rungs: Rungs) -> tuple[NodePlan, bool]:
        """Return what a node costs once it is run, and whether all rules are met.

        Raises:
            OutOfTimeError: No more plans are to be run, or time was up while one was.
        """
        if rungs in self._together or not (rungs in self._known or self._try(rungs)):
            return self._posed.lattice.price(rungs), False
        made, judged = self._known[rungs]
        return made, judged.met and not made.stuck

    def _try(self, rungs: Rungs) -> bool:
        """Run a plan, unless it is clear from its recodes that it does not do."""
        posed, tell = self._posed, self._progress
        if len(self._known) >= self._most:
            raise OutOfTimeError
        tell("running a plan", 0.0)
        before = posed.start
        for step in posed.recode(rungs):
            before = before.apply(step, progress=tell)
        if (
            posed.parted
            and count_rejoined(before, progress=tell)[0] > posed.policy.intruders[REJOIN]
        ):
            self._together.add(rungs)
            return False
        self._known[rungs] = _run(posed, rungs, before, tell)
        return True


def _run(
    posed: SearchProblem, rungs: Rungs, before: MeasureVerbs, progress: Progress
) -> tuple[NodePlan, JudgedPlan]:
    lattice = posed.lattice
    recoded = lattice.recode_loss(rungs)
    keys = lattice.problem.cells.keys
    none = (0,) * len(keys)
    plan = NodePlan(rungs=rungs, loss=recoded, recoded=recoded, blanks=none, touched=0, stuck=0)
    after = before
    for step in posed.blanking:
        after = after.apply(step, progress=progress)
    taken = after.steps[len(before.steps) :]
    if taken:
        blanks = tuple(sum(step.blanks.get(key, 0) for step in taken) for key in keys)
        stuck = sum(step.stuck for step in taken)
        lost = sum(
            rate * _bits_lost(before, after, key)
            for key, rate, many in zip(keys, lattice.problem.rates, blanks, strict=True)
            if many
        )
        plan = replace(
            plan,
            loss=np.inf if stuck else recoded + float(lost) / lattice.records,
            blanks=blanks,
            touched=min(sum(step.records for step in taken), lattice.records),
            stuck=stuck,
        )
    return plan, judge(posed, after, progress)


def _bits_lost(before: StudyState, after: StudyState, key: str) -> float:
    """Return the bits that blanks of a key take from all records together."""
    alone = Scenario(keys=(key,))
    old, new = before.engine.cells(alone), after.engine.cells(alone)
    bits = bits_of_codes(old.codes[0], old.count)
    told = dict(zip(("", *old.categories[0]), bits.tolist(), strict=True))
    left = (told[("", *new.categories[0])[code]] for code in new.codes[0])
    return float(old.count @ bits[old.codes[0]] - new.count @ np.array(list(left)))
