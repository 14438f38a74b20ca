"""The cheapest plan, by a search that has one from the beginning and may be stopped at any time.

The broadest recodes are priced first, then a path down from them, then neighbours of the best;
then boxes of nodes are split, that of the lowest bound first, until none is left that could hold
a better plan. The lowest bound tells how far from the best the plan found is at most.

All plans go to one archive. A cap on the records that may lose a value only picks from it, so
under a looser cap no plan is worse.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from microsafe.propose.lattice import TIE, Bound, Lattice, NodePlan
from microsafe.propose.node_tables import Rungs

Settle = Callable[[NodePlan], NodePlan | None]


@dataclass(slots=True, eq=False)
class Archive:
    """All plans that were found.

    Attributes:
        plans: By their rungs.
    """

    plans: dict[Rungs, NodePlan] = field(default_factory=dict)
    _best: dict[int | None, NodePlan | None] = field(default_factory=dict)

    def add(self, plan: NodePlan) -> None:
        """Add a plan that makes all records safe."""
        self.plans[plan.rungs] = plan
        for most, best in self._best.items():
            if (most is None or plan.touched <= most) and plan.beats(best):
                self._best[most] = plan

    def best(self, most: int | None) -> NodePlan | None:
        """Return the best plan that touches no more records than that."""
        if most not in self._best:
            best: NodePlan | None = None
            for plan in self.plans.values():
                if (most is None or plan.touched <= most) and plan.beats(best):
                    best = plan
            self._best[most] = best
        return self._best[most]

    def nearest(self) -> NodePlan | None:
        """Return the plan that touches the fewest records, the best of several."""
        fewest = min((plan.touched for plan in self.plans.values()), default=None)
        return None if fewest is None else self.best(fewest)

    def frontier(self) -> list[NodePlan]:
        """Return the plans than which none both loses and touches less, the most touched first."""
        kept: list[NodePlan] = []
        for plan in sorted(self.plans.values(), key=lambda plan: (plan.touched, plan.loss)):
            if not kept or plan.loss < kept[-1].loss * (1 - TIE):
                kept.append(plan)
        return kept[::-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
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
        return self.bound >= (float("inf") if self.plan is None else self.plan.loss * (1 - TIE))

    @property
    def gap(self) -> float:
        """Largest share of the loss that a better plan could save."""
        if self.proved:
            return 0.0
        return 1.0 if self.plan is None else 1.0 - self.bound / self.plan.loss


_Part = tuple[float, int, Rungs, Rungs]  # bound of the loss, of records touched, lowest, highest


class PlanSearch:
    """A search that can be stopped and asked what it has found.

    Args:
        lattice: All plans.
        settle: Asked about a plan with own blanks, in the order of their loss: the plan as it
            will be, which loses no less, or None if it fails some rule. Such rules need not be
            monotone: no box is left out for their sake.
        notice: Called whenever a plan was found.
    """

    def __init__(
        self,
        lattice: Lattice,
        *,
        settle: Settle | None = None,
        notice: Callable[[], None] = lambda: None,
    ) -> None:
        self.lattice, self.archive = lattice, Archive()
        self._settle, self._notice = settle, notice
        self._settled: set[Rungs] = set()
        self.boxes: dict[int | None, list[_Part]] = {}
        self._bounded = 0

    def resume_plan(self, plan: NodePlan) -> None:
        """Take a plan that was found before, and settled."""
        self.archive.add(plan)
        self._settled.add(plan.rungs)

    def found(self, most: int | None) -> SearchResult:
        """Return what was found until now for a cap."""
        best = self.archive.best(most)
        loss = float("inf") if best is None else best.loss
        looser = [cap for cap in self.boxes if cap is None or (most is not None and cap >= most)]
        bound = min(loss, max((self._least(cap) for cap in looser), default=0.0))
        nodes = 1
        for rung in self.lattice.top:
            nodes *= rung + 1
        return SearchResult(
            plan=best,
            bound=bound,
            priced=len(self.lattice.plans),
            bounded=self._bounded,
            nodes=nodes,
        )

    def _least(self, most: int | None) -> float:
        """Return a loss that no plan within a cap that was searched is below."""
        best, heap = self.archive.best(most), self.boxes[most]
        loss = float("inf") if best is None else best.loss
        return min(heap[0][0], loss) if heap else loss

    def run(self, most: int | None = None) -> SearchResult:
        """Search until the best plan within a cap is proved; what was interrupted goes on.

        Args:
            most: Records that may lose a value; any number if None.
        """
        if most not in self.boxes:
            if self.found(most).proved:
                return self.found(most)
            self._begin(most)
            low, high = self.lattice.bottom, self.lattice.top
            first = self._bound(low, high, most, 0.0)
            self.boxes[most] = [] if first is None else [first]
        heap = self.boxes[most]
        while heap:
            before = self.archive.best(most)
            if _beaten(before, *heap[0], settled=self._settle is not None):
                heap.clear()
                break
            parts = self._open(heap[0], most)
            heapq.heappop(heap)  # only now: what is stopped within is still to be done
            best = self.archive.best(most)
            for part in parts:
                if not _beaten(best, *part, settled=self._settle is not None):
                    heapq.heappush(heap, part)
            if best is not before:
                self._climb(most)
        return self.found(most)

    def _begin(self, most: int | None) -> None:
        """Find a good plan soon."""
        lattice = self.lattice
        self._take(lattice.top)
        path = self._go_down(most)
        fewest = lattice.count_touched(lattice.top)
        self._take(next(each for each in reversed(path) if lattice.count_touched(each) == fewest))
        if self._settle is not None:
            self._take_on_path(path)
        elif self._within(lattice.bottom, most):
            self._take(lattice.bottom)
        self._climb(most)

    def _go_down(self, most: int | None) -> list[Rungs]:
        """Go down from the top by loss saved per record that becomes unsafe, within a cap.

        What a key would save is looked at again only when it comes first: further down it is less.
        """
        lattice, node = self.lattice, self.lattice.top
        path = [node]
        gains: dict[int, tuple[float, Rungs | None]] = {
            j: (float("inf"), None) for j, rung in enumerate(node) if rung
        }
        while gains:
            key = max(gains, key=lambda j: (gains[j][0], j))
            to = (*node[:key], node[key] - 1, *node[key + 1 :])
            if gains[key][1] != to:
                touched = lattice.count_touched(to)
                if most is not None and touched > most:
                    del gains[key]  # and lower down too, or nearly so
                    continue
                saved = lattice.recode_loss(node) - lattice.recode_loss(to)
                more = max(touched - lattice.count_touched(node), 0.5)
                gains[key] = saved / more, to
                continue
            node = to
            path.append(node)
            gains[key] = gains[key][0], None
            if not node[key]:
                del gains[key]
        self._take(node)
        return path

    def _take_on_path(self, path: Sequence[Rungs]) -> None:
        """Find by halving how far down a path plans meet the rules, if the first does."""
        good, bad = 0, len(path) - 1
        while bad - good > 1 and path[0] in self.archive.plans:
            middle = (good + bad) // 2
            self._take(path[middle])
            good, bad = (middle, bad) if path[middle] in self.archive.plans else (good, middle)

    def _climb(self, most: int | None) -> None:
        """Go from the best to neighbours, one key or two, as long as that helps.

        Plans that have to be settled are taken in the order of their loss only.
        """
        while self._settle is None:
            best = self.archive.best(most)
            if best is None:
                return
            near = sorted(set(_neighbours(best.rungs, self.lattice.top)))
            for rungs in sorted(near, key=self.lattice.recode_loss):
                self._try(rungs, most)
            if self.archive.best(most) is best:
                return

    def _within(self, rungs: Rungs, most: int | None) -> bool:
        return most is None or self.lattice.count_touched(rungs) <= most

    def _try(self, rungs: Rungs, most: int | None) -> None:
        """Price a node unless it is clear that it is not the best."""
        if rungs not in self.lattice.plans:
            best = self.archive.best(most)
            found = self.lattice.bound(rungs, rungs, enough=_enough(best), most=most)
            self._bounded += 1
            within = most is None or found.touched <= most
            if found.sharp and within and found.loss < float("inf"):
                self._take(rungs)

    def _take(self, rungs: Rungs) -> None:
        """Price a node and settle its plan, once."""
        if rungs in self._settled:
            return
        plan: NodePlan | None = self.lattice.price(rungs)
        if self._settle is not None and plan is not None:
            plan = None if plan.stuck else self._settle(plan)
        self._settled.add(rungs)
        if plan is not None and not plan.stuck:
            self.archive.add(plan)
            self._notice()

    def _open(self, part: _Part, most: int | None) -> list[_Part]:
        """Split a box, or settle the one plan in it."""
        loss, _, low, high = part
        if low == high:
            self._take(high)
            return []
        parts = (self._bound(*each, most, loss) for each in self._split(low, high))
        return [each for each in parts if each is not None]

    def _bound(self, low: Rungs, high: Rungs, most: int | None, known: float) -> _Part | None:
        """Bound a box and try its highest node; None if it cannot hold a plan that is better."""
        enough = _enough(self.archive.best(most))
        found: Bound = self.lattice.bound(low, high, enough=enough, most=most)
        self._bounded += 1
        if found.loss >= enough or (most is not None and found.touched > most):
            return None
        if self._settle is None:
            self._try(high, most)
        return max(found.loss, known), found.touched, low, high

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


def _enough(best: NodePlan | None) -> float:
    """A loss from which on a node or box is of no interest."""
    return float("inf") if best is None else best.loss * (1 + 2 * TIE)


def _beaten(
    best: NodePlan | None, loss: float, touched: int, low: Rungs, high: Rungs, *, settled: bool
) -> bool:
    """Whether no plan of a box can be better than the best, ties included."""
    if best is None or loss > best.loss * (1 + TIE):
        return best is not None
    if loss < best.loss * (1 - TIE) or settled:
        return False
    if low == high:
        return True  # it was tried
    fewest = touched, sum(rung > 0 for rung in low)
    return fewest > (sum(best.blanks), best.recodes)


def _neighbours(rungs: Rungs, top: Rungs) -> Iterator[Rungs]:
    """Go through nodes with one key one rung up or down, or one up and another down."""
    for j, way in ((j, way) for j in range(len(rungs)) for way in (-1, 1)):
        if 0 <= rungs[j] + way <= top[j]:
            yield (*rungs[:j], rungs[j] + way, *rungs[j + 1 :])
    for j, i in permutations(range(len(rungs)), 2):
        if rungs[j] > 0 and rungs[i] < top[i]:
            moved = list(rungs)
            moved[j], moved[i] = rungs[j] - 1, rungs[i] + 1
            yield tuple(moved)
