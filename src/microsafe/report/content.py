"""What a report is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from microsafe.compare import Comparison
from microsafe.compare.family_protection import FamilyMeasures
from microsafe.compare.guarantees import GuaranteePrice
from microsafe.intruders import IntruderTable
from microsafe.report.cover import ReportCover
from microsafe.report.proposed_plan import ProposedPlan
from microsafe.risk import FileRisk, RecoverableBlanks, Risk, SmallAreas, TellingVariables
from microsafe.steps.base import AppliedStep
from microsafe.variables.inventory import Inventory
from microsafe.variables.profile import VariableProfile


class Ruling(Protocol):
    """A rule of the policy and whether it is met (`microsafe.options.policy.Verdict` is one)."""

    @property
    def rule(self) -> str:
        """Its name in the policy."""

    @property
    def scenario(self) -> str:
        """Under which scenario it was measured."""

    @property
    def limit(self) -> float:
        """The most (for `k` the least) that is allowed."""

    @property
    def value(self) -> float | None:
        """What was measured; None if it could not be."""

    @property
    def met(self) -> bool:
        """Whether the value is within the limit."""

    @property
    def reason(self) -> str:
        """Why the file is released although the rule is not met; empty if nobody said so."""

    @property
    def note(self) -> str:
        """Why there is no value."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RiskBeforeAndAfter:
    """Risk under one scenario, before and after.

    Attributes:
        before: On the file as read.
        after: On the protected file.
        why: Why this scenario.
        file_before: Risk of the file as a whole, as read; None if it was not estimated.
        file_after: The same of the protected file, as if nothing had been suppressed.
        left: Sample uniques that suppression left with all their keys, and the correct matches
            expected among them; None if nothing was suppressed.
    """

    before: Risk
    after: Risk
    why: str = ""
    file_before: FileRisk | None = None
    file_after: FileRisk | None = None
    left: tuple[int, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Content:
    """Everything that a report may say. What an audience gets is decided by the report.

    Attributes:
        source: Name of the input.
        comparison: What protection cost.
        measured: Risk before and after, one for each scenario.
        steps: What was done, in order.
        verdicts: On the rules of the policy.
        intruders: Who could recognise whom; None if nobody was tried.
        labels: What variables mean, by name.
        sha256: Of the input.
        output: Name of the safe file.
        output_sha256: Of the safe file.
        versions: Of programs and libraries, by name.
        plan: Text of the plan file, without its seeds; attached, not shown.
        cover: What stands on the cover, and the language.
        inventory: All variables with decisions; None if nobody asked for them.
        released: The variables of the safe file.
        categories: Labels of the categories before protection, by variable and code.
        shuffled: Whether the records were put into a random order.
        keep_order: Reason to keep the order of the input.
        telling: What variables that go out tell of changed keys, or why that is not known.
        given_away: Suppressed values that the file gives away, or why that is not known.
        publish_matrix: Whether the public is told the chances of PRAM.
        families: What protects families, by scenario of which a rule about them is not met.
        prices: What each guarantee would have cost, where blanks tell nothing.
        proposed: What a search for the steps found; None if they were not proposed.
        areas: How sure the protected file is of small areas, where a key is geography.
    """

    source: str
    comparison: Comparison
    measured: Sequence[RiskBeforeAndAfter] = ()
    steps: Sequence[AppliedStep] = ()
    verdicts: Sequence[Ruling] = ()
    intruders: IntruderTable | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    sha256: str = ""
    output: str = ""
    output_sha256: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    plan: str = ""
    cover: ReportCover = field(default_factory=ReportCover)
    inventory: Inventory | None = None
    released: Sequence[VariableProfile] = ()
    categories: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    shuffled: bool = False
    keep_order: str = ""
    given_away: RecoverableBlanks | str | None = None
    telling: TellingVariables | str | None = None
    families: Mapping[str, FamilyMeasures] = field(default_factory=dict)
    prices: Sequence[GuaranteePrice] = ()
    publish_matrix: bool = False
    proposed: ProposedPlan | None = None
    areas: Sequence[SmallAreas] = ()
