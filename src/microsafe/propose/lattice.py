"""What a node of the lattice costs: its recodes, and the cheapest own blanks that they leave."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from microsafe.cells import Cells, Index
from microsafe.errors import UsageError
from microsafe.propose.ladders.ladder import Ladder
from microsafe.propose.node_tables import Rungs, Tables, choose_safety
from microsafe.risk import Reference
from microsafe.risk.record.subsets import Masks
from microsafe.steps.suppress.criterion import KeySetDemand
from microsafe.steps.suppress.priced_blanks import bits_of_codes, cheapest_sets
from microsafe.sums import Floats, entropy

TIE = 1e-12  # losses that differ by less are equal


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlanProblem:
    """What is to be protected, by which recodes, and what they cost.

    Attributes:
        cells: Of all keys, before protection.
        ladders: One for each key of the cells, in their order.
        demands: What records must meet.
        rates: Loss of a record that loses one bit of a key, by key; `loss_rates` has the usual.
        spared: Keys that must not be blanked; bit j stands for key j.
        references: For each demand the file and model that its risk is by, None for one that is
            by f and F; empty if all are.
    """

    cells: Cells
    ladders: tuple[Ladder, ...]
    demands: tuple[KeySetDemand, ...]
    rates: tuple[float, ...]
    spared: int = 0
    references: tuple[Reference | None, ...] = ()

    def __post_init__(self) -> None:
        """Refuse ladders that are not those of the keys, or whose rungs cut across each other."""
        if tuple(ladder.key for ladder in self.ladders) != self.cells.keys:
            raise UsageError("Each key needs one ladder, in the order of the keys.")
        for ladder in self.ladders:
            for rung, (below, above) in enumerate(pairwise(ladder.rungs), 1):
                pairs = np.unique(np.stack([below, above]), axis=1)
                # The bounds of a box rest on it, and missing is no category to be joined.
                if pairs.shape[1] > below.max() + 1 or (above == 0).tolist().count(True) != 1:
                    raise UsageError(
                        f"Rung {rung} of {ladder.key!r} does not join whole groups of the rung "
                        "below: change it so that it does, or leave it out."
                    )


def loss_rates(cells: Cells, weights: Mapping[str, float] | None = None) -> tuple[float, ...]:
    """Return the loss of a record that loses one bit of a key.

    The loss of a key is the mean over the records that show it, as a share of its entropy; that
    of several is the mean over keys by their weights. A key of one category has nothing to lose.

    Args:
        cells: Before protection.
        weights: How much each key matters to users; 1 for those not named.
    """
    given = dict(weights or {})
    matter = [float(given.get(key, 1.0)) for key in cells.keys]
    if not all(0 <= weight < math.inf for weight in matter) or not any(matter):
        raise UsageError("Utility weights are finite numbers of at least 0, one of them above 0.")
    rates = []
    for code, weight in zip(cells.codes, matter, strict=True):
        counts = np.bincount(code, cells.count)[1:]
        bits = entropy(counts) * counts.sum() / cells.records
        rates.append(weight / sum(matter) / bits if bits else 0.0)
    return tuple(rates)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePlan:
    """A node and what it costs.

    Attributes:
        rungs: By key.
        loss: Of recodes and blanks together; infinite if records stay unsafe.
        recoded: Of recodes alone.
        blanks: Values blanked, by key.
        touched: Records that lose a value.
        stuck: Records that stay unsafe whatever may be blanked.
    """

    rungs: Rungs
    loss: float
    recoded: float
    blanks: tuple[int, ...]
    touched: int
    stuck: int

    @property
    def recodes(self) -> int:
        """Keys that are recoded."""
        return sum(rung > 0 for rung in self.rungs)

    def beats(self, other: NodePlan | None) -> bool:
        """Whether it loses less; of equals, has fewer blanks, then fewer keys recoded."""
        if other is None or abs(self.loss - other.loss) > TIE * max(self.loss, other.loss):
            return other is None or self.loss < other.loss
        return self._rank < other._rank

    @property
    def _rank(self) -> tuple[int, int, Rungs]:
        return sum(self.blanks), self.recodes, self.rungs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnBlanks:
    """The cheapest blanks of a node.

    Attributes:
        rows: Unsafe cells.
        keys: Set of keys to blank in each.
        price: Loss by them of one record of each.
    """

    rows: Index
    keys: Masks
    price: Floats


@dataclass(eq=False)
class Lattice:
    """All nodes of a problem, priced when they are asked for.

    Attributes:
        problem: Which.
        plans: Nodes that were priced.
    """

    problem: PlanProblem
    plans: dict[Rungs, NodePlan] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Find what recodes and blanks cost."""
        problem = self.problem
        self.tables = Tables(problem.cells, problem.ladders)
        self.safety = choose_safety(self.tables, problem.demands, problem.references)
        self.records = problem.cells.records
        self.top = tuple(len(ladder.rungs) - 1 for ladder in problem.ladders)
        self.bottom = (0,) * len(self.top)
        self.asked = 0
        for demand in problem.demands:
            self.asked |= demand.keys
        self.allowed = self.asked & ~problem.spared
        self._recoded, self._prices = [], []
        for place, rate in enumerate(problem.rates):
            costs = self._key_costs(place, rate)
            self._recoded.append([loss for loss, _ in costs])
            self._prices.append([price for _, price in costs])
        self._unsafe: dict[Rungs, Index] = {}
        self._touched: dict[Rungs, int] = {}

    def _key_costs(self, place: int, rate: float) -> list[tuple[float, Floats]]:
        """By rung: what the recode loses, and what a blank of each group loses after it.

        A recode of x to the group g loses -log2(p_x / p_g), and a blank -log2 p_g more.
        """
        cells = self.problem.cells
        found = []
        original = 0.0
        for rung, groups in enumerate(self.problem.ladders[place].rungs):
            codes = groups[cells.codes[place]]
            bits = bits_of_codes(codes, cells.count)
            told = float((cells.count * bits[codes]).sum())
            original = original if rung else told
            price = np.zeros(int(groups.max()) + 1)  # of a group that nobody is in: whatever
            price[: len(bits)] = rate * bits
            price[0] = np.inf  # nothing to blank
            found.append((rate * max(original - told, 0.0) / self.records, price))
        return found

    def recode_loss(self, rungs: Rungs) -> float:
        """Return what the recodes of a node lose."""
        return float(sum(losses[r] for losses, r in zip(self._recoded, rungs, strict=True)))

    def step_loss(self, key: int, low: int, high: int) -> float:
        """Return what a key loses between two rungs."""
        return self._recoded[key][high] - self._recoded[key][low]

    def prices(self, rungs: Rungs, rows: Index) -> Floats:
        """Return the loss by a blank, by key and cell of a node."""
        codes = self.tables.at(rungs).codes
        return np.stack([self._prices[j][rung][codes[j][rows]] for j, rung in enumerate(rungs)])

    def unsafe(self, rungs: Rungs) -> Index:
        """Return the unsafe cells of a node."""
        if rungs not in self._unsafe:
            self._unsafe[rungs] = self.safety.unsafe(rungs)
        return self._unsafe[rungs]

    def count_touched(self, rungs: Rungs) -> int:
        """Return how many records of a node have to lose something."""
        if rungs not in self._touched:
            self._touched[rungs] = int(self.tables.at(rungs).f[self.unsafe(rungs)].sum())
        return self._touched[rungs]

    def count_stuck(self, rungs: Rungs) -> int:
        """Return how many records of a node stay unsafe even if all that may be is blank."""
        rows = self.unsafe(rungs)
        hopeless = rows[~self.safety.safe(rungs, self.allowed, rows)]
        return int(self.tables.at(rungs).f[hopeless].sum())

    def least(self, prices: Floats, rungs: Rungs, rows: Index) -> float:
        """Return the loss if some cells lose the cheapest of the keys that may be blanked."""
        keys = [j for j in range(len(prices)) if self.allowed >> j & 1]
        if not len(rows) or not keys:
            return 0.0
        f = self.tables.at(rungs).f[rows]
        return float((prices[keys].min(axis=0) * f).sum()) / self.records

    def own(self, rungs: Rungs) -> OwnBlanks:
        """Return the cheapest own blanks of a node; infinite where none suffices."""
        rows = self.unsafe(rungs)
        keys, price = np.zeros(len(rows), np.int64), np.full(len(rows), np.inf)
        able = np.flatnonzero(self.safety.safe(rungs, self.allowed, rows))
        keys[able], price[able] = cheapest_sets(
            self.prices(rungs, rows[able]),
            self.allowed,
            lambda dropped, some: self.safety.safe(rungs, dropped, rows[able[some]]),
        )
        return OwnBlanks(rows=rows, keys=keys, price=price)

    def price(self, rungs: Rungs) -> NodePlan:
        """Return the exact loss of a node."""
        if rungs not in self.plans:
            self.plans[rungs] = self._price(rungs)
        return self.plans[rungs]

    def _price(self, rungs: Rungs) -> NodePlan:
        found, recoded = self.own(rungs), self.recode_loss(rungs)
        f = self.tables.at(rungs).f[found.rows]
        bits = found.keys >> np.arange(len(rungs))[:, None] & 1
        return NodePlan(
            rungs=rungs,
            loss=recoded + float((found.price * f).sum()) / self.records,
            recoded=recoded,
            blanks=tuple(int(each) for each in (bits * f).sum(axis=1)),
            touched=int(f.sum()),
            stuck=int(f[found.keys == 0].sum()),
        )
