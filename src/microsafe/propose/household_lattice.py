"""Plans where households have a limit of their own, and share keys.

A node then costs what the cheapest joint blanks of its households cost. Boxes are bounded as
without households, hazards at the highest rungs and prices at the lowest, with one price for
hazard per household in place of the merged lists.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from microsafe.cells import Index, Membership
from microsafe.propose.bounds import Bounds
from microsafe.propose.lattice import Lattice, NodePlan, PlanProblem
from microsafe.propose.node_tables import Rungs
from microsafe.risk.record.subsets import Masks
from microsafe.steps.suppress.household_search import (
    HouseholdMembers,
    bound_households,
    cheapest_joint,
    find_fronts,
    most_hazard,
    shared_prices,
    subsets_of,
    sum_homes,
)
from microsafe.sums import Floats, sum_by


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeView:
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
    views: tuple[HomeView, ...]
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


class HomeLattice(Lattice):
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
        order = np.argsort(number.reshape(-1), kind="stable")
        repeat = found.records[order]
        self.members = HouseholdMembers(
            household=np.repeat(number.reshape(-1)[order], repeat),
            row=np.repeat(found.cell[order], repeat),
        )
        self.homes = int(self.members.household[-1]) + 1
        for view in rule.views:
            self.asked |= view.keys
        self.allowed = self.asked & ~problem.spared
        self._open: dict[Rungs, tuple[np.ndarray, int]] = {}
        self._alike: dict[tuple[int, int], bool] = {}

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

    def hazards(self, rungs: Rungs, dropped: int, rows: Index) -> Floats:
        """Return hazards of some cells of a node once keys are blank, infinite if unsafe.

        There is one line of them for each view of households.
        """
        found = np.zeros((1, len(rows)))
        if self.rule.limit is not None:
            found = np.stack(
                [
                    self.safety.hazards(rungs, each.keys & ~dropped, rows, each.factor, each.demand)
                    for each in self.rule.views
                ]
            )
        return np.where(self.safety.safe(rungs, dropped, rows), found, np.inf)

    def unsafe_homes(self, rungs: Rungs) -> tuple[np.ndarray, int]:
        """Tell which households are not safe as they are, and how many records must change."""
        if rungs not in self._open:
            cells = self.tables.parents(self.bottom, rungs)
            each = self.hazards(rungs, 0, np.arange(len(self.tables.at(rungs))))
            mine = each[:, cells[self.members.row]]
            unsafe = np.any(sum_homes(self.members, mine) > self.rule.most, axis=0)
            alone = sum_homes(self.members, np.isinf(mine.max(axis=0, keepdims=True)) * 1.0)[0]
            self._open[rungs] = unsafe, int(np.maximum(alone, unsafe).sum())
        return self._open[rungs]

    def count_touched(self, rungs: Rungs) -> int:
        """Return how many records have to lose something: all unsafe ones, one per household."""
        return self.unsafe_homes(rungs)[1]

    def count_stuck(self, rungs: Rungs) -> int:
        """Return how many records are in households that no blanks make safe."""
        members, cells, _ = self.open_members(rungs)
        rows, place = np.unique(cells[members.row], return_inverse=True)
        least = self.hazards(rungs, self.allowed, rows)[:, place.reshape(-1)]
        hopeless = (sum_homes(members, least) > self.rule.most).any(axis=0)
        return int(members.size[hopeless].sum())

    def open_members(self, rungs: Rungs) -> tuple[HouseholdMembers, Index, Index]:
        """Return who is in unsafe households, the cell of each original one, and which they are."""
        members, where = self.members.restrict(self.unsafe_homes(rungs)[0])
        return members, self.tables.parents(self.bottom, rungs), where

    def joint(self, rungs: Rungs) -> JointBlanks:
        """Return the cheapest joint blanks of a node."""
        members, cells, where = self.open_members(rungs)
        here = HouseholdMembers(household=members.household, row=cells[members.row])
        keys, price = cheapest_joint(
            self.prices(rungs, np.arange(len(self.tables.at(rungs)))),
            lambda dropped, rows: self.hazards(rungs, dropped, rows),
            here,
            shared=self.find_shared(rungs),
            allowed=self.allowed,
            most=self.rule.most,
        )
        return JointBlanks(
            member=where,
            keys=keys,
            stuck=np.isinf(price)[members.household],
            loss=float(price.sum()) / self.records,
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


class HomeBounds(Bounds):
    """Bounds of boxes by a price for hazard per household."""

    lattice: HomeLattice

    def _add_blanks(
        self, low: Rungs, high: Rungs, enough: float, recoded: float
    ) -> tuple[float, bool]:
        if recoded >= enough:
            return recoded, False
        loss = recoded + self._blanks(low, high)
        if low == high and loss < enough:
            loss = self.lattice.price(high).loss
        return loss, loss < enough

    def _blanks(self, low: Rungs, high: Rungs) -> float:
        """Return what blanks lose at least in a box."""
        lattice, rule = self.lattice, self.lattice.rule
        together = lattice.find_shared(low)  # higher up there may be more, which only costs more
        members, _, _ = lattice.open_members(high)
        below = lattice.tables.parents(lattice.bottom, low)
        rows, place = np.unique(below[members.row], return_inverse=True)
        above, of_row = np.unique(lattice.tables.parents(low, high, rows), return_inverse=True)
        prices = lattice.prices(low, rows)
        here = HouseholdMembers(household=members.household, row=place.reshape(-1))
        known: dict[int, Floats] = {}

        def hazards(dropped: int, some: Index) -> Floats:
            if dropped not in known:
                known[dropped] = lattice.hazards(high, dropped, above)[:, of_row.reshape(-1)]
            return known[dropped][:, some]

        least = np.full(len(here.size), np.inf)
        for shared in subsets_of(together & lattice.allowed):
            own = lattice.allowed & ~together
            fronts = find_fronts(prices, np.arange(len(rows)), hazards, own, shared)
            each = shared_prices(prices, shared)[here.row]
            fixed = sum_by(here.household, each, len(least))
            found, _ = bound_households(fronts, here, rule.most)
            least = np.minimum(least, fixed + found)
        return float(least.sum()) / lattice.records
