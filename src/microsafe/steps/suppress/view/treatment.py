"""How every combination of keys is treated, and how many people are behind what is shown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index
from microsafe.risk.record.subsets import Masks
from microsafe.steps.suppress.view.table import Crowding, PeopleTable
from microsafe.sums import Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Treatment:
    """What a method of suppression does to everybody, drawn or not.

    Attributes:
        table: All combinations with people.
        crowding: When people are too few.
        masks: The keys that are blanked in each combination.
    """

    table: PeopleTable
    crowding: Crowding
    masks: Masks

    def find_unsafe(self, unsafe: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell which combinations with records stay unsafe, given those that are so in full."""
        group, size = self._group()
        few = self.crowding.unsafe(*self.table.sums(group, size))
        return (self.table.f > 0) & np.where(self.masks > 0, few[group], unsafe)

    def chance(self) -> Floats:
        """Return the base risk of the records of each combination among those who show the same.

        Those who would be treated otherwise count for nobody.
        """
        group, size = self._group()
        return self.crowding.chance(*self.table.sums(group, size))[group]

    def _group(self) -> tuple[Index, int]:
        group, first = self.table.group_views(self.masks)
        return group, len(first)
