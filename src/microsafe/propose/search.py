"""The cheapest plan: best-first search over boxes of the lattice.

The box of the lowest bound is split in two, until no box is left that could hold a better plan
than the best one found. It may be stopped at any time: the lowest bound tells how far from the
best the plan found is at most.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from microsafe.progress import Progress, silent
from microsafe.propose.bounds import Bounds
from microsafe.propose.lattice import TIE, Lattice, NodePlan
from microsafe.propose.node_tables import Rungs

STAGE = "searching for the cheapest plan"
Settle = Callable[[NodePlan], NodePlan | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search has found.

    Attributes:
        plan: The best plan; None if there is none, or none yet.
        bound: A loss that no plan is below; infinite if there is none.
        priced: Nodes whose cheapest blanks were found.
        bounded: Boxes that were bounded, single nodes among them.
        nodes: In the lattice.
    """

    plan: NodePlan | None
    bound: float
    priced: int
    bounded: int
    nodes: int

    @property
    def proved(self) -> bool:
        """Whether no plan is better, or there is none."""
        return self.bound >= (float("inf") if self.plan is None else self.plan.loss)

    @property
    def gap(self) -> float:
        """Largest share of the loss that a better plan could save."""
        if self.proved:
            return 0.0
        return 1.0 if self.plan is None else 1.0 - self.bound / self.plan.loss


class PlanSearch:
    """A search that can be stopped and asked what it has found.

    Args:
        bounds: Of the lattice; what other searches found out is used.
        most: Records that may lose a value; any number if None.
        settle: Asked about a plan with own blanks, in the order of their loss: the plan as it
            will be, which loses no less, or None if it fails some rule. Such rules need not be
            monotone: no box is left out for their sake.
    """

    def __init__(
        self, bounds: Bounds, *, most: int | None = None, settle: Settle | None = None
    ) -> None:
        self.lattice: Lattice = bounds.lattice
        self._bounds, self._most, self._settle = bounds, most, settle
        self._settled: set[Rungs] = set()
        self.best: NodePlan | None = None
        self._boxes: list[tuple[float, int, Rungs, Rungs]] = []
        self._started = False
        self._bounded = 0

    @property
    def found(self) -> Found:
        """What was found until now."""
        lowest = self._boxes[0][0] if self._boxes else float("inf")
        loss = float("inf") if self.best is None else self.best.loss
        nodes = 1
        for rung in self.lattice.top:
            nodes *= rung + 1
        return Found(
            plan=self.best,
            bound=min(lowest, loss) if self._started else 0.0,
            priced=len(self.lattice.plans),
            bounded=self._bounded,
            nodes=nodes,
        )

    def run(
        self,
        *,
        start: Iterable[Rungs] = (),
        boxes: int | None = None,
        progress: Progress = silent,
    ) -> Found:
        """Search until the best plan is proved.

        Args:
            start: Nodes to try first.
            boxes: Most boxes to bound; any number if None.
            progress: Progress callback. If it raises, `found` still tells what was found.
        """
        if not self._started:
            progress(STAGE, 0.0)
            self._try_first(start)
            self._add(self.lattice.bottom, self.lattice.top, 0.0)
            self._started = True
        while self._boxes:
            found = self.found
            if self._beaten(*self._boxes[0]):
                self._boxes.clear()
                break
            if boxes is not None and self._bounded >= boxes:
                break
            if found.plan is not None:
                progress(STAGE, 1.0 - found.gap)
            box = heapq.heappop(self._boxes)
            try:
                self._open(*box)
            except BaseException:
                heapq.heappush(self._boxes, box)  # what is in it is not known yet
                raise
        progress(STAGE, 1.0)
        return self.found

    def _open(self, loss: float, _: int, low: Rungs, high: Rungs) -> None:
        """Split a box, or settle the one plan in it."""
        if low != high:
            for part in self._split(low, high):
                self._add(*part, loss)
        elif self._settle is not None:
            self._take(high)

    def _try_first(self, start: Iterable[Rungs]) -> None:
        """Begin with plans that are known or likely to be good, so that boxes can be left out."""
        if self._settle is None:
            for rungs in start:
                self._try(rungs)
            for plan in list(self.lattice.plans.values()):
                self._offer(plan)
            return
        plans = [self.lattice.price(rungs) for rungs in start if self._within(rungs)]
        for plan in sorted(plans, key=lambda plan: plan.loss):
            self._take(plan.rungs)
            if self.best is not None:
                return

    def _within(self, rungs: Rungs) -> bool:
        return self._most is None or self.lattice.count_touched(rungs) <= self._most

    def _try(self, rungs: Rungs) -> None:
        """Price a node unless it is clear that it is not the best."""
        if rungs not in self.lattice.plans and self._within(rungs):
            found = self._bounds.bound(rungs, rungs, enough=self._enough, most=self._most)
            self._bounded += 1
            if found.sharp and found.loss < float("inf"):
                self.lattice.price(rungs)
        if rungs in self.lattice.plans:
            self._offer(self.lattice.plans[rungs])

    @property
    def _enough(self) -> float:
        """A loss from which on a node or box is of no interest."""
        return float("inf") if self.best is None else self.best.loss * (1 + 2 * TIE)

    def _take(self, rungs: Rungs) -> None:
        """Settle the plan of a node, once."""
        if rungs in self._settled or self._settle is None:
            return
        self._settled.add(rungs)
        plan = self.lattice.price(rungs)
        settled = None if plan.stuck else self._settle(plan)
        if settled is not None:
            self._offer(settled)

    def _offer(self, plan: NodePlan) -> None:
        allowed = self._most is None or plan.touched <= self._most
        if allowed and not plan.stuck and plan.beats(self.best):
            self.best = plan

    def _add(self, low: Rungs, high: Rungs, known: float) -> None:
        """Bound a box, try its highest node, and keep it if it could hold a better plan."""
        if self._worse(self.lattice.recode_loss(low)):
            return
        found = self._bounds.bound(low, high, enough=self._enough, most=self._most)
        self._bounded += 1
        if found.loss == float("inf") or (self._most is not None and found.touched > self._most):
            return
        if self._settle is None:
            self._try(high)
        box = max(found.loss, known), found.touched, low, high
        if not self._beaten(*box):
            heapq.heappush(self._boxes, box)

    def _worse(self, loss: float) -> bool:
        """Whether a loss is more than that of the best plan."""
        return self.best is not None and loss > self.best.loss * (1 + TIE)

    def _beaten(self, loss: float, touched: int, low: Rungs, high: Rungs) -> bool:
        """Whether no plan of a box can be better than the best, ties included."""
        if self.best is None or self._worse(loss):
            return self.best is not None
        if loss < self.best.loss * (1 - TIE) or self._settle is not None:
            return False
        if low == high:
            return True  # it was tried
        fewest = touched, sum(rung > 0 for rung in low)
        return fewest > (sum(self.best.blanks), self.best.recodes)

    def _split(self, low: Rungs, high: Rungs) -> tuple[tuple[Rungs, Rungs], tuple[Rungs, Rungs]]:
        """Split the key whose rungs differ most in loss, where both parts differ most."""
        lattice = self.lattice
        wide = [j for j in range(len(low)) if high[j] > low[j]]
        key = max(wide, key=lambda j: (lattice.step_loss(j, low[j], high[j]), j))
        middle = max(
            range(low[key], high[key]),
            key=lambda rung: min(
                lattice.step_loss(key, low[key], rung + 1),
                lattice.step_loss(key, rung, high[key]),
            ),
        )
        below, above = list(high), list(low)
        below[key], above[key] = middle, middle + 1
        return (low, tuple(below)), (tuple(above), high)


def find_nearest(bounds: Bounds, progress: Progress = silent) -> Found:
    """Find the cheapest plan that touches no more records than the highest rungs do.

    It is what comes nearest where no plan keeps to a cap: no plan touches fewer, unless members
    of households are blanked together. There is none if records stay unsafe at the highest rungs.
    """
    top = bounds.lattice.price(bounds.lattice.top)
    return PlanSearch(bounds, most=top.touched).run(progress=progress)


def start_path(lattice: Lattice, progress: Progress = silent) -> list[Rungs]:
    """Return nodes from the top down that a path by fall of risk per loss leads through."""
    rungs, path = lattice.bottom, [lattice.bottom]
    risk = lattice.safety.exposure(rungs)
    steps = max(sum(lattice.top), 1)
    while rungs != lattice.top:
        progress("looking for a plan to begin with", len(path) / steps)
        ways = []
        for j, rung in enumerate(rungs):
            if rung < lattice.top[j]:
                to = (*rungs[:j], rung + 1, *rungs[j + 1 :])
                left = lattice.safety.exposure(to)
                cost = max(lattice.step_loss(j, rung, rung + 1), 1e-12)
                ways.append(((risk - left) / cost, -j, to, left))
        _, _, rungs, risk = max(ways)
        path.append(rungs)
    return path[::-1]
