"""Plans where households have a limit of their own, and share keys.

A node then costs what the cheapest joint blanks of its households cost. Boxes are bounded as
without households, hazards at the highest rungs and prices at the lowest; under a limit for
households with one price for hazard per household in place of the merged lists.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from microsafe.cells import Index, Membership
from microsafe.propose.lattice import Box, Lattice, NodePlan, PlanProblem
from microsafe.propose.node_tables import Flags, Rungs
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.steps.suppress.household_search import (
    HouseholdMembers,
    bound_households,
    cheapest_joint,
    cheapest_shared,
    find_fronts,
    most_hazard,
    shared_prices,
    subsets_of,
    sum_homes,
)
from microsafe.sums import Floats, sum_by, total


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseholdView:
    """How the risk of a household is seen under a scenario.

    Attributes:
        keys: That it is by.
        factor: Multiplies the base risk of members.
        demand: Number of a demand whose model it is by, if it is by one.
    """

    keys: int
    factor: float = 1.0
    demand: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HouseholdRule:
    """What households must meet.

    Attributes:
        membership: Who belongs together; every record has a household.
        views: Each has a risk of the household, by which it must keep the limit.
        limit: On its risk; None if members only share keys.
        shared: Keys that are blanked in all members or in none.
        grows: Whether keys that members come to share by a recode are blanked so as well.
    """

    membership: Membership
    views: tuple[HouseholdView, ...]
    limit: float | None = None
    shared: int = 0
    grows: bool = False

    @property
    def most(self) -> float:
        """What the hazards of the members may add up to."""
        return most_hazard(self.limit)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointBlanks:
    """The cheapest joint blanks of a node.

    Attributes:
        member: Which members belong to households that are not safe as they are.
        keys: Set of keys to blank in each.
        stuck: Whether the household of each cannot be made safe.
        loss: By all of them, per record of the file.
    """

    member: Index
    keys: Masks
    stuck: Index
    loss: float


class HouseholdLattice(Lattice):
    """A lattice whose nodes cost what joint blanks of households cost.

    Args:
        problem: Which.
        rule: What households must meet.
    """

    def __init__(self, problem: PlanProblem, rule: HouseholdRule) -> None:
        super().__init__(problem)
        self.rule = rule
        found = rule.membership
        _, number = np.unique(found.household, return_inverse=True)
        order = np.lexsort((found.cell, number.reshape(-1)))
        repeat = found.records[order]
        self.members = HouseholdMembers(
            household=np.repeat(number.reshape(-1)[order], repeat),
            row=np.repeat(found.cell[order], repeat),
        )
        self.homes = int(self.members.household[-1]) + 1
        for view in rule.views:
            self.asked |= view.keys
        self.allowed = self.asked & ~problem.spared
        self._alike: dict[tuple[int, int], bool] = {}

    def _is_weighed(self) -> bool:
        return True  # hazards are by weight

    def find_shared(self, rungs: Rungs) -> int:
        """Return the keys that are blanked in all members or in none at a node."""
        if not self.rule.grows:
            return self.rule.shared
        alike = (1 << j for j, rung in enumerate(rungs) if self._is_alike(j, rung))
        return self.rule.shared | sum(alike)

    def _is_alike(self, key: int, rung: int) -> bool:
        """Whether a key never differs between members at a rung."""
        if (key, rung) not in self._alike:
            code = self.problem.ladders[key].rungs[rung][self.problem.cells.codes[key]]
            mine, home = code[self.members.row], self.members.household
            self._alike[key, rung] = bool((mine[1:] == mine[:-1])[home[1:] == home[:-1]].all())
        return self._alike[key, rung]

    def hazards(self, box: Box, dropped: int, rows: Index) -> Floats:
        """Return hazards of some cells of a box once keys are blank, infinite if unsafe.

        There is one line of them for each view of households.
        """
        found = np.zeros((1, len(rows)))
        if self.rule.limit is not None:
            found = np.stack(
                [
                    box.hazards(view.keys & ~dropped, rows, view.factor, view.demand)
                    for view in self.rule.views
                ]
            )
        return np.where(box.unsafe(dropped, rows), np.inf, found)

    def _find_open(self, box: Box) -> tuple[Index, Flags, int]:
        """Return the cell of each member, unsafe households, and records that must change."""
        cells = self.tables.parents(self.bottom, box.low)[self.members.row]
        if self.rule.limit is None:
            unsafe = box.unsafe(0)[cells]
            open_homes = np.zeros(self.homes, np.bool_)
            open_homes[self.members.household[unsafe]] = True
            return cells, open_homes, int(unsafe.sum())
        each = self.hazards(box, 0, np.arange(len(box.table)))
        alone = np.isinf(each.max(axis=0, keepdims=True)) * 1.0
        unsafe_members = sum_homes(self.members, alone[:, cells])[0]
        unsafe = np.any(sum_homes(self.members, each[:, cells]) > self.rule.most, axis=0)
        return cells, unsafe, int(np.maximum(unsafe_members, unsafe).sum())

    def _count_touched(self, box: Box) -> int:
        """Count records that have to lose something: all unsafe ones, one per household."""
        if self.rule.limit is None:
            return super()._count_touched(box)
        return self._find_open(box)[-1]

    def joint(self, rungs: Rungs) -> JointBlanks:
        """Return the cheapest joint blanks of a node."""
        box = self.box(rungs, rungs)
        cells, open_homes, _ = self._find_open(box)
        members, where = self.members.restrict(open_homes)
        here = HouseholdMembers(household=members.household, row=cells[where])
        together = self.find_shared(rungs)
        if self.rule.limit is None:
            keys, price = cheapest_shared(
                self.prices(rungs),
                lambda dropped, rows: ~box.unsafe(dropped, rows),
                lambda dropped, rows: ~box.unsafe(dropped, rows, sure=True),
                here,
                shared=together,
                allowed=self.allowed,
            )
        else:
            keys, price = cheapest_joint(
                self.prices(rungs),
                lambda dropped, rows: self.hazards(box, dropped, rows),
                here,
                shared=together,
                allowed=self.allowed,
                most=self.rule.most,
            )
        return JointBlanks(
            member=where,
            keys=keys,
            stuck=np.isinf(price)[members.household],
            loss=total(price) / self.records if np.isfinite(price).all() else np.inf,
        )

    def _price(self, rungs: Rungs) -> NodePlan:
        found, recoded = self.joint(rungs), self.recode_loss(rungs)
        codes = [code[self.members.row[found.member]] for code in self.problem.cells.codes]
        # Who lacks a shared key cannot lose it.
        lost = [(found.keys >> j & 1).astype(bool) & (code > 0) for j, code in enumerate(codes)]
        touched = np.logical_or.reduce(lost) | found.stuck
        return NodePlan(
            rungs=rungs,
            loss=recoded + found.loss,
            recoded=recoded,
            blanks=tuple(int(each.sum()) for each in lost),
            touched=int(touched.sum()),
            stuck=int(found.stuck.sum()),
        )

    def _least_blanks(self, box: Box) -> float:
        return super()._least_blanks(box) if self.rule.limit is None else 0.0

    def _bound_blanks(self, box: Box, recoded: float, enough: float) -> tuple[float, bool]:
        """Return what recodes and blanks lose at least in a box, and whether all were tried.

        Without a limit for households that is what members lose who share nothing.
        """
        if self.rule.limit is None:
            return super()._bound_blanks(box, recoded, enough)
        if not box.sure:
            return recoded, False
        low = box.low
        cells, open_homes, _ = self._find_open(box)
        members, where = self.members.restrict(open_homes)
        together = self.find_shared(low)  # higher up there may be more, which only costs more
        rows, place = np.unique(cells[where], return_inverse=True)
        prices = self.prices(low, rows)
        here = HouseholdMembers(household=members.household, row=place.reshape(-1))
        known: dict[int, Floats] = {}

        def hazards(dropped: int, some: Index) -> Floats:
            if dropped not in known:
                known[dropped] = self.hazards(box, dropped, rows)
            return known[dropped][:, some]

        least = np.full(len(here.size), np.inf)
        for shared in subsets_of(together & self.allowed):
            own = self.allowed & ~together
            fronts = find_fronts(prices, np.arange(len(rows)), hazards, own, shared)
            each = shared_prices(prices, shared)[here.row]
            fixed = sum_by(here.household, each, len(least))
            found, _ = bound_households(fronts, here, self.rule.most)
            least = np.minimum(least, fixed + found)
        return recoded + float(least.sum()) / self.records, True
