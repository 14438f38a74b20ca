"""Lower bounds of the loss of all nodes in a box, from its lowest to its highest rungs.

Merging categories raises nobody's risk, so who is unsafe at the highest rungs is unsafe in the
whole box, and blanks that do not suffice there suffice nowhere. A record loses at least what the
lowest rungs take from the keys it still shows, and from a blank key all that it told, whatever
the rung. So the cheapest own blanks, with safety judged at the highest rungs and prices at the
lowest, lose no more than any node of the box; where both are the same node they are its blanks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from microsafe.cells import Index
from microsafe.propose.lattice import Lattice
from microsafe.propose.node_tables import Flags, Rungs
from microsafe.steps.suppress.priced_blanks import cheapest_sets


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


class Bounds:
    """Bounds of boxes of a lattice, each found once.

    Args:
        lattice: Which.
    """

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.known: dict[tuple[Rungs, Rungs], Bound] = {}

    def bound(self, low: Rungs, high: Rungs, *, enough: float, most: int | None) -> Bound:
        """Bound a box.

        Args:
            low: Its lowest rungs.
            high: Its highest.
            enough: A loss from which on a rough bound will do.
            most: Records that may be touched: if there must be more, the loss does not matter.
        """
        found = self.known.get((low, high))
        if found is None or not (found.sharp or found.loss >= enough):
            found = self.known[low, high] = self._find(low, high, enough, most)
        return found

    def _find(self, low: Rungs, high: Rungs, enough: float, most: int | None) -> Bound:
        lattice = self.lattice
        recoded = lattice.recode_loss(low)
        if not lattice.safety.monotone and low != high:
            return Bound(loss=recoded, touched=0, sharp=True)
        touched = lattice.count_touched(high)
        if most is not None and touched > most:
            return Bound(loss=recoded, touched=touched, sharp=False)
        if not touched:
            return Bound(loss=recoded, touched=0, sharp=True)
        if lattice.count_stuck(high):
            return Bound(loss=np.inf, touched=touched, sharp=True)
        loss, sharp = self._add_blanks(low, high, enough, recoded)
        return Bound(loss=loss, touched=touched, sharp=sharp)

    def _add_blanks(
        self, low: Rungs, high: Rungs, enough: float, recoded: float
    ) -> tuple[float, bool]:
        """The loss of recodes and blanks together, and whether it is sharp."""
        lattice = self.lattice
        parents, rows = self._rows(low, high)
        prices = lattice.prices(low, rows)
        rough = recoded + lattice.least(prices, low, rows)
        if rough >= enough:
            return rough, False
        if low == high:
            return lattice.price(high).loss, True

        unsafe = lattice.unsafe(high)

        def safe(dropped: int, some: Index) -> Flags:
            asked = parents[rows[some]]
            if len(some) <= len(unsafe):
                return lattice.safety.safe(high, dropped, asked)
            flags = np.zeros(len(lattice.tables.at(high)), np.bool_)
            flags[unsafe] = lattice.safety.safe(high, dropped, unsafe)
            return flags[asked]

        _, price = cheapest_sets(prices, lattice.allowed, safe)
        f = lattice.tables.at(low).f[rows]
        loss = recoded + float((price * f).sum()) / lattice.records
        return loss, True

    def _rows(self, low: Rungs, high: Rungs) -> tuple[Index, Index]:
        """Return the highest cells of the lowest, and which of these are unsafe up there."""
        parents = self.lattice.tables.parents(low, high)
        flags = np.zeros(len(self.lattice.tables.at(high)), np.bool_)
        flags[self.lattice.unsafe(high)] = True
        return parents, np.flatnonzero(flags[parents])
