"""What a proposal found, as the plan keeps it and the report tells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedPoint:
    """A plan that could have been taken.

    Attributes:
        touched: Records that lose a value.
        blanks: Values that are blanked.
        loss: Plain loss: share of what the keys tell.
        loss_by_uses: Share of what the uses that matter need; None if nobody said which do.
        expected: Expected re-identifications under the first scenario; None if not measured.
        recodes: Keys that are recoded.
        taken: Whether it is the one that was proposed.
    """

    touched: int
    blanks: int
    loss: float
    loss_by_uses: float | None = None
    expected: float | None = None
    recodes: tuple[str, ...] = ()
    taken: bool = False

    @property
    def drawn(self) -> float:
        """The loss in a picture: by uses, if some matter."""
        return self.loss if self.loss_by_uses is None else self.loss_by_uses


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedPlan:
    """What a proposal found, as a plan keeps it.

    Attributes:
        status: `proved` best, or best `found`.
        gap: Largest share of its loss that a better plan could save.
        records: In the file.
        cap: Records that might lose a value; any number if None.
        frontier: The cheapest plan for each of several caps.
    """

    status: Literal["proved", "found"]
    gap: float = 0.0
    records: int
    cap: int | None = None
    frontier: tuple[ProposedPoint, ...] = ()

    @property
    def taken(self) -> ProposedPoint | None:
        """The plan that was proposed."""
        return next((point for point in self.frontier if point.taken), None)
