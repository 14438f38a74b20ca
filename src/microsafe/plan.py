"""Steps: what is done to the data, as values that Python, command line and plan file share.

A step says what to do, never to which records: the same step on the same data does the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

from microsafe.errors import UsageError, did_you_mean

Guarantee = Literal["own", "strict", "shared"]
Costs = Mapping[str, float] | Literal["entropy"] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppress:
    """Blank keys until no record is unsafe.

    Attributes:
        above: Risk above which a record is unsafe, for all scenarios or by scenario.
        k: Number of records that must share its keys, likewise.
        guarantee: `"own"`, safe by its own blanks; `"strict"`, safe even if records with gaps
            are ignored; `"shared"`, others' blanks count.
        costs: Of blanking a key: numbers by key (1 if not named), or `"entropy"`.
        spare: Keys that must not be blanked.
        scenarios: Names of the scenarios to meet; all if empty.
        linked: Variables that lose their value wherever a key does, by key.
        why: The reason, for the record.
    """

    do: ClassVar[str] = "suppress"
    above: float | Mapping[str, float] | None = None
    k: int | Mapping[str, int] | None = None
    guarantee: Guarantee = "own"
    costs: Costs = None
    spare: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    linked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    why: str = ""

    def __post_init__(self) -> None:
        """Refuse words that mean nothing."""
        if self.guarantee not in get_args(Guarantee):
            hint = did_you_mean(self.guarantee, get_args(Guarantee))
            raise UsageError(f"There is no guarantee {self.guarantee!r}.{hint}")
