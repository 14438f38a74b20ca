"""Every variable, what was found about it, and what was decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from microsafe.schema import Kind
from microsafe.variables.decide import Decision
from microsafe.variables.recognise import Finding

Way = Literal["drop", "renumber", "keep"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryVariable:
    """One variable of the file as read.

    Attributes:
        name: Of the variable.
        label: What it means.
        kind: How its values are stored.
        distinct: Different values.
        missing: Records in which it is missing.
        findings: What makes it delicate, and what it was recognised by.
        decision: What becomes of it.
        barred: Whether it is a direct identifier that goes out without a reason.
        open: Whether it stands in the way of a release.
        ways: What can be decided, the best first; nothing once it is dropped.
    """

    name: str
    label: str
    kind: Kind
    distinct: int
    missing: int
    findings: tuple[Finding, ...]
    decision: Decision
    barred: bool
    open: bool
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryList:
    """Every variable; `open` names those that stand in the way of a release."""

    records: int
    variables: tuple[InventoryVariable, ...]
    open: tuple[str, ...]
