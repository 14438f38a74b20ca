"""Every variable, what was found about it, and what was decided."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.steps.base import Step
from microsafe.variables.profile import VariableProfile


@dataclass(frozen=True, slots=True, kw_only=True)
class TellingRow:
    """Variables that tell a changed key, and the steps that recode each of them alike."""

    key: str
    words: str
    share: float
    determines: bool
    variables: tuple[str, ...]
    alike: tuple[Step | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryList:
    """Every variable, the most delicate first; `open` names those in the way of a release."""

    records: int
    variables: tuple[VariableProfile, ...]
    open: tuple[str, ...]
    telling: tuple[TellingRow, ...]
