"""Every variable, what was found about it, and what was decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from microsafe.variables.profile import VariableProfile

Way = Literal["drop", "renumber", "keep"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryRow(VariableProfile):
    """One variable of the file as read.

    Attributes:
        ways: What can be decided about it, the best first; nothing once it is dropped.
    """

    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryList:
    """Every variable; `open` names those that stand in the way of a release."""

    records: int
    variables: tuple[InventoryRow, ...]
    open: tuple[str, ...]
