"""What a node of the lattice costs: its recodes, and the cheapest own blanks that they leave."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.errors import UsageError
from microsafe.propose.cell_verdicts import CellVerdicts
from microsafe.propose.ladders.ladder import Ladder
from microsafe.propose.node_tables import Flags, Rungs, Tables, find_gaps
from microsafe.risk import Reference
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.steps.suppress.criterion import KeySetDemand
from microsafe.steps.suppress.priced_blanks import Enough, Safe, bits_of_codes, cheapest_sets
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
    """The cheapest blanks of a node, or of all nodes of a box at least.

    Attributes:
        rows: Unsafe cells.
        keys: Set of keys to blank in each.
        price: Loss by them of one record of each; infinite where none suffices.
    """

    rows: Index
    keys: Masks
    price: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What every node of a box has at least.

    Attributes:
        loss: Infinite if records stay unsafe in all of them.
        touched: Records that lose a value.
        sharp: Whether the cheapest blanks were looked for, not only the cheapest key.
    """

    loss: float
    touched: int
    sharp: bool


class Box:
    """Cells at the lowest rungs of a box of nodes, which are judged at its highest.

    Args:
        tables: Of the file.
        verdicts: On its cells.
        low: Lowest rungs.
        high: Highest rungs; a node is its own lowest and highest.
        price: Returns the loss by a blank, by key and cell.
        sure: Whether a verdict is to hold in the whole box.
    """

    def __init__(
        self,
        tables: Tables,
        verdicts: CellVerdicts,
        low: Rungs,
        high: Rungs,
        price: Callable[[Rungs, Index], Floats],
        *,
        sure: bool,
    ) -> None:
        self.low, self.high, self.sure = low, high, sure
        self.table = tables.at(low)
        self.words = tables.words_at(self.table, low, high)
        self._verdicts, self._price = verdicts, price

    @cached_property
    def gaps(self) -> NDArray[np.int64]:
        """Keys that each cell does not show; bit j stands for key j."""
        return find_gaps(self.table.codes)

    @cached_property
    def unsafe_rows(self) -> Index:
        """Cells that are unsafe as long as nothing is blank."""
        return np.flatnonzero(self.unsafe(0))

    @cached_property
    def prices(self) -> Floats:
        """The loss by a blank, by key and unsafe cell."""
        return self._price(self.low, self.unsafe_rows)

    def unsafe(self, dropped: int, rows: Index | None = None, *, sure: bool = False) -> Flags:
        """Tell which cells, all or some, are unsafe once some keys are blank."""
        words, gaps = self.words, self.gaps
        if rows is not None:
            words, gaps = words[rows], gaps[rows]
        return self._verdicts.unsafe(self.high, dropped, words, gaps, sure=sure or self.sure)

    def tell_safe(self, rows: Index) -> Safe:
        """Return what tells which of some cells are safe once keys are blank."""
        words, gaps = self.words[rows], self.gaps[rows]

        def safe(dropped: int, some: Index) -> Flags:
            asked = words.take(some), gaps.take(some)
            return ~self._verdicts.unsafe(self.high, dropped, *asked, sure=self.sure)

        return safe

    def hazards(self, keys: int, rows: Index, factor: float, demand: int) -> Floats:
        """Return -ln(1 - risk) of some cells seen by some keys."""
        return self._verdicts.hazards(
            *(self.high, keys, self.words[rows], self.gaps[rows]),
            factor=factor,
            demand=demand,
            sure=self.sure,
        )


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
        self.tables = Tables(problem.cells, problem.ladders, weighed=self._is_weighed())
        self.verdicts = CellVerdicts(self.tables, problem.demands, problem.references)
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
        self._touched: dict[tuple[Rungs, bool], int] = {}
        self._bounds: dict[tuple[Rungs, Rungs], Bound] = {}
        self._box: Box | None = None

    def _is_weighed(self) -> bool:
        """Whether a demand asks for more than records that are alike."""
        return any(demand.criterion.weighs for demand in self.problem.demands)

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

    def prices(self, rungs: Rungs, rows: Index | None = None) -> Floats:
        """Return the loss by a blank, by key and cell of a node."""
        table = self.tables.at(rungs)
        found = np.empty((len(rungs), len(table) if rows is None else len(rows)))
        for j, (code, rung) in enumerate(zip(table.codes, rungs, strict=True)):
            found[j] = self._prices[j][rung].take(code if rows is None else code.take(rows))
        return found

    def box(self, low: Rungs, high: Rungs) -> Box:
        """Return the cells of a box; with one node in it, those of the node."""
        return self._find_box(low, high, sure=low != high)

    def _find_box(self, low: Rungs, high: Rungs, *, sure: bool) -> Box:
        box = self._box  # the one before: a node is counted, bounded and priced at one go
        if box is None or (box.low, box.high, box.sure) != (low, high, sure):
            self._box = box = Box(self.tables, self.verdicts, low, high, self.prices, sure=sure)
        return box

    def count_touched(self, rungs: Rungs, *, sure: bool = False) -> int:
        """Return how many records of a node have to lose something.

        Args:
            rungs: Of the node.
            sure: Whether to count those who must at each node that merges to this one.
        """
        if (rungs, sure) not in self._touched:
            box = self._find_box(rungs, rungs, sure=sure)
            self._touched[rungs, sure] = self._count_touched(box)
        return self._touched[rungs, sure]

    def _count_touched(self, box: Box) -> int:
        return int(box.table.f[box.unsafe_rows].sum())

    def own(self, rungs: Rungs) -> OwnBlanks:
        """Return the cheapest own blanks of a node."""
        return self._find_own(self.box(rungs, rungs))

    def _find_own(self, box: Box, enough: Enough | None = None) -> OwnBlanks:
        """Return the cheapest own blanks of a node, or what they are at least in a box.

        Args:
            box: Of nodes.
            enough: Asked with the price of each unsafe cell, as `cheapest_sets` does.
        """
        rows = box.unsafe_rows
        keys, price = np.zeros(len(rows), np.int64), np.full(len(rows), np.inf)
        able = np.flatnonzero(~box.unsafe(self.allowed, rows, sure=True))

        def enough_of_all(some: Floats) -> bool:
            price[able] = some
            return enough is not None and enough(price)

        keys[able], price[able] = cheapest_sets(
            box.prices if len(able) == len(rows) else box.prices.take(able, axis=1),
            self.allowed,
            box.tell_safe(rows[able]),
            enough=None if enough is None else enough_of_all,
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

    def bound(self, low: Rungs, high: Rungs, *, enough: float, most: int | None) -> Bound:
        """Bound all nodes of a box from below; with one node in it, price it.

        A record loses at least what the lowest rungs take from the keys it still shows, and from
        a blank key all that it told, whatever the rung. So the cheapest blanks, with safety judged
        at the highest rungs and prices at the lowest, lose no more than any node of the box.

        Args:
            low: Its lowest rungs.
            high: Its highest.
            enough: A loss from which on a rough bound will do.
            most: Records that may be touched: if there must be more, the loss does not matter.
        """
        known = self._bounds.get((low, high))
        if known is None or not (known.sharp or known.loss >= enough):
            known = self._bounds[low, high] = self._find_bound(low, high, enough, most)
        return known

    def _find_bound(self, low: Rungs, high: Rungs, enough: float, most: int | None) -> Bound:
        recoded = self.recode_loss(low)
        if recoded >= enough:
            return Bound(loss=recoded, touched=0, sharp=False)
        touched = self.count_touched(high, sure=low != high)
        if (most is not None and touched > most) or not touched:
            return Bound(loss=recoded, touched=touched, sharp=not touched)
        box = self.box(low, high)
        rough = recoded + self._least_blanks(box)
        if rough >= enough:
            return Bound(loss=rough, touched=touched, sharp=False)
        loss, sharp = self._bound_blanks(box, recoded, enough)
        if low == high and loss < enough:
            return Bound(loss=self.price(high).loss, touched=touched, sharp=True)
        return Bound(loss=loss, touched=touched, sharp=sharp)

    def _least_blanks(self, box: Box) -> float:
        """Return the loss if who must lose something loses the cheapest key that may be blank."""
        keys = [j for j in range(len(box.low)) if self.allowed >> j & 1]
        if not keys:
            return np.inf
        least = box.prices[keys].min(axis=0)
        return self._sum_prices(box, least)

    def _bound_blanks(self, box: Box, recoded: float, enough: float) -> tuple[float, bool]:
        """Return what recodes and blanks lose at least in a box, and whether all blanks were tried.

        Args:
            box: Of nodes; of a single one, which is priced next, blanks of one key are tried.
            recoded: What its recodes lose at least.
            enough: A loss from which on no more blanks are tried.
        """
        sharp = box.sure

        def is_enough(price: Floats) -> bool:
            nonlocal sharp
            sharp = box.sure and recoded + self._sum_prices(box, price) < enough
            return not sharp

        found = self._find_own(box, is_enough)
        return recoded + self._sum_prices(box, found.price), sharp

    def _sum_prices(self, box: Box, price: Floats) -> float:
        """Return the loss by the prices of the unsafe cells of a box."""
        return float((price * box.table.f[box.unsafe_rows]).sum()) / self.records
