"""What a person asks of a proposal, besides the policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

from microsafe.display import Rate
from microsafe.errors import UsageError, did_you_mean
from microsafe.options.uses import Uses
from microsafe.propose.ladders.user import LadderSource
from microsafe.propose.plan_checks import Guarantee


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a proposal may do.

    Attributes:
        touched: Share of the records that may lose a value; 1 if any number may.
        spare: Keys that are neither recoded nor blanked.
        ladders: Recodes that a key may get, instead of those that the data suggest.
        utility: Which uses matter, and how much; all keys alike if None.
        guarantee: Of the blanks, `own` or `strict`.
        seconds: When to stop and tell what was found; when it is proved if None.
    """

    touched: Rate = 0.05
    spare: tuple[str, ...] = ()
    ladders: Mapping[str, LadderSource] = field(default_factory=dict)
    utility: Uses | None = None
    guarantee: Guarantee = "own"
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Validate the fields."""
        if not 0 <= self.touched <= 1:
            raise UsageError("The share of records that may lose a value is from 0 to 1.")
        if self.guarantee not in get_args(Guarantee):
            hint = did_you_mean(self.guarantee, get_args(Guarantee))
            raise UsageError(f"Blanks can be proposed as 'own' or 'strict' only.{hint}")
        if self.seconds is not None and not self.seconds > 0:
            raise UsageError("The seconds to search for must be above 0.")

    def most(self, records: int) -> int | None:
        """Return how many of some records may lose a value; None if any number may."""
        return None if self.touched >= 1 else int(self.touched * records + 1e-9)
